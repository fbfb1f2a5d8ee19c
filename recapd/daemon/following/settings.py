"""What the settings say of what is followed, and how a running tailer is told when they change."""

from __future__ import annotations

from pathlib import Path

from recapd.daemon.config import Configuration, with_folders
from recapd.daemon.following.tailer import Tailer
from recapd.daemon.log_files import DEFAULT_EXCLUSIONS, Root


def follow_watching(tailer: Tailer, old: Configuration, new: Configuration) -> None:
    """Follow what is to be followed now. A root that is no longer named is followed until the next start."""
    before, after = with_folders(old.settings.watch), with_folders(new.settings.watch)
    if before.exclude != after.exclude:
        tailer.exclude((*DEFAULT_EXCLUSIONS, *after.exclude))
    for folder in set(after.pause) - set(before.pause):
        tailer.pause(folder)
    for folder in set(before.pause) - set(after.pause):
        tailer.unpause(folder)
    tailer.add_roots(Root("", Path(root)) for root in after.roots if root not in before.roots)
