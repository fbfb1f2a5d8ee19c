/** A made-up afternoon, recorded from the real panel: what there is to see for whoever has no session yet, or no recapd.
 *  Nothing of it is asked of recapd, and nothing that is done in it is kept. */

import type { Model, SessionModel } from "./panel/model.js";

/** As `tests/editors` records it. */
export interface Demo {
  readonly recordedAt: string;
  /** Without the session that is selected, which is one of those below. */
  readonly model: Model;
  readonly sessions: Readonly<Record<string, SessionModel>>;
  /** Pages of turns as Markdown, by session and turn. */
  readonly pages: Readonly<Record<string, string>>;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** The recording as if it had ended just now. */
export function readDemo(text: string, now: number): Demo {
  const lateMs = now - Date.parse((JSON.parse(text) as Demo).recordedAt);
  const shifted = (_: string, value: unknown): unknown =>
    typeof value === "string" && TIME.test(value) ? new Date(Date.parse(value) + lateMs).toISOString() : value;
  return JSON.parse(text, shifted) as Demo;
}

export function pageOf({ pages }: Demo, session: string, turn: number): string | undefined {
  return pages[`${session} ${turn}`];
}
