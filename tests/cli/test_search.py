"""Finding a session from the command line, by what was said in it and by its id, with a daemon and without."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recapd.cli.ids import short_ids
from recapd.cli.search import write_hits
from recapd.wire.types import LogRef, SearchHit
from tests.support.logs import agent, claude_log, codex_log, edit, human

ROOT = Path(__file__).parent.parent.parent
BREAD = "5e551011-c0de-4a11-8000-00000000000b"
CAKE = "5e55ffff-c0de-4a11-8000-00000000000c"
PIE = "01990000-c0de-7a11-8000-00000000000d"
Command = Callable[..., "subprocess.CompletedProcess[str]"]


def environ(home: Path) -> dict[str, str]:
    own = {"RECAPD_RUNTIME_DIR": str(home / "run"), "RECAPD_STATE_DIR": str(home / "state"), "HOME": str(home)}
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", **own}


@pytest.fixture(params=["alone", "with a daemon"])
def recapd(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Command]:
    """The command, on a machine with three sessions."""
    claude, codex = tmp_path / ".claude" / "projects" / "-home-dev", tmp_path / ".codex" / "sessions" / "2026"
    claude.mkdir(parents=True)
    codex.mkdir(parents=True)
    bread = (human("Bake the sourdough bread"), edit("/home/dev/loaf.py"), agent("It rises slowly."))
    (claude / f"{BREAD}.jsonl").write_bytes(claude_log(*bread, session=BREAD, cwd="/home/dev/bakery"))
    cake = (human("Bake a cake"), agent("Slowly, with sugar.\nAnd \x1b[31mcherries."))
    (claude / f"{CAKE}.jsonl").write_bytes(claude_log(*cake, session=CAKE, cwd="/home/dev/shop"))
    (codex / f"rollout-{PIE}.jsonl").write_bytes(codex_log(human("Apple pie"), agent("Yes."), session=PIE))

    def run(*args: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "recapd", *args]
        return subprocess.run(
            command, capture_output=True, text=True, env=environ(tmp_path), cwd=tmp_path, timeout=60, check=False
        )

    if request.param == "alone":
        yield run
        return
    daemon = subprocess.Popen(
        [sys.executable, "-m", "recapd", "serve", "--socket", "--foreground"],
        env=environ(tmp_path),
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(200):
            if "all read" in run("status").stdout and "turn" in run("search", "sourdough").stdout:
                break
            time.sleep(0.1)
        yield run
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(20)


@pytest.mark.timeout(120)
def test_a_session_is_found_by_words_and_opened_by_what_is_printed(recapd: Command) -> None:
    found = recapd("search", "slow")
    assert found.returncode == 0 and found.stderr == ""
    assert "It rises slowly." in found.stdout and "Slowly, with sugar." in found.stdout
    bread = recapd("search", "rises", "slowly").stdout
    assert bread.startswith("5e551011  Bake the sourdough bread")
    assert bread.splitlines()[1].split(maxsplit=3) == ["turn", "1", "agent", "It rises slowly."]
    assert recapd("recap", "5e551011", "--format", "short").stdout.count("sourdough") >= 1
    (hit,) = json.loads(recapd("search", "cherries", "--json").stdout)["hits"]
    assert hit["sessionId"] == f"claude-code:{CAKE}" and "\x1b" not in hit["text"]
    assert recapd("search", "slowly", "--in", "/home/dev/shop").stdout.splitlines()[0].startswith("5e55ffff")
    nothing = recapd("search", "rhubarb")
    assert (nothing.returncode, nothing.stdout, nothing.stderr) == (
        1,
        "",
        "recapd: Nobody said “rhubarb” in any session; a word is also found by its beginning.\n",
    )
    for empty in ("", " ", "?!"):
        assert "There is no word to look for" in recapd("search", empty).stderr


@pytest.mark.timeout(120)
def test_a_session_is_opened_by_any_name_of_it_and_lists_print_one(recapd: Command) -> None:
    for name in (f"claude-code:{BREAD}", BREAD, BREAD[:6], f"claude-code:{BREAD[:6]}"):
        shown = recapd("files", name)
        assert (shown.returncode, "/home/dev/loaf.py" in shown.stdout) == (0, True), name
    several = recapd("files", "5e55")
    assert several.returncode == 1
    assert BREAD[:8] in several.stderr and CAKE[:8] in several.stderr and several.stdout == ""
    assert recapd("files", "5e59").returncode == 1
    listed = recapd("sessions").stdout
    assert all(f"  {own_id}  " in listed for own_id in ("5e551011", "5e55ffff", "01990000"))
    assert "01990000" in recapd("overview", "--all").stdout
    assert recapd("recap", "01990000", "--format", "short").stdout.count("Apple pie") >= 1


def test_ids_are_as_short_as_tells_them_apart() -> None:
    ids = [f"codex:{PIE}", f"codex:{PIE[:-1]}e", f"claude-code:{BREAD}", "aider:ab", f"pi:{BREAD}"]
    assert short_ids(ids) == {
        ids[0]: PIE,
        ids[1]: f"{PIE[:-1]}e",
        ids[2]: f"claude-code:{BREAD}",
        ids[3]: "ab",
        ids[4]: f"pi:{BREAD}",
    }


@pytest.mark.parametrize("width", [30, 60])
def test_hits_fit_the_terminal_and_stand_below_their_session(width: int) -> None:
    ref = LogRef(source="file:///logs/a.jsonl", generation="g", line=14, byte_offset=0, byte_length=9)

    def hit(session: str, turn: int, text: str) -> SearchHit:
        return SearchHit(
            session_id=session,
            title="Bread " * 12,
            turn=turn,
            kind="user",
            text=text,
            ref=ref,
            at="2026-03-01T09:00:00Z",
        )

    hits = (hit("a:1", 2, "rye " * 40), hit("b:2", 11, "Rye"), hit("a:1", 3, "rye bread"))
    lines = write_hits(hits, width=width, shown_bold=[]).split("\n")
    assert max(map(len, lines)) <= width
    assert [line.split()[1] for line in lines if line.startswith("   turn")] == ["2", "3", "11"]
    assert "\x1b[1mRye\x1b[0m" in write_hits(hits, width=width, shown_bold=["rye"])
    # What was found several times in a turn is one line.
    again = (hit("a:1", 2, "cart.py"), hit("a:1", 3, "cart.py"), hit("a:1", 2, "cart.py"))
    twice = write_hits(again, width=None, shown_bold=[])
    assert [line.partition("you")[2].strip() for line in twice.split("\n")[1:]] == ["cart.py (2×)", "cart.py"]
    # Marks of Markdown are for programs.
    marked = (hit("a:1", 2, "**Rye** with `dill`"),)
    assert "Rye with dill" in write_hits(marked, width=60, shown_bold=[])
    assert "**Rye** with `dill`" in write_hits(marked, width=None, shown_bold=[])
