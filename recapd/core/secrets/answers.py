"""Owns secrets that only the question before them gives away: "What is the password?" "hunter".

Must not know who asked, nor where the words stand.
"""

from collections.abc import Iterator
from typing import Final

from recapd.core import late_re as re
from recapd.core.secrets.foreign import WORDS_FOR_PASSWORD, has_own_letters
from recapd.core.secrets.phrases import app_password, is_passphrase
from recapd.core.secrets.values import (
    is_algorithm,
    is_left_open,
    is_made_up,
    is_password,
    is_reference,
    looks_random,
)
from recapd.core.secrets.view import FOREIGN, view_of

# Behind a word for a secret, and before one: what is asked for is something of it.
_NO_LABEL: Final = (
    r"(?! (?:lengths?|polic(?:y|ies)|fields?|rules?|hash(?:es|ing)?|managers?|formats?|strength|columns?|limits?|names?"
    r"|counts?)\b| (?:stored|kept|saved)(?: as\b|[?.]|\Z))"
)
_NO_NAME: Final = r"(?<!name of the )(?<!names of the )(?<!length of the )"
_CREDENTIAL: Final = re.compile(
    _NO_NAME
    + r"(?:pass(?:words?|wd|phrases?|codes?|wort|ord)|\btokens?|\bsecrets?)\b"
    + _NO_LABEL
    + r"|\bpwd?\b|\bPIN\b|\bOTP\b"
    r"|\b(?:2fa|mfa|verification|recovery|backup)[ -]codes?"
    r"|\b(?:PAT|credentials?|creds|mnemonic)\b|\b(?:seed|recovery)[ -](?:phrase|words)"
    r"|\b(?:api|access|private|license|auth|client|service|encryption|signing|account|ssh|bearer|\w+'s)[ _-]?keys?\b"
    r"|\b(?:kennwort|wachtwoord|senha|contrasena|mot de passe|parol[ae]|kata sandi|kata laluan|mat khau"
    r"|salasana|adgangskoden?|heslo|geslo|lozink[aeu]|parool|passordet)\b|"
    + "|".join(map(re.escape, WORDS_FOR_PASSWORD)),
    re.IGNORECASE,
)
# Something of each of them, in small letters. It is looked for first, and takes a hundredth of the time: most that an
# agent says asks for no secret.
_SIGNS: Final = (
    *"passw passp passc passo pw otp 2fa mfa verification recovery backup token secret cred mnemonic seed".split(),
    *(
        "mot de passe",
        "kennwort",
        "wachtwoord",
        "senha",
        "contrasena",
        "parol",
        "kata sandi",
        "kata laluan",
        "mat khau",
    ),
    *("salasana", "adgangskode", "eslo", "lozink", "parool"),
)
# Parts of many other words, each with the form in which it is none.
_SHORT_SIGNS: Final = (("pin", re.compile(r"pin\b")), ("pat", re.compile(r"pat\b")), ("key", re.compile(r"keys?\b")))
_FOREIGN_SIGNS: Final = re.compile("|".join(sorted({re.escape(word.casefold()) for word in WORDS_FOR_PASSWORD})))
# How a letter of each of them begins in UTF-8: dashes, arrows and ticks begin otherwise.
_FOREIGN_BYTES: Final = frozenset(
    min(byte for byte in word.casefold().encode() if byte >= 0xC2) for word in WORDS_FOR_PASSWORD
)
_HAND_OVER: Final = re.compile(
    r"\b(?:provide|enter|paste|share|send|give|type|supply|input|tell|reply|respond)\b"
    r"|\bwhat(?:'s|’s| is| are) (?:the|your|its|their|it|that|they)\b"
    r"|\b(?:what|which) (?:pass(?:word|phrase|code)|pin)\b"
    # German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian, Ukrainian, Turkish.
    r"|\b(?:gib|geben|nenn\w{0,2}|sag|schick\w{0,2}|donne[rz]?|envoie|envoyez|indique[rz]?|saisi(?:r|s|ssez)|dime|dame"
    r"|indica|env[ií]a(?:me)?|proporciona|introduce|diga|envie|informe|forne[çc]a|digite|dammi|dimmi|inserisci|fornisci"
    r"|geef|stuur|voer|podaj|wy[śs]lij|введи(?:те)?|дай(?:те)?|пришли(?:те)?|укажи(?:те)?|скажи(?:те)?|надішли|girin|yaz[ıi]n)\b"
    r"|告诉|告訴|提供|输入|輸入|发给|发一下|教えて|入力して|알려|입력|제공",
    re.IGNORECASE,
)
# Names again what the sentence before named.
_PRONOUN: Final = re.compile(r"\b(?:it|that|one|them|they)\b", re.IGNORECASE)
_NEED: Final = re.compile(r"\b(?:need|require|missing|waiting for|have)\b", re.IGNORECASE)
_REFUSAL: Final = re.compile(
    r"\b(?:don['’]?t|do not|never|without|avoid|shouldn['’]?t|not share|no need)\b", re.IGNORECASE
)
_SENTENCE: Final = re.compile(r"[^.!?。？！\n]+(?:\.(?=\w)[^.!?。？！\n]*)*[.!?。？！:：]*")
_BETWEEN_SENTENCES: Final = ".!?。？！\n"
_PHRASE: Final = re.compile(r"phrase|mnemonic|\bseed\b", re.IGNORECASE)
# A longer answer is no value, though there may be one in it; more than that is a message of its own.
_FEW_WORDS: Final = 6
_MOST_WORDS: Final = 40
_MOST_CHARS: Final = 4_000
_LONG_CHARS: Final = 16
# So many groups make up an app password.
_GROUPS: Final = (4, 6)
_DIGIT: Final = re.compile("[0-9]")
_QUOTES: Final = "\"'`“”‘’«»‹›()[]{}<>,;"
_LETTERS: Final = re.compile(rb"[A-Za-z\xff]+\Z")
_PLACE: Final = re.compile(
    rb"[a-z]{2,12}://|[~.]{0,2}/|[A-Za-z]:\\|[\w.+-]+@[\w-]+\."
    rb"|(?:[\w.-]+/)*[\w-]+(?:\.[\w-]+)*\.[a-z]{1,5}\Z|v?[0-9]+(?:\.[0-9]+)+(?:[:/][0-9]{1,5})?\Z"
    rb"|(?:[0-9a-f]{0,4}:){2,8}[0-9a-f]{0,4}(?:/[0-9]{1,3})?\Z"
)
_VARIABLE: Final = re.compile(rb"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\Z")
_MEASURE: Final = re.compile(rb"[0-9]+[a-zA-Z]{1,3}\Z|[0-9]{4}-[0-9]{2}-[0-9]{2}")
# What is said instead of giving one.
_NO_VALUE: Final = frozenset(
    b"done added updated ready continue proceed cancel cancelled skip skipped later none nothing unknown whatever"
    b" already exported changed rotated revoked removed created saved generated configured finished waiting forget"
    b" ignore abort aborted local localhost default empty blank same previous existing above below yourself please"
    b" thanks thank sorry hello again maybe perhaps nevermind correct right exactly sure okay great perfect never"
    b" always neither either environment keychain clipboard github gitlab google stripe openai anthropic production"
    b" staging development".split()
)


