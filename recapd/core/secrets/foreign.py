"""Owns the words for a password that the byte view cannot show: those of other scripts, and with letters beyond ASCII.

Must not know names in code. The words are looked for in the text itself; from the word on, the view is enough.
"""

from collections.abc import Iterator
from typing import Final

from recapd.core import late_re as re
from recapd.core.secrets.names import BREAK, MARGIN
from recapd.core.secrets.values import is_password, looks_random
from recapd.core.secrets.view import Span

# The first byte of a letter of the words in UTF-8, and the words. Looking for a byte costs next to nothing, so scripts
# that a text does not have are never looked for.
_WORDS: Final = (
    (b"\xc3", ("contraseña", "Contraseña", "CONTRASEÑA", "lösenord", "Lösenord", "jelszó", "Jelszó")),
    (b"\xc4", ("parolă", "Parolă")),
    (b"\xc5", ("hasło", "Hasło", "HASŁO", "hasła", "şifre", "Şifre", "şifresi", "Şifresi")),  # Polish, Turkish
    (b"\xe1", ("mật khẩu", "Mật khẩu")),
    (b"\xd0", ("парол", "Парол", "ПАРОЛ")),  # Russian, Ukrainian, Bulgarian, Serbian, Kazakh
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
    (b"\xce", ("κωδικός", "κωδικό")),
    (b"\xd7", ("סיסמה", "סיסמא")),
)
WORDS_FOR_PASSWORD: Final = tuple(word for _, words in _WORDS for word in words)
# From the word to its value: endings, a word for "is" or a few more words, a sign; or, further on, a sign. A wide colon
# and typographic quotes are foreign like the letters.
_QUOTE: Final = rb"[ \t]{0,4}(?:" + BREAK + MARGIN + rb")?[\x01\\\"'`]{0,4}\xff?"
_NEAR: Final = re.compile(
    rb"[\"'`*)\]]{0,4}\xff{0,12}+(?: \xff{1,16}+){0,3}+[ \t]{0,4}(?:[:=-]{1,2}|(?:es|to|l\xff|adalah) )?" + _QUOTE
)
_FAR: Final = re.compile(rb"[^\n:=\x00]{1,32}?(?:[:=]| es )" + _QUOTE)
# A wide colon, or "is", stand without a space behind the word.
_SIGN: Final = re.compile(rb"[:=-]| es |\A\xff{1,3}[\"'`]?\Z")
_VALUE: Final = re.compile(rb"[^\s\"'`,;<>(){}\[\]|\x00\x01\\\xff]{6,512}")


def foreign_words(text: str) -> Iterator[int]:
    """Where words for a password end."""
    encoded = text.encode(errors="replace")
    for first, words in _WORDS:
        if first in encoded:
            for word in words:
                place = text.find(word)
                while place >= 0:
                    yield place + len(word)
                    place = text.find(word, place + len(word))


def foreign_pair(view: bytearray, end: int) -> Iterator[Span]:
    """The password behind a word for it that ends here."""
    for sign in (_NEAR.match(view, end), _FAR.match(view, end)):
        found = _VALUE.match(view, sign.end()) if sign else None
        if sign is None or found is None:
            continue
        value = found[0].rstrip(b".,;:*")
        # Behind a sign any password is one; at the end of a sentence about passwords only what is no word at all.
        if is_password(value, explicit=False) and (_SIGN.search(sign[0]) or looks_random(value)):
            yield Span(found.start(), found.start() + len(value), "password")
            return
