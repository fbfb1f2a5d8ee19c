"""Decisions as lines of a recap: what was decided, by whom, and what became of it.

Owns: which decisions a recap of a given size names, and how one reads. The ledger says what holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import log2
from typing import Final

from recapd.core import late_re as re
from recapd.core.decisions import Entry, MadeBy, stands_on_proof
from recapd.core.state import Memory, Turn
from recapd.core.text import (
    ELLIPSIS,
    PAGE_HEADS,
    STOP_WORDS,
    Terms,
    names_in,
    narrates,
    one_line,
    plain,
    points_back,
    presentable,
    question_in,
    stands_alone,
    terms_of,
)
from recapd.core.views.recap.clauses import chars_within, clause, without_asides
from recapd.core.views.recap.items import cited
from recapd.core.views.recap.page import Block, Page
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.view import Item, Section, Wording, in_a_line, worded
from recapd.core.views.recap.words import as_asked, shortened, without_run_up

TEXT_CHARS: Final = 200
HEADLINE_CHARS: Final = 80
_BY: Final = {"user": "you", "agent": "agent", "collaborative": "together"}
# A decision this many turns back weighs half of one just made.
_HALF_LIFE_TURNS: Final = 30
_TAKEN_BACK: Final = 2
# The agent's own choices are details of the work more often than the human's.
_WEIGHT_OF: Final = {"user": 1.2, "collaborative": 1.0, "agent": 0.8}
_RULES: Final = ("|", "│", "┃")
_RULE_RE: Final = re.compile("[|│┃]")
# How sure somebody sounds is not what was decided.
_HEDGE_RE: Final = re.compile(
    r"(?:(?:but|and|or|i think|i guess|i feel like|i believe|actually|ideally|basically|honestly|for now|in that case|"
    r"you['’]re (?:absolutely )?right)(?![\w'’-])[\s,.!:;…—–-]*)+",
    re.IGNORECASE,
)
# A word of the sentence, not the name of something.
_LOWER_WORD_RE: Final = re.compile(r"[a-z]+[ ,'’]")
_LEAST_CHARS: Final = 20
# What is still a question once it was agreed to: it begins like one, or names a choice. "Fix the two others too?" is
# what was agreed on, with a mark that makes it look open.
_QUESTION_RE: Final = re.compile(
    r"(?:(?:so|and|but|now|then|ok(?:ay)?)[, ]+)*(?:what|which|who|where|when|why|how|do|does|did|is|are|was|were|can|"
    r"could|would|should|shall|will|may|have|has|any|anything|want|ready|sounds?)\b"
    r"|.*(?:, or |\? |？.)|.*(?:吗|吧|か|까)[?？]\Z|.*(?:什么|哪|怎么|如何|是否|还是)",
    re.IGNORECASE | re.DOTALL,
)
# What asks, wherever it stands, or announces what is not told.
_ASKS_RE: Final = re.compile(
    r"[?？]|:\.|[:：]\Z|请[你您]?(?:确认|告诉|选择)|是否|有没有|要不要|什么|怎么|如何|吗(?:[，。 ]|\Z)"
)
# Words for something said before, or for one of several.
_HANGING_RE: Final = re.compile(
    r"\b(?:it|its|this|these|those|them|they|each one|the (?:first|second|third|last|other|former|latter)(?: one)?|"
    r"both|above|below)\b|#\d{1,2}\b|这|那|它|该",
    re.IGNORECASE,
)
# What a nod to a bare question, or to three words, tells of what was decided.
_LITTLE: Final = 0.6
_LEAST_TERMS: Final = 2
_LOOSE_END: Final = " .,;:—–-(["
# What is closed and was not opened is the end of something else.
_BRACKETS: Final = ("()", "[]", "（）")
# A statement that is no more likely than this is in doubt.
_SURE: Final = 0.75
# One that is as likely as this is plain.
_PLAIN: Final = 0.85
_MOST_OF_IT: Final = 0.4
_PICKED: Final = 0.6
_NOD_CHARS: Final = 100
# An answer of so few characters that asks again is a page of a menu.
_PAGE_CHARS: Final = 400
_ENDED: Final = {"superseded": "replaced", "reverted": "taken back"}


class DecisionWords:
    """A decision as pages tell it. Each part is worked out when a page first asks for it, and once."""

    def __init__(self, said: tuple[str, MadeBy, bool]) -> None:
        self._text, self._made_by, is_settled = said
        # A question that was answered asks no more.
        self._text = self._text.rstrip("?？ ") if is_settled else self._text
        # By columns: a page tries several widths, and the next page tells mostly the same.
        self._lines: dict[int, Wording] = {}

    @cached_property
    def terms(self) -> Terms:
        return terms_of(self._text)

    @cached_property
    def says_little(self) -> bool:
        """Whether the words alone do not tell what was decided: a question that names nothing, or hardly a word."""
        asks = self._text.rstrip("*_` ").endswith(("?", "？"))
        return (asks and not names_in(self._text)) or len(self.terms) < _LEAST_TERMS

    @cached_property
    def reads_alone(self) -> bool:
        told = self.within(TEXT_CHARS).plain
        is_torn = any(told.count(closing) > told.count(opening) for opening, closing in _BRACKETS)
        return not told.endswith(("?", "？")) and not points_back(told) and not is_torn

    @cached_property
    def says_all(self) -> bool:
        """Whether somebody who knows nothing else learns what was decided: nothing in it asks, stands for something
        said before, or is an order that is over once it is done ("push it")."""
        told = self.within(TEXT_CHARS).plain
        own = told.partition(" — ")[0]
        if _ASKS_RE.search(told) or not stands_alone(own) or len(self.terms) < _LEAST_TERMS:
            return False
        hanging = _HANGING_RE.search(told)
        return hanging is None or len(terms_of(told[: hanging.start()])) >= _LEAST_TERMS

    def within(self, columns: int) -> Wording:
        if columns not in self._lines:
            self._lines[columns] = worded(_plainly(self._text, self._made_by, columns))
        return self._lines[columns]

    @cached_property
    def headline(self) -> str:
        """In whole words that read alone: up to where a clause ends, else a word that does not ask for another."""
        told = self.within(HEADLINE_CHARS).plain
        if not told.endswith(ELLIPSIS):
            return told
        whole = self.within(TEXT_CHARS).plain
        if not (ended := clause(whole, HEADLINE_CHARS)).endswith(ELLIPSIS):
            return ended.rstrip(_LOOSE_END)
        room = chars_within(whole, HEADLINE_CHARS - len(ELLIPSIS))
        line = whole[: room + 1].rpartition(" ")[0].rstrip(_LOOSE_END)
        while (words := line.rpartition(" "))[2].lower() in STOP_WORDS["end"] and words[0]:
            line = words[0].rstrip(_LOOSE_END)
        # Where words have no spaces, any cut is as good.
        return line + ELLIPSIS if line else told


def says_what_was_decided(entry: Entry, *, memory: Memory) -> bool:
    """Whether its words do, to somebody who reads nothing else."""
    return _words_of(entry, memory).says_all


def _words_of(entry: Entry, memory: Memory) -> DecisionWords:
    is_settled = entry.finding.proof == "answer"
    return memory.recall(DecisionWords, (entry.finding.text, entry.finding.made_by, is_settled), entry.id)


def proved(recap: Recap) -> list[Entry]:
    """Those that are told as decided, whatever became of them: they stand on proof, and read alone."""
    memory = recap.session.memory
    return [entry for entry in recap.decisions if stands_on_proof(entry) and _words_of(entry, memory).reads_alone]


def settled(recap: Recap) -> list[Entry]:
    """Of those the ones that a page of a few lines may tell: what somebody only said may be a task, a complaint or a
    fact, and what somebody picked may only turn a page."""
    turns = {turn.number: turn for turn in recap.turns}
    return [entry for entry in proved(recap) if _is_settled(entry, turns.get(entry.turn))]


def _is_settled(entry: Entry, turn: Turn | None) -> bool:
    found = entry.finding
    if entry.verdict == "confirmed" or found.proof in ("record", "plan", "read"):
        return True
    if found.proof == "statement":
        return found.confidence >= _SURE
    if turn is None:
        return True
    # Who says much else did not just take up what was offered.
    if found.how == "accepted" and len(turn.request.text) > _NOD_CHARS:
        return False
    is_page = not turn.calls and len(turn.telling) <= _PAGE_CHARS and question_in(turn.telling, _PAGE_CHARS)
    return not is_page


def lasting_choices(recap: Recap) -> list[Entry]:
    """Of those the ones that somebody who comes back goes on from: what was picked among several, what the user laid
    down in words of their own, what was recorded on purpose, the plan at work. A yes to what the agent would do is over
    once it is done, and what a document of the agent's says nobody may have decided."""
    turns = {turn.number: turn for turn in recap.turns}
    return [entry for entry in settled(recap) if _is_lasting(entry, turns.get(entry.turn), recap.turn)]


