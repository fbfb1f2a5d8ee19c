/**
 * The picture of a session: time from left to right, long breaks pressed together.
 *
 *     ┌ topic ─────────┐ ┌ topic ──┐      blocks: what the turns were about
 *     │ ▂ ▆ ▃ ▂        │ │ ▇ ▂  ▅  │      bars: turns, as high as their work
 *     └──●──✗──────────┘ └───●─✓─┆─┘      below: decisions by who, tests, commits; dashed: the agent forgot
 */

import type { TimelineGetResult, TimelineMark, TimelineTurn } from "@recapd/client";
import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import type { Send } from "./model.js";
import { BY, plural } from "./words.js";

/** A turn is never narrower, in shares of the widest. */
const NARROWEST = 0.3;
/** A break this long is drawn as a notch, however long it was. */
const BREAK_MS = 20 * 60_000;
const NOTCH = 0.35;
/** Turns that took longer are as wide as this. */
const WIDEST_MS = 15 * 60_000;
/** So wide is a sign, in shares of the whole picture at the width of a side bar. */
const SIGN_WIDTH = 0.03;
const TESTS = new Set(["testsPassed", "testsFailed"]);

interface Placed {
  readonly turn: TimelineTurn;
  /** Shares of the whole width, 0 to 1. */
  readonly from: number;
  readonly to: number;
}

/** Where each turn stands. */
export function place(turns: readonly TimelineTurn[]): readonly Placed[] {
  const placed: { turn: TimelineTurn; from: number; to: number }[] = [];
  let x = 0;
  let until: number | null = null;
  for (const turn of turns) {
    const at = turn.at === null ? null : Date.parse(turn.at);
    if (placed.length > 0 && at !== null && until !== null && at - until > BREAK_MS) x += NOTCH;
    const tookMs = at !== null && turn.until ? Date.parse(turn.until) - at : 0;
    const width = NARROWEST + (1 - NARROWEST) * Math.sqrt(Math.min(Math.max(tookMs, 0), WIDEST_MS) / WIDEST_MS);
    placed.push({ turn, from: x, to: x + width });
    x += width;
    until = turn.until ? Date.parse(turn.until) : at;
  }
  return placed.map(({ turn, from, to }) => ({ turn, from: from / (x || 1), to: to / (x || 1) }));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}

