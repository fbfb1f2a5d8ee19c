"""Shortening text without breaking it, and finding the part of it that matters.

Owns: where a text may be cut (sentence, line, word, or at least between two visible characters), its first sentence,
the user's own words in a reply that quotes, and how much of a logged text the state keeps.
Must not know: tokens, Markdown, where the text will be printed (`hygiene` escapes, after the cut).
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from recapd.core.hygiene import clean, clean_line

ELLIPSIS: Final = "…"
SPACED_ELLIPSIS: Final = " …"  # after a finished sentence

# ---- where a text may be cut

_JOINER: Final = "\u200d"
# Characters that belong to the one before them although they are no combining marks: joiners, skin tones, flag letters.
_TRAILING_RE: Final = re.compile("[\u200c\u200d\ufe00-\ufe0f\uff9e\uff9f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_FLAG_LETTERS_RE: Final = re.compile("[\U0001f1e6-\U0001f1ff]")
_JAMO_RE: Final = re.compile("[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]")
_VIRAMA_CLASS: Final = 9
# A longer "character" is a stack of marks made to break layouts; cut through it.
_MAX_CLUSTER: Final = 32
# A cut at a nicer place may cost this much of the room; beyond it, keeping text is worth more than a clean edge.
_NICE_CUT_PERCENT: Final = 60


def _is_joined(text: str, at: int) -> bool:
    """Whether `text[at]` continues the visible character before it. An approximation of Unicode's grapheme clusters."""
    before, after = text[at - 1], text[at]
    if before.isascii() and after.isascii():
        return before == "\r" and after == "\n"
    if before == _JOINER or _TRAILING_RE.match(after) or unicodedata.category(after)[0] == "M":
        return True
    if unicodedata.combining(before) == _VIRAMA_CLASS:
        return after.isalpha()
    if _FLAG_LETTERS_RE.match(before) and _FLAG_LETTERS_RE.match(after):
        start = at
        while start > 0 and at - start < _MAX_CLUSTER and _FLAG_LETTERS_RE.match(text[start - 1]):
            start -= 1
        return (at - start) % 2 == 1
    return bool(_JAMO_RE.match(before) and _JAMO_RE.match(after))


def grapheme_cut(text: str, limit: int) -> int:
    """The largest index <= limit that splits no visible character (emoji sequence, flag, letter with its marks)."""
    if limit >= len(text):
        return len(text)
    at = max(limit, 0)
    while at > 0 and limit - at < _MAX_CLUSTER and _is_joined(text, at):
        at -= 1
    return at if at == 0 or not _is_joined(text, at) else limit


def word_cut(text: str, limit: int) -> int:
    """Like `grapheme_cut`, at the end of a word when one is near."""
    if limit >= len(text):
        return len(text)
    space = max(text.rfind(" ", 0, limit + 1), text.rfind("\n", 0, limit + 1), text.rfind("\t", 0, limit + 1))
    return space if space * 100 >= limit * _NICE_CUT_PERCENT and space > 0 else grapheme_cut(text, limit)


def sentence_cut(text: str, limit: int) -> int:
    """Like `word_cut`, at the end of a sentence or line when one is near."""
    if limit >= len(text):
        return len(text)
    near = limit * _NICE_CUT_PERCENT // 100
    ends = [found.end() for found in _SENTENCE_END_RE.finditer(text, near, limit + 1) if _ends_sentence(found)]
    nearest = max([end for end in ends if end <= limit] + [text.rfind("\n", near, limit + 1)])
    return nearest if nearest > 0 else word_cut(text, limit)


def shorten(text: str, limit: int) -> str:
    """At most the first `limit` characters, cut at a sentence or word, then an ellipsis; empty if nothing is left."""
    kept = text[: sentence_cut(text, limit)].rstrip()
    if not kept:
        return ""
    finished = kept[-1] in _TERMINATORS
    return kept + (SPACED_ELLIPSIS if finished else ELLIPSIS)


# ---- short forms

# Text is cleaned up to here at most; a line that shows nothing in its first 64 Ki characters shows nothing.
_WINDOW_CHARS: Final = 1 << 16


def _window(text: str, limit: int) -> str:
    return text[: _WINDOW_CHARS + 16 * max(limit, 0)]


def one_line(text: str, limit: int) -> str:
    """`text` clean and on one line, at most `limit` characters, an ellipsis included."""
    line = clean_line(_window(text, limit))
    if len(line) <= limit:
        return line
    if limit <= 0:
        return ""
    return line[: word_cut(line, limit - 1)].rstrip() + ELLIPSIS


def clip(text: str, limit: int) -> str:
    """`text` clean, its lines and indentation kept, at most `limit` characters, an ellipsis included."""
    body = clean(_window(text, limit)).strip("\n").rstrip()
    if len(body) <= limit:
        return body
    if limit <= len(SPACED_ELLIPSIS):
        return ELLIPSIS[: max(limit, 0)]
    return shorten(body, limit - len(SPACED_ELLIPSIS)) or ELLIPSIS


