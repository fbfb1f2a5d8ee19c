"""What is looked at: every command, as somebody would type it on a machine with made-up logs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile
from typing import TypeAlias

from msgspec import Struct

from recapd.cli.commands import DEMO_LOG
from recapd.cli.table import COMMANDS
from tests.cli.test_service import environ
from tests.client.folders import own_folders
from tests.editors.story import flaky, limits, release
from tests.screens.tmux import LINES, SEEN, Tmux
from tests.support.logs import agent, ask, claude_log, codex_log, edit, ended, human, pi_log, shell, title

# Of the narrow ones, which few have, only whether everything finds its place.
LOOKS = ((80, True), (80, False), (120, True), (120, False), (60, False))
NARROWEST = (40, False)
# Columns, and whether there are colours.
Looks: TypeAlias = tuple[int, bool]
# Lines as text, and with their colours.
Seen: TypeAlias = tuple[list[str], list[str]]


class Shown(Struct, frozen=True):
    """A command; keys that are pressed once a text is there, and the text that is there then."""

    command: str
    keys: tuple[tuple[str, str], ...] = ()
    until: str = ""
    lines: int = LINES


SCREENS = {
    "sight": Shown("recapd"),
    "help": Shown("recapd --help"),
    **{f"help-{command.name}": Shown(f"recapd {command.name} --help") for command in COMMANDS},
    "unknown": Shown("recapd recpa"),
    "unknown-option": Shown("recapd recap --fromat full"),
    "unknown-session": Shown("recapd recap 'a title that no session has, in more words than fit one line of a screen'"),
    "several": Shown("recapd recap the < /dev/null"),
    "recap": Shown("recapd recap $LIMITS"),
    "recap-full": Shown("recapd recap $LIMITS --format full"),
    "recap-decisions": Shown("recapd recap $LIMITS --format decisions"),
    "recap-timeline": Shown("recapd recap $LIMITS --format timeline"),
    "recap-resume": Shown("recapd recap $LIMITS --format resume"),
    "recap-digest": Shown("recapd recap $LIMITS --budget 400"),
    "recap-copy": Shown("recapd recap $LIMITS --copy"),
    "overview": Shown("recapd overview"),
    "overview-all": Shown("recapd overview --all"),
    "sessions": Shown("recapd sessions"),
    "sessions-none": Shown("recapd sessions --query nothinglikethat"),
    "decisions": Shown("recapd decisions $LIMITS"),
    "decisions-none": Shown("recapd decisions pages"),
    "files": Shown("recapd files $LIMITS"),
    "files-all": Shown("recapd files $LIMITS --all"),
    "why": Shown("recapd why tests/test_limits.py:1"),
    "why-none": Shown("recapd why limits.py:1"),
    "search": Shown("recapd search redis"),
    "search-empty": Shown("recapd search ''"),
    "search-none": Shown("recapd search nothinglikethat"),
    "context": Shown("recapd context $LIMITS"),
    "history": Shown("recapd history $LIMITS"),
    "history-full": Shown("recapd history $LIMITS --full"),
    "summarize": Shown("recapd summarize $LIMITS"),
    "read": Shown("recapd read $LIMITS --dry-run"),
    "up": Shown("recapd up"),
    "status": Shown("recapd status"),
    "doctor": Shown("recapd doctor"),
    "watch": Shown("recapd watch . && recapd watch --list"),
    "unwatch-none": Shown("recapd unwatch /"),
    "config": Shown("recapd config"),
    "config-explain": Shown("recapd config recap --explain"),
    "install": Shown("recapd install service < /dev/null"),
    "install-agent": Shown("recapd install claude-code < /dev/null"),
    "uninstall": Shown("recapd uninstall claude-code < /dev/null"),
    "panel": Shown("recapd panel --no-open && recapd panel --off"),
    "demo": Shown("recapd demo --speed 20"),
    "call": Shown("recapd call session/overview '{\"limit\": 1}' | head -20"),
    "completion": Shown("recapd completion zsh"),
    "complete": Shown("recapd complete -- recap ''"),
    "sockname": Shown("recapd sockname"),
    "connect": Shown("recapd connect < /dev/null"),
    "mcp": Shown("recapd mcp < /dev/null"),
    "hook": Shown("recapd hook SessionStart <<< '{}'"),
    "statusline": Shown("RECAPD_HOOK_DEADLINE_MS=9000 recapd statusline <<< '{\"session_id\": \"'${LIMITS#*:}'\"}'"),
    "serve": Shown("recapd serve"),
    "dialect": Shown("recapd dialect notes.jsonl"),
    "pager": Shown("recapd config --explain", until=":", lines=24),
    "top": Shown("recapd top", until="Started with", lines=30),
    "top-page": Shown("recapd top", keys=(("Started with", "Enter"),), until="Esc back", lines=30),
    "top-filter": Shown("recapd top", keys=(("Started with", "/"), ("/▏", "shop")), until="/shop▏", lines=30),
    "top-filtered": Shown(
        "recapd top",
        keys=(("Started with", "/"), ("/▏", "flaky"), ("/flaky", "Enter")),
        until="Esc shows all",
        lines=30,
    ),
    "top-small": Shown("recapd top", until="q quit", lines=12),
    "pick": Shown("recapd pick", until="Started with", lines=30),
}

# On a machine without logs, one after the other: without a daemon at first, the last ones end it.
ON_FRESH_MACHINE = {
    "fresh-status-down": Shown("recapd status"),
    "fresh-sight": Shown("recapd"),
    "fresh-recap": Shown("recapd recap"),
    "fresh-recap-1": Shown("recapd recap 1"),
    "fresh-sessions": Shown("recapd sessions"),
    "fresh-overview": Shown("recapd overview"),
    "fresh-search": Shown("recapd search redis"),
    "fresh-files": Shown("recapd files"),
    "fresh-doctor": Shown("recapd doctor"),
    "fresh-top": Shown("recapd top", until="No sessions yet", lines=24),
    "fresh-status": Shown("recapd status"),
    "unwatch": Shown("recapd watch . > /dev/null && recapd unwatch"),
    "fresh-up": Shown("recapd up --speed 50"),
    "fresh-down": Shown("recapd up --speed 50 > /dev/null 2>&1; recapd down"),
    "fresh-down-again": Shown("recapd down"),
}

# What the README shows, and what is typed for it.
PICTURES = {
    "sight": "recapd",
    "recap": "recapd recap 1",
    "recap-timeline": "recapd recap 1 --format timeline",
    "top": "recapd top",
}


class Machine(Struct, frozen=True):
    """Where somebody works, below their home, and the environment of theirs."""

    home: Path
    shop: Path
    environ: dict[str, str]


@contextmanager
def made_up_machine(folder: Path) -> Iterator[Machine]:
    """With logs and a daemon that has read them, which has ended after."""
    with fresh_machine(folder) as machine:
        write_logs(machine.home, machine.shop)
        subprocess.run(["recapd", "up"], env=machine.environ, cwd=machine.shop, capture_output=True, check=True)
        yield machine


@contextmanager
def fresh_machine(folder: Path) -> Iterator[Machine]:
    """Without logs, and no daemon yet; whichever is started has ended after."""
    home = folder / "home"
    shop = home / "shop"
    programs = folder / "bin"
    shop.mkdir(parents=True)
    programs.mkdir()
    program = programs / "recapd"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m recapd "$@"\n')
    program.chmod(0o700)
    with own_folders() as where:
        theirs = environ(where, home)
        theirs |= {"LIMITS": f"claude-code:{_LIMITS}", "PATH": f"{programs}:{theirs['PATH']}"}
        theirs |= {"PYTHONPATH": str(DEMO_LOG.parents[2])}
        yield Machine(home, shop, theirs)


def write_logs(home: Path, shop: Path) -> None:
    """The logs of a developer with several projects and agents, the latest of them in the shop."""
    (shop / "limits.py").write_text("new line\n")
    (shop / "tests").mkdir()
    (shop / "tests" / "test_limits.py").write_text("one\ntwo\n")
    (shop / "notes.jsonl").write_text('{"who": "me", "what": "a dialect that nobody described"}\n')
    claude, where = home / ".claude" / "projects", str(shop)
    _put(claude / "-shop" / "a.jsonl", claude_log(*limits(where), session=_LIMITS, cwd=where), 2)
    _put(
        home / ".codex/sessions/2026/03/01/rollout-a.jsonl", codex_log(*release(where), session=_RELEASE, cwd=where), 0
    )
    _put(home / ".pi/agent/sessions/shop/a.jsonl", pi_log(*flaky(where), session=_FLAKY, cwd=where), 190)
    for number, (name, minutes_ago, acts) in enumerate(_OTHERS, 1):
        session = f"{number}c0ffee{number}-c0de-4a11-8000-000000000000"
        log = claude_log(*acts, session=session, cwd=str(home / name))
        _put(claude / f"-{name}" / f"{session}.jsonl", log, minutes_ago)
    for number in range(_MORE):
        session = f"5be1f{number}00-c0de-4a11-8000-000000000000"
        acts = human(f"Tidy up shelf {number} of the store."), agent("It is tidy.")
        log = claude_log(*acts, session=session, cwd=str(home / "store"))
        _put(claude / "-store" / f"{session}.jsonl", log, (500 + number) * _DAY)
    copyfile(DEMO_LOG, claude / "-shop" / "demo.jsonl")


def _put(path: Path, log: bytes, minutes_ago: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(ended(log, minutes_ago))


_LIMITS = "b61f0a52-c0de-4a11-8000-000000000001"
_RELEASE = "0198c2aa-c0de-7a11-8000-000000000002"
_FLAKY = "7d20e9c4-c0de-4a11-8000-000000000003"
_HOUR, _DAY = 60, 24 * 60
# More than the first sight shows.
_MORE = 4
_OTHERS = (
    (
        "website",
        50,
        (
            title("Naming of the pages"),
            human("Is `about-us` or `about` the better name of the page?"),
            agent("Both are fine; `about` is shorter, and most of your other pages have one word."),
        ),
    ),
    (
        "billing-service-with-a-long-name",
        5 * _HOUR,
        (
            human("Move the invoices to the new schema, and keep the old numbers of all customers meanwhile."),
            edit("/srv/billing/invoices.sql"),
            shell("pytest -q", "3 failed, 20 passed in 4.00s", exit_code=1),
            ask("Which of the two tables shall go first?", outcome="open"),
        ),
    ),
    (
        "translations",
        3 * _DAY,
        (
            title("支払いページの翻訳を直す 🛒"),
            human("支払いページの翻訳を直してください。"),
            edit("/srv/translations/ja.json"),
            agent("支払いページの翻訳を直しました。"),
        ),
    ),
    (
        "notes",
        400 * _DAY,
        (human("Sort my notes of last year by topic."), agent("They are sorted into seven topics.")),
    ),
)


def take_screens(tmux: Tmux, shown: Shown, *, cwd: Path, looks: Sequence[Looks] = LOOKS) -> dict[Looks, Seen]:
    """What is seen at each width, with colours and without, of the command run at the same time in all."""
    opened = [_opened(tmux, shown, columns=columns, cwd=cwd, has_colours=has_colours) for columns, has_colours in looks]
    return {each: _seen(tmux, name, shown) for each, name in zip(looks, opened, strict=True)}


def take_screen(tmux: Tmux, shown: Shown, *, columns: int, cwd: Path) -> Seen:
    return _seen(tmux, _opened(tmux, shown, columns=columns, cwd=cwd, has_colours=True), shown)


def _opened(tmux: Tmux, shown: Shown, *, columns: int, cwd: Path, has_colours: bool) -> str:
    extra = {} if has_colours else {"NO_COLOR": "1"}
    command = shown.command if shown.until else shown.command + SEEN
    return tmux.start(command, columns=columns, lines=shown.lines, cwd=cwd, environ=extra)


def _seen(tmux: Tmux, name: str, shown: Shown) -> Seen:
    for text, key in shown.keys:
        tmux.wait_for(name, text)
        tmux.press(name, key)
    if shown.until:
        tmux.wait_for(name, shown.until)
    else:
        tmux.wait_for_end(name)
    seen = tmux.read(name), tmux.read_with_colours(name)
    tmux.close(name)
    return seen
