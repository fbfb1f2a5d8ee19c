"""What is to be done to a program's configuration, before anything is done. Reads files, writes none."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import NamedTuple

from recapd.client.paths import places

# A configuration is some kilobytes; what is larger is something else, and is left alone.
MOST_BYTES = 32 << 20


class CannotPlan(Exception):
    """Why nothing can be done, in a sentence that says what to do about it."""


class Wanted(NamedTuple):
    """What the user asked for."""

    # The folder of `--project`; None for the user's own configuration.
    project: str | None
    environ: Mapping[str, str]
    # What was made for our entries, by file: "" the file itself, else what in it holds them. No content.
    made: dict[str, list[str]]

    @property
    def home(self) -> str:
        return self.environ.get("HOME") or os.path.expanduser("~")


class Edit(NamedTuple):
    """What a file is and what it becomes; None where there is none."""

    path: str
    before: bytes | None
    after: bytes | None
    # A program of ours and nothing else: told in a line, not as a difference.
    is_whole: bool = False


class Plan(NamedTuple):
    edits: tuple[Edit, ...] = ()
    # Programs to run once the files are written, in this order.
    commands: tuple[tuple[str, ...], ...] = ()
    # What is left to the user, a sentence each.
    notes: tuple[str, ...] = ()
    # Programs to run while the files are still as they were.
    commands_before: tuple[tuple[str, ...], ...] = ()

    @property
    def does_nothing(self) -> bool:
        return not self.commands and not self.commands_before and all(each.before == each.after for each in self.edits)


class Target(NamedTuple):
    """A program that recapd can be put into. Both plans raise CannotPlan where they cannot be made."""

    name: str
    # What installing does, for `recapd install --help`.
    about: str
    plan_install: Callable[[Wanted], Plan]
    plan_uninstall: Callable[[Wanted], Plan]


def with_notes(plan: Plan, wanted: Wanted, *, is_wanted: bool) -> Plan:
    """The plan, which also writes down what was made, or that nothing of it is left."""
    path = notes_path(wanted.environ)
    before = read_configuration(path)
    if not is_wanted:
        for edit in plan.edits:
            wanted.made.pop(os.path.realpath(edit.path), None)
    after = json.dumps(wanted.made, indent=1).encode() if wanted.made else None
    if plan.does_nothing or before == after:
        return plan
    return plan._replace(edits=(*plan.edits, Edit(path, before, after, is_whole=True)))


def notes_path(environ: Mapping[str, str]) -> str:
    return os.path.join(places(environ).state_dir, "installed.json")


def read_notes(environ: Mapping[str, str]) -> dict[str, list[str]]:
    try:
        known = json.loads(read_configuration(notes_path(environ)) or b"{}")
    except (ValueError, RecursionError):
        return {}
    if not isinstance(known, dict):
        return {}
    return {path: made for path, made in known.items() if isinstance(made, list)}


def read_configuration(path: str) -> bytes | None:
    """The file, through links; None where there is none. CannotPlan where it is not to be read."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CannotPlan(f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > MOST_BYTES:
        raise CannotPlan(f"{path} is too large to be a configuration; nothing was changed.")
    return data
