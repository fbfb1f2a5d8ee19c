"""Two users of this machine, made for a test and removed after it, and a Python that both can run."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from recapd.client.holder import holder_of
from tests.support.clock import PATIENCE_S

ROOT = Path(__file__).parent.parent.parent
# What a command may take on a busy machine. Whatever waits for somebody else waits longer.
HANGS_S = 10.0
_NEEDED = "import msgspec, anyio, pygls, watchfiles, recapd.daemon.app"


class User:
    """Runs commands as they would: from cron, su or a container, with a home and nothing else."""

    def __init__(self, name: str) -> None:
        found = pwd.getpwnam(name)
        self.uid, self.gid, self.home = found.pw_uid, found.pw_gid, Path(found.pw_dir)
        self.python = self._python()

    def environ(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        path = os.pathsep.join((str(ROOT), sysconfig.get_paths()["purelib"]))
        plain = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        return {**plain, **(more or {})}

    def start(self, *command: str, environ: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        return subprocess.Popen(
            command,
            user=self.uid,
            group=self.gid,
            extra_groups=[],
            umask=0o022,
            env=self.environ(environ),
            cwd=self.home,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def recapd(
        self, *arguments: str, environ: Mapping[str, str] | None = None, said: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """A command, which must not hang."""
        process = self.start(self.python, "-m", "recapd", *arguments, environ=environ)
        try:
            out, err = process.communicate(said, timeout=HANGS_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise AssertionError(f"recapd {' '.join(arguments)} hangs") from None
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def do(self, code: str, *arguments: str) -> str:
        """Python code as this user; what it prints."""
        process = self.start(self.python, "-c", code, *arguments)
        out, err = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, err
        return out

    def _python(self) -> str:
        """The interpreter of this test may lie in a folder of root's."""
        same = f"python{sys.version_info.major}.{sys.version_info.minor}"
        for python in (sys.executable, shutil.which(same, path="/usr/local/bin:/usr/bin") or ""):
            try:
                process = self.start(python, "-c", _NEEDED)
            except OSError:
                continue
            process.communicate()
            if process.returncode == 0:
                return python
        pytest.skip(f"another user can run neither {sys.executable} nor a {same} of the system")

    def end_daemons(self) -> None:
        for lock in self.home.rglob("recapd.lock"):
            if pid := holder_of(str(lock)):
                os.kill(pid, 9)


@contextmanager
def two_users() -> Iterator[tuple[User, User]]:
    """A victim and an attacker."""
    if os.geteuid() != 0:
        pytest.skip("only root can make users")
    names = ("recapd-test-a", "recapd-test-b")
    made: list[str] = []
    try:
        for name in names:
            # Left behind where the run before was killed.
            subprocess.run(["userdel", "--remove", "--force", name], check=False, capture_output=True)
            subprocess.run(["useradd", "--create-home", "--shell", "/bin/sh", name], check=True, capture_output=True)
            made.append(name)
        victim, attacker = map(User, names)
        for user in (victim, attacker):
            user.home.chmod(0o755)
        try:
            yield victim, attacker
        finally:
            victim.end_daemons()
    finally:
        for name in made:
            subprocess.run(["userdel", "--remove", "--force", name], check=False, capture_output=True)
