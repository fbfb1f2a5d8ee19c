"""One place that settings come from, checked key by key: a good key counts whatever stands beside it.

    user's file, workspace's file, environment ─▶ Layer: values by key, switches of single sessions, troubles

Owns which keys a workspace may set: its file comes with a checkout, so it may be anybody's.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from recapd.core.trouble import Trouble
from recapd.daemon.config.dialects import sort_out
from recapd.daemon.config.presets import PRESETS, SETTLED, SPELLINGS, spelled_elsewhere
from recapd.daemon.config.setting_keys import (
    Key,
    Rejected,
    Value,
    check_text,
    check_value,
    describe_accepted,
    find_closest,
    keys,
    sections,
    shown_name,
)
from recapd.daemon.config.toml import bytes_of, document_of

WORKSPACE_FILE = ".recapd.toml"
# Where a design keeps a configuration of its own, in JSON and in its own words, and the preset that knows them.
FOREIGN_FILES = {".GITCLAW/recap.json": "gitclaw"}
PRESET_VARIABLE = "RECAPD_PRESET"
# Less than for the user's own: it may be anybody's.
MAX_WORKSPACE_BYTES = 64 << 10
# What a workspace may decide for itself: how its sessions are told. What leaves the machine, what is read and what
# is kept is its user's to say, and so is every section that is not named here.
_OF_A_WORKSPACE = frozenset({"recap", "decisions", "window", "context", "summary", "digest", "recap_file"})
# These may be given up by a workspace and not taken: text for a model, files that are written.
_ONLY_OFF = frozenset({"summary.enabled", "recap_file.enabled"})
_MOST_TROUBLES = 20
_QUOTED = re.compile(r"“([^”]*+)(?:”|\Z)")


class Stamp(Struct, frozen=True):
    """A file as it was when it was read: another one means that it has to be read again."""

    inode: int = 0
    size: int = -1
    changed_ns: int = 0


class Layer(Struct, frozen=True):
    """What one place says."""

    source: str
    # The file, "" for what is none.
    path: str = ""
    values: dict[str, Value] = {}
    preset: str = ""
    # By session, then by key.
    sessions: dict[str, dict[str, Value]] = {}
    troubles: tuple[Trouble, ...] = ()
    # Whether the file could not be read, or not all of it is TOML.
    is_broken: bool = False
    # Keys whose values were not taken.
    refused: frozenset[str] = frozenset()
    # The dialects as they stand in the file: read elsewhere, here only to tell whether they changed.
    dialects: str = ""
    stamp: Stamp = Stamp()


def is_of_a_workspace(section: str) -> bool:
    """Whether a workspace's file may hold it."""
    return section in _OF_A_WORKSPACE


def features() -> tuple[str, ...]:
    """Sections that can be switched off for a single session."""
    return tuple(name for name in sections() if name in _OF_A_WORKSPACE and f"{name}.enabled" in keys())


def read_user(path: str, preset: str = "") -> Layer:
    """`preset` is the one in force unless the file names another."""
    return _read("user", path, preset=preset)


def read_workspace(path: str, preset: str) -> Layer:
    """The same for a file that may be anybody's."""
    return _read("workspace", path, preset=preset)


def read_environment(environ: Mapping[str, str]) -> Layer:
    values: dict[str, Value] = {}
    troubles: list[Trouble] = []
    by_variable = {key.variable: key for key in keys().values()}
    prefixes = tuple(f"RECAPD_{section}_".upper() for section in sections())
    for name in sorted(environ):
        if (key := by_variable.get(name)) is not None:
            value = check_text(key, environ[name])
            if isinstance(value, Rejected):
                troubles.append(Trouble(f"{name}: {value.why}"))
            else:
                values[key.name] = value
        elif name.startswith(prefixes):
            troubles.append(Trouble(f"{shown_name(name)}: there is no such setting", _meant(name, by_variable)))
    preset = environ.get(PRESET_VARIABLE, "")
    if preset and preset not in PRESETS:
        troubles.append(Trouble(f"{PRESET_VARIABLE}: {_no_preset(preset)}"))
        preset = ""
    return Layer("environment", values=values, preset=preset, troubles=_few(troubles))


