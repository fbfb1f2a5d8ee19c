/**
 * Keeps the model: asks recapd when something changed, one thing after the other, and carries out what people do.
 * Knows no editor: what only one of the two hosts can do is asked of its `Platform`.
 */

import type { Connection, Decision, LogRef, ReadingProgress, RecapGetResult, SearchHit, SessionChange, Unchanged } from "@recapd/client";

import { pageOf, readDemo, type Demo } from "./demo.js";
import { NOTHING, type Abilities, type Dismissal, type Intent, type Model, type ReaderModel, type SessionModel } from "./panel/model.js";

/** The reader by whose marks "since you looked" goes: one for all windows of a person. */
export const CONSUMER = "panel";
const SETTLE = { quietMs: 60, maxMs: 300 };
const ROWS = 60;
const BUCKETS = 60;
const DECISIONS = 300;
const FILES = 300;
/** Typing goes on for so long between two letters. */
const TYPING_MS = 150;
/** Where recapd does not say when to ask again. */
const AGAIN_MS = 500;

export interface Shown {
  readonly session: string;
  readonly turn: number;
  readonly ref?: LogRef;
  readonly quote?: string;
}

export interface Platform {
  readonly place: Model["place"];
  readonly can: Abilities;
  showTurn(what: Shown): void;
  showChanges(session: string, uri: string): void;
  openFile(uri: string): void;
  copy(text: string, what: string): void;
  say(sentence: string): void;
  resume(command: string, folder: string | null): void;
  /** The recording that ships with the panel. */
  readDemo(): Promise<string>;
  showPage(title: string, markdown: string, quote: string | undefined): void;
  /** What only this host knows to do. */
  other(intent: Intent): void;
}

/** How long the steps to the first recap on show took, for whoever measures. */
export interface FirstTimes {
  /** Until the way to recapd was open: its process started, or its socket. */
  readonly openMs: number;
  /** From there until it had said who it is; where no daemon ran, it was started within this. */
  readonly greetMs: number;
  /** From there until all of a session was answered. */
  readonly answerMs: number;
  /** From there, or from when there was a page, until it was drawn. */
  readonly drawMs: number;
}

export class Controller {
  #model: Model;
  #stopWatching: () => void = () => undefined;
  #isBusy = false;
  #isDirty = false;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #dismissed: readonly Dismissal[] = [];
  /** The session that is looked at, also while a daemon that was just started does not know it yet. */
  #wanted: string | null = null;
  /** Whether the session has to be asked for anew. Said before it is asked, so that a change meanwhile counts. */
  #isStale = true;
  #greetedAt = 0;
  #answeredAt = 0;
  #pageAt = 0;
  #onFirst: ((times: FirstTimes) => void) | undefined;
  readonly #listeners = new Set<(model: Model, changes: readonly SessionChange[]) => void>();
  #changes: SessionChange[] = [];
  #demo: Demo | null = null;

