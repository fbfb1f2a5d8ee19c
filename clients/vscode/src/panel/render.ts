/** The page as a function of the model. Text of logs only ever becomes text nodes and attribute values. */

import type { ChangeItem, Decision, FileEntry, LogRef, OverviewRow, ViewFact, ViewItem, ViewSectionName } from "@recapd/client";
import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { icon, type IconName } from "./icons.js";
import type { Dismissal, Model, Send, SessionModel } from "./model.js";
import { awayBecause, problem } from "./screens.js";
import { picture } from "./timeline.js";
import { age, agentName, BY, fileName, isOld, LETTER, plural, standing, tone } from "./words.js";

/** What only this page knows: which sections are open, what it has shown before. */
export interface Ui {
  readonly now: number;
  readonly open: Readonly<Record<string, boolean>>;
  toggle(name: string, isOpen: boolean): void;
  /** Whether this was not there when the session was last drawn. */
  isNew(id: string): boolean;
}

type Part = TemplateResult | typeof nothing;

/** More items than this are folded. */
const FEW = 6;
/** "Since you looked" says no more than this; the sections below say the rest. */
const NEWS = 4;

export function render(model: Model, ui: Ui, send: Send): TemplateResult {
  const instead = problem(model, send);
  if (instead !== null) return html`<main class="screen"><h1 class="unseen">Recap</h1>${instead}</main>`;
  return html`${model.demo ? madeUp(send) : model.connection.kind === "ready" ? nothing : lost(model)}
    <main>
      <h1 class="unseen">Recap</h1>
      ${sessions(model, ui, send)} ${searchBox(model, send)}
      ${model.search === null ? chosen(model, ui, send) : found(model, ui, send)}
    </main>
  `;
}

function madeUp(send: Send): TemplateResult {
  return html`<div class="away" role="status"><span>A demo: these sessions are made up.</span> <button class="link" @click=${() => send({ kind: "endDemo" })}>Leave it</button></div>`;
}

/** What was last known stays on show while recapd is away. */
function lost(model: Model): TemplateResult {
  return html`<div class="away" role="status">recapd is away. ${awayBecause(model)}</div>`;
}

// ---- sessions

function sessions(model: Model, ui: Ui, send: Send): TemplateResult {
  const isFolded = (row: OverviewRow): boolean => isOld(row, ui.now) && row.id !== model.selected;
  const shown = model.rows.filter((row) => !isFolded(row));
  const old = model.rows.filter(isFolded);
  // Where everything is old, the latest of it is still worth a look.
  const front = shown.length > 0 ? shown : old.splice(0, 3);
  const count = model.needsYou > 0 ? html`<strong class="needs">${model.needsYou === 1 ? "1 needs you" : `${model.needsYou} need you`}</strong>` : nothing;
  return html`<section aria-labelledby="sessions">
    <h2 id="sessions"><span>${model.scope.folders.length > 0 ? "Sessions here" : "Sessions"}</span>${count}</h2>
    <ul class="rows">${repeat(front, ({ id }) => id, (row) => sessionRow(row, model, ui, send))}</ul>
    ${old.length === 0
      ? nothing
      : fold("old", `${plural(old.length, "older session")}`, ui, false, html`<ul class="rows">${repeat(old, ({ id }) => id, (row) => sessionRow(row, model, ui, send))}</ul>`)}
  </section>`;
}

function sessionRow(row: OverviewRow, model: Model, ui: Ui, send: Send): TemplateResult {
  const isSelected = row.id === model.selected;
  const stands = standing(row);
  return html`<li>
    <button class="row ${isSelected ? "selected" : ""}" aria-current=${isSelected ? "true" : "false"} title=${`${row.title}\n${stands}${row.detail ? ` — ${row.detail}` : ""}`} @click=${() => send({ kind: "select", id: row.id })}>
      <i class="state ${tone(row)}" aria-hidden="true"></i><span class="unseen">${stands}: </span>
      <span class="title">${row.title || "Untitled"}</span>
      ${row.unseen ? html`<b class="news" title=${plural(row.unseen, "new turn")}>${row.unseen}<span class="unseen"> new</span></b>` : nothing}
      <small>${agentName(row.agent)}<span class="age"> · ${age(row.lastActiveAt, ui.now)}</span></small>
    </button>
  </li>`;
}

