"""A decision in words that stand alone, of which type it is, why it was taken, and what was left for it."""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re
from recapd.core.decisions.entries import DecisionType, MadeBy
from recapd.core.decisions.find.lexicon import GROUPS, counts, plain
from recapd.core.decisions.words import said
from recapd.core.text import ELLIPSIS, one_line, spoken_words_in

TEXT_CHARS: Final = 200
_PART_CHARS: Final = 120

_BECAUSE_RE: Final = re.compile(rf"{said('because')}[^.。!?！？\n;；]*", re.IGNORECASE)
_INSTEAD_RE: Final = re.compile(rf"{said('instead of')}\s*([^.,;:。，；\n)（）]{{2,80}})", re.IGNORECASE)
_BACK_RE: Final = re.compile(
    r"^\W*(?:(?:no|nah|ok|okay|actually|please|hmm|wait|let's|lets|can you|could you|can we)\W+){0,3}"
    r"(?:undo|revert|roll ?back|take (?:it|that|this) back|put (?:it|that) back|never ?mind|forget (?:it|that|"
    r"about)|"
    # Cancelling is a name too: of a button, a link, an order.
    r"cancel(?= (?:it|that|this|these|those|all|everything|(?:the|my) (?:last|previous))\b|\W*$)|"
    r"撤销|撤回|回滚|恢复原|还原|算了|取消(?=吧|掉|了|这|那|刚|上|它|\W*$)|откат\w*|верни\w*|отмен\w*|annul\w*|reviens|deshaz|deshacer|"
    r"revierte|cancela|"
    r"mach\w* .{0,20}rückgängig|rückgängig|desfa\w*|annulla|되돌려|되돌리|취소(?=해|하|\W*$)|롤백|元に戻|取り消)",
    re.IGNORECASE,
)
# So a sentence takes back the one before it and says otherwise; "Actually, also …" only adds.
_CORRECTS_RE: Final = re.compile(
    r"(?:(?:no|nah|oh|hmm|sorry|oops|ok)\W+){0,2}(?:no wait|wait,? no|scratch that|strike that|correction\b|"
    r"on second thoughts?|never ?mind|nvm|forget that|i mean(?:t)?\b|(?:no|wait|sorry),? actually|actually,? no|"
    r"actually(?=,? (?:use|make|let's|lets|do|keep|go|put|call|name|it|just|better|i(?:'d)? (?:want|prefer|rather))\b)|"
    r"(?:不对|算了|等等)[，,。！]|нет,? лучше|nein,? doch|non,? plutôt|no,? mejor)(?!.{0,40}\b(?:also|too|as well)\b)",
    re.IGNORECASE,
)
# The same in the middle of a sentence: "… , no wait, …".
_CORRECTED_RE: Final = re.compile(
    r"[,;.…—–-]\s*(?:oh )?(?:no wait|wait,? no|scratch that|strike that|actually,? no|on second thoughts?)\b"
    r"[\s,:;.—–-]*(?=\w)",
    re.IGNORECASE,
)
_EXPLICIT_RE: Final = re.compile(
    r"[\W_]{0,6}(?:final |key |design )?(?:decision|decided|决定|最终决定|"
    r"решение|décision|decisión|entscheidung|decisão|결정|決定)"
    r"[*_]{0,2}\s?[:：][*_]{0,2}\s*\S",
    re.IGNORECASE,
)
_MARKUP_RE: Final = re.compile(r"\*\*|__|^[#>\s]+|^[-*•]\s+")


def sentence_of(text: str, core: str = "") -> str:
    """The whole where it fits, else the sentence that tells most; cut at a word where even that is too long, and that
    shows."""
    whole = _clean(text)
    if len(whole) <= TEXT_CHARS:
        return whole
    telling = _clean(core) if core else whole
    if len(telling) <= TEXT_CHARS:
        return telling
    most = TEXT_CHARS - len(ELLIPSIS)
    cut = telling.rfind(" ", TEXT_CHARS // 2, most)
    return telling[: cut if cut > 0 else most].rstrip(" ,;:") + ELLIPSIS


def _clean(text: str) -> str:
    return " ".join(_MARKUP_RE.sub("", text).split())


def rationale_of(text: str, lead: str = "") -> str:
    match = _BECAUSE_RE.search(text)
    if match is not None:
        reason = match[0]
        if not text[: match.start()].strip():
            # A sentence that begins with its reason goes on behind a comma; one that is nothing else gives none.
            reason, _, rest = reason.partition(", ")
            reason = reason if rest else ""
        return one_line(_clean(reason), _PART_CHARS)
    words = plain(lead)
    if lead and counts(words, spoken_words_in(words))[GROUPS.index("cause")]:
        return one_line(_clean(lead), _PART_CHARS)
    return ""


def alternatives_of(text: str) -> tuple[str, ...]:
    return tuple(_clean(each)[:_PART_CHARS] for each in _INSTEAD_RE.findall(text)[:2])


def is_explicit(text: str) -> bool:
    """Whether it is headed as a decision: "Decision: …"."""
    return _EXPLICIT_RE.match(text) is not None


def corrects_itself(text: str) -> bool:
    """Whether a sentence says otherwise than the one before it."""
    return _CORRECTS_RE.match(text) is not None


def settled_from(text: str) -> int:
    """Where in a sentence the last word on it begins: behind the correction, if there is one."""
    return max((match.end() for match in _CORRECTED_RE.finditer(text)), default=0)


def takes_back(text: str) -> bool:
    return len(text) < 120 and _BACK_RE.match(text) is not None


def type_of(text: str, made_by: MadeBy, heading: str = "") -> DecisionType:
    """By the words it uses; where none tell, what is usual for who says it."""
    words = plain(f"{heading} {text}")
    heard = dict(zip(GROUPS, counts(words, spoken_words_in(words)), strict=True))
    if made_by == "agent" and (heard["fix"] or heard["cause"] >= 2):
        return "fix"
    if heard["later"]:
        return "scope"
    if heard["work"]:
        return "workflow"
    if made_by != "agent":
        if heard["rule"] and (heard["negation"] or heard["limit"] or "must" in words or "always" in words):
            return "constraint"
        if heard["want"] and not heard["act"]:
            return "preference"
        if heard["rule"]:
            return "constraint"
        return "approach" if heard["choice"] or heard["option"] else "preference" if heard["want"] else "implementation"
    if heard["choice"]:
        return "approach"
    return "implementation"
