"""A scripted client, frame by frame, while a log grows: over the socket, on stdio, through `recapd connect`, by TCP.

A step is recorded as the frames that came until its answers were there, each whole with its header. What is told of the
daemon's health (`recapd/didChangeStatus`) comes whenever the index moves on, and is left out.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from tests.frozen.checkouts import Checkout, await_rest
from tests.frozen.frames import PATIENCE_S, Client, Silence, client_of_port, framed
from tests.frozen.made_up import Growing
from tests.frozen.recording import Recorder, Wanted
from tests.frozen.stage import append, put

# Long enough for everything that belongs to one append, on a busy machine.
_QUIET_MS = 400
_SILENCE_S = 1.0
# Several times what a subscription waits for a burst to end.
_VAIN_S = 2.5
_AMBIENT = '"method":"recapd/didChangeStatus"'

Talk: TypeAlias = Callable[["Script", Growing], None]


class Script:
    """Steps on one connection, recorded under the connection's name."""

    def __init__(self, client: Client, recorder: Recorder, name: str) -> None:
        self.client = client
        self._recorder = recorder
        self._name = name
        self._number = 0

    def ask(self, method: str, params: object = None, *, id: object = 1) -> Any:
        """One request and all that came until its answer; the result, or None."""
        message: dict[str, object] = {"jsonrpc": "2.0", "id": id, "method": method}
        frames = self.step(f"{method} {json.dumps(params)}", _frame(message | _params(params)))
        body = frames[-1].partition("\r\n\r\n")[2]
        return json.loads(body).get("result") if body else None

    def tell(self, method: str, params: object = None) -> None:
        """A notification, which nobody answers."""
        self.client.send({"jsonrpc": "2.0", "method": method} | _params(params))

    def step(self, name: str, data: bytes, *, answers: int = 1) -> list[str]:
        """Send bytes, and record what comes until there were so many answers, or the connection ended."""
        self.client.send_bytes(data)
        frames: list[str] = []
        while answers:
            frame = self._next()
            frames.append(frame)
            if not frame:
                break
            answers -= '"method":"' not in frame.partition("\r\n\r\n")[2][:80]
        self._add(name, frames)
        return frames

    def listen(self, name: str) -> None:
        """Record what is told until nothing comes for a while; at least one frame is waited for."""
        self._listen(name, PATIENCE_S)

    def listen_in_vain(self, name: str) -> None:
        """The same where it may be that nothing is told, as by a daemon that keeps nothing on disk."""
        self._listen(name, _VAIN_S)

    def _listen(self, name: str, first_s: float) -> None:
        frames: list[str] = []
        try:
            frames.append(self._next(first_s))
            while frames[-1]:
                frames.append(self._next(_SILENCE_S))
        except Silence:
            if first_s == PATIENCE_S and not frames:
                raise
        self._add(name, frames)

    def _next(self, patience_s: float = PATIENCE_S) -> str:
        """The next frame, "" for the end of the connection."""
        deadline = time.monotonic() + patience_s
        while True:
            frame = self.client.next(max(0.01, deadline - time.monotonic()))
            if frame is None:
                return ""
            text = frame.decode("utf-8", "surrogateescape")
            if _AMBIENT not in text:
                return text

    def _add(self, name: str, frames: list[str]) -> None:
        self._number += 1
        self._recorder.add(self._name, f"{self._number:03} {name}", "\n".join(frame or "<end>" for frame in frames))


def record_connections(checkout: Checkout, recorder: Recorder, is_wanted: Wanted) -> None:
    for name, (way, talk) in _CONNECTIONS.items():
        if is_wanted(name):
            checkout.stage.clear()
            _record(checkout, recorder, name, way, talk)
    if is_wanted("by port"):
        checkout.stage.clear()
        _record_by_port(checkout, recorder)


def _record(checkout: Checkout, recorder: Recorder, name: str, way: Way, talk: Talk) -> None:
    growing = Growing(checkout.stage)
    checkout.stage.set_clock(growing.after_s)
    with way(checkout) as client:
        await_rest(client, sessions=1)
        talk(Script(client, recorder, name), growing)


