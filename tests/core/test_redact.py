"""Secrets do not survive, in whatever form text carries them; what is around them does."""

import json
import random
import string
from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recapd.core import secrets as module
from recapd.core.secrets import MASK, redact, redact_lines, redactions, suspects
from tests.support.secrets import (
    ALNUM,
    BASE64,
    HEX,
    ROWS,
    URLSAFE,
    Make,
    PlantedSecret,
    app_password,
    base32,
    basic,
    jwt,
    key_body,
    of,
    passphrase,
    password,
    secrets,
    seed_phrase,
    word_password,
    wrapped,
)

SEEDS: Final = range(5)
# Any stretch of a secret this long is a leak, also when only a part of it is left.
LEAK: Final = 12


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


FORMS: Final[dict[str, Callable[[PlantedSecret], str]]] = {
    "alone": lambda planted: planted.text,
    "json-escaped": lambda planted: as_json(planted.text)[1:-1],
    "json-escaped-twice": lambda planted: as_json(as_json(planted.text))[1:-1],
    "in-json": lambda planted: as_json({"type": "tool_result", "content": planted.text, "isError": False}),
    "in-prose": lambda planted: f"I tried this before lunch: {planted.text} and then it worked, so I kept it.",
    "in-parentheses": lambda planted: f"first (before: {planted.text}) and after",
    "in-shell-command": lambda planted: f"cd /srv/app && run '{planted.text}' | tee out.log",
    "on-its-own-line": lambda planted: f"first line\n{planted.text}\nlast line",
    "windows-lines": lambda planted: f"first line\r\n{planted.text}\r\nlast line".replace("\n", "\r\n"),
    "numbered-lines": lambda planted: "\n".join(
        f"{number:6}→{line}" for number, line in enumerate(planted.text.split("\n"), 1)
    ),
    "diff": lambda planted: "\n".join("+" + line for line in planted.text.split("\n")),
    "between-letters-of-other-scripts": lambda planted: f"ключ «{planted.text}» 你好",
    "cut-after-200": lambda planted: planted.text[: planted.text.index(planted.secret) + 200],
}


def leaks(text: str, secret: str) -> bool:
    size = min(LEAK, len(secret))
    return any(secret[start : start + size] in text for start in range(len(secret) - size + 1))


@pytest.mark.parametrize("form", FORMS)
def test_no_planted_secret_survives(form: str) -> None:
    planted = [secret for seed in SEEDS for secret in secrets(seed)]
    assert [secret for secret in planted if leaks(redact(FORMS[form](secret)), secret.secret)] == []


def test_the_table_is_wide_enough() -> None:
    assert len({row.kind for row in ROWS}) >= 80
    assert len({span.kind for planted in secrets(0) for span in redactions(planted.text)}) >= 60


def test_secrets_are_made_up_anew_for_each_seed() -> None:
    assert secrets(1) == secrets(1)
    assert not {planted.secret for planted in secrets(1)} & {planted.secret for planted in secrets(2)}


def word_only(rng: random.Random) -> str:
    """A password that only its place gives away."""
    return "".join(rng.choices("bdfgklmnprtvz", k=8))


def name_like(rng: random.Random) -> str:
    """In code it would be an attribute; an argument is what it is."""
    return f"Kelp.{word_only(rng)}{rng.randint(1, 99)}"


def numbered_seed(rng: random.Random) -> str:
    return "\n".join(f"{number}. {word}" for number, word in enumerate(seed_phrase(rng).split(), 1))


