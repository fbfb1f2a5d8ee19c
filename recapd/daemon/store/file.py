"""One file of the store in use: opened when needed, written by the one thread that writes, read by anybody, and mended
where it breaks.

What is in the way of writing is said for as long as it is; damage is answered by beginning anew. Knows no table.
"""

from __future__ import annotations

import logging
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from recapd.core.trouble import Trouble
from recapd.daemon.store.database import (
    Schema,
    Unusable,
    is_damage,
    open_or_begin,
    places_of,
    set_aside,
    trouble_of,
    write_back,
)

log = logging.getLogger(__name__)

T = TypeVar("T")

# What a disk or somebody else on it can do to us; everything else is a fault of our own.
TROUBLES = (sqlite3.Error, OSError, Unusable)
# Long enough to be seen by whoever looks after lunch; what was set aside is mended, and no reason to worry for ever.
NOTICE_S = 3600.0
# A disk that takes longer to open a file hangs.
_OPENED_S = 10.0


class Writer:
    """The one thread that writes, and its queue: work is done in the order it comes, nobody else holds a transaction.
    Not a pool's thread: a disk that hangs must not keep the process from ending."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Have the work done; its result or its exception is the future's."""
        future: Future[T] = Future()

        def job() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)

        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="store", daemon=True)
                self._thread.start()
        self._jobs.put(job)
        return future

    def do(self, work: Callable[[], T]) -> T:
        """The result of the work. Waits, so never on the loop; from the thread itself it is done at once."""
        if threading.current_thread() is self._thread:
            return work()
        return self.submit(work).result()

    def end(self, timeout_s: float) -> bool:
        """Let it finish what waits; whether it did in time."""
        thread = self._thread
        if thread is None:
            return True
        self._jobs.put(None)
        thread.join(timeout_s)
        return not thread.is_alive()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()