def _is_lasting(entry: Entry, turn: Turn | None, now: int) -> bool:
    found = entry.finding
    if entry.verdict == "confirmed" or found.proof == "read" or found.how == "recorded":
        return True
    if found.how == "chosen":
        return found.proof == "option" or found.confidence >= _PICKED
    if found.proof == "plan":
        return entry.turn >= now - 1
    if found.proof == "statement":
        # What stands in the middle of a longer message may be anything; what is all of it is meant.
        is_all = turn is None or len(found.text) >= len(turn.request.text) * _MOST_OF_IT
        return found.confidence >= _PLAIN and is_all
    # A tool that asks is answered for sure, in whatever words; prose only where the answer is one of its own.
    return found.how == "answered" and (found.made_by == "collaborative" or found.confidence >= _PLAIN)


def is_told_whole(entry: Entry, item: Item, *, memory: Memory) -> bool:
    """Whether the words of the item are all that was decided, whatever is said of it behind them."""
    own = _words_of(entry, memory).within(TEXT_CHARS).plain
    # What was picked is told by the option's own text.
    own = own if entry.finding.how == "chosen" else own.partition(" — ")[0]
    return len(item.wording.plain) >= len(without_asides(own).rstrip(_LOOSE_END))


def less_certain(recap: Recap, told: Sequence[Entry]) -> list[Entry]:
    """The others that hold: not told as decided, and not lost either."""
    ids = {entry.id for entry in told}
    return [entry for entry in recap.decisions if entry.status == "active" and entry.id not in ids]


