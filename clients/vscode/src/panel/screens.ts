/** What stands in place of the panel when there is nothing to show: what happened, and one button for what to do. */

import { html, nothing, type TemplateResult } from "lit-html";

import { icon } from "./icons.js";
import type { Intent, Model, Send } from "./model.js";

const DEMO = ["See it on made-up sessions", { kind: "demo" }] as const;

export function problem(model: Model, send: Send): TemplateResult | null {
  if (model.demo) return null;
  const hasSomething = model.rows.length > 0;
  const { kind } = model.connection;
  if (kind === "missing") return missing(model, send);
  if (kind === "gone" && !hasSomething) {
    return screen("recapd is not answering", awayBecause(model), [["Try now", { kind: "retry" }]], send);
  }
  if (kind === "connecting" && !hasSomething) return waiting("Starting recapd…");
  if (hasSomething || model.search !== null) return null;
  if (model.indexing) return waiting("Reading your agents’ logs for the first time…");
  const here = model.scope.folders.length > 0;
  return screen(
    here ? "No session here yet" : "No session yet",
    `Start Claude Code, Codex, pi, Gemini CLI, Copilot CLI, opencode or aider ${here ? "in this folder" : ""}: it shows up here by itself. Nothing leaves this machine.`,
    [...(here ? [["Show sessions of all folders", { kind: "showAll" }] as const] : []), DEMO],
    send,
  );
}

/** Why recapd does not answer, and what becomes of that. */
export function awayBecause({ connection, place }: Model): string {
  if (connection.message !== "") return connection.message;
  // A page can start nothing; what it waits for comes back to the same address.
  return place === "browser" ? "“recapd panel” in a terminal starts it again; this page comes back by itself." : "It is being tried again.";
}

function missing(model: Model, send: Send): TemplateResult {
  const [title, text] = ["recapd is not installed", "This panel shows what recapd reads from your agents’ logs, on this machine alone. Install it with one of these:"];
  if (!model.can.installs) return screen(title, model.connection.message, [["Try again", { kind: "retry" }]], send);
  return html`${screen(title, text, [
      ["Install with uv", { kind: "install", by: "uv" }],
      ["Install with pipx", { kind: "install", by: "pipx" }],
      ["Install with pip", { kind: "install", by: "pip" }],
      DEMO,
    ], send)}
    <p class="dim">It is there already? <button class="link" @click=${() => send({ kind: "choosePath" })}>Choose where it is</button> · <button class="link" @click=${() => send({ kind: "retry" })}>Look again</button></p>`;
}

function waiting(text: string): TemplateResult {
  return html`<p class="waiting" role="status"><i class="spinner" aria-hidden="true"></i>${text}</p>`;
}

function screen(title: string, text: string, buttons: readonly (readonly [string, Intent])[], send: Send): TemplateResult {
  return html`<div class="sign-big" aria-hidden="true">${icon("wide")}</div>
    <h2>${title}</h2>
    <p>${text}</p>
    ${buttons.length === 0 ? nothing : html`<div class="buttons">${buttons.map(([label, intent], index) => html`<button class=${index === 0 ? "button primary" : "button"} @click=${() => send(intent)}>${label}</button>`)}</div>`}`;
}
