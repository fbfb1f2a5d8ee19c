"""Owns the names of secrets: where a word for one stands before a sign, and what the whole name promises.

Must not know values. A name that does not END in a word for a secret (`token_count`, `password_field`) names
something else.
"""

import re
from collections.abc import Iterator
from typing import Final

import msgspec

# From the word to the sign after its name: a closing quote or bracket, emphasis, alignment. A sign of another script
# (a wide colon, an arrow) counts. What follows the sign is looked at in the same pattern, because most signs in code
# are followed by a reference, a type or a call, and turning those away here costs a tenth of judging them.
_NO_VALUE: Final = (
    rb"(?![=>]?[ \t]{0,24}+(?:[\s${(\[<)#|,;]|\Z|f[\"']|[a-z_]\w{0,40}+[(\[]"
    rb"|(?:await|new|lambda|not|if) |(?:self|this|process|os)\."
    rb"|(?:none|null|true|false|string|str|any|int|bool|number)\b"
    rb"(?! ?(?:\| ?(?:none|null|undefined) ?)?= ?[\x01\\]{0,4}[\"'])"
    rb"|(?<== )[a-z_.]{1,40}+(?:[\s,;)}\]]|\Z)))"
)
_TO_SIGN: Final = (
    rb"(?:_?[0-9]{1,3}|[_-](?:base|value|prod(?:uction)?|dev(?:elopment)?|test|staging|live|base64|b64|hex))?"
    rb"(?:[\"'`\]\x01\\)*]{0,4}[ \t]{0,24}(?:(?:[:=>\xff]|(?:is|was) )"
    + _NO_VALUE
    + rb"|,(?=[ \n]{0,24}[\x01\\]{0,3}[\"'`]))"
    rb"|(?<=\spassword)[ \t\n](?=\S{0,64}?[^a-z\s.,;:'\"()])"
    rb"|(?<=kind: secret)|(?<=kind\": \"secret)|(?<=kind\":\"secret)"
    rb"|[^a-z:=]{1,32}value[\"'\x01\\]{0,4}[ \t]?[:=])"
)
# One pattern per rare inner letter of the words, since `re` looks for a single first byte at memory speed but walks
# an alternation at a tenth of that: token, key, cookie; password, passwd, pwd; secret, credential; auth; pass.
_WORDS: Final = (
    rb"k(?:e[ny]|ie)",
    rb"w(?:d|(?<=ssw)or[dt])",
    rb"cre(?:t|d(?:ential)?s?)",
    rb"uth(?:orization)?",
    rb"pass(?:phrase|code|e)?",
    rb"mnemonic",
)
_SIGNS: Final = tuple(re.compile(word + _TO_SIGN) for word in _WORDS)
# Below this size starting six patterns costs more than walking one.
_SHORT_TEXT: Final = 256
_SIGNS_SHORT: Final = (re.compile(b"(?:" + b"|".join(_WORDS) + b")" + _TO_SIGN),)

_NAME_BYTES: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
_LONGEST_NAME: Final = 96
_NAME: Final = re.compile(rb"[\w.-]{1,96}")
# Words before a name that belong to it: `API key`, `secret access key`.
_SPOKEN: Final = re.compile(rb"(?:[A-Za-z]{1,12} ){1,2}\Z")
_NAME_WORDS: Final = re.compile(rb"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_LABELS: Final = frozenset(b"prod production dev development test staging live base64 b64 hex base value".split())

# A key or token of these is an index, a position or a piece of text.
_NO_KEY: Final = frozenset(
    b"public publishable primary foreign unique composite candidate natural surrogate cache sort partition shard hash"
    b" range group row object routing idempotency lookup dedupe map dict json yaml enum message translation query react"
    b" list item config state event shortcut hot arrow enter escape tab function meta modifier registry column field"
    b" parent child this that the a an each same any no by new next first last storage node index image file".split()
)
_NO_TOKEN: Final = frozenset(
    b"next page continuation pagination sync cursor cancellation cancel eos bos pad sep mask unk stop special per each"
    b" the a an this that of max min no by image current previous prev first last syntax parser lexer string number"
    b" operator identifier keyword design color css theme unexpected invalid output input one every".split()
)
_ENDS: Final = re.compile(
    rb"(?:(?P<password>password|passwort|motdepasse|passwd|passphrase|passcode|pwd|(?:db|user|admin|root|mysql|smtp|mail|redis|ftp)pass)"
    rb"|(?P<aws>secretaccesskey|awssecretkey|awssessiontoken)"
    rb"|(?P<azure>accountkey|sharedaccesskey|sharedaccesssignature|storagekey)"
    rb"|(?P<private>privatekey|presharedkey|signingkey|encryptionkey|masterkey|sshkey|deploykey)"
    rb"|(?P<apikey>(?:api|access|app|application|auth|service|role|license|admin|subscription|integration|write|server"
    rb"|shared)key)"
    rb"|(?P<secret>secret|secretkey|credentials?|creds?)|(?P<token>token)"
    rb"|(?P<header>authorization)|(?P<cookie>cookie)|(?P<auth>auth)|(?P<phrase>mnemonic)|(?P<weak>key))\Z"
)


class Name(msgspec.Struct, frozen=True):
    """A name and the sign after it.

    `group` is what the name promises, `sign` the byte between name and value, `before` a little of what precedes.
    """

    text: bytes
    group: str
    sign: int
    before: bytes
    value_at: int
    is_entry: bool


def pair_signs(raw: bytes) -> Iterator[tuple[int, int]]:
    """Places of words for secrets and of the sign after each."""
    lower = raw.lower()
    for pattern in _SIGNS_SHORT if len(raw) < _SHORT_TEXT else _SIGNS:
        for found in pattern.finditer(lower):
            yield found.start(), found.end() - 1


def name_at(view: bytearray, word: int, sign: int) -> Name | None:
    """The name around `word` whose sign is at `sign`, if it promises a secret."""
    low = max(0, word - _LONGEST_NAME)
    start = low + len(view[low:word].rstrip(_NAME_BYTES))
    found = _NAME.match(view, start)
    if found is None or found.end() > sign:
        return None
    before = bytes(view[max(0, start - 32) : start])
    spoken = _SPOKEN.search(before) if before.endswith(b" ") else None
    words = [w.lower() for w in _NAME_WORDS.findall((spoken[0] if spoken else b"") + found[0])]
    group = _promise(words)
    if group is None or _is_no_pair(before, found[0], view[sign]):
        return None
    return Name(
        text=bytes(found[0]),
        group=group,
        sign=view[sign],
        before=before,
        value_at=sign + 1,
        is_entry=view.find(b"value", found.end(), sign) >= 0,
    )


def _promise(words: list[bytes]) -> str | None:
    while words and (words[-1].isdigit() or words[-1] in _LABELS):
        words.pop()
    if not words:
        return None
    if words[-1] in (b"pass", b"pw"):
        return "password"
    found = _ENDS.search(b"".join(words))
    if found is None:
        return None
    qualifier = words[-2] if len(words) > 1 else b""
    if (words[-1] == b"key" and qualifier in _NO_KEY) or (words[-1] == b"token" and qualifier in _NO_TOKEN):
        return None
    return found.lastgroup


def _is_no_pair(before: bytes, name: bytes, sign: int) -> bool:
    """`passed ? 'pass' : 'fail'`, `${TOKEN:-default}`, `--- PASS: TestSha256`, `Event::Pass => 1`."""
    if name == b"PASS" and sign != 0x3D:
        return True
    return before.endswith(b"::") or (sign == 0x3A and before.rstrip(b" \t\"'`").endswith((b" ?", b"${")))
