"""Where the script writes what people read."""

from __future__ import annotations

import sys


def write(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
