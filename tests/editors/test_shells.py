"""Completion in the shells themselves: what is typed, and what the shell makes of it when Tab is pressed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator

import pytest

from recapd.cli.manual import PAGE
from recapd.cli.table import COMMANDS
from tests.cli.test_top import children_of
from tests.screens.shown import Machine, made_up_machine
from tests.screens.tmux import Tmux, own_tmux
from tests.support.logs import agent, claude_log, codex_log, human

pytestmark = pytest.mark.editors

# How each is started without what the machine's owner set up, and what is typed to switch completion on.
SHELLS = {
    "bash": ("bash --norc --noprofile -i", "PS1='%% '; source <(recapd completion bash)"),
    "zsh": ("zsh -f -i", "PS1='%% '; autoload -U compinit; compinit -u -D; source <(recapd completion zsh)"),
    "fish": ("fish --no-config -i", "function fish_prompt; echo '% '; end; recapd completion fish | source"),
}
# The same id of two agents, which only the agent's name tells apart, as it is with a log that was converted.
TWICE = "dddd0000-c0de-4a11-8000-000000000001"


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    with made_up_machine(tmp_path_factory.mktemp("shells")) as machine:
        home = machine.home
        (home / ".claude/projects/-twice").mkdir()
        said = (human("sort the stamps"), agent("They are sorted."))
        (home / ".claude/projects/-twice/a.jsonl").write_bytes(claude_log(*said, session=TWICE))
        (home / ".codex/sessions/2026/03/01/rollout-b.jsonl").write_bytes(codex_log(*said, session=TWICE))
        yield machine


@pytest.fixture(scope="module")
def tmux(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tmux]:
    with own_tmux(tmp_path_factory.mktemp("tmux"), machine.environ) as tmux:
        yield tmux


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("typed", "becomes"),
    [
        ("recapd reca", "recapd recap"),
        ("recapd recap --form", "recapd recap --format"),
        ("recapd recap --format ti", "recapd recap --format timeline"),
        ("recapd recap 1c0", "recapd recap 1c0ffee1"),
        ("recapd recap codex:dd", f"recapd recap codex:{TWICE}"),
        ("recapd dialect not", "recapd dialect notes.jsonl"),
    ],
)
def test_a_word_is_completed(shell: str, typed: str, becomes: str, machine: Machine, tmux: Tmux) -> None:
    name = opened(tmux, shell, machine)
    tmux.press(name, typed, "Tab")
    # What is completed is followed by a space, and then by what is typed next.
    tmux.wait_for(name, becomes)
    tmux.press(name, "X")
    tmux.wait_for(name, f"{becomes} X")
    tmux.close(name)


@pytest.mark.parametrize("shell", SHELLS)
def test_sessions_are_offered_with_their_titles(shell: str, machine: Machine, tmux: Tmux) -> None:
    name = opened(tmux, shell, machine)
    tmux.press(name, "recapd files ", "Tab", "Tab")
    for title in ("Rate limiting per API key", "Naming of the pages", "支払いページの翻訳を直す"):
        tmux.wait_for(name, title)
    tmux.close(name)


def test_fish_is_told_what_each_means(machine: Machine) -> None:
    script = "recapd completion fish | source; complete -C 'recapd recap 1c0'"
    done = subprocess.run(
        ["fish", "--no-config", "-c", script], env=machine.environ, cwd=machine.shop, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("1c0ffee1\tNaming of the pages\n", "")


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
@pytest.mark.parametrize("whom", ["the one that was started", "the one that draws"])
def test_a_shell_has_its_terminal_back_when_top_is_killed(
    whom: str, number: signal.Signals, shell: str, machine: Machine, tmux: Tmux
) -> None:
    """The shell sets the terminal up for itself as soon as its program has ended, and nobody undoes that."""
    name = opened(tmux, shell, machine)
    tmux.press(name, "recapd top", "Enter")
    tmux.wait_for(name, "q quit")
    (started,) = children_of(int(tmux.ask(name, "pane_pid")))
    (drawing,) = children_of(started)
    os.kill(started if whom == "the one that was started" else drawing, number)
    tmux.wait_until(name, "alternate_on", "0")
    tmux.wait_until(name, "cursor_flag", "1")
    tmux.press(name, "C-u")
    tmux.press(name, "echo al''ive; stty -a | grep -o 'icanon.*' | head -n 1", "Enter")
    tmux.wait_for(name, "alive")
    tmux.wait_for(name, "icanon")
    # What is typed is shown once, by the shell.
    tmux.press(name, "x''y''z")
    tmux.wait_for(name, "x''y''z")
    assert not any("-icanon" in line or "xx" in line for line in tmux.read(name))
    tmux.close(name)


def opened(tmux: Tmux, shell: str, machine: Machine) -> str:
    command, setting_up = SHELLS[shell]
    name = tmux.start(command, columns=120, lines=40, cwd=machine.shop, environ={"INPUTRC": "/dev/null"})
    # The word is only written by the shell, not by whoever types it.
    tmux.press(name, f"{setting_up}; echo re''ady", "Enter")
    tmux.wait_for(name, "ready")
    tmux.press(name, "C-l")
    return name


def test_man_shows_the_manual_page_whole() -> None:
    command = ["man", "--warnings", "--encoding=UTF-8", "--local-file", str(PAGE)]
    done = subprocess.run(command, env={"PATH": os.environ["PATH"], "MANWIDTH": "80"}, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    headed = set(re.findall(r"^ {7}([\w-]+)(?: |$)", done.stdout, re.MULTILINE))
    assert {each.name for each in COMMANDS} <= headed
    assert max(map(len, done.stdout.splitlines())) <= 80
