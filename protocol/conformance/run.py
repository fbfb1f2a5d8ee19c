"""Puts a client of recapd through the transcripts beside this file. Stdlib only.

    python run.py --transport stdio|socket|connect      the client in this file, which speaks frames itself
    python run.py -- COMMAND [ARGUMENT …]               any client, by a small program that drives it

For each transcript there is a home of its own with the logs it names, and the client is started anew in it: HOME,
RECAPD_RUNTIME_DIR and RECAPD_STATE_DIR say where, RECAPD_COMMAND is the command that starts recapd. A driver
reads one JSON object a line from stdin and answers each with one line on stdout:

    {"method": "recap/get", "params": {…}}   →   {"result": …} or {"error": {"code", "message", "data"}}
    {"wait": "recap/didChange"}              →   {"params": …} of the next notification of that name

When stdin ends it closes its connection and ends. `README.md` says what the transcripts mean.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO, Any, TypeAlias

Json: TypeAlias = Any

TRANSCRIPTS = Path(__file__).parent / "transcripts"
PATIENCE_S = float(os.environ.get("RECAPD_CONFORMANCE_PATIENCE_S", "30"))
_PAUSE_S = 0.05


class Mismatch(Exception):
    """What came is not what the transcript says."""


# ---- transcripts


def play(transcript: Json, client: Client, home: Path) -> None:
    """Every step in its order; Mismatch at the first that goes otherwise."""
    known: dict[str, Json] = {"HOME": str(home)}
    for number, step in enumerate(transcript["steps"], 1):
        try:
            _play_step(step, client, home, known)
        except Mismatch as error:
            raise Mismatch(f"step {number} ({_name_of(step)}): {error}") from None


def _play_step(step: Json, client: Client, home: Path, known: dict[str, Json]) -> None:
    if "append" in step:
        _write(home, {step["append"]: step["lines"]})
        return
    if "delete" in step:
        (home / step["delete"]).unlink()
        return
    if "wait" in step:
        match({"params": step["params"]}, client.ask({"wait": step["wait"]}), known)
        return
    deadline = time.monotonic() + PATIENCE_S
    while True:
        answer = client.ask({"method": step["method"], "params": _filled(step.get("params", {}), known)})
        expected = {key: step[key] for key in ("result", "error") if key in step}
        try:
            match(expected, answer, known)
            return
        except Mismatch:
            # Logs are followed, not awaited: what is asked too early is asked again.
            if not step.get("until") or time.monotonic() > deadline:
                raise
        time.sleep(_PAUSE_S)


def _name_of(step: Json) -> str:
    return str(step.get("method") or next(iter(step)))


def match(expected: Json, found: Json, known: dict[str, Json], where: str = "answer") -> None:
    """An object may have more fields than expected, an array not more elements; `$…` says more, see README.md."""
    if isinstance(expected, dict) and len(expected) == 1 and next(iter(expected)).startswith("$"):
        _match_special(*next(iter(expected.items())), found, known, where)
    elif isinstance(expected, dict):
        if not isinstance(found, dict):
            raise Mismatch(f"{where} is {_shown(found)}, not an object")
        for name, inner in expected.items():
            if name not in found:
                raise Mismatch(f"{where} has no {name}: {_shown(found)}")
            match(inner, found[name], known, f"{where}.{name}")
    elif isinstance(expected, list):
        if not isinstance(found, list) or len(found) != len(expected):
            raise Mismatch(f"{where} is {_shown(found)}, not an array of {len(expected)}")
        for index, inner in enumerate(expected):
            match(inner, found[index], known, f"{where}[{index}]")
    elif _filled(expected, known) != found or isinstance(expected, bool) != isinstance(found, bool):
        raise Mismatch(f"{where} is {_shown(found)}, not {_shown(_filled(expected, known))}")


def _match_special(word: str, argument: Json, found: Json, known: dict[str, Json], where: str) -> None:
    kinds: dict[str, type | tuple[type, ...]] = {
        "string": str,
        "number": (int, float),
        "boolean": bool,
        "array": list,
        "object": dict,
    }
    if word == "$keep":
        known[argument] = found
    elif word == "$any":
        if not isinstance(found, kinds[argument]):
            raise Mismatch(f"{where} is {_shown(found)}, not a {argument}")
    elif word == "$has":
        if not any(_fits(argument, each, known) for each in found):
            raise Mismatch(f"{where} has no element like {_shown(argument)}: {_shown(found)}")
    elif word == "$contains":
        if not isinstance(found, str) or _filled(argument, known) not in found:
            raise Mismatch(f"{where} does not contain {_shown(argument)}: {_shown(found)}")
    elif word == "$not":
        if _fits(argument, found, known):
            raise Mismatch(f"{where} must not be {_shown(found)}")
    elif word == "$above":
        if not found > _filled(argument, known):
            raise Mismatch(f"{where} is {_shown(found)}, not above {_shown(_filled(argument, known))}")
    else:
        raise ValueError(f"the transcript says {word}, which this runner does not know")


def _fits(expected: Json, found: Json, known: dict[str, Json]) -> bool:
    try:
        match(expected, found, known)
    except Mismatch:
        return False
    return True


def _filled(value: Json, known: dict[str, Json]) -> Json:
    """`${name}` alone becomes what was kept under that name; inside a string, its text."""
    if isinstance(value, dict):
        return {name: _filled(inner, known) for name, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, known) for inner in value]
    if not isinstance(value, str):
        return value
    for name, kept in known.items():
        if value == f"${{{name}}}":
            return kept
        if isinstance(kept, str):
            value = value.replace(f"${{{name}}}", kept)
    return value


def _shown(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 600 else text[:600] + "…"


def _write(home: Path, files: dict[str, list[Json]]) -> None:
    for name, lines in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines))


# ---- clients


class Client:
    """A driver: one line in, one line out."""

    def __init__(self, command: list[str], environ: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ, start_new_session=True
        )
        assert self._process.stdout is not None
        self._answers: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=_read_lines, args=(self._process.stdout, self._answers), daemon=True).start()

    def ask(self, question: Json) -> Json:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(question).encode() + b"\n")
            self._process.stdin.flush()
            line = self._answers.get(timeout=PATIENCE_S)
        except (OSError, queue.Empty):
            raise Mismatch(f"no answer to {_shown(question)}") from None
        if not line:
            raise Mismatch(f"the client ended instead of answering {_shown(question)}")
        return json.loads(line)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            raise Mismatch("the client does not end when its stdin does") from None


def _read_lines(stream: IO[bytes], answers: queue.Queue[bytes]) -> None:
    for line in stream:
        answers.put(line)
    answers.put(b"")


def drive(transport: str) -> None:
    """The driver of this file's own client: frames as the specification has them, and nothing else."""
    reading, writing = _connected(transport)
    waiting: list[Json] = []
    last_id = 0
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        if "wait" in asked:
            told = _next(waiting, reading, ("method", asked["wait"]))
            answer = {"params": told["params"]}
        else:
            last_id += 1
            body = json.dumps({"jsonrpc": "2.0", "id": last_id, "method": asked["method"], "params": asked["params"]})
            writing.write(b"Content-Length: %d\r\n\r\n%s" % (len(body.encode()), body.encode()))
            writing.flush()
            message = _next(waiting, reading, ("id", last_id))
            answer = {key: message[key] for key in ("result", "error") if key in message}
        _say(json.dumps(answer))