# The secret stands where the braces are; nothing else may change.
SHAPES: Final[tuple[tuple[str, Make], ...]] = (
    ("API_KEY={}", of(ALNUM, 20)),
    ("API_KEY={}\nDEBUG=1", of(ALNUM, 20)),
    ("postgres://user:{}@host/db", word_password),
    ("https://{}@o1.ingest.sentry.io/2", of(HEX, 32)),
    ("-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----", key_body),
    ("Authorization: Bearer {}", of(URLSAFE, 30)),
    ('curl -H "Authorization: Basic {}" https://example.org', basic),
    ('{"password": "{}", "user": "me"}', password),
    ('{\\"password\\": \\"{}\\", \\"user\\": \\"me\\"}', password),
    ("password: {} # change it", password),
    ("const token = '{}';", of(ALNUM, 24)),
    ('token := "{}"', of(ALNUM, 24)),
    ("--password={} --verbose", password),
    ("curl -u me:{} https://example.org", password),
    ("mysql -uroot -p{} app", password),
    ("Set-Cookie: sid={}; Path=/; HttpOnly", of(ALNUM, 32)),
    ("<password>{}</password>", password),
    ("?user=me&access_token={}&page=2", of(ALNUM, 24)),
    ("Server=db;Password={};Encrypt=true", password),
    ("AccountKey={};EndpointSuffix=example.net", of(BASE64, 86, suffix="==")),
    ("the password is {}, keep it", of(ALNUM, 14)),
    ("**Password:** `{}`", password),
    ("token {} was used", of(ALNUM, 36, prefix="gh" + "p_")),
    ("\\t{}\\n", of(ALNUM, 36, prefix="gh" + "p_")),
    ("?next=%2Fa%3Dx%26t%3D{}", of(ALNUM, 36, prefix="gh" + "p_")),
    ("https://example.org/files/{}/raw", of(ALNUM, 36, prefix="gh" + "p_")),
    ("C:\\keys\\{}", of(ALNUM, 36, prefix="gh" + "p_")),
    ("https://example.org/mail.v3/{}", of(URLSAFE, 60, prefix="S" + "G.")),
    ("deploy --token {} --yes", of(ALNUM, 900)),
    ("postgres://app:{}@db/app", lambda rng: "super" + "secret"),
    ('os.environ["API_KEY"] = "{}"', of(ALNUM, 24)),
    ("password: str = '{}'", password),
    ("Passwort: {}", of(ALNUM, 12)),
    ("pw={}", of(ALNUM, 10)),
    ("DB_PW={}\nDB_USER=app", word_only),
    ("ALTER ROLE app WITH LOGIN PASSWORD '{}';", word_only),
    ("create user app identified by '{}';", word_only),
    ("SET PASSWORD FOR app = PASSWORD('{}');", word_only),
    ("ENV DB_PASSWORD {}\nRUN make", word_only),
    ("setenv DB_PASSWORD {}", word_only),
    ("Password:\n{}\n\nUser:\nme", password),
    ("password:\n    {}\nhost: db", password),
    ("API key:\n\n    {}\n\nKeep it.", of(ALNUM, 24)),
    ("**Token**\n`{}`\nExpires soon.", of(ALNUM, 24)),
    ("| user | password | role |\n|---|:--:|---|\n| a | {} | admin |\n\nNothing else.", password),
    ("user | password\n-----+---------\n a   | {}\n b   | \n", password),
    ("| Password | {} | changed today |", password),
    ("+----+--------+\n| id | passwd |\n+----+--------+\n|  1 | {} |\n+----+--------+", password),
    ("USER       PASSWORD        SHELL\nalice      {} /bin/zsh\n", password),
    ("HOST      USER    PASSWORD\ndb1       app     {}\n", password),
    ("chpasswd <<< 'root:{}'", name_like),
    ("htpasswd -bc .htpasswd me {}", name_like),
    ("usermod --password '{}' deploy", name_like),
    ("gpg --batch --passphrase '{}' -c a", lambda rng: passphrase(rng) + " 44"),
    ("CREATE LOGIN web WITH PASSWORD = N'{}';", word_only),
    ("Log in as admin and use {} as the password.", password),
    ("log in with `{}` as my new password for now", password),
    ("my wallet seed: {}", seed_phrase),
    ("Seed: {}", seed_phrase),
    ("Passphrase for the key: {}", passphrase),
    ("gpg passphrase: {}\nnext", lambda rng: passphrase(rng) + " at noon"),
    ("set the password to {}.", password),
    ("The password was changed to '{}' today", word_only),
    ("the password for bob@example.org: {}", password),
    ("password of the admin user is {}, ok?", of(ALNUM, 14)),
    ("please use password {} there", of(ALNUM, 14)),
    ("SSHPASS={} sshpass -e ssh me@192.0.2.1", word_only),
    ("keytool -list -storepass {} -v", word_only),
    ("openssl rsa -passin pass:{} -in key.pem", word_only),
    ("printf 'me:{}\\n' | chpasswd", word_only),
    ("chpasswd <<EOF\nroot:{}\nEOF\n", word_only),
    ("htpasswd -nbB me {}", word_only),
    ("wpa_passphrase home {}", word_only),
    ('psk="{}"', word_only),
    ("seed phrase:\n\n{}\n\nWrite it down.", numbered_seed),
    ("my secret recovery phrase is {}. Keep it.", seed_phrase),
    ("passphrase: {} and then it asked again", passphrase),
    ("Application password: {}", app_password),
    ("me@example.org:{}", of(ALNUM, 16)),
    ("GITHUB_PAT={} make", of(ALNUM, 40)),
    ("the PAT is {}", base32),
    ("a very long line before it, so that the terminal had to break it: GITHUB_TOKEN={}\nnext", wrapped),
    ("tokens/{}/use", of(ALNUM, 36, prefix="gh" + "p_")),
    ("see /Accounts/{}/Calls", of(HEX, 32, prefix="A" + "C")),
    ("files/{}", jwt),
    ("https://example.org/v1/token/{}", of(ALNUM, 32)),
    ("API_TOKEN={} next", of(ALNUM, 9_000)),
    ('"token": "{}"', of(ALNUM, 9_000)),
    ("Authorization: Bearer {}", of(URLSAFE, 9_000)),
    ("password: {}", of(URLSAFE, 9_000)),
)