  constructor(
    private readonly recapd: Connection,
    private readonly platform: Platform,
    folders: readonly string[],
  ) {
    this.#model = { ...NOTHING, place: platform.place, can: platform.can, scope: { folders } };
    recapd.onState((state) => {
      if (state.kind === "closed") return;
      this.#change({ connection: { kind: state.kind, message: "message" in state ? state.message : "" } });
      if (state.kind === "ready") void this.#begin();
    });
    recapd.on("recapd/didChangeStatus", ({ quiescent }) => this.#change({ indexing: !quiescent }));
    if (recapd.state.kind === "ready") void this.#begin();
    this.#watch();
  }

  get model(): Model {
    return this.#model;
  }

  /** What is to be drawn: the model, or the demo in its place. */
  get shown(): Model {
    return this.#demo?.model ?? this.#model;
  }

  onModel(listener: (model: Model, changes: readonly SessionChange[]) => void): void {
    this.#listeners.add(listener);
  }

  /** Be told once how long the first recap took. */
  onFirst(listener: (times: FirstTimes) => void): void {
    this.#onFirst = listener;
  }

  #noteFirst(): void {
    const { times } = this.recapd;
    if (times === undefined || this.#answeredAt === 0) return;
    const drawMs = Date.now() - Math.max(this.#answeredAt, this.#pageAt);
    this.#onFirst?.({ ...times, answerMs: this.#answeredAt - this.#greetedAt, drawMs });
    this.#onFirst = undefined;
  }

  /** The workspace has other folders now. */
  setFolders(folders: readonly string[]): void {
    this.#change({ scope: { folders } });
    this.#watch();
    this.refresh();
  }

  get selectedRow(): Model["rows"][number] | undefined {
    return this.#model.rows.find(({ id }) => id === this.#model.selected);
  }

  handle(intent: Intent): void {
    this.#carryOut(intent).catch((error: unknown) => this.platform.say(error instanceof Error ? error.message : String(error)));
  }

  async #carryOut(intent: Intent): Promise<void> {
    if (this.#demo !== null && this.#playAlong(this.#demo, intent)) return;
    const { selected } = this.#model;
    switch (intent.kind) {
      case "ready":
        this.#pageAt ||= Date.now();
        this.#tell();
        return;
      case "drawn":
        this.#noteFirst();
        return;
      case "select":
        this.select(intent.id);
        return;
      case "seen":
        await this.#acknowledge(intent.id, intent.cursor);
        return;
      case "openTurn":
        if (selected !== null) this.platform.showTurn({ ...intent, session: selected });
        return;
      case "openHit":
        this.#openHit(intent.hit);
        return;
      case "openDiff":
        if (selected !== null) this.platform.showChanges(selected, intent.uri);
        return;
      case "openFile":
        this.platform.openFile(intent.uri);
        return;
      case "judge":
        await this.#judge(intent.id, intent.verdict);
        return;
      case "search":
        this.#search(intent.query);
        return;
      case "copyResume":
        if (this.selectedRow?.resumeCommand) this.platform.copy(this.selectedRow.resumeCommand, "The command");
        return;
      case "resume":
        if (this.selectedRow?.resumeCommand) this.platform.resume(this.selectedRow.resumeCommand, this.selectedRow.workspace ?? null);
        return;
      case "startReading":
        if (selected === null) return;
        await this.recapd.request("reading/start", { session: { id: selected } });
        this.#isStale = true;
        this.refresh();
        return;
      case "retry":
        this.recapd.retry();
        return;
      case "showAll":
        this.setFolders([]);
        return;
      case "demo":
        await this.#startDemo();
        return;
      default:
        this.platform.other(intent);
    }
  }

  async #startDemo(): Promise<void> {
    const { place, can } = this.platform;
    const demo = readDemo(await this.platform.readDemo(), Date.now());
    const session = demo.sessions[demo.model.selected ?? ""] ?? null;
    this.#demo = { ...demo, model: { ...demo.model, place, can, demo: true, session } };
    this.#tell();
  }

  /** Whether the demo takes care of that itself. */
  #playAlong(demo: Demo, intent: Intent): boolean {
    const { model } = demo;
    switch (intent.kind) {
      case "ready":
      case "drawn":
      case "retry":
        return false;
      case "endDemo":
        this.#demo = null;
        break;
      case "select":
        this.#demo = { ...demo, model: { ...model, selected: intent.id, session: demo.sessions[intent.id] ?? null } };
        break;
      case "seen":
        if (model.session?.id === intent.id) this.#demo = { ...demo, model: { ...model, session: { ...model.session, since: null } } };
        break;
      case "openTurn": {
        const page = pageOf(demo, model.selected ?? "", intent.turn);
        if (page !== undefined) this.platform.showPage(`Turn ${intent.turn}`, page, intent.quote);
        return true;
      }
      default:
        this.platform.say("This is a demo; with sessions of your own, this would do something.");
        return true;
    }
    this.#tell();
    return true;
  }

