/** `recapd connect` as a child process: it finds the user's daemon or starts it, and its exit code says how it went. */

import { spawn } from "node:child_process";

import { StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node.js";

import type { Ending, OpenTransport, Transport } from "./transport.js";

/** What is kept of stderr: the sentence at the end of it. */
const KEPT_CHARS = 2_000;
/** A child that was told to end by closing its stdin is not waited for any longer. */
const GRACE_MS = 1_000;
/** The daemon has too many clients, or let this one go: protocol/README.md, "Connecting". */
const LET_GO_MS = 60_000;

export interface SpawnOptions {
  /** The command that is recapd, with its first arguments. */
  readonly command?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

export function spawnConnect({ command = ["recapd"], env, cwd }: SpawnOptions = {}): OpenTransport {
  return () =>
    new Promise<Transport>((resolve) => {
      const [program = "recapd", ...first] = command;
      const child = spawn(program, [...first, "connect"], { env, cwd, stdio: "pipe", windowsHide: true });
      let said = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-KEPT_CHARS);
      });
      // Whoever writes to a child that is gone is told by its end, not by a broken pipe.
      child.stdin.on("error", () => undefined);
      const ended = new Promise<Ending>((settle) => {
        child.on("error", (error: NodeJS.ErrnoException) => settle(endingOfStart(program, error)));
        child.on("close", (code) => settle(endingOf(code, lastLine(said))));
      });
      const transport: Transport = {
        reader: new StreamMessageReader(child.stdout),
        writer: new StreamMessageWriter(child.stdin),
        ended,
        close: () => {
          child.stdin.end();
          setTimeout(() => child.kill(), GRACE_MS).unref();
        },
      };
      child.once("spawn", () => resolve(transport));
      child.once("error", () => resolve(transport));
    });
}

function endingOfStart(program: string, error: NodeJS.ErrnoException): Ending {
  const isMissing = error.code === "ENOENT" || error.code === "EACCES";
  return { kind: isMissing ? "missing" : "broken", message: `${program} could not be started: ${error.message}` };
}

function endingOf(code: number | null, message: string): Ending {
  switch (code) {
    case 2:
    case 3:
    case 4:
      return { kind: "refused", message };
    case 5:
      return { kind: "broken", message, waitMs: LET_GO_MS };
    case 126:
    case 127:
      return { kind: "missing", message };
    default:
      return { kind: "broken", message };
  }
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
