"""What the clients in `clients/` are built with: npm has installed it there (`npm ci`, see .ci/run)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support.daemons import ROOT

CLIENTS = ROOT / "clients"


def npm(*arguments: str, folder: Path = CLIENTS) -> str:
    assert (CLIENTS / "node_modules").is_dir(), "run: npm ci --ignore-scripts --prefix clients"
    done = subprocess.run(["npm", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def recapd_command() -> str:
    return str(Path(sys.executable).with_name("recapd"))
