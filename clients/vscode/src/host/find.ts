/** Where the `recapd` command is: the setting, the path, or where installers for one user put it. */

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

import * as vscode from "vscode";

const USUAL = [join(homedir(), ".local", "bin", "recapd"), "/usr/local/bin/recapd", "/opt/homebrew/bin/recapd"];

export function recapdCommand(): readonly string[] {
  const set = vscode.workspace.getConfiguration("recapd").get<string>("command", "").trim();
  if (set !== "") return [set.startsWith("~/") ? join(homedir(), set.slice(2)) : set];
  const onPath = (process.env.PATH ?? "").split(":").some((folder) => folder !== "" && existsSync(join(folder, "recapd")));
  return [onPath ? "recapd" : (USUAL.find((path) => existsSync(path)) ?? "recapd")];
}
