"""A daemon as a process of its own that a test may kill at any moment, and asks without starting another."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from recapd.client.call import call
from recapd.client.errors import ClientError
from tests.support.clock import PATIENCE_S
from tests.support.daemons import Home


class DaemonProcess:
    """`recapd serve` in the foreground, ready to be asked."""

    def __init__(
        self,
        home: Home,
        *,
        environ: Mapping[str, str] | None = None,
        arguments: tuple[str, ...] = (),
        preexec: Callable[[], None] | None = None,
        module: str = "recapd",
    ) -> None:
        self.home = home
        reading, writing = os.pipe()
        os.set_inheritable(writing, True)
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, "serve", "--socket", "--foreground", *arguments],
            env=home.environ | {"RECAPD_READY_FD": str(writing)} | dict(environ or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(writing,),
            preexec_fn=preexec,
        )
        os.close(writing)
        try:
            said = os.read(reading, 200)
        finally:
            os.close(reading)
        if said != b"ready\n":
            self.kill()
            raise AssertionError(f"the daemon did not become ready: {said!r}")

    def kill(self) -> None:
        """As a power cut would: no handler runs."""
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def end(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_S)

    def ask(self, method: str, params: Mapping[str, object] | None = None) -> Any:
        return call(method, params, where=self.home.places, start_if_missing=False, timeout_s=PATIENCE_S)

    def status(self) -> Any:
        return self.ask("recapd/status")

    def settled(self, condition: Callable[[], bool] = lambda: True) -> None:
        """Wait until everything is read and the condition holds."""
        until(lambda: self.status()["quiescent"] and condition())


@contextmanager
def daemon_process(
    home: Home,
    *,
    environ: Mapping[str, str] | None = None,
    arguments: tuple[str, ...] = (),
    preexec: Callable[[], None] | None = None,
) -> Iterator[DaemonProcess]:
    daemon = DaemonProcess(home, environ=environ, arguments=arguments, preexec=preexec)
    try:
        yield daemon
    finally:
        with contextlib.suppress(ClientError, ProcessLookupError):
            daemon.end()
        if daemon.process.poll() is None:
            daemon.kill()


def until(condition: Callable[[], bool], *, patience_s: float = PATIENCE_S) -> None:
    """Look again and again at something outside this process that does not call back."""
    deadline = time.monotonic() + patience_s
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError("it never came true")
        time.sleep(0.02)
