"""Who wrote a line: random histories of edits by agents and by hand, replayed; no claim may be wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.commands import Hunk
from recapd.core.why import NOBODY, Edit, Piece, attribute, lines_of

# Lines that stand anywhere; all others are written once, as a line that says something mostly is.
COMMON = ("", "}", "    return result", "x")
Told: TypeAlias = Literal["whole", "hunk", "piece", "text alone", "nothing"]
TOLD: tuple[Told, ...] = ("whole", "hunk", "piece", "text alone", "nothing")


class Line:
    """A line of the true file, and who may be said to have written it: several where its text does not tell."""

    def __init__(self, text: str, writers: frozenset[int]) -> None:
        self.text = text
        self.writers = writers


class History:
    """A file that agents and people change, and what the logs tell of it."""

    def __init__(self) -> None:
        self.file: list[Line] = []
        self.edits: list[Edit] = []
        # What somebody deleted by hand since the last edit that tells the whole text: who types it again may have
        # brought it back instead.
        self._by_hand: dict[str, frozenset[int]] = {}
        self._typed: list[Line] = []
        self._was_touched = self._has_common = False
        self._fresh = 0

    @property
    def texts(self) -> list[str]:
        return [line.text for line in self.file]

    def new_texts(self, kinds: Sequence[int]) -> list[str]:
        made = []
        for kind in kinds:
            self._fresh += kind < 0
            made.append(COMMON[kind] if kind >= 0 else f"value_{self._fresh} = compute({self._fresh * 7919})")
        return made

    def by_hand(self, start: int, end: int, kinds: Sequence[int]) -> None:
        """Whoever types and deletes the same common line at several places leaves a text that tells nobody so: of
        several changes in a row, only the first brings such lines, and nothing is deleted after that."""
        start, end = self._range(start, end)
        end = start if self._has_common else end
        self._delete(self.file[start:end])
        kinds = [-1 for _ in kinds] if self._was_touched else kinds
        new = [Line(text, frozenset((NOBODY,))) for text in self.new_texts(kinds)]
        self.file[start:end] = new
        self._typed += new
        self._delete(())
        self._was_touched = True
        self._has_common = self._has_common or any(kind >= 0 for kind in kinds)

    def _delete(self, lines: Iterable[Line]) -> None:
        for line in lines:
            self._by_hand[line.text] = self._by_hand.get(line.text, frozenset()) | line.writers
        for line in self._typed:
            line.writers |= self._by_hand.get(line.text, frozenset())

    def move_by_hand(self, start: int, end: int, to: int) -> None:
        if self._was_touched:
            return
        start, end = self._range(start, end)
        taken = self.file[start:end]
        del self.file[start:end]
        at = to % (len(self.file) + 1)
        # Lines that were passed may as well have been moved themselves; either way, nobody wrote them anew.
        self.file[at:at] = taken
        for text in COMMON:
            alike = [line for line in self.file if line.text == text]
            together = frozenset(writer for line in alike for writer in line.writers)
            for line in alike:
                line.writers = together
        self._was_touched = self._has_common = True

    def by_agent(self, start: int, end: int, kinds: Sequence[int], told: Told) -> None:
        if told == "nothing":
            # Of a command no log tells what it did to a file's lines.
            self.by_hand(start, end, kinds)
            self.edits.append(Edit())
            return
        start, end = self._range(start, end)
        number = len(self.edits)
        before, old = self.texts, self.file[start:end]
        known: dict[str, frozenset[int]] = {}
        for line in old:
            known[line.text] = known.get(line.text, frozenset()) | line.writers
        if told == "text alone":
            # Nobody knows what of it was there, nor which of two equal lines it took away.
            self._delete(old)
            kinds = [-1 for _ in kinds]
            for text, writers in self._by_hand.items():
                known[text] = known.get(text, frozenset()) | writers
        if told == "piece" and not self._is_once(before, start, end):
            told = "hunk"
        new = [Line(text, known.get(text, frozenset()) | {number}) for text in self.new_texts(kinds)]
        self.file[start:end] = new
        self._typed += [line for line in new if len(line.writers) > 1]
        edit = self._told(before, start, end, [line.text for line in new], told)
        self.edits.append(edit)
        if told == "whole":
            self._by_hand = {}
            self._typed = []
            self._was_touched = self._has_common = False

    def _is_once(self, before: list[str], start: int, end: int) -> bool:
        """An agent's tool replaces words only where they stand once."""
        words = "\n".join(before[start:end])
        return bool(words) and "\n".join(before).count(words) == 1

    def _told(self, before: list[str], start: int, end: int, new: list[str], told: Told) -> Edit:
        after = [*before[:start], *new, *before[end:]]
        match told:
            case "whole":
                return Edit(before=written(before), after=written(after))
            case "text alone":
                return Edit(after=written(after))
            case "piece":
                return Edit(pieces=(Piece("\n".join(before[start:end]), "\n".join(new)),))
            case "hunk":
                lines = (
                    *(f" {line}" for line in before[max(start - 3, 0) : start]),
                    *(f"-{line}" for line in before[start:end]),
                    *(f"+{line}" for line in new),
                    *(f" {line}" for line in before[end : end + 3]),
                )
                return Edit(hunks=(Hunk(lines),))
            case _:
                return Edit()

    def _range(self, start: int, end: int) -> tuple[int, int]:
        start %= len(self.file) + 1
        return start, min(start + end % 5, len(self.file))

    def wrong_claims(self) -> list[tuple[str, int, frozenset[int]]]:
        claimed = attribute(self.texts, self.edits)
        return [
            (line.text, writer, line.writers)
            for line, writer in zip(self.file, claimed, strict=True)
            if writer != NOBODY and writer not in line.writers
        ]


