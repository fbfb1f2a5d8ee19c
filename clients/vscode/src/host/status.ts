/** What is said outside of the panel: the item in the status bar, the number on the icon, and at most one toast. */

import * as vscode from "vscode";

import type { Model } from "../panel/model.js";
import { standing, tone } from "../panel/words.js";

export class Status implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem("recapd.status", vscode.StatusBarAlignment.Left, 10);
  /** Sessions that needed somebody when last looked; null before the first look, so that opening a window says nothing. */
  #needing: ReadonlySet<string> | null = null;

  constructor(private readonly show: (session: string) => void) {
    this.#item.name = "Recap";
    this.#item.command = "recapd.showRecap";
  }

  update(model: Model): void {
    const isOn = vscode.workspace.getConfiguration("recapd").get<boolean>("statusBar", true);
    const text = statusText(model);
    if (!isOn || text === "") {
      this.#item.hide();
    } else {
      this.#item.text = text;
      this.#item.tooltip = tooltip(model);
      this.#item.backgroundColor = model.needsYou > 0 ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
      this.#item.show();
    }
    this.#toast(model);
  }

  dispose(): void {
    this.#item.dispose();
  }

  #toast(model: Model): void {
    if (model.connection.kind !== "ready") return;
    const needing = model.rows.filter((row) => tone(row) === "needs");
    const fresh = needing.filter(({ id }) => this.#needing !== null && !this.#needing.has(id));
    this.#needing = new Set(needing.map(({ id }) => id));
    const isAsked = vscode.workspace.getConfiguration("recapd").get<boolean>("notify", false);
    const [first] = fresh;
    if (!isAsked || vscode.window.state.focused || first === undefined) return;
    const says = `${first.title}: ${first.question ?? standing(first)}`;
    void vscode.window.showInformationMessage(says, "Show").then((answer) => answer && this.show(first.id));
  }
}

export function statusText(model: Model): string {
  if (model.connection.kind === "missing") return "$(comment-discussion) recapd is missing";
  if (model.connection.kind !== "ready" || model.rows.length === 0) return "";
  if (model.needsYou > 0) return `$(bell-dot) ${model.needsYou} ${model.needsYou === 1 ? "needs" : "need"} you`;
  const working = model.rows.filter((row) => tone(row) === "works").length;
  if (working > 0) return working === 1 ? "$(sync) working" : `$(sync) ${working} working`;
  const row = model.rows.find(({ id }) => id === model.selected) ?? model.rows[0];
  return row === undefined ? "" : `$(comment-discussion) turn ${row.turn}`;
}

/** Plain text: titles and questions come from logs. */
function tooltip(model: Model): string {
  return model.rows.slice(0, 5).map((row) => `${standing(row)}: ${row.title}`).join("\n") || "Recap";
}
