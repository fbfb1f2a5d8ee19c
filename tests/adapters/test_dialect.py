"""Formats that users describe themselves: what is read by a description, what is wrong with one, how well it fits."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.adapters import dialect
from recapd.adapters.dialect.explanation import explain
from recapd.adapters.dialect.paths import path_of, values_at
from recapd.adapters.dialect.reading import adapter_from
from recapd.adapters.dialect.shape import Dialect, Roles, dialects_from
from recapd.adapters.shared.base import first_objects
from recapd.core.log.events import Call, Event, Note, Parsed, Prompt, Record, Reply, Result
from recapd.core.log.refs import Place

Json: TypeAlias = dict[str, object]

DATA = Path(__file__).parent / "data" / "dialect"
FLAT, NESTED = dialects_from(tomllib.loads((DATA / "dialects.toml").read_text()))
STAMP = "2026-02-03T04:05:06.789Z"


def read(by: Dialect, line: bytes) -> Parsed:
    return adapter_from(by).parse(line, Place(1, 0, len(line)))


def only(by: Dialect, row: Json) -> Record:
    (record,), problems = read(by, json.dumps(row).encode())
    assert not problems
    return record


def flat(who: str, **more: object) -> Json:
    return {"v": 1, "from": who, **more}


def nested(role: str, content: object) -> Json:
    return {"message": {"role": role, "content": content}}


LINES: list[tuple[str, Dialect, Json, tuple[Event, ...]]] = [
    ("prompt", FLAT, flat("me", msg="fix it"), (Prompt("fix it"),)),
    ("reminder", FLAT, flat("me", msg="<system-reminder>x"), (Note("meta", "<system-reminder>x"),)),
    ("reply", FLAT, flat("it", msg="Done.", n="r1"), (Reply("Done.", "r1"),)),
    ("blank reply", FLAT, flat("it", msg=" "), ()),
    ("house rules", FLAT, flat("house", msg="Be brief."), (Note("system", "Be brief."),)),
    (
        "call",
        FLAT,
        flat("it", msg="I look.", do={"what": "read_file", "with": {"path": "a"}, "ref": 7}),
        (Reply("I look."), Call("7", "read_file", "read", target="a")),
    ),
    (
        "call with arguments as a text",
        FLAT,
        flat("it", do={"what": "bash", "with": '{"command": "ls"}', "ref": "c1"}),
        (Call("c1", "bash", "shell", target="ls"),),
    ),
    ("call without arguments", FLAT, flat("it", do={"what": "ls", "ref": "c1"}), (Call("c1", "ls", "list"),)),
    (
        "result",
        FLAT,
        flat("hands", done={"ref": "c1", "out": "ok", "code": 0}),
        (Result("c1", exit_code=0, payload=b'"ok"'),),
    ),
    (
        "failed result",
        FLAT,
        flat("eyes", done={"ref": "c1", "out": "no", "code": 2}),
        (Result("c1", failed=True, exit_code=2, payload=b'"no"'),),
    ),
    ("failed in words", FLAT, flat("hands", done={"ref": "c1", "code": "timeout"}), (Result("c1", failed=True),)),
    # Lines of calls and results often repeat each other's fields: who speaks decides.
    ("no result", FLAT, flat("it", do={"what": "ls", "ref": "c"}, done={"ref": "c"}), (Call("c", "ls", "list"),)),
    ("no call", FLAT, flat("hands", do={"what": "ls", "ref": "c"}, done={"ref": "c"}), (Result("c"),)),
    ("fine in words", FLAT, flat("hands", done={"ref": "c1", "code": "Success"}), (Result("c1"),)),
    ("result without an id", FLAT, flat("hands", done={"out": "ok"}), (Result("", payload=b'"ok"'),)),
    ("plain text", NESTED, nested("user", "fix it"), (Prompt("fix it"),)),
    (
        "blocks",
        NESTED,
        nested("assistant", [{"text": "a"}, {"text": "b"}, {"name": "ls", "id": "c1", "input": {"path": "."}}]),
        (Reply("a"), Reply("b"), Call("c1", "ls", "list", target=".")),
    ),
    (
        "results in the human's line, and a word",
        NESTED,
        nested("user", [{"tool_use_id": "c1", "content": [{"text": "x"}, {"text": "y"}]}, {"text": "go on"}]),
        (Result("c1", payload=b'[{"text":"x"},{"text":"y"}]'), Prompt("go on")),
    ),
    (
        "failed flag",
        NESTED,
        nested("user", [{"tool_use_id": "c1", "content": "no", "is_error": True}]),
        (Result("c1", failed=True, payload=b'"no"'),),
    ),
    ("a tool that only talks", NESTED, nested("tool", "ok"), (Result("", payload=b'"ok"'),)),
]


@pytest.mark.parametrize(
    ("by", "row", "expected"), [row[1:] for row in LINES], ids=[f"{row[1].name}: {row[0]}" for row in LINES]
)
def test_lines(by: Dialect, row: Json, expected: tuple[Event, ...]) -> None:
    record = only(by, row)
    assert (record.events, record.known) == (expected, True)


def test_what_a_line_says_of_itself() -> None:
    thread = {"id": "t1", "dir": "/repo"}
    record = only(FLAT, flat("me", msg="x", ts=STAMP, thread=thread, n=4, after=3, by="m1"))
    assert (record.type, record.at, record.session, record.cwd) == ("me", STAMP, "t1", "/repo")
    assert (record.id, record.parent, record.model) == ("4", "3", "m1")


@pytest.mark.parametrize("stamp", ["2026-02-03T05:05:06.789+01:00", 1770091506.789, 1770091506789])
def test_times(stamp: object) -> None:
    assert only(FLAT, flat("me", ts=stamp)).at == STAMP


@pytest.mark.parametrize("stamp", ["noon", True, 10**400, None, [1], {}])
def test_no_times(stamp: object) -> None:
    assert only(FLAT, flat("me", ts=stamp)).at == ""


def test_lines_that_are_not_meant_are_counted_not_read() -> None:
    other = only(FLAT, {**flat("me", msg="x"), "v": 3})
    assert (other.type, other.known, other.events) == ("unmatched", False, ())
    stranger = only(FLAT, flat("you", msg="x"))
    assert (stranger.type, stranger.known, stranger.events) == ("you", False, ())


def test_damaged_lines_give_what_is_whole() -> None:
    whole = json.dumps(flat("me", msg="hi")).encode()
    records, problems = read(FLAT, whole + whole)
    assert [record.events for record in records] == [(Prompt("hi"),)] * 2
    assert [problem.kind for problem in problems] == ["glued"]
    assert read(FLAT, whole[:-4])[0] == ()
    assert read(FLAT, b" \r") == ((), ())


BOOT: Json = {"boot": 1}
HEADS: list[tuple[Dialect, list[Json], bool]] = [
    (FLAT, [flat("me")], True),
    # The dialect says what to match: other lines may be many.
    (FLAT, [*[BOOT] * 9, flat("it")], True),
    (FLAT, [{**flat("me"), "v": 3}], False),
    (FLAT, [flat("you")], False),
    (NESTED, [nested("user", "x")] * 9 + [BOOT], True),
    (NESTED, [nested("user", "x")] * 3 + [BOOT], False),
    (NESTED, [], False),
]


@pytest.mark.parametrize(("by", "rows", "ours"), HEADS)
def test_recognises_its_own(by: Dialect, rows: list[Json], ours: bool) -> None:
    head = b"\n".join(json.dumps(row).encode() for row in rows)
    assert adapter_from(by).recognise(first_objects(head)) is ours


MINIMAL = 'name = "x"\nrole = "r"\ntext = "t"\n'
WRONG: list[tuple[str, str]] = [
    ('role = "r"\ntext = "t"', "dialect number 1: name is missing; it takes a name to show"),
    ('name = "x"\nrole = "r"', "dialect “x”: text is missing; it takes a path"),
    (MINIMAL + 'rol = "r"', "dialect “x”: there is no key rol; known here are name, role, text, roles, match, time, "),
    (MINIMAL + "time = 3", "dialect “x”: time: expected a text, got a number"),
    (MINIMAL + 'time = "a..b"', "dialect “x”: time: “a..b” is not a path: names joined by dots"),
    (MINIMAL + 'match = { "a[0]" = 1 }', "dialect “x”: match.a[0]: “a[0]” is not a path"),
    (
        MINIMAL + 'roles = { humans = ["u"] }',
        "dialect “x”: there is no key roles.humans; known here are human, agent, ",
    ),
    (MINIMAL + 'roles = { human = "u" }', "dialect “x”: roles.human: expected a list, got a text"),
    (MINIMAL + 'roles = { human = ["u"], agent = ["u"] }', "dialect “x”: roles: “u” is listed twice"),
    (MINIMAL + 'calls = { id = "i" }', "dialect “x”: calls.name is missing; it takes a path"),
    (MINIMAL + 'results = { id = "i", code = "c" }', "dialect “x”: there is no key results.code; known here are id, "),
    ('name = "X Y"\nrole = "r"\ntext = "t"', "dialect “X Y”: name takes up to 40 lower-case letters"),
    ('name = "x"\nrole = ""\ntext = "t"', "dialect “x”: role is empty; it takes the path of a line's role"),
    ('name = "x"\nrole = "r"\ntext = []', "dialect “x”: text is empty; it takes the path of a line's text"),
    (MINIMAL + "[[dialect]]\n" + MINIMAL, "dialect “x” is described twice; each needs a name of its own"),
]


@pytest.mark.parametrize(("text", "sentence"), WRONG, ids=[row[1][:50] for row in WRONG])
def test_what_is_wrong_is_said_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        dialects_from(tomllib.loads("[[dialect]]\n" + text))
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("table", [{"dialect": 3}, {"dialect": {"name": "x"}}, "x", 3])
def test_what_is_no_list_of_dialects(table: object) -> None:
    with pytest.raises(ValueError, match=r"write each dialect under a heading \[\[dialect\]\]"):
        dialects_from(table)


def test_the_documented_example_is_read() -> None:
    example = (dialect.__doc__ or "").partition("\n    [[")[2].partition("\n`")[0]
    (found,) = dialects_from(tomllib.loads("[[" + example))
    assert (found.name, found.roles) == ("my-agent", Roles())
    assert dialects_from({}) == dialects_from([]) == ()


def test_paths() -> None:
    value = {"a": [{"b": [1, 2]}, {"b": [3, None]}, {"c": 4}, 5], "d": {"e": "x"}}
    assert list(values_at(value, path_of("a[*].b[*]"))) == [1, 2, 3]
    assert list(values_at(value, path_of("d.e"))) == ["x"]
    assert list(values_at(value, path_of("d[*].e"))) == []
    for wrong in ("", ".", "a.", "a[1]", "a b", "[*]", "a[*"):
        with pytest.raises(ValueError, match="is not a path"):
            path_of(wrong)


def test_an_explanation_of_a_good_fit() -> None:
    rows = [
        flat("me", msg="secret words", ts=STAMP, thread={"id": "t", "dir": "/d"}, n=1, after=0, by="m"),
        flat("it", msg="x", do={"what": "ls", "with": {}, "ref": "c1"}),
        flat("hands", done={"ref": "c1", "out": "ok", "code": 0}),
        {"boot": [1, "two", None, True]},
    ]
    told = explain(FLAT, [json.dumps(row).encode() for row in rows])
    assert (told.lines, told.matched, told.never_found, told.problems) == (4, 3, (), ())
    assert told.roles == {"human": 1, "agent": 1, "tool": 1, "system": 0, "unknown": 0}
    assert told.events == {"Prompt": 1, "Reply": 1, "Call": 1, "Result": 1}
    assert told.unmatched_shapes == ("{boot: [number, text, null, true or false]}",)
    assert told.shapes[0].startswith("{v: number, from: text, msg: text, ts: text, thread: {id: text, dir: text}")
    # Types only: what the lines say stays in the log.
    assert "secret" not in repr(told)


WEAK: list[tuple[str, list[Json], str]] = [
    ("nothing matches", [{"v": 9}], "no line matched; check match (v)"),
    (
        "a role without a meaning",
        [flat("me", msg="x"), flat("you"), {"v": 1}],
        "roles that no list under roles names: you, (none)",
    ),
    ("no human", [flat("it", msg="x")], "no line is the human's: without one there are no turns"),
    ("no agent", [flat("me", msg="x")], "no line is the agent's; check role and roles.agent"),
    ("no times", [flat("me", msg="x", ts="noon")], "time was never read as one"),
    ("nothing said", [flat("me"), flat("it")], "nobody says anything; check text"),
    ("no results", [flat("it", do={"what": "ls", "ref": "c1"})], "tool calls have no results"),
    (
        "results of nothing",
        [flat("it", do={"what": "ls", "ref": "c1"}), flat("hands", done={"ref": "d1"})],
        "no result names the id of a call; check calls.id and results.id",
    ),
]


@pytest.mark.parametrize(("rows", "problem"), [row[1:] for row in WEAK], ids=[row[0] for row in WEAK])
def test_an_explanation_names_what_looks_wrong(rows: list[Json], problem: str) -> None:
    told = explain(FLAT, [json.dumps(row).encode() for row in rows])
    assert any(found.startswith(problem) for found in told.problems), told.problems


def test_an_explanation_names_paths_that_lead_nowhere() -> None:
    told = explain(FLAT, [json.dumps(flat("me", msg="x")).encode(), b"torn {"])
    assert told.problems[0] == "1 line held no JSON object of their own"
    assert 'time = "ts"' in told.never_found
    assert 'calls.name = "do.what"' in told.never_found
    assert 'text = "msg"' not in told.never_found
    # Paths in items are followed from the list.
    told = explain(NESTED, [json.dumps(nested("user", [{"tool_use_id": "c1", "text": "x"}])).encode()])
    assert 'results.id = "tool_use_id"' not in told.never_found
    assert 'calls.name = "name"' in told.never_found
    assert explain(FLAT, []).problems == ("no line matched; check match (v)",)


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "ref", "out"]), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(["from", "msg", "ts", "thread", "n", "after", "by", "do", "done"])


@given(st.binary(max_size=200))
def test_any_bytes_are_read_without_raising(line: bytes) -> None:
    records, problems = read(FLAT, line)
    assert records or problems or not line.strip()
    explain(FLAT, [line])


@given(st.sampled_from(["me", "it", "hands", "house", "you"]), st.dictionaries(KEYS, ANY_JSON))
def test_fields_of_any_type_leave_the_line_accounted_for(who: str, fields: Json) -> None:
    line = json.dumps({"v": 1, "from": who} | fields).encode()
    assert len(read(FLAT, line)[0]) == 1
    explain(FLAT, [line])
