"""Editors: `initialize` and what follows it, and what we lean on in pygls."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from recapd import __version__
from recapd.server.transport.limits import Peer
from recapd.wire import errors
from recapd.wire.types import RecapdDidChangeStatusParams, RecapGetResult, ServerBlock, SessionListResult
from recapd.wire.types.base import PROTOCOL_VERSION
from tests.support.fake_backend import FakeBackend, backend_of, client_of, session_id
from tests.support.logs import CWD
from tests.support.wire_client import Refusal, WireClient

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parent.parent.parent
BLOCK = {"recapd": {"protocolVersions": [PROTOCOL_VERSION], "roots": [{"path": "/elsewhere", "agent": "codex"}]}}


class Capabilities(Struct, rename="camel"):
    workspace_symbol_provider: dict[str, bool]
    text_document_sync: dict[str, object]
    experimental: dict[str, ServerBlock]
    execute_command_provider: dict[str, tuple[str, ...]] | None = None
    hover_provider: object = None
    document_symbol_provider: object = None
    completion_provider: object = None


class Initialized(Struct, rename="camel"):
    capabilities: Capabilities
    server_info: dict[str, str]


class Symbol(Struct, rename="camel"):
    name: str
    kind: int
    location: dict[str, object]
    container_name: str = ""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def backend(tmp_path: Path) -> FakeBackend:
    return backend_of(tmp_path, sessions=3)


def initialize(**fields: object) -> dict[str, object]:
    return {"processId": None, "rootUri": None, "capabilities": {}, **fields}


async def test_initialize(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        params = initialize(
            clientInfo={"name": "an editor"},
            capabilities={
                "general": {"positionEncodings": ["utf-8", "utf-16"]},
                "textDocument": {"hover": {"contentFormat": ["markdown"]}, "synchronization": {"willSave": True}},
                "experimental": {"another": 7, **BLOCK},
            },
        )
        result = await client.request("initialize", params, Initialized)
        assert result.server_info == {"name": "recapd", "version": __version__}
        block = result.capabilities.experimental["recapd"]
        assert (block.protocol_version, block.features) == (PROTOCOL_VERSION, ("subscriptions",))
        assert block.instance_id == backend.service.instance_id
        # Only what works is advertised, and the text of open documents is none of our business.
        # An extension registers commands itself, and an editor takes each name once.
        assert result.capabilities.execute_command_provider is None
        assert result.capabilities.text_document_sync == {"openClose": False, "change": 0}
        assert result.capabilities.hover_provider is None
        assert result.capabilities.document_symbol_provider is None
        assert result.capabilities.completion_provider is None
        assert [root.path for root in backend.roots] == ["/elsewhere"]
        await client.notify("initialized", {})
        await client.notify("textDocument/didOpen", {"textDocument": {"uri": "file:///a", "text": "secret"}})
        await client.notify("$/setTrace", {"value": "verbose"})
        assert (await client.refused("initialize", params)).code == errors.INVALID_REQUEST
        assert await client.request("shutdown") is None
        await client.notify("exit")
        await client.expect_end()


@pytest.mark.parametrize("experimental", [None, True, 7, "x", [], {}, {"recapd": None}, {"recapd": {"newer": [1]}}])
async def test_any_experimental_capabilities(backend: FakeBackend, experimental: object) -> None:
    async with client_of(backend) as client:
        params = initialize(capabilities={"experimental": experimental})
        await client.request("initialize", params, Initialized)


@pytest.mark.parametrize(
    ("params", "code", "path"),
    [
        ({"capabilities": {"experimental": {"recapd": 7}}}, errors.INVALID_PARAMS, ""),
        ({"capabilities": {"experimental": {"recapd": {"roots": [{}]}}}}, errors.INVALID_PARAMS, "roots[0].path"),
        (
            {"capabilities": {"experimental": {"recapd": {"protocolVersions": ["1999-01-01"]}}}},
            errors.UNSUPPORTED_PROTOCOL,
            None,
        ),
        ({"capabilities": {"workspace": 7}}, errors.INVALID_PARAMS, "capabilities.workspace"),
        ({"processId": "x", "capabilities": {}}, errors.INVALID_PARAMS, "processId"),
        ({}, errors.INVALID_PARAMS, "capabilities"),
        (None, errors.INVALID_PARAMS, ""),
    ],
)
async def test_refused_initialize_may_be_sent_again(
    backend: FakeBackend, params: object, code: int, path: str | None
) -> None:
    async with client_of(backend) as client:
        answer = await client.answer(await client.send("initialize", params))
        raw = msgspec.json.encode(answer.error)
        assert getattr(answer.error, "code", None) == code, raw
        if path is not None:
            assert f"`{path}`" in getattr(answer.error, "message", "") or not path
        assert (await client.refused("workspace/symbol", {"query": ""})).code == errors.SERVER_NOT_INITIALIZED
        await client.request("initialize", initialize(), Initialized)


async def test_connection_remembers_the_workspace(backend: FakeBackend, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    here, there = {"uri": f"file://{CWD}", "name": "shop"}, {"uri": other.as_uri(), "name": "other"}
    async with client_of(backend) as client:
        await client.request("initialize", initialize(rootUri=there["uri"], workspaceFolders=[here]))
        recap = await client.request("recap/get", None, RecapGetResult)
        assert recap.session_id == session_id(3)
        # Nobody has worked in the other folder, and to name a session or a folder goes first.
        await client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [there], "removed": [here]}})
        await client.notify("workspace/didChangeWorkspaceFolders", {"event": 7})
        assert (await client.refused("recap/get")).code == errors.SESSION_NOT_FOUND
        await client.request("recap/get", {"cwd": CWD})
        await client.request("recap/get", {"session": {"id": session_id(1)}})


async def test_every_folder_of_the_editor_counts(backend: FakeBackend, tmp_path: Path) -> None:
    empty, shop = {"uri": tmp_path.as_uri(), "name": "empty"}, {"uri": f"file://{CWD}", "name": "shop"}
    async with client_of(backend) as client:
        await client.request("initialize", initialize(workspaceFolders=[empty, shop]))
        assert (await client.request("recap/get", None, RecapGetResult)).session_id == session_id(3)
        named = {"workspace": [str(tmp_path), CWD]}
        assert len((await client.request("session/list", named, SessionListResult)).sessions) == 3
        assert not (await client.request("session/list", {"workspace": [str(tmp_path)]}, SessionListResult)).sessions
        assert (await client.refused("session/list", {"workspace": "/a\0b"})).code == errors.INVALID_PARAMS
        assert (await client.refused("recap/get", {"cwd": ["/a", "file:///a%00b"]})).code == errors.INVALID_PARAMS


@pytest.mark.parametrize("root", [{"rootUri": f"file://{CWD}"}, {"rootPath": CWD}])
async def test_root_is_the_workspace(backend: FakeBackend, root: dict[str, str]) -> None:
    async with client_of(backend) as client:
        await client.request("initialize", initialize(**root))
        assert (await client.request("recap/get", None, RecapGetResult)).session_id == session_id(3)


async def test_initialize_over_tcp_adds_no_roots(backend: FakeBackend) -> None:
    peer = Peer(transport="tcp", token="a-token-for-tests")
    async with client_of(backend, peer=peer) as client:
        await client.request("recapd/authenticate", {"token": peer.token})
        await client.request("initialize", initialize(capabilities={"experimental": BLOCK}), Initialized)
    assert backend.roots == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", (3, 2, 1)),
        ("parser", (3, 2, 1)),
        ("PARSER 2", (2,)),
        ("fxprsr2", (2,)),
        ("shop claude", (3, 2, 1)),
        ("elephant", ()),
    ],
)
async def test_sessions_are_symbols(backend: FakeBackend, query: str, found: tuple[int, ...]) -> None:
    async with client_of(backend) as client:
        await client.request("initialize", initialize())
        symbols = await client.request("workspace/symbol", {"query": query}, list[Symbol])
        assert [symbol.name for symbol in symbols] == [f"fix parser {number}" for number in found]
        if symbols:
            assert symbols[0].container_name.startswith("shop · claude-code · 2026-03-01")
            assert symbols[0].location["uri"] == (backend.folder / f"session-{found[0]}.jsonl").as_uri()
        assert (await client.refused("workspace/symbol", {})).code == errors.INVALID_PARAMS


async def command(client: WireClient, name: str, *arguments: object) -> dict[str, object]:
    params = {"command": name, "arguments": arguments}
    return await client.request("workspace/executeCommand", params, dict[str, object])


async def test_commands(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        await client.request("initialize", initialize(capabilities={"experimental": BLOCK}))
        for arguments in ((session_id(1),), ({"session": {"id": session_id(1)}, "format": "full"},)):
            shown = await command(client, "recapd.showRecap", *arguments)
            assert shown["sessionId"] == session_id(1)
            assert "fix parser 1" in str(shown["markdown"])
        assert (await command(client, "recapd.copyContext"))["sessionId"] == session_id(3)
        for name, argument, path in (
            ("recapd.sing", None, "command"),
            ("recapd.showRecap", 7, "arguments[0]"),
            ("recapd.showRecap", {"format": "song"}, "format"),
        ):
            with pytest.raises(Refusal, match="must be") as refused:
                await command(client, name, argument)
            assert f"`{path}`" in refused.value.error.message


# What `recapd connect` adds for any editor.
ADDED = {"recapdConnect": {"roots": [{"agent": "codex", "path": "/elsewhere"}]}}


@pytest.mark.parametrize("experimental", [None, ADDED])
async def test_editor_without_extension_is_shown_the_recap(backend: FakeBackend, experimental: object) -> None:
    async with client_of(backend) as client:
        told = await client.request("initialize", initialize(capabilities={"experimental": experimental}), Initialized)
        commands = told.capabilities.execute_command_provider
        assert commands is not None
        assert commands["commands"] == ("recapd.showRecap", "recapd.copyContext")
        assert [root.path for root in backend.roots] == (["/elsewhere"] if experimental else [])
        await command(client, "recapd.showRecap")
        shown = await client.expect_notification("window/showMessage", dict[str, object])
        assert "fix parser 3" in str(shown["message"])


@pytest.mark.parametrize("has_extension", [True, False])
async def test_only_an_extension_is_told_of_status(backend: FakeBackend, has_extension: bool) -> None:
    async with client_of(backend) as client:
        await client.request("initialize", initialize(capabilities={"experimental": BLOCK if has_extension else None}))
        backend.mailboxes[0].put("status", RecapdDidChangeStatusParams(health="ok", quiescent=True))
        await client.request("recap/get")
        if has_extension:
            await client.expect_notification("recapd/didChangeStatus", RecapdDidChangeStatusParams)


# ---- pygls


def test_pygls_is_not_imported_before_an_editor_comes() -> None:
    code = "import sys, recapd.server.transport.connection; print('pygls' in sys.modules, 'lsprotocol' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=sys.path[0] or "."
    )
    assert done.stdout.split() == ["False", "False"]


def test_pygls_is_set_up_once_however_many_threads_ask_for_it() -> None:
    """Two that set it up at a time stumble over each other in lsprotocol, and an editor goes without an answer."""
    code = """