def _connected(transport: str) -> tuple[IO[bytes], IO[bytes]]:
    recapd = shlex.split(os.environ["RECAPD_COMMAND"])
    if transport == "socket":
        told = subprocess.run([*recapd, "sockname", "--start"], stdout=subprocess.PIPE, check=True).stdout
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(json.loads(told)["socket"])
        return connection.makefile("rb"), connection.makefile("wb")
    arguments = ["connect"] if transport == "connect" else ["serve", "--stdio"]
    process = subprocess.Popen([*recapd, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdin is not None
    return process.stdout, process.stdin


def _next(waiting: list[Json], reading: IO[bytes], wanted: tuple[str, Json]) -> Json:
    """The first message with that field; others wait for their turn."""
    name, value = wanted
    for index, message in enumerate(waiting):
        if message.get(name) == value:
            return waiting.pop(index)
    while True:
        size = 0
        while (header := reading.readline()) not in (b"\r\n", b""):
            field, _, number = header.partition(b":")
            if field.lower() == b"content-length":
                size = int(number)
        if not size:
            raise SystemExit("recapd closed the connection")
        message = json.loads(reading.read(size))
        if message.get(name) == value:
            return message
        waiting.append(message)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


# ---- the whole


def run_one(transcript: Json, command: list[str], recapd: str) -> str:
    """What went wrong in one transcript; "" where nothing did."""
    with tempfile.TemporaryDirectory(prefix="recapd-") as folder:
        home = Path(folder).resolve()
        _write(home, transcript["files"])
        environ = {name: value for name, value in os.environ.items() if not name.startswith(("RECAPD_", "XDG_"))}
        environ |= {
            "HOME": str(home),
            "RECAPD_RUNTIME_DIR": str(home / "run"),
            "RECAPD_STATE_DIR": str(home / "state"),
            "RECAPD_COMMAND": recapd,
        }
        client = Client(command, environ)
        try:
            try:
                play(transcript, client, home)
            finally:
                client.close()
        except Mismatch as error:
            return str(error)
        finally:
            subprocess.run([*shlex.split(recapd), "down"], env=environ, capture_output=True, check=False)
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--transport", choices=("stdio", "socket", "connect"), default="connect")
    parser.add_argument("--recapd", default=os.environ.get("RECAPD_COMMAND", "recapd"), help="the command to start")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this transcript, not all")
    parser.add_argument("--drive", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("client", nargs="*", metavar="COMMAND", help="a driver of the client to be tried")
    options = parser.parse_args()
    if options.drive:
        drive(options.transport)
        return 0
    command = options.client or [sys.executable, __file__, "--drive", "--transport", options.transport]
    has_store = bool(options.client) or options.transport != "stdio"
    failed = 0
    for path in sorted(TRANSCRIPTS.glob("*.json")):
        if options.only and path.stem not in options.only:
            continue
        transcript = json.loads(path.read_text(encoding="utf-8"))
        if transcript.get("needs") == "store" and not has_store:
            _say(f"left out {path.stem}: a recapd with one client on stdio keeps nothing on disk")
            continue
        wrong = run_one(transcript, command, options.recapd)
        failed += bool(wrong)
        _say(f"{'not ok' if wrong else 'ok'} {path.stem}{': ' + wrong if wrong else ''}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