def _record_by_port(checkout: Checkout, recorder: Recorder) -> None:
    """Who comes by TCP has to know the token, and may do less."""
    growing = Growing(checkout.stage)
    checkout.stage.set_clock(growing.after_s)
    with checkout.serving("--tcp", "0", environ=_PACE):
        about = json.loads((checkout.stage.runtime / "recapd.json").read_bytes())
        token = (checkout.stage.runtime / "token").read_text()
        for name, first in (
            ("by port, without a token", ("recapd/discover", {})),
            ("by port, with a wrong token", ("recapd/authenticate", {"token": "wrong"})),
            ("by port", ("recapd/authenticate", {"token": token})),
        ):
            client = client_of_port(about["port"])
            script = Script(client, recorder, name)
            script.ask(*first)
            if name == "by port":
                await_rest(client, sessions=1)
                _strange(script, growing, elsewhere=str(checkout.stage.logs / "demo" / "session.jsonl"))
            else:
                script.listen("after it")
            client.close()


# ---- what is said


def _plain(script: Script, growing: Growing) -> None:
    """A client that skips `initialize`."""
    script.ask("recapd/discover", {})
    script.ask("recapd/discover", {"protocolVersions": ["1999-01-01"]})
    script.ask("recapd/discover", {"required": ["recap/get", "no/such"]})
    listed = script.ask("session/list", {})
    session = {"id": listed["sessions"][0]["id"]}
    settle = {"quietMs": _QUIET_MS, "maxMs": 20_000}
    script.ask("recap/subscribe", {"subscriptionId": "all", "selector": {"all": True}, "settle": settle})
    script.ask("recap/subscribe", {"subscriptionId": "none", "selector": {"session": {"id": "no:such"}}})
    recap = script.ask("recap/get", {"session": session})
    script.ask("recap/get", {"session": session, "knownRevision": recap["revision"]})
    script.ask("recap/acknowledge", {"session": session, "consumer": "panel", "cursor": recap["cursor"]})
    _grow(script, growing, session)
    script.ask("recap/get", {"session": session, "since": {"consumer": "panel"}, "format": "full"})
    script.ask("recap/get", {"session": session, "format": "timeline"})
    script.ask("recap/acknowledge", {"session": session, "consumer": "panel", "cursor": "t0.0"})
    script.ask("recap/acknowledge", {"session": session, "consumer": "panel", "cursor": "nonsense"})
    script.ask("recap/subscribe", {"subscriptionId": "shop", "selector": {"workspace": str(growing.workspace)}})
    _judge(script, session)
    script.ask("summary/create", {"session": session})
    script.listen_in_vain("told of the summary")
    script.ask("summary/create", {"session": session, "model": "some-model"})
    script.listen_in_vain("told of the summary that no model wrote")
    script.ask("summary/list", {"session": session})
    script.ask("history/get", {"session": session})
    script.ask("session/overview", {})
    script.ask("recapd/watch", {})
    script.ask("config/get", {})
    script.ask("recap/unsubscribe", {"subscriptionId": "shop"})
    script.ask("recap/unsubscribe", {"subscriptionId": "shop"})
    _say_wrong_things(script, session)
    _rewrite(script, growing)


def _grow(script: Script, growing: Growing, session: dict[str, str]) -> None:
    step = 0
    while not growing.is_over:
        step += 1
        lines = growing.take(4)
        if step == 3:
            # Half a line is no news; its other half is.
            half = len(lines) - 60
            append(growing.path, lines[:half])
            script.listen(f"told of step {step}, the last line of which is torn")
            lines = lines[half:]
        append(growing.path, lines)
        script.listen(f"told of step {step}")
        script.ask("recap/get", {"session": session, "format": "short"})
        script.ask("decisions/list", {"session": session, "includeTentative": True})
        script.ask("session/list", {})


def _judge(script: Script, session: dict[str, str]) -> None:
    """The user's word on a decision, and what is told of it."""
    decisions = script.ask("decisions/list", {"session": session, "includeTentative": True})["decisions"]
    named = {"session": session, "id": decisions[0]["id"]}
    script.ask("decisions/dismiss", {**named, "reason": "none at all"})
    script.listen_in_vain("told of the dismissal")
    script.ask("decisions/list", {"session": session})
    script.ask("decisions/list", {"session": session, "includeDismissed": True})
    script.ask("decisions/confirm", named)
    script.listen_in_vain("told of the confirmation")
    script.ask("decisions/confirm", {"session": session, "id": "d-none"})
    script.ask("recap/get", {"session": session, "format": "decisions"})


