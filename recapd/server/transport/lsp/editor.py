"""LSP for one editor: `initialize`, capabilities, workspace folders, documents, symbols and commands, by pygls' rules.

pygls decides what LSP means and touches neither the stream nor the loop: the connection reads and writes, runs every
handler in a task of its own, and imports this module, which costs half a second, only when `initialize` arrives.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Awaitable, Callable, Generator, Sequence
from pathlib import Path
from typing import TypeAlias, TypeVar

import cattrs
import msgspec
from lsprotocol import types
from msgspec import Raw, Struct
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from recapd import __version__
from recapd.server.transport.lsp.documents import Documents, OutlineOf, is_log
from recapd.wire.errors import invalid_params, unsupported_protocol
from recapd.wire.methods import FEATURES
from recapd.wire.params import decode_as
from recapd.wire.types import (
    PROTOCOL_VERSION,
    ClientBlock,
    Decision,
    DecisionsListParams,
    DecisionsListResult,
    LogRoot,
    RecapGetResult,
    ServerBlock,
    SessionInfo,
    SessionListParams,
    SessionListResult,
    SessionSelector,
    Wire,
)

# pygls logs every message whole at INFO.
logging.getLogger("pygls").setLevel(logging.WARNING)
log = logging.getLogger(__name__)

# An editor shows a screenful; these are the newest.
MAX_SYMBOLS = 200
# Decisions are looked for in so many of the folder's sessions.
MAX_DECIDED = 5
# As many as a request may name.
MAX_FOLDERS = 64
# What `recapd.copyContext` fills without being told how much.
COPIED_TOKENS = 4_000

# Of one document, and of all that are open: beyond that their text on disk counts. Logs are never kept.
_MAX_TEXT = 2 << 20
_MAX_TEXTS = 16 << 20
# What an extension has of its own; others get them as LSP has them.
_FOR_STOCK_CLIENTS = (
    "hover_provider",
    "code_lens_provider",
    "document_symbol_provider",
    "document_link_provider",
    # An extension has commands of its own, and editors refuse two of a name.
    "execute_command_provider",
)

# Answer a request of the protocol as if this client had sent it; queue a body to be sent, if there is room.
Ask: TypeAlias = Callable[[str, bytes], Awaitable[Wire | None]]
Write: TypeAlias = Callable[[bytes], bool]
# Ask the client something, and say whether it did it; write a page for it to show, in a thread.
AskClient: TypeAlias = Callable[[str, Struct], Awaitable[bool]]
WritePage: TypeAlias = Callable[[str, str], Awaitable[str | None]]
# The revision of a session by its id, None where there is none.
RevisionOf: TypeAlias = Callable[[str], int | None]
T = TypeVar("T")


class _Protocol(LanguageServerProtocol):
    """pygls' protocol of one connection, kept from ending the process and from answering for things we do not do."""

    block: ServerBlock | None = None
    follows_text = False

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: object) -> None:  # type: ignore[override]
        """pygls' own ends the process, and with it everybody else's connection."""

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[object, object, types.InitializeResult]:
        result: types.InitializeResult = yield from super().lsp_initialize(params)
        # An extension asks what it wants to know itself. For others the text of sources is followed as it is typed.
        result.capabilities.text_document_sync = types.TextDocumentSyncOptions(
            open_close=self.follows_text,
            change=types.TextDocumentSyncKind.Incremental if self.follows_text else types.TextDocumentSyncKind.None_,
        )
        result.capabilities.experimental = {"recapd": msgspec.to_builtins(self.block)}
        return result


class _Server(LanguageServer):
    protocol: _Protocol

    def report_server_error(self, error: Exception, source: object) -> None:
        """pygls' own shows a popup."""
        log.error("lsp failed", extra={"type": type(error).__name__})


class _Writer:
    """Where pygls writes: bodies go to the queue that everybody's answers go to, or nowhere if it is full."""

    def __init__(self, write: Write) -> None:
        self._write = write

    def write(self, data: bytes) -> None:
        self._write(data)

    def close(self) -> None:
        pass


# The same for all connections. Made as this module is imported, which Python does once, however many threads ask for
# it: two that make one at a time stumble over each other in what lsprotocol keeps for all of them.
_CONVERTER: cattrs.Converter = default_converter()  # type: ignore[no-untyped-call]


