/** Puts this client through protocol/conformance: one request a line on stdin, its answer a line on stdout. */

import { createInterface } from "node:readline";

import { Recapd, RecapdError } from "../dist/index.js";
import { later } from "./home.mjs";

const recapd = new Recapd({ command: (process.env.RECAPD_COMMAND ?? "recapd").split(" "), env: process.env });
const kept = new Map();
const waiting = new Map();

for (const name of ["recap/didChange", "recapd/didChangeStatus"]) {
  recapd.on(name, (params) => {
    const first = waiting.get(name)?.shift();
    if (first) first.resolve(params);
    else kept.set(name, [...(kept.get(name) ?? []), params]);
  });
}

function next(name) {
  const params = kept.get(name)?.shift();
  if (params !== undefined) return Promise.resolve(params);
  const promised = later();
  waiting.set(name, [...(waiting.get(name) ?? []), promised]);
  return promised.promise;
}

async function answer({ method, params, wait }) {
  if (wait !== undefined) return { params: await next(wait) };
  try {
    return { result: await recapd.request(method, params ?? {}) };
  } catch (error) {
    if (!(error instanceof RecapdError)) throw error;
    return { error: { code: error.code, message: error.message, data: error.data } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
}
recapd.close();
