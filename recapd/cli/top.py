"""`recapd top`: all sessions live, those that need you first; and the same screen to choose one of several.

rows ◀── session/overview ◀── told of changes (recap/subscribe)      a list, and below it the one that is chosen:
keys ──▶ which is chosen, what is looked for, which page is open      its picture and its short recap
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial

from recapd.cli.ids import text_of
from recapd.cli.markdown import render_lines, without_marks
from recapd.cli.picture import draw_session
from recapd.cli.rows import NEEDING, colour_of, needs_you, write_head, write_rows
from recapd.cli.screen import Screen, keys_of, on_whole_screen
from recapd.cli.terminal import (
    can_redraw,
    columns_of,
    cut_to,
    fill_lines,
    fitted,
    has_colours,
    paint,
    screen_size,
    screen_width,
)
from recapd.client.agents import roots_here
from recapd.client.call import FIRST_ANSWER_S, Connection
from recapd.client.errors import CallError, ClientError, ConnectionLost
from recapd.client.start import connect_to
from recapd.wire.errors import request_failed

Row = Mapping[str, object]

_MOST_ROWS = 200
# Agents append several records a second; nobody reads faster than this.
_SETTLE = {"quietMs": 150, "maxMs": 400}
# Ages move on, and a daemon that is gone is looked for again.
_TICK_S = 10.0
_AGAIN_S = 1.0
# Below this, a preview would leave no room for the list.
_LEAST_FOR_PREVIEW = 16
# As in less and vi, where nothing is typed into the filter.
_LETTERS = {"k": "up", "j": "down", " ": "page down", "g": "first", "G": "last"}
_HINT = "↑↓ choose · Enter open · / filter · q quit"
_TYPING_HINT = "Enter keeps the filter · Esc shows all"
_FILTERED_HINT = "↑↓ choose · Enter open · Esc shows all"
_PAGE_HINT = "↑↓ scroll · Esc back · q quit"


def top_command(args: argparse.Namespace) -> int:
    _need_a_terminal()
    workspace = args.folder
    code, _ = on_whole_screen(lambda screen: _Top(screen, workspace=workspace).run())
    return code


def pick(ids: Sequence[str]) -> str | None:
    """The id of the session that is chosen of these, or of all where there are none; None where none is."""
    code, chosen = on_whole_screen(lambda screen: _Top(screen, only=frozenset(ids), is_picker=True).run())
    return chosen if not code and chosen else None


def pick_command(args: argparse.Namespace) -> int:
    _need_a_terminal()
    chosen = pick(())
    if chosen is None:
        return 130
    if args.id:
        sys.stdout.write(chosen + "\n")
        return 0
    from recapd.cli.commands import show_recap_of

    return show_recap_of(chosen)


def _need_a_terminal() -> None:
    if not (sys.stdin is not None and sys.stdin.isatty() and can_redraw(sys.stdout)):
        raise request_failed("This needs a terminal that can be drawn on; for a list: recapd overview --all")


class _Top:
    """What is on the screen, and what is known of it. Everything but `run` is quick."""

    def __init__(
        self,
        screen: Screen,
        *,
        only: frozenset[str] = frozenset(),
        is_picker: bool = False,
        workspace: str | None = None,
    ) -> None:
        self._screen = screen
        self._only = only
        self._is_picker = is_picker
        self._workspace = workspace
        self._daemon: Connection | None = None
        self._rows: list[Row] = []
        self._total = 0
        self._chosen = ""
        self._filter = ""
        self._is_typing = False
        # The recap that is open, as Markdown.
        self._page: str | None = None
        self._scrolled = 0
        self._trouble = ""
        self._is_read = False
        # By session, what was last shown below the list, with the revision and width it was made of.
        self._previews: dict[str, tuple[object, int, list[str]]] = {}

    def run(self) -> str:
        """The id of the session that was chosen, "" where none was."""
        retry_at = 0.0
        while True:
            # Before a daemon is looked for, too: that takes a while, and why it is looked for is told meanwhile.
            self._draw()
            if self._daemon is None and time.monotonic() >= retry_at:
                self._connect()
                retry_at = time.monotonic() + _AGAIN_S
                self._draw()
            sockets = [self._daemon.fileno()] if self._daemon is not None else []
            is_settled = self._daemon is not None and self._is_read
            typed, is_told = self._screen.wait(sockets, _TICK_S if is_settled else _AGAIN_S)
            for key in keys_of(typed):
                if self._is_over(key):
                    return self._chosen if self._is_picker and key == "enter" else ""
            if is_told:
                self._guarded(self._take_news)
            elif self._daemon is not None and not self._is_read:
                self._guarded(self._load)

    # What is known

    def _connect(self) -> None:
        try:
            address, reached = connect_to()
            daemon = Connection(reached, pid=address.pid)
            daemon.call("recapd/discover", {"roots": roots_here(address.port)}, timeout_s=FIRST_ANSWER_S)
            daemon.call("recap/subscribe", {"subscriptionId": "top", "selector": {"all": True}, "settle": _SETTLE})
        except (ClientError, CallError) as error:
            self._trouble = f"{error}"
            return
        self._daemon, self._trouble = daemon, ""
        self._guarded(self._load)

    def _guarded(self, work: Callable[[], None]) -> None:
        """A daemon that ends is looked for again; what was known stays on the screen."""
        try:
            work()
        except ConnectionLost:
            self._daemon, self._trouble = None, "The daemon has ended; looking for it …"
        except (ClientError, CallError) as error:
            self._trouble = str(error)

    def _take_news(self) -> None:
        assert self._daemon is not None
        is_changed = False
        while (heard := self._daemon.next_notification(0.001)) is not None:
            is_changed |= heard[0] == "recap/didChange"
        if is_changed:
            self._load()

    def _load(self) -> None:
        answer = self._ask("session/overview", {"limit": _MOST_ROWS} | self._where())
        rows = answer.get("sessions")
        self._rows = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        if self._only:
            self._rows = [row for row in self._rows if text_of(row, "id") in self._only]
        if self._page is not None:
            self._read_page()
        # Of a daemon that still looks for logs, having none says nothing.
        self._is_read = bool(self._rows) or self._ask("recapd/status", {"limit": 1}).get("quiescent") is not False
        total = answer.get("total")
        self._total = total if isinstance(total, int) and not self._only else len(self._rows)

    def _where(self) -> dict[str, object]:
        return {"workspace": self._workspace} if self._workspace else {}

    def _ask(self, method: str, params: dict[str, object]) -> Row:
        assert self._daemon is not None
        answer = self._daemon.call(method, params)
        return answer if isinstance(answer, dict) else {}

    # Keys

    def _is_over(self, key: str) -> bool:
        if self._is_typing:
            self._type(key)
            return False
        key = _LETTERS.get(key, key)
        if key == "q" or (key == "escape" and self._page is None and not self._filter):
            return True
        if self._page is not None:
            self._scroll(key)
        elif key == "enter":
            if self._is_picker:
                return bool(self._chosen)
            self._guarded(self._open)
        elif key == "escape":
            self._filter = ""
        elif key == "/":
            self._is_typing = True
        else:
            self._move(key)
        return False

    def _type(self, key: str) -> None:
        if key in ("enter", "escape"):
            self._is_typing = False
            self._filter = self._filter if key == "enter" else ""
        elif key == "erase":
            self._filter = self._filter[:-1]
        elif len(key) == 1 and key.isprintable():
            self._filter += key
        else:
            self._move(key)

    def _move(self, key: str) -> None:
        shown = [text_of(row, "id") for row in self._shown()]
        if not shown:
            return
        at = shown.index(self._chosen) if self._chosen in shown else 0
        size = max(1, self._list_height() - 1)
        steps = {"up": -1, "down": 1, "page up": -size, "page down": size, "first": -len(shown), "last": len(shown)}
        self._chosen = shown[max(0, min(len(shown) - 1, at + steps.get(key, 0)))]

    def _scroll(self, key: str) -> None:
        page, height = self._page_lines(), self._page_height()
        steps = {"up": -1, "down": 1, "page up": -height, "page down": height, "first": -len(page), "last": len(page)}
        self._scrolled = max(0, min(len(page) - height, self._scrolled + steps.get(key, 0)))
        if key == "escape":
            self._page = None

    def _open(self) -> None:
        if self._daemon is None or not self._chosen:
            return
        self._read_page()
        self._scrolled = 0

    def _read_page(self) -> None:
        answer = self._ask("recap/get", {"session": {"id": self._chosen}, "format": "full"})
        self._page = without_marks(text_of(answer, "markdown"))

    # What is seen

    def _shown(self) -> list[Row]:
        wanted = self._filter.casefold().split()
        keys = ("title", "workspace", "agent", "id", "question", "detail", "branch")
        return [
            row
            for row in self._rows
            if all(any(word in text_of(row, key).casefold() for key in keys) for word in wanted)
        ]

    def _list_height(self) -> int:
        """Lines of the list; the rest, below it, belong to the one that is chosen."""
        height = screen_size()[1] - 2
        return height if height < _LEAST_FOR_PREVIEW else min(max(1, len(self._shown())), height // 2)

    def _page_height(self) -> int:
        """Lines of an open page, below the line that says of which session it is, and above the keys."""
        return max(1, screen_size()[1] - 4)

    def _page_lines(self) -> list[str]:
        return render_lines(self._page or "", width=screen_width(), has_colours=has_colours(sys.stdout))

    def _draw(self) -> None:
        width, height = screen_size()
        if self._page is not None:
            row = next((each for each in self._rows if text_of(each, "id") == self._chosen), {})
            below = self._page_lines()[self._scrolled : self._scrolled + self._page_height()]
            self._screen.draw([_head(row, width), "", *_padded(below, height - 3), _hint(_PAGE_HINT, width)], height)
            return
        shown = self._shown()
        ids = [text_of(row, "id") for row in shown]
        if self._chosen not in ids:
            self._chosen = ids[0] if ids else ""
        size = self._list_height()
        at = ids.index(self._chosen) if ids else 0
        start = max(0, min(at - size // 2, len(shown) - size))
        lines = [self._headline(width)]
        listed = partial(write_rows, shown[start : start + size], now=datetime.now(UTC), width=width, first=start + 1)
        if shown:
            lines += listed(paint=_paint)
            # Reversed to the end of the line, also where there are no colours: by spaces, as what a terminal erases
            # to the end of a line is not reversed.
            lines[1 + at - start] = f"\x1b[7m{fitted(listed()[at - start], width)}\x1b[0m"
        if not shown:
            lines += fill_lines(sys.stdout, self._why_none(), screen_width())
        if height - 2 >= _LEAST_FOR_PREVIEW and self._chosen:
            head = _head(shown[at], width)
            lines = [*_padded(lines, size + 1), _dim("─" * width), head, *self._preview(shown[at], width)]
        lines = [*_padded(lines[: height - 1], height - 1), self._footer(width)]
        self._screen.draw(lines, height)

    def _why_none(self) -> str:
        if self._rows:
            return "No session fits; Esc shows all of them."
        if not self._is_read:
            return "Reading the logs …"
        return "No sessions yet; they appear here as agents write them. To see one: recapd demo"

    def _headline(self, width: int) -> str:
        waiting = sum(map(needs_you, self._rows))
        working = sum(row.get("state") == "active" for row in self._rows)
        found = f"{len(self._shown())} of " if self._filter else ""
        parts = [
            ("recapd", "1"),
            (
                f"{waiting} need{'s' if waiting == 1 else ''} you" if waiting else "nothing needs you",
                NEEDING if waiting else "",
            ),
            *([(f"{working} working", colour_of({"state": "active"}))] if working else []),
            (f"{found}{self._total} session{'' if self._total == 1 else 's'}", ""),
        ]
        while columns_of(" · ".join(text for text, _ in parts)) > width and len(parts) > 1:
            parts.pop()
        return " · ".join(_paint(text, colour) for text, colour in parts)

    def _footer(self, width: int) -> str:
        if self._is_typing or self._filter:
            hint = _TYPING_HINT if self._is_typing else _FILTERED_HINT
            typed = cut_to(f"/{self._filter}{'▏' if self._is_typing else ''}", width)
            return f"{typed}  {_hint(hint, width - columns_of(typed) - 2)}".rstrip(" ")
        if self._trouble:
            return _paint(cut_to(" ".join(self._trouble.split()), width), "31")
        return _hint(_HINT.replace("open", "choose it") if self._is_picker else _HINT, width)

    def _preview(self, row: Row, width: int) -> list[str]:
        """Its picture and its short recap, asked for once for each state of the session."""
        kept = self._previews.get(self._chosen)
        if kept is not None and kept[:2] == (row.get("revision"), width):
            return kept[2]
        made: list[str] = kept[2] if kept else []
        if self._daemon is not None:
            try:
                made = self._made_preview(row, width)
            except (ClientError, CallError):
                # The next look at the daemon tells why.
                return made
            self._previews[self._chosen] = (row.get("revision"), width, made)
        return made

    def _made_preview(self, row: Row, width: int) -> list[str]:
        session = {"session": {"id": self._chosen}}
        drawn = self._ask("timeline/get", session | {"buckets": max(10, min(200, width))})
        turns, marks = drawn.get("turns"), drawn.get("marks")
        picture = []
        if isinstance(turns, list) and isinstance(marks, list):
            picture = draw_session(turns, marks, width=width, paint=_paint)
        recap = text_of(self._ask("recap/get", session | {"format": "short"}), "markdown")
        lines = render_lines(without_marks(recap), width=screen_width(), has_colours=has_colours(sys.stdout))
        return [*picture, *lines]


def _padded(lines: list[str], height: int) -> list[str]:
    return [*lines[:height], *("" for _ in range(height - len(lines)))]


def _head(row: Row, width: int) -> str:
    return write_head(row, now=datetime.now(UTC), width=width, paint=_paint) if row else ""


def _paint(text: str, code: str) -> str:
    return paint(sys.stdout, text, code)


def _hint(hint: str, width: int) -> str:
    """Where there is little room, without those that most people try anyhow."""
    while hint and columns_of(hint) > width:
        hint = hint.partition(" · ")[2]
    return _dim(hint) if hint else ""


def _dim(text: str) -> str:
    return _paint(text, "2")