def written(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


_numbers = st.integers(0, 40)
# One in two lines is one of those that stand anywhere.
_kinds = st.lists(st.integers(-4, 3), max_size=5)
_steps = st.one_of(
    st.tuples(st.just("hand"), _numbers, _numbers, _kinds),
    st.tuples(st.just("move"), _numbers, _numbers, _numbers),
    st.tuples(st.just("agent"), _numbers, _numbers, _kinds, st.sampled_from(TOLD)),
)


def play(steps: Sequence[tuple[object, ...]], *, told: tuple[Told, ...] = TOLD, by_hand: bool = True) -> History:
    history = History()
    for step in steps:
        match step:
            case ("hand", int(start), int(end), list(kinds)) if by_hand:
                history.by_hand(start, end, kinds)
            case ("move", int(start), int(end), int(to)) if by_hand:
                history.move_by_hand(start, end, to)
            case ("agent", int(start), int(end), list(kinds), str(way)):
                history.by_agent(start, end, kinds, told[TOLD.index(way) % len(told)])
    return history


@given(steps=st.lists(_steps, min_size=1, max_size=14))
def test_no_claim_is_wrong_where_the_log_has_the_whole_texts(steps: list[tuple[object, ...]]) -> None:
    assert play(steps, told=("whole",)).wrong_claims() == []


@given(steps=st.lists(_steps, min_size=1, max_size=14))
def test_no_claim_is_wrong_whatever_the_logs_tell(steps: list[tuple[object, ...]]) -> None:
    assert play(steps).wrong_claims() == []


@given(steps=st.lists(_steps, min_size=1, max_size=14), told=st.sampled_from(["whole", "hunk", "piece"]))
def test_lines_that_say_something_are_all_claimed_where_nobody_else_wrote(
    steps: list[tuple[object, ...]], told: Told
) -> None:
    spoken = [step if step[0] != "agent" else (*step[:3], [-1] * len(str(step[3])[::4]), step[4]) for step in steps]
    history = play(spoken, told=(told,), by_hand=False)
    claimed = attribute(history.texts, history.edits)
    if told == "whole":
        assert NOBODY not in claimed
    assert all(writer in (NOBODY, *line.writers) for line, writer in zip(history.file, claimed, strict=True))


SHOP = "def total(basket):\n    return sum(basket)\n\n\ndef main():\n    print(total([10, 20]))\n"


def whole(before: str, after: str) -> Edit:
    return Edit(before=before, after=after)


def patch(*lines: str) -> Edit:
    return Edit(hunks=(Hunk(lines),))


def check(present: str, edits: list[Edit], expected: list[int]) -> None:
    assert attribute(lines_of(present), edits) == expected


def test_what_became_of_lines() -> None:
    rounded = SHOP.replace("sum(basket)", "round(sum(basket), 2)")
    created, changed = whole("", SHOP), whole(SHOP, rounded)
    check(SHOP, [created], [0] * 6)
    check(rounded, [created, changed], [0, 1, 0, 0, 0, 0])
    # Changed by hand; put in by hand; brought back by hand after an agent replaced it; by an agent.
    check(rounded.replace("2)", "3)"), [created, changed], [0, NOBODY, 0, 0, 0, 0])
    check("#!/bin/python\n" + rounded, [created, changed], [NOBODY, 0, 1, 0, 0, 0, 0])
    check(SHOP, [created, changed], [0, NOBODY, 0, 0, 0, 0])
    check(SHOP, [created, changed, whole(rounded, SHOP)], [0, 2, 0, 0, 0, 0])
    # Deleted, and made anew by hand.
    check(SHOP, [created, Edit(after="")], [NOBODY] * 6)
    # A function that was moved by hand is still whose it was; one that an agent moved is that agent's.
    body = SHOP.split("\n\n\n")
    turned = body[1] + "\n\n" + body[0] + "\n"
    check(turned, [created], [0, 0, NOBODY, NOBODY, 0, 0])
    last = "    print(total([10, 20]))\n"
    check(last + SHOP.replace(last, ""), [created, whole(SHOP, last + SHOP.replace(last, ""))], [1, 0, 0, 0, 0, 0])
    # With the ends of lines of another system.
    check(rounded.replace("\n", "\r\n"), [created, changed], [0, 1, 0, 0, 0, 0])


def test_what_was_there_before_is_nobodys() -> None:
    grown = SHOP.replace("def main", "def tax(total):\n    return total * 0.19\n\n\ndef main")
    for edit in (
        whole(SHOP, grown),
        patch(" ", "+def tax(total):", "+    return total * 0.19", "+", "+", " def main():"),
        Edit(pieces=(Piece("def main():", "def tax(total):\n    return total * 0.19\n\n\ndef main():"),)),
    ):
        found = attribute(lines_of(grown), [edit])
        assert found[4:6] == [0, 0] and found[:2] == found[-2:] == [NOBODY, NOBODY]
    # Nobody knows what was there before a file was written as a whole.
    check(SHOP, [Edit(after=SHOP)], [NOBODY] * 6)
    check(SHOP, [whole("", SHOP), Edit(after=SHOP)], [0] * 6)


def test_patches_prove_what_still_stands_as_they_left_it() -> None:
    old = patch(" def total(basket):", "-    return 0", "+    return sum(basket)", " ")
    check(SHOP, [old], [NOBODY, 0, NOBODY, NOBODY, NOBODY, NOBODY])
    # Half of it was changed since.
    grown = patch(" def total(basket):", "+    check_all(basket)", "+    return sum(basket)", " ")
    check(SHOP.replace("    return", "    check_all(basket)\n    return round"), [grown], [NOBODY, 0, *[NOBODY] * 5])
    # A line of it alone, beside none that it was written beside, may be anybody's.
    check("import sys\n    check_all(basket)\nsys.exit()\n", [grown], [NOBODY] * 3)
    # So may one beside its neighbour, where the same had been written before: one of the two is left.
    before = patch(" def refund(basket):", "+    check_all(basket)")
    check(SHOP.replace("    return", "    check_all(basket)\n    return round"), [before, grown], [NOBODY] * 7)
    # What a later patch took away came back by hand.
    undone = patch(" def total(basket):", "-    return sum(basket)", "+    return total_of(basket)", " ")
    check(SHOP, [old, undone], [NOBODY] * 6)
    # It stands twice.
    check(SHOP + SHOP, [old], [NOBODY] * 12)
    # So did words within a line.
    words = Edit(pieces=(Piece("sum(basket)", "total_of(basket)"),))
    check(SHOP, [whole("", SHOP), words], [0, NOBODY, 0, 0, 0, 0])
    # Words that stand everywhere prove nothing.
    check("a\n}\nb\n", [patch("+}")], [NOBODY] * 3)
    check("a\nx = 1\n", [Edit(pieces=(Piece("y", "x"),))], [NOBODY] * 2)


def test_words_are_found_behind_a_line_of_which_only_the_place_is_known() -> None:
    words = Edit(pieces=(Piece("main():", "start_the_shop():"),))
    changed = patch(" def total(basket):", "+    check_all(basket)", "+    return sum(basket)", " ")
    present = SHOP.replace("    return", "    check_all(basket)\n    return round").replace(
        "main():", "start_the_shop():"
    )
    check(present, [words, changed], [NOBODY, 1, *[NOBODY] * 5])


def test_of_words_within_a_line_nobody_knows_who_wrote_the_rest() -> None:
    named = SHOP.replace("basket", "shopping_cart")
    edit = Edit(pieces=(Piece("total(basket)", "total(shopping_cart)"), Piece("sum(basket)", "sum(shopping_cart)")))
    check(named, [edit], [NOBODY] * 6)
    check(named, [whole("", SHOP), whole(SHOP, named)], [1, 1, 0, 0, 0, 0])
    check(named, [Edit(pieces=(Piece("basket", "shopping_cart", everywhere=True),))], [NOBODY] * 6)
    # Nor whose an empty line is that they begin with.
    check("\nvalue = compute(1)\n", [Edit(pieces=(Piece("x", "\nvalue = compute(1)"),))], [NOBODY, 0])
    body = "def total(shopping_cart):\n    return sum(shopping_cart)"
    check(named, [Edit(pieces=(Piece(body.replace("shopping_cart", "basket"), body),))], [0, 0, *[NOBODY] * 4])


@pytest.mark.parametrize("text", ["", "\n", "\n\n", "no end", "a\r\nb"])
def test_any_text_is_taken(text: str) -> None:
    lines = lines_of(text)
    assert attribute(lines, [Edit(before="", after=text)]) == [0] * len(lines)
    assert attribute(lines, [patch(), Edit(pieces=(Piece("", ""),)), Edit(pieces=(Piece(text, ""),))]) == [
        NOBODY
    ] * len(lines)
