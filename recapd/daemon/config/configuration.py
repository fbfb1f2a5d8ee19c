"""What is configured, as it was read at one moment: every setting, and where it comes from.

    default < preset < user's file < workspace's file < switch of the session < environment

A workspace's file is looked for when the first of its sessions is asked about, and known from then on. Safe to use in
threads: what is looked up twice at the same time is the same. What changes on disk is config_live's matter.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import msgspec
from msgspec import Struct

from recapd.core.settings import DEFAULTS, Settings, WatchSettings
from recapd.core.state import Session, World, session_of
from recapd.core.trouble import Trouble
from recapd.daemon.config.dialects import config_path
from recapd.daemon.config.layers import (
    FOREIGN_FILES,
    WORKSPACE_FILE,
    Layer,
    allowed_in_workspace,
    read_environment,
    read_user,
    read_workspace,
)
from recapd.daemon.config.presets import PRESETS
from recapd.daemon.config.setting_keys import Value, keys
from recapd.server.workspaces import git_root

# Somebody works in a few dozen folders; logs name thousands over the years.
_MOST_WORKSPACES = 2_000
_NOWHERE = Layer("workspace")
# The first is at most the second.
_ORDERED = (
    ("digest.min_chunk_chars", "digest.max_chunk_chars"),
    ("recap_file.quiet_s", "recap_file.max_s"),
    ("subscribe.quiet_s", "subscribe.max_s"),
)


class Effective(Struct, frozen=True):
    """One setting in effect."""

    key: str
    value: Value
    source: str
    path: str = ""


class Configuration:
    """The user's file and the environment, and whatever workspaces were asked about."""

    def __init__(self, user: Layer, environment: Layer, workspaces: Mapping[str, Layer] | None = None) -> None:
        self.user = user
        self.environment = environment
        # By the folder that was asked about; one without a file has a layer without a path.
        self.workspaces: dict[str, Layer] = dict(workspaces or {})
        self._settings: dict[tuple[str, str], Settings] = {}

    @property
    def settings(self) -> Settings:
        """What holds where no workspace and no session is meant."""
        return self.settings_for()

    def settings_for(self, workspace: str | None = None, session_id: str | None = None) -> Settings:
        """What holds for a session that works in this folder."""
        return self._settings_by(self.workspace_at(workspace), session_id)

    def known_settings_of(self, session: Session) -> Settings:
        """The same, as far as it can be told without looking at the disk."""
        return self._settings_by(self.workspaces.get(workspace_of(session) or "", _NOWHERE), session.id)

    def _settings_by(self, layer: Layer, session_id: str | None) -> Settings:
        switched = session_id if session_id is not None and self._is_switched(layer, session_id) else ""
        cached = self._settings.get((layer.path, switched))
        if cached is None:
            cached = self._settings[layer.path, switched] = _settings_from(self._chosen(layer, switched))
        return cached

    def settings_of(self, session: Session) -> Settings:
        return self.settings_for(workspace_of(session), session.id)

    def effective(self, workspace: str | None = None) -> tuple[Effective, ...]:
        """Every setting, in the order of the documentation."""
        chosen = self._chosen(self.workspace_at(workspace), "")
        defaults = (Effective(key.name, key.default, "default") for key in keys().values())
        return tuple(chosen.get(each.key, each) for each in defaults)

    def extras(self, workspace: str | None = None) -> tuple[Effective, ...]:
        """What is set and is no setting itself: the preset, and switches of single sessions."""
        layer = self.workspace_at(workspace)
        preset, named_by = self._preset(layer)
        found = [Effective("preset", preset, named_by.source, named_by.path)] if preset else []
        for each in (self.user, layer):
            for session_id, switches in each.sessions.items():
                named = f'sessions."{session_id}"'
                found += [
                    Effective(f"{named}.{key.partition('.')[0]}", value, each.source, each.path)
                    for key, value in switches.items()
                ]
        return tuple(found)

    def troubles(self, workspace: str | None = None) -> tuple[Trouble, ...]:
        """What of it could not be used."""
        layer = self.workspace_at(workspace)
        found = (*self.user.troubles, *self.environment.troubles, *layer.troubles)
        return (*found, *(trouble for trouble, _ in _contradictions(self._merged(layer, ""))))

    def all_troubles(self) -> tuple[Trouble, ...]:
        """The same for every workspace that was asked about."""
        files = {layer.path: folder for folder, layer in list(self.workspaces.items()) if layer.path}
        found = [*self.troubles(), *(trouble for folder in files.values() for trouble in self.troubles(folder))]
        return tuple(dict.fromkeys(found))

    def workspace_at(self, folder: str | None) -> Layer:
        """What the workspace that a folder belongs to says for itself."""
        if not folder or not os.path.isabs(folder):
            return _NOWHERE
        known = self.workspaces.get(folder)
        if known is None:
            if len(self.workspaces) >= _MOST_WORKSPACES:
                self.workspaces.clear()
            known = self.workspaces[folder] = read_workspace_of(folder, self.own_preset)
        return known

    @property
    def own_preset(self) -> str:
        """The preset in force where a workspace names none."""
        return self.environment.preset or self.user.preset

    def _is_switched(self, layer: Layer, session_id: str) -> bool:
        return session_id in self.user.sessions or session_id in layer.sessions

    def _chosen(self, layer: Layer, session_id: str) -> dict[str, Effective]:
        """What is not left at its default."""
        chosen = self._merged(layer, session_id)
        for _, names in _contradictions(chosen):
            for name in names:
                chosen.pop(name, None)
        return chosen

    def _merged(self, layer: Layer, session_id: str) -> dict[str, Effective]:
        """What any place says, the last word on each."""
        chosen: dict[str, Effective] = {}
        for values, source, path in self._in_order(layer, session_id):
            chosen |= {name: Effective(name, value, source, path) for name, value in values.items()}
        return chosen

    def _in_order(self, layer: Layer, session_id: str) -> Iterator[tuple[Mapping[str, Value], str, str]]:
        preset, named_by = self._preset(layer)
        if preset:
            values = PRESETS[preset]
            if named_by is layer:
                values = {name: value for name, value in values.items() if allowed_in_workspace(name, value)}
            yield values, "preset", named_by.path
        for each in (self.user, layer):
            yield each.values, each.source, each.path
        for each in (self.user, layer):
            yield each.sessions.get(session_id, {}), each.source, each.path
        yield self.environment.values, self.environment.source, ""

    def _preset(self, layer: Layer) -> tuple[str, Layer]:
        """The preset in force, and what names it."""
        named_by = next((each for each in (self.environment, layer, self.user) if each.preset), _NOWHERE)
        return named_by.preset, named_by


