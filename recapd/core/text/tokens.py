"""How many tokens a text costs a model, without a tokenizer, and the longest prefix that fits a budget.

Owns: the estimate, its constants per model family, and `fit_tokens`.
Must not know: sessions, views, what the text says.

A character costs by its class and the class of the character before it (a letter after a letter nearly nothing, a
letter after a space most of a word), and all of it is done by a few passes in C:

    text -> UTF-8 -> a class per character -> a byte per pair of classes -> a cost per pair -> the sum

No cost is negative, so the estimate never falls along prefixes: a bisection over prefixes is exact.
A character after a line break costs what it costs at the start of a text, so estimates add up over lines: a joined
text costs at most its parts and a "\\n" for each join.
"""

from typing import Final
from zlib import adler32

from msgspec import Struct

from recapd.core.text.cut import SPACED_ELLIPSIS, shorten

# Classes; a pair of them has to fit into a byte.
_NONE, _LOWER, _UPPER, _DIGIT, _PUNCT, _SPACE, _BREAK = range(7)
_LATIN, _GREEK, _SEMITIC, _INDIC, _VIET, _SYMBOL, _KANA, _HAN, _RARE = range(7, 16)
# The first byte of a UTF-8 sequence names the script well enough; the others are deleted.
_LEAD_BYTES: Final = (
    (range(0xC2, 0xC3), _SYMBOL),
    (range(0xC3, 0xCC), _LATIN),
    (range(0xCC, 0xD4), _GREEK),  # and Cyrillic
    (range(0xD4, 0xE0), _SEMITIC),  # and Armenian
    (range(0xE0, 0xE1), _INDIC),  # and Thai
    (range(0xE1, 0xE2), _VIET),  # and Georgian, Khmer, Ethiopic
    (range(0xE2, 0xE3), _SYMBOL),
    (range(0xE3, 0xE4), _KANA),
    (range(0xE4, 0xEA), _HAN),
    (range(0xEA, 0xEE), _KANA),  # Hangul costs the same
    (range(0xEE, 0xEF), _RARE),
    (range(0xEF, 0xF0), _HAN),  # full-width punctuation
    (range(0xF0, 0xF8), _RARE),  # emoji and whatever is not in a vocabulary
)
_CONTINUATION_BYTES: Final = bytes(range(0x80, 0xC0))
_BLOB: Final = bytes([_LOWER]) * 20  # no word is that long


class PairCosts(Struct, frozen=True):
    """What one vocabulary charges, in hundredths of a token."""

    # One row per class before (see _ROW), one column per class: lower, upper, digit, punctuation, space, line break.
    after: tuple[tuple[int, int, int, int, int, int], ...]
    # Latin with marks, Greek, Semitic, Indic, Vietnamese, symbols, kana, Han, rare: the same after everything.
    scripts: tuple[int, int, int, int, int, int, int, int, int]
    # 20 lower-case letters in a row, on top.
    blob: int


# Fitted without negative costs to 9,700 pieces of 120-4,000 characters: logs of 20 agents, source code, 95 languages,
# base64, hex, UUIDs, digits, random letters. Mean error on files the fit had not seen 7 %, 6 % above 1,000 characters,
# 3 % over whole files (characters / 4: 24 %, and 63 % too few for base64).
# Not fitted: runs of digits and blobs, which are rare in logs but long, and must not be free.
_O200K: Final = PairCosts(
    after=(
        (71, 132, 124, 122, 51, 19),
        (4, 133, 148, 65, 27, 203),
        (9, 25, 172, 21, 27, 203),
        (50, 177, 33, 14, 0, 6),
        (76, 80, 126, 24, 17, 1),
        (58, 58, 235, 107, 6, 41),
    ),
    scripts=(112, 34, 32, 46, 51, 54, 72, 70, 256),
    blob=900,
)
# The vocabulary published for early Claude models; error 6 %.
_CLAUDE_PUBLISHED: Final = PairCosts(
    after=(
        (103, 147, 136, 113, 87, 56),
        (2, 145, 158, 69, 94, 202),
        (18, 29, 158, 14, 94, 202),
        (29, 161, 42, 0, 57, 0),
        (138, 132, 123, 7, 107, 94),
        (0, 0, 54, 0, 3, 79),
    ),
    scripts=(247, 62, 98, 199, 127, 55, 115, 87, 462),
    blob=1000,
)
# 660 calls of Claude 4.x with recorded usage cost 1.08 times the published vocabulary (quartiles 1.03 and 1.14),
# 77 calls of Gemini 2-3 cost 1.04-1.15 times o200k.
_CLAUDE_PERCENT: Final = 108
_GEMINI_PERCENT: Final = 108
# The error of one piece is about 7 %; text that has to stay under a hard cap is counted this much dearer.
BUDGET_SAFETY_PERCENT: Final = 110

