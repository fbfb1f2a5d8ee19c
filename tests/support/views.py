"""What a page of a recap says that the statements beside it do not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from recapd.wire.types import LogRef, RecapGetResult, ViewItem

# What a page says between its statements: who decided and what became of it, turns, files that are not told.
_BETWEEN_RE = re.compile(
    r"\A(?:[\s;·,→✓()…:.]|\d+\.|[Tt]urns? \d+(?:–\d+)?|you|agent|together|replaces turn \d+|replaced(?: at turn \d+)?|"
    r"taken back(?: at turn \d+)?|and \d+ (?:more|before)|created|modified|written|deleted|renamed|read|by [^()]*)*\Z"
)
# What frames a page and says nothing of the session.
_FRAME_RE = re.compile(
    r"\A(?:📍|📋|This session continues earlier work\.|Previous context summary|Nothing was asked yet\.|<|Since turn)"
)


def items_of(found: RecapGetResult) -> Iterator[ViewItem]:
    """All statements, those below others too."""
    assert found.view is not None
    below = [item for section in found.view.sections for item in section.items]
    while below:
        item = below.pop()
        yield item
        below += item.children or ()


def refs_of(found: RecapGetResult) -> set[LogRef]:
    assert found.view is not None
    refs = {*found.view.headline.refs, *(fact.ref for fact in found.view.facts)}
    return refs | {ref for item in items_of(found) for ref in item.refs}


def unsaid(found: RecapGetResult) -> list[str]:
    """Lines of the page with more in them than statements and what stands between these.

    What a line's label says for all of its statements ("Committed: one · another") is not said again by each.
    """
    statements = sorted((item.text for item in items_of(found)), key=len, reverse=True)
    left = []
    for label, line in _lines(MarkdownIt().parse(found.markdown)):
        rest = line
        for statement in filter(None, statements):
            if statement in rest:
                rest = rest.replace(statement, "", 1)
            else:
                rest = rest.replace(statement.removeprefix(label).lstrip(), "", 1)
        if not _FRAME_RE.match(line) and not _BETWEEN_RE.match(rest):
            left.append(f"{line} ⇒ {rest}")
    return left


def _lines(tokens: list[Token]) -> Iterator[tuple[str, str]]:
    """The label of each line, "" where it has none, and its text as a reader sees it, without that."""
    for token in tokens:
        if token.type != "inline":
            continue
        label, line, depth = "", "", 0
        for part in token.children or ():
            if part.type in ("strong_open", "strong_close"):
                depth += 1 if part.type == "strong_open" else -1
            elif part.type in ("softbreak", "hardbreak"):
                yield label, line
                label = line = ""
            elif depth:
                label += part.content
            else:
                line += part.content
        yield label, line