  select(id: string): void {
    if (id === this.#model.selected && this.#model.session !== null) return;
    this.#wanted = id;
    this.#dismissed = [];
    this.#isStale = true;
    this.#change({ selected: id, session: null, trouble: null, search: null });
    this.refresh();
  }

  /** Ask again as soon as the question under way is answered; however often this is called, once. */
  refresh(): void {
    this.#isDirty = true;
    if (!this.#isBusy) void this.#work();
  }

  async #begin(): Promise<void> {
    this.#greetedAt ||= Date.now();
    this.#isStale = true;
    this.refresh();
    try {
      const { quiescent } = await this.recapd.request("recapd/status", { limit: 1 });
      this.#change({ indexing: !quiescent });
    } catch {
      // It is gone again, which its state says.
    }
  }

  #watch(): void {
    this.#stopWatching();
    const { folders } = this.#model.scope;
    const selector = folders.length > 0 ? { workspace: [...folders] } : { all: true };
    this.#stopWatching = this.recapd.watch(selector, ({ fresh, changes }) => {
      if (fresh || changes.some(({ sessionId }) => sessionId === this.#model.selected)) this.#isStale = true;
      this.#changes.push(...(fresh ? [] : changes));
      this.refresh();
    }, { settle: SETTLE });
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    try {
      while (this.#isDirty) {
        this.#isDirty = false;
        if (this.recapd.state.kind === "ready") await this.#look();
      }
    } catch {
      // It went in between, which its state says; whatever else was refused is asked again with the next change.
    } finally {
      this.#isBusy = false;
    }
  }

  async #look(): Promise<void> {
    const { folders } = this.#model.scope;
    const { sessions, needsYou, total } = await this.recapd.request("session/overview", {
      ...(folders.length > 0 ? { workspace: [...folders] } : {}),
      consumer: CONSUMER,
      limit: ROWS,
    });
    const isThere = (wanted: string | null) => sessions.some(({ id }) => id === wanted);
    const selected = [this.#wanted, this.#model.selected].find(isThere) ?? sessions[0]?.id ?? null;
    this.#wanted ??= selected;
    if (selected !== this.#model.selected) {
      this.#isStale = true;
      this.#dismissed = [];
      this.#model = { ...this.#model, session: null, trouble: null };
    }
    this.#model = { ...this.#model, rows: sessions, needsYou: needsYou ?? 0, total, selected };
    if (selected !== null && this.#isStale) {
      this.#isStale = false;
      await this.#load(selected);
    }
    this.#tell();
  }

  async #load(id: string): Promise<void> {
    try {
      const session = await readSession(this.recapd, id, this.#dismissed);
      if (this.#model.selected === id) this.#model = { ...this.#model, session, trouble: null };
      this.#answeredAt ||= Date.now();
    } catch (error) {
      const { code, data, message } = error as { code?: number; data?: { retryAfterMs?: number }; message: string };
      this.#isStale = true;
      if (code === 1005) {
        setTimeout(() => this.refresh(), data?.retryAfterMs ?? AGAIN_MS);
        return;
      }
      if (code === undefined) throw error;
      this.#model = { ...this.#model, session: null, trouble: message };
    }
  }

  async #acknowledge(id: string, cursor: string): Promise<void> {
    await this.recapd.request("recap/acknowledge", { session: { id }, consumer: CONSUMER, cursor });
    if (this.#model.session?.id !== id) return;
    this.#change({
      session: { ...this.#model.session, since: null },
      rows: this.#model.rows.map((row) => (row.id === id ? { ...row, unseen: 0 } : row)),
    });
  }

  async #judge(id: string, verdict: "confirmed" | "dismissed" | null): Promise<void> {
    const { session } = this.#model;
    if (session === null) return;
    const before = session.decisions.find((decision) => decision.id === id);
    await this.recapd.request("decisions/judge", { session: { id: session.id }, id, verdict });
    const others = this.#dismissed.filter((each) => each.id !== id);
    this.#dismissed =
      verdict === "dismissed" && before ? [...others, { id, text: before.headline || before.text, before: before.verdict ?? null, isFresh: true }] : others;
    this.#isStale = true;
    this.refresh();
  }

  #search(query: string): void {
    clearTimeout(this.#typing);
    if (query.trim() === "") {
      this.#change({ search: null });
      return;
    }
    this.#change({ search: { query, hits: this.#model.search?.hits ?? null } });
    this.#typing = setTimeout(() => {
      this.find(query).then(
        (hits) => this.#model.search?.query === query && this.#change({ search: { query, hits } }),
        () => undefined,
      );
    }, TYPING_MS);
  }

  async find(query: string, signal?: AbortSignal): Promise<readonly SearchHit[]> {
    const { folders } = this.#model.scope;
    const { hits } = await this.recapd.request("search", { query, limit: 40, ...(folders.length > 0 ? { workspace: [...folders] } : {}) }, { signal });
    return hits;
  }

  #openHit({ sessionId, turn, ref, text }: SearchHit): void {
    this.platform.showTurn({ session: sessionId, turn, ref, quote: text });
  }

  #change(part: Partial<Model>): void {
    this.#model = { ...this.#model, ...part };
    this.#tell();
  }

  #tell(): void {
    const changes = this.#changes;
    this.#changes = [];
    this.#listeners.forEach((listener) => listener(this.#model, changes));
  }
}