# Words for a password in the languages most people speak, with a sign and in a sentence.
LANGUAGES: Final = """
密码：{}
密码是{}
資料庫密碼: {}
contraseña: {}
la contraseña de la base es {}
CONTRASENA={}
पासवर्ड: {}
पासवर्ड {} है
كلمة المرور: {}
كلمة السر هي {}
senha: {}
a senha é {}
DB_SENHA={}
পাসওয়ার্ড: {}
пароль: {}
Пароль от сервера — {}
パスワード：{}
パスワードは{}です
Passwort: {}
das Passwort lautet {}
Kennwort: {}
mot de passe : {}
le mot de passe est {}
비밀번호: {}
비밀번호는 {} 입니다
şifre: {}
parola: {}
mật khẩu: {}
mật khẩu là {}
la password è {}
hasło: {}
hasło to {}
wachtwoord: {}
het wachtwoord is {}
kata sandi: {}
kata sandinya adalah {}
รหัสผ่าน: {}
รหัสผ่านคือ {}
رمز عبور: {}
گذرواژه {} است
κωδικός: {}
पासवर्ड: {}
संकेतशब्द: {}
పాస్‌వర్డ్: {}
సంకేతపదం: {}
கடவுச்சொல்: {}
ਪਾਸਵਰਡ: {}
પાસવર્ડ: {}
ಪಾಸ್‌ವರ್ಡ್: {}
പാസ്‌വേഡ്: {}
kalmar sirri: {}
nenosiri: {}
mon mot de passe c'est {}
lösenord: {}
jelszó: {}
parolă: {}
סיסמה: {}
הסיסמה היא {}
ο κωδικός είναι {}
Κωδικός: {}
密码是 {}
把密码改成 {}
パスワードは {} です
비밀번호는 {}입니다
пароль {}
пароль — {}
лозинка: {}
a senha do banco é {}
parola d'ordine: {}
palabra clave: {}
lösenordet är {}
adgangskode: {}
adgangskoden er {}
passordet til databasen er {}
salasana: {}
salasana on {}
salasanani on {}
heslo je {}
geslo: {}
lozinka: {}
parool on {}
parola este {}
parole ir {}
slaptažodis: {}
kata laluan: {}
kata laluan ialah {}
ang password ay {}
""".strip("\n").split("\n")


# Passwords of letters that are not English.
OWN_LETTERS: Final = """
пароль: Калина!2033
пароль от базы: Черника_42
ο κωδικός είναι Θάλασσα_9
lösenord: Blåbär_512
lösenordet är Blåbär_512
contraseña: Peña_2049
jelszó: Körte#2040
adgangskode: Rødgrød#7
heslo je Borůvka!55
şifre: Çilek.2041
пароль: Ключ_77Замок
heslo: Bor_55ů
""".strip("\n").split("\n")


@pytest.mark.parametrize("text", [*OWN_LETTERS, "heslo: Abc_12", "salasana: Abc_12"])
def test_a_password_may_be_of_any_letters(text: str) -> None:
    password = text.rpartition(" ")[2]
    # What is taken for a quote before it may be its first letter.
    assert redact(text).removesuffix("[REDACTED]") in (text.removesuffix(password), text.removesuffix(password[1:]))