// ---- search

function searchBox(model: Model, send: Send): TemplateResult {
  return html`<form class="search" role="search" @submit=${(event: Event) => event.preventDefault()}>
    <label>${icon("search")}<span class="unseen">Search what was said, in all these sessions</span>
      <input type="search" placeholder="Search what was said" .value=${model.search?.query ?? ""} autocomplete="off" spellcheck="false"
        @input=${(event: Event) => send({ kind: "search", query: (event.target as HTMLInputElement).value })}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === "Escape") send({ kind: "search", query: "" });
        }} />
    </label>
  </form>`;
}

function found(model: Model, ui: Ui, send: Send): TemplateResult {
  const hits = model.search?.hits ?? null;
  if (hits === null) return html`<p class="dim" role="status">Searching…</p>`;
  if (hits.length === 0) return html`<p class="dim" role="status">Nobody said that in ${model.scope.folders.length > 0 ? "these folders" : "any session"}.</p>`;
  return html`<section aria-label="Found">
    <p class="unseen" role="status">${plural(hits.length, "place")} found</p>
    <ul class="hits">
      ${hits.map(
        (hit) => html`<li><button class="hit" @click=${() => send({ kind: "openHit", hit })}>
          <span>${hit.text}</span><small>${hit.title} · ${hit.kind} · turn ${hit.turn}${hit.at ? ` · ${age(hit.at, ui.now)}` : ""}</small>
        </button></li>`,
      )}
    </ul>
  </section>`;
}

// ---- the session that was chosen

function chosen(model: Model, ui: Ui, send: Send): Part {
  if (model.trouble !== null) return html`<p class="trouble" role="status">${model.trouble}</p>`;
  const { session } = model;
  if (session === null) return model.selected === null ? nothing : html`<p class="dim" role="status">Reading…</p>`;
  return html`<article aria-label="The session">
    ${card(model, session, ui, send)} ${news(session, ui, send)}
    ${session.timeline === null ? nothing : picture(session.timeline, send)}
    ${asked(session, ui, send)} ${decisions(session, ui, send)} ${done(session, ui, send)} ${open(session, ui, send)}
    ${files(model, session, ui, send)} ${forgotten(session, ui, send)} ${reader(session, send)}
  </article>`;
}

function card(model: Model, session: SessionModel, ui: Ui, send: Send): TemplateResult {
  const { state, view } = session;
  const row = model.rows.find(({ id }) => id === session.id);
  const stands = { state: state.status, needs: state.needs, question: state.question, running: state.running };
  const since = age(state.running?.since ?? state.since, ui.now);
  const canResume = row?.resumeCommand && !row.live;
  return html`<section class="card ${tone(stands)}" aria-label="How it stands">
    <h2>${standing(stands)}${since ? html`<span class="since"> · ${since}</span>` : nothing}</h2>
    ${what(session, send)}
    ${state.options?.length ? html`<ul class="options">${state.options.map((option) => html`<li>${option}</li>`)}</ul>` : nothing}
    <p class="facts">
      ${view.facts.filter(({ kind }) => kind !== "model").map((each) => fact(each, since, ui, send))}
      <span><button class="fact" title="Read the last turn" @click=${() => send({ kind: "openTurn", turn: session.turn })}>turn ${session.turn}</button></span>
    </p>
    ${session.logGone ? html`<p class="trouble">Its log was deleted: what was known of it is kept, and proves nothing any more.</p>` : nothing}
    ${session.unjudgedTurns > 0 ? html`<p class="dim" role="status">Looking for decisions in ${plural(session.unjudgedTurns, "turn")}…</p>` : nothing}
    <div class="buttons">
      ${canResume && model.can.hasTerminal ? button("Resume", "terminal", () => send({ kind: "resume" }), "Go on with this session in a terminal") : nothing}
      ${row?.resumeCommand ? button("Command", "copy", () => send({ kind: "copyResume" }), "Copy the command that goes on with this session") : nothing}
      ${button("Context", "copy", () => send({ kind: "copyContext" }), "Copy what another agent needs to go on")}
    </div>
  </section>`;
}

