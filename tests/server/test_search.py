"""`search`: words in everything that was said, with the line that has them; with an index, and without one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.retrieval import in_order, line_with, query_of
from recapd.core.retrieval.lines import Found
from recapd.daemon.library import Library
from recapd.server.methods.dispatch import answer
from recapd.wire.errors import CURSOR_EXPIRED, INVALID_PARAMS, RecapError
from recapd.wire.types import SearchResult, SessionListResult
from tests.support.kept import kept_daemon
from tests.support.logs import LOGS, agent, ask, claude_log, codex_log, edit, human, pause, pi_log, shell
from tests.support.secrets import secrets

pytestmark = pytest.mark.anyio

SECRET = next(each.text for each in secrets(3) if each.kind == "github-oauth")
# Said in the middle of a conversation, of a message, or of code.
BREAD = (
    human("Start"),
    agent("Yes?"),
    human("Bake the sourdough bread\nwith rye flour and a long rest"),
    agent("I look at the oven first."),
    shell("oven --preheat 240", "ok"),
    agent("It rises slowly.\n\n```\nbake --steam --minutes 45\n```\n\nThe crust is dark."),
    ask("Which flour?", "Rye and spelt"),
    edit("/home/dev/shop/recipes/loaf.py"),
    agent("Done."),
)
CAKE = (human("Start"), agent("Yes?"), human("蛋糕要烤多久"), agent("四十分钟。"), agent("The oven is hot."))
OLD = (human("Clean the oven with rye vinegar"), agent("Flour was everywhere."))

QUERIES: list[tuple[str, list[tuple[str, str, str]]]] = [
    ("sourdough", [("bread", "user", "Bake the sourdough bread")]),
    ("SOUR brea", [("bread", "user", "Bake the sourdough bread")]),
    ("steam", [("bread", "agent", "bake --steam --minutes 45")]),
    ("look at the oven", [("bread", "agent", "I look at the oven first.")]),
    ("spelt", [("bread", "answer", "Rye and spelt")]),
    ("loaf", [("bread", "file", "/home/dev/shop/recipes/loaf.py")]),
    ("preheat", [("bread", "command", "oven --preheat 240")]),
    ("烤多久", [("cake", "user", "蛋糕要烤多久")]),
    ("分钟", [("cake", "agent", "四十分钟。")]),
    ("nobody said this", []),
    ('"; DROP TABLE texts --', []),
    ("?!", []),
    ("NEAR(sourdough, 3)", []),
]


def write_logs(folder: Path) -> list[Path]:
    folder.mkdir(exist_ok=True)
    logs = {
        "old.jsonl": codex_log(*OLD, session="old"),
        "cake.jsonl": pi_log(pause(86_400 * 90), *CAKE, session="cake"),
        "bread.jsonl": claude_log(pause(86_400 * 91), *BREAD, session="bread"),
    }
    for name, data in logs.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in logs]


def search_here(folder: Path, **params: object) -> SearchResult:
    found = answer(Library([folder], environ={}), "search", json.dumps(params).encode())
    assert isinstance(found, SearchResult)
    return found


def told(found: SearchResult) -> list[tuple[str, str, str]]:
    return [(hit.session_id.partition(":")[2], hit.kind, hit.text) for hit in found.hits if not hit.partial]


@pytest.mark.parametrize(("query", "expected"), QUERIES)
def test_found_without_a_daemon(query: str, expected: list[tuple[str, str, str]], tmp_path: Path) -> None:
    write_logs(tmp_path / "logs")
    assert told(search_here(tmp_path / "logs", query=query)) == expected


async def test_found_by_the_daemons_index_and_still_after_it_grew_and_restarted(tmp_path: Path) -> None:
    paths = write_logs(tmp_path / "logs")
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*paths)
        await running.save()
        for query, expected in QUERIES:
            found = await running.ask("search", query=query)
            assert isinstance(found, SearchResult)
            assert told(found) == expected, query
        with paths[2].open("ab") as log:
            log.write(claude_log(*BREAD, human("Now with walnuts"), session="bread").splitlines(keepends=True)[-1])
        await running.until_equal(*paths)
        await running.save()
        found = await running.ask("search", query="walnuts")
        assert isinstance(found, SearchResult)
        assert told(found) == [("bread", "user", "Now with walnuts")]
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*paths)
        again = await running.ask("search", query="walnuts")
        assert isinstance(again, SearchResult)
        assert again.hits == found.hits


async def test_sessions_are_found_by_what_was_said_where_nothing_is_kept_on_disk(tmp_path: Path) -> None:
    paths = write_logs(tmp_path / "logs")
    async with kept_daemon(tmp_path, keeps=False) as running:
        await running.until(lambda: len(running.shown()) == len(paths))
        await running.until_indexed()
        for query, expected in (("spelt rye", ["bread"]), ("分钟", ["cake"]), ("nobody said this", [])):
            found = await running.ask("session/list", query=query)
            assert isinstance(found, SessionListResult)
            assert [row.id.partition(":")[2] for row in found.sessions] == expected, query


async def test_the_best_comes_first_and_every_session_is_heard(tmp_path: Path) -> None:
    """In a row before apart, all words before some, lately said before long ago."""
    paths = write_logs(tmp_path / "logs")
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*paths)
        await running.save()
        for ask_ in (lambda query: running.ask("search", query=query), None):
            found = {
                query: await ask_(query) if ask_ is not None else search_here(tmp_path / "logs", query=query)
                for query in ("the oven", "rye flour", "oven")
            }
            in_a_row, rye, oven = (found[query] for query in ("the oven", "rye flour", "oven"))
            assert isinstance(in_a_row, SearchResult) and isinstance(rye, SearchResult)
            assert isinstance(oven, SearchResult)
            assert {hit.text for hit in in_a_row.hits if not hit.partial} >= {
                "The oven is hot.",
                "I look at the oven first.",
                "Clean the oven with rye vinegar",
            }
            # In the old session both were said, but not in one message.
            assert [(hit.session_id, bool(hit.partial)) for hit in rye.hits] == [
                ("claude-code:bread", False),
                ("codex:old", True),
            ]
            assert {hit.session_id for hit in oven.hits} == {"claude-code:bread", "pi:cake", "codex:old"}
            assert oven.hits[-1].session_id == "codex:old"


def test_a_workspace_narrows_and_pages_join(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for number in range(12):
        where = f"/home/dev/{'shop' if number % 2 else 'mill'}"
        log = claude_log(human(f"Count the apples, part {number}"), agent("Seven."), session=f"s{number}", cwd=where)
        (folder / f"{number}.jsonl").write_bytes(log)
    assert len(search_here(folder, query="apples").hits) == 12
    shop = search_here(folder, query="apples", workspace="/home/dev/shop").hits
    assert {hit.session_id for hit in shop} == {f"claude-code:s{number}" for number in range(1, 12, 2)}
    pages = [search_here(folder, query="apples", limit=5)]
    while (cursor := pages[-1].next_cursor) is not None:
        pages.append(search_here(folder, query="apples", limit=5, cursor=cursor))
    assert [hit for page in pages for hit in page.hits] == list(search_here(folder, query="apples", limit=100).hits)
    for params, code in (({"cursor": "turn:1"}, CURSOR_EXPIRED), ({"query": ""}, INVALID_PARAMS)):
        with pytest.raises(RecapError) as error:
            search_here(folder, **{"query": "apples", **params})
        assert error.value.code == code


@pytest.mark.parametrize("agent_name", LOGS)
async def test_secrets_are_neither_told_nor_found(agent_name: str, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    path = folder / "s.jsonl"
    nasty = f"use {SECRET} for the \x1b[31mrelease\u202e, and push"
    path.write_bytes(LOGS[agent_name](human(nasty), agent("Done.")))
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)
        await running.save()
        for query in ("release push", SECRET, SECRET[4:14]):
            found = await running.ask("search", query=query)
            assert isinstance(found, SearchResult)
            assert found == search_here(folder, query=query)
            assert len(found.hits) == (query == "release push")
            assert all(SECRET not in hit.text and hit.text.isprintable() for hit in found.hits)


@pytest.mark.parametrize("agent_name", LOGS)
async def test_the_middle_of_a_very_long_message_is_found_too(agent_name: str, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    path = folder / "s.jsonl"
    middle = f"the quince jelly sets at night\ntoken: {SECRET}\n"
    pasted = "Look at this:\n" + "plain words\n" * 1_000 + middle + "more plain words\n" * 1_000
    path.write_bytes(LOGS[agent_name](human(pasted), agent("I see."), human("Thanks")))
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)
        await running.save()
        for query, texts in (("quince jelly", ["the quince jelly sets at night"]), (SECRET, []), ("quince pear", [])):
            found = await running.ask("search", query=query)
            assert isinstance(found, SearchResult)
            assert [hit.text for hit in found.hits] == texts
            assert found == search_here(folder, query=query)
        (hit,) = search_here(folder, query="words quince").hits
        assert (hit.turn, hit.kind, hit.partial) == (1, "user", None)


@pytest.mark.parametrize("limit", [1, 2, 3, 4])
async def test_a_full_page_hides_nothing_that_long_messages_have(limit: int, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    path = folder / "s.jsonl"
    pasted = [f"Paste {n}:\n" + "plain\n" * 2_000 + f"quince {n}\n" + "plain\n" * 2_000 for n in range(3)]
    path.write_bytes(claude_log(human("quince jam"), agent("quince pie"), *map(human, pasted)))
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)
        await running.save()
        cursor, texts, pages = None, list[str](), 0
        while cursor is not None or not pages:
            found = await running.ask("search", query="quince", limit=limit, cursor=cursor)
            assert isinstance(found, SearchResult)
            assert found == search_here(folder, query="quince", limit=limit, cursor=cursor)
            texts += [hit.text for hit in found.hits]
            cursor, pages = found.next_cursor, pages + 1
        assert sorted(texts) == ["quince 0", "quince 1", "quince 2", "quince jam", "quince pie"]
        assert pages == -(-len(texts) // limit)


WORDS = ("mill", "shop", "apple", "rye", "oven", "flour", "bread", "crust", "yeast")


@given(
    messages=st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=30).map(" ".join), min_size=1, max_size=12),
    query=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
)
def test_every_hit_stands_at_its_ref_and_nothing_is_missed(
    tmp_path_factory: pytest.TempPathFactory, messages: list[str], query: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    acts = [human(text) if number % 2 == 0 else agent(text) for number, text in enumerate(messages)]
    (folder / "s.jsonl").write_bytes(claude_log(*acts))
    lines = (folder / "s.jsonl").read_bytes().split(b"\n")
    found = search_here(folder, query=" ".join(query), limit=100).hits
    for hit in found:
        logged = lines[hit.ref.line - 1]
        assert len(logged) == hit.ref.byte_length
        assert hit.text.strip("… ").encode() in logged
    expected = [number + 1 for number, text in enumerate(messages) if set(query) <= set(text.split())]
    assert sorted(hit.ref.line for hit in found if not hit.partial) == expected


@given(text=st.text(max_size=400), query=st.text(max_size=40))
def test_a_line_is_shown_whatever_it_is(text: str, query: str) -> None:
    assert len(line_with(text, query_of(query))) <= 210


def test_one_session_does_not_crowd_out_the_others() -> None:
    crowd = [Found("a", "2026-03-01T09:00:00.000Z", 10.0 - number / 10) for number in range(5)]
    ranked = in_order([*crowd, Found("b", "2026-03-01T09:00:00.000Z", 6.0)])
    assert [each.session for each in ranked][:2] == ["a", "b"]