@pytest.mark.parametrize("shape", LANGUAGES)
def test_the_word_for_a_password_is_known_in_many_languages(shape: str) -> None:
    for seed in SEEDS:
        text = shape.replace("{}", of(ALNUM, 14)(random.Random(seed)))
        assert redact(text) == shape.replace("{}", MASK)
        # Short texts are looked through otherwise than long ones.
        for around in ("Before it.", "All of the tests ran, and they pass now.\n" * 20):
            assert redact(f"{around}\n{text}\n{around}") == f"{around}\n{shape.replace('{}', MASK)}\n{around}"


@pytest.mark.parametrize(("shape", "make"), SHAPES, ids=[shape[:40] for shape, _ in SHAPES])
def test_what_is_around_a_secret_stays(shape: str, make: Make) -> None:
    for seed in SEEDS:
        secret = make(random.Random(seed))
        kept = redact(shape.replace("{}", secret))
        # The line breaks of a key block belong to it, the number before its first word not to a list.
        expected = shape.replace("\n{}\n-----END", "{}-----END")
        assert kept.replace(MASK, "{}").replace("1. {}", "{}") == expected


@pytest.mark.parametrize(("lines", "rest"), [(0, 40), (1, 0), (1, 3), (2, 20), (4, 63)])
@pytest.mark.parametrize("newline", ["\n", "\\n", "\\\\n", "\r\n", "\n     7→", "\n+"])
def test_a_key_block_cut_before_its_end_is_masked_to_the_end_of_its_body(lines: int, rest: int, newline: str) -> None:
    body = key_body(random.Random(lines)).split("\n")
    shown = body[:lines] + ([body[lines][:rest]] if rest else [])
    text = newline.join(["-----BEGIN PRIVATE KEY-----", *shown])
    assert redact(text) == f"-----BEGIN PRIVATE KEY-----{MASK}"


@pytest.mark.parametrize("newline", ["\n", "\\n", "\\\\n", "\r\n", "\n     7→", "\n+"])
@pytest.mark.parametrize("lines", [1, 2, 4, 20])
def test_a_key_block_cut_behind_its_beginning_is_masked_to_its_end(lines: int, newline: str) -> None:
    for seed in SEEDS:
        body = [of(ALNUM + "+/", 64, prefix="q")(random.Random(seed + row)) for row in range(lines)]
        for last in ((), ("Zm9v",), ("Zm9vYg==",), ("Zm9vYg",)):
            end = "-----END RSA PRIVATE KEY-----"
            kept = redact(newline.join(["Some words.", *body, *last, end]))
            assert kept.startswith("Some words.") and kept.endswith(newline + end) and MASK in kept
            assert [line for line in (*body, *last) if line[2:] in kept] == []
            assert redact(kept) == kept


