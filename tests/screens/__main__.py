"""Screens of every command, in terminals of three widths, with and without colours, to be looked at.

python -m tests.screens FOLDER [NAME …]     FOLDER/WIDTH/NAME.txt and NAME.ansi (for `cat`), NO_COLOR in WIDTH-plain
python -m tests.screens --pictures          the pictures that the README shows
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from tests.screens.shown import PICTURES, SCREENS, made_up_machine, take_screen, take_screens
from tests.screens.svg import draw_svg
from tests.screens.tmux import Tmux, own_tmux

INTO = Path(__file__).parent / "pictures"
# What fits beside a page's text.
COLUMNS = 96
PICTURED_LINES = 28


@contextmanager
def terminals() -> Iterator[tuple[Tmux, Path]]:
    with (
        TemporaryDirectory(prefix="sc-") as made,
        made_up_machine(Path(made)) as machine,
        own_tmux(Path(made), machine.environ) as tmux,
    ):
        yield tmux, machine.shop


def write_screens(into: Path, wanted: list[str]) -> None:
    with terminals() as (tmux, shop):
        for name in wanted or SCREENS:
            for (columns, has_colours), (text, colours) in take_screens(tmux, SCREENS[name], cwd=shop).items():
                folder = into / f"{columns}{'' if has_colours else '-plain'}"
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"{name}.txt").write_text("\n".join(text) + "\n", encoding="utf-8")
                (folder / f"{name}.ansi").write_text("\n".join(colours) + "\n", encoding="utf-8")


def write_pictures() -> None:
    INTO.mkdir(exist_ok=True)
    with terminals() as (tmux, shop):
        for name, title in PICTURES.items():
            _, lines = take_screen(tmux, replace(SCREENS[name], lines=PICTURED_LINES), columns=COLUMNS, cwd=shop)
            (INTO / f"{name}.svg").write_text(draw_svg(lines, title=title, columns=COLUMNS), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--pictures"]:
        write_pictures()
    else:
        write_screens(Path(sys.argv[1]), sys.argv[2:])
