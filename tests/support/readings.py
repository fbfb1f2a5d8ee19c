"""A conversation that is read, and what a reader would answer: built in words, so that a test says what it is about.

script = Script(tmp_path, *SHOP)
told = answer(decisions=[decided("D1", "Cap uploads at 20 MB", quote="cap uploads at 20 MB", message=2)])
script.read(told)
"""

from __future__ import annotations

import json
from pathlib import Path

from recapd.core.reading import Asked, Piece, read_answer
from recapd.core.state import Reading, Session
from recapd.daemon.library import Library
from recapd.server.reading import pieces_to_read
from tests.support.logs import Act, agent, claude_log, edit, human, shell

# The numbers are those of the lines as a reader sees them: calls have one, but are no lines of their own.
SHOP: tuple[Act, ...] = (
    human("Uploads fail for large files. Please look into `upload.py`."),
    agent("The limit is hard-coded. Should uploads be capped at 20 MB or at 80 MB?"),
    human("20 MB, and log every refusal"),
    edit("/home/dev/shop/upload.py"),
    agent("I set `MAX_UPLOAD_MB` to 20 in upload.py instead of reading the environment, because deploys differ."),
    shell("pytest -q", "14 passed in 2.1s"),
    agent("All 14 tests pass. Old uploads are not touched yet."),
)
MORE: tuple[Act, ...] = (
    human("make it 80 MB after all"),
    edit("/home/dev/shop/upload.py"),
    agent("MAX_UPLOAD_MB is 80 now."),
)


def decided(
    name: str, text: str, *, quote: str, message: int, who: str = "user", **fields: object
) -> dict[str, object]:
    return {"id": name, "text": text, "quote": quote, "message": message, "who": who, "how": "stated", **fields}


def stated(text: str, *messages: int, **fields: object) -> dict[str, object]:
    return {"text": text, "messages": list(messages), **fields}


def answer(
    *,
    decisions: list[dict[str, object]] | None = None,
    changes: list[dict[str, object]] | None = None,
    **recap: object,
) -> str:
    return json.dumps({"decisions": decisions or [], "changes": changes or [], "recap": recap})


class Script:
    """One log, and what was read of it."""

    def __init__(self, folder: Path, *acts: Act) -> None:
        self.path = folder / "session.jsonl"
        self.acts = acts
        self.path.write_bytes(claude_log(*acts))
        self.reading: Reading | None = None

    def say(self, *acts: Act) -> None:
        self.acts = (*self.acts, *acts)
        self.path.write_bytes(claude_log(*self.acts))

    @property
    def library(self) -> Library:
        return Library([])

    @property
    def session(self) -> Session:
        library = self.library
        return library.complete(library.load(self.path))

    def pieces(self) -> list[Piece]:
        library = self.library
        return pieces_to_read(library, library.complete(library.load(self.path)), self.reading)

    def number_of(self, words: str) -> int:
        """The number of the line that says these words."""
        lines = (line for piece in self.pieces() for line in (*piece.before, *piece.lines))
        return next(line.number for line in lines if words in line.text)

    def read(self, told: str) -> Reading | None:
        """The first piece that is to be read, answered."""
        asked = Asked(
            session=self.session,
            piece=self.pieces()[0],
            before=self.reading,
            by="command",
            model="",
            now="2026-03-01T10:00:00.000Z",
        )
        found = read_answer(told, asked)
        if found is not None:
            self.reading = found
        return found
