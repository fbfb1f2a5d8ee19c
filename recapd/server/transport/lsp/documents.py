"""What recapd says about an open document: a source file, a session log, or a `_recap.md`.

    source        hover and code lenses, by `why/get` on the text as the editor has it
    session log   outline, hover and links from what is known of the session, never from the file, which may be huge
    _recap.md     outline by its headings, hover and links on the turns and files it names

Owns the answers; what a position means in the client's encoding, pygls knows.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeAlias, TypeVar
from urllib.parse import unquote, urlsplit

import msgspec
from lsprotocol import types
from msgspec import Raw
from pygls.workspace import PositionCodec

from recapd.core.hygiene import escape_markdown
from recapd.core.views.recap_file import mark_in
from recapd.server.outlines import MAX_SYMBOLS, Outline
from recapd.wire.errors import RecapError
from recapd.wire.types import (
    FilesListParams,
    FilesListResult,
    LineRange,
    SessionSelector,
    TimelineGetParams,
    TimelineGetResult,
    TimelineTurn,
    WhyGetParams,
    WhyGetResult,
    WhyLines,
    Wire,
)

Ask: TypeAlias = Callable[[str, bytes], Awaitable[Wire | None]]
# By the URI of a log, or RecapError.
OutlineOf: TypeAlias = Callable[[str], Awaitable[Outline]]
R = TypeVar("R", bound=Wire)

# Of so many logs it is kept, in some 100 KB each.
_MAX_OUTLINES = 8
_MAX_LENSES = 50
_MAX_LINKS = 500
# A file that nobody changed for so long is read, not worked on.
_LENS_DAYS = 7
_RECAP_FILE = "_recap.md"
_LOG_ENDS = (".jsonl", ".log.json")
_HEADING = re.compile(r"(#{1,6})\s++(.*)")
_TURN = re.compile(r"\b[Tt]urns? (\d{1,6})\b")
# Of another session of the folder a line says its turn, when, and its id.
_OTHER = re.compile(r"\(turn \d{1,6}, [^`()]*`([^`\s]+)`\)")
_NAMED = re.compile(r"`([^`\n]{1,300})`")


class Documents:
    """The documents of one editor. `text_of` gives what the editor has of one, None where it is not open;
    `outline_of` makes the outline of a log; `revision_of` gives that of a session by its id, None where there is none,
    at once and without looking at the disk."""

    def __init__(
        self,
        ask: Ask,
        *,
        outline_of: OutlineOf,
        text_of: Callable[[str], str | None],
        revision_of: Callable[[str], int | None],
        now: Callable[[], datetime] | None = None,
    ):
        self._ask = ask
        self._outline_of = outline_of
        self._text_of = text_of
        self._revision_of = revision_of
        self._now = now or (lambda: datetime.now(UTC))
        # By document, the latest last: editors ask for it over and over.
        self._outlines: dict[str, Outline] = {}

    # ---- hover

    async def hover(self, uri: str, line: int) -> types.Hover | None:
        if is_recap_file(uri):
            said = await self._hover_on_page(uri, line)
        elif is_log(uri):
            said = await self._hover_on_log(uri, line)
        else:
            found = await self._why(uri, LineRange(from_=line + 1, to=line + 1))
            said = found.lines[0].markdown if found is not None and found.lines else ""
        if not said:
            return None
        return types.Hover(contents=types.MarkupContent(kind=types.MarkupKind.Markdown, value=said))

    async def _hover_on_log(self, uri: str, line: int) -> str:
        turns = await self._turns(SessionSelector(log=uri))
        at = bisect_right([turn.ref.line for turn in turns], line + 1) - 1
        return _told(turns[at]) if at >= 0 else ""

    async def _hover_on_page(self, uri: str, line: int) -> str:
        numbers = [int(found[1]) for found in _TURN.finditer(_line_of(self._page(uri), line))]
        if not numbers:
            return ""
        turns = await self._turns(_session_on(_line_of(self._page(uri), line), uri, self._page(uri)))
        return "\n\n".join(_told(turn) for number in numbers[:3] if (turn := _turn(turns, number)) is not None)

    # ---- code lenses

    async def lenses(self, uri: str, *, command: str | None) -> list[types.CodeLens]:
        """Above each stretch of a source file that a session wrote: the turn, the agent, how much was decided."""
        if is_recap_file(uri) or is_log(uri):
            return []
        found = await self._why(uri, None)
        lines = found.lines if found is not None else ()
        latest = max((each.at or "" for each in lines), default="")
        if latest < (self._now() - timedelta(days=_LENS_DAYS)).strftime("%Y-%m-%dT%H:%M:%S"):
            return []
        lenses = []
        before: tuple[str, int] | None = None
        for each in lines:
            if (each.session_id, each.turn) != before:
                lenses.append(_lens(each, command))
            before = each.session_id, each.turn
        return lenses[:_MAX_LENSES]

    # ---- outline

    async def symbols(self, uri: str) -> Raw | list[types.DocumentSymbol]:
        """That of a log as it is sent: it may have hundreds of rows, and is asked for whenever the log grew."""
        if is_recap_file(uri):
            return _outline(self._page(uri))
        if not is_log(uri):
            return []
        kept = self._outlines.pop(uri, None)
        if kept is None or kept.revision != self._revision_of(kept.session_id):
            try:
                kept = await self._outline_of(uri)
            except RecapError:
                return []
        self._outlines[uri] = kept
        if len(self._outlines) > _MAX_OUTLINES:
            del self._outlines[next(iter(self._outlines))]
        return kept.symbols

    # ---- links

    async def links(self, uri: str, codec: PositionCodec) -> list[types.DocumentLink]:
        if is_recap_file(uri):
            return await self._links_on_page(uri, codec)
        if not is_log(uri):
            return []
        params = FilesListParams(session=SessionSelector(log=uri), limit=_MAX_LINKS)
        found = await self._asked("files/list", params, FilesListResult)
        # The line itself is not looked at: its first character leads to the file it is about.
        return [
            types.DocumentLink(range=_columns(each.ref.line - 1, 0, 1), target=each.uri)
            for each in (found.files if found is not None else ())
            if each.uri and each.ref.source == uri
        ]

    async def _links_on_page(self, uri: str, codec: PositionCodec) -> list[types.DocumentLink]:
        text = self._page(uri)
        folder = os.path.dirname(_path(uri))
        known: dict[SessionSelector, Sequence[TimelineTurn]] = {}
        links: list[types.DocumentLink] = []
        for number, line in enumerate(text.split("\n")):
            session = _session_on(line, uri, text)
            if session not in known:
                known[session] = await self._turns(session)
            for start, end, target in _targets(line, folder, known[session]):
                first, last = codec.client_num_units(line[:start]), codec.client_num_units(line[:end])
                links.append(types.DocumentLink(range=_columns(number, first, last), target=target))
        return links[:_MAX_LINKS]

    # ---- asking

    async def _why(self, uri: str, lines: LineRange | None) -> WhyGetResult | None:
        params = WhyGetParams(path=uri, range=lines, text=self._text_of(uri))
        return await self._asked("why/get", params, WhyGetResult) if uri.startswith("file:") else None

    async def _turns(self, selector: SessionSelector) -> Sequence[TimelineTurn]:
        found = await self._asked("timeline/get", TimelineGetParams(session=selector, buckets=1_000), TimelineGetResult)
        return found.turns if found is not None else ()

    async def _asked(self, method: str, params: Wire, result: type[R]) -> R | None:
        """None where there is no answer: an editor asks of every file, and most are nobody's."""
        try:
            found = await self._ask(method, msgspec.json.encode(params))
        except RecapError:
            return None
        return found if isinstance(found, result) else None

    def _page(self, uri: str) -> str:
        """A `_recap.md` as the editor has it; without its text there is nothing to point at."""
        return self._text_of(uri) or ""


