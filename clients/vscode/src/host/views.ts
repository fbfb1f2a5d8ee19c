/** The panel in the side bar and as an editor: the same page twice, both drawn from the one model. */

import { randomBytes } from "node:crypto";

import * as vscode from "vscode";

import type { Controller } from "../controller.js";
import type { Intent } from "../panel/model.js";

export const VIEW = "recapd.panel";

export class Views implements vscode.WebviewViewProvider {
  #view: vscode.WebviewView | undefined;
  #panel: vscode.WebviewPanel | undefined;

  constructor(
    private readonly media: vscode.Uri,
    private readonly controller: Controller,
  ) {
    controller.onModel(() => this.#show());
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    view.onDidDispose(() => (this.#view = undefined));
    view.onDidChangeVisibility(() => this.#show());
    this.#fill(view.webview);
    this.#show();
  }

  openPanel(): void {
    if (this.#panel !== undefined) {
      this.#panel.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel("recapd.full", "Recap", vscode.ViewColumn.Beside, this.#options());
    panel.iconPath = vscode.Uri.joinPath(this.media, "icon.svg");
    panel.onDidDispose(() => (this.#panel = undefined));
    this.#panel = panel;
    this.#fill(panel.webview);
  }

  #options(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [this.media] };
  }

  #fill(webview: vscode.Webview): void {
    webview.options = this.#options();
    webview.onDidReceiveMessage((intent: Intent) => this.controller.handle(intent));
    webview.html = page(webview, this.media);
  }

  #show(): void {
    const { shown, model } = this.controller;
    const views = [this.#view, this.#panel].filter((view) => view !== undefined);
    for (const view of views) {
      if (view.visible) void view.webview.postMessage(shown);
    }
    if (this.#view === undefined) return;
    // Nought, not undefined: VS Code leaves a badge that is taken away where it is.
    this.#view.badge = { value: model.needsYou, tooltip: needing(model.needsYou) };
  }
}

function needing(count: number): string {
  if (count === 0) return "No session needs you";
  return count === 1 ? "1 session needs you" : `${count} sessions need you`;
}

/** Nothing but our own two files is loaded, and nothing is fetched. */
function page(webview: vscode.Webview, media: vscode.Uri): string {
  const of = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString();
  const nonce = randomBytes(16).toString("base64url");
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="${of("panel.css")}">
<title>Recap</title>
</head>
<body>
<div id="panel"></div>
<script nonce="${nonce}" src="${of("webview.js")}"></script>
</body>
</html>`;
}