def latest(recap: Recap, most: int) -> list[Entry]:
    """The settled decisions that hold and matter most now, by confidence and lateness, in the order of the log: the
    others are told as less certain."""
    return in_order(ranked(settled(recap), recap.turn, memory=recap.session.memory)[:most], recap.decisions)


def less_certain_section(recap: Recap, most: int, columns: int) -> Section | None:
    """What may have been decided, the weightiest of it in the order of the log, counted whole."""
    entries = less_certain(recap, settled(recap))
    if not entries:
        return None
    memory = recap.session.memory
    # What still asks, or points back at something that is not shown, is only counted.
    readable = [entry for entry in entries if _is_readable(entry, memory, columns)]
    shown = in_order(ranked(readable, recap.turn, memory=memory)[:most], entries)
    if not shown:
        return None
    items = tuple(decision_item(recap, entry, columns, replaced=replaced_by(recap.decisions, entry)) for entry in shown)
    return Section("lessCertain", f"Less certain ({len(entries)})", items, len(entries))


def _is_readable(entry: Entry, memory: Memory, columns: int) -> bool:
    words = _words_of(entry, memory)
    # Cut to a few words, it may end where it asks.
    asks = words.within(columns).plain.rstrip(f" {ELLIPSIS}").endswith(("?", "？"))
    return words.reads_alone and not asks and not narrates(entry.finding.text)