@pytest.mark.parametrize(
    "before", ["...", "the key ends with", "short", "", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"]
)
def test_what_is_no_key_before_the_end_of_one_stays(before: str) -> None:
    text = f"{before}\n-----END RSA PRIVATE KEY-----\n"
    assert redact(text) == text


def test_lines_cut_out_of_a_key_are_masked_one_by_one() -> None:
    def check(lines: list[str], masked: set[int]) -> None:
        assert redact_lines(lines) == [MASK if row in masked else line for row, line in enumerate(lines)]

    rng = random.Random(3)
    first, second, third = (of(ALNUM + "+/", 60, prefix="Aq/7")(rng) for _ in range(3))
    check([first, second, third], {0, 1, 2})
    check(["a = 1", first, second, "Zm9vYg==", "b = 2"], {1, 2, 3})
    check([first, second, "word"], {0, 1})
    check([first, second, "aNameThatIsLongerThanMost = 3"], {0, 1})
    assert redact_lines([f'  "{line}\\n" +' for line in (first, second)]) == [f'  "{MASK}\\n" +'] * 2
    check([first, "-----END PRIVATE KEY-----", second], {0})
    # A single line may be anything; what is known to be public stays, and so do digests.
    check(["a = 1", first, "b = 2", second], set())
    check(["-----BEGIN CERTIFICATE-----", first, second, third], set())
    check([first, second, "Zm9vYg==", "-----END PUBLIC KEY-----"], set())
    check(["0123456789abcdef" * 4] * 3, set())


def test_text_after_a_cut_key_block_stays() -> None:
    first_line = key_body(random.Random(1)).split("\n")[0]
    text = f"-----BEGIN PRIVATE KEY-----\n{first_line}\nand then the file ended"
    assert redact(text) == f"-----BEGIN PRIVATE KEY-----{MASK}\nand then the file ended"


def test_spans_say_where_and_what() -> None:
    rng = random.Random(7)
    token, word = of(ALNUM, 36, prefix="gh" + "p_")(rng), password(rng)
    text = f"GITHUB_TOKEN={token}\npassword: {word}\n"
    assert [(text[span.start : span.end], span.kind) for span in redactions(text)] == [
        (token, "github-token"),
        (word, "password"),
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("user: amara / Kx9!mQ2w", f"user: amara / {MASK}"),
        ("users: a.b / Kx9!mQ2w, user: bela / Zt4#pL8v", f"users: a.b / {MASK}, user: bela / {MASK}"),
        ("log in with `amara` / `Kx9!mQ2w` or as bela / any", f"log in with `amara` / `{MASK}` or as bela / any"),
        ("and / or user: amara / Kx9!mQ2w / done", f"and / or user: amara / {MASK} / done"),
        # As long as it may be.
        (f"logged-ins{' ' * 16}****:{' ' * 6}{'n' * 64}**** / ****Kx9!mQ2w", None),
    ],
)
def test_a_password_is_known_by_the_user_before_it(text: str, shown: str | None) -> None:
    assert redact(text) == (shown or text.replace("Kx9!mQ2w", MASK))


@pytest.mark.parametrize("text", ["", "x", "plain words, nothing else", "def f(x: int) -> int: return x" * 100])
def test_text_without_secrets_is_the_same_object(text: str) -> None:
    assert redact(text) is text


PIECES: Final = (
    *(piece for planted in secrets(3) for piece in (planted.text, planted.secret, json.dumps(planted.text)[1:-1])),
    *("\"'`\\\n\t =:@/-_.,;&?%$<>(){}[]|*\x00\x01é→"),
    *(MASK, "\\n", '\\"', "://", "password", "token=", "KEY: ", "API_KEY=", "Bearer ", " -u ", " -p", "mysql", " is "),
    *(
        "kind: Secret\n",
        "data:\n  a: ",
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----END",
        "eyJ",
        "sk-",
        "<password>",
        "xxx",
    ),
)


@st.composite
def mangled(draw: st.DrawFn) -> str:
    """Secrets, parts of secrets and the signs that detectors look for, in any order."""
    pieces = draw(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=9))
    return "".join(piece[draw(st.integers(0, 3)) :] if len(piece) > 3 else piece for piece in pieces)


@settings(max_examples=400, deadline=None)
@given(mangled())
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = redact(text)
    assert redact(once) == once
    assert redactions(once) == ()


@pytest.mark.parametrize("form", FORMS)
def test_line_by_line_as_much_is_masked(form: str) -> None:
    for planted in (planted for seed in SEEDS for planted in secrets(seed)):
        text = FORMS[form](planted)
        assert leaks("\n".join(redact_lines(text.split("\n"))), planted.secret) <= leaks(redact(text), planted.secret)


@settings(max_examples=400, deadline=None)
@given(mangled())
def test_line_by_line_no_line_comes_or_goes_and_twice_changes_nothing(text: str) -> None:
    lines = text.split("\n")
    once = redact_lines(lines)
    assert len(once) == len(lines)
    assert redact_lines(once) == once
    assert all(line == before or MASK in line for before, line in zip(lines, once, strict=True))


@settings(max_examples=200, deadline=None)
@given(mangled())
def test_spans_are_in_order_and_inside_the_text(text: str) -> None:
    bounds = [bound for span in redactions(text) for bound in (span.start, span.end)]
    assert bounds == sorted(bounds)
    assert not bounds or (bounds[0] >= 0 and bounds[-1] <= len(text))


@pytest.mark.parametrize("form", FORMS)
def test_whoever_holds_a_secret_is_suspected_among_others(form: str) -> None:
    texts = [FORMS[form](secret) for seed in SEEDS for secret in secrets(seed)]
    assert {text for text in texts if redact(text) != text} <= set(suspects(texts))