def converter() -> cattrs.Converter:
    return _CONVERTER


class _ShowDocument(Wire, frozen=True, kw_only=True):
    support: bool = False


class _Window(Wire, frozen=True, kw_only=True):
    work_done_progress: bool | None = None
    show_document: _ShowDocument | None = None


class _Capabilities(Wire, frozen=True, kw_only=True):
    window: _Window | None = None
    # Anything at all: other servers' clients keep their own things here.
    experimental: Raw = Raw(b"")


class _Initialize(Wire, frozen=True, kw_only=True):
    """What recapd itself reads of LSP's InitializeParams."""

    capabilities: _Capabilities


class _ShowParams(Wire, frozen=True, kw_only=True):
    uri: str
    take_focus: bool = False


class _Experimental(Wire, frozen=True):
    recapd: Raw = Raw(b"")
    # What `recapd connect` adds for whoever started it: that one need not know recapd.
    recapd_connect: Raw = Raw(b"")


class Editor:
    """One editor that has sent `initialize`."""

    def __init__(
        self,
        *,
        ask: Ask,
        write: Write,
        ask_client: AskClient,
        write_page: WritePage,
        outline_of: OutlineOf,
        revision_of: RevisionOf,
    ) -> None:
        self._ask = ask
        self._ask_client = ask_client
        self._write_page = write_page
        self._documents = Documents(ask, outline_of=outline_of, text_of=self._text_of, revision_of=revision_of)
        # Whether it opens documents that it is asked to show.
        self._shows_documents = False
        self._server = _Server("recapd", __version__, protocol_cls=_Protocol, converter_factory=converter)
        self._server.protocol.set_writer(_Writer(write), include_headers=False)
        self.shows_progress = False
        # What an extension made for recapd says of itself; None for an editor without one.
        self.block: ClientBlock | None = None
        # Folders in which agents of the editor's environment keep their logs.
        self.roots: tuple[LogRoot, ...] = ()
        self._register()

    def initialize(self, raw_params: bytes, *, instance_id: str) -> object:
        """The result of `initialize`, or RecapError."""
        params = _structured(types.InitializeRequest, types.INITIALIZE, raw_params).params
        capabilities = decode_as(_Initialize, raw_params).capabilities
        self.block, added = _client_blocks(capabilities.experimental)
        self.roots = (*(self.block.roots if self.block else ()), *(added.roots if added else ()))
        if self.block and self.block.protocol_versions and PROTOCOL_VERSION not in self.block.protocol_versions:
            raise unsupported_protocol((PROTOCOL_VERSION,))
        self.shows_progress = bool(capabilities.window and capabilities.window.work_done_progress)
        self._server.protocol.block = ServerBlock(
            protocol_version=PROTOCOL_VERSION, instance_id=instance_id, features=FEATURES, version=__version__
        )
        self._shows_documents = bool(
            capabilities.window and capabilities.window.show_document and capabilities.window.show_document.support
        )
        self._server.protocol.follows_text = self.block is None
        result = _result_of(self._server.protocol.lsp_initialize(params))
        if self.block is not None:
            for provider in _FOR_STOCK_CLIENTS:
                setattr(result.capabilities, provider, None)
        return converter().unstructure(result)

    @property
    def folders(self) -> tuple[str, ...]:
        """File URIs of the folders the editor works in."""
        workspace = self._server.protocol.workspace
        folders = tuple(folder.uri for folder in workspace.folders.values())[:MAX_FOLDERS]
        return folders or ((workspace.root_uri,) if workspace.root_uri else ())

    def change_folders(self, raw_params: bytes) -> None:
        method = types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS
        params = _structured(types.DidChangeWorkspaceFoldersNotification, method, raw_params).params
        _result_of(self._server.protocol.lsp_workspace__did_change_workspace_folders(params))

    async def answer(self, method: str, raw_params: bytes) -> object:
        """The result of one of LSP's requests, made of builtins, a wire type or as it is sent, or RecapError."""
        if method == types.WORKSPACE_EXECUTE_COMMAND:
            params = _structured(types.ExecuteCommandRequest, method, raw_params).params
            commands = self._server.protocol.fm.commands
            if params.command not in commands:
                raise invalid_params("command", "one of " + ", ".join(commands))
            return await commands[params.command](params.arguments or ())
        asked: types.WorkspaceSymbolRequest = _structured(types.METHOD_TO_TYPES[method][0], method, raw_params)
        found = await self._server.protocol.fm.features[method](asked.params)
        return found if isinstance(found, Raw) else converter().unstructure(found)

    def follow_document(self, method: str, raw_params: bytes) -> None:
        """The text of a source file as the editor has it; that of a log is let go."""
        if self.block is not None:
            return
        workspace = self._server.protocol.workspace
        if method == types.TEXT_DOCUMENT_DID_CLOSE:
            closed = _structured(types.DidCloseTextDocumentNotification, method, raw_params).params.text_document
            workspace.remove_text_document(closed.uri)
        elif method == types.TEXT_DOCUMENT_DID_OPEN:
            opened = _structured(types.DidOpenTextDocumentNotification, method, raw_params).params.text_document
            if not is_log(opened.uri):
                workspace.put_text_document(opened)
                self._bound_texts(opened.uri)
        else:
            changed = _structured(types.DidChangeTextDocumentNotification, method, raw_params).params
            if changed.text_document.uri in workspace.text_documents:
                for change in changed.content_changes:
                    workspace.update_text_document(changed.text_document, change)
                self._bound_texts(changed.text_document.uri)

    def _bound_texts(self, uri: str) -> None:
        """The document is let go where it is too long, and others where all are; their text on disk counts then."""
        documents = self._server.protocol.workspace.text_documents
        if uri in documents and len(documents[uri].source) > _MAX_TEXT:
            del documents[uri]
        while sum(len(each.source) for each in documents.values()) > _MAX_TEXTS:
            del documents[next(iter(documents))]

    def _text_of(self, uri: str) -> str | None:
        document = self._server.protocol.workspace.text_documents.get(uri)
        return document.source if document is not None else None

    def _register(self) -> None:
        """pygls advertises what is registered here."""

        @self._server.feature(types.WORKSPACE_SYMBOL)
        async def symbols(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
            listed = await self._ask("session/list", msgspec.json.encode(SessionListParams(limit=1_000)))
            assert isinstance(listed, SessionListResult)
            found = [session for session in listed.sessions if _is_like(params.query, session)]
            return [*await self._decided(params.query), *(_symbol(session) for session in found)][:MAX_SYMBOLS]

        @self._server.feature(types.TEXT_DOCUMENT_HOVER)
        async def hover(params: types.HoverParams) -> types.Hover | None:
            return await self._documents.hover(params.text_document.uri, params.position.line)

        @self._server.feature(types.TEXT_DOCUMENT_CODE_LENS)
        async def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
            return await self._documents.lenses(params.text_document.uri, command="recapd.showRecap")

        @self._server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
        async def outline(params: types.DocumentSymbolParams) -> Raw | list[types.DocumentSymbol]:
            return await self._documents.symbols(params.text_document.uri)

        @self._server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
        async def links(params: types.DocumentLinkParams) -> list[types.DocumentLink]:
            codec = self._server.protocol.workspace.position_codec
            return await self._documents.links(params.text_document.uri, codec)

        @self._server.command("recapd.showRecap")
        async def show_recap(arguments: Sequence[object]) -> Wire | None:
            shown = await self._ask("recap/get", _params_from(arguments))
            if self.block is None and isinstance(shown, RecapGetResult):
                # An editor without an extension drops the result, and its user did ask to see it.
                await self._show(f"recap-{shown.session_id}", shown.markdown)
            return shown

        @self._server.command("recapd.copyContext")
        async def copy_context(arguments: Sequence[object]) -> Wire | None:
            return await self._ask("context/assemble", _params_from(arguments, maxTokens=COPIED_TOKENS))

    async def _show(self, name: str, markdown: str) -> None:
        """As a document where the editor can show one, else as a message."""
        path = await self._write_page(name, markdown) if self._shows_documents else None
        if path is not None:
            page = _ShowParams(uri=Path(path).as_uri(), take_focus=True)
            if await self._ask_client(types.WINDOW_SHOW_DOCUMENT, page):
                return
        self._server.window_show_message(types.ShowMessageParams(type=types.MessageType.Info, message=markdown))

    async def _decided(self, query: str) -> list[types.WorkspaceSymbol]:
        """What still holds of what was decided in the latest sessions of the folder the editor works in."""
        if not query.strip():
            # Without a word to look for, the sessions are what somebody wants to see.
            return []
        latest = SessionListParams(workspace=self.folders or None, limit=MAX_DECIDED)
        here = await self._ask("session/list", msgspec.json.encode(latest))
        assert isinstance(here, SessionListResult)
        symbols: list[types.WorkspaceSymbol] = []
        for session in here.sessions:
            asked = DecisionsListParams(session=SessionSelector(id=session.id), status="active", query=query)
            listed = await self._ask("decisions/list", msgspec.json.encode(asked))
            assert isinstance(listed, DecisionsListResult)
            symbols += [_decision_symbol(each) for each in reversed(listed.decisions)]
        return symbols


def _result_of(handler: Generator[object, object, T]) -> T:
    """What one of pygls' own handlers returns; they yield only to handlers of ours, and there are none."""
    try:
        next(handler)
    except StopIteration as end:
        result: T = end.value
        return result
    raise RuntimeError("pygls waits for a handler that nobody registered")


def _structured(message_type: type[T], method: str, raw_params: bytes) -> T:
    """A message as lsprotocol types it, or RecapError with the path of what does not fit."""
    params = msgspec.json.decode(raw_params) if raw_params else None
    try:
        return converter().structure({"jsonrpc": "2.0", "id": 0, "method": method, "params": params}, message_type)
    except Exception as error:
        raise invalid_params(_path_of(error), "as LSP says") from None


def _path_of(error: Exception) -> str:
    """Where cattrs stumbled, in LSP's spelling: `capabilities.textDocument`."""
    if not isinstance(error, cattrs.BaseValidationError):
        return ""
    place = cattrs.transform_error(error)[0].rpartition(" @ $.")[2]
    path = re.sub(r"_([a-z])", lambda match: match[1].upper(), place)
    return path.removeprefix("params").removeprefix(".")


def _client_blocks(experimental: Raw) -> tuple[ClientBlock | None, ClientBlock | None]:
    """What the client says of itself, and what was added on the way."""
    if not bytes(experimental).lstrip().startswith(b"{"):
        return None, None
    blocks = msgspec.json.decode(experimental, type=_Experimental)
    said, added = (
        decode_as(ClientBlock, bytes(block)) if bytes(block) else None
        for block in (blocks.recapd, blocks.recapd_connect)
    )
    return said, added


def _params_from(arguments: Sequence[object], **defaults: object) -> bytes:
    """Params of a request from a command's arguments: nothing, a session's id, or the params themselves."""
    first = arguments[0] if arguments else None
    if isinstance(first, str):
        return msgspec.json.encode({**defaults, "session": {"id": first}})
    if first is None or isinstance(first, dict):
        return msgspec.json.encode({**defaults, **(first or {})})
    raise invalid_params("arguments[0]", "a session's id or an object of params")


def _symbol(session: SessionInfo) -> types.WorkspaceSymbol:
    folder = os.path.basename(session.workspace.rstrip("/")) if session.workspace else ""
    start = types.Position(line=0, character=0)
    return types.WorkspaceSymbol(
        name=session.title or session.id,
        # The kinds beyond the first 18 are unknown to older editors.
        kind=types.SymbolKind.File,
        location=types.Location(uri=session.log, range=types.Range(start=start, end=start)),
        container_name=" · ".join(part for part in (folder, session.agent, session.last_active_at[:16]) if part),
    )


def _decision_symbol(decision: Decision) -> types.WorkspaceSymbol:
    start = types.Position(line=max(decision.ref.line - 1, 0), character=0)
    who = {"user": "decided by you", "agent": "decided by the agent"}.get(decision.made_by, "decided together")
    return types.WorkspaceSymbol(
        name=decision.text,
        kind=types.SymbolKind.Constant,
        location=types.Location(uri=decision.ref.source, range=types.Range(start=start, end=start)),
        container_name=f"{who}, turn {decision.turn}",
    )


def _is_like(query: str, session: SessionInfo) -> bool:
    """LSP wants a loose match, for the editor to refine: the letters of each word in their order."""
    title = session.title.lower()
    origin = f"{session.workspace or ''} {session.agent}".lower()
    return all(word in origin or _has_letters(word, title) for word in query.lower().split())


def _has_letters(word: str, text: str) -> bool:
    letters = iter(text)
    return all(letter in letters for letter in word)
