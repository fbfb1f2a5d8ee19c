"""The folder in which programs run that recapd itself starts. What is logged from there is no session of anybody's."""

from __future__ import annotations

import os
from collections.abc import Mapping

from recapd.client.paths import places
from recapd.core.state import Source


def own_folder(environ: Mapping[str, str]) -> str:
    return os.path.realpath(os.path.join(places(environ).state_dir, "asked"))


def is_of_own_folder(source: Source, folder: str) -> bool:
    """Whether a log says that its agent worked there. Agents write their log elsewhere, so its cwd is what marks it."""
    return bool(folder) and any(cwd == folder or cwd.startswith(f"{folder}/") for cwd in source.transcript.cwds)
