"""The one thread that writes to the store. Work is done in the order it comes; nobody else holds a transaction."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


class Writer:
    """A thread and its queue. Not a pool's thread: a disk that hangs must not keep the process from ending."""

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