const CHANGED = new Set(["created", "modified", "written", "deleted", "renamed"]);

function whole<Answer>(answer: Answer | Unchanged): Answer {
  // Without `knownRevision` there is no other answer.
  return answer as Answer;
}

async function readSession(recapd: Connection, id: string, dismissed: readonly Dismissal[]): Promise<SessionModel> {
  const session = { id };
  const [recap, timeline, decisions, files, listed, reader] = await Promise.all([
    recapd.request("recap/get", { session, format: "full", consumer: CONSUMER }).then(whole<RecapGetResult>),
    recapd.request("timeline/get", { session, buckets: BUCKETS }).then(whole),
    recapd.request("decisions/list", { session, limit: DECISIONS, includeDismissed: true }).then(whole),
    recapd.request("files/list", { session, limit: FILES }).then(whole),
    recapd.request("session/list", { idPrefix: id, limit: 1 }),
    readerOf(recapd, id),
  ]);
  const found = "decisions" in decisions ? decisions.decisions : [];
  const isDismissed = ({ status }: Decision): boolean => status === "dismissed";
  const changed = "files" in files ? files.files.filter(({ action, touchCount }) => CHANGED.has(action) && touchCount > 0) : [];
  return {
    id,
    turn: recap.turn,
    cursor: recap.cursor,
    state: recap.recap.state,
    view: recap.view ?? { headline: { text: "", refs: [] }, facts: [], sections: [] },
    since: recap.recap.sinceLastRecap ?? null,
    decisions: found.filter((each) => !isDismissed(each)),
    files: changed,
    filesTotal: changed.length,
    timeline: "turns" in timeline ? timeline : null,
    lost: recap.lostInCompaction ?? [],
    unjudgedTurns: recap.unjudgedTurns ?? 0,
    logGone: listed.sessions.some((each) => each.id === id && each.logGone === true),
    reader,
    dismissed: found.filter(isDismissed).map((each) => dismissed.find((fresh) => fresh.id === each.id) ?? { id: each.id, text: each.headline || each.text, before: null, isFresh: false }),
  };
}

/** What a model has read of the session, or would cost to read it; null where none may read. */
async function readerOf(recapd: Connection, id: string): Promise<ReaderModel | null> {
  if (!recapd.about?.methods.includes("reading/start")) return null;
  try {
    return toldReader(await recapd.request("reading/start", { session: { id }, dryRun: true }));
  } catch {
    // It may not be asked from here, or not of this session: then there is no button for it.
    return null;
  }
}

export function toldReader({ state, by, model, pieces, piecesDone, tokens, usd, throughTurn, pending, message }: ReadingProgress): ReaderModel | null {
  const who = model ?? by;
  const cost = [tokens ? `about ${tokens.toLocaleString("en")} tokens` : "", usd ? `$${usd.toFixed(2)}` : ""].filter(Boolean).join(", ");
  const label = `Have ${who} read ${throughTurn ? "the rest" : "it"}${cost ? ` (${cost})` : ""}`;
  switch (state) {
    case "off":
      return null;
    case "waiting":
    case "reading":
      return { label: `${who} is reading${pieces ? `: ${piecesDone ?? 0} of ${pieces}` : "…"}`, canStart: false, busy: true };
    case "done":
      if (!pending) return { label: `Read by ${who}${throughTurn ? ` up to turn ${throughTurn}` : ""}`, canStart: false, busy: false };
      return { label, canStart: true, busy: false };
    default:
      return { label: state === "failed" && message ? `${message} Try again` : label, canStart: true, busy: false };
  }
}
