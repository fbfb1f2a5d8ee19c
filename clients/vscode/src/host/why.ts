/**
 * From a line of source to the turn that wrote it: a hover, a lens above what a session wrote, and a command.
 *
 * A stock language client may run beside this extension and says the same (protocol/README.md); whoever asks for a hover
 * gets it once: before it answers, this one looks at what everybody says, itself included.
 */

import type { Connection, Decision, WhyGetParams, WhyGetResult, WhyLines } from "@recapd/client";
import * as vscode from "vscode";

import { age, agentName, BY, plural } from "../panel/words.js";
import type { Documents } from "./documents.js";

/** Internal: leads from a hover or a lens to the turn; the palette does not have it. */
const SHOW = "recapd.showWriter";
const SOURCES: vscode.DocumentSelector = { scheme: "file" };
/** Logs and recaps are what is told from, not what was written. */
const NOT_SOURCES = /\.jsonl$|\.log\.json$|[/\\]_recap\.md$/;
/** A file that nobody changed for so long is read, not worked on. */
const LENS_MS = 7 * 24 * 3_600_000;
const MOST_LENSES = 50;
/** Beyond this the text on disk counts, as for other editors. */
const MOST_CHARS = 2 << 20;
/** Nobody waits longer for a hover. */
const PATIENCE_MS = 5_000;

export class Why implements vscode.HoverProvider, vscode.CodeLensProvider, vscode.Disposable {
  readonly #stale = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#stale.event;
  readonly #hovers = new Map<string, Promise<vscode.Hover | undefined>>();
  readonly #lenses = new Map<string, Promise<vscode.CodeLens[]>>();
  readonly #registered: vscode.Disposable;

  constructor(
    private readonly recapd: Connection,
    private readonly documents: Documents,
  ) {
    recapd.onState(({ kind }) => kind === "ready" && this.refresh());
    this.#registered = vscode.Disposable.from(
      this.#stale,
      vscode.languages.registerHoverProvider(SOURCES, this),
      vscode.languages.registerCodeLensProvider(SOURCES, this),
      vscode.commands.registerCommand(SHOW, (found: WhyLines) => this.#show(found)),
    );
  }

  dispose(): void {
    this.#registered.dispose();
  }

  /** Lenses are asked for again. */
  refresh(): void {
    this.#stale.fire();
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> | undefined {
    if (!this.#isOn("why.hover", document)) return undefined;
    return once(
      this.#hovers,
      `${document.uri} ${position.line}`,
      () => this.#hover(document, position.line + 1),
      async (own) => {
        const said = own && textOf(own);
        if (!said) return own;
        const all = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", document.uri, position);
        return all.filter((hover) => textOf(hover).includes(said)).length > 1 ? undefined : own;
      },
    );
  }

  provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> | undefined {
    if (!this.#isOn("why.lens", document)) return undefined;
    return once(
      this.#lenses,
      document.uri.toString(),
      () => this.#lensesOf(document),
      async (own) => {
        if (own.length === 0) return own;
        const all = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", document.uri);
        const isDouble = (lens: vscode.CodeLens): boolean => all.filter((each) => placeOf(each) === placeOf(lens)).length > 1;
        return own.filter((lens) => !isDouble(lens));
      },
    );
  }

  /** What the command says of the lines that are selected. */
  async ask(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || editor.document.uri.scheme !== "file") {
      void vscode.window.showInformationMessage("Open a source file, and put the cursor on the line.");
      return;
    }
    const { start, end } = editor.selection;
    // A selection that ends before the first letter of a line does not mean that line.
    const last = end.line > start.line && end.character === 0 ? end.line - 1 : end.line;
    const found = await this.recapd.request("why/get", { ...textParams(editor.document), range: { from: start.line + 1, to: last + 1 } });
    const [one] = found.lines;
    if (one === undefined) {
      void vscode.window.showInformationMessage(whyNot(found, start.line === last));
      return;
    }
    const picks = found.lines.flatMap((each) => [writerPick(each), ...each.decisions.map((decision) => decisionPick(each, decision))]);
    const picked = await vscode.window.showQuickPick(picks, { title: "Why is this line here", placeHolder: "Pick one to see where it was said", matchOnDetail: true });
    await picked?.show(this.documents);
  }

  async #hover(document: vscode.TextDocument, line: number): Promise<vscode.Hover | undefined> {
    const [found] = (await this.#why({ ...textParams(document), line }))?.lines ?? [];
    if (!found?.markdown) return undefined;
    // Two texts: what comes from a log may name no command, not even ours.
    const link = new vscode.MarkdownString(`[Show turn ${found.turn}](command:${SHOW}?${encodeURIComponent(JSON.stringify([writerOf(found)]))})`);
    link.isTrusted = { enabledCommands: [SHOW] };
    return new vscode.Hover([new vscode.MarkdownString(found.markdown), link]);
  }

  async #lensesOf(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const lines = (await this.#why(textParams(document)))?.lines ?? [];
    const latest = Math.max(0, ...lines.map(({ at }) => (at ? Date.parse(at) : 0)));
    if (Date.now() - latest > LENS_MS) return [];
    const isSame = (left: WhyLines, right: WhyLines | undefined): boolean => left.sessionId === right?.sessionId && left.turn === right.turn;
    return lines
      .filter((each, index) => !isSame(each, lines[index - 1]))
      .slice(0, MOST_LENSES)
      .map((each) => new vscode.CodeLens(new vscode.Range(each.from - 1, 0, each.from - 1, 0), { title: titleOf(each), command: SHOW, arguments: [writerOf(each)] }));
  }

  /** Undefined where there is no answer: an editor asks of every file, and most are nobody's. */
  async #why(params: WhyGetParams): Promise<WhyGetResult | undefined> {
    try {
      return await this.recapd.request("why/get", params, { timeoutMs: PATIENCE_MS });
    } catch {
      return undefined;
    }
  }

