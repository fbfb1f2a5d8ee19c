/** How things are said: ages, states, who decided. Pure functions of values and the time. */

import type { OverviewRow, SessionState } from "@recapd/client";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The age of something, short; empty where its time is not known. */
export function age(at: string | null | undefined, now: number): string {
  if (!at) return "";
  const ms = Math.max(0, now - Date.parse(at));
  if (Number.isNaN(ms)) return "";
  if (ms < 10_000) return "now";
  if (ms < MINUTE) return `${Math.floor(ms / 1000)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

export type Tone = "needs" | "works" | "broke" | "rest";

type Standing = Pick<SessionState, "needs" | "running" | "question"> & { readonly state: string };

/** How a session stands at a glance: the colour of its dot and of its card. */
export function tone({ state, needs }: Standing): Tone {
  if (state === "waiting" && needs && needs !== "nothing") return "needs";
  if (state === "active") return "works";
  if (state === "interrupted") return "broke";
  return "rest";
}

/** The same in a word or two. */
export function standing(session: Standing): string {
  switch (tone(session)) {
    case "needs":
      return session.needs === "permission" ? "Needs your permission" : session.needs === "plan" ? "Has a plan for you" : "Needs you";
    case "works":
      return "Working";
    case "broke":
      return "Broke off";
    case "rest":
      if (session.state === "waiting") return "Your turn";
      if (session.state === "finished") return "Done";
      return session.question ? "Left open" : "Answered";
  }
}

/** Agents by the names people know them by. */
const AGENTS: Record<string, string> = { "claude-code": "claude", "gemini-cli": "gemini", "copilot-cli": "copilot" };

export function agentName(agent: string): string {
  return AGENTS[agent] ?? agent;
}

/** Whether a row may be folded away: nothing goes on there, and has not for a day. */
export function isOld(row: OverviewRow, now: number): boolean {
  return (tone(row) === "rest" || tone(row) === "broke") && row.lastActiveAt !== null && now - Date.parse(row.lastActiveAt) > DAY;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export const BY: Record<string, string> = { user: "you", agent: "agent", collaborative: "both" };

/** A file's letter, as version control shows it. */
export const LETTER: Record<string, string> = { created: "A", modified: "M", written: "M", deleted: "D", renamed: "R" };

export function fileName(path: string): { readonly name: string; readonly folder: string } {
  const cut = path.replace(/[/\\]+$/, "").search(/[^/\\]*$/);
  return { name: path.slice(cut), folder: path.slice(0, Math.max(0, cut - 1)) };
}