_SPACE_RE: Final = re.compile(r"\s")
_LEFT_OUT: Final = "\n… {count} characters left out …\n"


def head_tail(text: str, limit: int) -> str:
    """`text` clean, beginning and end kept (errors stand at the end of long outputs), at most `limit` characters."""
    body = clean(text).strip("\n").rstrip()
    if len(body) <= limit:
        return body
    room = limit - len(_LEFT_OUT.format(count=len(body)))
    if room < 40:  # two stumps of a word each say less than one beginning
        return clip(body, limit)
    head = body[: word_cut(body, room // 2)].rstrip()
    start = len(body) - (room - len(head))
    space = _SPACE_RE.search(body, start, start + room // 4)
    while space is None and start < len(body) and _is_joined(body, start):
        start += 1
    tail = body[space.end() if space else start :].lstrip()
    return head + _LEFT_OUT.format(count=len(body) - len(head) - len(tail)) + tail


# ---- sentences

_TERMINATORS: Final = frozenset(".!?…。！？｡")
_SENTENCE_END_RE: Final = re.compile(r"""(?<![.!?…])[.!?…]++["'”’»)\]*_`]*+(?=\s)|[。！？｡]++[」』”’）】]*+""")
# Words whose dot is their own: before anything, and before a number.
# Letters with dots between them ("e.g", "U.S") and single letters need no entry.
_ABBREVIATIONS: Final = frozenset(
    {"approx", "ca", "cf", "dept", "dr", "esp", "mr", "mrs", "ms", "prof", "resp", "st", "vs"}
)
_COUNTING: Final = frozenset({"ch", "eq", "fig", "figs", "no", "nos", "nr", "op", "pp", "ref", "sec", "vol"})
_DOTTED_RE: Final = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
# A line that starts one of these is not the continuation of a sentence.
_BLOCK_RE: Final = re.compile(r"\n(?=[ \t]*(?:\n|[-*+•>|]|#{1,6} |\d{1,3}[.)] |```|~~~))")
_LEADING_MARK_RE: Final = re.compile(r"\A\s*(?:(?:#{1,6}|[-*+•>])[ \t]+)*")
_SENTENCE_WINDOW_CHARS: Final = 4_000


def _ends_sentence(found: re.Match[str]) -> bool:
    """Whether the dots at `found` end a sentence, rather than an abbreviation, a list number or a pause."""
    text, mark = found.string, found[0]
    if mark[0] not in ".…":
        return True
    rest = text[found.end() : found.end() + 40].lstrip()
    if rest and rest[0].islower():
        return False
    if mark != ".":
        return True
    line_start = text.rfind("\n", 0, found.start()) + 1
    before = text[max(line_start, found.start() - 24) : found.start()]
    words = before.split()
    if not words:
        return True
    word = words[-1].lstrip("([\"'“‘*_`")
    if word.isdigit() and len(words) == 1 and line_start >= found.start() - 24:
        return False
    if word.lower() in _COUNTING:
        return not rest[:1].isdigit()
    return word.lower() not in _ABBREVIATIONS and not _DOTTED_RE.fullmatch(word)


def first_sentence(text: str) -> str:
    """The first sentence of `text` as it stands there (it may span lines), without a bullet or heading mark."""
    begin = len(text[:_SENTENCE_WINDOW_CHARS]) - len(_LEADING_MARK_RE.sub("", text[:_SENTENCE_WINDOW_CHARS], count=1))
    window = text[begin : begin + _SENTENCE_WINDOW_CHARS]
    block = _BLOCK_RE.search(window)
    paragraph = window[: block.start()] if block else window
    for found in _SENTENCE_END_RE.finditer(paragraph):
        if _ends_sentence(found):
            return paragraph[: found.end()]
    return paragraph.rstrip()


# ---- replies

_FENCE_RE: Final = re.compile(r" {0,3}(?:```|~~~)")
# ">>>" is a Python prompt, not a quote of a quote of a quote; a lone ">" may be the end of a tag.
_QUOTE_RE: Final = re.compile(r" {0,3}>{1,2} +\S")
_BLANK_QUOTE_RE: Final = re.compile(r" {0,3}>{1,2}\s*$")
_ATTRIBUTION_STARTS: Final = ("On ", "Am ", "Le ", "El ", "Em ", "Il ", "Op ")
_ATTRIBUTION_END_RE: Final = re.compile(
    r"\b(?:wrote|schrieb|a écrit|escribió|escreveu|ha scritto|schreef)\b[^:]{0,80}:\s*$"
)
_ATTRIBUTION_LINES: Final = 3  # mail programs wrap it
_ATTRIBUTION_CHARS: Final = 300
_QUOTED_MAIL_RE: Final = re.compile(
    r"\s*-{2,}\s?(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Message d'origine|Mensaje original)\s?-"
)
_FROM_RE: Final = re.compile(r"\*{0,2}(?:From|Von|De|Da|Van):")
_HEADER_RE: Final = re.compile(
    r"\*{0,2}(?:Sent|Date|To|Cc|Subject|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|Enviado|Para|Asunto):"
)
_DEVICE_RE: Final = re.compile(r"\s*(?:Sent from my |Get Outlook for |Von meinem \w+ gesendet|Envoyé de mon )")
# Without a line that begins so there is neither quote nor signature; most prompts have none. The newline before a line
# is what a search finds fastest.
_REPLY_SIGN_RE: Final = re.compile(
    r"\n[^\S\n]*(?:>|--|\*{0,2}(?:From|Von|De|Da|Van):|Sent from |Get Outlook |Von meinem |Envoyé de )"
)
_SIGNATURE_LINES: Final = 8  # more than that behind "-- " is text


def strip_quoted_reply(text: str) -> str:
    """The user's own words in a reply: without quoted lines, the quoted mail below and the signature.

    Careful: fenced code is left alone, one header line does not make a mail, and a text that is nothing but quotation
    comes back whole.
    """
    # A single line cannot be but a part of itself.
    if "\n" not in text or _REPLY_SIGN_RE.search("\n" + text) is None:
        return text
    lines = text.split("\n")
    own: list[str] = []
    is_mail = in_fence = False
    at = 0
    while at < len(lines):
        if _FENCE_RE.match(lines[at]):
            in_fence = not in_fence
        quote = 0 if in_fence else _end_of_attribution(lines, at)
        if quote:
            is_mail, at = True, quote
            continue
        if not in_fence and _starts_quoted_mail(lines, at):
            is_mail = True
            break
        if in_fence or not _is_quote(lines, at):
            own.append(lines[at])
        at += 1
    _drop_signature(own, is_mail=is_mail)
    if len(own) == len(lines):
        return text
    return re.sub(r"\n{3,}", "\n\n", "\n".join(own)).strip() or text


def _is_quote(lines: list[str], at: int) -> bool:
    if _QUOTE_RE.match(lines[at]):
        return True
    neighbours = lines[max(at - 1, 0) : at] + lines[at + 1 : at + 2]
    return bool(_BLANK_QUOTE_RE.match(lines[at])) and any(map(_QUOTE_RE.match, neighbours))


def _end_of_attribution(lines: list[str], at: int) -> int:
    """The line behind "On ... wrote:" when quoted lines follow it, else 0."""
    if not lines[at].startswith(_ATTRIBUTION_STARTS):
        return 0
    for end in range(at + 1, min(at + _ATTRIBUTION_LINES, len(lines)) + 1):
        joined = " ".join(lines[at:end])
        if len(joined) > _ATTRIBUTION_CHARS:
            return 0
        if _ATTRIBUTION_END_RE.search(joined) and any(map(str.isdigit, joined)):
            while end < len(lines) and not lines[end].strip():
                end += 1
            return end if end < len(lines) and lines[end].lstrip().startswith(">") else 0
    return 0


def _starts_quoted_mail(lines: list[str], at: int) -> bool:
    """A divider that mail programs write, or a block of mail headers that begins with the sender."""
    if _QUOTED_MAIL_RE.match(lines[at]):
        return True
    return bool(_FROM_RE.match(lines[at])) and sum(bool(_HEADER_RE.match(line)) for line in lines[at + 1 : at + 5]) >= 2


def _drop_signature(lines: list[str], *, is_mail: bool) -> None:
    # In a chat a bare "--" is a divider; in a mail it is a signature mark that lost its space.
    for at in range(len(lines) - 1, max(len(lines) - 2 - _SIGNATURE_LINES, 0), -1):
        if _FENCE_RE.match(lines[at]):
            return
        if lines[at] == "-- " or (is_mail and lines[at].rstrip() == "--"):
            del lines[at:]
            return
    last = next((at for at in range(len(lines) - 1, 0, -1) if lines[at].strip()), 0)
    if last and _DEVICE_RE.match(lines[last]):
        del lines[last:]


# ---- beginnings of logged texts, as the state keeps them

# More than is ever shown.
RAW_CHARS = 1_000
# Longer than any token; a text without a space in so many characters is no prose, and its end tells nobody anything.
_LONGEST_WORD = 400


def beginning(text: str) -> str:
    """As logged, bounded. A secret that the bound cuts in two looks like none: the word at the cut goes too."""
    if len(text) <= RAW_CHARS:
        return text
    cut = max(text.rfind(space, RAW_CHARS - _LONGEST_WORD, RAW_CHARS) for space in (" ", "\n", "\t"))
    return text[: cut if cut >= 0 else RAW_CHARS - _LONGEST_WORD]