def less_certain_line(section: Section) -> str:
    """`**Less certain (4):** Turn 3: Keep the cache in memory (agent); …`."""
    told = [_decided_in_turn(item) for item in section.items]
    more = section.total - len(told)
    return in_a_line(section, told=[*told, f"… and {more} more"] if more else told)


def ranked(
    entries: Sequence[Entry],
    turn: int,
    *,
    memory: Memory,
    weights: Mapping[str, float] | None = None,
    known: str = "",
) -> list[Entry]:
    """The decisions that hold, what matters most first: confidence, lateness, and what it says beyond what is known."""
    holding = [entry for entry in entries if entry.status == "active"]
    told = terms_of(known)

    def matter(entry: Entry) -> float:
        fresh: float = 0.5 ** (max(turn - entry.turn, 0) / _HALF_LIFE_TURNS)
        sure = entry.finding.confidence**2 * _WEIGHT_OF[entry.finding.made_by]
        words = _words_of(entry, memory)
        if words.says_little:
            sure *= _LITTLE
        if weights is None:
            return sure * fresh
        new = sum(weights.get(term, 0.0) for term in words.terms if term not in told)
        return sure * fresh * log2(1.2 + new)

    return sorted(holding, key=lambda entry: (-matter(entry), -entry.turn, entry.id))


def in_order(chosen: Sequence[Entry], entries: Sequence[Entry]) -> list[Entry]:
    ids = {entry.id for entry in chosen}
    return [entry for entry in entries if entry.id in ids]


def plainly(entry: Entry, columns: int, *, memory: Memory) -> str:
    """The decision in its own words, on one line."""
    return _words_of(entry, memory).within(columns).plain


def headline_of(entry: Entry, *, memory: Memory) -> str:
    return _words_of(entry, memory).headline


def _once(text: str) -> str:
    """What was picked without its name before it, where its own text begins with that: "B — B: Drop the cache"."""
    name, _, rest = text.partition(" — ")
    return rest if rest.casefold().startswith(name.casefold()) else text


def _plainly(statement: str, made_by: MadeBy, columns: int) -> str:
    words = shortened(_once(plain(_unruled(statement))))
    text = presentable(_matter(as_asked(words) if made_by == "user" else words))
    if made_by == "collaborative" and not _QUESTION_RE.match(text):
        text = text.rstrip("?？ ")
    text = text if len(text) <= chars_within(text, columns) else without_asides(text)
    limit = chars_within(text, columns)
    ended = clause(text, columns)
    # A clause that is much shorter has lost what the decision is about.
    told = ended if len(ended) * 10 >= min(len(text), limit) * 7 else one_line(text, limit)
    return told.rstrip(" .,;")


def _unruled(text: str) -> str:
    """A row of a table as words."""
    if not text.lstrip().startswith(_RULES):
        return text
    cells = [cell.strip() for cell in _RULE_RE.split(text)]
    return ": ".join(cell for cell in cells if cell)


def _matter(text: str) -> str:
    """The decision from where it comes to the matter, without what the agent says it does next."""
    text = without_run_up(text)
    found = _HEDGE_RE.match(text)
    if found and len(text) - found.end() >= _LEAST_CHARS:
        text = text[found.end() :]
    if _LOWER_WORD_RE.match(text):
        text = text[0].upper() + text[1:]
    first, end, last = text.rpartition(". ")
    # "Let me fix that" adds nothing; "Let me use Redis" may be the decision.
    if len(first) >= _LEAST_CHARS and narrates(last) and not names_in(last):
        return first + end.rstrip()
    return text


