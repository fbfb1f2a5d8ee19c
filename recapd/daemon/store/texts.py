"""Texts to search in: what was asked and answered in each turn, as `cache.db` holds them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence

# From here on are the scripts that are written without spaces between words.
_FIRST_UNSPACED = "\u2e80"
_OF_TEXTS = "FROM texts JOIN sources ON sources.id = texts.source"


def save_texts(connection: sqlite3.Connection, source: int, texts: Sequence[tuple[int, str]]) -> None:
    """Put texts in the place of what was there of the same turns."""
    connection.executemany("DELETE FROM texts WHERE source = ? AND number = ?", [(source, each) for each, _ in texts])
    connection.executemany(
        "INSERT INTO texts (source, number, body) VALUES (?, ?, ?)", [(source, each, body) for each, body in texts]
    )


def search(connection: sqlite3.Connection, query: str) -> frozenset[str]:
    """Ids of sessions in which somebody said all of the words, each as a word or its beginning."""
    words = re.findall(r"\w+", query)
    if not words:
        return frozenset()
    found: set[str] | None = None
    for word in words:
        condition, value = _condition(word)
        rows = connection.execute(f"SELECT DISTINCT session {_OF_TEXTS} WHERE {condition}", (value,))
        ids = {session for (session,) in rows}
        found = ids if found is None else found & ids
    return frozenset(found or ())


def _condition(word: str) -> tuple[str, str]:
    if any(character >= _FIRST_UNSPACED for character in word):
        # The index takes a run of such characters for one word: only looking through all texts finds its parts.
        return "texts.body LIKE ?", f"%{word}%"
    return "texts.id IN (SELECT rowid FROM words WHERE words MATCH ?)", f'"{word}"*'
