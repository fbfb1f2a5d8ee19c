/** The extension, put together: one connection, one model, and whoever shows it. */

import { realpathSync } from "node:fs";

import { Recapd, spawnConnect, type OpenTransport } from "@recapd/client";
import * as vscode from "vscode";

import { Controller, type Platform } from "../controller.js";
import type { Intent } from "../panel/model.js";
import { registerCommands } from "./commands.js";
import { Documents, SCHEME } from "./documents.js";
import { recapdCommand } from "./find.js";
import { Status } from "./status.js";
import { VIEW, Views } from "./views.js";
import { Why } from "./why.js";

/** Between two looks for a recapd that is being installed. */
const LOOK_MS = 2_000;
const INSTALLERS = { uv: "uv tool install recapd", pipx: "pipx install recapd", pip: "python3 -m pip install --user recapd" };

export function activate(context: vscode.ExtensionContext): { readonly controller: Controller } {
  // Looked for anew each time: it may have been installed, or the setting changed.
  const open: OpenTransport = () => spawnConnect({ command: recapdCommand(), env: process.env })();
  const recapd = new Recapd({ transport: open });
  const documents = new Documents(recapd);
  const media = vscode.Uri.joinPath(context.extensionUri, "media");
  const controller = new Controller(recapd, platform(recapd, documents, media), folders());
  const views = new Views(media, controller);
  const why = new Why(recapd, documents);
  const status = new Status((session) => {
    controller.select(session);
    void vscode.commands.executeCommand(`${VIEW}.focus`);
  });
  const log = vscode.window.createOutputChannel("Recap", { log: true });
  controller.onFirst(({ openMs, greetMs, answerMs, drawMs }) => log.info(`first recap: spawn ${openMs} ms, initialize ${greetMs} ms, answer ${answerMs} ms, render ${drawMs} ms`));
  controller.onModel((model, changes) => {
    status.update(model);
    if (changes.length > 0) documents.refresh(new Set(changes.map(({ sessionId }) => sessionId)));
    if (changes.some(({ sections }) => sections.includes("files"))) why.refresh();
  });
  context.subscriptions.push(
    log,
    status,
    why,
    vscode.window.registerWebviewViewProvider(VIEW, views),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, documents),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => documents.forget(uri)),
    vscode.workspace.onDidChangeWorkspaceFolders(() => controller.setFolders(folders())),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("recapd.command")) recapd.retry();
      if (change.affectsConfiguration("recapd.why")) why.refresh();
      if (change.affectsConfiguration("recapd")) status.update(controller.model);
    }),
    ...registerCommands({ recapd, controller, documents, views, why }),
    { dispose: () => recapd.close() },
  );
  return { controller };
}

/** The folders of the workspace, as they are named and where they really are: an agent may have been started by either. */
function folders(): readonly string[] {
  const named = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath);
  return [...new Set(named.flatMap((path) => [path, real(path)]))];
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function platform(recapd: Recapd, documents: Documents, media: vscode.Uri): Platform {
  return {
    place: "vscode",
    can: { opensFiles: true, hasTerminal: true, installs: true, opensPanel: true },
    showTurn: (what) => void documents.showTurn(what).catch(say),
    showChanges: (session, uri) => void documents.showChanges(session, uri),
    openFile: (uri) => void vscode.window.showTextDocument(vscode.Uri.parse(uri, true), { preview: true }).then(undefined, say),
    copy: (text, what) => {
      void vscode.env.clipboard.writeText(text);
      vscode.window.setStatusBarMessage(`$(check) ${what} is in the clipboard`, 3_000);
    },
    say,
    resume: (command, folder) => {
      const terminal = vscode.window.createTerminal({ name: "Resume", ...(folder ? { cwd: folder } : {}) });
      terminal.show();
      // Typed, not run: the last word is the user's.
      terminal.sendText(command, false);
    },
    readDemo: async () => new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(media, "demo.json"))),
    showPage: (title, markdown, quote) => void documents.showPage(title, markdown, quote).catch(say),
    other: (intent) => carryOut(intent, recapd),
  };
}

function say(problem: unknown): void {
  void vscode.window.showErrorMessage(problem instanceof Error ? problem.message : String(problem));
}

function carryOut(intent: Intent, recapd: Recapd): void {
  switch (intent.kind) {
    case "copyContext":
      void vscode.commands.executeCommand("recapd.copyContext");
      return;
    case "openPanel":
      void vscode.commands.executeCommand("recapd.openPanel");
      return;
    case "choosePath":
      void choosePath(recapd);
      return;
    case "install":
      install(intent.by, recapd);
      return;
  }
}

async function choosePath(recapd: Recapd): Promise<void> {
  const [picked] = (await vscode.window.showOpenDialog({ title: "Where is the recapd command?", openLabel: "This is recapd", canSelectMany: false })) ?? [];
  if (picked === undefined) return;
  await vscode.workspace.getConfiguration("recapd").update("command", picked.fsPath, vscode.ConfigurationTarget.Global);
  recapd.retry();
}

function install(by: keyof typeof INSTALLERS, recapd: Recapd): void {
  const terminal = vscode.window.createTerminal({ name: "Install recapd" });
  terminal.show();
  terminal.sendText(INSTALLERS[by]);
  const looking = setInterval(() => {
    if (recapd.state.kind !== "missing" || terminal.exitStatus !== undefined) clearInterval(looking);
    else recapd.retry();
  }, LOOK_MS);
}
