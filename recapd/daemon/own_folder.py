"""The folder in which programs run that recapd itself starts. What is logged from there is no session of anybody's:
agents write their log elsewhere, so its cwd is what marks it (`Source.is_logged_below`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from recapd.client.paths import places


def own_folder(environ: Mapping[str, str]) -> str:
    return os.path.realpath(os.path.join(places(environ).state_dir, "asked"))
