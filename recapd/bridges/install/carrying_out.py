"""Showing a plan, asking, and carrying it out: the only place that writes other programs' files."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile

from recapd.bridges.install.difference import describe
from recapd.bridges.install.plan import CannotPlan, Edit, Plan
from recapd.client.errors import ClientError

_COLOURS = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
_PLAIN = "\x1b[0m"
# A program that is run for an installation may ask the network for something.
_COMMAND_S = 300.0


def carry_out(plan: Plan, *, is_sure: bool) -> int:
    """The exit code: 0 where everything is as wanted, 1 where it was only shown or refused.

    `is_sure` does not ask; without it and without a terminal, nothing is changed.
    """
    if plan.does_nothing:
        _tell("Everything is as it should be; nothing was changed.")
        _tell_notes(plan)
        return 0
    for edit in plan.edits:
        if edit.before != edit.after:
            _show(edit)
    for command in (*plan.commands_before, *plan.commands):
        _tell(f"run: {shlex.join(command)}")
    if not is_sure and not (sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()):
        _tell("\nNothing was changed. To do this: the same command with --yes.")
        return 1
    if not is_sure and not _is_agreed():
        _tell("Nothing was changed.")
        return 1
    for command in plan.commands_before:
        _run(command)
    _write_all([edit for edit in plan.edits if edit.before != edit.after])
    for command in plan.commands:
        _run(command)
    _tell("Done.")
    _tell_notes(plan)
    return 0


def _is_agreed() -> bool:
    sys.stdout.write("\nDo this? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _tell_notes(plan: Plan) -> None:
    for note in plan.notes:
        _tell(f"- {note}")


def _show(edit: Edit) -> None:
    is_coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    for line in describe(edit):
        colour = _COLOURS.get(line[:1], "") if is_coloured else ""
        _tell(f"{colour}{line}{_PLAIN}" if colour else line)


def _write_all(edits: list[Edit]) -> None:
    """Each as a whole, or none: what was written before one that fails is put back."""
    done: list[Edit] = []
    try:
        for edit in edits:
            _write(edit.path, edit.before, edit.after)
            done.append(edit)
    except (OSError, CannotPlan) as error:
        for edit in reversed(done):
            _write(edit.path, edit.after, edit.before)
        why = str(error) if isinstance(error, CannotPlan) else f"{edit.path} cannot be written: {error.strerror}"
        raise ClientError(f"{why.rstrip('.')}; nothing was changed.") from None


def _write(path: str, before: bytes | None, after: bytes | None) -> None:
    # A link stays what it is: dotfiles are often kept elsewhere.
    path = os.path.realpath(path)
    try:
        with open(path, "rb") as file:
            now: bytes | None = file.read()
            mode = os.fstat(file.fileno()).st_mode & 0o7777
    except FileNotFoundError:
        now, mode = None, 0o600
    if now != before:
        raise CannotPlan(f"{path} was changed by somebody else in the meantime")
    if before is not None and not (mode & 0o200 and os.access(path, os.W_OK)):
        # Somebody took care that it stays as it is; a new file in its place would go behind their back.
        raise CannotPlan(f"{path} is read-only; make it writable first")
    if after is None:
        os.unlink(path)
        return
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    descriptor, made = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".recapd-")
    try:
        with open(descriptor, "wb") as file:
            file.write(after)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(made, mode)
        os.replace(made, path)
    except BaseException:
        os.unlink(made)
        raise


def _run(command: tuple[str, ...]) -> None:
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=_COMMAND_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ClientError(f"{shlex.join(command)} could not be run", f"run it by hand: {error}") from None
    if done.returncode:
        raise ClientError(f"{shlex.join(command)} failed", "run it by hand to see why.")
