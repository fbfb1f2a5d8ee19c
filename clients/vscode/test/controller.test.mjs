/** Which session the panel shows, with a recapd that only answers what it is told to. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { buildSync } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "recapd-controller-"));
buildSync({ entryPoints: [join(HERE, "..", "src", "controller.ts")], bundle: true, platform: "node", format: "cjs", external: ["vscode"], outfile: join(folder, "controller.cjs") });
const { Controller } = createRequire(import.meta.url)(join(folder, "controller.cjs"));
rmSync(folder, { recursive: true });

const row = (id) => ({ id, title: `Session ${id}`, state: "answered" });

/** What is selected after each list of sessions that recapd knows, one after the other. */
async function selectedAfter(select, ...lists) {
  let known = lists[0];
  const recapd = {
    state: { kind: "ready" },
    onState: () => undefined,
    on: () => undefined,
    watch: () => () => undefined,
    request: async (method) => {
      if (method === "session/overview") return { sessions: known.map(row), needsYou: 0, total: known.length };
      if (method === "recapd/status") return { quiescent: true };
      throw Object.assign(new Error("not now"), { code: 1001 });
    },
  };
  const controller = new Controller(recapd, { place: "editor", can: {} }, []);
  const seen = [];
  for (const list of lists) {
    known = list;
    controller.refresh();
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (list === lists[0] && select !== null) controller.select(select);
    await new Promise((resolve) => setTimeout(resolve, 20));
    seen.push(controller.model.selected);
  }
  return seen;
}

test("the session that was chosen is shown again once a daemon that was just started knows it", async () => {
  assert.deepEqual(await selectedAfter("b", ["a", "b"], [], ["a"], ["a", "b"]), ["b", null, "a", "b"]);
});

test("so is the one that was shown without a choice", async () => {
  assert.deepEqual(await selectedAfter(null, ["a", "b"], ["b"], ["a", "b"]), ["a", "b", "a"]);
});
