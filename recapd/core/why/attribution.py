"""Back through the edits of a file, from its text as it is: which of them wrote each line.

    present text ─ undo the last edit ─▶ the text before it ─ undo the one before ─▶ …

A line is an edit's own where the edit brought it and it still stands. What logs tell of an edit differs: the whole text
before and after it; some lines around what it changed; or the words it replaced. The first proves everything, also what
somebody else changed in between; the others prove something only where what they left behind still stands as they left
it. Lines of which that cannot be said are nobody's from there on, however far back one goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from recapd.core.commands import Hunk
from recapd.core.giving_up import look_up
from recapd.core.why.alignment import NEW, align

# No edit is known to have written the line.
NOBODY: Final = -1
# Letters and digits of what an edit left behind: shorter texts stand anywhere.
_LEAST_PROOF: Final = 8
# What stands where a line is known to have been and not how it read: no line of a source.
_UNKNOWN: Final = "\0"


class Piece(Struct, frozen=True, gc=False):
    """Words replaced by others; they may begin and end within a line."""

    old: str
    new: str
    # Wherever they stand.
    everywhere: bool = False


class Edit(Struct, frozen=True, gc=False):
    """What one call did to a file, as far as the log tells: the whole texts, or what was changed in them."""

    # None where it is not known; "" where there was no file.
    before: str | None = None
    # None where only parts of it are known; "" where the file was deleted.
    after: str | None = None
    # Whole lines, with what stands around them; in the order in which they were changed.
    hunks: tuple[Hunk, ...] = ()
    pieces: tuple[Piece, ...] = ()


def lines_of(text: str) -> list[str]:
    """The lines of a text, without what ends them: whether that is a carriage return, too, no agent tells."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def attribute(present: Sequence[str], edits: Sequence[Edit]) -> list[int]:
    """By line of the present text: the number of the edit that last wrote it, or NOBODY. The edits in their order."""
    back = _Back(present)
    for number in range(len(edits) - 1, -1, -1):
        if not back.is_open and not back.presumed:
            break
        look_up()
        back.question(edits[number])
        _undo(back, edits[number], number)
    return back.writers


class _Back:
    """The text as it was, and which lines of the present each of its lines became; NOBODY for those that are gone."""

    def __init__(self, present: Sequence[str]) -> None:
        self.writers = [NOBODY] * len(present)
        self.text = list(present)
        self.rows = list(range(len(present)))
        # Lines of the present, by their text, that were claimed by their neighbours alone: should the same have stood
        # in the file before, nobody knows which of the two is left.
        self.presumed: dict[str, int] = {}

    @property
    def is_open(self) -> bool:
        return any(row != NOBODY for row in self.rows)

    def meet(self, known: list[str]) -> None:
        """The text was exactly this: whatever is not in it came later, by nobody known."""
        if known == self.text:
            return
        found = align(known, self.text)
        rows = [NOBODY] * len(known)
        for at, row in enumerate(found.lines):
            stood = row if row >= 0 else found.moved.get(at, NOBODY)
            if stood >= 0:
                rows[stood] = self.rows[at]
        self.text, self.rows = known, rows

    def undo_to(self, before: list[str], writer: int) -> None:
        """Before this edit, the text was that: what came by it is its own."""
        rows = [NOBODY] * len(before)
        for at, row in enumerate(align(before, self.text).lines):
            if row >= 0:
                rows[row] = self.rows[at]
            elif row == NEW:
                self.claim(at, writer)
        self.text, self.rows = before, rows

    def claim(self, at: int, writer: int) -> None:
        if self.rows[at] != NOBODY:
            self.writers[self.rows[at]] = writer

    def presume(self, at: int, writer: int) -> None:
        if self.rows[at] != NOBODY:
            self.claim(at, writer)
            self.presumed[self.text[at]] = self.rows[at]

    def question(self, earlier: Edit) -> None:
        """What an earlier edit wrote or saw was there before."""
        seen = [text for text in self.presumed if _has_seen(earlier, text)]
        for text in seen:
            self.writers[self.presumed.pop(text)] = NOBODY

    def disown(self, texts: Iterable[str]) -> None:
        """Lines that read like this are not known to be anybody's."""
        doubtful = frozenset(texts)
        self.rows = [NOBODY if text in doubtful else row for text, row in zip(self.text, self.rows, strict=True)]


