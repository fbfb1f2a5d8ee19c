"""A screen of a terminal as a small picture: what tmux captured, with its colours, as SVG."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from msgspec import Struct, structs

from recapd.cli.terminal import columns_of

_SGR = re.compile(r"\x1b\[([\d;]*)m|\x1b\([A-Z0-9]|[\x0e\x0f]")
_COLUMN, _LINE, _EDGE, _TOP = 8.4, 18, 14, 34
_FONT = 'font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="14"'


class Look(Struct, frozen=True):
    """The colours of a terminal."""

    ground: str
    ink: str
    faint: str
    colours: dict[int, str]


# As terminals have them, light enough on the dark ground.
DARK = Look(
    "#1b1f27",
    "#d5dae3",
    "#8a93a3",
    {31: "#f2777a", 32: "#8fce8b", 33: "#f5c66b", 34: "#7fb3ef", 35: "#d29be4", 36: "#6ccfd3"},
)
# As VS Code has them on white.
LIGHT = Look(
    "#ffffff",
    "#333333",
    "#8c8c8c",
    {31: "#cd3131", 32: "#107c10", 33: "#949800", 34: "#0451a5", 35: "#bc05bc", 36: "#0598bc"},
)


class Style(Struct, frozen=True):
    colour: int = 0
    is_bold: bool = False
    is_faint: bool = False
    is_reversed: bool = False
    is_struck: bool = False


def draw_svg(lines: Sequence[str], *, title: str, columns: int, look: Look = DARK) -> str:
    """The lines in a window that bears the title; every run of characters is given its exact width."""
    width = round(columns * _COLUMN + 2 * _EDGE)
    height = _TOP + len(lines) * _LINE + _EDGE
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {_FONT} role="img" aria-label="{escape(title)}">',
        f'<rect width="100%" height="100%" rx="8" fill="{look.ground}"/>',
        f'<text x="{_EDGE}" y="21" fill="{look.faint}">$ {escape(title)}</text>',
    ]
    style = Style()
    for number, line in enumerate(lines):
        column = 0
        for run, now in _runs(line, style):
            style = now
            parts += _drawn(run, now, column=column, number=number, columns=columns, look=look)
            column += columns_of(run)
    return "\n".join((*parts, "</svg>")) + "\n"


def _drawn(run: str, style: Style, *, column: int, number: int, columns: int, look: Look) -> list[str]:
    """The text, and the ground below it where that differs; spaces are left out."""
    x, top = _EDGE + column * _COLUMN, _TOP + number * _LINE
    ink = look.colours.get(style.colour, look.faint if style.is_faint else look.ink)
    parts = []
    if style.is_reversed:
        wide = (columns - column if not run.strip() else columns_of(run)) * _COLUMN
        parts.append(f'<rect x="{x:.1f}" y="{top}" width="{wide:.1f}" height="{_LINE}" fill="{look.ink}"/>')
        ink = look.ground
    text = run.strip(" ")
    if not text:
        return parts
    x += (len(run) - len(run.lstrip(" "))) * _COLUMN
    looks = (' font-weight="bold"' if style.is_bold else "") + (
        ' text-decoration="line-through"' if style.is_struck else ""
    )
    parts.append(
        f'<text x="{x:.1f}" y="{top + 13}" fill="{ink}"{looks} xml:space="preserve" '
        f'textLength="{columns_of(text) * _COLUMN:.1f}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
    )
    return parts


def _runs(line: str, style: Style) -> list[tuple[str, Style]]:
    """The line in pieces of one style each; the last says how the next line begins, with no text."""
    found: list[tuple[str, Style]] = []
    at = 0
    for code in _SGR.finditer(line):
        if code.start() > at:
            found.append((line[at : code.start()], style))
        for number in (code[1] or "0").split(";") if code[1] is not None else ():
            style = _changed(style, int(number or 0))
        at = code.end()
    return [*found, (line[at:], style)]


def _changed(style: Style, number: int) -> Style:
    if number == 0:
        return Style()
    if 30 <= number <= 39:
        return structs.replace(style, colour=number)
    switches = {1: "is_bold", 2: "is_faint", 7: "is_reversed", 9: "is_struck"}
    if number in switches:
        return structs.replace(style, **{switches[number]: True})
    if number == 22:
        return structs.replace(style, is_bold=False, is_faint=False)
    return structs.replace(style, is_reversed=False) if number == 27 else style
