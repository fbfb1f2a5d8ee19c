"""Summaries that the daemon makes by itself once a conversation settles, in each of their voices."""

from __future__ import annotations

import json
import time

from tests.frozen.checkouts import Checkout, await_rest
from tests.frozen.frames import PATIENCE_S, Client
from tests.frozen.made_up import Growing
from tests.frozen.questions import FEW_QUESTIONS
from tests.frozen.recording import Recorder, Wanted
from tests.frozen.stage import append

_VOICES = ("third", "first", "bullets")


def record_summaries(checkout: Checkout, recorder: Recorder, is_wanted: Wanted) -> None:
    for voice in _VOICES:
        checkout.stage.clear()
        growing = Growing(checkout.stage)
        checkout.stage.set_clock(growing.after_s)
        environ = {
            "RECAPD_SUMMARY_VOICE": voice,
            "RECAPD_SUMMARY_EVERY_MESSAGES": "1",
            "RECAPD_WINDOW_UNIT": "messages",
            "RECAPD_WINDOW_SIZE": "1",
        }
        with checkout.client(environ=environ) as client:
            await_rest(client, sessions=1)
            (session,) = client.result("session/list", {})["sessions"]
            known = 0
            for lines in (8, 100):
                append(growing.path, growing.take(lines))
                known = _await_summary(client, session["id"], known)
            await_rest(client)
            for method, params in (*FEW_QUESTIONS, ("summary/list", {}), ("session/export", {})):
                answer = client.ask(method, {"session": {"id": session["id"]}, **params})
                recorder.add(voice, f"{method} {json.dumps(params)}", answer)


def _await_summary(client: Client, session_id: str, known: int) -> int:
    """Until there are more summaries than were known; how many there are."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        found = len(client.result("summary/list", {"session": {"id": session_id}})["summaries"])
        if found > known:
            return found
        if time.monotonic() > deadline:
            raise AssertionError("no summary was made")
        time.sleep(0.1)
