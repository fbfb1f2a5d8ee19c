"""Programs of the same user that ask too much: of connections, descriptors, threads, memory and folders. recapd goes on
serving the others, says in a sentence what it refuses, and gives back what it took."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from recapd.client import frames
from recapd.client.errors import CallError
from recapd.server.transport.accepting import MOST_CLIENTS
from recapd.server.transport.frames import MOST_BYTES
from recapd.server.transport.limits import DEFAULT_LIMITS
from recapd.wire.errors import LIMIT_EXCEEDED
from tests.attack.figures import tell_figures
from tests.attack.users import two_users
from tests.support.clock import PATIENCE_S
from tests.support.daemons import Home
from tests.support.logs import agent, claude_log, edit, human
from tests.support.processes import DaemonProcess, daemon_process, until

pytestmark = [
    pytest.mark.attack,
    pytest.mark.timeout(300),
    pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning"),
]

SESSION = "5e551011-c0de-4a11-8000-000000000001"
ASKED = {"session": {"id": f"claude-code:{SESSION}"}}
LONG = "5e551011-c0de-4a11-8000-000000000009"
PAGE: dict[str, object] = {"session": {"id": f"claude-code:{LONG}"}, "full": True}
MB = 1 << 20
# What all that clients may make recapd hold costs besides its own size: the interpreter, copies on the way.
ROOM_MB = 2 * MOST_BYTES // MB + 32
# What may be left of it afterwards.
LEFT_MB = 48


class Neighbour:
    """A connection of somebody who keeps to no rule."""

    def __init__(self, home: Home) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(home.places.socket)
        self._socket.settimeout(PATIENCE_S)
        self._buffer = bytearray()

    def __enter__(self) -> Neighbour:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, data: bytes) -> None:
        """As much as is taken."""
        with contextlib.suppress(OSError):
            self._socket.sendall(data)

    def ask(self, method: str, params: object, *, id: int = 1) -> None:
        request = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        self.send(frames.encode(json.dumps(request).encode()))

    def heard(self) -> Any:
        """The next message; None where the connection ended."""
        while (body := frames.take(self._buffer)) is None:
            try:
                data = self._socket.recv(1 << 16)
            except ConnectionResetError:
                return None
            if not data:
                return None
            self._buffer += data
        return json.loads(body)

    def answer(self, method: str, params: object) -> Any:
        self.ask(method, params)
        while True:
            message = self.heard()
            if message is None or "method" not in message:
                return message

    def be_patient(self, seconds: float) -> None:
        self._socket.settimeout(seconds)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    found = Home(tmp_path)
    talk = (human("Fix the flaky login test"), edit("/work/shop/login.py"), agent("Fixed it."))
    (found.logs / f"{SESSION}.jsonl").write_bytes(claude_log(*talk))
    return found


def serves(daemon: DaemonProcess) -> bool:
    """It lives, and answers somebody new: some time after others have left."""
    assert daemon.process.poll() is None
    try:
        return bool(daemon.ask("recap/get", ASKED)["turn"])
    except CallError as error:
        assert error.code == LIMIT_EXCEEDED
        return False


def limited(kind: int, most: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(kind, (most, most))


def first_free(daemon: DaemonProcess) -> int:
    """The descriptor that the daemon would get next, once it has none to give back."""
    found = [-1, -2, -3]
    while len(set(found[-3:])) > 1:
        time.sleep(0.3)
        taken = set(map(int, os.listdir(f"/proc/{daemon.process.pid}/fd")))
        found.append(next(number for number in range(1000) if number not in taken))
    return found[-1]


def refusal(neighbour: Neighbour) -> Any:
    """What somebody is told who is turned away."""
    answer = neighbour.answer("recap/get", ASKED)
    return answer["error"] if answer is not None and "error" in answer else None


def memory_mb(daemon: DaemonProcess, field: str) -> float:
    for line in Path(f"/proc/{daemon.process.pid}/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) / 1024
    raise AssertionError(field)


@contextlib.contextmanager
def measured(daemon: DaemonProcess, attack: str) -> Iterator[None]:
    """The peak of the daemon's memory during the attack, and what is left of it, against what it had before."""
    before = memory_mb(daemon, "VmRSS")
    Path(f"/proc/{daemon.process.pid}/clear_refs").write_text("5")
    yield
    peak = memory_mb(daemon, "VmHWM")
    with contextlib.suppress(AssertionError):
        until(lambda: memory_mb(daemon, "VmRSS") < before + LEFT_MB / 2, patience_s=5.0)
    left = memory_mb(daemon, "VmRSS")
    tell_figures(f"{attack}: {before:.0f} MB before, {peak:.0f} MB at most, {left:.0f} MB after")
    assert peak < before + ROOM_MB, attack
    assert left < before + LEFT_MB, attack


