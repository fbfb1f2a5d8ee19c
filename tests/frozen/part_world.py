"""All logs at once, as a daemon sees them that follows the folder: lists, overviews, status, and each session by id."""

from __future__ import annotations

import json

from tests.frozen.checkouts import Checkout, await_rest
from tests.frozen.frames import Client
from tests.frozen.questions import FEW_QUESTIONS
from tests.frozen.recording import REVISION_NORMALISATIONS, STATUS_NORMALISATIONS, Normalisation, Recorder, Wanted

NORMALISATIONS: tuple[Normalisation, ...] = (*REVISION_NORMALISATIONS, *STATUS_NORMALISATIONS)

_LISTS: tuple[dict[str, object], ...] = (
    {},
    {"agent": "codex"},
    {"query": "test"},
    {"workspace": "/home/demo/shop"},
)


def record_world(checkout: Checkout, recorder: Recorder, is_wanted: Wanted) -> None:
    # When summaries are made depends on how fast the machine is.
    environ = {"RECAPD_SUMMARY_ENABLED": "false"}
    with checkout.client("--root", str(checkout.stage.logs), environ=environ) as client:
        await_rest(client, sessions=1)
        for params in _LISTS:
            _record_pages(client, recorder, "session/list", {"limit": 50, **params})
        for workspace in ({}, {"workspace": "/home/demo/shop"}):
            params = {"limit": 200, **workspace}
            recorder.add("all", f"session/overview {json.dumps(params)}", client.ask("session/overview", params))
        _record_pages(client, recorder, "recapd/status", {"limit": 100})
        listed = _all_sessions(client)
        for session_id in sorted(listed):
            for method, params in FEW_QUESTIONS:
                answer = client.ask(method, {"session": {"id": session_id}, **params})
                recorder.add(session_id, f"{method} {json.dumps(params)}", answer)


def _record_pages(client: Client, recorder: Recorder, method: str, params: dict[str, object]) -> None:
    cursor: dict[str, object] = {}
    page = 1
    while True:
        answer = client.ask(method, {**params, **cursor})
        recorder.add("all", f"{method} {json.dumps(params)} page {page}", answer)
        following = (json.loads(answer).get("result") or {}).get("nextCursor")
        if following is None:
            return
        cursor = {"cursor": following}
        page += 1


def _all_sessions(client: Client) -> list[str]:
    found: list[str] = []
    params: dict[str, object] = {"limit": 200}
    while True:
        page = client.result("session/list", params)
        found += [session["id"] for session in page["sessions"]]
        if "nextCursor" not in page:
            return found
        params = {"limit": 200, "cursor": page["nextCursor"]}
