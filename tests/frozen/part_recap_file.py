"""`_recap.md` in a folder that is watched: what is written, when the conversation goes on, and who may own the file."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from tests.frozen.checkouts import Checkout, await_rest
from tests.frozen.frames import PATIENCE_S, Client, client_of_socket
from tests.frozen.made_up import Growing
from tests.frozen.recording import Recorder, Wanted
from tests.frozen.stage import append, put

# The file is written soon after the log was, and the script waits several times as long for nothing more to come.
_PACE = {"RECAPD_RECAP_FILE_QUIET_S": "0.1", "RECAPD_RECAP_FILE_MAX_S": "0.5", "RECAPD_SUMMARY_ENABLED": "false"}
_STEADY_S = 1.0


def record_recap_file(checkout: Checkout, recorder: Recorder, is_wanted: Wanted) -> None:
    growing = Growing(checkout.stage)
    checkout.stage.set_clock(growing.after_s)
    file = growing.workspace / "_recap.md"
    with checkout.serving(environ=_PACE) as path:
        client = client_of_socket(path)
        await_rest(client, sessions=1)
        steps = _Steps(checkout, recorder, client, file)
        steps.command("watch", str(growing.workspace))
        steps.command("watch", "--list")
        while not growing.is_over:
            _append_and_wait(client, growing)
            steps.look("the log went on")
        put(growing.path.with_name("two.jsonl"), growing.other())
        await_rest(client, sessions=2)
        steps.look("another session in the folder")
        file.unlink()
        steps.command("watch", str(growing.workspace))
        steps.look("the file was removed")
        steps.command("unwatch", str(growing.workspace))
        steps.command("unwatch", str(growing.workspace))
        put(file, b"# Notes of my own\n")
        steps.command("watch", str(growing.workspace))
        steps.look("a file of somebody else")
        (growing.workspace / ".git" / "info").mkdir(parents=True)
        file.unlink()
        steps.command("watch", str(growing.workspace))
        steps.command("watch", "--exclude", str(growing.workspace))
        recorder.add("files", ".git/info/exclude", (growing.workspace / ".git" / "info" / "exclude").read_text())
        client.close()
    steps.look("the daemon has ended")


class _Steps:
    def __init__(self, checkout: Checkout, recorder: Recorder, client: Client, file: Path) -> None:
        self._checkout = checkout
        self._recorder = recorder
        self._client = client
        self._file = file

    def command(self, *arguments: str) -> None:
        done = self._checkout.run(*arguments)
        answer = {"exit": done.returncode, "stdout": done.stdout.decode(), "stderr": done.stderr.decode()}
        self._recorder.add("commands", " ".join(arguments), json.dumps(answer, ensure_ascii=False))
        self.look("after " + " ".join(arguments))

    def look(self, name: str) -> None:
        """The file as it is once nobody changes it any more."""
        seen, since = _stamp(self._file), time.monotonic()
        while time.monotonic() - since < _STEADY_S:
            time.sleep(0.05)
            if (now := _stamp(self._file)) != seen:
                seen, since = now, time.monotonic()
        if seen is None:
            self._recorder.add("files", name, "no file")
            return
        mode = oct(self._file.stat().st_mode & 0o777)
        others = sorted(path.name for path in self._file.parent.iterdir())
        self._recorder.add("files", name, f"{mode} {others}\n{self._file.read_text()}")


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _append_and_wait(client: Client, growing: Growing) -> None:
    before = _read_bytes(client)
    append(growing.path, growing.take(4))
    deadline = time.monotonic() + PATIENCE_S
    while _read_bytes(client) == before:
        if time.monotonic() > deadline:
            raise AssertionError("the log was not read on")
        time.sleep(0.05)


def _read_bytes(client: Client) -> int:
    roots = client.result("recapd/status", {"limit": 1})["roots"]
    return sum(int(root["parsedBytes"]) for root in roots)
