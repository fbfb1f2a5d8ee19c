"""Every key of the configuration: documented, taken when it is right, refused in clear words when it is wrong."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from recapd.core.settings import DEFAULTS
from recapd.daemon.config import docs as config_docs
from recapd.daemon.config.setting_keys import Key, check_value, describe_accepted, keys
from tests.support.configurations import other_values, read, takes, value_of

ALL = list(keys().values())
by_name = pytest.mark.parametrize("key", ALL, ids=lambda key: key.name)


def wrong_values(key: Key) -> list[object]:
    """Values of every kind that TOML has, as far as they cannot be meant."""
    kinds: list[object] = [True, 3, 0.25, "nonsense\x07", ["nonsense\x07"], [[1]], {"a": 1}, float("nan"), float("inf")]
    kinds += [-1, 10**30, -(10**30), [True], "", [3]]
    return [each for each in kinds if not takes(key, each)]  # type: ignore[arg-type]


@by_name
def test_every_key_is_documented(key: Key) -> None:
    assert config_docs.doc_of(key).endswith((".", ".)")), f"{key.name} needs a sentence below it in core/settings.py"
    assert describe_accepted(key) != "a value", f"{key.name} has a type that nothing is said about"
    assert f"| `{key.field}` | `{config_docs.write_toml_value(key.default)}` |" in config_docs.document()
    assert config_docs.section_doc(key.section)


@by_name
def test_every_key_is_taken_from_the_file_and_from_the_environment(key: Key, tmp_path: Path) -> None:
    assert check_value(key, list(key.default) if isinstance(key.default, tuple) else key.default) == key.default
    others = other_values(key)
    assert others
    for value in others:
        written = config_docs.write_toml_value(value)
        assert tomllib.loads(f"x = {written}")["x"] == (list(value) if isinstance(value, tuple) else value)
        text = ",".join(value) if isinstance(value, tuple) else written.strip('"')
        for found in (
            read(tmp_path, f"[{key.section}]\n{key.field} = {written}\n"),
            read(tmp_path, **{key.variable: text}),
        ):
            assert found.troubles() == ()
            assert value_of(found.settings, key.name) == value
            # Nothing else moved.
            moved = [each.name for each in ALL if value_of(found.settings, each.name) != each.default]
            assert moved == [key.name]


@by_name
def test_every_key_is_refused_when_it_is_wrong(key: Key, tmp_path: Path) -> None:
    wrong = wrong_values(key)
    assert len(wrong) > 5
    for given in wrong:
        refused = check_value(key, given)
        assert not isinstance(refused, (bool, int, float, str, tuple)), given
        assert refused.why.startswith(f"expected {describe_accepted(key)}, got ")
        assert refused.why.isprintable()
    for found in (
        read(tmp_path, f"[{key.section}]\n{key.field} = {{ nothing = 1 }}\n"),
        read(tmp_path, **{key.variable: "nonsense\x07"}),
    ):
        (problem,) = map(str, found.troubles())
        assert f"expected {describe_accepted(key)}, got " in problem
        assert key.name in problem or key.variable in problem
        assert found.settings == DEFAULTS


# ---- what a person is told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[recap]\nturn_threshold = "five"', 'recap.turn_threshold: expected a whole number of at least 1, got "five"'),
        ("[recap]\nturn_threshold = 0", "recap.turn_threshold: expected a whole number of at least 1, got 0"),
        ("[recap]\nturn_threshold = true", "recap.turn_threshold: expected a whole number of at least 1, got true"),
        (
            "[recap]\nturn_threshold = five",
            "recap.turn_threshold (line 2): expected a whole number of at least 1, got five",
        ),
        (
            "[recap]\nturn_threshold =",
            "recap.turn_threshold (line 2): expected a whole number of at least 1, got nothing",
        ),
        ("[recap]\nmin_turns = 9999999999999999999", "expected a whole number of at least 0, got a number too large"),
        ("[recap]\nmin_turns = 1979-05-27", "recap.min_turns: expected a whole number of at least 0, got a date"),
        ("[recap]\nmin_turns = 3\nmin_turns = 4", "recap.min_turns (line 3): cannot overwrite a value"),
        ('[recap]\nformat = "long"', 'expected one of "short", "full", "decisions", "timeline", "resume", got "long"'),
        ("[decisions]\nthreshold = 2", "decisions.threshold: expected a number from 0 to 1, got 2"),
        ('[decisions]\nwho = "user"', 'expected a list, each one of "user", "agent", "collaborative", got "user"'),
        ('[decisions]\nwho = ["user", "me"]', 'got a list with "me" in it'),
        ("[llm]\ntimeout_s = 0", "llm.timeout_s: expected a number above 0 and at most 600, got 0"),
        ("[llm]\ntimeout_s = inf", "llm.timeout_s: expected a number above 0 and at most 600, got inf"),
        ('[watch]\nroots = ["logs"]', "a list, each an absolute path, or one that begins with ~, got a list with"),
        ('[llm]\nbase_url = "ftp://x"', "llm.base_url: expected an address that begins with https://, or nothing, got"),
        (
            "[recap]\nturn_treshold = 5",
            "recap.turn_treshold: there is no such setting; did you mean recap.turn_threshold, which takes a whole",
        ),
        ("[recap]\nturnThreshold = 5", "recap.turnThreshold: there is no such setting; did you mean recap.turn_thres"),
        (
            "[recap.short]\nmax_tokens = 5",
            "recap.short.max_tokens: there is no such setting; did you mean recap.short_",
        ),
        ("[summary]\nturn_threshold = 5", "did you mean recap.turn_threshold"),
        ("turn_threshold = 5", "turn_threshold: there is no such setting; did you mean recap.turn_threshold"),
        ("[recaps]\nx = 5", "recaps.x: there is no such setting"),
        ("[zzz]\nqqq = 5", "zzz.qqq: there is no such setting; see: recapd config --explain"),
        ("recap = 5", "recap: expected a table of settings, under a heading [recap]"),
        ("turnThreshold = 5", 'it is called recap.turn_threshold here, and understood with preset = "gitclaw"'),
        (
            'preset = "gitclow"',
            'expected one of "gitclaw", "mindloop", "know-thyself", "mycode", "apex", got "gitclow"',
        ),
        ("preset = 5", 'preset: expected one of "gitclaw", '),
        ('preset = "mycode"\npreserve_system = false', "preserve_system: it is always true here"),
        ("sessions = 5", 'sessions: expected a table for each session, under a heading [sessions."ID"]'),
        ('[sessions]\n"x:1" = false', 'sessions."x:1": expected a table of switches'),
        ('[sessions."x:1"]\nrecap = 1', 'sessions."x:1".recap: expected true or false'),
        ('[sessions."x:1"]\nstore = false', "there is no such switch; known are recap, decisions, summary, recap_file"),
        ('[[dialect]]\nname = "x"', "dialect “x”: role is missing; it takes a path"),
        ("[recap\nmin_turns = 2", "[recap (line 1): "),
        ("nonsense", "line 1: "),
        ("x = [1,", "it is no TOML: "),
        ("x = " + "[" * 5_000, "it is nested too deep"),
    ],
)
def test_a_mistake_is_told_with_the_file_the_key_and_what_is_accepted(text: str, told: str, tmp_path: Path) -> None:
    found = read(tmp_path, text)
    (problem,) = map(str, found.troubles())
    assert problem.startswith(f"{tmp_path / 'config.toml'}: ")
    assert told in problem
    assert found.settings.recap.turn_threshold == DEFAULTS.recap.turn_threshold


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("RECAPD_RECAP_TURN_THRESHOLD", "five", 'expected a whole number of at least 1, got "five"'),
        ("RECAPD_RECAP_TURN_THRESHOLD", "2.5", "expected a whole number of at least 1, got 2.5"),
        ("RECAPD_RECAP_ENABLED", "maybe", 'expected true or false, got "maybe"'),
        ("RECAPD_RECAP_TURN_TRESHOLD", "5", "there is no such setting; did you mean RECAPD_RECAP_TURN_THRESHOLD?"),
        ("RECAPD_DECISIONS_WHO", "user,me", 'got a list with "me" in it'),
        ("RECAPD_LLM_API_KEY_ENV", "not a name", "expected the name of an environment variable, got a text"),
        ("RECAPD_PRESET", "nope", 'expected one of "gitclaw"'),
    ],
)
def test_a_mistake_in_the_environment(name: str, text: str, told: str, tmp_path: Path) -> None:
    (problem,) = map(str, read(tmp_path, **{name: text}).troubles())
    assert problem.startswith(f"{name}: ") and told in problem


def test_one_mistake_costs_only_itself(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        "[recap]\nmin_turns = two\nturn_threshold = 8\nformat = 'odd'\ngap = 1\n"
        "[summary\nenabled = false\n[window]\nsize = 4\n",
    )
    assert len(found.troubles()) == 4
    assert (found.settings.recap.turn_threshold, found.settings.window.size) == (8, 4)
    # What stood under the broken heading must not be taken for part of the one above.
    assert found.settings.recap.enabled and found.settings.summary.enabled


def test_a_file_of_mistakes_does_not_flood(tmp_path: Path) -> None:
    problems = tuple(map(str, read(tmp_path, "".join(f"x{number} = 1\n" for number in range(500))).troubles()))
    assert len(problems) == 21 and problems[-1] == "… and 480 more"


@pytest.mark.parametrize(
    "text",
    ['[llm]\napi_key_env = "{}"', '[llm]\napi_key = "{}"', "[llm]\nmodel = {}", '[recap]\nformat = "{}"', "{} = 1"],
)
def test_a_secret_in_the_wrong_place_is_not_told(text: str, tmp_path: Path) -> None:
    secret = "sk-ant-api03-" + "Ab3dE6gH9j" * 4
    assert secret not in " ".join(map(str, read(tmp_path, text.format(secret)).troubles()))


def test_the_documentation_is_fresh() -> None:
    assert config_docs.main(["--check"]) == 0


def test_a_value_that_is_quoted_back_stays_in_one_piece(tmp_path: Path) -> None:
    (trouble,) = read(tmp_path, '[recap]\nmin_turns = "many; more"\n').troubles()
    assert trouble.message.endswith('got "many; more"') and trouble.action == ""
