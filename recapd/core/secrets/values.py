"""Owns the question whether a string that stands where a secret would stand is one.

Must not know where the string was found. Everything is over one short, already delimited value.
"""

from typing import Final

from recapd.core import late_re as re

# What people write where a secret will go. In small letters, as the next: where case is ignored, each alternative is
# tried at each letter, which takes four times as long.
_PLACEHOLDER: Final = re.compile(
    rb"xxx|your|example|sample|placeholder|change_?-?me|replace|redact|dummy|todo|insert|here\b|hidden|masked|removed"
    rb"|omitted|undefined|required|optional|invalid|missing|\.\.\.|\*\*\*"
)
# What they call it in tests and defaults: no key has it in its name, but people's passwords do, with a digit behind.
_STAND_IN: Final = re.compile(rb"secret|token|passw|api_?-?key|test|fake|mock|default")
# References to a value kept elsewhere, and syntax that no value starts with.
_REFERENCE: Final = re.compile(
    rb"[$%<{\[(#*&|]|\\|!(?:!|[A-Z][a-z]+$)|[@~./]{1,3}/|(?:/[\w.-]+){2}|@[\w./]+$"
    rb"|(?:process|os|self|this|env|config|settings|secrets|vault|op|ssm|arn|ref|file|data|https?|node|import|await)"
    rb"(?:\.|:|\b)",
)
_INTERPOLATION: Final = re.compile(rb"\$\{|\$\(|\{\{|\}\}|<%|%\(|\{\w*\}|#\{|\\\(")
_CONSTANT: Final = frozenset(
    b"none null nil true false undefined void empty unset yes no on off str string text bytes int integer number"
    b" boolean bool object any unknown never optional required hidden visible password passwd passphrase secret token"
    b" apikey key credentials basic bearer oauth oauth2 digest jwt saml ldap kerberos plain prompt stdin ask keychain"
    b" keyring username user admin email login current new old invalid valid expired missing present disabled enabled"
    b" encrypted hashed varchar char field input label value default auto generated".split()
)
_PIECES: Final = re.compile(rb"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
# In one stretch from letters to digits and back, twice: `utf8` and `02T03` do it once.
_ALTERNATING: Final = re.compile(rb"[A-Za-z][0-9]++[A-Za-z]++[0-9]|[0-9][A-Za-z]++[0-9]++[A-Za-z]")
# What passwords are kept by, and other names that have a number.
_ALGORITHM: Final = re.compile(
    rb"(?:sha|md|ripemd|blake|hmac|p?bkdf|argon|bcrypt|scrypt|base|utf|aes|des|rsa|ed|curve|oauth|http|tls|ssl|python|n?varchar|u?int)"
    rb"[-_]?[0-9]{1,5}[a-z]{0,4}(?:[-_][a-z0-9]{1,6}){0,2}\Z",
    re.IGNORECASE,
)
_LETTER: Final = re.compile(rb"[A-Za-z]")
_DIGIT: Final = re.compile(rb"[0-9]")
_UUID: Final = re.compile(rb"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
_BASE64: Final = re.compile(rb"[A-Za-z0-9+/]+={0,2}\Z")
_HEX: Final = re.compile(rb"[0-9a-fA-F]+\Z")
# Words, possibly joined: an identifier, a message key, a slug, a label.
_WORDS: Final = re.compile(rb"[A-Za-z\xff]++(?:[ _./:-]++[A-Za-z\xff]++)*+[.:!]*\Z")
_NUMBERED_WORDS: Final = re.compile(rb"[A-Za-z\xff]++(?:[ _./:-]++[A-Za-z\xff]++)*+[_./:-]?[0-9]{0,4}\Z")
_FOUR_WORDS: Final = re.compile(rb"[A-Za-z]+(?:-[A-Za-z]+){3,}\Z")
# `supersecret` is a password; `clientSecret` and `secret_name` are names.
_SECRET_WORD: Final = re.compile(rb"(?!client|api|user)[a-z]{2,}secret[a-z]*\Z")
_TITLE: Final = re.compile(rb"[A-Z\xff][a-z\xff]+\Z")
_NUMBERED_NAME: Final = re.compile(rb"[a-zA-Z_]*?(?:pass(?:w(?:or)?d)?|pwd|pw|token|key|secret)_?[0-9]{0,2}\Z", re.I)
_CODE: Final = re.compile(rb"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+\Z")

# Random base62 changes between upper, lower and digit every 1.6 characters, base36 every 2.5; identifiers and
# words in a row every 4 or more.
_RANDOM_PIECE: Final = 3.0
_RANDOM_LETTERS_PIECE: Final = 2.2
_MARK: Final = re.compile(rb"[!@#$%^&*+=~?]")
# No word is this long, and a name this long has capitals or joints.
_LONG_WORD: Final = re.compile(rb"(?:[a-z]{20,}|[A-Z]{20,})\Z")


def looks_random(value: bytes, *, least: int = 8) -> bool:
    """Letters and digits in no order a person would choose; never true of words, numbers, dates or identifiers."""
    pieces = _PIECES.findall(value)
    size = sum(map(len, pieces))
    if size < least:
        return False
    letters = sum(len(piece) for piece in pieces if not piece.isdigit())
    if letters == size:
        return size / len(pieces) < _RANDOM_LETTERS_PIECE
    if letters < 3:
        return False
    return size / len(pieces) < _RANDOM_PIECE or _ALTERNATING.search(value) is not None


def is_made_up(value: bytes) -> bool:
    """What nobody writes in a sentence: random, or letters, digits and a mark in one word. For where nothing but a
    word for passwords nearby speaks for it."""
    if len(value) < 8 or not (_DIGIT.search(value) and _LETTER.search(value)):
        return False
    if is_reference(value) or is_left_open(value):
        return False
    return looks_random(value) or _MARK.search(value) is not None


def is_reference(value: bytes) -> bool:
    """A variable, a template, a path, an expression: the name of a secret rather than the secret."""
    if _INTERPOLATION.search(value):
        return True
    if _REFERENCE.match(value):
        return not _is_encoded(value)
    return (_CODE.match(value) is not None or value.startswith(b"/")) and not looks_random(value)


def is_filled_in(value: bytes) -> bool:
    """A variable or a template: what a command line has where it does not have the value itself."""
    return value.startswith((b"$", b"%", b"<", b"{", b"[")) or _INTERPOLATION.search(value) is not None


def _is_encoded(value: bytes) -> bool:
    """Base64 may start like a path; no path changes case and kind that often."""
    if len(value) < 24 or not _BASE64.match(value):
        return False
    pieces = _PIECES.findall(value)
    return bool(pieces) and len(value) / len(pieces) < _RANDOM_LETTERS_PIECE


def is_left_open(value: bytes) -> bool:
    """What is written where a secret has yet to go, or was."""
    if len(set(value)) <= 2:
        return True
    return _PLACEHOLDER.search(value.lower()) is not None and not looks_random(value, least=12)


def is_placeholder(value: bytes) -> bool:
    if _is_constant(value) or is_left_open(value):
        return True
    return _STAND_IN.search(value.lower()) is not None and not looks_random(value, least=12)


def _is_constant(value: bytes) -> bool:
    return value.lower() in _CONSTANT


def is_algorithm(value: bytes) -> bool:
    """`argon2id`, `sha256`: what a password is kept by."""
    return _ALGORITHM.match(value) is not None


def is_identifier_of_thing(value: bytes) -> bool:
    """UUIDs and digests name things far more often than they open them."""
    return bool(_UUID.match(value) or (_HEX.match(value) and len(value) in {7, 8, 12, 32, 40, 64, 128}))


def is_password(value: bytes, *, explicit: bool) -> bool:
    """`explicit`: quoted or assigned as shells do, so that even one plain word is a value and not code."""
    if len(value) < 4 or _is_constant(value) or is_reference(value) or is_left_open(value):
        return False
    if _WORDS.match(value):
        return explicit and _is_word_password(value)
    has_digit = _DIGIT.search(value) is not None
    has_letter = _LETTER.search(value) is not None
    if explicit:
        return has_letter or len(value) >= 6
    return has_digit and has_letter and len(value) >= 6 and not (_NUMBERED_NAME.match(value) or is_algorithm(value))


def _is_word_password(value: bytes) -> bool:
    """One made-up word or four joined ones; not a label, a message key or the name of a field."""
    if _TITLE.match(value) or (_STAND_IN.search(value.lower()) and not _SECRET_WORD.match(value)):
        return False
    return value.isalpha() or _FOUR_WORDS.match(value) is not None


def is_key(value: bytes, *, explicit: bool) -> bool:
    """A token or key that a machine made; `explicit` also admits one a person made up."""
    if len(value) < 8:
        return False
    is_random = looks_random(value, least=8 if explicit else 12) or _LONG_WORD.match(value) is not None
    if not is_random and (not explicit or len(value) < 10 or _NUMBERED_WORDS.match(value)):
        return False
    if is_reference(value) or is_placeholder(value):
        return False
    return is_random or (_LETTER.search(value) is not None and _DIGIT.search(value) is not None)
