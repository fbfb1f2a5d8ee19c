"""Every command in real terminals of two widths, with and without colours: nothing runs over the edge, nothing is
coloured that must not be, nothing fails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from recapd.cli.table import COMMANDS
from recapd.cli.terminal import columns_of
from tests.screens.__main__ import INTO, terminals
from tests.screens.shown import ON_FRESH_MACHINE, PICTURES, SCREENS, made_up_machine, take_screens
from tests.screens.svg import draw_svg
from tests.screens.tmux import Tmux

pytestmark = pytest.mark.editors

COLOUR = re.compile(r"\x1b\[(?:\d+;)*3[0-7]")
# What is for programs, or to be copied whole, is broken by nobody.
AS_IT_IS = {"call", "complete", "completion", "help-completion", "install", "install-agent", "panel", "sockname"}
# What speaks with programs says nothing to whoever says nothing.
SILENT = {"connect", "mcp", "hook"}


@pytest.fixture(scope="module")
def tmux_and_shop() -> Iterator[tuple[Tmux, Path]]:
    with terminals(made_up_machine) as found:
        yield found


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_holds_what_is_shown_on_it(name: str, tmux_and_shop: tuple[Tmux, Path]) -> None:
    tmux, shop = tmux_and_shop
    for (columns, has_colours), (text, painted) in take_screens(tmux, SCREENS[name], cwd=shop).items():
        shown = "\n".join(text)
        assert (shown or name in SILENT) and "Traceback" not in shown
        if name not in AS_IT_IS:
            assert [line for line in text if columns_of(line) > columns] == []
        if not has_colours:
            assert COLOUR.search("\n".join(painted)) is None


def test_every_command_is_looked_at() -> None:
    commands = [shown.command for shown in (*SCREENS.values(), *ON_FRESH_MACHINE.values())]
    typed = {word for command in commands if "--help" not in command for word in command.split()}
    assert {each.name for each in COMMANDS} <= typed


def test_the_readme_shows_the_pictures_that_are_there() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert {path.stem for path in INTO.glob("*.svg")} == set(PICTURES)
    assert all(f"tests/screens/pictures/{name}.svg" in readme for name in PICTURES)


def test_a_picture_has_the_colours_and_the_places_of_its_screen() -> None:
    drawn = draw_svg(["\x1b[1;33mone\x1b[0m <two>", "  \x1b[7mthree\x1b[0m"], title="recapd", columns=20)
    assert 'fill="#f5c66b" font-weight="bold"' in drawn and "&lt;two&gt;" in drawn
    assert drawn.count("<rect") == 2 and drawn.count("<text") == 4