# The row of `after` for each class before.
_ROW: Final = {_LOWER: 1, _UPPER: 2, _DIGIT: 3, _PUNCT: 4, _SPACE: 5, _LATIN: 1, _GREEK: 1, _SEMITIC: 1, _VIET: 1}
_UNITS: Final = 50  # a token in units: the dearest character, 5.0 tokens, still fits into a byte


class TokenFamily(Struct, frozen=True):
    """Models that share a vocabulary, or nearly. Costs in units of 1/50 token, by pair: class before * 16 + class."""

    name: str
    pair_units: bytes
    blob_units: int


def _family(name: str, costs: PairCosts, percent: int) -> TokenFamily:
    units = bytearray(256)
    for before in range(16):
        row = costs.after[_ROW.get(before, 0)] + costs.scripts
        for place, cost in enumerate(row, start=_LOWER):
            units[before * 16 + place] = _to_units(cost, percent)
    # A break at the start of a text may come to stand behind anything: it costs like the dearest.
    units[_NONE * 16 + _BREAK] = max(units[_BREAK::16])
    return TokenFamily(name, bytes(units), _to_units(costs.blob, percent))


def _to_units(hundredths: int, percent: int) -> int:
    return (hundredths * percent * _UNITS + 5_000) // 10_000


GPT: Final = _family("gpt", _O200K, 100)
CLAUDE: Final = _family("claude", _CLAUDE_PUBLISHED, _CLAUDE_PERCENT)
GEMINI: Final = _family("gemini", _O200K, _GEMINI_PERCENT)
# Who will read a recap is often unknown: a cap must hold for the dearest family we know.
DEFAULT: Final = CLAUDE


def _class_of(byte: int) -> int:
    for leads, script in _LEAD_BYTES:
        if byte in leads:
            return script
    char = chr(byte)
    if char.isalpha():
        return _UPPER if char.isupper() else _LOWER
    if char.isdigit():
        return _DIGIT
    if char == "\n":
        return _BREAK
    return _SPACE if char.isspace() else _PUNCT


_CLASSES: Final = bytes(map(_class_of, range(256)))
_EXACT_BYTES: Final = 256  # 256 * 255 is below the modulus of Adler-32, 65,521


def _byte_sum(data: bytes) -> int:
    # The low half of Adler-32 is the sum of the bytes plus 1: the only fast sum over bytes in the standard library.
    pieces = range(0, len(data), _EXACT_BYTES)
    return sum([adler32(data[at : at + _EXACT_BYTES]) & 0xFFFF for at in pieces]) - len(pieces)


def _units(text: str, family: TokenFamily) -> int:
    # Lone surrogates happen in logs; they must cost something, not raise.
    classes = text.encode("utf-8", "surrogatepass").translate(_CLASSES, _CONTINUATION_BYTES)
    number = int.from_bytes(classes, "little")
    # Twelve bits: into the next byte, and there into the half that a class leaves free.
    pairs = (number | number << 12).to_bytes(len(classes) + 2, "little")
    return _byte_sum(pairs.translate(family.pair_units)) + classes.count(_BLOB) * family.blob_units


def estimate_tokens(text: str, family: TokenFamily = DEFAULT) -> int:
    """The best guess, for totals and statistics."""
    return -(-_units(text, family) // _UNITS)


def count_for_budget(text: str, family: TokenFamily = DEFAULT) -> int:
    """The guess with its safety margin, for text that has to stay under a hard cap."""
    return -(-_units(text, family) * BUDGET_SAFETY_PERCENT // (_UNITS * 100))


def token_share(text: str, family: TokenFamily = DEFAULT) -> float:
    """`estimate_tokens` before it is rounded up, for adding up the cost of many lines."""
    return _units(text, family) / _UNITS


def fit_tokens(text: str, max_tokens: int, *, family: TokenFamily = DEFAULT) -> str:
    """The longest beginning of `text` that stays within `max_tokens` by `count_for_budget`.

    A shortened text ends with a sentence, line or word where one is near, and then in an ellipsis, which is counted.
    The work grows with the answer, not with the text.
    """
    if max_tokens <= 0:
        return ""
    cap = max_tokens * _UNITS * 100 // BUDGET_SAFETY_PERCENT
    cap_before_ellipsis = cap - _units(SPACED_ELLIPSIS, family)

    fits, beyond = 0, max(64, 6 * max_tokens)
    while beyond < len(text) and _units(text[:beyond], family) <= cap_before_ellipsis:
        fits, beyond = beyond, 2 * beyond
    if beyond >= len(text):
        if _units(text, family) <= cap:
            return text
        beyond = len(text)

    while beyond - fits > 1:
        middle = (fits + beyond) // 2
        if _units(text[:middle], family) <= cap_before_ellipsis:
            fits = middle
        else:
            beyond = middle
    fitted = shorten(text, fits)
    while _units(fitted, family) > cap:
        # Behind some characters the ellipsis costs more than at the start of a text.
        fits -= 1
        fitted = shorten(text, fits)
    return fitted
