"""Documents in editors without an extension, by the capabilities that real editors state, over a real server."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from msgspec import Raw

from recapd.core.views.outline import OutlineRow
from recapd.daemon.memories import Memories
from recapd.daemon.snapshot import Snapshot
from recapd.server import outlines
from recapd.server.outlines import Outline
from recapd.server.transport.lsp.documents import Documents
from recapd.wire.types import SessionParams, SessionSelector
from tests.server.test_file_changes import BEGINNING
from tests.server.test_why import log_of
from tests.support.following import FileFollower
from tests.support.logs import agent, at, claude_log, human, write

pytest_lsp = pytest.importorskip("pytest_lsp", reason="pip install -e '.[test]' brings it")

ROOT = Path(__file__).parent.parent.parent
EDITORS = ["neovim@0.10", "neovim@0.11", "visual_studio_code", "emacs"]
# A line with letters that are one, two and four bytes in UTF-8, and one or two units in UTF-16.
TURNS = "- 🦃é asked in turn 1, see `shop.py`"


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 60))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a source file, its `_recap.md`, and the log of the session that wrote it just now."""
    (tmp_path / "logs").mkdir()
    work = tmp_path / "work"
    work.mkdir()
    source = work / "shop.py"
    source.write_text(BEGINNING)
    (work / "_recap.md").write_text(f"# Recap\n\n## Done\n{TURNS}\n\n## Open\n", encoding="utf-8")
    acts = (human("Open the shop. Use integers for prices, never floats."), write(str(source)), agent("Done."))
    log_of(tmp_path / "logs", "s", *acts, texts=[("", BEGINNING)], path=str(source), cwd=str(work), minutes_ago=180)
    return tmp_path


@asynccontextmanager
async def editor(home: Path, name: str) -> AsyncIterator[Any]:
    client = pytest_lsp.make_test_lsp_client()
    own = {"HOME": str(home), "RECAPD_RUNTIME_DIR": str(home / "run"), "RECAPD_STATE_DIR": str(home / "state")}
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **own}
    command = (sys.executable, "-m", "recapd", "serve", "--stdio", "--root", str(home / "logs"))
    await client.start_io(*command, env=env)
    capabilities = pytest_lsp.client_capabilities(name)
    folder = types.WorkspaceFolder(uri=(home / "work").as_uri(), name="work")
    params = types.InitializeParams(capabilities=capabilities, workspace_folders=[folder], root_uri=folder.uri)
    result = await client.initialize_session(params)
    client.recapd_encoding = str(result.capabilities.position_encoding or "utf-16").rpartition(".")[2].lower()
    for _ in range(100):
        listed = await client.workspace_symbol_async(types.WorkspaceSymbolParams(query="shop"))
        if listed:
            break
        await asyncio.sleep(0.05)
    try:
        yield client
    finally:
        await client.shutdown_session()
        await client.stop()


def document(path: Path) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(uri=path.as_uri())


async def hover(client: Any, path: Path, line: int) -> str:
    params = types.HoverParams(text_document=document(path), position=types.Position(line=line, character=0))
    found = await client.text_document_hover_async(params)
    return found.contents.value if found is not None else ""


@pytest.mark.parametrize("name", EDITORS)
def test_a_source_file(home: Path, name: str) -> None:
    async def work() -> None:
        source = home / "work" / "shop.py"
        async with editor(home, name) as client:
            said = await hover(client, source, 2)
            assert said.startswith("**turn 1** · claude-code") and "\nAsked: Open the shop." in said
            assert said.count("\n") <= 2
            (lens,) = await client.text_document_code_lens_async(types.CodeLensParams(text_document=document(source)))
            assert lens.range.start.line == 0 and lens.command.title.startswith("turn 1 · claude")
            # The text as it is typed counts, not that on disk.
            item = types.TextDocumentItem(uri=source.as_uri(), language_id="python", version=1, text=BEGINNING)
            client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
            at = types.Position(line=0, character=0)
            change = types.TextDocumentContentChangePartial(range=types.Range(start=at, end=at), text="# 🦃 by hand\n")
            version = types.VersionedTextDocumentIdentifier(uri=source.as_uri(), version=2)
            client.text_document_did_change(
                types.DidChangeTextDocumentParams(text_document=version, content_changes=[change])
            )
            assert await hover(client, source, 0) == ""
            assert await hover(client, source, 8) == said
            client.text_document_did_close(types.DidCloseTextDocumentParams(text_document=document(source)))
            assert await hover(client, source, 8) == "" and await hover(client, source, 0) == said

    run(work)