def decision_item(
    recap: Recap, entry: Entry, columns: int, *, to_turn: int = 0, replaced: Sequence[Entry] = ()
) -> Item:
    """The decision in so many columns; `replaced` are those whose place it took, `to_turn` the turn that ended it."""
    found = entry.finding
    return Item(
        key=f"decision {entry.id}",
        wording=_words_of(entry, recap.session.memory).within(columns),
        turn=entry.turn,
        to_turn=to_turn,
        at=found.at,
        cited=cited(recap, found.place, found.proposal),
        decision_id=entry.id,
        by=found.made_by,
        status=entry.status,
        children=tuple(decision_item(recap, old, columns // 2) for old in replaced),
    )


def decision_line(item: Item) -> str:
    """`- Turn 7: Use Redis for the queue (you; replaces turn 3: Use Postgres)`."""
    return f"- {_decided_in_turn(item)}"


def _decided_in_turn(item: Item) -> str:
    notes = [_BY[item.by], *(f"replaces turn {old.turn}: {old.wording.marked}" for old in item.children)]
    if ended := _ENDED.get(item.status):
        notes.append(ended)
    return f"Turn {item.turn}: {item.wording.marked} ({'; '.join(notes)})"


def replaced_by(entries: Sequence[Entry], entry: Entry) -> list[Entry]:
    return [old for old in entries if old.superseded_by == entry.id and old.status in _ENDED]


def decision_items(recap: Recap, shown: Sequence[Entry], columns: int) -> list[Item]:
    """The decisions shown, each with what it replaced, and the last taken back without a successor."""
    entries = recap.decisions
    gone = [entry for entry in proved(recap) if entry.status in _ENDED and not entry.superseded_by][-_TAKEN_BACK:]
    told = in_order([*shown, *gone], entries)
    return [decision_item(recap, entry, columns, replaced=replaced_by(entries, entry)) for entry in told]


def decisions_page(recap: Recap) -> Page:
    """All decisions, numbered in the order of the log; those that no longer hold say so, and those without proof come
    below. Newest are dropped last."""
    entries, total = recap.decisions, recap.decisions_before + len(recap.decisions)
    if not entries:
        return Page("📋 **No decisions so far**", ())
    turns = {entry.id: entry.turn for entry in entries}
    items = [decision_item(recap, entry, TEXT_CHARS, to_turn=turns.get(entry.superseded_by, 0)) for entry in entries]
    guessed = {entry.id for entry in less_certain(recap, proved(recap))}
    told = [item for item in items if item.decision_id not in guessed]
    parts = [
        Block(
            len(told) - row,
            f"{recap.decisions_before + row}. **Turn {item.turn}:** {_with_fate(item)}",
            Section("decisions", "Decisions", (item,), total),
        )
        for row, item in enumerate(told, start=1)
    ]
    memory = recap.session.memory
    readable = {entry.id for entry in entries if _words_of(entry, memory).reads_alone}
    doubtful = [item for item in items if item.decision_id in guessed & readable]
    title = f"Less certain ({len(guessed)})"
    if doubtful:
        # Without an empty line it would belong to the last of the list above.
        above = "\n" if parts else ""
        parts.append(Block(len(items) + 1, f"{above}**{title}:**"))
    parts += [
        Block(
            len(items) + 2 + len(doubtful) - row,
            f"- Turn {item.turn}: {_with_fate(item)}",
            Section("lessCertain", title, (item,), len(guessed)),
        )
        for row, item in enumerate(doubtful, start=1)
    ]
    return Page(f"{PAGE_HEADS['decisions']} ({total})", tuple(parts))


def _with_fate(item: Item) -> str:
    notes = [_BY[item.by]]
    if ended := _ENDED.get(item.status):
        notes.append(f"{ended} at turn {item.to_turn}" if item.to_turn else ended)
    return f"{item.wording.marked} ({'; '.join(notes)})"