def allowed_in_workspace(name: str, value: Value) -> bool:
    return name.partition(".")[0] in _OF_A_WORKSPACE and not (name in _ONLY_OFF and value is True)


def stamp_of(path: str) -> Stamp:
    """A file that cannot be looked at has the stamp of one that is not there."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return Stamp()
    return Stamp(found.st_ino, found.st_size, found.st_mtime_ns)


def _read(source: str, path: str, *, preset: str) -> Layer:
    stamp = stamp_of(path)
    try:
        data = bytes_of(path) if source == "user" else _untrusted_bytes_of(path)
    except FileNotFoundError:
        return Layer(source, path)
    except OSError as error:
        is_link = error.errno == errno.ELOOP
        why = f"{path} cannot be used: {'it is a link' if is_link else error.strerror or error}"
        return Layer(source, path, troubles=(Trouble(why),), is_broken=True, stamp=stamp)
    foreign = next((known for name, known in FOREIGN_FILES.items() if path.endswith(f"/{name}")), "")
    document, damage = _foreign_document_of(data, foreign) if foreign else document_of(data)
    reading = _Reading(source, preset)
    reading.take(document)
    troubles = _few([trouble.below(path) for trouble in (*damage, *reading.troubles)])
    return Layer(
        source,
        path,
        values=reading.values,
        preset=reading.preset,
        sessions=reading.sessions,
        troubles=troubles,
        is_broken=bool(damage),
        refused=frozenset(reading.refused),
        dialects=repr(document["dialect"]) if source == "user" and "dialect" in document else "",
        stamp=stamp,
    )


def _foreign_document_of(data: bytes, preset: str) -> tuple[dict[str, object], tuple[Trouble, ...]]:
    try:
        given = msgspec.json.decode(data, type=dict[str, object])
    except (msgspec.DecodeError, ValueError, RecursionError):
        return {}, (Trouble("not a JSON object", "nothing in it counts until it is one"),)
    return {**given, "preset": preset}, ()


def _untrusted_bytes_of(path: str) -> bytes:
    """A checkout may hold a link to a file of its reader's, or a pipe that never ends."""
    return bytes_of(path, flags=os.O_NOFOLLOW, most=MAX_WORKSPACE_BYTES)