@pytest.mark.parametrize("name", EDITORS)
def test_a_log_and_a_recap_file(home: Path, name: str) -> None:
    async def work() -> None:
        log, page = home / "logs" / "s.jsonl", home / "work" / "_recap.md"
        async with editor(home, name) as client:
            symbols = await client.text_document_document_symbol_async(
                types.DocumentSymbolParams(text_document=document(log))
            )
            assert [each.name for each in symbols] == ["1 Open the shop. Use integers for prices, never floats."]
            assert any("integers" in child.name for child in symbols[0].children)
            assert "Open the shop" in await hover(client, log, 1)
            links = await client.text_document_document_link_async(
                types.DocumentLinkParams(text_document=document(log))
            )
            assert [each.target for each in links] == [(home / "work" / "shop.py").as_uri()]

            item = types.TextDocumentItem(
                uri=page.as_uri(), language_id="markdown", version=1, text=page.read_text(encoding="utf-8")
            )
            client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
            outline = await client.text_document_document_symbol_async(
                types.DocumentSymbolParams(text_document=document(page))
            )
            assert [(each.name, [child.name for child in each.children]) for each in outline] == [
                ("Recap", ["Done", "Open"])
            ]
            assert "Open the shop" in await hover(client, page, 3)
            turn, file = await client.text_document_document_link_async(
                types.DocumentLinkParams(text_document=document(page))
            )
            assert turn.target == f"{log.as_uri()}#L1" and file.target == (home / "work" / "shop.py").as_uri()
            # In the units that the editor counts in.
            units, width = {"utf8": ("utf-8", 1), "utf16": ("utf-16-le", 2), "utf32": ("utf-32-le", 4)}[
                client.recapd_encoding.replace("-", "")
            ]
            before = TURNS.partition("turn 1")[0]
            assert turn.range.start.character == len(before.encode(units)) // width

    run(work)


def test_turns_on_a_page_are_those_of_the_session_it_is_of_or_names(home: Path) -> None:
    """As recapd itself writes a `_recap.md`, with a newer session in the same folder."""
    work_folder, logs = home / "work", home / "logs"
    acts = (human("Name the shop"), agent("Fruit & Co."), human("Thanks"), agent("You are welcome."))
    log_of(logs, "later", *acts, texts=[], cwd=str(work_folder), minutes_ago=120)
    ours = "<!-- recapd:recap 1 (generated by recapd, do not edit: it is overwritten)"
    first = f"{ours} session=claude-code:s revision=1 generation=g offset=1 -->"
    page = work_folder / "_recap.md"
    own, other = (
        "- Turn 1: Open the shop.",
        "- **answered**: Name it (turn 2, 2026-03-01 10:00 UTC, `claude-code:later`)",
    )
    page.write_text(f"{first}\n{own}\n{other}\n")

    async def work() -> None:
        async with editor(home, "emacs") as client:
            item = types.TextDocumentItem(
                uri=page.as_uri(), language_id="markdown", version=1, text=page.read_text(encoding="utf-8")
            )
            client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
            assert "Open the shop" in await hover(client, page, 1)
            assert "Thanks" in await hover(client, page, 2)
            links = await client.text_document_document_link_async(
                types.DocumentLinkParams(text_document=document(page))
            )
            assert [(each.range.start.line, each.target) for each in links] == [
                (1, f"{(logs / 's.jsonl').as_uri()}#L1"),
                (2, f"{(logs / 'later.jsonl').as_uri()}#L3"),
            ]

    run(work)


