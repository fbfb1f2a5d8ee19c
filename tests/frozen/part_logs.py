"""Every log by itself: all questions, of one process that nobody else uses and that watches nothing."""

from __future__ import annotations

import json

from tests.frozen.checkouts import Checkout, await_rest
from tests.frozen.questions import QUESTIONS, follow_ups
from tests.frozen.recording import Recorder, Wanted


def record_logs(checkout: Checkout, recorder: Recorder, is_wanted: Wanted) -> None:
    nothing = checkout.stage.work / "nothing"
    nothing.mkdir()
    with checkout.talking("serve", "--stdio", "--root", str(nothing)) as client:
        await_rest(client)
        for name in checkout.stage.names():
            if not is_wanted(name):
                continue
            session = {"log": str(checkout.stage.logs / name)}
            waiting = list(QUESTIONS)
            while waiting:
                method, params = waiting.pop(0)
                answer = client.ask(method, {"session": session, **params})
                recorder.add(name, f"{method} {json.dumps(params)}", answer)
                waiting[:0] = follow_ups(method, answer)