def is_recap_file(uri: str) -> bool:
    return uri.rpartition("/")[2] == _RECAP_FILE


def is_log(uri: str) -> bool:
    """By its name alone: whether recapd knows it, asking tells."""
    return uri.endswith(_LOG_ENDS)


def _path(uri: str) -> str:
    return unquote(urlsplit(uri).path)


def _turn(turns: Sequence[TimelineTurn], number: int) -> TimelineTurn | None:
    return next((turn for turn in turns if turn.turn <= number <= (turn.to_turn or turn.turn)), None)


def _told(turn: TimelineTurn) -> str:
    at = f" · {turn.at[:16].replace('T', ' ')}" if turn.at else ""
    return f"**turn {turn.turn}**{at}  \n{escape_markdown(turn.text)}"


def _lens(each: WhyLines, command: str | None) -> types.CodeLens:
    count = each.decisions_total
    decided = f" · {count} decision{'' if count == 1 else 's'}" if count else ""
    agent = each.agent.removesuffix("-code")
    title = f"turn {each.turn} · {agent}{decided}"
    return types.CodeLens(
        range=_columns(each.from_ - 1, 0, 0),
        # Without a command an editor still shows the words.
        command=types.Command(title=title, command=command or "", arguments=[each.session_id] if command else None),
    )