def read_configuration(path: str | None = None, environ: Mapping[str, str] | None = None) -> Configuration:
    """What is configured for this user now."""
    environment = read_environment(os.environ if environ is None else environ)
    user = read_user(str(config_path()) if path is None else path, environment.preset)
    return Configuration(user, environment)


def default_configuration() -> Configuration:
    """Everything at its default."""
    return Configuration(Layer("user"), Layer("environment"))


def read_workspace_of(folder: str, preset: str) -> Layer:
    """What the workspace says that a folder belongs to. Looks at the disk."""
    path = workspace_file(folder)
    return read_workspace(path, preset) if path else _NOWHERE


def workspace_file(folder: str) -> str:
    """The nearest file at the folder or above it, up to the root of its checkout, ours before another design's; ""
    where there is none."""
    root = git_root(folder) or folder
    while True:
        for name in (WORKSPACE_FILE, *FOREIGN_FILES):
            if os.path.lexists(path := os.path.join(folder, name)):
                return path
        if folder == root or folder == os.path.dirname(folder):
            return ""
        folder = os.path.dirname(folder)


def workspace_of(session: Session) -> str | None:
    """The folder a session was begun in."""
    return next(iter(session.main.transcript.cwds), None)


def find_concerned_sessions(world: World, old: Configuration, new: Configuration) -> list[str]:
    """Sessions of which something else is said by the new configuration than by the old."""
    found = []
    for session_id in world.members:
        session = session_of(world, session_id)
        if session is not None and _told_by(old.known_settings_of(session)) != _told_by(new.known_settings_of(session)):
            found.append(session_id)
    return found


def resolve_folders(watch: WatchSettings) -> WatchSettings:
    """With `~` and `..` resolved."""
    return msgspec.structs.replace(
        watch, roots=tuple(map(_expanded, watch.roots)), pause=tuple(map(_expanded, watch.pause))
    )


def _contradictions(chosen: Mapping[str, Effective]) -> Iterator[tuple[Trouble, tuple[str, str]]]:
    """Pairs of which one limits the other, and does not: what to say of them, and their names."""
    for low, high in _ORDERED:
        if low not in chosen or high not in chosen:
            # Whoever sets one of them leaves the other to us.
            continue
        least, most = chosen[low].value, chosen[high].value
        if isinstance(least, (int, float)) and isinstance(most, (int, float)) and least > most:
            what = f"{low} is {least} and {high} is {most}: it cannot be more than that, so neither counts"
            yield Trouble(what), (low, high)


def _told_by(settings: Settings) -> Settings:
    """Without what concerns the process and no answer of it."""
    return msgspec.structs.replace(
        settings, watch=DEFAULTS.watch, store=DEFAULTS.store, subscribe=DEFAULTS.subscribe, daemon=DEFAULTS.daemon
    )


def _settings_from(chosen: Mapping[str, Effective]) -> Settings:
    tables: dict[str, dict[str, Value]] = {}
    for each in chosen.values():
        section, _, field = each.key.partition(".")
        tables.setdefault(section, {})[field] = each.value
    if not tables:
        return DEFAULTS
    changed = {name: msgspec.structs.replace(getattr(DEFAULTS, name), **values) for name, values in tables.items()}
    return msgspec.structs.replace(DEFAULTS, **changed)


def _expanded(folder: str) -> str:
    return os.path.abspath(os.path.expanduser(folder))