@settings(max_examples=400, deadline=None)
@given(st.lists(mangled(), max_size=6))
def test_whoever_is_not_suspected_holds_no_secret(texts: list[str]) -> None:
    suspected = suspects(texts)
    assert [text for text in texts if text not in suspected and redact(text) != text] == []


@pytest.mark.parametrize("name", ["password=", "token: ", "API_KEY=", "пароль: ", "a@example.org ", "Bearer ", "://a:"])
def test_whatever_stands_where_a_secret_would_is_read(name: str) -> None:
    """A row of slashes has neither letters nor digits."""
    for character in string.printable:
        for length in (1, 8, 24, 600):
            redact(name + character * length)


# Each provokes one detector as often as text allows: long runs, unfinished quotes, joints, windows that overlap.
ADVERSARIAL: Final = (
    *("a", "key=", 'password="', "token='x", "://", "://a:b", "://?", "sk-aa-", "eyJ-", "eyJabcdefgh.", "\\", '\\"'),
    *(
        "-----END RSA PRIVATE KEY-----",
        "-----END RSA PRIVATE KEY\n",
        "a\n-----END PRIVATE KEY",
        "abcdefghij" * 7 + "\n",
    ),
    *("-----BEGIN RSA PRIVATE KEY-----", "kind: Secret\ndata:\n a: bcdefghijk\n", " -u a:b1xx", " -p a", "cookie=a; "),
    *(
        "machine a login b password ",
        "password is ",
        "s.abcdefghijklmnopqrstuvwx",
        "mnemonic: abc abc ",
        "PASSWORD=a.a.",
    ),
    *(
        "AKIA2345" + "ABCDEFGHIJKL,",
        "ghp_" + "abcdefghijklmnopqrst ",
        "ghp_" + "abcdefghijklmnopqrst",
        "pul-" + "0123456789abcdef" * 2,
        MASK,
        "key value: ",
    ),
    *(
        "password\n",
        "token:\n",
        "| password |\n|---|---|\n",
        "password | a\n---|---\n|a1b2c3|",
        "password for a ",
        "pw ",
    ),
    *("password,", "password,a\nb1c2d3,e\n", "a,password\nb,b1c2d3\n", "a\tpassword\nb\tb1c2d3\n", "password;\n"),
    *("password is:\n", "creds: a:", "credentials: a / b1c2d3 ", "a@b.cc\na1!bcdef\n", "kalmar ", "siri", "/"),
    *("seed phrase abc ", "phrase ", "1. abandon ", "passphrase: a b c ", "app password abcd efgh ijkl mnop "),
    *("chpasswd <<EOF\na:bcd\n", "echo a:bcd | chpasswd ", "htpasswd -b a b ", "wpa_passphrase a ", " -AsPlainText "),
    *("identified by '", "create user identified by 'abc' ", "ENV A_PASSWORD b ", "set -x a_key ", "password 'a1 "),
    *(
        "a@b.cc a1!bcdef ",
        "пароль ",
        "密码",
        "пароль: a1b2c3 ",
        "Private-Lines: 1\n",
        "key/a1b2c3d4e5f6g7h8/",
        "x_pat=",
    ),
    *(
        "ghp_" + "a1b2c3d4e5f6g7h8i9j0" * 4 + "\n",
        "JQQJ99",
        "a2" * 26 + " ",
        "+EAA",
        "/EAA",
        "ConvertTo-SecureString 'a",
    ),
)


@pytest.mark.parametrize("pattern", ADVERSARIAL)
def test_work_grows_with_the_text_and_no_faster(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    readings: list[int] = []
    tries: list[int] = []
    detectors, original = module._detectors, module.redactions

    def counting_detectors(text: str, raw: bytes) -> list[module._Detect]:
        found = detectors(text, raw)
        tries.append(len(found))
        return found

    def counting_redactions(text: str) -> tuple[module.Span, ...]:
        readings.append(len(text))
        return original(text)

    monkeypatch.setattr(module, "_detectors", counting_detectors)
    monkeypatch.setattr(module, "redactions", counting_redactions)
    work = []
    for repeat in (100, 400):
        readings.clear()
        tries.clear()
        redact(pattern * repeat)
        assert len(readings) <= 3, "every further reading multiplies the cost"
        work.append(sum(tries))
    assert work[1] <= 4 * work[0] + 8
