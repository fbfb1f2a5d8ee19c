"""Owns the byte view that every detector reads: one byte per character of the text, so that offsets are shared.

Must not know any kind of secret.
"""

from typing import Final

import msgspec

MASK: Final = "[REDACTED]"
_MASK_BYTES: Final = MASK.encode()

# No detector's character class holds this byte: what is masked separates, whatever its length.
_BLANK_MASK: Final = bytes(len(MASK))

# Stands where the backslash of an escape stood; the byte after it is the character the escape meant. The two that
# matter: the end of a line and of a string.
_ESCAPES: Final = ((b"\\n", b"\x01\n"), (b'\\"', b'\x01"'))


# `replace` writes `?` for what is not ASCII; question marks of the text step aside meanwhile.
FOREIGN: Final = b"\xff"
_QUESTION: Final = "\x02"
_UNDO_REPLACE: Final = bytes.maketrans(b"?\x02", FOREIGN + b"?")


class Span(msgspec.Struct, frozen=True):
    """One secret: `text[start:end]` must not be shown."""

    start: int
    end: int
    kind: str


def view_of(text: str) -> bytes:
    """The text as bytes of equal length: non-ASCII becomes 0xff, escapes are undone in place, masks are blank."""
    if text.isascii():
        raw = text.encode()
    elif "?" not in text:
        raw = text.encode("ascii", "replace").replace(b"?", FOREIGN)
    else:
        raw = text.replace("?", _QUESTION).encode("ascii", "replace").translate(_UNDO_REPLACE)
    if b"\\" in raw:
        for escaped, plain in _ESCAPES:
            raw = raw.replace(escaped, plain)
    if _MASK_BYTES in raw:
        raw = raw.replace(_MASK_BYTES, _BLANK_MASK)
    return raw


def blank(view: bytearray, span: Span) -> None:
    view[span.start : span.end] = bytes(span.end - span.start)
