"""Params are decoded tolerantly, and bad ones are answered with the path of the bad field."""

from collections.abc import Iterator

import msgspec
import pytest
from msgspec import inspect

from recapd.wire import types
from recapd.wire.errors import INVALID_PARAMS, PARSE_ERROR, RecapError
from recapd.wire.methods import METHODS, Method, lookup
from recapd.wire.params import decode_as, decode_params, paths_in
from recapd.wire.types import InvalidParamsData

LONG = "a" * 16_385
NO_NUL = "a path or file URI, without NUL characters"
BAD = [
    ("recap/get", f'{{"session": {{"id": "{LONG}"}}}}', "session.id", "a string of at most 16384 characters"),
    ("session/list", f'{{"query": "{LONG}"}}', "query", "a string of at most 16384 characters"),
    ("recap/get", f'{{"currentPrompt": "{"a" * 262_145}"}}', "currentPrompt", "a string of at most 262144 characters"),
    (
        "recapd/discover",
        f'{{"roots": [{{"path": "/a"}}, {{"path": "/b", "agent": "{LONG}"}}]}}',
        "roots[1].agent",
        "a string of at most 16384 characters",
    ),
    (
        "context/assemble",
        f'{{"maxTokens": 9, "include": [{", ".join(["0"] * 1_001).replace("0", chr(34) * 2)}]}}',
        "include",
        "an array of at most 1000 elements",
    ),
    ("recap/get", '{"format": "tiny"}', "format", "one of decisions, full, resume, short, timeline"),
    ("recap/get", '{"maxTokens": 0}', "maxTokens", "an integer of at least 1"),
    ("recap/get", '{"maxTokens": "many"}', "maxTokens", "an integer of at least 1"),
    ("recap/get", '{"force": "yes"}', "force", "true or false"),
    (
        "recap/get",
        '{"session": {}}',
        "session",
        "an object with exactly one of id, log, workspace, or both of agent, agentSessionId",
    ),
    (
        "recap/get",
        '{"session": {"id": "a", "log": "b"}}',
        "session",
        "an object with exactly one of id, log, workspace, or both of agent, agentSessionId",
    ),
    ("recap/get", '{"session": {"id": 7}}', "session.id", "a string"),
    ("recap/get", '{"session": "a"}', "session", "an object"),
    ("recap/get", '{"since": {"time": "yesterday"}}', "since.time", "an RFC 3339 time such as 2026-01-31T09:30:00Z"),
    ("recap/get", '{"since": {"turn": -1}}', "since.turn", "an integer of at least 0"),
    (
        "recap/get",
        '{"since": {"turn": 1, "cursor": "c"}}',
        "since",
        "an object with exactly one of turn, time, cursor, consumer",
    ),
    ("recap/get", "[]", "", "an object"),
    ("recap/get", '"short"', "", "an object"),
    ("context/assemble", "{}", "maxTokens", "an integer of at least 1"),
    ("context/assemble", "null", "maxTokens", "an integer of at least 1"),
    ("context/assemble", "", "maxTokens", "an integer of at least 1"),
    ("context/assemble", '{"maxTokens": 9, "include": ["files", 3]}', "include[1]", "a string"),
    ("context/assemble", '{"maxTokens": 9, "include": "files"}', "include", "an array, each element a string"),
    (
        "context/assemble",
        '{"maxTokens": 9, "window": {"unit": "words", "size": 1}}',
        "window.unit",
        "one of exchanges, messages, tokens",
    ),
    ("decisions/list", '{"minConfidence": 1.5}', "minConfidence", "a number from 0 to 1"),
    ("ref/resolve", '{"ref": {"source": "file:///a"}}', "ref.generation", "a string"),
    (
        "ref/resolve",
        '{"ref": {"source": "file:///a", "generation": "g", "line": 1, "byteOffset": 0, "byteLength": -1}}',
        "ref.byteLength",
        "an integer of at least 0",
    ),
    ("session/list", '{"workspace": ["/a", "file:///a%00b"]}', "workspace[1]", NO_NUL),
    ("recapd/watch", r'{"workspace": "/a\u0000b"}', "workspace", NO_NUL),
    (
        "session/list",
        '{"workspace": 7}',
        "workspace",
        f"a string or an array, each element {NO_NUL}",
    ),
    ("recap/get", r'{"session": {"log": "\u0000"}}', "session.log", "a path or file URI, without NUL characters"),
    (
        "recap/subscribe",
        '{"subscriptionId": "s", "selector": {}}',
        "selector",
        "an object with exactly one of session, workspace, all",
    ),
    (
        "recap/subscribe",
        '{"subscriptionId": "s", "selector": {"session": {"id": 1}}}',
        "selector.session.id",
        "a string",
    ),
    (
        "recap/subscribe",
        '{"subscriptionId": "s", "selector": {"session": 1}}',
        "selector.session",
        "an object or a string",
    ),
]