  #isOn(setting: string, document: vscode.TextDocument): boolean {
    if (this.recapd.state.kind !== "ready" || NOT_SOURCES.test(document.uri.path)) return false;
    return vscode.workspace.getConfiguration("recapd", document.uri).get<boolean>(setting, true);
  }

  async #show({ sessionId, turn, refs: [ref] }: WhyLines): Promise<void> {
    await this.documents.showTurn({ session: sessionId, turn, ...(ref ? { ref } : {}) });
  }
}

/** Make an answer, then settle it by what all say; who asks meanwhile is one of those who are asked, and gets it as made. */
async function once<Answer>(underway: Map<string, Promise<Answer>>, key: string, make: () => Promise<Answer>, settle: (made: Answer) => Promise<Answer>): Promise<Answer> {
  const asked = underway.get(key);
  if (asked !== undefined) return asked;
  const made = make();
  underway.set(key, made);
  try {
    return await settle(await made);
  } finally {
    underway.delete(key);
  }
}

/** The file as the editor has it. */
function textParams(document: vscode.TextDocument): WhyGetParams {
  const text = document.isDirty ? document.getText() : undefined;
  return { path: document.uri.fsPath, ...(text !== undefined && text.length <= MOST_CHARS ? { text } : {}) };
}

/** The answer in a hover; ours has a link behind it, that of a language client does not. */
function textOf({ contents }: vscode.Hover): string {
  const [first] = contents;
  return first === undefined ? "" : typeof first === "string" ? first : first.value;
}

function placeOf({ range, command }: vscode.CodeLens): string {
  return `${range.start.line} ${/^turn \d+ · /.exec(command?.title ?? "")?.[0] ?? command?.title}`;
}

function titleOf({ turn, agent, decisionsTotal }: WhyLines): string {
  return [`turn ${turn}`, agentName(agent ?? ""), decisionsTotal ? plural(decisionsTotal, "decision") : ""].filter(Boolean).join(" · ");
}

/** Enough of it to lead to the turn: arguments of a link are written into it. */
function writerOf({ sessionId, turn, refs }: WhyLines): Pick<WhyLines, "sessionId" | "turn" | "refs"> {
  return { sessionId, turn, refs: refs.slice(0, 1) };
}

interface WhyPick extends vscode.QuickPickItem {
  show(documents: Documents): Promise<void>;
}

function writerPick(each: WhyLines): WhyPick {
  const { from, to, turn, agent, title, at, request, sessionId, refs } = each;
  const where = from === to ? `line ${from}` : `lines ${from}–${to}`;
  return {
    label: `$(edit) turn ${turn} · ${agentName(agent ?? "")}${title ? ` · ${title}` : ""}`,
    description: [where, age(at, Date.now())].filter(Boolean).join(" · "),
    ...(request ? { detail: `Asked: ${request.split("\n").join(" ")}` } : {}),
    show: (documents) => documents.showTurn({ session: sessionId, turn, ...(refs[0] ? { ref: refs[0] } : {}) }),
  };
}

function decisionPick({ sessionId }: WhyLines, { headline, text, madeBy, turn, ref, quote }: Decision): WhyPick {
  return {
    label: `$(law) ${headline || text}`,
    description: `decided by ${BY[madeBy] ?? madeBy} · turn ${turn}`,
    show: (documents) => documents.showTurn({ session: sessionId, turn, ref, quote }),
  };
}

function whyNot({ edits, lineCount }: WhyGetResult, isOne: boolean): string {
  if (!lineCount) return "This file has no lines on disk.";
  if (!edits) return "No known session changed this file.";
  return `No session is proved to have written ${isOne ? "this line" : "these lines"} as ${isOne ? "it is" : "they are"} now; the logs know of ${plural(edits, "edit")} of this file.`;
}
