"""The suite is collected where what it drives browsers with is installed, and has to be there where the suite is asked
for."""

from __future__ import annotations

import os
from importlib.util import find_spec

collect_ignore = (
    []
    if find_spec("playwright") is not None or os.environ.get("RECAPD_EDITORS")
    else ["test_browser_panel.py", "test_pictures.py", "test_vscode.py"]
)