def test_an_outline_is_made_once_until_its_session_changes(home: Path) -> None:
    log = home / "logs" / "s.jsonl"
    more = log.read_text().splitlines()[0].replace("Open the shop.", "Close it.").replace('"uuid":"', '"uuid":"f')
    params = types.DocumentSymbolParams(text_document=document(log))

    async def work() -> None:
        async with editor(home, "emacs") as client:
            first = await client.text_document_document_symbol_async(params)
            assert len(first) == 1 and await client.text_document_document_symbol_async(params) == first
            with log.open("a") as file:
                file.write(more + "\n")
            for _ in range(600):
                if (found := await client.text_document_document_symbol_async(params)) != first:
                    break
                await asyncio.sleep(0.05)
            assert "Close it." in found[-1].name

    run(work)
    # How often it is made.
    asked: list[str] = []
    revisions = iter((7, 7, 8))

    async def outline_of(uri: str) -> Outline:
        asked.append(uri)
        return Outline("s", 7, Raw(b"[]"))

    async def ask(method: str, raw_params: bytes) -> None:
        raise AssertionError

    documents = Documents(ask, outline_of=outline_of, text_of=lambda _: None, revision_of=lambda _: next(revisions))
    for expected in (1, 1, 1, 2):
        asyncio.run(documents.symbols("file:///s.jsonl"))
        assert asked == ["file:///s.jsonl"] * expected


def test_old_files_have_no_lenses_and_pages_are_shown(home: Path) -> None:
    old = (home / "logs" / "s.jsonl").read_text().splitlines()
    lines = [json.loads(line) for line in old]
    for line in lines:
        line["timestamp"] = "2020" + line["timestamp"][4:]
    (home / "logs" / "s.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))

    async def work() -> None:
        source = home / "work" / "shop.py"
        async with editor(home, "neovim@0.11") as client:
            assert (await hover(client, source, 2)).startswith("**turn 1**")
            assert not await client.text_document_code_lens_async(types.CodeLensParams(text_document=document(source)))
            command = types.ExecuteCommandParams(command="recapd.showRecap", arguments=[])
            await client.workspace_execute_command_async(command)
            uris.extend(each.uri for each in client.shown_documents)

    uris: list[str] = []
    run(work)
    path = Path(uris[0].removeprefix("file://"))
    assert "Open the shop" in path.read_text() and path.stat().st_mode & 0o077 == 0


def test_a_log_that_is_too_long_to_be_told_is_passed_over(home: Path) -> None:
    async def work() -> None:
        log = home / "logs" / "s.jsonl"
        async with editor(home, "neovim@0.10") as client:
            item = types.TextDocumentItem(uri=log.as_uri(), language_id="json", version=1, text="x" * (9 << 20))
            client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
            symbols = await client.text_document_document_symbol_async(
                types.DocumentSymbolParams(text_document=document(log))
            )
            assert len(symbols) == 1

    run(work)


def test_of_an_outline_only_rows_that_changed_are_written_down_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []
    write_row = outlines._written

    def counted(row: OutlineRow) -> bytes:
        written.append(row.turn)
        return write_row(row)

    told = claude_log(*(act for turn in range(40) for act in (human(f"Look at part {turn}"), agent("Looked."))))
    lines = told.splitlines(keepends=True)
    log = tmp_path / "s.jsonl"
    follower, memories = FileFollower(log), Memories()
    monkeypatch.setattr(outlines, "_written", counted)
    for end in (60, 62, 80):
        written.clear()
        log.write_bytes(b"".join(lines[:end]))
        follower.settle()
        service = Snapshot(follower.world, instance_id="i", now=lambda: at(3_600), memories=memories)
        found = outlines.outline(service, SessionParams(session=SessionSelector(log=str(log))))
        symbols = json.loads(bytes(found.symbols))
        assert [symbol["name"].split()[0] for symbol in symbols] == [str(turn) for turn in range(1, end // 2 + 1)]
        assert written == list(range({60: 1, 62: 31, 80: 32}[end], end // 2 + 1))