class _Reading:
    """A document on its way to a layer."""

    def __init__(self, source: str, preset: str) -> None:
        self._is_workspace = source == "workspace"
        self._preset_in_force = preset
        self.preset = ""
        self.values: dict[str, Value] = {}
        self.sessions: dict[str, dict[str, Value]] = {}
        self.troubles: list[Trouble] = []
        self.refused: set[str] = set()

    def take(self, document: Mapping[str, object]) -> None:
        if "preset" in document:
            self._take_preset(document["preset"])
        in_force = self.preset or self._preset_in_force
        for name, given in document.items():
            if name == "preset":
                continue
            if name == "dialect":
                self._take_dialects(given)
            elif name == "sessions":
                self._take_sessions(given)
            elif name in sections():
                self._take_section(name, given)
            elif name in SPELLINGS.get(in_force, {}):
                # A key spelled both ways: ours was meant.
                self._take_value(keys()[SPELLINGS[in_force][name]], given, called=name)
            elif name in SETTLED.get(in_force, {}):
                self._take_settled(name, given, SETTLED[in_force][name])
            else:
                self._unknown(name, given)

    def _take_preset(self, given: object) -> None:
        if isinstance(given, str) and given in PRESETS:
            self.preset = given
        else:
            self._refuse(f"preset: {_no_preset(given)}")

    def _take_dialects(self, given: object) -> None:
        if self._is_workspace:
            self._refuse("dialect: belongs in the user's own file", "a workspace's cannot set it")
            return
        _, troubles = sort_out(given)
        self.troubles += [Trouble(_with_short_names(each.message), each.action) for each in troubles]

    def _take_section(self, section: str, given: object) -> None:
        if not isinstance(given, Mapping):
            self._refuse(f"{section}: expected a table of settings, under a heading [{section}]")
            return
        for name, value in given.items():
            key = keys().get(f"{section}.{name}")
            if key is None:
                self._unknown(f"{section}.{name}", value)
            else:
                self._take_value(key, value, called=key.name)

    def _take_value(self, key: Key, given: object, *, called: str) -> None:
        value = check_value(key, given)
        if self._is_workspace and key.section not in _OF_A_WORKSPACE:
            self._refuse(f"{called}: belongs in the user's own file", "a workspace's cannot set it")
        elif isinstance(value, Rejected):
            self._refuse(f"{called}: {value.why}")
            self.refused.add(key.name)
        elif self._is_workspace and not allowed_in_workspace(key.name, value):
            self._refuse(f"{called}: a workspace can switch this off only", "on is for the user's own file")
        elif called == key.name or key.name not in self.values:
            self.values[key.name] = value

    def _take_settled(self, name: str, given: object, settled: bool) -> None:
        if given is not settled:
            self._refuse(f"{name}: it is always {str(settled).lower()} here, and nothing else is accepted")

    def _take_sessions(self, given: object) -> None:
        if not isinstance(given, Mapping):
            self._refuse('sessions: expected a table for each session, under a heading [sessions."ID"]')
            return
        for session_id, switches in given.items():
            called = f'sessions."{shown_name(session_id)}"'
            if not isinstance(switches, Mapping):
                self._refuse(f"{called}: expected a table of switches, each true or false")
                continue
            for name, value in switches.items():
                self._take_switch(session_id, str(name), value, called=f"{called}.{shown_name(str(name))}")

    def _take_switch(self, session_id: str, feature: str, given: object, *, called: str) -> None:
        if feature not in features():
            known = ", ".join(features())
            self._refuse(f"{called}: there is no such switch", f"known are {known}")
        elif not isinstance(given, bool):
            self._refuse(f"{called}: expected true or false")
        elif self._is_workspace and not allowed_in_workspace(f"{feature}.enabled", given):
            self._refuse(f"{called}: a workspace can switch this off only", "on is for the user's own file")
        else:
            self.sessions.setdefault(session_id, {})[f"{feature}.enabled"] = given

    def _unknown(self, name: str, given: object) -> None:
        if isinstance(given, Mapping) and given:
            for below, value in given.items():
                self._unknown(f"{name}.{below}", value)
            return
        if len(self.troubles) >= _MOST_TROUBLES:
            # Only counted from here on, and what was meant takes long to find out: a file may hold thousands.
            self._refuse(name)
            return
        elsewhere = spelled_elsewhere(name)
        if elsewhere is not None:
            preset, here = elsewhere
            hint = f'it is called {here} here, and understood with preset = "{preset}"'
        else:
            hint = _meant(name, (*keys(), *sections(), "preset", "sessions", "dialect"))
        self._refuse(f"{shown_name(name)}: there is no such setting", hint)

    def _refuse(self, message: str, action: str = "") -> None:
        self.troubles.append(Trouble(message, action))


def _with_short_names(message: str) -> str:
    """What a message about a dialect quotes may be as long as a file, and anybody's."""
    return _QUOTED.sub(lambda quoted: f"“{shown_name(quoted[1])}”", message)


def _no_preset(given: object) -> str:
    got = f', got "{shown_name(given)}"' if isinstance(given, str) else ""
    return "expected one of " + ", ".join(f'"{name}"' for name in PRESETS) + got


def _meant(name: str, known: Iterable[str]) -> str:
    found = find_closest(name, known)
    if found is None:
        return "see: recapd config --explain"
    takes = f", which takes {describe_accepted(keys()[found])}" if found in keys() else ""
    return f"did you mean {found}{takes}?"


def _few(troubles: list[Trouble]) -> tuple[Trouble, ...]:
    if len(troubles) <= _MOST_TROUBLES:
        return tuple(troubles)
    return (*troubles[:_MOST_TROUBLES], Trouble(f"… and {len(troubles) - _MOST_TROUBLES} more"))
