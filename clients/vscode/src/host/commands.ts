/** What the command palette has, one function a command. */

import { fileURLToPath } from "node:url";

import type { Connection, Decision, SearchHit } from "@recapd/client";
import * as vscode from "vscode";

import type { Controller } from "../controller.js";
import { age, BY } from "../panel/words.js";
import { SCHEME, type Documents } from "./documents.js";
import { VIEW, type Views } from "./views.js";
import type { Why } from "./why.js";

interface Parts {
  readonly recapd: Connection;
  readonly controller: Controller;
  readonly documents: Documents;
  readonly views: Views;
  readonly why: Why;
}

export function registerCommands(parts: Parts): vscode.Disposable[] {
  const table: Record<string, (parts: Parts) => unknown> = {
    "recapd.showRecap": () => vscode.commands.executeCommand(`${VIEW}.focus`),
    "recapd.openPanel": ({ views }) => views.openPanel(),
    "recapd.listDecisions": listDecisions,
    "recapd.search": search,
    "recapd.copyContext": copyContext,
    "recapd.copyResume": ({ controller }) => (controller.selectedRow?.resumeCommand ? controller.handle({ kind: "copyResume" }) : noSession()),
    "recapd.keepRecapFile": keepRecapFile,
    "recapd.openLogLine": openLogLine,
    "recapd.whyLine": ({ why }) => why.ask(),
  };
  return Object.entries(table).map(([name, run]) =>
    vscode.commands.registerCommand(name, async () => {
      try {
        await run(parts);
      } catch (error) {
        void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
      }
    }),
  );
}

function noSession(): void {
  void vscode.window.showInformationMessage("There is no session in this workspace to do that with.");
}

async function listDecisions({ recapd, controller, documents }: Parts): Promise<void> {
  const id = controller.selectedRow?.id;
  if (id === undefined) return noSession();
  const answer = await recapd.request("decisions/list", { session: { id }, limit: 500 });
  const found = "decisions" in answer ? answer.decisions : [];
  const picks = found.reverse().map((decision) => ({ label: label(decision), description: describe(decision), detail: decision.rationale ?? undefined, decision }));
  const picked = await vscode.window.showQuickPick(picks, { title: "Decisions of this session", placeHolder: picks.length > 0 ? "Pick one to see where it was made" : "Nothing was decided yet", matchOnDescription: true });
  if (picked) await documents.showTurn({ session: id, turn: picked.decision.turn, ref: picked.decision.ref, quote: picked.decision.quote });
}

function label({ status, headline, text }: Decision): string {
  return `${status === "active" ? "" : "$(circle-slash) "}${headline || text}`;
}

function describe({ madeBy, status, turn }: Decision): string {
  return [BY[madeBy] ?? madeBy, status === "active" ? "" : status, `turn ${turn}`].filter(Boolean).join(" · ");
}

async function search({ controller, documents }: Parts): Promise<void> {
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly hit: SearchHit }>();
  picker.title = "Search what was said";
  picker.placeholder = "Words, or how they begin";
  let asking: AbortController | undefined;
  picker.onDidChangeValue(async (query) => {
    asking?.abort();
    const own = (asking = new AbortController());
    if (query.trim() === "") {
      picker.items = [];
      return;
    }
    picker.busy = true;
    try {
      const hits = await controller.find(query, own.signal);
      picker.items = hits.map((hit) => ({ label: hit.text, description: `${hit.kind} · turn ${hit.turn}${hit.at ? ` · ${age(hit.at, Date.now())}` : ""}`, detail: hit.title, alwaysShow: true, hit }));
    } catch {
      // Another word was typed, or recapd is away, which the panel says.
    } finally {
      if (asking === own) picker.busy = false;
    }
  });
  picker.onDidAccept(() => {
    const [picked] = picker.selectedItems;
    picker.hide();
    if (picked) void documents.showTurn({ session: picked.hit.sessionId, turn: picked.hit.turn, ref: picked.hit.ref, quote: picked.hit.text });
  });
  picker.onDidHide(() => picker.dispose());
  picker.show();
}

async function copyContext({ recapd, controller }: Parts): Promise<void> {
  const row = controller.selectedRow;
  if (row === undefined) return noSession();
  const prompt = await vscode.window.showInputBox({ title: `Context of “${row.title}”`, prompt: "What is the agent about to work on? Leave empty for all of it.", placeHolder: "Fix the flaky checkout test" });
  if (prompt === undefined) return;
  const usual = vscode.workspace.getConfiguration("recapd").get<number>("contextBudget", 4000);
  const asked = await vscode.window.showInputBox({
    title: "How many tokens at most?",
    value: String(usual),
    validateInput: (text) => (/^[1-9]\d{1,6}$/.test(text.trim()) ? undefined : "A number from 10 on"),
  });
  if (asked === undefined) return;
  const answer = await recapd.request("context/assemble", { session: { id: row.id }, maxTokens: Number(asked), ...(prompt.trim() ? { prompt } : {}) });
  if (!("tokens" in answer)) return;
  await vscode.env.clipboard.writeText(answer.text ?? "");
  void vscode.window.showInformationMessage(`Copied ${answer.tokens} tokens of context.`);
}

async function keepRecapFile({ recapd, controller }: Parts): Promise<void> {
  const folder = await pickFolder();
  if (folder === undefined) return;
  const { workspaces } = await recapd.request("recapd/watch", { workspace: folder, on: true });
  const own = workspaces.find(({ path }) => path === folder);
  void vscode.window.showInformationMessage(own?.message ?? "recapd keeps _recap.md up to date in this folder from now on.");
  controller.refresh();
}

async function pickFolder(): Promise<string | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length <= 1) {
    if (folders.length === 0) void vscode.window.showInformationMessage("Open a folder first.");
    return folders[0]?.uri.fsPath;
  }
  return (await vscode.window.showWorkspaceFolderPick({ placeHolder: "Which folder shall have a _recap.md?" }))?.uri.fsPath;
}

/** From a page of a conversation to the line of the log that it was written from. */
async function openLogLine({ controller, documents }: Parts): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const ref = editor?.document.uri.scheme === SCHEME ? documents.refAt(editor.document.uri, editor.selection.active.line) : undefined;
  const source = ref?.source ?? controller.selectedRow?.log;
  if (!source) return noSession();
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(fileURLToPath(source)));
  const line = Math.min(Math.max(0, (ref?.line ?? document.lineCount) - 1), document.lineCount - 1);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(line, 0, line, 0) });
}
