"""The program: reads what the agent says, asks and tells the daemon in one go, writes the answer, is gone."""

from __future__ import annotations

import json
import os
import time

from recapd.bridges.deadline import end
from recapd.bridges.hook.events import answer_json, question_of, signal_of
from recapd.bridges.quick import LONGEST_S, ask_all, read_input
from recapd.client.errors import ClientError
from recapd.client.find import reach_bare
from recapd.client.paths import ORIENTATIONS, places

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket

    from recapd.bridges.quick import Json

_LONGEST_KEPT = 1 << 20
# What is written into a log is read within this time; a turn that was just summarized has it to spare.
_READ_WITHIN_S, _AGAIN_S = 0.2, 0.02
_SHELLS = ("sh", "bash", "dash", "zsh", "fish")


def run(arguments: list[str]) -> int:
    """`EVENT [--agent NAME]`. Always 0: a hook that fails would stop the agent, or bother its user."""
    try:
        event, agent = arguments[0], arguments[2] if arguments[1:2] == ["--agent"] else "claude-code"
        given = read_input()
        if isinstance(given, dict):
            given["hook_event_name"] = event
            _answer(event, given, agent)
    except Exception:
        # Nothing of ours is worth an error in somebody's session.
        end()
    end()


def _answer(event: str, given: Json, agent: str) -> None:
    question = question_of(given, agent)
    told = signal_of(given, agent, at=_now(), pid=_agent_pid() if event == "SessionStart" else 0)
    if question is None and told is None:
        return
    where = places()
    try:
        reached = reach_bare(where, timeout_s=LONGEST_S)
    except ClientError:
        return
    if reached is None:
        if question is not None and question["moment"] == "started":
            _say(event, _kept_for(question.get("workspace") or "", os.path.join(where.state_dir, ORIENTATIONS)))
        from recapd.client.start import start_later

        start_later(where)
        return
    address, connection = reached
    asked: list[tuple[str, Json]] = []
    if question is not None:
        asked.append(("hook/answer", question))
    if told is not None:
        asked.append(("session/signal", told))
    if event == "SessionStart":
        from recapd.client.agents import roots_here

        # Where this agent keeps its logs may be known to its own environment alone.
        asked.append(("recapd/discover", {"roots": roots_here(address.port)}))
    if question is not None and question["moment"] == "compacted":
        _say(event, _told_once_read(connection, asked))
        return
    # What is told must have been taken before this process is gone, unless an answer was waited for meanwhile.
    (found,) = ask_all(connection, asked, wait_for=1)
    if question is not None:
        _say(event, _text_of(found))


def _told_once_read(connection: _socket.socket, asked: list[tuple[str, Json]]) -> str:
    """The answer to the first, which may go by a summary that the agent wrote into its log a moment ago."""
    text = _text_of(ask_all(connection, asked, wait_for=len(asked))[0])
    ends = time.monotonic() + _READ_WITHIN_S
    while not text and time.monotonic() < ends:
        time.sleep(_AGAIN_S)
        text = _text_of(ask_all(connection, asked[:1], wait_for=1)[0])
    return text


def _text_of(found: object) -> str:
    return str(found.get("text") or "") if isinstance(found, dict) else ""


def _say(event: str, text: str) -> None:
    said = answer_json(event, text) if text else ""
    if said:
        os.write(1, said.encode("utf-8", "replace") + b"\n")


def _kept_for(workspace: str, path: str) -> str:
    """What a daemon left for the time when there is none: by folder, what a new session there is told, and until
    when."""
    from recapd.client.private import read_private

    try:
        kept = json.loads(read_private(path, most=_LONGEST_KEPT))[workspace]
        return str(kept["text"]) if _now() < kept["until"] else ""
    except (OSError, ValueError, KeyError, TypeError, ClientError):
        return ""


def _now() -> str:
    now = time.time()
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(now))}.{int(now % 1 * 1000):03d}Z"


def _agent_pid() -> int:
    """The process that started this one, or the shell that did; 0 where nobody says."""
    pid = os.getppid()
    for _ in range(2):
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                name, _, rest = file.read().partition(b"(")[2].rpartition(b")")
        except OSError:
            return 0
        if name.decode("ascii", "replace") not in _SHELLS:
            return pid
        pid = int(rest.split()[1])
    return 0
