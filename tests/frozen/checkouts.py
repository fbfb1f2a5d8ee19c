"""Processes of one checkout: what stands in its folder is what runs, and nothing of the caller's environment."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from tests.frozen.frames import PATIENCE_S, Client, client_of_process, client_of_socket
from tests.frozen.stage import Stage

# A hundred megabytes are read in a quarter of a minute, by a machine that has nothing else to do.
_READING_S = 600.0
_WHERE = "import recapd; print(recapd.__file__)"


class Checkout(Struct, frozen=True):
    """A folder with recapd in it, and the stage its processes see."""

    folder: Path
    python: str
    stage: Stage
    # By which sets are walked.
    hash_seed: int

    def environ(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        return {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.stage.home),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "COLUMNS": "100",
            "PYTHONHASHSEED": str(self.hash_seed),
            # Nothing is written into the checkout, and nothing is compiled twice.
            "PYTHONPYCACHEPREFIX": str(self.stage.folder / "compiled"),
            "PYTHONPATH": os.pathsep.join((str(self.stage.site), str(self.folder))),
            "RECAPD_RUNTIME_DIR": str(self.stage.runtime),
            "RECAPD_STATE_DIR": str(self.stage.state),
            **(more or {}),
        }

    def run(
        self, *arguments: str, environ: Mapping[str, str] | None = None, stdin: bytes = b""
    ) -> subprocess.CompletedProcess[bytes]:
        """A command of recapd's, to its end, in the folder `work`."""
        return subprocess.run(
            [self.python, "-m", "recapd", *arguments],
            cwd=self.stage.work,
            env=self.environ(environ),
            input=stdin,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )

    def run_on_terminal(self, *arguments: str) -> tuple[int, bytes]:
        """The same with a terminal for its output: the exit code, and all that the terminal gets."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", 40, 100, 0, 0))
        environ = self.environ({"TERM": "xterm-256color"})
        command = [self.python, "-m", "recapd", *arguments]
        process = subprocess.Popen(
            command, cwd=self.stage.work, env=environ, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave
        )
        os.close(slave)
        written = b""
        # Reading fails once the last process that has the terminal is gone.
        with contextlib.suppress(OSError):
            while data := os.read(master, 65_536):
                written += data
        os.close(master)
        return process.wait(PATIENCE_S), written

    @contextmanager
    def talking(self, *arguments: str, environ: Mapping[str, str] | None = None) -> Iterator[Client]:
        """A client of a command that speaks the protocol on stdin and stdout."""
        process = subprocess.Popen(
            [self.python, "-m", "recapd", *arguments],
            cwd=self.stage.work,
            env=self.environ(environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        client = client_of_process(process)
        try:
            yield client
        finally:
            client.close()
            _end(process)

    @contextmanager
    def serving(self, *arguments: str, environ: Mapping[str, str] | None = None) -> Iterator[str]:
        """The path of the socket that a daemon listens on, unless `--tcp` is among the arguments."""
        reading, writing = os.pipe()
        os.set_inheritable(writing, True)
        how = () if "--tcp" in arguments else ("--socket",)
        process = subprocess.Popen(
            [self.python, "-m", "recapd", "serve", *how, "--foreground", *arguments],
            cwd=self.stage.work,
            env=self.environ({"RECAPD_READY_FD": str(writing), **(environ or {})}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(writing,),
        )
        os.close(writing)
        try:
            with open(reading, "rb") as pipe:
                line = pipe.readline()
            if line != b"ready\n":
                raise AssertionError(f"the daemon did not become ready: {line!r}")
            yield str(self.stage.runtime / "recapd.sock")
        finally:
            _end(process)

    @contextmanager
    def client(self, *arguments: str, environ: Mapping[str, str] | None = None) -> Iterator[Client]:
        """A client of a daemon of its own, over its socket."""
        with self.serving(*arguments, environ=environ) as path:
            client = client_of_socket(path)
            try:
                yield client
            finally:
                client.close()


def checkout_at(folder: Path, stage: Stage, *, hash_seed: int) -> Checkout:
    """AssertionError where something else than the folder's own recapd would run."""
    folder = folder.resolve()
    own = folder / ".venv" / "bin" / "python"
    checkout = Checkout(folder, str(own) if own.exists() else sys.executable, stage, hash_seed)
    command = [checkout.python, "-c", _WHERE]
    done = subprocess.run(
        command, cwd=stage.work, env=checkout.environ(), capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    found = Path(done.stdout.strip()).resolve()
    if not found.is_relative_to(folder):
        raise AssertionError(f"{found} would run, which is not below {folder}")
    return checkout


def await_rest(client: Client, *, sessions: int = 0) -> None:
    """Until everything is read and judged, and at least so many sessions are known."""
    deadline = time.monotonic() + _READING_S
    while True:
        status = client.result("recapd/status", {"limit": 1})
        is_judged = not any(queue["depth"] for queue in status.get("queues", ()) if queue["name"] == "decisions")
        if status["quiescent"] and is_judged and status.get("sessions", 0) >= sessions:
            return
        if time.monotonic() > deadline:
            raise AssertionError(f"it never came to rest: {json.dumps(status)[:2000]}")
        time.sleep(0.05)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(PATIENCE_S)
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()
