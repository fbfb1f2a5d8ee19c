"""Which part of an answer is a secret because of what the agent asked for."""

from __future__ import annotations

import re
from typing import Final, get_args, get_type_hints

import pytest

from recapd.core.log import FileEffect, Recorded
from recapd.core.log.events import Event, Prompt, TodoItem
from recapd.core.secrets import MASK
from recapd.core.secrets.answers import credentials_in
from recapd.core.secrets.foreign import WORDS_FOR_PASSWORD
from recapd.core.state.answers import _WORDS
from recapd.core.state.folding import extend
from recapd.core.state.transcript import EMPTY, Transcript
from tests.support.logs import LOGS, agent, human, shell
from tests.support.records import parse_log

# What was asked, what was answered, and the secrets in the answer.
HANDED_OVER: Final[tuple[tuple[str, str, list[str]], ...]] = (
    ("What is the database password?", "tangerine", ["tangerine"]),
    ("What is the database password?", "'tangerine'", ["tangerine"]),
    ("What's the root password for the server?", "user root pass Zx9crMKpQ2", ["Zx9crMKpQ2"]),
    ("Please paste your API key here.", "q7w6e5r4t3y2u1i0", ["q7w6e5r4t3y2u1i0"]),
    ("Please paste your API key here.", "sure, q7w6e5r4t3y2u1i0, thanks", ["q7w6e5r4t3y2u1i0"]),
    ("I need the PIN of the card:", "4711", ["4711"]),
    ("Enter the 2FA code that was sent to you.", "482913", ["482913"]),
    ("I need a token to go on. Could you provide one?", "it is a1b2-c3d4-e5f6", ["a1b2-c3d4-e5f6"]),
    ("Could you share the app password?", "qwzx vbnm lkjh gfds", ["qwzx vbnm lkjh gfds"]),
    ("What is the passphrase of the key?", "correct horse battery staple", ["correct horse battery staple"]),
    ("Bitte gib mir das Passwort:", "Sommer-2024", ["Sommer-2024"]),
    ("¿Cuál es la contraseña?", "verano99", ["verano99"]),
    ("数据库密码是什么？", "yueliang88", ["yueliang88"]),
    ("Какой пароль?", "vesna1988", ["vesna1988"]),
    ("请告诉我数据库的密码。", "malan22x", ["malan22x"]),
    ("Gib mir bitte das Passwort.", "rotkohl88", ["rotkohl88"]),
    ("Podaj hasło do serwera.", "kapusta_33", ["kapusta_33"]),
    ("Anna salasana:", "porkkana7", ["porkkana7"]),
    ("Какой пароль от базы?", "воробей55", ["воробей55"]),
    ("What is the password kept in the vault?", "hunter22", ["hunter22"]),
    ("Which passphrase protects the backup?", "three blind mice dance", ["three blind mice dance"]),
    # Nothing was asked for, or nothing was given.
    ("What is the minimum password length you want?", "twelve", []),
    ("Which hashing should I use for the password?", "argon2id", []),
    ("What is the token limit?", "4096", []),
    ("Where is the password stored? Tell me the table.", "users_v2", []),
    ("What is the name of the secret in the vault?", "db-prod-password", []),
    ("Какой алгоритм использовать для пароля?", "bcrypt12", []),
    ("The password is stored in the keychain.", "tangerine", []),
    ("Never share your password with me.", "tangerine", []),
    ("Shall I rename the token counter?", "yes", []),
    ("Shall I add a `linkUrl` token to the theme?", "yes, in the old one it was 666666", []),
    ("What is the database password?", "skip", []),
    ("What is the database password?", "it is in .env.local", []),
    ("What is the database password?", "read it from DATABASE_PASSWORD_2", []),
    ("What is the database password?", "where would I find that?", []),
    ("What is the database password?", "not sure, have a look at ~/notes/db2.md first", []),
    ("To connect, I need SSH credentials:", "2001:db8:1c1a:6efe::/64", []),
    ("To connect, I need SSH credentials:", "192.0.2.17:22", []),
    ("Do you have an API key?", "yes, see https://example.org/docs2/install", []),
)


