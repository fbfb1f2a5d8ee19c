/** What is said outside of the panel, with an editor that only writes down what it is asked for. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { buildSync } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "recapd-status-"));
buildSync({ entryPoints: [join(HERE, "..", "src", "host", "status.ts")], bundle: true, platform: "node", format: "cjs", external: ["vscode"], outfile: join(folder, "status.cjs") });

const editor = { settings: {}, focused: true, toasts: [], item: {} };
const vscode = {
  StatusBarAlignment: { Left: 1 },
  ThemeColor: class {},
  window: {
    state: { get focused() { return editor.focused; } },
    createStatusBarItem: () => (editor.item = { show() {}, hide() { this.text = ""; }, dispose() {} }),
    showInformationMessage: (text) => (editor.toasts.push(text), Promise.resolve("Show")),
  },
  workspace: { getConfiguration: () => ({ get: (name, usual) => editor.settings[name] ?? usual }) },
};
const require = createRequire(import.meta.url);
const { Module } = require("node:module");
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const { Status } = require(join(folder, "status.cjs"));
rmSync(folder, { recursive: true });

const row = (id, state = "waiting", needs = "answer") => ({ id, title: `Session ${id}`, state, needs, question: `Shall ${id}?`, turn: 3 });
const model = (...rows) => ({ connection: { kind: "ready", message: "" }, rows, needsYou: rows.filter(({ needs }) => needs === "answer").length, selected: null });

function saidOf(settings, focused, ...models) {
  Object.assign(editor, { settings, focused, toasts: [] });
  const shown = [];
  const status = new Status((session) => shown.push(session));
  models.forEach((each) => status.update(each));
  return { toasts: editor.toasts, shown, text: editor.item.text };
}

const rests = row("a", "waiting", "nothing");
const asks = row("a");

test("whoever asked for it is told once, while another window is in front", async () => {
  const { toasts, shown } = saidOf({ notify: true }, false, model(rests), model(asks), model(asks));
  assert.deepEqual(toasts, ["Session a: Shall a?"]);
  await Promise.resolve();
  assert.deepEqual(shown, ["a"]);
});

test("nobody is told who looks, did not ask, or just opened the window", () => {
  assert.deepEqual(saidOf({ notify: true }, true, model(rests), model(asks)).toasts, []);
  assert.deepEqual(saidOf({}, false, model(rests), model(asks)).toasts, []);
  assert.deepEqual(saidOf({ notify: true }, false, model(asks)).toasts, []);
});

test("the status bar says the most urgent of it", () => {
  assert.match(saidOf({}, true, model(asks, row("b", "active", "nothing"))).text, /1 needs you/);
  assert.match(saidOf({}, true, model(rests, row("b", "active", "nothing"))).text, /working/);
  assert.match(saidOf({}, true, model(rests)).text, /turn 3/);
  assert.equal(saidOf({ statusBar: false }, true, model(asks)).text, "");
});
