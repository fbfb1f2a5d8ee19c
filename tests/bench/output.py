"""Where benchmarks write their tables."""

from __future__ import annotations

import sys


def write(text: str) -> None:
    sys.stdout.write(text + "\n")
