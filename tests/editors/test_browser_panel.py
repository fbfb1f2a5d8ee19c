"""`recapd panel` in a real browser: the same panel, live; and pages of others that get nothing. Prints how long it took
from a start to the first recap, and from a line in the log to the panel, beside the daemon's own time."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page

from recapd.client.call import Connection, call
from recapd.client.start import connect_to
from tests.editors.browsers import PATIENCE_MS, SEEN, chromium
from tests.editors.story import LIMITS, LIMITS_ID, write_story
from tests.support.daemons import Home
from tests.support.processes import daemon_process

pytestmark = pytest.mark.editors
APPENDS = 12


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    write_story(tmp_path, str(tmp_path / "shop"))
    with daemon_process(home):
        yield home


def address(home: Home) -> str:
    command = [sys.executable, "-m", "recapd", "panel", "--all", "--no-open"]
    return subprocess.run(command, env=home.environ, check=True, capture_output=True, text=True).stdout.strip()


def append(home: Home, text: str) -> None:
    """A question of the agent's at the end of the story's first log, now."""
    log = home.folder / ".claude/projects/-shop" / f"{LIMITS}.jsonl"
    last = json.loads(log.read_bytes().splitlines()[-1])
    now = {"uuid": f"said-{time.time_ns()}", "parentUuid": last["uuid"], "timestamp": datetime.now(UTC).isoformat()}
    message = {"role": "assistant", "id": f"msg-{time.time_ns()}", "content": [{"type": "text", "text": text}]}
    record = {**last, **now, "type": "assistant", "message": message}
    with log.open("a") as file:
        file.write(json.dumps(record, separators=(",", ":")) + "\n")


def first_recap(browser: Browser, url: str) -> Page:
    page = browser.new_page(viewport={"width": 900, "height": 900})
    page.set_default_timeout(PATIENCE_MS)
    page.goto(url)
    page.locator(".row", has_text="Rate limiting per API key").click()
    page.locator(".card.needs strong", has_text="configurable per customer").wait_for()
    return page


def test_the_same_panel_lives_in_a_browser(browser: Browser, home: Home) -> None:
    page = first_recap(browser, address(home))
    assert page.title() == "(1) Recap"
    page.locator(".lines .decision", has_text="Never block checkout").first.locator(".cite").click()
    mark = page.locator("dialog .cited mark")
    mark.wait_for()
    assert mark.inner_text() == "Never block checkout when Redis is down: let requests through and log it."
    page.keyboard.press("Escape")
    page.locator(".file .link").first.click()
    page.locator("dialog .added").first.wait_for()
    page.keyboard.press("Escape")
    append(home, "Shall I make it configurable by file?")
    page.locator("article", has_text="Shall I make it configurable by file?").wait_for()
    page.locator("input[type=search]").fill("busiest client")
    page.locator(".hit", has_text="twice what your busiest client sends").click()
    page.locator("dialog .cited").wait_for()
    page.close()


def test_who_has_no_session_yet_sees_made_up_ones(browser: Browser, tmp_path: Path) -> None:
    home = Home(tmp_path)
    with daemon_process(home):
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(address(home))
        page.get_by_role("button", name="See it on made-up sessions").click()
        page.locator(".lines .decision", has_text="Never block checkout").first.locator(".cite").click()
        mark = page.locator("dialog mark")
        mark.wait_for()
        assert mark.inner_text() == "Never block checkout when Redis is down: let requests through and log it."
        page.keyboard.press("Escape")
        page.locator(".row", has_text="Release notes").click()
        page.locator(".card.works").wait_for()
        page.get_by_role("button", name="Leave it").click()
        page.locator("main", has_text="No session yet").wait_for()
        page.close()


def test_it_comes_back_to_a_new_daemon(browser: Browser, tmp_path: Path) -> None:
    home = Home(tmp_path)
    write_story(tmp_path, str(tmp_path / "shop"))
    with daemon_process(home) as daemon:
        page = first_recap(browser, address(home))
        daemon.kill()
        away = page.locator(".away")
        away.wait_for()
        assert "this page comes back by itself" in away.inner_text() and page.locator(".card").count() == 1
    with daemon_process(home):
        away.wait_for(state="detached")
        append(home, "Shall I go on where the other one ended?")
        page.locator("article", has_text="Shall I go on where the other one ended?").wait_for()
        subprocess.run([sys.executable, "-m", "recapd", "panel", "--off"], env=home.environ, check=True)
        port = page.url.partition("#")[0].rsplit(":", 1)[1].strip("/")
        command = [sys.executable, "-m", "recapd", "panel", "--all", "--no-open", "--port", port]
        subprocess.run(command, env=home.environ, check=True, capture_output=True)
        page.locator(".away", has_text="Run “recapd panel” in a terminal").wait_for()
    page.close()


def test_who_takes_the_port_meanwhile_is_not_told_the_token(browser: Browser, tmp_path: Path) -> None:
    home = Home(tmp_path)
    write_story(tmp_path, str(tmp_path / "shop"))
    with daemon_process(home) as daemon:
        url = address(home)
        page = first_recap(browser, url)
        daemon.kill()
    base = url.partition("#")[0]
    heard: list[str] = []
    with other_site("0" * 64, port=int(base.rsplit(":", 1)[1].strip("/")), heard=heard):
        page.locator(".away", has_text="This address opens nothing any more").wait_for()
        page.locator(".row").first.click()
    assert heard and all(path.startswith("/proof/") for path in heard)
    page.close()


@contextmanager
def other_site(body: str, *, port: int = 0, heard: list[str] | None = None) -> Iterator[str]:
    """A page of somebody else's, served from this machine; `heard` gets all that it is asked for."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if heard is not None:
                heard.append(self.path)
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Not on the terminal of the tests."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