def credentials_in(answer: str, *, asked: str) -> tuple[str, ...]:
    """The parts of an answer that are a secret because of what was asked for; none where nothing was."""
    if len(answer) >= _MOST_CHARS or not asked:
        return ()
    words = answer.split(None, _MOST_WORDS)
    if not words or len(words) > _MOST_WORDS or words[-1].endswith(("?", "？")):
        return ()
    whole = answer.strip().strip(_QUOTES)
    is_in_groups = len(words) in _GROUPS and _is_in_groups(whole)
    is_phrase = len(words) > 2 and _is_phrase(whole) and _may_name_phrase(asked)
    # An answer is shorter than what was asked: most have nothing in them that could be a secret.
    if not (is_in_groups or is_phrase or any(_values(words, is_direct=True))):
        return ()
    asking = _requests(asked[-_MOST_CHARS:])
    if not asking:
        return ()
    is_direct = any(_is_direct(sentence, asked) for sentence in asking)
    if is_direct and (is_in_groups or (is_phrase and any(map(_PHRASE.search, asking)))):
        return (whole,)
    return tuple(dict.fromkeys(_values(words, is_direct=is_direct)))


def is_recognizable(secret: str) -> bool:
    """Whether the secret is itself wherever it stands, and not a word or a number that may mean something else."""
    value = secret.encode("ascii", "replace")
    return len(value) >= 6 and (is_password(value, explicit=False) or b" " in value)