/** What somebody who looks has to know first. */
function what(session: SessionModel, send: Send): TemplateResult {
  const { state, view } = session;
  const latest = lastWords(session);
  const stands = tone({ state: state.status, needs: state.needs });
  const said = (): unknown => {
    if (stands === "works") return withCode(state.running?.text ?? state.detail);
    if (state.question) return html`${state.needs === "permission" ? "Wants: " : state.needs === "plan" ? "Plan: " : "Asks: "}<strong>${state.question}</strong>`;
    return withCode(state.detail || view.headline.text);
  };
  // That an agent answered says the card's head already; how it broke off does not.
  return html`${latest !== undefined && stands === "rest" ? nothing : html`<p class="what">${said()}</p>`}
    ${latest === undefined ? nothing : html`<div class="last"><p class="what"><span class="dim">Last: </span>${latest.text}</p>${cite(latest, send)}</div>`}`;
}

/** What came of a session that is at rest or broke off, where it asks nothing. */
function lastWords(session: SessionModel): ViewItem | undefined {
  const { status, needs, question } = session.state;
  const stands = tone({ state: status, needs });
  const latest = (stands === "rest" || stands === "broke") && !question ? results(session).at(-1) : undefined;
  return latest?.ok === false ? undefined : latest;
}

/** What stands between backticks is a command. */
function withCode(text: string): unknown {
  const parts = text.split("`");
  return parts.length % 2 === 0 ? text : parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

function fact({ kind, text, ok, at, ref }: ViewFact, since: string, ui: Ui, send: Send): TemplateResult {
  const old = kind === "tests" ? age(at, ui.now) : "";
  const when = old && old !== since ? ` (${old})` : "";
  const says = kind === "branch" ? `on ${text}` : text;
  return html`<span><button class="fact ${ok === true ? "ok" : ok === false && kind === "tests" ? "bad" : ""}" title="Show where this stands" @click=${() => send({ kind: "openTurn", turn: -1, ref })}>${says}${when}</button></span>`;
}

function button(label: string, sign: IconName, act: () => void, title = label): TemplateResult {
  return html`<button class="button" title=${title} aria-label=${title} @click=${act}>${icon(sign)}${label}</button>`;
}

function news({ id, since, cursor }: SessionModel, ui: Ui, send: Send): Part {
  if (since === null || since.first || !since.items || since.items.length === 0) return nothing;
  // Files come last and say the least one by one: together they are a line.
  const told = since.items.filter(({ kind }) => kind !== "file");
  const touched = since.items.length - told.length;
  const lines = told.slice(-(touched ? NEWS - 1 : NEWS));
  const more = told.length - lines.length;
  const ago = age(since.fromTime, ui.now);
  return html`<section class="news-card" aria-label="Since you looked">
    <h2><span>Since you looked <small>${ago ? `${ago} ago, ` : ""}${plural(since.turns, "turn")}</small></span>
      <button class="link" title="I have seen this" @click=${() => send({ kind: "seen", id, cursor })}>Seen</button></h2>
    <ul>
      ${more > 0 ? html`<li class="dim">${plural(more, "earlier change")}</li>` : nothing}
      ${repeat(lines, (item) => item.id, (item) => change(item, send))}
      ${touched ? html`<li>${plural(touched, "file")} changed</li>` : nothing}
    </ul>
  </section>`;
}

function change(item: ChangeItem, send: Send): TemplateResult {
  const before = item.children?.at(-1);
  return html`<li class=${item.kind}>
    <span>${before ? html`<span class="before">${before.text}</span> → ` : nothing}<span class=${item.ok === true ? "ok" : item.ok === false ? "bad" : ""}>${item.text}</span></span>${cite(item, send)}
  </li>`;
}

/** The turn of a statement, which leads to its proof. */
function cite({ turn, toTurn, refs, text }: Pick<ViewItem, "turn" | "toTurn" | "refs" | "text">, send: Send, quote?: string): Part {
  const [ref] = refs;
  if (turn === 0 && ref === undefined) return nothing;
  const label = toTurn && toTurn !== turn ? `${turn}→${toTurn}` : `${turn}`;
  return html`<button class="cite" title=${`Turn ${label}: show the proof`} aria-label=${`Turn ${label}: proof of “${text.slice(0, 60)}”`} @click=${() => send(proof(turn, ref, quote))}>${label}</button>`;
}

function proof(turn: number, ref: LogRef | undefined, quote: string | undefined): Parameters<Send>[0] {
  return { kind: "openTurn", turn, ...(ref ? { ref } : {}), ...(quote ? { quote } : {}) };
}

// ---- sections

function itemsOf({ view }: SessionModel, name: ViewSectionName): readonly ViewItem[] {
  return view.sections.find((section) => section.name === name)?.items ?? [];
}

function block(id: string, title: string, aside: unknown, body: unknown): TemplateResult {
  return html`<section class="block ${id}" aria-labelledby=${`h-${id}`}><h2 id=${`h-${id}`}><span>${title}</span>${aside}</h2>${body}</section>`;
}

function fold(name: string, summary: string, ui: Ui, isOpen: boolean, body: TemplateResult): TemplateResult {
  return html`<details class="fold" ?open=${ui.open[name] ?? isOpen} @toggle=${(event: Event) => ui.toggle(name, (event.target as HTMLDetailsElement).open)}>
    <summary>${summary}</summary>${body}
  </details>`;
}

/** A list of which the beginning is shown, and the rest on demand. */
function listed<Item>(name: string, items: readonly Item[], key: (item: Item) => string, line: (item: Item) => TemplateResult, ui: Ui, few = FEW): TemplateResult {
  // One more is no reason to fold.
  const cut = items.length > few + 1 ? few : items.length;
  const rest = items.slice(cut);
  return html`<ul class="lines">${repeat(items.slice(0, cut), key, line)}</ul>
    ${rest.length === 0 ? nothing : fold(name, `${rest.length} more`, ui, false, html`<ul class="lines">${repeat(rest, key, line)}</ul>`)}`;
}

function line(item: ViewItem, sign: TemplateResult | string, ui: Ui, send: Send, kind = ""): TemplateResult {
  return html`<li class="line ${kind} ${ui.isNew(item.id) ? "glow" : ""}"><span class="sign" aria-hidden="true">${sign}</span><span class="text">${item.text}</span>${cite(item, send)}</li>`;
}

function asked(session: SessionModel, ui: Ui, send: Send): Part {
  const [first] = itemsOf(session, "request");
  if (first === undefined) return nothing;
  const [now] = itemsOf(session, "focus");
  const isElsewhere = now !== undefined && now.turn !== first.turn && now.text !== first.text;
  return block("asked", "Asked", nothing, html`<ul class="lines plain">
    <li class="line"><span class="text clamp">${first.text}</span>${cite(first, send)}</li>
    ${isElsewhere ? html`<li class="line ${ui.isNew(now.id) ? "glow" : ""}"><span class="text clamp"><span class="dim">Now: </span>${now.text}</span>${cite(now, send)}</li>` : nothing}
  </ul>`);
}

function decisions(session: SessionModel, ui: Ui, send: Send): Part {
  const byId = new Map(session.decisions.map((decision) => [decision.id, decision]));
  // What stands on proof first, the latest on top; whatever else was found is folded, and said to be less certain.
  const front = itemsOf(session, "decisions").flatMap(({ decisionId }) => byId.get(decisionId ?? "") ?? []).filter(holds);
  const named = new Set(front.map(({ id }) => id));
  const rest = session.decisions.filter((each) => holds(each) && !named.has(each.id));
  const over = session.decisions.filter((each) => each.status === "superseded" || each.status === "reverted");
  const gone = session.dismissed.filter(({ isFresh }) => isFresh);
  const none = session.dismissed.filter(({ isFresh }) => !isFresh);
  if (front.length + rest.length + over.length + session.dismissed.length === 0) return nothing;
  const lineOf = (each: Decision): TemplateResult => decision(each, ui, send, byId);
  const byTurn = (left: Decision, right: Decision): number => right.turn - left.turn;
  return block(
    "decisions",
    front.length > 0 ? "Decisions that hold" : "Decisions",
    nothing,
    html`<ul class="lines">${repeat([...front].sort(byTurn), ({ id }) => id, lineOf)}</ul>
      ${repeat(gone, ({ id }) => id, (each) => dismissal(each, send))}
      ${rest.length === 0 ? nothing : fold("decisions", `${rest.length} less certain`, ui, false, html`<ul class="lines">${repeat([...rest].sort(byTurn), ({ id }) => id, lineOf)}</ul>`)}
      ${over.length === 0 ? nothing : fold("replaced", `${over.length} replaced`, ui, false, html`<ul class="lines">${repeat([...over].sort(byTurn), ({ id }) => id, lineOf)}</ul>`)}
      ${none.length === 0 ? nothing : fold("dismissed", `${none.length} you said is none`, ui, false, html`${repeat(none, ({ id }) => id, (each) => dismissal(each, send))}`)}`,
  );
}

function dismissal({ id, text, before }: Dismissal, send: Send): TemplateResult {
  return html`<p class="undo" role="status"><span class="text">Not a decision: <s>${text}</s></span><button class="link" aria-label=${`Undo: ${text}`} @click=${() => send({ kind: "judge", id, verdict: before === "confirmed" ? "confirmed" : null })}>${icon("undo")}Undo</button></p>`;
}

function holds({ status }: Decision): boolean {
  return status === "active";
}

function decision(each: Decision, ui: Ui, send: Send, byId: ReadonlyMap<string, Decision>): TemplateResult {
  const isOver = !holds(each);
  const by = BY[each.madeBy] ?? each.madeBy;
  const later = byId.get(each.supersededBy ?? "");
  const details = [each.text, each.rationale ? `Why: ${each.rationale}` : "", each.alternatives.length ? `Instead of: ${each.alternatives.join("; ")}` : ""].filter(Boolean).join("\n");
  return html`<li class="line decision ${isOver ? "over" : ""} ${ui.isNew(each.id) ? "glow" : ""}">
    <span class="tag by-${each.madeBy}">${by}</span>
    <span class="text clamp" title=${details}>${each.headline || each.text}${each.verdict === "confirmed" ? html`<span class="ok" title="You confirmed this"> ✓<span class="unseen"> confirmed</span></span>` : nothing}</span>
    ${isOver
      ? nothing
      : html`<span class="acts">
          ${each.verdict === "confirmed"
            ? html`<button class="act" title="Take your word back" aria-label=${`Take back: ${each.headline || each.text}`} @click=${() => send({ kind: "judge", id: each.id, verdict: null })}>${icon("undo")}</button>`
            : html`<button class="act" title="Yes, this is a decision" aria-label=${`Confirm: ${each.headline || each.text}`} @click=${() => send({ kind: "judge", id: each.id, verdict: "confirmed" })}>${icon("check")}</button>`}
          <button class="act" title="Not a decision" aria-label=${`Not a decision: ${each.headline || each.text}`} @click=${() => send({ kind: "judge", id: each.id, verdict: "dismissed" })}>${icon("cross")}</button>
        </span>`}
    ${cite({ turn: each.turn, toTurn: later?.turn, refs: [each.ref], text: each.text }, send, each.quote)}
  </li>`;
}

/** What came of the session, in the order of its turns: what it says is done, else what the answers say. */
function results(session: SessionModel): readonly ViewItem[] {
  const own = itemsOf(session, "done");
  return own.length > 0 ? own : itemsOf(session, "timeline").flatMap(outcomes);
}

/** What came of a topic; that nothing came of it says nothing without the topic. */
function outcomes({ text, children }: ViewItem): readonly ViewItem[] {
  return (children ?? []).map((child) => (child.ok === false ? { ...child, text: `${text} → ${child.text}` } : child));
}

function done(session: SessionModel, ui: Ui, send: Send): Part {
  const told = lastWords(session)?.id;
  const latest = results(session).filter(({ id }) => id !== told).reverse();
  if (latest.length === 0) return nothing;
  const isProved = itemsOf(session, "done").length > 0;
  // A tick is for what is known to have succeeded, not for whatever an answer says.
  const kindOf = ({ ok }: ViewItem): string => (ok === false ? "bad" : ok === true || isProved ? "ok" : "");
  const sign = (item: ViewItem): TemplateResult | string => ({ bad: icon("cross"), ok: icon("check") })[kindOf(item)] ?? "•";
  return block("done", isProved ? "Done" : "What came of it", nothing, listed("done", latest, ({ id }) => id, (item) => line(item, sign(item), ui, send, kindOf(item)), ui));
}

const OPEN_SIGNS: Record<string, IconName> = { question: "question", todo: "box", failure: "cross", interrupted: "bang", request: "arrow" };

function open(session: SessionModel, ui: Ui, send: Send): Part {
  const items = [...itemsOf(session, "contradictions"), ...itemsOf(session, "open")];
  if (items.length === 0) return nothing;
  const kindOf = ({ status }: ViewItem): string => (status === "failure" ? "bad" : status === "question" || status === "interrupted" ? "warn" : "");
  return block("open", "Open", nothing, listed("open", items, ({ id }) => id, (item) => line(item, icon(OPEN_SIGNS[item.status ?? ""] ?? "bang"), ui, send, kindOf(item)), ui));
}

function files(model: Model, session: SessionModel, ui: Ui, send: Send): Part {
  if (session.files.length === 0) return nothing;
  const fileLine = (file: FileEntry): TemplateResult => oneFile(model, file, ui, send);
  return block("files", "Files", html`<small>${session.filesTotal} changed</small>`, listed("files", session.files, ({ path }) => path, fileLine, ui, 8));
}

function oneFile(model: Model, file: FileEntry, ui: Ui, send: Send): TemplateResult {
  const { name, folder } = fileName(file.renamedTo ?? file.path);
  const letter = LETTER[file.action] ?? "·";
  const canOpen = model.can.opensFiles && file.uri && file.action !== "deleted";
  const diff = (): void => send({ kind: "openDiff", uri: file.uri ?? file.path });
  const label = html`<span class="name">${name}</span> <span class="folder">${folder.split(/[/\\]/).slice(-2).join("/")}</span>`;
  return html`<li class="line file ${ui.isNew(`file:${file.path}:${file.touchCount}`) ? "glow" : ""}">
    <span class="letter ${letter}" title=${file.action}>${letter}</span>
    ${canOpen ? html`<button class="path" title=${file.path} @click=${() => send({ kind: "openFile", uri: file.uri ?? "" })}>${label}</button>` : html`<span class="path" title=${file.path}>${label}</span>`}
    <small class="counts">${file.added ? html`<span class="ok">+${file.added}</span>` : nothing}${file.removed ? html` <span class="bad">−${file.removed}</span>` : nothing}</small>
    <button class="link" title="What the agent changed" aria-label=${`What the agent changed in ${name}`} @click=${diff}>diff</button>
    ${cite({ turn: file.lastTurn, refs: [file.ref], text: name }, send)}
  </li>`;
}

function forgotten(session: SessionModel, ui: Ui, send: Send): Part {
  if (session.lost.length === 0) return nothing;
  const lines = session.lost.map((item, index) => ({ id: `lost-${index}`, text: item.text, turn: item.turn, refs: [item.ref] }));
  return block("lost", "Forgotten by the agent", html`<small>when it compacted</small>`, listed("lost", lines, ({ id }) => id, (item) => line(item, icon("bang"), ui, send, "warn"), ui, 3));
}

function reader({ reader: found }: SessionModel, send: Send): Part {
  if (found === null) return nothing;
  return html`<section class="reader" aria-label="Reader">
    ${found.canStart ? button(found.label, "eye", () => send({ kind: "startReading" })) : html`<p class="dim" role="status">${found.label}</p>`}
  </section>`;
}
