"""Owns the words for a password that the byte view cannot show: those of other scripts, and with letters beyond ASCII.

Must not know names in code. The words are looked for in the text itself; from the word on, the view is enough.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from recapd.core import late_re as re
from recapd.core.secrets.names import BREAK, MARGIN
from recapd.core.secrets.values import is_made_up, is_password, is_reference
from recapd.core.secrets.view import FOREIGN, Span

# The first byte of a letter of the words in UTF-8, and the words. Looking for a byte costs next to nothing, so scripts
# that a text does not have are never looked for.
_WORDS: Final = (
    (
        b"\xc3",
        ("contraseña", "Contraseña", "CONTRASEÑA", "lösenord", "Lösenord", "lykilorð", "Lykilorð", "jelszó", "Jelszó"),
    ),
    (b"\xc4", ("parolă", "Parolă")),
    (b"\xc5", ("hasło", "Hasło", "HASŁO", "hasła", "şifre", "Şifre", "şifresi", "Şifresi", "slaptažod")),
    (b"\xe1", ("mật khẩu", "Mật khẩu")),
    (b"\xd0", ("парол", "Парол", "ПАРОЛ", "лозинк", "Лозинк")),  # Russian, Ukrainian, Bulgarian, Serbian, Kazakh
    (b"\xe5", ("密码", "密碼", "密钥", "口令")),
    (b"\xe4", ("令牌",)),
    (b"\xe3", ("パスワード", "パスフレーズ")),
    (b"\xe6", ("暗証番号",)),
    (b"\xeb", ("비밀번호",)),
    (b"\xec", ("암호",)),
    (b"\xed", ("패스워드",)),
    (b"\xd9", ("كلمة المرور", "كلمة مرور", "كلمة السر", "كلمة سر", "الرقم السري")),
    (b"\xda", ("گذرواژه", "کلمه عبور")),  # Persian
    (b"\xd8", ("رمز", "پسورد", "پاس ورڈ")),  # Persian, Urdu
    # Hindi and Marathi, Bengali, Telugu, Tamil, Punjabi, Gujarati, Kannada, Malayalam, Thai.
    (b"\xe0", ("पासवर्ड", "कूटशब्द", "संकेतशब्द", "পাসও\u09dfার্ড", "পাসও\u09af\u09bcার্ড", "సంకేతపదం")),
    (b"\xe0", ("పాస్\u200cవర్డ్", "పాస్వర్డ్", "கடவுச்சொல்", "ਪਾਸਵਰਡ", "પાસવર્ડ", "ಪಾಸ್\u200cವರ್ಡ್", "പാസ്\u200cവേഡ്")),
    (b"\xe0", ("รหัสผ่าน",)),
    (b"\xce", ("κωδικός", "κωδικό", "Κωδικός")),
    (b"\xd7", ("סיסמה", "סיסמא")),
)
WORDS_FOR_PASSWORD: Final = tuple(word for _, words in _WORDS for word in words)
# From the word to its value: endings, a word for "is" or a few more words, a sign; or, further on, a sign. A wide colon
# and typographic quotes are foreign like the letters.
_QUOTE: Final = rb"[ \t]{0,4}(?:" + BREAK + MARGIN + rb")?[\x01\\\"'`]{0,4}\xff?"
_NEAR: Final = re.compile(
    rb"[\"'`*)\]]{0,4}\xff{0,12}+(?: \xff{1,16}+){0,3}+[ \t]{0,4}"
    rb"(?:[:=-]{1,2}|(?:es|to|l\xff|adalah|ialah|er|je|on|ir|ni|jest) )?" + _QUOTE
)
_QUOTES: Final = re.compile(_QUOTE)
_FAR: Final = re.compile(rb"[^\n:=\x00]{1,32}?(?:[:=]| (?:es|je) )" + _QUOTE)
# A wide colon, or "is", stand without a space behind the word.
_SIGN: Final = re.compile(rb"[:=-]| (?:es|er|je|on|ir|ni|adalah|ialah|jest) |\A\xff{1,3}[\"'`]?\Z")
# "Is" in the languages of the words, as far as it stands between them and a value: behind an ending, and up to three
# words that say whose password it is. Where words are not set apart, it hangs on to the word.
_IS: Final = re.compile(
    r"[^\W\d_]{0,8}(?: [^\W\d_]{1,16}){0,3}?"
    r"(?: (?:es|to|jest|är|er|este|e|là|yra|ir|είναι|היא|הוא|זה|это|есть|є|це|је|е|[—–→]|هي|هو|คือ)"
    r"|是|为|為|成|は|が|는|은| ?คือ)[ ]{1,2}"
)
_VALUE: Final = re.compile(rb"[^\s\"'`,;<>(){}\[\]|\x00\x01\\\xff]{6,512}")
# Languages that set words apart with spaces may have their own letters in a password; in the others what is around it
# hangs on to it. The scripts of the others begin here, with Thai.
_FIRST_UNSPACED: Final = "\u0e00"
_SPACED_VALUE: Final = re.compile(rb"[^\s\"'`,;<>(){}\[\]|\x00\x01\\]{6,512}")
# Of letters that are not seen; an ordinal (`8-\u0437\u043d\u0430\u0447\u043d\u044b\u0439`) begins with its number.
_OWN_LETTERS: Final = re.compile(rb"[A-Za-z\xff]++(?=[^0-9]*[0-9])(?:[A-Za-z\xff]*(?:[!@#$%^&*+=~?_.-]|[0-9]{2}))")


class ForeignWord(msgspec.Struct, frozen=True):
    """Where a word for a password ends, or the "is" behind it; `is_spaced`: its language sets words apart."""

    end: int
    is_said: bool
    is_spaced: bool


def foreign_words(text: str) -> Iterator[ForeignWord]:
    encoded = text.encode(errors="replace")
    for first, words in _WORDS:
        if first in encoded:
            for word in words:
                place = text.find(word)
                while place >= 0:
                    end = place + len(word)
                    said = _IS.match(text, end)
                    is_spaced = word[-1] < _FIRST_UNSPACED
                    yield ForeignWord(said.end() if said else end, said is not None, is_spaced)
                    place = text.find(word, end)


def foreign_pair(view: bytearray, end: int, *, is_said: bool, is_spaced: bool) -> Iterator[Span]:
    """The password behind a word for it, or an "is", that ends here."""
    for sign in (_QUOTES.match(view, end),) if is_said else (_NEAR.match(view, end), _FAR.match(view, end)):
        if sign is None:
            continue
        span = _password_at(view, sign.end(), is_spaced=is_spaced)
        # Behind a sign any password is one; in a sentence about passwords only what is no word at all.
        if span and (is_said or _SIGN.search(sign[0]) or is_made_up(bytes(view[span.start : span.end]))):
            yield span
            return


def _password_at(view: bytearray, start: int, *, is_spaced: bool) -> Span | None:
    found = _VALUE.match(view, start)
    value = found[0].rstrip(b".,;:*") if found else b""
    end = start + len(value) if is_password(value, explicit=False) else start
    if is_spaced:
        # What was taken for a quote may be its first letter.
        begin = start - (end == start and view[start - 1 : start] == FOREIGN)
        whole = _SPACED_VALUE.match(view, begin)
        value = whole[0].rstrip(b".,;:*") if whole else b""
        if view[begin - 1 : begin] == FOREIGN:
            # It may be in quotes; elsewhere what it ends with is its own, as nothing hangs on to it.
            value = value.removesuffix(FOREIGN).rstrip(b".,;:*")
        if end > start or has_own_letters(value):
            return Span(begin, max(end, begin + len(value)), "password")
    return Span(start, end, "password") if end > start else None


def has_own_letters(value: bytes) -> bool:
    """Whether it is a password of letters that the view does not show."""
    return FOREIGN in value and not is_reference(value) and _OWN_LETTERS.match(value) is not None