def _outline(text: str) -> list[types.DocumentSymbol]:
    """The headings, each with those below it."""
    lines = text.split("\n")
    roots: list[types.DocumentSymbol] = []
    above: list[tuple[int, types.DocumentSymbol]] = []
    for number, line in enumerate(lines):
        found = _HEADING.fullmatch(line)
        words = found[2].rstrip().rstrip("#").rstrip() if found is not None else ""
        if found is None or not words:
            continue
        level = len(found[1])
        while above and above[-1][0] >= level:
            above.pop()[1].range.end = _at(number - 1)
        symbol = types.DocumentSymbol(
            name=words,
            kind=types.SymbolKind.String,
            range=types.Range(start=_at(number), end=_at(len(lines) - 1)),
            selection_range=_columns(number, 0, 0),
            children=[],
        )
        if above:
            above[-1][1].children = [*(above[-1][1].children or ()), symbol]
        else:
            roots.append(symbol)
        above.append((level, symbol))
    return roots[:MAX_SYMBOLS]


def _targets(line: str, folder: str, turns: Sequence[TimelineTurn]) -> Iterator[tuple[int, int, str]]:
    """Parts of a line that lead somewhere: a turn to its message in the log, a file to itself."""
    for found in _TURN.finditer(line):
        turn = _turn(turns, int(found[1]))
        if turn is not None:
            yield found.start(), found.end(), f"{turn.ref.source}#L{turn.ref.line}"
    for found in _NAMED.finditer(line):
        name = found[1]
        path = os.path.normpath(os.path.join(folder, name))
        # Only what looks like a path is looked for, and only below the folder that the page is of.
        if ("/" in name or "." in name) and path.startswith(folder + "/") and os.path.isfile(path):
            yield found.start(1), found.end(1), Path(path).as_uri()


def _session_on(line: str, uri: str, text: str) -> SessionSelector:
    """Whose turns a line of a page means: those of the session it names, else of the one that the page is of."""
    if (other := _OTHER.search(line)) is not None:
        return SessionSelector(id=other[1])
    mark = mark_in(_line_of(text, 0))
    return (
        SessionSelector(id=mark.session) if mark is not None else SessionSelector(workspace=os.path.dirname(_path(uri)))
    )


def _line_of(text: str, number: int) -> str:
    lines = text.split("\n", number + 1)
    return lines[number] if number < len(lines) else ""


def _at(line: int) -> types.Position:
    return types.Position(line=max(line, 0), character=0)


def _columns(line: int, first: int, last: int) -> types.Range:
    line = max(line, 0)
    return types.Range(start=types.Position(line=line, character=first), end=types.Position(line=line, character=last))