import threading, time
from concurrent.futures import ThreadPoolExecutor
import pygls.protocol
from recapd.server.transport.connection import _load_editor

made, make, everybody = [], pygls.protocol.default_converter, threading.Barrier(8)

def make_slowly():
    made.append(make())
    time.sleep(0.2)
    return made[-1]

def load():
    everybody.wait()
    _load_editor()

pygls.protocol.default_converter = make_slowly
with ThreadPoolExecutor(8) as pool:
    for _ in range(8):
        pool.submit(load)
print(len(made))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == ["1"]


def test_what_we_lean_on_in_pygls() -> None:
    """pygls 2.1.1 keeps no promise about these; an upgrade that breaks them fails here and nowhere else."""
    from lsprotocol import types

    from recapd.server.transport.lsp import editor as lsp

    written: list[bytes] = []
    server = lsp._Server("recapd", "1", protocol_cls=lsp._Protocol, converter_factory=lsp.converter)
    protocol = server.protocol

    def write(body: bytes) -> bool:
        written.append(body)
        return True

    protocol.set_writer(lsp._Writer(write), include_headers=False)

    @server.feature(types.WORKSPACE_SYMBOL)
    async def symbols(params: types.WorkspaceSymbolParams) -> None: ...

    @server.command("a.command")
    async def a_command(arguments: list[object]) -> None: ...

    # Handlers come back as they were registered, for us to run.
    assert protocol.fm.features == {types.WORKSPACE_SYMBOL: symbols}
    assert protocol.fm.commands == {"a.command": a_command}
    # `initialize` is a generator that runs through without waiting, and writes nothing by itself.
    params = types.InitializeParams(capabilities=types.ClientCapabilities())
    result = lsp._result_of(protocol.lsp_initialize(params))
    assert protocol.fm.builtin_features[types.INITIALIZE] == protocol.lsp_initialize
    capabilities = lsp.converter().unstructure(result)["capabilities"]
    assert capabilities["executeCommandProvider"] == {"commands": ["a.command"]}
    assert capabilities["workspaceSymbolProvider"] == {"resolveProvider": False}
    assert written == []
    # Folders are kept in order, by URI.
    folder = types.WorkspaceFolder(uri="file:///a", name="a")
    event = types.WorkspaceFoldersChangeEvent(added=[folder], removed=[])
    change = types.DidChangeWorkspaceFoldersParams(event=event)
    lsp._result_of(protocol.lsp_workspace__did_change_workspace_folders(change))
    assert list(protocol.workspace.folders.values()) == [folder]
    # A notification is one body without a header, in LSP's spelling.
    server.window_show_message(types.ShowMessageParams(type=types.MessageType.Info, message="hello"))
    (body,) = written
    message = {"type": 3, "message": "hello"}
    assert msgspec.json.decode(body) == {"jsonrpc": "2.0", "method": "window/showMessage", "params": message}
    # `exit` ends nothing, errors pop up nowhere, and bodies are not logged.
    assert protocol.fm.builtin_features[types.EXIT]() is None
    server.report_server_error(RuntimeError("x"), RuntimeError)
    assert len(written) == 1
    assert not logging.getLogger("pygls.protocol.json_rpc").isEnabledFor(logging.INFO)