def _requests(asked: str) -> list[str]:
    """The sentences that ask for a credential; with the one before where it takes both: `The server wants a password.
    What is it?`"""
    if not _may_name_credential(asked):
        return []
    found: list[str] = []
    before = ""
    for sentence in _SENTENCE.findall(asked):
        question = ""
        if _names_credential(sentence):
            question = sentence
        elif (
            _may_name_credential(before + sentence)
            and _HAND_OVER.search(sentence)
            and _PRONOUN.search(sentence)
            and _CREDENTIAL.search(before + sentence)
        ):
            question = before + sentence
        if question and _asks(question):
            found.append(question)
        before = sentence
    return found


def _names_credential(sentence: str) -> bool:
    return _may_name_credential(sentence) and _CREDENTIAL.search(sentence) is not None


def _may_name_credential(text: str) -> bool:
    """False is certain, also of words that are broken at the end of a line."""
    folded = _folded(text)
    if not text.isascii():
        encoded = folded.encode("utf-8", "replace")
        if any(map(encoded.__contains__, _FOREIGN_BYTES)) and _FOREIGN_SIGNS.search(folded.replace("\n", "")):
            return True
        # With a byte for each character all others are found in half the time.
        folded = folded.encode("ascii", "replace").decode()
    flat = folded.replace("\n", "")
    return any(map(flat.__contains__, _SIGNS)) or any(
        form.search(folded) or form.search(flat) for sign, form in _SHORT_SIGNS if sign in flat
    )


def _may_name_phrase(text: str) -> bool:
    """False is certain, also of words that two sentences make up together."""
    flat = _folded(text)
    for sign in _BETWEEN_SENTENCES:
        if sign in flat:
            flat = flat.replace(sign, "")
    return "phrase" in flat or "mnemonic" in flat or "seed" in flat


def _folded(text: str) -> str:
    # Dotted and dotless letters are the same to a pattern, and not to `casefold`.
    return text.lower() if text.isascii() else text.replace("ı", "i").replace("İ", "i").casefold()


def _asks(sentence: str) -> bool:
    """Whether a sentence that names a credential wants to be told it."""
    if _REFUSAL.search(sentence):
        return False
    ends = sentence.rstrip(" *_`")[-1:]
    return ends in "?？:：" or bool(_HAND_OVER.search(sentence) or _NEED.search(sentence))


def _is_direct(sentence: str, asked: str) -> bool:
    """Whether a bare word may be the answer: it is asked for in so many words, or a colon waits for it."""
    is_last = asked.rstrip(" *_`\n").endswith(sentence.rstrip(" *_`"))
    waits = is_last and sentence.rstrip(" *_`").endswith((":", "："))
    return waits or bool(_HAND_OVER.search(sentence)) or (not sentence.isascii() and is_last)


def _is_in_groups(text: str) -> bool:
    found = app_password(bytearray(text.encode("ascii", "replace")), 0)
    return found is not None and found.end == len(text)


def _is_phrase(text: str) -> bool:
    words = text.split()
    return is_passphrase(text.encode("ascii", "replace"), is_named=True) or (
        len(words) >= 12 and all(word.strip(".,").isalnum() for word in words)
    )


def _values(words: list[str], *, is_direct: bool) -> Iterator[str]:
    for word in words:
        # Of several words only one with a digit, or a long one, is a value.
        if len(words) > 1 and len(word) < _LONG_CHARS and (word.isalpha() or not _DIGIT.search(word)):
            continue
        bare = word.strip(_QUOTES)
        if len(words) > 1:
            bare = bare.rstrip(".:")
        value = view_of(bare)
        if len(value) < 4 or _PLACE.match(value) or _VARIABLE.match(value) or _MEASURE.match(value):
            continue
        # Letters that the view does not show are all the same to it.
        is_open = FOREIGN not in value and is_left_open(value)
        if is_reference(value) or is_open or is_algorithm(value) or value.lower().rstrip(b"!.") in _NO_VALUE:
            continue
        if (
            is_made_up(value)
            or (len(value) >= _LONG_CHARS and looks_random(value))
            or (len(words) <= _FEW_WORDS and (is_password(value, explicit=False) or has_own_letters(value)))
        ) or (len(words) == 1 and is_direct and _may_be_whole_answer(value)):
            yield bare


def _may_be_whole_answer(value: bytes) -> bool:
    """A word, or a number: whoever hands over something else says more than that."""
    if len(value) < 6 and not value.isdigit():
        return False
    return not _LETTERS.match(value) or is_password(value, explicit=True)
