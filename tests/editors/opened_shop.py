"""A folder in which an agent wrote a file hours ago, and the home with the log of that: what editors' plugins show."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.server.test_file_changes import BEGINNING
from tests.server.test_why import log_of
from tests.support.daemons import Home
from tests.support.logs import agent, human, write

SESSION = "5e551011-c0de-4a11-8000-00000000000b"
TALK = (
    human("Open the shop. Use integers for prices, never floats."),
    write("shop.py"),
    agent("Done: the shop is open, and prices are integers."),
)


@contextmanager
def opened_shop(folder: Path) -> Iterator[Home]:
    """The home; the file is `work/shop.py`. A daemon that somebody starts there ends with it."""
    home = Home(folder)
    work = folder / "work"
    work.mkdir()
    (work / "shop.py").write_text(BEGINNING)
    # Long enough ago that nobody is taken to be there any more.
    texts = [("", BEGINNING)]
    log_of(home.logs, SESSION, *TALK, texts=texts, path=str(work / "shop.py"), cwd=str(work), minutes_ago=180)
    try:
        yield home
    finally:
        down = [sys.executable, "-m", "recapd", "down"]
        subprocess.run(down, env=home.environ, capture_output=True, timeout=60, check=False)


def log_in(home: Home) -> Path:
    return home.logs / f"{SESSION}.jsonl"


def next_request(home: Home, words: str) -> str:
    """A line for the log: the user asks for something more."""
    first = log_in(home).read_text().splitlines()[0]
    return first.replace("Open the shop.", words).replace('"uuid":"', '"uuid":"f') + "\n"