def _say_wrong_things(script: Script, session: dict[str, str]) -> None:
    for method, params in (
        ("no/such", {}),
        ("recap/didChange", {}),
        ("recap/get", {"format": 7}),
        ("recap/get", {"format": "long"}),
        ("recap/get", {"session": {"id": "no:such"}}),
        ("recap/get", {"session": {}}),
        ("recap/get", {"session": {"id": "a", "log": "b"}}),
        ("recap/get", {"session": {"log": "/no/such.jsonl"}}),
        ("recap/get", {"session": {"log": "a\0b"}}),
        ("recap/get", {"session": session, "maxTokens": 0}),
        ("recap/get", {"session": session, "atTurn": 99}),
        ("recap/get", {"session": session, "since": {"time": "yesterday"}}),
        ("recap/get", {"session": session, "since": {"cursor": "nonsense"}}),
        ("recap/get", {"session": session, "since": {"turn": 1, "time": "2026-01-01T00:00:00Z"}}),
        ("recap/get", ["short"]),
        ("context/assemble", {"session": session}),
        ("context/assemble", {"session": session, "maxTokens": 500, "include": ["request", "no such"]}),
        ("context/assemble", {"session": session, "maxTokens": 500, "preset": "no such"}),
        ("decisions/list", {"session": session, "cursor": "nonsense"}),
        ("decisions/list", {"session": session, "minConfidence": 7}),
        ("files/list", {"session": session, "cursor": "nonsense"}),
        ("session/list", {"limit": 0}),
        ("session/list", {"cursor": "nonsense"}),
        ("session/overview", {"limit": 1_000}),
        ("session/forget", {}),
        ("summary/digest", {"session": session, "maxTokens": 200, "model": "some-model"}),
        ("ref/resolve", {"ref": _ref("file:///etc/hostname")}),
        ("ref/resolve", {"ref": {"source": 1}}),
        ("textDocument/hover", {}),
        ("workspace/symbol", {"query": ""}),
    ):
        script.ask(method, params)
    for name, body in (
        ("no JSON", b"{"),
        ("no object", b"7"),
        ("a batch", b'[{"jsonrpc":"2.0","id":1,"method":"recapd/discover"}]'),
        ("no version", b'{"id":1,"method":"recapd/discover"}'),
        ("no method", b'{"jsonrpc":"2.0","id":1}'),
        ("an odd id", b'{"jsonrpc":"2.0","id":{},"method":"recapd/discover"}'),
        ("no text", b'{"jsonrpc":"2.0","id":1,"method":"\xff"}'),
    ):
        script.step(name, framed(body))
    script.tell("no/such", {})
    script.tell("$/cancelRequest", {"id": 77})
    script.listen_in_vain("after a notification that nobody knows")
    asked = _frame({"jsonrpc": "2.0", "id": 5, "method": "session/export", "params": {"session": session}})
    script.step("cancelled at once", asked + _frame(_cancel(5)))
    twice = _frame({"jsonrpc": "2.0", "id": "t", "method": "session/export", "params": {"session": session}})
    script.step("an id that is used already", twice + twice, answers=2)


def _rewrite(script: Script, growing: Growing) -> None:
    """A second log comes, the first is deleted."""
    put(growing.path.with_name("two.jsonl"), growing.other())
    script.listen("told of another log")
    script.ask("session/list", {})
    growing.path.unlink()
    script.listen("told of a deleted log")
    script.ask("session/list", {})
    script.ask("session/overview", {})
    script.ask("recapd/shutdown", {"reason": "the script is over"})
    script.listen("told of the end")


def _editor(script: Script, growing: Growing) -> None:
    """A client that speaks LSP."""
    script.ask("workspace/symbol", {"query": ""}, id=1)
    folder = {"uri": growing.workspace.as_uri(), "name": "shop"}
    block = {"protocolVersions": ["2026-11-16"], "features": ["subscriptions"]}
    about = {"processId": None, "rootUri": growing.workspace.as_uri(), "workspaceFolders": [folder]}
    script.ask("initialize", {**about, "capabilities": {"experimental": {"recapd": {"protocolVersions": ["1"]}}}})
    script.ask("initialize", {"capabilities": 7})
    script.ask("initialize", {**about, "capabilities": {"experimental": {"recapd": block}}}, id="i")
    script.tell("initialized", {})
    script.ask("initialize", {**about, "capabilities": {}})
    script.ask("workspace/symbol", {"query": ""})
    script.ask("workspace/symbol", {"query": "redis"})
    script.ask("workspace/executeCommand", {"command": "recapd.showRecap"})
    script.ask("workspace/executeCommand", {"command": "recapd.copyContext", "arguments": []})
    script.ask("workspace/executeCommand", {"command": "no.such"})
    script.ask("recap/get", {"format": "full"})
    append(growing.path, growing.take(100))
    _await_turns(script, 2)
    script.ask("recap/get", {"format": "full"})
    script.ask("workspace/symbol", {"query": "redis"})
    elsewhere = {"uri": growing.workspace.parent.joinpath("elsewhere").as_uri(), "name": "elsewhere"}
    script.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [elsewhere], "removed": [folder]}})
    script.ask("recap/get", {"format": "short"})
    script.ask("textDocument/hover", {})
    script.ask("shutdown")
    script.ask("recap/get", {})
    script.tell("exit")
    script.listen("after exit")


