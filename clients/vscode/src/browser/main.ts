/** The panel without an editor: `recapd panel` serves this page, and the daemon answers by a web socket.
 *  The token is in the address behind `#`, which no browser sends anywhere. */

import { Recapd } from "@recapd/client/browser";

import { Controller, type Platform } from "../controller.js";
import { makePage, type Kept } from "../panel/page.js";
import { Dialog } from "./dialog.js";
import { provenSocket } from "./proof.js";

const KEPT = "recapd.panel";
const TOAST_MS = 2_500;
const CONTEXT_TOKENS = 4_000;

const fragment = new URLSearchParams(location.hash.slice(1));
const folders = fragment.getAll("folder");
const recapd = new Recapd(provenSocket(location.host, fragment.get("token") ?? ""));
const dialog = new Dialog(recapd);

const platform: Platform = {
  place: "browser",
  can: { opensFiles: false, hasTerminal: false, installs: false, opensPanel: false },
  showTurn: (what) => void dialog.showTurn(what).catch(say),
  showChanges: (session, uri) => void dialog.showChanges(session, uri).catch(say),
  openFile: () => undefined,
  copy: (text, what) => void navigator.clipboard.writeText(text).then(() => say(`${what} is in the clipboard.`), say),
  say,
  resume: () => undefined,
  readDemo: async () => (await fetch("demo.json")).text(),
  showPage: (title, markdown, quote) => dialog.showPage(title, markdown, quote),
  other: (intent) => {
    if (intent.kind === "copyContext") void copyContext().catch(say);
  },
};

const controller = new Controller(recapd, platform, folders);
const page = makePage(document.getElementById("panel") as HTMLElement, (intent) => controller.handle(intent), kept(), (now) => sessionStorage.setItem(KEPT, JSON.stringify(now)));
controller.onModel((model) => {
  document.title = model.needsYou > 0 ? `(${model.needsYou}) Recap` : "Recap";
  page.show(controller.shown);
});
controller.onFirst((detail) => performance.mark("recapd-first", { detail }));
page.show(controller.shown);

function kept(): Kept {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "") as Kept;
  } catch {
    return { open: {}, scroll: 0 };
  }
}

async function copyContext(): Promise<void> {
  const row = controller.selectedRow;
  if (row === undefined) return;
  const answer = await recapd.request("context/assemble", { session: { id: row.id }, maxTokens: CONTEXT_TOKENS });
  if ("tokens" in answer) platform.copy(answer.text ?? "", `The context (${answer.tokens} tokens)`);
}

function say(problem: unknown): void {
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.setAttribute("role", "status");
  toast.textContent = problem instanceof Error ? problem.message : String(problem);
  document.body.append(toast);
  setTimeout(() => toast.remove(), TOAST_MS);
}
