"""What speaks for and against a candidate, as numbers: its words, its form, where it stands, what was done after it.

Owns the names of the features; the weights behind them are trained (see model). Must not know weights or thresholds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from recapd.core import late_re as re
from recapd.core.decisions.find.content import names_of, share_of, words_of
from recapd.core.decisions.find.lexicon import GROUPS, counts, heard_in, plain
from recapd.core.decisions.find.scenes import Scene
from recapd.core.decisions.find.surroundings import Surroundings
from recapd.core.decisions.find.telling import telling
from recapd.core.decisions.find.units import Unit, bold_lead, points_back
from recapd.core.text import UNSPACED_RE, code_in, identifiers_in, spoken_words_in

_NUMBER_RE: Final = re.compile(r"(?<![\w.])\d+(?:\.\d+)?%?(?![\w.])")
_QUOTED_RE: Final = re.compile(r"[\"“«「『][^\"”»」』\n]{2,60}[\"”»」』]|'[^'\n]{3,40}'(?!\w)")
_LINE_REF_RE: Final = re.compile(r":\d+(?:-\d+)?\b|#L?\d+")
_EMOJI: Final = ("✅", "❌", "⚠", "🎉", "✓", "✔", "📍", "🔴", "🟡", "🚀")
_AND_RE: Final = re.compile(r",| and |;|、|，| и | und | et | y ")

_FIRST: Final = tuple(
    GROUPS.index(group)
    for group in (
        "act",
        "past",
        "narration",
        "look",
        "want",
        "negation",
        "correction",
        "question_word",
        "rule",
        "hedge",
        "fix",
        "now",
        "status",
    )
)
# Words that fix how something is to be, not only that it is to be done.
_SPECIFIC: Final = tuple(
    GROUPS.index(group)
    for group in (
        "contrast",
        "cause",
        "limit",
        "rule",
        "negation",
        "choice",
        "condition",
        "later",
        "correction",
        "option",
    )
)
# A task in so few words says nothing of the how.
_FEW_WORDS: Final = 6
_HEADINGS: Final = tuple(
    GROUPS.index(group)
    for group in ("fix", "choice", "cause", "offer", "later", "status", "act", "past", "option", "look", "rule")
)


def text_features(text: str) -> dict[str, float]:
    """Words and form of a unit."""
    return dict(_text_features(text))


# A scene that grows is judged again, with what was said in it before: three quarters of the time. The sentences of one.
@lru_cache(maxsize=512)
def _text_features(text: str) -> dict[str, float]:
    words = plain(text)
    tokens = spoken_words_in(words)
    heard = heard_in(text)
    found: dict[str, float] = {f"w_{group}": float(min(heard[bit], 3)) for bit, group in enumerate(GROUPS)}
    head = tokens[:3]
    first = counts(" ".join(head), head)
    found.update({f"first_{GROUPS[bit]}": float(first[bit] > 0) for bit in _FIRST})
    is_unspaced = bool(UNSPACED_RE.search(text))
    names = identifiers_in(text)
    found |= {
        "chars": float(min(len(text) * (2 if is_unspaced else 1), 500)),
        "tokens": float(min(len(tokens), 60)),
        "code": float(min(len(code_in(text)), 4)),
        "names": float(min(len(names), 5)),
        "numbers": float(min(len(_NUMBER_RE.findall(text)), 4)),
        "quoted": float(min(len(_QUOTED_RE.findall(text)), 3)),
        "line_refs": float(bool(_LINE_REF_RE.search(text))),
        "arrow": float("→" in text or "->" in text or "=>" in text),
        "question": float("?" in text[-4:] or "？" in text[-3:]),
        "exclaims": float("!" in text[-3:] or "！" in text[-3:]),
        "ends_colon": float(text.rstrip("*_ ").endswith((":", "："))),
        "bold": float("**" in text),
        "bold_lead": float(bool(bold_lead(text))),
        "dash": float(" — " in text or " – " in text or " - " in text),
        "parens": float("(" in text or "（" in text),
        "emoji": float(any(mark in text for mark in _EMOJI)),
        "unspaced": float(is_unspaced),
        "commas": float(min(len(_AND_RE.findall(text)), 5)),
        "lower_start": float(text[:1].islower()),
        "starts_code": float(text[:1] in "`*"),
        "first_person": float(any(token in ("i", "i'm", "i'll", "i've", "we", "we'll", "i'd") for token in tokens)),
        "you": float(any(token in ("you", "your", "you're") for token in tokens)),
        "ascii": float(text.isascii()),
    }
    details = ("code", "names", "numbers", "quoted", "arrow")
    found["specific"] = float(sum(heard[bit] > 0 for bit in _SPECIFIC) + sum(found[name] > 0 for name in details))
    is_bare = not found["specific"]
    found["bare"] = float(is_bare)
    found["bare_short"] = float(is_bare and len(tokens) <= _FEW_WORDS)
    return found


_LEAD_RE: Final = re.compile(
    r"(?:let me|i'll|i will|i'm going to|i am going to|i need to|we need to|i'm|going to|need to|we can|"
    r"we should|i can|"
    r"i've|i have|i|让我|我来|我将|需要)\s+(?:also |just |now |then |first |quickly |simply |instead |only )*(\w+)"
)
SO_RE: Final = re.compile(r"\b(?:so|because|since|therefore)\b|[，,]\s*(?:so|which)\b|→|所以|因为")


# Of the sentences of a scene that grows, as above.
@lru_cache(maxsize=512)
def verb_features(text: str) -> Mapping[str, float]:
    """What the verb after "I'll", "let me" and the like does."""
    match = _LEAD_RE.search(plain(text))
    if match is None:
        return {}
    verb = [match[1]]
    heard = counts(match[1], verb)
    return {
        "lead": 1.0,
        "lead_at": float(min(match.start(), 100)),
        "lead_act": float(heard[GROUPS.index("act")] > 0),
        "lead_look": float(heard[GROUPS.index("look")] > 0),
        "lead_fix": float(heard[GROUPS.index("fix")] > 0),
        "lead_past": float(heard[GROUPS.index("past")] > 0 or match[1].endswith("ed")),
    }


def story_features(scene: Scene, around: Surroundings, words: frozenset[str]) -> dict[str, float]:
    """How far the conversation has come, and what the human said in it before."""
    return {
        "asked_before": share_of(words, around.asked_before),
        "edits_before": float(scene.edits_before),
        "after_stop": float(scene.is_after_stop),
        "before_chars": float(min(len(scene.before[-1].text), 4000)) if scene.before else 0.0,
    }


def agent_features(
    scene: Scene,
    around: Surroundings,
    *,
    index: int,
    unit: Unit,
    units: Sequence[Unit],
    number: int,
    core: Unit,
    sentences: int,
) -> dict[str, float]:
    found = text_features(core.text)
    words = words_of(unit.text)
    passage = scene.passages[index]
    names = names_of(unit.text)
    heading_heard = heard_in(unit.heading)
    found.update({f"head_{GROUPS[bit]}": float(heading_heard[bit] > 0) for bit in _HEADINGS})
    previous = units[number - 1] if number else None
    following = units[number + 1] if number + 1 < len(units) else None
    if previous is not None and previous.line >= unit.line - 2:
        heard = heard_in(previous.text)
        for group in ("cause", "fix", "contrast", "narration", "choice", "correction", "look"):
            found[f"prev_{group}"] = float(heard[GROUPS.index(group)] > 0)
    if following is not None:
        heard = heard_in(following.text)
        for group in ("cause", "fix", "narration", "act"):
            found[f"next_{group}"] = float(heard[GROUPS.index(group)] > 0)
    is_last = index == around.last_reply
    reply_rank = sum(1 for each in scene.passages[:index] if each.kind == "reply")
    total = len(units)
    found |= {
        "marker_bullet": float(unit.marker == "bullet"),
        "marker_number": float(unit.marker in ("number", "letter")),
        "marker_hash": float(unit.marker == "heading"),
        "has_heading": float(bool(unit.heading)),
        "sentence": float(min(unit.sentence, 4)),
        "number": float(min(number, 30)),
        "position": number / max(1, total - 1) if total > 1 else 0.0,
        "from_end": float(min(total - 1 - number, 30)),
        "units": float(min(total, 60)),
        "message_chars": float(min(len(passage.text), 6000)),
        "is_only": float(total == 1),
        "is_closing": float(is_last),
        "is_final": float(is_last and scene.after is None),
        "reply_rank": float(min(reply_rank, 20)),
        "replies": float(min(around.replies, 40)),
        "edits_next": float(min(around.edits_next[index], 4)),
        "runs_next": float(min(around.runs_next[index], 3)),
        "edits_later": float(min(around.edits_later[index], 10)),
        "edits_earlier": float(min(around.edits_earlier[index], 10)),
        "echo": share_of(words, around.prompt),
        "known": share_of(words, around.said[index]),
        "known_before": share_of(words, around.before),
        "in_closing": 0.0 if is_last else share_of(words, around.closing),
        "in_commit": share_of(words, around.committed),
        "has_commit": float(bool(around.committed)),
        "in_paths": float(min(len(words & around.changed[index]), 4)),
        "after_nods": float(around.after.nods or bool(around.after.picks)),
        "after_refuses": float(around.after.refuses),
        "after_correction": float(min(around.after_correction, 2)),
        "no_after": float(scene.after is None),
        "stopped": float(around.stopped),
        "turn": float(min(scene.number, 40)),
        "prompt_words": float(min(len(around.prompt), 80)),
        "question_in_message": float("?" in passage.text[-400:] or "？" in passage.text[-300:]),
        "code_in_message": float("```" in passage.text),
        "failed_before": float(around.failed[index]),
        "edits_turn": float(min(around.edits, 12)),
        "before_first_edit": float(around.edits_earlier[index] == 0 and around.edits_next[index] > 0),
        "prompt_asks": float(around.prompt_asks),
        "prompt_nods": float(around.prompt_nods),
        "prompt_chars": float(min(around.prompt_chars, 3000)),
        "so": float(min(len(SO_RE.findall(unit.text)), 2)),
        "names_asked": float(min(len(names & around.prompt_names), 3)),
        "names_new": float(min(len(names - around.prompt_names - around.said_names[index]), 4)),
        "names_closing": 0.0 if is_last else float(min(len(names & around.closing_names), 3)),
        "names_next": float(min(len(names & around.next_names), 3)),
        "in_next": share_of(words, around.next_words),
    }
    found |= verb_features(core.text)
    found |= story_features(scene, around, words)
    found |= {
        "sentences": float(min(sentences, 5)),
        "points_back": float(_ends_pointing_back(unit.text)),
        "relative_chars": min(len(passage.text) / around.usual_chars, 6.0),
        "core_last": float(unit.text.endswith(core.text)),
        "unit_chars": float(min(len(unit.text), 400)),
        "telling": telling(core.text),
        "told_before": float(min(around.told[index], 6)),
    }
    return found


@lru_cache(maxsize=512)
def _ends_pointing_back(text: str) -> bool:
    tails = [part for mark in (". ", ".\n", "。") for part in text.rsplit(mark, 1)[1:]]
    return points_back(text[-60:]) or any(map(points_back, tails))