# ---- connections, descriptors, threads


def test_more_clients_than_are_served(home: Home) -> None:
    with daemon_process(home) as daemon, contextlib.ExitStack() as stack:
        daemon.settled()
        clients = [stack.enter_context(Neighbour(home)) for _ in range(MOST_CLIENTS)]
        until(lambda: all("result" in each.answer("recap/get", ASKED) for each in clients[::16]))
        told = [refusal(stack.enter_context(Neighbour(home))) for _ in range(100)]
        tell_figures(f"connections: {MOST_CLIENTS} served, {len(told)} turned away: {told[0]['message']}")
        assert {each["code"] for each in told} == {LIMIT_EXCEEDED}
        assert all(each["data"]["retryable"] and str(MOST_CLIENTS) in each["message"] for each in told)
        # Those who were there first notice nothing, and who leaves makes room.
        assert all("result" in each.answer("recap/get", ASKED) for each in clients)
        clients.pop()._socket.close()
        until(lambda: refusal(stack.enter_context(Neighbour(home))) is None)
        stack.close()
        until(lambda: serves(daemon))


def test_a_command_that_is_turned_away_says_why(home: Home) -> None:
    with daemon_process(home) as daemon, contextlib.ExitStack() as stack:
        daemon.settled()
        for _ in range(MOST_CLIENTS):
            stack.enter_context(Neighbour(home))
        until(lambda: refusal(stack.enter_context(Neighbour(home))) is not None)
        for _ in range(20):
            with pytest.raises(CallError, match=f"recapd serves {MOST_CLIENTS} clients already"):
                daemon.ask("recap/get", ASKED)
        # A command answers by itself, and says why the daemon is not asked.
        done = subprocess.run(
            [sys.executable, "-m", "recapd", "sessions"], env=home.environ, capture_output=True, text=True, check=True
        )
        assert f"answered without the daemon. recapd serves {MOST_CLIENTS} clients already" in done.stderr
        assert "login" in done.stdout


@pytest.mark.parametrize("descriptors", [40, 64, 128])
def test_out_of_descriptors(home: Home, descriptors: int) -> None:
    with daemon_process(home, preexec=limited(resource.RLIMIT_NOFILE, descriptors)) as daemon:
        daemon.settled()
        with contextlib.ExitStack() as stack:
            clients = [stack.enter_context(Neighbour(home)) for _ in range(2 * descriptors)]
            told = [each for each in map(refusal, clients) if each is not None]
            tell_figures(f"{descriptors} descriptors: {len(clients) - len(told)} served, {len(told)} turned away")
            assert told and {each["code"] for each in told} == {LIMIT_EXCEEDED}
            assert len(told) < len(clients)
        until(lambda: serves(daemon))
        with (home.logs / "another.jsonl").open("wb") as file:
            file.write(claude_log(human("Write a parser"), agent("Written."), session=SESSION.replace("1", "2")))
        until(lambda: daemon.status()["sessions"] == 2)


def test_descriptors_that_somebody_else_took(home: Home) -> None:
    """Not the connections use them up: there is none left for the very first newcomer."""
    with daemon_process(home) as daemon:
        daemon.settled()
        with Neighbour(home) as first:
            assert "result" in first.answer("recap/get", ASKED)
            free = first_free(daemon)
            limits = resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE)
            resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, (free, limits[1]))
            for _ in range(5):
                with Neighbour(home) as newcomer:
                    told = refusal(newcomer)
                    assert told["code"] == LIMIT_EXCEEDED and "file descriptor" in told["message"]
            assert "result" in first.answer("recap/get", ASKED)
            resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, limits)
        until(lambda: serves(daemon))


