"""LSP for one editor. Imported when `initialize` arrives: pygls and lsprotocol cost half a second."""

from recapd.server.transport.lsp.editor import Editor

__all__ = ["Editor"]
