/** Pages of conversations and of what an agent changed, as documents that nobody can edit. */

import { RecapdError, type Connection, type FileChange, type LogRef, type TranscriptEntry } from "@recapd/client";
import * as vscode from "vscode";

import type { Shown } from "../controller.js";

export const SCHEME = "recapd";
/** A turn that is longer than so many answers is cut, and says so. */
const MOST_PAGES = 20;

interface TurnQuery {
  readonly session: string;
  readonly turn: number;
}

interface ChangesQuery {
  readonly session: string;
  readonly uri: string;
  readonly side: "before" | "after";
}

interface PageQuery {
  readonly page: string;
}

interface TurnPage {
  readonly markdown: string;
  readonly entries: readonly TranscriptEntry[];
}

export class Documents implements vscode.TextDocumentContentProvider {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  /** Where the records of open pages stand, to lead from a line to the log. */
  readonly #entries = new Map<string, readonly TranscriptEntry[]>();

  constructor(private readonly recapd: Connection) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const query = JSON.parse(uri.query) as TurnQuery | ChangesQuery | PageQuery;
    if ("page" in query) return query.page;
    try {
      if ("side" in query) return this.#sideOf(query);
      const page = await this.#turn(query);
      this.#entries.set(uri.toString(), page.entries);
      return page.markdown;
    } catch (error) {
      if (error instanceof RecapdError) return `${error.message}\n`;
      throw error;
    }
  }

  async showTurn({ session, turn, ref, quote }: Shown): Promise<void> {
    const which = turn >= 0 ? turn : await this.#turnOf(session, ref);
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/Turn ${which}.md`, query: JSON.stringify({ session, turn: which } satisfies TurnQuery) });
    const document = await vscode.workspace.openTextDocument(uri);
    const range = this.#place(document, ref, quote);
    const editor = await vscode.window.showTextDocument(document, { preview: true, ...(range ? { selection: range } : {}) });
    if (range) editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** A page that nobody has to be asked for. */
  async showPage(title: string, page: string, quote: string | undefined): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title} (demo).md`, query: JSON.stringify({ page } satisfies PageQuery) });
    const document = await vscode.workspace.openTextDocument(uri);
    const range = this.#place(document, undefined, quote);
    await vscode.window.showTextDocument(document, { preview: true, ...(range ? { selection: range } : {}) });
  }

  async showChanges(session: string, file: string): Promise<void> {
    const name = decodeURIComponent(file.split("/").at(-1) ?? file);
    const side = (which: "before" | "after"): vscode.Uri =>
      vscode.Uri.from({ scheme: SCHEME, path: `/${which}/${name}`, query: JSON.stringify({ session, uri: file, side: which } satisfies ChangesQuery) });
    await vscode.commands.executeCommand("vscode.diff", side("before"), side("after"), `${name} (what the agent changed)`, { preview: true });
  }

  /** Pages of sessions that went on are read again. */
  refresh(sessions: ReadonlySet<string>): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === SCHEME && sessions.has((JSON.parse(uri.query) as TurnQuery).session)) this.#changed.fire(uri);
    }
  }

  forget(uri: vscode.Uri): void {
    this.#entries.delete(uri.toString());
  }

  /** The record that a line of a page was written from. */
  refAt(uri: vscode.Uri, line: number): LogRef | undefined {
    return this.#entries.get(uri.toString())?.filter((entry) => (entry.line ?? 0) <= line + 1).at(-1)?.ref;
  }

  async #turn({ session, turn }: TurnQuery): Promise<TurnPage> {
    let markdown = "";
    const entries: TranscriptEntry[] = [];
    let cursor: string | null | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const lines = markdown === "" ? 0 : markdown.split("\n").length - 1;
      const answer = await this.recapd.request("transcript/get", { session: { id: session }, turn, format: "markdown", ...(cursor ? { cursor } : {}) });
      if (!("turns" in answer)) break;
      markdown += `${answer.markdown ?? ""}\n`;
      entries.push(...answer.turns.flatMap((each) => each.entries).map((entry) => ({ ...entry, line: (entry.line ?? 1) + lines })));
      cursor = answer.nextCursor;
      if (!cursor) return { markdown, entries };
    }
    return { markdown: `${markdown}\n… this turn goes on; its log has the rest.\n`, entries };
  }

  async #turnOf(session: string, ref: LogRef | undefined): Promise<number> {
    if (ref === undefined) return 0;
    const answer = await this.recapd.request("transcript/get", { session: { id: session }, around: ref, limit: 1, maxChars: 1 });
    return "turns" in answer ? (answer.turns[0]?.turn ?? 0) : 0;
  }

  /** Where in the page the quote stands; else where its record begins. */
  #place(document: vscode.TextDocument, ref: LogRef | undefined, quote: string | undefined): vscode.Range | undefined {
    const entries = this.#entries.get(document.uri.toString()) ?? [];
    const entry = ref && entries.find((each) => each.ref.byteOffset === ref.byteOffset && each.ref.source === ref.source);
    const from = document.offsetAt(new vscode.Position(Math.max(0, (entry?.line ?? 1) - 1), 0));
    const [words = ""] = (quote ?? "").split("\n");
    const text = document.getText();
    const found = words === "" ? -1 : text.indexOf(words, from) >= 0 ? text.indexOf(words, from) : text.indexOf(words);
    if (found >= 0) return new vscode.Range(document.positionAt(found), document.positionAt(found + words.length));
    if (entry === undefined) return undefined;
    const start = document.positionAt(from);
    return new vscode.Range(start, start);
  }

  async #sideOf({ session, uri, side }: ChangesQuery): Promise<string> {
    const answer = await this.recapd.request("files/changes", { session: { id: session }, uri, limit: 200 });
    if (!("changes" in answer)) return "";
    return answer.changes.filter(({ ok }) => ok).map((change) => textOf(change, side)).join("\n");
  }
}

/** One side of a change: what was there, or what is there now. Both sides have the same headings, which keep them level. */
function textOf({ turn, tool, hunks, truncated }: FileChange, side: "before" | "after"): string {
  const other = side === "before" ? "+" : "-";
  const told = hunks.map(({ lines, oldStart }) => {
    const kept = lines.filter((line) => !line.startsWith(other) && !line.startsWith("\\")).map((line) => line.slice(1));
    return [...(oldStart ? [`@@ line ${oldStart} @@`] : []), ...kept].join("\n");
  });
  const body = told.length > 0 ? told.join("\n\n") : "(the log does not say what was changed)";
  return `══ turn ${turn} · ${tool} ══\n${body}\n${truncated ? "… the change is longer than this\n" : ""}`;
}
