"""`recapd demo`: a made-up session played live into a folder of its own, with a daemon of its own watching it.

    session.jsonl ──line by line──▶ <folder>/logs/… ◀──watches── daemon ──recap/didChange──▶ this process ──▶ terminal
                                                                    └──▶ <folder>/shop/_recap.md
Nothing of the user's is read or written, and nothing is left behind.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from recapd.cli.markdown import render_lines, render_markdown
from recapd.cli.terminal import has_colours, screen_width, tell
from recapd.client.call import Connection
from recapd.client.errors import CallError
from recapd.client.paths import Places
from recapd.client.start import ask_to_end, connect_to
from recapd.wire.types import RecapGetResult

LOG = Path(__file__).parent.parent / "demo" / "session.jsonl"
# The folder that the made-up session worked in.
_PLAYED_CWD = "/home/demo/shop"
# Slow enough to read along, and the whole of it well below a minute. A call's result follows at once, as most do.
_LINE_S, _CALL_S = 1.0, 0.2
# The daemon settles and answers within this, or the demo goes on without.
_LAST_CHANGE_S = 15.0
# Longer than a call takes here: what was done is told, not what is being done.
_QUIET_MS, _MAX_MS = 300, 900


def demo_command(args: argparse.Namespace) -> int:
    return play(speed=args.speed)


def play(*, speed: float = 1.0) -> int:
    # Not TMPDIR: on macOS that is long, and a socket's path has to be short.
    with tempfile.TemporaryDirectory(prefix="recapd-demo-", dir="/tmp") as name:
        folder = Path(name).resolve()
        workspace, log = folder / "shop", folder / "logs" / "demo" / "session.jsonl"
        workspace.mkdir()
        log.parent.mkdir(parents=True)
        _tell(
            "This is a demo: a made-up session with a coding agent, played live.",
            f"An agent would write its log like this one, {log}, and recapd follows it.",
            "",
        )
        address, connection = connect_to(_places(folder), argv=_argv(folder, workspace))
        daemon = Connection(connection)
        try:
            recap = _follow(daemon, log, list(_lines(workspace)), speed=speed)
        finally:
            # Also writes what was not yet written to _recap.md.
            ask_to_end(address, connection, reason="the demo is over")
        _show_end(recap, workspace)
    return 0


def _places(folder: Path) -> Places:
    return Places(str(folder / "run"), str(folder / "state"))


def _argv(folder: Path, workspace: Path) -> list[str]:
    serve = [sys.executable, "-m", "recapd", "serve", "--socket"]
    # Should this process be killed, its daemon does not stay for long.
    return [*serve, "--root", str(folder / "logs"), "--recap-file-in", str(workspace), "--idle", "30"]


def _lines(workspace: Path) -> Iterator[bytes]:
    """The session's lines as if it happened now, in the demo's folder."""
    for line in LOG.read_text(encoding="utf-8").splitlines():
        yield line.replace(_PLAYED_CWD, str(workspace)).encode()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _stamped(line: bytes, at: str) -> bytes:
    record = json.loads(line)
    record["timestamp"] = at
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _follow(daemon: Connection, log: Path, lines: list[bytes], *, speed: float) -> RecapGetResult | None:
    """Write the log line by line, and tell what changes in the recap as the daemon notices it."""
    settle = {"quietMs": int(_QUIET_MS / speed), "maxMs": int(_MAX_MS / speed)}
    daemon.call("recap/subscribe", {"subscriptionId": "demo", "selector": {"all": True}, "settle": settle})
    started = time.monotonic()
    recap: RecapGetResult | None = None
    for line, following in zip(lines, [*lines[1:], b""], strict=True):
        with log.open("ab") as file:
            file.write(_stamped(line, at := _now()))
        written = time.monotonic()
        pause_s = (_CALL_S if b'"tool_use"' in line else _LINE_S) / speed if following else 0.0
        is_turn_over = not following or _is_prompt(following)
        while True:
            # However slow the machine is: a turn is told before the next one begins.
            is_awaited = is_turn_over and not _waits_since(recap, at)
            left = written + (_LAST_CHANGE_S if is_awaited else pause_s) - time.monotonic()
            if left <= 0:
                break
            heard = daemon.next_notification(left)
            if heard is None or heard[0] != "recap/didChange":
                continue
            before, recap = recap, _recap(daemon, log) or recap
            sys.stderr.write("".join(line + "\n" for line in _news(before, recap, at_s=time.monotonic() - started)))
    return recap


def _is_prompt(line: bytes) -> bool:
    return b'"type":"user"' in line and b'"tool_result"' not in line


def _waits_since(recap: RecapGetResult | None, at: str) -> bool:
    """Whether the daemon has seen that the agent was done by then."""
    if recap is None:
        return False
    state = recap.recap.state
    return state.status == "waiting" and (state.since or "") >= at


def _recap(daemon: Connection, log: Path) -> RecapGetResult | None:
    try:
        result = daemon.call("recap/get", {"session": {"log": str(log)}, "format": "short"})
        return msgspec.convert(result, RecapGetResult)
    except CallError:
        return None


def _news(before: RecapGetResult | None, after: RecapGetResult | None, *, at_s: float) -> list[str]:
    """The lines of a recap that the one before did not have."""
    if after is None:
        return []
    known = set(before.markdown.splitlines()) if before is not None else set()
    fresh = [line for line in after.markdown.splitlines() if line not in known]
    lead = f"{at_s:5.1f} s  "
    told = "\n".join(fresh)
    shown = told.split("\n")
    if sys.stderr.isatty():
        shown = render_lines(told, width=screen_width() - len(lead), has_colours=has_colours(sys.stderr))
    told_lines = [line for line in shown if line.strip()]
    return [(lead if not number else " " * len(lead)) + line for number, line in enumerate(told_lines)]


def _show_end(recap: RecapGetResult | None, workspace: Path) -> None:
    if recap is not None:
        _tell("", "The session has come to a question for you. Where it stands, as you see it with: recapd recap", "")
        sys.stdout.write(render_markdown(sys.stdout, recap.markdown) + "\n")
        sys.stdout.flush()
    written = workspace / "_recap.md"
    if written.is_file():
        _tell("", f"recapd also wrote {written}, for you and for the agent's next session:", "")
        sys.stdout.write(render_markdown(sys.stdout, written.read_text(encoding="utf-8").rstrip()) + "\n")
        sys.stdout.flush()
    _tell("", "The demo is over and has left nothing behind. With logs of your own: recapd up")


def _tell(*lines: str) -> None:
    for line in lines:
        tell(line)