def _bare_editor(script: Script, growing: Growing) -> None:
    """An editor without an extension of recapd's."""
    script.ask("initialize", {"processId": None, "rootUri": growing.workspace.as_uri(), "capabilities": {}})
    script.tell("initialized", {})
    script.step(
        "workspace/executeCommand recapd.showRecap",
        _frame(
            {
                "jsonrpc": "2.0",
                "id": 1,
                "method": "workspace/executeCommand",
                "params": {"command": "recapd.showRecap"},
            }
        ),
    )
    script.ask("shutdown")
    script.tell("exit")
    script.listen("after exit")


def _broken_header(script: Script, growing: Growing) -> None:
    script.step("a header that is none", b"Hello: there\r\n\r\n{}", answers=1)
    script.listen("after it")


def _too_long(script: Script, growing: Growing) -> None:
    script.step("a frame that is too long", b"Content-Length: 99999999999\r\n\r\n", answers=1)
    script.listen("after it")


def _strange(script: Script, growing: Growing, elsewhere: str) -> None:
    """A client that is trusted less."""
    script.ask("recapd/discover", {})
    script.ask("recapd/discover", {"roots": [{"path": "/tmp"}]})
    script.ask("session/list", {})
    script.ask("recap/get", {})
    script.ask("recap/get", {"session": {"log": str(growing.path)}})
    script.ask("recap/get", {"session": {"log": elsewhere}})
    script.ask("ref/resolve", {"ref": _ref("file:///etc/hostname")})
    script.ask("recapd/watch", {})
    script.ask("recapd/watch", {"workspace": str(growing.workspace)})
    script.ask("recapd/authenticate", {"token": "again"})


def _forget(script: Script, growing: Growing) -> None:
    """What is kept, forgotten and remembered."""
    session = {"id": script.ask("session/list", {})["sessions"][0]["id"]}
    script.ask("session/forget", {"session": session})
    script.ask("session/list", {})
    script.ask("recap/get", {"session": session})
    script.ask("session/remember", {"session": {"id": "no:such"}})
    script.ask("session/remember", {"session": session})
    await_rest(script.client, sessions=1)
    script.ask("session/list", {})
    script.ask("recap/get", {"session": session})


def _await_turns(script: Script, turns: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while script.client.result("recap/get", {})["recap"]["stats"]["turns"] < turns:
        if time.monotonic() > deadline:
            raise AssertionError("the log was not read on")
        time.sleep(0.05)
    await_rest(script.client)


def _params(params: object) -> dict[str, object]:
    return {} if params is None else {"params": params}


def _frame(message: object) -> bytes:
    return framed(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode())


def _cancel(id: object) -> object:
    return {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": id}}


def _ref(source: str) -> dict[str, object]:
    return {"source": source, "generation": "0" * 16, "line": 1, "byteOffset": 0, "byteLength": 10}


# ---- ways to connect


@contextmanager
def _by_socket(checkout: Checkout) -> Iterator[Client]:
    with checkout.client(environ=_PACE) as client:
        yield client


@contextmanager
def _by_stdio(checkout: Checkout) -> Iterator[Client]:
    with checkout.talking("serve", "--stdio", environ=_PACE) as client:
        yield client


@contextmanager
def _by_connect(checkout: Checkout) -> Iterator[Client]:
    with checkout.serving(environ=_PACE), checkout.talking("connect", environ=_PACE) as client:
        yield client


# Summaries are made when they are asked for: when one is made by itself depends on the machine.
_PACE = {"RECAPD_SUMMARY_ENABLED": "false"}

Way: TypeAlias = Callable[[Checkout], Any]

_CONNECTIONS: dict[str, tuple[Way, Talk]] = {
    "plain by socket": (_by_socket, _plain),
    "plain by stdio": (_by_stdio, _plain),
    "plain by connect": (_by_connect, _plain),
    "editor by socket": (_by_socket, _editor),
    "editor by stdio": (_by_stdio, _editor),
    "editor by connect": (_by_connect, _editor),
    "bare editor by socket": (_by_socket, _bare_editor),
    "broken header by socket": (_by_socket, _broken_header),
    "broken header by stdio": (_by_stdio, _broken_header),
    "too long by socket": (_by_socket, _too_long),
    "forgotten by socket": (_by_socket, _forget),
    "forgotten by stdio": (_by_stdio, _forget),
}
