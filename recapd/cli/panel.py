"""`recapd panel`: the recap panel in a browser, for whoever has no editor with it."""

from __future__ import annotations

import argparse
import html
import os
import sys
import webbrowser
from pathlib import Path
from urllib.parse import quote

import msgspec

from recapd.cli.terminal import tell
from recapd.client.call import FIRST_ANSWER_S, call
from recapd.client.errors import NotRecapd
from recapd.client.paths import places
from recapd.wire.errors import request_failed
from recapd.wire.types import RecapdPanelParams, RecapdPanelResult

_REDIRECT = """<!doctype html><meta charset="utf-8"><title>Recap</title>
<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url={url}">
<a href="{url}">Recap</a>
"""


def panel_command(args: argparse.Namespace) -> int:
    if args.off:
        _ask(RecapdPanelParams(on=False))
        sys.stdout.write("The panel is off: nothing listens for browsers any more.\n")
        return 0
    folder = Path(args.folder or ".").resolve()
    if not args.all and not folder.is_dir():
        raise request_failed(f"{folder} is no folder; name the folder the agent works in, or use --all.")
    url = _ask(RecapdPanelParams(on=True, port=args.port)).url
    if url is None:
        raise request_failed("The panel could not be switched on; see: recapd status")
    if not args.all:
        url += f"&folder={quote(str(folder), safe='/')}"
    sys.stdout.write(f"{url}\n")
    sys.stdout.flush()
    if not args.no_open and sys.stdout.isatty():
        _open(url)
    return 0


def _ask(params: RecapdPanelParams) -> RecapdPanelResult:
    result = call("recapd/panel", msgspec.to_builtins(params), timeout_s=FIRST_ANSWER_S)
    try:
        return msgspec.convert(result, type=RecapdPanelResult)
    except msgspec.ValidationError:
        raise NotRecapd from None


def _open(url: str) -> None:
    """By a page that only the user can read: everybody on this machine can see with what a browser is started."""
    path = os.path.join(places().runtime_dir, "panel.html")
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(_REDIRECT.format(url=html.escape(url, quote=True)))
    if not webbrowser.open(Path(path).as_uri()):
        tell("recapd: no browser could be started; open the address above in one.")
