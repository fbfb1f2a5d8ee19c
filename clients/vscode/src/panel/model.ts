/** What the panel shows, as data: the host keeps it, the page is a function of it, and what a person does comes back as
 * an intent. Nothing here knows VS Code or a browser. */

import type {
  Decision,
  FileEntry,
  LogRef,
  LostItem,
  OverviewRow,
  RecapView,
  SearchHit,
  SessionState,
  SinceLastRecap,
  TimelineGetResult,
  Verdict,
} from "@recapd/client";

/** What this host can do with what is clicked; a button of what it cannot do is not shown. */
export interface Abilities {
  readonly opensFiles: boolean;
  readonly hasTerminal: boolean;
  readonly installs: boolean;
  readonly opensPanel: boolean;
}

export interface Model {
  readonly place: "vscode" | "browser";
  /** Whether all of this is made up. */
  readonly demo: boolean;
  readonly can: Abilities;
  readonly connection: { readonly kind: "connecting" | "ready" | "gone" | "missing"; readonly message: string };
  /** Logs are still being read for the first time. */
  readonly indexing: boolean;
  /** Whether sessions of some folders are shown, or those of the whole machine. */
  readonly scope: { readonly folders: readonly string[] };
  readonly rows: readonly OverviewRow[];
  readonly total: number;
  readonly needsYou: number;
  readonly selected: string | null;
  readonly session: SessionModel | null;
  /** Why the selected session cannot be shown, in a sentence. */
  readonly trouble: string | null;
  readonly search: { readonly query: string; readonly hits: readonly SearchHit[] | null } | null;
}

export interface SessionModel {
  readonly id: string;
  readonly turn: number;
  readonly cursor: string;
  readonly state: SessionState;
  readonly view: RecapView;
  readonly since: SinceLastRecap | null;
  readonly decisions: readonly Decision[];
  readonly files: readonly FileEntry[];
  readonly filesTotal: number;
  readonly timeline: TimelineGetResult | null;
  readonly lost: readonly LostItem[];
  readonly unjudgedTurns: number;
  readonly logGone: boolean;
  readonly reader: ReaderModel | null;
  /** What was said to be no decision, so that it can be taken back: what was said while this was on show, where it stood. */
  readonly dismissed: readonly Dismissal[];
}

export interface Dismissal {
  readonly id: string;
  readonly text: string;
  readonly before: Verdict | null;
  /** Whether it was said just now. */
  readonly isFresh: boolean;
}

/** A model that reads the session: what it would cost, or how far it has read. */
export interface ReaderModel {
  readonly label: string;
  readonly canStart: boolean;
  readonly busy: boolean;
}

export type Intent =
  | { readonly kind: "ready" | "drawn" }
  | { readonly kind: "select"; readonly id: string }
  | { readonly kind: "seen"; readonly id: string; readonly cursor: string }
  | { readonly kind: "openTurn"; readonly turn: number; readonly ref?: LogRef; readonly quote?: string }
  | { readonly kind: "openHit"; readonly hit: SearchHit }
  | { readonly kind: "openFile"; readonly uri: string }
  | { readonly kind: "openDiff"; readonly uri: string }
  | { readonly kind: "judge"; readonly id: string; readonly verdict: "confirmed" | "dismissed" | null }
  | { readonly kind: "search"; readonly query: string }
  | { readonly kind: "resume" | "copyResume" | "copyContext" | "startReading" | "openPanel" }
  | { readonly kind: "retry" | "choosePath" | "demo" | "endDemo" | "showAll" }
  | { readonly kind: "install"; readonly by: "uv" | "pipx" | "pip" };

export type Send = (intent: Intent) => void;

export const NOTHING: Model = {
  place: "vscode",
  demo: false,
  can: { opensFiles: false, hasTerminal: false, installs: false, opensPanel: false },
  connection: { kind: "connecting", message: "" },
  indexing: false,
  scope: { folders: [] },
  rows: [],
  total: 0,
  needsYou: 0,
  selected: null,
  session: null,
  trouble: null,
  search: null,
};
