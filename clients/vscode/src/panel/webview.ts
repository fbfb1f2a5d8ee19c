/** The page inside VS Code: the model comes by message, intents go by message. */

import type { Intent, Model } from "./model.js";
import { makePage, type Kept } from "./page.js";

declare function acquireVsCodeApi(): {
  postMessage(intent: Intent): void;
  getState(): Kept | undefined;
  setState(kept: Kept): void;
};

const vscode = acquireVsCodeApi();
const page = makePage(
  document.getElementById("panel") as HTMLElement,
  (intent) => vscode.postMessage(intent),
  vscode.getState() ?? { open: {}, scroll: 0 },
  (kept) => vscode.setState(kept),
);
addEventListener("message", ({ data }: MessageEvent<Model>) => page.show(data));
vscode.postMessage({ kind: "ready" });