class StoreFile:
    """A file by its schema's name. `on_open` is called with each new connection, before anything else is done on it."""

    def __init__(
        self,
        folder: str,
        schema: Schema,
        writer: Writer,
        *,
        on_open: Callable[[sqlite3.Connection], None],
        on_trouble: Callable[[], None],
        on_lost: Callable[[], None] = lambda: None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path = os.path.join(folder, f"{schema.name}.db")
        self._schema = schema
        self._writer = writer
        self._on_open = on_open
        self._on_trouble = on_trouble
        self._on_lost = on_lost
        self._monotonic = monotonic
        self._db: sqlite3.Connection | None = None
        self._reader: sqlite3.Connection | None = None
        self._reading = threading.Lock()
        # The files that the connection works on: another one at their name, or none, means that somebody meddled.
        self._places: dict[str, tuple[int, int]] = {}
        # What keeps it from being written now.
        self.trouble: Trouble | None = None
        self._notices: tuple[tuple[float, Trouble], ...] = ()

    @property
    def notices(self) -> tuple[Trouble, ...]:
        """What had to be set aside lately."""
        return tuple(notice for at, notice in self._notices if self._monotonic() - at < NOTICE_S)

    def submit(self, work: Callable[[sqlite3.Connection], T]) -> Future[T]:
        """Have something done by the writer; the future fails where that cannot be."""
        return self._writer.submit(lambda: self._do(work))

    def do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """The same, waiting for it: not on the loop. One of TROUBLES where it cannot be done."""
        return self._writer.do(lambda: self._do(work))

    def attempt(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """The same, and None where it cannot be done."""
        try:
            return self.do(work)
        except TROUBLES:
            return None

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """The result, in this thread; None where the file cannot be read: whoever asks has another way."""
        with self._reading:
            try:
                if self._reader is None:
                    if not os.path.exists(self._path):
                        return None
                    self._reader = self._connected_to_read()
                return work(self._reader)
            except sqlite3.Error as error:
                self._close_reader()
                self._not_read(error)
                return None

    def read_apart(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """The same on a connection of its own: for what may take long, so that other readers do not wait for it.
        sqlite3.Error where the file cannot be read: whoever asks has no other way, and must not take it for empty."""
        if self._db is None:
            # A daemon that was just started has yet to open it, and the first one of all to make it.
            with suppress(*TROUBLES, TimeoutError):
                self.submit(lambda db: None).result(_OPENED_S)
        try:
            with closing(self._connected_to_read()) as reader:
                return work(reader)
        except sqlite3.Error as error:
            self._not_read(error)
            raise

    def _not_read(self, error: sqlite3.Error) -> None:
        log.warning("store not read", extra={"file": self._schema.name, "error": type(error).__name__})
        if is_damage(error):
            self._writer.submit(self._check)

    def _connected_to_read(self) -> sqlite3.Connection:
        uri = f"{Path(self._path).absolute().as_uri()}?mode=ro"
        return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)

    def look_after(self) -> None:
        """Have the file put back where somebody took it away, though nobody writes."""
        self._writer.submit(self._put_back)

    def close(self) -> None:
        """By the writer."""
        with self._reading:
            self._close_reader()
        if self._db is not None:
            self._db.close()
            self._db, self._places = None, {}

    # ---- on the writer's thread

    def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            result = work(self._opened())
        except TROUBLES as error:
            if not (isinstance(error, sqlite3.Error) and is_damage(error)):
                self._set_trouble(trouble_of(error, self._path))
                raise
            self._begin_anew()
            result = work(self._opened())
        # What SQLite puts beside the file is not there before it is needed.
        self._places = {**places_of(self._path), **self._places}
        self._set_trouble(None)
        return result

    def _opened(self) -> sqlite3.Connection:
        if self._db is not None and self._is_displaced():
            self._write_back(self._db)
        if self._db is None:
            self._db, notice = open_or_begin(self._path, self._schema)
            if notice:
                log.warning("store file set aside", extra={"file": self._schema.name})
                self._notice(notice)
            self._on_open(self._db)
        return self._db

    def _put_back(self) -> None:
        try:
            if self._db is not None:
                self._opened()
        except TROUBLES as error:
            self._set_trouble(trouble_of(error, self._path))

    def _is_displaced(self) -> bool:
        """Whether what is written now would be in no file that anybody finds again."""
        return self._places.items() - places_of(self._path).items() != set()

    def _write_back(self, connection: sqlite3.Connection) -> None:
        log.warning("store file was taken away", extra={"file": self._schema.name})
        with self._reading:
            self._close_reader()
        write_back(connection, self._path, known=self._places)
        self._db, self._places = None, {}
        what = f"{os.path.basename(self._path)} was removed or replaced while recapd used it"
        self._notice(what, then="nothing is lost, and it is there again")
        self._on_trouble()

    def _begin_anew(self) -> None:
        log.warning("store file damaged", extra={"file": self._schema.name})
        self.close()
        self._notice(f"{os.path.basename(self._path)} is damaged and was set aside as {set_aside(self._path)}")
        self._opened()
        self._on_lost()
        self._on_trouble()

    def _notice(self, what: str, *, then: str = "recapd began anew") -> None:
        self._notices = (*self._notices, (self._monotonic(), Trouble(what, f"{then}.")))

    def _check(self) -> None:
        """A reader found damage: make sure, and begin anew where it is so."""
        writing = self._opened()
        if self._is_whole_for_others():
            return
        # What this process has of it in memory may be sound while what stands on disk is not.
        if _is_whole(writing):
            with suppress(*TROUBLES):
                self._write_back(writing)
                self._opened()
        if not self._is_whole_for_others():
            self._begin_anew()

    def _is_whole_for_others(self) -> bool:
        """As whoever opens it now finds it."""
        try:
            with closing(self._connected_to_read()) as reader:
                return _is_whole(reader)
        except sqlite3.Error as error:
            return not is_damage(error)

    def _set_trouble(self, trouble: Trouble | None) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            self._on_trouble()

    def _close_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None


def _is_whole(connection: sqlite3.Connection) -> bool:
    try:
        return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.Error as error:
        return not is_damage(error)
