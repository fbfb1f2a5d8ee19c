/** A user of their own for each test: logs, a daemon, and nothing of whoever runs the tests. */

import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The command that is recapd, as a shell would split it. */
export const COMMAND = (process.env.RECAPD_COMMAND ?? "recapd").split(" ");
export const SESSION = "claude-code:5b0e9c1e-0000-4000-8000-000000000001";
const LOG = ".claude/projects/-work-fetcher/5b0e9c1e-0000-4000-8000-000000000001.jsonl";

export function makeHome() {
  const folder = mkdtempSync(join(tmpdir(), "recapd-ts-"));
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    LANG: "C.UTF-8",
    RECAPD_RUNTIME_DIR: join(folder, "run"),
    RECAPD_STATE_DIR: join(folder, "state"),
    ...(process.env.PYTHONPATH ? { PYTHONPATH: process.env.PYTHONPATH } : {}),
  };
  const log = join(folder, LOG);
  mkdirSync(dirname(log), { recursive: true });
  let last = null;
  let count = 0;
  const write = (type, message) => {
    const uuid = `u${++count}`;
    const record = { type, uuid, parentUuid: last, sessionId: SESSION.split(":")[1], version: "2.1.60", message };
    const timestamp = new Date(Date.UTC(2026, 2, 1, 9, count)).toISOString();
    appendFileSync(log, `${JSON.stringify({ ...record, timestamp, cwd: "/work/fetcher", isSidechain: false })}\n`);
    last = uuid;
  };
  return {
    folder,
    env,
    log,
    say: (text) => write("user", { role: "user", content: text }),
    answer: (text) =>
      write("assistant", { id: `m${count}`, role: "assistant", content: [{ type: "text", text }], stop_reason: "end_turn" }),
    daemonPid: () => JSON.parse(readFileSync(join(folder, "run", "recapd.json"), "utf8")).pid,
    end: () => {
      const [program, ...first] = COMMAND;
      try {
        execFileSync(program, [...first, "down"], { env, stdio: "ignore" });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** A promise, and what settles it. */
export function later() {
  let resolve;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}
