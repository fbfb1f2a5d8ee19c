"""Editors that come to one daemon at the same moment."""

from __future__ import annotations

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from msgspec import Struct

from recapd.client.call import Connection
from recapd.client.errors import CallError, ClientError
from tests.support.clock import PATIENCE_S
from tests.support.daemons import Home

INITIALIZE = {
    "processId": None,
    "rootUri": None,
    "capabilities": {
        "general": {"positionEncodings": ["utf-16"]},
        "textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}, "synchronization": {"didSave": True}},
        "window": {"workDoneProgress": False, "showMessage": {"messageActionItem": {}}},
        "workspace": {"workspaceFolders": True, "symbol": {"symbolKind": {"valueSet": list(range(1, 27))}}},
    },
}


class Initialized(Struct, frozen=True):
    """What one editor was answered with, and how long that took."""

    result: object
    error: str
    seconds: float


def initialize_at_once(home: Home, editors: int) -> list[Initialized]:
    """Each editor is connected before any of them sends `initialize`; then all of them do."""
    everybody = threading.Barrier(editors)

    def come(number: int) -> Initialized:
        with socket.socket(socket.AF_UNIX) as raw:
            raw.connect(home.places.socket)
            connection = Connection(raw)
            everybody.wait(PATIENCE_S)
            began = time.perf_counter()
            try:
                result, error = connection.call("initialize", INITIALIZE, timeout_s=PATIENCE_S), ""
            except (CallError, ClientError) as failure:
                result, error = None, str(failure)
            return Initialized(result, error, time.perf_counter() - began)

    with ThreadPoolExecutor(editors) as pool:
        return list(pool.map(come, range(editors)))
