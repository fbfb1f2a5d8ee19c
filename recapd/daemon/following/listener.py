"""Whom a tailer tells what it finds, and telling nothing twice."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence

from msgspec import Struct

from recapd.core.log import Record
from recapd.core.state import Batch
from recapd.server.backend import Indexing


class Listener(Struct, frozen=True):
    """Calls are made on the loop and must not wait."""

    on_batch: Callable[[Batch], None]
    # A file is gone or void: everything under this URI.
    on_gone: Callable[[str], None]
    # The first reading moved on, or a watcher changed its state: ask for `indexing` and `roots`.
    on_status: Callable[[], None]
    # What the unfinished last line of a file says, or nothing any more. It comes as a batch once it is finished.
    on_unfinished: Callable[[str, Sequence[Record]], None] | None = None
    # A file was deleted, rather than being void; None: the same as gone.
    on_vanished: Callable[[str], None] | None = None
    # What was known of these files before the start still holds.
    on_proved: Callable[[Sequence[str]], None] | None = None
    # What was known of this file before the start still holds, and there is more to come.
    on_outgrown: Callable[[str], None] | None = None
    # How far the file at this path is read was noted, or that nothing is known of it any more.
    on_noted: Callable[[str], None] | None = None
    # Called before news is passed on that continues what is known: whether it can be continued.
    before_news: Callable[[Sequence[Batch]], Awaitable[bool]] | None = None


class Teller:
    """Passes on to a listener what is new to it."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._unfinished: set[str] = set()
        self._told: tuple[int, bool] = (-1, False)

    def news(self, batches: Iterable[Batch]) -> None:
        for batch in batches:
            self._listener.on_batch(batch)

    def gone(self, uri: str) -> None:
        self._listener.on_gone(uri)

    def vanished(self, uri: str) -> None:
        (self._listener.on_vanished or self._listener.on_gone)(uri)

    def proved(self, uris: Sequence[str]) -> None:
        if uris and self._listener.on_proved is not None:
            self._listener.on_proved(uris)

    def outgrown(self, uri: str) -> None:
        if self._listener.on_outgrown is not None:
            self._listener.on_outgrown(uri)

    def noted(self, path: str) -> None:
        if self._listener.on_noted is not None:
            self._listener.on_noted(path)

    async def can_continue(self, batches: Sequence[Batch]) -> bool:
        before = self._listener.before_news
        return before is None or not batches or batches[0].restart or await before(batches)

    def unfinished(self, uri: str, records: Sequence[Record]) -> None:
        if self._listener.on_unfinished is None or not (records or uri in self._unfinished):
            return
        if records:
            self._unfinished.add(uri)
        else:
            self._unfinished.discard(uri)
        self._listener.on_unfinished(uri, records)

    def indexing(self, now: Indexing) -> None:
        """Percent by percent: thousands of files are read in a second."""
        told = (now.done * 100 // max(now.total, 1), now.quiescent)
        if told != self._told:
            self._told = told
            self._listener.on_status()
