"""What a daemon still says after it was ended and started anew, and after a log was deleted meanwhile."""

from __future__ import annotations

import json

from tests.frozen.checkouts import Checkout, await_rest
from tests.frozen.frames import Client
from tests.frozen.made_up import Growing
from tests.frozen.questions import FEW_QUESTIONS
from tests.frozen.recording import Recorder, Wanted
from tests.frozen.stage import append, put

_PACE = {"RECAPD_SUMMARY_ENABLED": "false"}
_HOUR_S = 3600


def record_restart(checkout: Checkout, recorder: Recorder, is_wanted: Wanted) -> None:
    stage = checkout.stage
    growing = Growing(stage)
    stage.set_clock(growing.after_s)
    append(growing.path, growing.take(14))
    second = growing.path.with_name("two.jsonl")
    with checkout.client(environ=_PACE) as client:
        # One after the other: which of two new logs gets the first revision is up to the scheduler.
        await_rest(client, sessions=1)
        put(second, growing.other())
        await_rest(client, sessions=2)
        sessions = sorted(session["id"] for session in client.result("session/list", {})["sessions"])
        for session_id in sessions:
            _leave_marks(client, session_id)
        _look(client, recorder, "before", sessions)
    stage.set_clock(growing.after_s + _HOUR_S)
    with checkout.client(environ=_PACE) as client:
        await_rest(client, sessions=2)
        _look(client, recorder, "started anew", sessions)
    append(growing.path, growing.take(100))
    stage.set_clock(growing.after_s + 2 * _HOUR_S)
    with checkout.client(environ=_PACE) as client:
        await_rest(client, sessions=2)
        _look(client, recorder, "a log has grown", sessions)
    second.unlink()
    with checkout.client(environ=_PACE) as client:
        await_rest(client, sessions=2)
        _look(client, recorder, "a log was deleted", sessions)
    for session_id in sessions:
        for command in ("recap", "decisions", "history"):
            done = checkout.run(command, session_id, "--no-daemon")
            answer = {"exit": done.returncode, "stdout": done.stdout.decode(), "stderr": done.stderr.decode()}
            recorder.add("without a daemon", f"{command} {session_id}", json.dumps(answer, ensure_ascii=False))


def _leave_marks(client: Client, session_id: str) -> None:
    """What is kept of a session besides its log: a reader's mark, the user's word, a summary."""
    session = {"id": session_id}
    recap = client.result("recap/get", {"session": session})
    client.result("recap/acknowledge", {"session": session, "consumer": "panel", "cursor": recap["cursor"]})
    decisions = client.result("decisions/list", {"session": session, "includeTentative": True})["decisions"]
    for method, decision in zip(("decisions/confirm", "decisions/dismiss"), decisions, strict=False):
        client.result(method, {"session": session, "id": decision["id"]})
    client.ask("summary/create", {"session": session})


def _look(client: Client, recorder: Recorder, of: str, sessions: list[str]) -> None:
    for method in ("session/list", "session/overview", "recapd/watch", "recapd/discover"):
        recorder.add(of, method, client.ask(method, {}))
    for session_id in sessions:
        for method, params in (
            *FEW_QUESTIONS,
            ("recap/get", {"since": {"consumer": "panel"}}),
            ("decisions/list", {"includeDismissed": True, "includeTentative": True}),
            ("summary/list", {}),
            ("session/export", {}),
            ("recap/verify", {}),
        ):
            answer = client.ask(method, {"session": {"id": session_id}, **params})
            recorder.add(of, f"{method} {json.dumps(params)} {session_id}", answer)