THEFT = """async ([base, socket]) => {
  const fetched = await fetch(base, { mode: "no-cors" }).then(() => "answered", () => "refused");
  const read = await fetch(base).then((response) => response.text(), () => "refused");
  const script = await new Promise((done) => {
    const element = document.createElement("script");
    element.src = base + "browser.js";
    element.onload = () => done("loaded");
    element.onerror = () => done("refused");
    document.head.append(element);
  });
  const opened = await new Promise((done) => {
    const own = new WebSocket(socket);
    own.onopen = () => done("opened");
    own.onerror = () => done("refused");
  });
  return { fetched, read, script, opened };
}"""


def test_another_origin_a_wrong_token_and_a_foreign_host_get_nothing(browser: Browser, home: Home) -> None:
    url = address(home)
    base, _, fragment = url.partition("#")
    with other_site("<p>not recapd</p>") as site:
        page = browser.new_page()
        page.goto(site)
        stolen = page.evaluate(THEFT, [base, f"{base.replace('http', 'ws')}socket"])
        assert stolen == {"fetched": "refused", "read": "refused", "script": "refused", "opened": "refused"}
        page.close()
    page = browser.new_page()
    page.goto(f"{base}#token=wrong")
    page.locator("main", has_text="not answering").wait_for(timeout=PATIENCE_MS)
    assert "Rate limiting" not in page.locator("body").inner_text() and page.locator(".row").count() == 0
    page.close()
    # A name of somebody else's that points here, with the right token.
    page = browser.new_page()
    with pytest.raises(Error, match="ERR_HTTP_RESPONSE_CODE_FAILURE"):
        page.goto(f"{base.replace('127.0.0.1', 'recapd.localhost')}#{fragment}")
    page.close()


def test_how_long_it_takes(browser: Browser, home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    url = address(home)
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(url)
    page.wait_for_function("() => performance.getEntriesByName('recapd-first').length > 0")
    first = page.evaluate(
        "() => ({ ...performance.getEntriesByName('recapd-first')[0].detail,"
        " drawn: performance.getEntriesByName('recapd-first')[0].startTime })"
    )
    page.locator(".row", has_text="Rate limiting per API key").click()
    page.locator(".card.needs").wait_for()
    to_panel, to_client = [], []
    with Connection(connect_to(home.places, start_if_missing=False)[1]) as own:
        settle = {"quietMs": 60, "maxMs": 300}
        own.call("recap/subscribe", {"subscriptionId": "own", "selector": {"all": True}, "settle": settle})
        for number in range(APPENDS):
            words = f"Shall I look at number {number} next?"
            seen = page.evaluate_handle(SEEN, words)
            began = time.time()
            append(home, words)
            while (note := own.next_notification(30)) is not None and note[0] != "recap/didChange":
                pass
            to_client.append((time.time() - began) * 1000)
            to_panel.append(seen.evaluate("async (seen) => await seen.at") - began * 1000)
    began = time.perf_counter()
    call("recap/get", {"session": {"id": LIMITS_ID}, "format": "full"}, where=home.places, start_if_missing=False)
    asked = (time.perf_counter() - began) * 1000
    page.close()
    with capsys.disabled():
        print(  # noqa: T201
            f"\n  first recap: socket {first['openMs']} ms, initialize {first['greetMs']} ms,"
            f" answer {first['answerMs']} ms, render {first['drawMs']} ms;"
            f" drawn {first['drawn']:.0f} ms after the page was asked for"
            f"\n  recap/get of the daemon itself: {asked:.0f} ms"
            f"\n  a line in the log → a subscriber is told: p50 {statistics.median(to_client):.0f} ms, "
            f"most {max(to_client):.0f} ms (60 ms of these it waits for the burst to end)"
            f"\n  a line in the log → in the panel:        p50 {statistics.median(to_panel):.0f} ms, "
            f"most {max(to_panel):.0f} ms"
        )
