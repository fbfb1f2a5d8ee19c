"""Chromium as the tests drive it, and the panel's page in it without any editor around."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

import recapd.bridges.panel
from tests.editors.npm import CLIENTS

MEDIA = Path(recapd.bridges.panel.__file__).parent / "built" / "media"
# The machine may be busy, and an editor in a browser is slow to start.
PATIENCE_MS = 120_000

# When a text is first on the page, by the page's own clock: a promise in a handle, begun before the text is made.
SEEN = """text => ({ at: new Promise((done) => {
  const look = () => document.body.innerText.includes(text) ? done(Date.now()) : requestAnimationFrame(look);
  look();
}) })"""

# Of each theme what the panel goes by; the rest has fall-backs.
THEMES: Mapping[str, Mapping[str, str]] = {
    "dark": {
        "foreground": "#cccccc",
        "sideBar-background": "#181818",
        "editor-background": "#1f1f1f",
        "charts-orange": "#d18616",
        "charts-green": "#89d185",
        "charts-red": "#f14c4c",
        "charts-blue": "#3794ff",
        "charts-purple": "#b180d7",
        "focusBorder": "#0078d4",
        "textLink-foreground": "#4daafc",
        "list-inactiveSelectionBackground": "#37373d",
        "badge-background": "#616161",
        "badge-foreground": "#f8f8f8",
        "button-background": "#0078d4",
        "button-foreground": "#ffffff",
        "button-secondaryBackground": "#313131",
        "button-secondaryForeground": "#cccccc",
        "input-background": "#313131",
        "inputValidation-warningBackground": "#352a05",
    },
    "light": {
        "foreground": "#3b3b3b",
        "sideBar-background": "#f8f8f8",
        "editor-background": "#ffffff",
        "charts-orange": "#d18616",
        "charts-green": "#388a34",
        "charts-red": "#e51400",
        "charts-blue": "#1a85ff",
        "charts-purple": "#652d90",
        "focusBorder": "#005fb8",
        "textLink-foreground": "#005fb8",
        "list-inactiveSelectionBackground": "#e4e6f1",
        "badge-background": "#cccccc",
        "badge-foreground": "#3b3b3b",
        "button-background": "#005fb8",
        "button-foreground": "#ffffff",
        "button-secondaryBackground": "#e5e5e5",
        "button-secondaryForeground": "#3b3b3b",
        "input-background": "#ffffff",
        "inputValidation-warningBackground": "#f6f5d2",
    },
    "high-contrast": {
        "foreground": "#ffffff",
        "sideBar-background": "#000000",
        "editor-background": "#000000",
        "charts-orange": "#d18616",
        "charts-green": "#89d185",
        "charts-red": "#f48771",
        "charts-blue": "#75beff",
        "charts-purple": "#b180d7",
        "focusBorder": "#f38518",
        "textLink-foreground": "#21a6ff",
        "contrastBorder": "#6fc3df",
        "contrastActiveBorder": "#f38518",
        "badge-background": "#000000",
        "badge-foreground": "#ffffff",
        "button-background": "#000000",
        "button-foreground": "#ffffff",
        "button-secondaryBackground": "#000000",
        "button-secondaryForeground": "#ffffff",
        "input-background": "#000000",
        "inputValidation-warningBackground": "#000000",
    },
}


@contextmanager
def chromium() -> Iterator[Browser]:
    path = os.environ.get("RECAPD_CHROMIUM", "/usr/bin/chromium")
    assert Path(path).exists(), "install chromium (apt install chromium), or set RECAPD_CHROMIUM to where it is"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        try:
            yield browser
        finally:
            browser.close()


_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Recap</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'">
<link rel="stylesheet" href="/theme.css"><link rel="stylesheet" href="/panel.css"></head>
<body><div id="panel"></div><script src="/vscode.js"></script><script src="/webview.js"></script></body></html>"""
_VSCODE = """window.sent = []; window.acquireVsCodeApi = () => ({
  postMessage: (intent) => sent.push(intent), getState: () => undefined, setState: () => undefined });"""
_ADDRESS = "http://panel.test/"


def open_panel(browser: Browser, model: object, *, theme: str = "dark", width: int = 330) -> Page:
    """The page that ships, under the policy that VS Code's has, drawn from a model; `window.sent` is what it sent."""
    page = browser.new_page(viewport={"width": width, "height": 900}, reduced_motion="reduce")
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("console", lambda said: said.type == "error" and page.problems.append(said.text))
    colours = ";".join(f"--vscode-{name}:{value}" for name, value in THEMES[theme].items())
    files = {
        "": ("text/html", _PAGE),
        "vscode.js": ("text/javascript", _VSCODE),
        "theme.css": ("text/css", f":root{{{colours};--vscode-font-family:'DejaVu Sans',sans-serif}}"),
        "panel.css": ("text/css", (MEDIA / "panel.css").read_text()),
        "webview.js": ("text/javascript", (MEDIA / "webview.js").read_text()),
    }

    def answer(route: Any) -> None:
        kind, body = files.get(route.request.url.removeprefix(_ADDRESS), ("text/plain", ""))
        route.fulfill(content_type=f"{kind}; charset=utf-8", body=body)

    page.route(re.compile(".*"), answer)
    page.goto(_ADDRESS)
    show(page, model)
    return page


def show(page: Page, model: object) -> None:
    page.evaluate("model => window.postMessage(model, '*')", model)
    # A message is a task of its own: the page has drawn when the next frame comes.
    page.evaluate("() => new Promise(done => setTimeout(() => requestAnimationFrame(() => done())))")


def problems_of(page: Page) -> list[str]:
    return list(page.problems)


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong, each with the first element it is wrong with."""
    source = (CLIENTS / "node_modules" / "axe-core" / "axe.min.js").read_text()
    page.evaluate(f"() => {{ {source} }}")
    found = page.evaluate(
        "async () => (await axe.run()).violations.map(v => [v.id, v.nodes[0].html, v.nodes[0].failureSummary])"
    )
    return [json.dumps(each) for each in found]