def _has_seen(edit: Edit, line: str) -> bool:
    texts = (
        edit.before or "",
        edit.after or "",
        *(text for piece in edit.pieces for text in (piece.old, piece.new)),
        *(text for hunk in edit.hunks for text in hunk.lines),
    )
    return any(line in text for text in texts)


def _undo(back: _Back, edit: Edit, number: int) -> None:
    if edit.after is not None:
        back.meet(lines_of(edit.after))
        if edit.before is not None:
            back.undo_to(lines_of(edit.before), number)
        return
    for hunk in reversed(edit.hunks):
        _undo_hunk(back, hunk, number)
    for piece in reversed(edit.pieces):
        _undo_piece(back, piece, number)


def _undo_hunk(back: _Back, hunk: Hunk, number: int) -> None:
    old = [line[1:].removesuffix("\r") for line in hunk.lines if line[:1] in (" ", "-")]
    new = [line[1:].removesuffix("\r") for line in hunk.lines if line[:1] in (" ", "+")]
    at = _only_place(back.text, new) if _is_proof(new) else None
    if at is None:
        _undo_in_part(back, old, new, number)
        return
    back.undo_to([*back.text[:at], *old, *back.text[at + len(new) :]], number)


def _only_place(text: list[str], block: list[str]) -> int | None:
    """Where these lines stand in a row, if that is at one place only."""
    found = None
    at = -1
    while True:
        try:
            at = text.index(block[0], at + 1)
        except ValueError:
            return found
        if text[at : at + len(block)] == block:
            if found is not None:
                return None
            found = at


def _undo_piece(back: _Back, piece: Piece, number: int) -> None:
    old, new = piece.old.replace("\r\n", "\n"), piece.new.replace("\r\n", "\n")
    whole = "\n".join(back.text)
    at = whole.find(new) if new else -1
    if at < 0 or piece.everywhere or not _is_proof((new,)) or whole.find(new, at + 1) >= 0:
        # The first and the last line may be parts of lines.
        _undo_in_part(back, old.split("\n"), new.split("\n")[1:-1], number)
        back.disown(text for text in set(back.text) if _may_be_of(text, old) or _may_be_of(text, new))
        return
    end = at + len(new)
    # Whoever changed the rest of the line before or since is not known.
    if new.startswith("\n") or (at > 0 and whole[at - 1] != "\n"):
        back.rows[whole.count("\n", 0, at)] = NOBODY
    if new.endswith("\n") or (end < len(whole) and whole[end] != "\n"):
        back.rows[whole.count("\n", 0, end)] = NOBODY
    back.undo_to((whole[:at] + old + whole[end:]).split("\n"), number)


def _may_be_of(line: str, words: str) -> bool:
    """Whether the line may have been where these words were put or taken from."""
    parts = words.split("\n")
    if len(parts) == 1:
        return bool(words) and words in line
    begins, ends = parts[0], parts[-1]
    return line in parts or bool(begins and line.endswith(begins)) or bool(ends and line.startswith(ends))


def _undo_in_part(back: _Back, old: list[str], new: list[str], number: int) -> None:
    """Somebody changed what the edit left behind. A line of it is still known where it stands once, beside a line it
    was written beside. How the text read there before is not known."""
    counts, own_counts = Counter(back.text), Counter(new)
    place_of = {text: at for at, text in enumerate(back.text) if counts[text] == 1}
    stayed = Counter(old)
    for row, line in enumerate(new):
        at = place_of.get(line)
        if at is None or own_counts[line] > 1 or stayed[line] or not _is_proof((line,)):
            continue
        is_beside = (row > 0 and at > 0 and back.text[at - 1] == new[row - 1]) or (
            row + 1 < len(new) and at + 1 < len(back.text) and back.text[at + 1] == new[row + 1]
        )
        if is_beside:
            back.presume(at, number)
    taken = {place_of[line] for line in new if line in place_of and not stayed[line]}
    back.disown((*old, *new))
    for at in taken:
        back.text[at] = _UNKNOWN


def _is_proof(lines: Iterable[str]) -> bool:
    return sum(letter.isalnum() for line in lines for letter in line) >= _LEAST_PROOF