@pytest.mark.parametrize(("asked", "answer", "secrets"), HANDED_OVER)
def test_what_was_asked_for_says_what_is_a_secret(asked: str, answer: str, secrets: list[str]) -> None:
    assert list(credentials_in(answer, asked=asked)) == secrets


# Every way to name what is asked for, in letters small, large and of other forms.
NAMES: Final = """
password|passwords|passwd|passphrase|passcodes|Passwort|passord|pw|pwd|pin|otp|2fa code|mfa-codes|verification code
recovery codes|backup code|token|tokens|PAT|secret|secrets|credential|credentials|creds|mnemonic|seed phrase
recovery words|API key|api_keys|access-key|private keys|license key|auth key|client key|service key|encryption key
signing key|account key|SSH key|bearer key|Ada's key|kennwort|wachtwoord|senha|contrasena|mot de passe|parola
kata sandi|mat khau
"""


@pytest.mark.parametrize(
    "name", [*(name for line in NAMES.split("\n") for name in line.split("|") if name), *WORDS_FOR_PASSWORD]
)
def test_whatever_a_credential_is_called_it_was_asked_for(name: str) -> None:
    for form in (name, name.upper(), name.title(), name.replace("s", "ſ"), name.replace("k", "\u212a"), f"{name} İ"):
        if len(form) >= len(name):
            assert credentials_in("q7w6e5r4t3y2u1i0", asked=f"Please enter the {form}:") == ("q7w6e5r4t3y2u1i0",), form


def test_long_questions_and_answers_take_time_by_their_length() -> None:
    """Whatever is said, at most a few thousand characters of it are looked at."""
    for piece in ("a", "password ", "a.", "give me the token's ", "a's", "?", "PIN:\n", "x1!"):
        credentials_in(piece * 100, asked=piece * 1_000_000)
        credentials_in(piece * 1_000_000, asked="What is the password?")


def requests_of(transcript: Transcript) -> list[str]:
    return [turn.request.text for turn in transcript.turns]


@pytest.mark.parametrize("format", LOGS)
def test_an_answer_is_folded_without_what_was_handed_over(format: str) -> None:
    log = LOGS[format](
        human("deploy it"),
        agent("I need the root password. What is it?"),
        human("Zx9crMKpQ2"),
        shell("deploy --with Zx9crMKpQ2", "used Zx9crMKpQ2"),
        agent("Deployed with Zx9crMKpQ2."),
        human("and now tell me about oranges"),
    )
    records, _ = parse_log(log)
    whole = extend(EMPTY, records)
    assert requests_of(whole) == ["deploy it", MASK, "and now tell me about oranges"]
    assert whole.turns[1].outcome == f"Deployed with {MASK}."
    one_by_one = EMPTY
    for record in records:
        one_by_one = extend(one_by_one, (record,))
    assert one_by_one == whole


def test_a_word_of_everyday_language_is_hidden_in_the_answer_alone() -> None:
    log = LOGS["claude-code"](
        human("deploy it"), agent("What is the password?"), human("tangerine"), agent("Is tangerine a fruit?")
    )
    folded = extend(EMPTY, parse_log(log)[0])
    assert requests_of(folded) == ["deploy it", MASK]
    assert folded.turns[1].outcome == "Is tangerine a fruit?"


def test_a_prompt_to_which_nobody_asked_stays() -> None:
    log = LOGS["claude-code"](human("tangerine"), agent("Done."), human("tangerine"))
    records, _ = parse_log(log)
    assert [event.text for each in records for event in each.events if isinstance(event, Prompt)] == ["tangerine"] * 2
    assert requests_of(extend(EMPTY, records)) == ["tangerine", "tangerine"]


# Fields of events that hold no words of anybody: ids, names that agents give their parts, and what recapd calls things.
WORDLESS = {
    *("id", "session", "subagent", "parent_session", "message_id", "call_id", "process", "tool", "trigger"),
    *("kind", "status", "scope", "action"),
}


def test_every_field_that_can_hold_words_is_known() -> None:
    """A new one is looked through, or stands above."""
    sorts = (*get_args(Event), TodoItem, Recorded, FileEffect)
    of_text = {
        name
        for sort in sorts
        for name, kind in get_type_hints(sort).items()
        if re.search(r"str|bytes|core\.log", str(kind))
    }
    assert of_text - WORDLESS == _WORDS