ASK_MANY = """
import json, socket, sys, time
from recapd.client import frames
connection = socket.socket(socket.AF_UNIX)
connection.settimeout(60)
connection.connect(sys.argv[1])
first = time.monotonic_ns()
for number in range(first, first + int(sys.argv[2])):
    # Each of another prompt, also of those that were asked before: nobody has worked out the answer yet.
    params = {"maxTokens": 2000, "prompt": f"how does the login test number {number} work?"}
    request = {"jsonrpc": "2.0", "id": number, "method": "context/assemble", "params": params}
    connection.sendall(frames.encode(json.dumps(request).encode()))
buffer, answers = bytearray(), []
while len(answers) < int(sys.argv[2]):
    while (body := frames.take(buffer)) is None:
        buffer += connection.recv(65536)
    message = json.loads(body)
    if "method" not in message:
        answers.append(message.get("error", {}).get("message", ""))
print(json.dumps(answers))
"""


# As many as are given, or as the system allows.
LIMIT_THREADS = """
import resource, sys
_, most = resource.prlimit(int(sys.argv[1]), resource.RLIMIT_NPROC)
resource.prlimit(int(sys.argv[1]), resource.RLIMIT_NPROC, (int([*sys.argv, most][2]), most))
"""


def test_out_of_threads() -> None:
    """The system's limit counts for every user but root."""
    with two_users() as (victim, _):
        logs = victim.home / ".claude" / "projects" / "-work-shop"
        victim.do("import os, sys; os.makedirs(sys.argv[1])", str(logs))
        talk = (human("Fix the flaky login test"), edit("/work/shop/login.py"), agent("Fixed it."))
        (logs / f"{SESSION}.jsonl").write_bytes(claude_log(*talk))
        (logs / f"{SESSION}.jsonl").chmod(0o644)
        environ = {"RECAPD_RUNTIME_DIR": f"{victim.home}/run"}
        socket_path = f"{victim.home}/run/recapd.sock"
        serving = victim.start(victim.python, "-m", "recapd", "serve", "--socket", "--foreground", environ=environ)
        try:
            until(lambda: os.path.exists(socket_path))
            until(lambda: SESSION in victim.recapd("sessions", "--json", environ=environ).stdout)
            victim.do(LIMIT_THREADS, str(serving.pid), "1")
            answers: list[str] = []
            # Long enough for threads that had nothing to do to end, and for every look at files to come round.
            ends = time.monotonic() + 20
            while time.monotonic() < ends:
                answers += json.loads(victim.do(ASK_MANY, socket_path, "32"))
                assert serving.poll() is None
            refused = [each for each in answers if "threads" in each]
            tell_figures(f"threads: {len(answers)} requests while there was none to be had, {len(refused)} refused")
            assert refused and set(answers) - set(refused) <= {""}
            victim.do(LIMIT_THREADS, str(serving.pid))
            until(lambda: not any(json.loads(victim.do(ASK_MANY, socket_path, "8"))))
            # What came meanwhile is read.
            with (logs / f"{SESSION}.jsonl").open("ab") as file:
                more = claude_log(*talk, human("Now fix the parser"), agent("Fixed as well."))
                file.write(more[len(claude_log(*talk)) :])
            until(lambda: "parser" in victim.recapd("recap", "--json", environ=environ).stdout)
            health = json.loads(victim.recapd("status", "--json", environ=environ).stdout)["health"]
            assert health in ("ok", "warning")
        finally:
            serving.terminate()
            serving.communicate(timeout=PATIENCE_S)


# ---- memory


@pytest.fixture
def long_session(home: Home) -> Home:
    """Besides, a session of which every page is large."""
    turns = ((human(f"Change part {number}: " + "word " * 60), agent("Changed. " * 60)) for number in range(3_000))
    (home.logs / f"{LONG}.jsonl").write_bytes(claude_log(*(act for turn in turns for act in turn), session=LONG))
    return home


@contextlib.contextmanager
def settled_daemon(home: Home) -> Iterator[DaemonProcess]:
    with daemon_process(home) as daemon:
        daemon.settled()
        # Whatever the first answer needs is there before anybody measures.
        daemon.ask("recap/get", ASKED)
        if (home.logs / f"{LONG}.jsonl").exists():
            daemon.ask("history/get", PAGE)
        yield daemon


def page(number: int) -> dict[str, object]:
    """Params that nobody has asked before."""
    return {**PAGE, "limit": 1_000 - number % 100, "cursor": f"at:{number}"}


def test_one_that_asks_and_does_not_read(long_session: Home) -> None:
    with settled_daemon(long_session) as daemon, measured(daemon, "one slow reader"):
        with Neighbour(long_session) as slow:
            slow.be_patient(2.0)
            for number in range(400):
                slow.ask("history/get", page(number), id=number)
            assert serves(daemon)
            time.sleep(10)
        until(lambda: serves(daemon))


