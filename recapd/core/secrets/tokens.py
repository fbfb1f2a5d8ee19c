"""Owns finding tokens by their own shape, whatever stands around them.

Must not know key names. Text is cut into runs of token characters; only runs long enough to be a token are looked at,
and finding those costs one `translate` and one `find` per run, not a regular expression over the text.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from recapd.core import late_re as re
from recapd.core.secrets.names import BREAK, MARGIN
from recapd.core.secrets.token_table import TOKEN_SHAPES, TokenShape
from recapd.core.secrets.values import looks_random
from recapd.core.secrets.view import Span

# The shortest token of the table has twenty characters in one run; identifiers mostly have fewer.
_LEAST_RUN: Final = b"a" * 20
_RUN_CLASS: Final = bytes(0x61 if re.match(rb"[A-Za-z0-9_-]", bytes([c])) else 0x20 for c in range(256))
# Prefixes such as `xoxe.xoxp-`, or the id in front of the point of an Airtable token, end before the run starts.
_LONGEST_DOTTED_PREFIX: Final = 18
_JOINTS: Final = frozenset(b".:~/$%\\")
_SHORT_JOINT_ENDS: Final = frozenset((b"s.", b"0/", b"1/", b"2/"))
# Enough of a token to tell it from words; a run that is not a token must not be read again from each joint in it.
_SAMPLE: Final = 200
# A token inside a run is itself at least this long.
_LEAST_INSIDE: Final = 16
_LETTERS_AND_DIGITS: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_PREFIX_BYTES: Final = _LETTERS_AND_DIGITS + b"_-.:/$"

_BY_PREFIX: Final = {prefix: shape for shape in TOKEN_SHAPES for prefix in shape.prefixes}


_JWT_START: Final = b"eyJ"
_LENGTHS: Final = sorted({len(prefix) for prefix in (*_BY_PREFIX, _JWT_START)}, reverse=True)


def _trie(words: Iterable[bytes]) -> bytes:
    """A pattern of all words that reads each byte once, where a flat alternation would try word after word."""
    by_first: dict[bytes, list[bytes]] = {}
    for word in words:
        by_first.setdefault(word[:1], []).append(word[1:])
    if b"" in by_first:
        return b""
    return b"(?:" + b"|".join(re.escape(first) + _trie(rest) for first, rest in sorted(by_first.items())) + b")"


# Cheap looks at a run before anything is matched: nearly every run is an identifier, a path or a digest.
_FIRST_THREE: Final = frozenset(prefix[:3] for prefix in (*_BY_PREFIX, _JWT_START) if len(prefix) >= 3) | frozenset(
    prefix + bytes([c])
    for prefix in _BY_PREFIX
    if len(prefix) == 2
    for c in (b"0123456789abcdef" if prefix in (b"AC", b"SK") else _LETTERS_AND_DIGITS + b"_-")
)
_UUID_SIZE: Final = 36
_JOINT_ENDS: Final = frozenset(prefix[-3:] for prefix in _BY_PREFIX if prefix[-1] in b".:/$" and len(prefix) >= 3)
# A prefix may also follow a joint inside the run; the class in front lets `re` skip to the joints. The first three
# bytes are enough here, and all of the prefixes would take ten milliseconds to compile.
_INSIDE: Final = re.compile(b"[_.:$/-](?=" + _trie({prefix[:3] for prefix in (*_BY_PREFIX, _JWT_START)}) + b")")
_NUMBERED_KEY: Final = re.compile(rb"[0-9a-f]{32}-(?:us[0-9]{1,2}|[0-9a-f]{8}-[0-9a-f]{8})(?![A-Za-z0-9_-])")
# Whatever hangs on to a token goes with it; left alone it could be the next token, one a reading.
_REST: Final = re.compile(rb"[A-Za-z0-9_-]*")
_JWT: Final = re.compile(rb"eyJ[A-Za-z0-9_-]{8,2048}+(?:\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*){0,3})")
_BRAINTREE: Final = re.compile(rb"access_token\$(?:production|sandbox)\$[0-9a-z]{8,32}\$[0-9a-f]{16,64}")
_TELEGRAM: Final = re.compile(rb"AA[A-Za-z0-9_-]{30,36}(?![A-Za-z0-9_-])")
_AZURE_CLIENT_SECRET: Final = re.compile(rb"[A-Za-z0-9_.~-]{3}[0-9]Q~[A-Za-z0-9_.~-]{28,}")
_DISCORD: Final = re.compile(rb"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{20,}")
_VAULT_LEGACY: Final = re.compile(rb"[A-Za-z0-9]{24}(?![A-Za-z0-9_-])")
_AWS_SECRET: Final = re.compile(rb"(?<![A-Za-z0-9+/=_.-])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_.-])")
_ENCODED: Final = re.compile(rb"[A-Za-z0-9+/]{24}\Z")
_ENCODED_SAMPLE: Final = 24
# What follows these prefixes has more of a shape than letters and digits.
_NEVER_BY_CHANCE: Final = frozenset((b"AC", b"SK", b"eyJ"))
# Access tokens of Azure DevOps: 52 characters of base32, or 84 with signatures at fixed places, which keys of other
# Azure services have, too.
_AZURE_LENGTHS: Final = frozenset((52, 84))
_AZURE_OLD: Final = re.compile(rb"[a-z2-7]{52}\Z")
_AZURE_NEW: Final = re.compile(rb"[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{18}([A-Za-z0-9]{4})[A-Za-z0-9]{4}\Z")
# A terminal breaks a line at its last column, wherever that is; the rest of a token begins the next line.
_NARROWEST: Final = 60
_MOST_LINES: Final = 32
_WRAPPED: Final = re.compile(BREAK + MARGIN + rb"([A-Za-z0-9_./+-]{4,512}={0,2})(?=[\s\"'`,;)\x00\x01\\]|\Z)")
_BREAKS: Final = b"\n\r\x01\\"
_NEVER_WRAPPED: Final = frozenset(("private-key", "seed-phrase", "passphrase", "app-password", "cookie"))
# An access key id and its secret are shown side by side: a CSV row, two lines of a file, a table.
_AWS_PAIR_DISTANCE: Final = 160


def token_runs(raw: bytes) -> Iterator[tuple[int, int]]:
    """Bounds of the runs of token characters that may hold a token."""
    if len(raw) < len(_LEAST_RUN):
        return
    classes = raw.translate(_RUN_CLASS)
    find, inside, beginnings, joints = classes.find, _INSIDE.search, _FIRST_THREE, _JOINTS
    start = find(_LEAST_RUN)
    while start >= 0:
        end = find(b" ", start + len(_LEAST_RUN))
        if end < 0:
            end = len(classes)
        size = end - start
        # Every fourth run is a UUID, and nothing else.
        is_uuid = size == _UUID_SIZE and raw[start + 8] == 0x2D and raw[start + 23] == 0x2D
        if (start and raw[start - 1] in joints and _is_joined(raw, start)) or (
            not is_uuid
            and (
                raw[start : start + 3] in beginnings
                or (size > 32 and raw[start + 32] == 0x2D and raw.find(b"-", start, start + 32) < 0)
                or inside(raw, start, end - _LEAST_INSIDE)
                or (raw[end : end + 1] == b"." and raw[start] in b"MNO")
                or size in _AZURE_LENGTHS
            )
        ):
            yield start, end
        start = find(_LEAST_RUN, end)


def _is_joined(raw: bytes, start: int) -> bool:
    """Whether what stands before the run may be the beginning of a token."""
    joint = raw[start - 1]
    if joint in b"./":
        return (
            raw[start - 3 : start] in _JOINT_ENDS
            or raw[start - 2 : start] in _SHORT_JOINT_ENDS
            or raw[start - 18 : start - 15] == b"pat"
        )
    return joint != 0x3A or raw[start - 3 : start] in _JOINT_ENDS or raw[start - 2 : start - 1].isdigit()


def tokens_in_run(view: bytearray, start: int, end: int) -> Iterator[Span]:
    position = start
    before = view[start - 1] if start else 0
    if before in _JOINTS:
        position = _start_of_prefix(view, start, before)
        joined = _token_after_joint(view, start, before)
        if joined is not None:
            yield joined
            position = joined.end
    elif end < len(view) and view[end] == 0x2E and (discord := _DISCORD.match(view, start)):
        yield Span(start, discord.end(), "discord-token")
        position = discord.end()
    elif end - start in _AZURE_LENGTHS and (azure := _azure_token(view, start, end)):
        yield azure
        return
    elif numbered := _NUMBERED_KEY.match(view, start):
        yield Span(start, numbered.end(), "mailing-key")
        position = numbered.end()
    # Whoever takes a span blanks it, so that a place inside it starts no other.
    for place in sorted({position, start, *(m.end() for m in _INSIDE.finditer(view, min(position, start), end))}):
        prefix = _prefix_of(view[place : place + _LENGTHS[0]])
        span = _token_at(view, place, prefix) if prefix and not _is_base64(view, place, prefix) else None
        if span is None:
            continue
        yield span
        if span.kind == "aws-access-key":
            yield from _aws_secret_beside(view, span)


def _is_base64(view: bytearray, start: int, prefix: bytes) -> bool:
    """Inside an encoded picture any three letters turn up after a `+` or `/` sooner or later."""
    if len(prefix) > 3 or not prefix.isalnum() or prefix in _NEVER_BY_CHANCE or start < 2:
        return False
    if view[start - 1] == 0x2B:
        return view[start - 2] > 0x2F
    # Before a slash in a path there is soon a point, a hyphen or a space; a picture has none.
    return view[start - 1] == 0x2F and _ENCODED.match(view, max(0, start - _ENCODED_SAMPLE), start) is not None


def token_kind(value: bytes) -> str | None:
    """The kind of a value that starts like a known token."""
    prefix = _prefix_of(value)
    if prefix is None:
        return None
    shape = _BY_PREFIX.get(prefix)
    return shape.kind if shape else "jwt"


def _prefix_of(value: bytes | bytearray) -> bytes | None:
    if bytes(value[:3]) not in _FIRST_THREE:
        return None
    for length in _LENGTHS:
        prefix = bytes(value[:length])
        if prefix in _BY_PREFIX or prefix == _JWT_START:
            return prefix
    return None


def _start_of_prefix(view: bytearray, start: int, joint: int) -> int:
    """Before a joint that is part of a prefix; after the digits of `%3D`; after the letter of an escape."""
    if joint == 0x25:
        return start + 2
    if joint == 0x5C:
        return start + 1
    head = view[max(0, start - _LONGEST_DOTTED_PREFIX) : start]
    return start - len(head) + len(head.rstrip(_PREFIX_BYTES))


def _token_at(view: bytearray, start: int, prefix: bytes) -> Span | None:
    end = start + len(prefix)
    shape = _BY_PREFIX.get(prefix)
    jwt = _JWT.match(view, start) if prefix.startswith(_JWT_START) else None
    if jwt:
        return Span(start, jwt.end(), "jwt")
    if shape is None:
        return None
    if shape.random:
        sample = _body(shape).match(view, end, end + _SAMPLE)
        if sample is None or not looks_random(sample[0], least=12):
            return None
    body = _body(shape).match(view, end)
    if body is None:
        return None
    if shape.kind == "terraform-token":
        start = _start_of_id(view, start)
    rest = _REST.match(view, body.end())
    return Span(start, rest.end() if rest else body.end(), shape.kind)


@cache
def _body(shape: TokenShape) -> re.Pattern[bytes]:
    """Compiled when first needed: all of them at import would cost a command line its start-up time."""
    return re.compile(shape.body)


def _token_after_joint(view: bytearray, start: int, joint: int) -> Span | None:
    if joint == 0x3A and view[max(0, start - 9) : start - 1].isdigit() and (bot := _TELEGRAM.match(view, start)):
        return Span(start, bot.end(), "telegram-token")
    if joint == 0x24 and (braintree := _BRAINTREE.search(view, max(0, start - 64), start + 64)):
        return Span(braintree.start(), braintree.end(), "braintree-token")
    if joint == 0x7E and (secret := _AZURE_CLIENT_SECRET.match(view, max(0, start - 6))):
        return Span(secret.start(), secret.end(), "azure-client-secret")
    if joint != 0x2E or view[start - 2 : start] != b"s." or view[start - 3 : start - 2].isalnum():
        return None
    legacy = _VAULT_LEGACY.match(view, start)
    if legacy is None or not looks_random(legacy[0], least=24):
        return None
    return Span(start - 2, legacy.end(), "vault-token")


def _azure_token(view: bytearray, start: int, end: int) -> Span | None:
    if _AZURE_OLD.match(view, start, end) and looks_random(bytes(view[start:end]), least=52):
        return Span(start, end, "azure-devops-token")
    if new := _AZURE_NEW.match(view, start, end):
        return Span(start, end, "azure-devops-token" if new[1] == b"AZDO" else "azure-key")
    return None


def with_wrapped_rest(view: bytearray, span: Span) -> Span:
    """The span with what a terminal put on the next lines of it."""
    end = span.end
    if end >= len(view) or view[end] not in _BREAKS or span.kind in _NEVER_WRAPPED:
        return span
    width = end - view.rfind(b"\n", max(0, end - 1_024), end) - 1
    if width < _NARROWEST:
        return span
    for _ in range(_MOST_LINES):
        rest = _WRAPPED.match(view, end)
        if rest is None or not looks_random(rest[1], least=4):
            break
        is_full = rest.end() - rest.start() >= width
        end = rest.end(1)
        if not is_full:
            break
    return Span(span.start, end, span.kind)


def _start_of_id(view: bytearray, start: int) -> int:
    """Terraform's token starts with an id before `.atlasv1.`."""
    head = view[max(0, start - 24) : start]
    return start - len(head) + len(head.rstrip(_LETTERS_AND_DIGITS + b"."))


def _aws_secret_beside(view: bytearray, key: Span) -> Iterator[Span]:
    for found in _AWS_SECRET.finditer(view, key.end, min(len(view), key.end + _AWS_PAIR_DISTANCE)):
        if looks_random(found[0], least=30):
            yield Span(found.start(), found.end(), "aws-secret-key")
