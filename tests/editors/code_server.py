"""VS Code in a browser: code-server with the extension as it is installed, and windows of it.

RECAPD_CODE_SERVER is a folder in which `tests/editors/install_code_server.sh` has installed it.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, Frame, Page

from recapd.bridges.panel import pack_extension
from tests.editors.browsers import PATIENCE_MS
from tests.editors.npm import CLIENTS, recapd_command
from tests.support.daemons import Home

_SETTINGS = {
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Dark Modern",
    "security.workspace.trust.enabled": False,
    "extensions.autoCheckUpdates": False,
    "telemetry.telemetryLevel": "off",
}


class CodeServer:
    def __init__(self, address: str, browser: Browser) -> None:
        self._address = address
        self._browser = browser

    def window(self, path: Path, *, width: int = 1280, height: int = 900) -> Page:
        """A window on a folder, or on a workspace file, with the panel in sight."""
        kind = "workspace" if path.suffix == ".code-workspace" else "folder"
        page = self._browser.new_page(
            viewport={"width": width, "height": height}, permissions=["clipboard-read", "clipboard-write"]
        )
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{self._address}/?{kind}={quote(str(path))}")
        page.locator('.activitybar [aria-label*="Recap"]').first.click()
        # What is said of the icon while the mouse rests on it would lie over the panel.
        page.mouse.move(width / 2, height / 2)
        return page


def panel_of(page: Page) -> Frame:
    """The frame of the panel, which lies two frames deep and is made anew when it is hidden."""
    ends = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < ends:
        for frame in page.frames:
            try:
                if frame.query_selector("#panel main") is not None:
                    return frame
            except Exception as error:
                # It went while it was asked.
                if "detached" not in str(error) and "destroyed" not in str(error):
                    raise
        page.wait_for_timeout(100)
    raise AssertionError("the panel never came")


@contextmanager
def code_server(
    home: Home, browser: Browser, *, command: str | None = None, with_stock_client: bool = False
) -> Iterator[CodeServer]:
    """Served until the block ends, for a user whose recapd is this one."""
    entry = Path(os.environ.get("RECAPD_CODE_SERVER", "")) / "node_modules/code-server/out/node/entry.js"
    assert entry.exists(), "set RECAPD_CODE_SERVER: see tests/editors/install_code_server.sh"
    data, extensions = home.folder / "code-data", home.folder / "code-extensions"
    (data / "User").mkdir(parents=True)
    (data / "User" / "settings.json").write_text(json.dumps(_SETTINGS))
    # Which program runs is a matter of the machine that it runs on, not of whoever looks at it.
    (data / "Machine").mkdir()
    (data / "Machine" / "settings.json").write_text(json.dumps({"recapd.command": command or recapd_command()}))
    packed = home.folder / "recapd.vsix"
    packed.write_bytes(pack_extension())
    folders = ["--user-data-dir", str(data), "--extensions-dir", str(extensions)]
    environ = {**home.environ, "SHELL": "/bin/sh"}
    install = ["node", str(entry), *folders, "--install-extension", str(packed)]
    if with_stock_client:
        install += ["--install-extension", str(_pack_stock_client(home.folder))]
    subprocess.run(install, env=environ, check=True, capture_output=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    quiet = ["--disable-telemetry", "--disable-update-check", "--auth", "none"]
    with (home.folder / "code-server.log").open("wb") as log:
        process = subprocess.Popen(
            ["node", str(entry), *folders, *quiet, "--bind-addr", f"127.0.0.1:{port}"],
            env=environ,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            _wait_for(port)
            yield CodeServer(f"http://127.0.0.1:{port}", browser)
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


def _pack_stock_client(folder: Path) -> Path:
    sources = Path(__file__).parent / "stock_client"
    bundle = folder / "stock.js"
    bundling = [str(CLIENTS / "node_modules/.bin/esbuild"), str(sources / "extension.js"), f"--outfile={bundle}"]
    # The library is not beside the tests.
    found = {**os.environ, "NODE_PATH": str(CLIENTS / "node_modules")}
    options = ["--bundle", "--platform=node", "--external:vscode", "--log-level=warning"]
    subprocess.run([*bundling, *options], env=found, check=True)
    packed = folder / "stock.vsix"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(sources / "package.json", "extension/package.json")
        archive.write(bundle, "extension/extension.js")
    return packed


def _wait_for(port: int) -> None:
    ends = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < ends:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("code-server never listened")