def test_many_that_ask_and_do_not_read(long_session: Home) -> None:
    with settled_daemon(long_session) as daemon, measured(daemon, "60 slow readers"):
        with contextlib.ExitStack() as stack:
            for number in range(60):
                slow = stack.enter_context(Neighbour(long_session))
                for each in range(40):
                    # Half of them may be kept, half are worked out.
                    slow.ask("history/get", page(number) if each % 2 else PAGE, id=each)
            assert serves(daemon)
            time.sleep(20)
        until(lambda: serves(daemon))


def test_many_frames_that_do_not_end(home: Home) -> None:
    length = DEFAULT_LIMITS.body_bytes
    with settled_daemon(home) as daemon, measured(daemon, "120 half frames"):
        with contextlib.ExitStack() as stack:
            for _ in range(120):
                half = stack.enter_context(Neighbour(home))
                half.send(b"Content-Length: %d\r\n\r\n" % length + b" " * (length - 1))
                assert serves(daemon)
        until(lambda: serves(daemon))


def test_many_large_requests(home: Home) -> None:
    """Whole ones, of which each is answered, or its client told why not."""
    more = "word " * (DEFAULT_LIMITS.body_bytes // 8)
    with settled_daemon(home) as daemon, measured(daemon, "400 requests of 5 MB"):
        with contextlib.ExitStack() as stack:
            for _ in range(40):
                large = stack.enter_context(Neighbour(home))
                large.be_patient(5.0)
                for each in range(10):
                    # In a field that nobody knows.
                    large.ask("context/assemble", {**ASKED, "maxTokens": 2_000, "more": [each, more]}, id=each)
        until(lambda: serves(daemon))


# ---- folders


def slowest_answer(home: Home, seconds: float) -> float:
    """The longest that somebody else waited for an answer meanwhile."""
    worst = 0.0
    with Neighbour(home) as other:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            began = time.monotonic()
            assert "result" in other.answer("recapd/discover", {})
            worst = max(worst, time.monotonic() - began)
            time.sleep(0.01)
    return worst


@pytest.mark.parametrize(("count", "below"), [(4_000, 2), (64, 40)])
def test_many_folders_to_watch(home: Home, count: int, below: int) -> None:
    """Each with folders of its own: setting up their watches held everybody up."""
    roots = []
    for number in range(count):
        root = home.folder / "named" / str(number)
        for each in range(below):
            (root / str(each)).mkdir(parents=True)
        roots.append({"path": str(root)})
    with settled_daemon(home) as daemon:
        before = len(daemon.status()["roots"])
        with Neighbour(home) as greedy:
            began = time.monotonic()
            answer = greedy.answer("recapd/discover", {"roots": roots})
            took = time.monotonic() - began
            worst = slowest_answer(home, 8.0)
            status = daemon.status()["roots"][before:]
            followed = [each for each in status if each["watcher"] != "failed"]
            tell_figures(
                f"{count} folders named: {len(followed)} followed, answered in {took:.1f} s, "
                f"others waited {worst:.1f} s at most"
            )
            assert ("error" in answer) is (count > 64)
            assert len(followed) <= 64 and len(followed) * (below + 1) <= 2_000
            assert all("watch.roots" in each["message"] for each in status if each["watcher"] == "failed")
        # They go with who named them, but for those where logs were found.
        until(lambda: len(daemon.status()["roots"]) == before)
        assert serves(daemon)


def test_folders_with_logs_stay(home: Home) -> None:
    elsewhere = home.folder / "elsewhere"
    elsewhere.mkdir()
    other = SESSION.replace("1", "3")
    (elsewhere / f"{other}.jsonl").write_bytes(claude_log(human("Write a parser"), agent("Done."), session=other))
    with settled_daemon(home) as daemon:
        before = len(daemon.status()["roots"])
        with Neighbour(home) as client:
            named = [{"path": str(elsewhere), "agent": "claude-code"}, {"path": str(home.folder / "empty")}]
            assert "result" in client.answer("recapd/discover", {"roots": named})
            until(lambda: daemon.status()["sessions"] == 2)
        until(lambda: len(daemon.status()["roots"]) == before + 1)
        assert daemon.status()["sessions"] == 2