function clock(at: string | null): string {
  return at === null ? "" : new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

function day(at: string | null): string {
  if (at === null) return "";
  const then = new Date(at);
  const year = then.getFullYear() === new Date().getFullYear() ? {} : ({ year: "numeric" } as const);
  return then.toLocaleDateString([], { day: "numeric", month: "short", ...year });
}

/** When a turn was, with the day where that does not go without saying. */
function when(at: string | null, needsDay: boolean): string {
  return needsDay ? `${day(at)} ${clock(at)}` : clock(at);
}

const MARKS: Record<string, { readonly sign: string; readonly says: string }> = {
  testsPassed: { sign: "✓", says: "tests passed" },
  testsFailed: { sign: "✗", says: "tests failed" },
  commit: { sign: "◆", says: "commit" },
  pullRequest: { sign: "⇡", says: "pull request" },
  error: { sign: "!", says: "the agent failed" },
  interrupted: { sign: "▪", says: "you stopped it" },
};

function describe({ turn, toTurn, text, calls, failed }: TimelineTurn): string {
  const which = toTurn && toTurn !== turn ? `Turns ${turn}–${toTurn}` : turn === 0 ? "Before the first turn" : `Turn ${turn}`;
  const work = calls === 0 ? "" : ` · ${plural(calls, "call")}${failed ? `, ${failed} failed` : ""}`;
  return `${which}: ${text}${work}`;
}

export function picture(timeline: TimelineGetResult, send: Send): TemplateResult | typeof nothing {
  const placed = place(timeline.turns);
  if (placed.length < 2) return nothing;
  const most = Math.max(...timeline.turns.map(work), 1);
  const first = timeline.turns[0]?.at ?? null;
  const last = timeline.turns.at(-1);
  const lastAt = last?.until ?? last?.at ?? null;
  const needsDay = day(first) !== day(lastAt) || day(lastAt) !== day(new Date().toISOString());
  return html`<section class="picture" aria-label="Picture of the session">
    <div class="hours" aria-hidden="true"><span>${when(first, needsDay)}</span><span>${when(lastAt, needsDay)}</span></div>
    <div class="canvas" @keydown=${walk}>
      ${repeat(
        timeline.topics,
        (topic) => topic.fromTurn,
        (topic) => {
          const of = span(placed, topic.fromTurn, topic.toTurn);
          return of === null
            ? nothing
            : html`<div class="topic" .style=${`left:${percent(of.from)};width:calc(${percent(of.to - of.from)} - 3px)`} title=${topic.title}>
                <span aria-hidden="true">${topic.title}</span>
              </div>`;
        },
      )}
      ${repeat(
        placed,
        ({ turn }) => turn.turn,
        ({ turn, from, to }, index) =>
          html`<button
            class="bar ${turn.failed ? "failed" : ""}"
            tabindex=${index === placed.length - 1 ? 0 : -1}
            .style=${`left:${percent(from)};width:calc(${percent(to - from)} - 3px);--work:${(work(turn) / most).toFixed(3)}`}
            title=${describe(turn)}
            aria-label=${describe(turn)}
            @click=${() => send({ kind: "openTurn", turn: turn.turn, ref: turn.ref })}
          ><i></i></button>`,
      )}
      ${legible(timeline.marks, placed).map((mark) => drawn(mark, placed))}
    </div>
    <div class="unseen"><table>
      <caption>The turns of this session</caption>
      <tr><th scope="col">Turn</th><th scope="col">When</th><th scope="col">What was asked</th><th scope="col">What came of it</th></tr>
      ${timeline.turns.map(
        (turn) => html`<tr><td>${turn.turn}</td><td>${when(turn.at, needsDay)}</td><td>${turn.text}</td><td>${marksOf(timeline, turn)}</td></tr>`,
      )}
    </table></div>
  </section>`;
}

function work({ calls, edits }: TimelineTurn): number {
  return Math.sqrt(1 + calls + 2 * edits);
}

function span(placed: readonly Placed[], fromTurn: number, toTurn: number): { readonly from: number; readonly to: number } | null {
  const inside = placed.filter(({ turn }) => turn.turn <= toTurn && (turn.toTurn ?? turn.turn) >= fromTurn);
  const [first] = inside;
  const last = inside.at(-1);
  return first === undefined || last === undefined ? null : { from: first.from, to: last.to };
}

/** Where in its turn a mark stands, by its time. */
function spot(mark: TimelineMark, placed: readonly Placed[]): number | null {
  const of = placed.find(({ turn }) => turn.turn <= mark.turn && mark.turn <= (turn.toTurn ?? turn.turn));
  if (of === undefined) return null;
  const { turn, from, to } = of;
  const began = turn.at === null ? NaN : Date.parse(turn.at);
  const share = mark.at === null || !turn.until ? 0.5 : (Date.parse(mark.at) - began) / (Date.parse(turn.until) - began || 1);
  return from + (to - from) * (Number.isFinite(share) ? Math.min(Math.max(share, 0.1), 0.9) : 0.5);
}

/** Of runs of tests that would stand on each other, the last. */
function legible(marks: readonly TimelineMark[], placed: readonly Placed[]): readonly TimelineMark[] {
  let last = Infinity;
  return marks
    .toReversed()
    .filter((mark) => {
      const at = TESTS.has(mark.kind) ? spot(mark, placed) : null;
      if (at === null) return true;
      if (last - at < SIGN_WIDTH) return false;
      last = at;
      return true;
    })
    .reverse();
}

function drawn(mark: TimelineMark, placed: readonly Placed[]): TemplateResult | typeof nothing {
  const at = spot(mark, placed);
  if (at === null || mark.kind === "gap") return nothing;
  const left = `left:${percent(at)}`;
  if (mark.kind === "compaction") return html`<div class="line compaction" .style=${left} title="The agent compacted its memory here" aria-hidden="true"></div>`;
  if (mark.kind === "acknowledged") return html`<div class="line looked" .style=${left} title="You last looked here" aria-hidden="true"></div>`;
  if (mark.kind === "decision") {
    return html`<i class="dot by-${mark.by ?? "agent"}" .style=${left} title=${`${BY[mark.by ?? ""] ?? "decided"}: ${mark.text}`} aria-hidden="true"></i>`;
  }
  const known = MARKS[mark.kind];
  if (known === undefined) return nothing;
  return html`<span class="mark ${mark.kind}" .style=${left} title=${`${known.says}: ${mark.text}`} aria-hidden="true">${known.sign}</span>`;
}

function marksOf({ marks }: TimelineGetResult, { turn, toTurn }: TimelineTurn): string {
  return marks
    .filter((mark) => mark.turn >= turn && mark.turn <= (toTurn ?? turn) && mark.kind !== "gap")
    .map((mark) => (mark.kind === "decision" ? `decided: ${mark.text}` : (MARKS[mark.kind]?.says ?? mark.kind)))
    .join("; ");
}

/** Arrows walk along the turns; one of them at a time is on the way of Tab. */
function walk(event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const here = event.target as HTMLElement;
  if (step === undefined || !here.classList.contains("bar")) return;
  const bars = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(".bar")];
  const next = bars[bars.indexOf(here) + step];
  if (next === undefined) return;
  event.preventDefault();
  here.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
