/** The page's own life: draws the model when it changes, keeps what is open and where it was scrolled, and says when
 * what is new has been read. Both hosts use it. */

import { render as draw } from "lit-html";

import type { Model, Send } from "./model.js";
import { NOTHING } from "./model.js";
import { render, type Ui } from "./render.js";

/** What is on show for so long has been read. */
const READ_MS = 5_000;
/** How often ages are told anew. */
const TICK_MS = 10_000;

export interface Kept {
  readonly open: Readonly<Record<string, boolean>>;
  readonly scroll: number;
}

export interface Page {
  show(model: Model): void;
}

export function makePage(root: HTMLElement, send: Send, kept: Kept, keep: (kept: Kept) => void): Page {
  let model = NOTHING;
  let { open } = kept;
  let known: ReadonlySet<string> | null = null;
  let knownOf: string | null = null;
  let isFirst = true;
  let reading: ReturnType<typeof setTimeout> | undefined;
  let readingOf = "";

  const ui = (): Ui => {
    const before = knownOf === model.selected ? known : null;
    return {
      now: Date.now(),
      open,
      toggle: (name, isOpen) => {
        if ((open[name] ?? false) === isOpen) return;
        open = { ...open, [name]: isOpen };
        keep({ open, scroll: scrollY });
      },
      isNew: (id) => before !== null && !before.has(id),
    };
  };

  const redraw = (): void => {
    draw(render(model, ui(), send), root);
  };

  /** Five seconds in sight, and what is new is old. */
  const watchReading = (): void => {
    const session = model.session;
    const what = session === null || document.hidden ? "" : `${session.id} ${session.cursor}`;
    if (what === readingOf) return;
    clearTimeout(reading);
    readingOf = what;
    if (session === null || what === "") return;
    reading = setTimeout(() => send({ kind: "seen", id: session.id, cursor: session.cursor }), READ_MS);
  };

  addEventListener("scroll", () => keep({ open, scroll: scrollY }), { passive: true });
  document.addEventListener("visibilitychange", watchReading);
  setInterval(redraw, TICK_MS);

  return {
    show(next) {
      model = next;
      redraw();
      known = idsOf(next);
      knownOf = next.session === null ? null : next.selected;
      if (isFirst && next.session !== null) {
        isFirst = false;
        scrollTo(0, kept.scroll);
        requestAnimationFrame(() => send({ kind: "drawn" }));
      }
      watchReading();
    },
  };
}

/** Everything of a session that may glow when it is new. */
function idsOf({ session }: Model): ReadonlySet<string> {
  if (session === null) return new Set();
  return new Set([
    ...session.view.sections.flatMap(({ items }) => items.flatMap((item) => [item.id, ...(item.children ?? []).map(({ id }) => id)])),
    ...session.decisions.map(({ id }) => id),
    ...session.files.map(({ path, touchCount }) => `file:${path}:${touchCount}`),
  ]);
}
