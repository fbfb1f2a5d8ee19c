"""Screens of every command, in terminals of four widths, with and without colours, to be looked at.

python -m tests.screens FOLDER [NAME …]     FOLDER/WIDTH/NAME.txt, .ansi (for `cat`), .svg on a dark ground and
                                            .light.svg on a light one; NO_COLOR in WIDTH-plain
python -m tests.screens --pictures          the pictures that the README shows
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from tests.screens.shown import (
    LOOKS,
    NARROWEST,
    ON_FRESH_MACHINE,
    PICTURES,
    SCREENS,
    Looks,
    Machine,
    Seen,
    fresh_machine,
    made_up_machine,
    take_screen,
    take_screens,
)
from tests.screens.svg import LIGHT, draw_svg
from tests.screens.tmux import Tmux, own_tmux

INTO = Path(__file__).parent / "pictures"
# What fits beside a page's text.
COLUMNS = 96
PICTURED_LINES = 30


@contextmanager
def terminals(open_machine: Callable[[Path], AbstractContextManager[Machine]]) -> Iterator[tuple[Tmux, Path]]:
    with (
        TemporaryDirectory(prefix="sc-") as made,
        open_machine(Path(made)) as machine,
        own_tmux(Path(made), machine.environ) as tmux,
    ):
        yield tmux, machine.shop


def write_screens(into: Path, wanted: list[str]) -> None:
    if chosen := [name for name in SCREENS if name in (wanted or SCREENS)]:
        with terminals(made_up_machine) as (tmux, shop):
            for name in chosen:
                for looks, seen in take_screens(tmux, SCREENS[name], cwd=shop, looks=(*LOOKS, NARROWEST)).items():
                    _write_screen(into, name, looks, seen)
    if chosen := [name for name in ON_FRESH_MACHINE if name in (wanted or ON_FRESH_MACHINE)]:
        for looks in (*LOOKS, NARROWEST):
            with terminals(fresh_machine) as (tmux, shop):
                for name in chosen:
                    taken = take_screens(tmux, ON_FRESH_MACHINE[name], cwd=shop, looks=[looks])
                    _write_screen(into, name, looks, taken[looks])


def _write_screen(into: Path, name: str, looks: Looks, seen: Seen) -> None:
    (columns, has_colours), (text, colours) = looks, seen
    folder = into / f"{columns}{'' if has_colours else '-plain'}"
    folder.mkdir(parents=True, exist_ok=True)
    files = {"txt": "\n".join(text) + "\n", "ansi": "\n".join(colours) + "\n"}
    if has_colours:
        files["svg"] = draw_svg(colours, title=name, columns=columns)
        files["light.svg"] = draw_svg(colours, title=name, columns=columns, look=LIGHT)
    for ending, written in files.items():
        (folder / f"{name}.{ending}").write_text(written, encoding="utf-8")


def write_pictures() -> None:
    INTO.mkdir(exist_ok=True)
    with terminals(made_up_machine) as (tmux, shop):
        for name, title in PICTURES.items():
            _, lines = take_screen(tmux, replace(SCREENS[name], lines=PICTURED_LINES), columns=COLUMNS, cwd=shop)
            (INTO / f"{name}.svg").write_text(draw_svg(lines, title=title, columns=COLUMNS), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--pictures"]:
        write_pictures()
    else:
        write_screens(Path(sys.argv[1]), sys.argv[2:])
