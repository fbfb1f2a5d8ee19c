import assert from "node:assert/strict";
import { writeFileSync, chmodSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";

import { Recapd, RecapdError, RecapdTimeout, RecapdUnreachable } from "../dist/index.js";
import { COMMAND, SESSION, later, makeHome } from "./home.mjs";

const PATIENCE = { timeout: 60_000 };

/** Until a state of this kind comes. */
function state(recapd, kind) {
  if (recapd.state.kind === kind) return Promise.resolve(recapd.state);
  const { promise, resolve } = later();
  recapd.onState((found) => found.kind === kind && resolve(found));
  return promise;
}

/** Logs are followed, not awaited: until all that is there is read. */
async function quiescent(recapd) {
  while (!(await recapd.request("recapd/status", { limit: 1 })).quiescent) await setTimeout(20);
}

describe("against a daemon", PATIENCE, () => {
  const home = makeHome();
  home.say("Downloads fail on flaky networks; please add retries.");
  home.answer("I added retries with exponential backoff. All 14 tests pass.");
  let recapd;
  before(() => (recapd = new Recapd({ command: COMMAND, env: home.env })));
  after(() => {
    recapd.close();
    home.end();
  });

  test("a request that comes before the connection stands is answered", async () => {
    assert.equal(recapd.state.kind, "connecting");
    assert.ok(Array.isArray((await recapd.request("session/list", {})).sessions));
    assert.equal(recapd.state.kind, "ready");
    await quiescent(recapd);
    assert.ok(recapd.about.methods.includes("recap/get"));
  });

  test("what recapd refuses is an error with its name, its data and a sentence", async () => {
    const refused = await recapd.request("recap/get", { session: { id: "nobody:1" } }).catch((error) => error);
    assert.ok(refused instanceof RecapdError);
    assert.ok(refused.is("sessionNotFound") && !refused.is("notReady"));
    assert.equal(refused.data.session.id, "nobody:1");
    assert.match(refused.message, /\w+ \w+/);
  });

  test("a caller that gives up is told its own reason, and the connection goes on", async () => {
    const giving = new AbortController();
    const asked = recapd.request("recap/get", { session: { id: SESSION } }, { signal: giving.signal });
    giving.abort(new Error("closed the tab"));
    await assert.rejects(asked, /closed the tab/);
    await assert.rejects(recapd.request("session/list", {}, { signal: giving.signal }), /closed the tab/);
    await assert.rejects(recapd.request("recap/get", { session: { id: SESSION } }, { timeoutMs: 0 }), RecapdTimeout);
    assert.equal((await recapd.request("recap/get", { session: { id: SESSION } })).sessionId, SESSION);
  });

  test("a watch tells what is there, then what changes, also after the daemon was killed", async () => {
    let next = later();
    const stop = recapd.watch({ workspace: "/work/fetcher" }, (change) => next.resolve(change), {
      settle: { quietMs: 20, maxMs: 100 },
    });
    const first = await next.promise;
    assert.equal(first.fresh, true);
    assert.deepEqual(first.changes.map((change) => change.sessionId), [SESSION]);

    next = later();
    home.say("Make that five tries, three is too few on trains.");
    const second = await next.promise;
    assert.equal(second.fresh, false);
    assert.ok(second.changes[0].revision > first.changes[0].revision);

    const gone = state(recapd, "gone");
    next = later();
    process.kill(home.daemonPid(), "SIGKILL");
    await gone;
    await state(recapd, "ready");
    // Another daemon knows nothing of what was told before.
    assert.equal((await next.promise).fresh, true);
    await quiescent(recapd);
    next = later();
    home.answer("Five tries it is.");
    assert.equal((await next.promise).changes[0].sessionId, SESSION);
    stop();
    next = later();
    home.say("Thanks.");
    await recapd.request("session/list", {});
    assert.equal(await Promise.race([next.promise, Promise.resolve("silent")]), "silent");
  });

  test("a request under way when the daemon dies is refused, not left hanging", async () => {
    await recapd.request("session/list", {});
    process.kill(home.daemonPid(), "SIGSTOP");
    const asked = recapd.request("session/list", {}, { timeoutMs: 30_000 });
    process.kill(home.daemonPid(), "SIGKILL");
    await assert.rejects(asked, RecapdUnreachable);
    await state(recapd, "ready");
  });

  test("what is closed stays closed", async () => {
    const own = new Recapd({ command: COMMAND, env: home.env });
    await own.request("session/list", {});
    own.close();
    assert.equal(own.state.kind, "closed");
    await assert.rejects(own.request("session/list", {}), RecapdUnreachable);
  });
});

describe("without a daemon", PATIENCE, () => {
  test("a recapd that is not there is missing, and found once it is", async () => {
    const home = makeHome();
    const program = join(home.folder, "recapd");
    const recapd = new Recapd({ command: [program], env: home.env });
    try {
      assert.match((await state(recapd, "missing")).message, /recapd/);
      await assert.rejects(recapd.request("session/list", {}), RecapdUnreachable);
      writeFileSync(program, `#!/bin/sh\nexec ${COMMAND.join(" ")} "$@"\n`);
      chmodSync(program, 0o755);
      recapd.retry();
      await state(recapd, "ready");
    } finally {
      recapd.close();
      home.end();
    }
  });

  test("the sentence of a recapd that cannot start is told", async () => {
    const home = makeHome();
    const program = join(home.folder, "recapd");
    writeFileSync(program, '#!/bin/sh\necho "recapd: the disk is full" >&2\nexit 3\n');
    chmodSync(program, 0o755);
    const recapd = new Recapd({ command: [program], env: home.env });
    assert.equal((await state(recapd, "gone")).message, "recapd: the disk is full");
    recapd.close();
    home.end();
  });
});
