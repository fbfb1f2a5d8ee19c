"""Owns taking secrets out of text: everything that leaves the log goes through `redact`.

Must not know where text comes from or goes. Text is expected without ANSI and zero-width characters.

    text ─▶ view (one byte a character, escapes undone)
              ├─ runs of token characters ──▶ tokens   (the secret says what it is)
              ├─ literals ─────────────────▶ shapes   (the structure says it: key block, URL, flag, file)
              ├─ words for secrets ────────▶ pairs    (the name in front says it), phrases (and it is several words)
              └─ words of other scripts ───▶ foreign

    question, answer ─▶ answers   (what was asked for says it)

Own code rather than a library, by measurement on session logs: detect-secrets reads 0.1 MB/s line by line, takes
170 ms to import and reports nearly every digest and id as high entropy; this reads 40-60 MB/s, takes 25 ms, and what
it reports there is, with few exceptions, a credential. Entropy alone is never enough here: it mangles code and
still misses passwords.

Every pattern has bounded repetition or none that can overlap, and what is rejected is judged by a bounded sample, so
the cost is linear in the text whatever the text.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from operator import itemgetter
from typing import Final

from recapd.core.secrets.answers import credentials_in, is_recognizable
from recapd.core.secrets.foreign import foreign_pair, foreign_words
from recapd.core.secrets.names import names_in
from recapd.core.secrets.pairs import pair
from recapd.core.secrets.shapes import STRUCTURES, lines_of_keys
from recapd.core.secrets.tokens import token_runs, tokens_in_run, with_wrapped_rest
from recapd.core.secrets.view import MASK, Span, blank, view_of

__all__ = ["MASK", "Span", "credentials_in", "is_recognizable", "redact", "redact_lines", "redactions", "suspects"]

# `pw=1234` is the shortest text that could hold anything.
_LEAST_TEXT: Final = 7

# Taken apart once: asking a struct for its fields takes longer than looking for them in a short text.
_STRUCTURES: Final = tuple((each.literal, each.pattern.finditer, each.detect) for each in STRUCTURES)

# Between texts that are read as one. To every detector the end of a line is the end of a text, or may be gone over
# where it looks for more; and nothing is looked for over a blank.
_APART: Final = "\n\0\n"

_Detect = Callable[[bytearray], Iterator[Span]]


def redact(text: str) -> str:
    """The text with each secret replaced by `[REDACTED]`; the same object when there is none.

    Idempotent: `redact(redact(text)) == redact(text)`. Linear in the length of the text.
    """
    # Contexts are windows of characters and a mask is shorter than most secrets, so the masked text is read again:
    # what is returned holds nothing to redact. Texts without secrets, nearly all, are read once.
    while spans := redactions(text):
        text = _masked(text, spans)
    return text


def redact_lines(lines: Sequence[str]) -> list[str]:
    """As many lines, each without what it has of a secret. They are cut out of a file: what would tell a secret may
    stand before or after them."""
    lines = list(lines)
    # As in `redact`; each time around there is less that is not masked.
    while spans := redactions("\n".join(lines)):
        masked = _masked_lines(lines, spans)
        if masked == lines:
            break
        lines = masked
    for row, start, end in list(lines_of_keys(lines)):
        lines[row] = lines[row][:start] + MASK + lines[row][end:]
    return lines


def redactions(text: str) -> tuple[Span, ...]:
    """What `redact` replaces, in order and without overlap; for counting by kind."""
    if len(text) < _LEAST_TEXT:
        return ()
    raw = view_of(text)
    detectors = _detectors(text, raw)
    if not detectors:
        return ()
    view = bytearray(raw)
    spans: list[Span] = []
    # A masked secret can uncover another beside it.
    while found := _sweep(view, detectors):
        spans += found
    return _merged(spans)


def suspects(texts: Sequence[str]) -> list[str]:
    """Those of the texts in which there may be a secret: in the others `redact` finds none.

    All of them are read as one, because most texts are short and starting takes longer than reading.
    """
    joined = _APART.join(texts)
    starts = list(accumulate((len(text) + len(_APART) for text in texts), initial=0))
    raw = view_of(joined)
    # What is taken for a secret beyond its text hides what else would be found there.
    found = {
        number
        for span in _sweep(bytearray(raw), _detectors(joined, raw))
        for number in range(bisect_right(starts, span.start) - 1, bisect_right(starts, span.end - 1))
    }
    return [texts[number] for number in sorted(found) if number < len(texts)]


def _masked(text: str, spans: tuple[Span, ...]) -> str:
    parts: list[str] = []
    position = 0
    for span in spans:
        parts += (text[position : span.start], MASK)
        position = span.end
    parts.append(text[position:])
    return "".join(parts)


def _masked_lines(lines: Sequence[str], spans: Sequence[Span]) -> list[str]:
    masked = list(lines)
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    # From the end, so that the places before stay.
    for span in reversed(spans):
        row = bisect_right(starts, span.start) - 1
        while row < len(lines) and starts[row] < span.end:
            low, high = max(span.start - starts[row], 0), span.end - starts[row]
            # The breaks around the lines of a key are part of it.
            if lines[row][low:high].strip():
                masked[row] = masked[row][:low] + MASK + masked[row][high:]
            row += 1
    return masked


def _detectors(text: str, raw: bytes) -> list[_Detect]:
    """What is worth trying on this text, in order of place."""
    return [detect for _, detect in sorted(_candidates(text, raw), key=itemgetter(0))]


def _candidates(text: str, raw: bytes) -> list[tuple[int, _Detect]]:
    """What is worth trying on this text, and where."""
    places: list[tuple[int, _Detect]] = [
        (start, partial(tokens_in_run, start=start, end=end)) for start, end in token_runs(raw)
    ]
    for literal, find, detect in _STRUCTURES:
        if literal in raw:
            places += [(found.start(), partial(detect, start=found.start())) for found in find(raw)]
    places += [(word, partial(pair, word=word, sign=sign, how=how)) for word, sign, how in names_in(raw)]
    if not text.isascii():
        places += [
            (found.end, partial(foreign_pair, end=found.end, is_said=found.is_said, is_spaced=found.is_spaced))
            for found in foreign_words(text)
        ]
    return places


def _sweep(view: bytearray, detectors: list[_Detect]) -> list[Span]:
    found: list[Span] = []
    for detect in detectors:
        for span in detect(view):
            if span.start < span.end:
                whole = with_wrapped_rest(view, span)
                blank(view, whole)
                found.append(whole)
    return found


def _merged(spans: list[Span]) -> tuple[Span, ...]:
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        if merged and span.start <= merged[-1].end:
            last = merged[-1]
            merged[-1] = Span(last.start, max(last.end, span.end), last.kind)
        else:
            merged.append(span)
    return tuple(merged)
