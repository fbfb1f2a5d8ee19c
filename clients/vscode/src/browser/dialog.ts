/** Turn pages and changes over the panel, where there is no editor to open them in. */

import type { Connection, FileChange, TranscriptEntry } from "@recapd/client";
import { html, nothing, render, type TemplateResult } from "lit-html";

import type { Shown } from "../controller.js";

const WHO: Record<string, string> = { user: "You", agent: "Agent", note: "Note", summary: "Summary" };

export class Dialog {
  readonly #element = document.createElement("dialog");

  constructor(private readonly recapd: Connection) {
    document.body.append(this.#element);
    this.#element.addEventListener("click", (event) => event.target === this.#element && this.#element.close());
  }

  async showTurn({ session, turn, ref, quote }: Shown): Promise<void> {
    const which = turn >= 0 ? { turn } : { around: ref };
    const answer = await this.recapd.request("transcript/get", { session: { id: session }, ...which });
    const found = "turns" in answer ? answer.turns[0] : undefined;
    const isCited = (entry: TranscriptEntry): boolean => entry.ref.byteOffset === ref?.byteOffset && entry.ref.source === ref.source;
    this.#show(`Turn ${found?.turn ?? turn}`, html`${found?.entries.map((each) => entryOf(each, isCited(each), quote))}
      ${"nextCursor" in answer && answer.nextCursor ? html`<p class="entry dim">This turn goes on; its log has the rest.</p>` : nothing}`);
    this.#element.querySelector(".cited")?.scrollIntoView({ block: "center" });
  }

  async showChanges(session: string, uri: string): Promise<void> {
    const answer = await this.recapd.request("files/changes", { session: { id: session }, uri, limit: 200 });
    const changes = "changes" in answer ? answer.changes.filter(({ ok }) => ok) : [];
    this.#show(decodeURIComponent(uri.split("/").at(-1) ?? uri), html`${changes.map(changeOf)}`);
  }

  showPage(title: string, text: string, quote: string | undefined): void {
    this.#show(title, html`<div class="entry cited"><pre>${quote ? marked(text, quote) : text}</pre></div>`);
    this.#element.querySelector("mark")?.scrollIntoView({ block: "center" });
  }

  #show(title: string, body: TemplateResult): void {
    const close = (): void => this.#element.close();
    render(html`<header><h2>${title}</h2><button class="link" @click=${close}>Close</button></header>${body}`, this.#element);
    if (!this.#element.open) this.#element.showModal();
    this.#element.scrollTop = 0;
  }
}

function entryOf(entry: TranscriptEntry, isCited: boolean, quote: string | undefined): TemplateResult {
  const sign = entry.kind === "call" ? "▸ " : entry.kind === "result" ? (entry.ok === false ? "✗ " : "✓ ") : "";
  const who = WHO[entry.kind] ?? `${sign}${entry.tool ?? entry.kind} ${entry.target ?? ""}`;
  return html`<div class="entry ${entry.kind} ${isCited ? "cited" : ""}"><h3>${who}</h3><pre>${isCited && quote ? marked(entry.text, quote) : entry.text}</pre></div>`;
}

/** The words that were clicked, marked. */
function marked(text: string, quote: string): TemplateResult {
  const at = text.indexOf(quote);
  return at < 0 ? html`${text}` : html`${text.slice(0, at)}<mark>${quote}</mark>${text.slice(at + quote.length)}`;
}

function changeOf({ turn, tool, hunks }: FileChange): TemplateResult {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const kind = (line: string): string => (line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "");
  return html`<div class="entry"><h3>turn ${turn} · ${tool}</h3><pre>${lines.length === 0 ? "(the log does not say what was changed)" : lines.map((line) => html`<span class=${kind(line)}>${line}${"\n"}</span>`)}</pre></div>`;
}
