/** The model of the panel for the logs of a home, as JSON: `node record.mjs FOLDER … > model.json`. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { buildSync } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const CLIENT = join(HERE, "..", "..", "typescript", "src", "index.ts");
const folder = mkdtempSync(join(tmpdir(), "recapd-record-"));
const outfile = join(folder, "controller.cjs");
buildSync({
  stdin: { contents: 'export { Controller } from "./controller.js"; export { Recapd } from "@recapd/client";', resolveDir: join(HERE, "..", "src"), loader: "ts" },
  alias: { "@recapd/client": CLIENT },
  bundle: true,
  platform: "node",
  format: "cjs",
  outfile,
});
const { default: { Controller, Recapd } } = await import(pathToFileURL(outfile).href);
rmSync(folder, { recursive: true });

const recapd = new Recapd({ command: (process.env.RECAPD_COMMAND ?? "recapd").split(" "), env: process.env });
const ignored = () => undefined;
const can = { opensFiles: true, hasTerminal: true, installs: true, opensPanel: true };
const platform = { place: "vscode", can, showTurn: ignored, showChanges: ignored, openFile: ignored, copy: ignored, say: ignored, resume: ignored, readDemo: ignored, showPage: ignored, other: ignored };
const [select, ...folders] = process.argv.slice(2);
const controller = new Controller(recapd, platform, folders);
controller.onModel((model) => {
  if (select !== "-" && model.rows.length > 0 && model.selected !== select) controller.select(select);
  if (model.indexing || model.session === null || model.session.unjudgedTurns > 0) return;
  if (select !== "-" && model.session.id !== select) return;
  process.stdout.write(`${JSON.stringify(model, null, 1)}\n`, () => process.exit(0));
});