@pytest.mark.parametrize(("method", "raw", "path", "expected"), BAD)
def test_bad_params_name_the_bad_field(method: str, raw: str, path: str, expected: str) -> None:
    row = lookup(method)
    assert row is not None
    with pytest.raises(RecapError) as caught:
        decode_params(row, raw.encode())
    assert caught.value.code == INVALID_PARAMS
    assert caught.value.data == InvalidParamsData(retryable=False, path=path, expected=expected)
    assert (path or "params") in caught.value.message


def path_fields(found: inspect.Type, field: str = "") -> Iterator[str]:
    """Fields whose type is that of a path, wherever they stand."""
    match found:
        case inspect.Metadata(type=inner) | inspect.VarTupleType(item_type=inner):
            yield from path_fields(inner, field)
        case inspect.UnionType(types=members):
            for each in members:
                yield from path_fields(each, field)
        case inspect.StructType(fields=fields):
            for inside in fields:
                yield from path_fields(inside.type, f"{field}.{inside.name}".lstrip("."))
        case inspect.StrType(pattern=pattern) if pattern is not None and "%00" in pattern:
            yield field


@pytest.mark.parametrize("row", METHODS, ids=lambda row: row.name)
def test_the_table_names_every_field_that_holds_a_path(row: Method) -> None:
    assert sorted(row.paths) == sorted(set(path_fields(inspect.type_info(row.params))))


REF = '{"source": "/r", "generation": "g", "line": 1, "byteOffset": 0, "byteLength": 1}'
PATHS = [
    ("recap/get", '{"session": {"log": "/a"}, "cwd": "/b"}', {"session.log": "/a", "cwd": "/b"}),
    ("recap/get", '{"session": {"id": "a"}}', {}),
    ("recap/get", "{}", {}),
    (
        "ref/resolve",
        f'{{"ref": {REF}, "session": {{"workspace": "/w"}}}}',
        {"ref.source": "/r", "session.workspace": "/w"},
    ),
    ("session/overview", '{"workspace": "/w"}', {"workspace": "/w"}),
    ("recap/subscribe", '{"subscriptionId": "s", "selector": {"session": "/a"}}', {}),
    (
        "recap/subscribe",
        '{"subscriptionId": "s", "selector": {"session": {"log": "/a"}}}',
        {"selector.session.log": "/a"},
    ),
    ("recapd/discover", '{"roots": [{"path": "/a"}]}', {"roots.path": "/a"}),
]


@pytest.mark.parametrize(("method", "raw", "paths"), PATHS)
def test_the_paths_that_a_request_names_are_found(method: str, raw: str, paths: dict[str, str]) -> None:
    row = lookup(method)
    assert row is not None
    assert dict(paths_in(row, decode_params(row, raw.encode()))) == paths


def test_every_root_of_a_client_is_found() -> None:
    row = lookup("recapd/discover")
    assert row is not None
    roots = types.RecapdDiscoverParams(roots=(types.LogRoot(path="/a"), types.LogRoot(path="/b")))
    assert list(paths_in(row, roots)) == [("roots.path", "/a"), ("roots.path", "/b")]


@pytest.mark.parametrize("raw", [b'{"format": "short"', b'{"cwd": "\xff"}', b"short"])
def test_params_that_are_not_json_are_a_parse_error(raw: bytes) -> None:
    with pytest.raises(RecapError) as caught:
        decode_as(types.RecapGetParams, raw)
    assert caught.value.code == PARSE_ERROR


@pytest.mark.parametrize("raw", [b"", b"null", b"{}", b'{"session": null, "fieldOfTheFuture": [1]}'])
def test_absent_null_and_unknown_params_are_accepted(raw: bytes) -> None:
    assert decode_as(types.RecapGetParams, raw) == types.RecapGetParams()


@pytest.mark.parametrize(
    ("raw", "selected"),
    [
        (b'{"subscriptionId": "s", "selector": {"session": "a"}}', "a"),
        (b'{"subscriptionId": "s", "selector": {"session": {"id": "a"}}}', types.SessionSelector(id="a")),
    ],
)
def test_a_subscription_takes_a_bare_session_id(raw: bytes, selected: str | types.SessionSelector) -> None:
    assert decode_as(types.RecapSubscribeParams, raw).selector.session == selected


@pytest.mark.parametrize("time", ["2026-01-31T09:30:00Z", "2026-01-31T09:30:00.123456Z", "2026-01-31T10:30:00+01:00"])
def test_a_request_may_use_any_offset(time: str) -> None:
    decoded = decode_as(types.RecapGetParams, msgspec.json.encode({"since": {"time": time}}))
    assert decoded.since == types.Since(time=time)


def test_a_reader_accepts_enum_values_it_does_not_know() -> None:
    raw = b'{"sessionId": "s", "revision": 1, "sections": ["files", "sectionOfTheFuture"]}'
    assert msgspec.json.decode(raw, type=types.SessionChange).sections == ("files", "sectionOfTheFuture")
