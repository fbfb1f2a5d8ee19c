/**
 * Builds what ships with recapd and works without Node: the extension and the panel in its two hosts.
 *
 *     node build.mjs [FOLDER]   writes the bundles there (default: recapd/bridges/panel/built), and a digest of what
 *                               they were made from, by which a test knows that they are stale
 */

import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { build, transformSync } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const BUILT = process.argv[2] ?? join(HERE, "..", "recapd", "bridges", "panel", "built");
const VSCODE = join(HERE, "vscode");

/** What the bundles are made from, beside the locked packages. Types leave no trace in them: see `withoutTypes`. */
const SOURCES = [
  ...filesBelow(join(HERE, "typescript", "src")).filter((path) => !path.endsWith("protocol.ts")),
  ...filesBelow(join(VSCODE, "src")),
  ...filesBelow(join(VSCODE, "media")),
  join(VSCODE, "package.json"),
  join(VSCODE, "README.md"),
  join(HERE, "package-lock.json"),
  fileURLToPath(import.meta.url),
];

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** Short names are chosen by how often letters occur in the sources, types included: another type would rename things. */
const withoutTypes = {
  name: "without types",
  setup: ({ onLoad }) => onLoad({ filter: /[\\/]protocol\.ts$/ }, ({ path }) => ({ contents: transformSync(readFileSync(path, "utf8"), { loader: "ts" }).code, loader: "js" })),
};

const common = {
  plugins: [withoutTypes],
  bundle: true,
  minify: true,
  target: "es2022",
  legalComments: "eof",
  charset: "utf8",
  logLevel: "warning",
  alias: { "@recapd/client/browser": join(HERE, "typescript", "src", "browser.ts"), "@recapd/client": join(HERE, "typescript", "src", "index.ts") },
};

rmSync(BUILT, { recursive: true, force: true });
mkdirSync(join(BUILT, "media"), { recursive: true });
await Promise.all([
  build({ ...common, entryPoints: [join(VSCODE, "src/host/extension.ts")], outfile: join(BUILT, "extension.js"), platform: "node", format: "cjs", external: ["vscode"] }),
  build({ ...common, entryPoints: [join(VSCODE, "src/panel/webview.ts")], outfile: join(BUILT, "media/webview.js"), platform: "browser", format: "iife" }),
  build({ ...common, entryPoints: [join(VSCODE, "src/browser/main.ts")], outfile: join(BUILT, "media/browser.js"), platform: "browser", format: "iife" }),
  ...["panel.css", "browser.css"].map((name) => build({ ...common, entryPoints: [join(VSCODE, "src/panel", name)], outfile: join(BUILT, "media", name) })),
]);
copyFileSync(join(VSCODE, "src/browser/index.html"), join(BUILT, "media/index.html"));
for (const path of filesBelow(join(VSCODE, "media"))) copyFileSync(path, join(BUILT, "media", relative(join(VSCODE, "media"), path)));
copyFileSync(join(VSCODE, "README.md"), join(BUILT, "README.md"));
const { private: _, dependencies: __, devDependencies: ___, ...manifest } = JSON.parse(readFileSync(join(VSCODE, "package.json"), "utf8"));
writeFileSync(join(BUILT, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);

const digest = createHash("sha256");
for (const path of SOURCES.sort()) digest.update(`${relative(HERE, path)}\0`).update(readFileSync(path)).update("\0");
writeFileSync(join(BUILT, "sources.sha256"), `${digest.digest("hex")}\n`);
