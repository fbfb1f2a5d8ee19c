"""The panel end to end in real VS Code: logs grow, people click, daemons die."""

from __future__ import annotations

import json
import os
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Frame, Page, TimeoutError

from recapd.client.call import call
from tests.agents.model import Run, Say, scripted_model
from tests.agents.rig import claude_code
from tests.editors.browsers import PATIENCE_MS, SEEN, chromium
from tests.editors.code_server import CodeServer, code_server, panel_of
from tests.editors.story import LIMITS, LIMITS_ID, write_story
from tests.support.daemons import Home

pytestmark = [pytest.mark.editors, pytest.mark.timeout(900)]
APPENDS = 12
PALETTE_MS = 10_000
FIRST = re.compile(r"first recap: spawn \d+ ms, initialize \d+ ms, answer \d+ ms, render \d+ ms")
HOSTILE = '<img src=x onerror="document.title=1"> <script>alert(1)</script> **bold**'


class Shop:
    """A user with the story's logs, a daemon, and VS Code on the shop's folder."""

    def __init__(self, home: Home, folder: Path, server: CodeServer) -> None:
        self.home = home
        self.folder = folder
        self.server = server
        self.log = home.folder / ".claude/projects/-shop" / f"{LIMITS}.jsonl"
        self._said = 0

    def say(self, text: str, *, role: str = "user") -> None:
        """Another message at the end of the log, now."""
        lines = self.log.read_bytes().splitlines()
        parent = next(json.loads(line)["uuid"] for line in reversed(lines) if b'"uuid"' in line)
        self._said += 1
        content: object = text if role == "user" else [{"type": "text", "text": text}]
        record = {
            "parentUuid": parent,
            "isSidechain": False,
            "uuid": f"said-{self._said}-{time.time_ns()}",
            "sessionId": LIMITS,
            "cwd": str(self.folder),
            "version": "2.1.50",
            "gitBranch": "main",
            "type": role,
            "message": {"role": role, "id": f"said_{self._said}", "content": content},
            "timestamp": datetime.now(UTC).isoformat(),
        }
        with self.log.open("a") as log:
            log.write(json.dumps(record, separators=(",", ":")) + "\n")

    def ask(self, method: str, **params: object) -> Any:
        return call(method, params, where=self.home.places, start_if_missing=False)

    def set_in_folder(self, **settings: object) -> None:
        """The folder's own settings; like one that somebody cloned, it would have another program be recapd."""
        path = self.folder / ".vscode" / "settings.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"recapd.command": str(self.folder / "pwned"), **settings}))

    def kill_daemon(self) -> None:
        os.kill(json.loads(Path(self.home.places.about).read_bytes())["pid"], signal.SIGKILL)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def shop(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    home = Home(tmp_path_factory.mktemp("home"))
    folder = home.folder / "shop"
    folder.mkdir()
    (folder / "limits.py").write_text("RATE = 20\n")
    (folder / "tests").mkdir()
    (folder / "tests" / "test_limits.py").write_text("one\ntwo\nthree, by hand\n")
    write_story(home.folder, str(folder))
    with code_server(home, browser, with_stock_client=True) as server:
        shop = Shop(home, folder, server)
        (folder / "pwned").write_text(f"#!/bin/sh\ntouch {folder}/it-ran\n")
        (folder / "pwned").chmod(0o755)
        shop.set_in_folder()
        try:
            yield shop
        finally:
            subprocess.run([sys.executable, "-m", "recapd", "down"], env=home.environ, check=True, capture_output=True)


@pytest.fixture(scope="module")
def window(shop: Shop) -> Page:
    """One window for the tests that only look and click: it takes half a minute to open."""
    page = shop.server.window(shop.folder)
    select(panel_of(page), "Rate limiting per API key")
    return page


def select(panel: Frame, title: str) -> None:
    panel.locator(".row", has_text=title).first.click(timeout=PATIENCE_MS)
    panel.locator(".row.selected", has_text=title).wait_for(timeout=PATIENCE_MS)
    panel.locator(".card").wait_for(timeout=PATIENCE_MS)


def wait_for_text(panel: Frame, text: str) -> None:
    try:
        panel.wait_for_function("text => document.body.innerText.includes(text)", arg=text, timeout=PATIENCE_MS)
    except TimeoutError:
        raise AssertionError(f"never said {text!r}:\n{panel.locator('body').inner_text()}") from None


def wait_for_tab(page: Page, name: str) -> None:
    page.locator(".tab.active", has_text=name).wait_for(timeout=PATIENCE_MS)


def editor_text(page: Page) -> str:
    return str(page.locator(".editor-instance .view-lines").last.inner_text()).replace("\xa0", " ")


def run_command(page: Page, name: str) -> None:
    """By the palette, which closes when a window that is still opening takes the focus."""
    row = page.locator(".quick-input-list .monaco-list-row", has_text=name).first
    ends = time.monotonic() + PATIENCE_MS / 1000
    while True:
        try:
            page.keyboard.press("F1")
            page.locator(".quick-input-widget input").fill(f">{name}", timeout=PALETTE_MS)
            row.click(timeout=PALETTE_MS)
            return
        except TimeoutError:
            if time.monotonic() > ends:
                raise
            page.keyboard.press("Escape")


def pick(page: Page, text: str) -> None:
    """One of the rows that a command offers."""
    page.locator(".quick-input-list .monaco-list-row", has_text=text).first.click()


def answer(page: Page, title: str, text: str) -> None:
    """What a command asks for in words."""
    page.locator(".quick-input-titlebar", has_text=title).wait_for()
    page.locator(".quick-input-widget input").fill(text)
    page.keyboard.press("Enter")


def clipboard(page: Page) -> str:
    return str(page.evaluate("() => navigator.clipboard.readText()"))


def open_file(page: Page, name: str) -> None:
    page.keyboard.press("Control+P")
    page.locator(".quick-input-widget input").fill(name)
    pick(page, name)
    wait_for_tab(page, name)


def go_to_line(page: Page, line: int) -> None:
    page.keyboard.press("Control+G")
    page.locator(".quick-input-widget input").fill(f":{line}")
    page.keyboard.press("Enter")
    page.locator(".statusbar-item", has_text=f"Ln {line},").wait_for()


def hover(page: Page) -> str:
    """What is said of the line that the cursor is on."""
    run_command(page, "Show or Focus Hover")
    said = page.locator(".monaco-hover:not(.hidden) .hover-row", has_text="turn")
    said.first.wait_for()
    found = "\n".join(said.all_inner_texts()).replace("\xa0", " ")
    page.keyboard.press("Escape")
    return found


def test_it_shows_the_sessions_of_the_folder_and_which_needs_somebody(window: Page) -> None:
    panel = panel_of(window)
    assert panel.locator(".row").count() == 3
    assert "1 needs you" in panel.locator("h2 .needs").inner_text()
    assert panel.locator(".card.needs strong").inner_text() == "Should the limit be configurable per customer?"
    window.locator(".activitybar .badge-content", has_text="1").first.wait_for()
    window.locator(".statusbar-item", has_text="1 needs you").wait_for()


def test_a_number_leads_to_the_page_with_the_words(window: Page) -> None:
    panel = panel_of(window)
    line = panel.locator(".lines .decision", has_text="Never block checkout when Redis is down").first
    line.locator(".cite").click()
    wait_for_tab(window, "Turn 4.md")
    assert "Never block checkout when Redis is down: let requests through and log it." in editor_text(window)
    window.locator(".statusbar-item", has_text="selected").wait_for()


def test_a_file_opens_and_so_does_what_the_agent_changed_in_it(window: Page) -> None:
    panel = panel_of(window)
    line = panel.locator(".file", has_text="limits.py").first
    line.locator("button.path").click()
    wait_for_tab(window, "limits.py")
    assert "RATE = 20" in editor_text(window)
    line.locator(".link").click()
    wait_for_tab(window, "what the agent changed")
    window.locator(".monaco-diff-editor .line-insert").first.wait_for(timeout=PATIENCE_MS)


def test_decisions_are_listed_and_lead_to_where_they_were_made(window: Page) -> None:
    run_command(window, "Recap: List Decisions")
    pick(window, "Use the token bucket")
    wait_for_tab(window, "Turn 3.md")
    assert "Use the token bucket in Redis per API" in editor_text(window)
    window.locator(".statusbar-item", has_text="selected").wait_for()


def test_the_raw_line_of_the_log_is_behind_each_line_of_a_page(shop: Shop, window: Page) -> None:
    run_command(window, "Recap: Open the Raw Log Line")
    wait_for_tab(window, f"{LIMITS}.jsonl")
    (decided,) = (
        each
        for each in shop.ask("decisions/list", session={"id": LIMITS_ID})["decisions"]
        if each["turn"] == 3 and "token bucket" in each["text"]
    )
    window.locator(".statusbar-item", has_text=f"Ln {decided['ref']['line']},").wait_for()


def test_what_was_said_is_found(window: Page) -> None:
    run_command(window, "Recap: Search What Was Said")
    window.locator(".quick-input-widget input").fill("busiest client")
    pick(window, "twice what your busiest client sends")
    wait_for_tab(window, "Turn 5.md")
    assert "twice what your busiest client sends" in editor_text(window)


@pytest.mark.parametrize(("prompt", "tokens"), [("", 4000), ("Which default rate did we choose?", 120)])
def test_a_context_is_copied_for_a_prompt_within_a_budget(shop: Shop, window: Page, prompt: str, tokens: int) -> None:
    run_command(window, "Recap: Copy Context for an Agent")
    answer(window, "Context of", prompt)
    answer(window, "How many tokens", str(tokens))
    window.locator(".notification-toast", has_text="tokens of context").wait_for()
    asked = {"prompt": prompt} if prompt else {}
    made = shop.ask("context/assemble", session={"id": LIMITS_ID}, maxTokens=tokens, **asked)
    assert clipboard(window) == made["text"] and 0 < made["tokens"] <= tokens
    run_command(window, "Notifications: Clear All Notifications")


def test_the_command_to_resume_is_copied(shop: Shop, window: Page) -> None:
    run_command(window, "Recap: Copy the Command to Resume")
    window.locator(".statusbar-item", has_text="is in the clipboard").wait_for()
    rows = shop.ask("session/overview", limit=10)["sessions"]
    assert clipboard(window) == next(row["resumeCommand"] for row in rows if row["id"] == LIMITS_ID)


def test_a_recap_file_is_kept_in_the_folder(shop: Shop, window: Page) -> None:
    run_command(window, "Recap: Keep a _recap.md in a Folder")
    kept = shop.folder / "_recap.md"
    window.locator(".notification-toast", has_text="_recap.md").wait_for()
    ends = time.monotonic() + PATIENCE_MS / 1000
    while not kept.exists() and time.monotonic() < ends:
        window.wait_for_timeout(100)
    assert "Should the limit be configurable per customer?" in kept.read_text()
    shop.ask("recapd/watch", workspace=str(shop.folder), on=False)
    run_command(window, "Notifications: Clear All Notifications")


def test_a_line_of_source_says_which_turn_wrote_it(shop: Shop, window: Page) -> None:
    open_file(window, "test_limits.py")
    lens = window.locator(".codelens-decoration", has_text="turn 3 · claude")
    lens.wait_for()
    assert window.locator(".codelens-decoration", has_text="turn").count() == 1
    go_to_line(window, 2)
    said = hover(window)
    assert "Asked: No, that hits whole offices." in said and "Show turn 3" in said
    # As it is typed: what stands above moves down, and is nobody's.
    go_to_line(window, 1)
    window.keyboard.type("zero\n")
    go_to_line(window, 3)
    assert "turn 3" in hover(window)
    run_command(window, "Recap: Why Is This Line Here")
    pick(window, "turn 3 · claude · Rate limiting per API key")
    wait_for_tab(window, "Turn 3.md")
    assert "test_limits.py" in editor_text(window)
    open_file(window, "test_limits.py")
    go_to_line(window, 4)
    run_command(window, "Recap: Why Is This Line Here")
    window.locator(".notification-toast", has_text="No session is proved to have written this line").wait_for()
    run_command(window, "Notifications: Clear All Notifications")
    run_command(window, "File: Revert File")
    shop.set_in_folder(**{"recapd.why.lens": False})
    lens.wait_for(state="detached")
    shop.set_in_folder()
    lens.click()
    wait_for_tab(window, "Turn 3.md")


def test_a_language_client_beside_it_says_nothing_twice(shop: Shop, window: Page) -> None:
    open_file(window, "test_limits.py")
    run_command(window, "Stock: Start the Language Client")
    window.locator(".statusbar-item", has_text="the stock client answers").wait_for()
    go_to_line(window, 2)
    run_command(window, "Stock: Count Who Knows the Turn")
    window.locator(".statusbar-item", has_text="hovers: ").wait_for()
    assert window.locator(".statusbar-item", has_text="hovers: ").inner_text().strip() == "hovers: 1, lenses: 1"
    # A lens of the stock client leads nowhere, which tells it from ours.
    window.locator(".codelens-decoration > span", has_text="turn 3 · claude").wait_for()
    window.locator(".codelens-decoration > a", has_text="turn 3 · claude").wait_for(state="detached")


def test_a_folder_cannot_say_which_program_is_recapd(shop: Shop, window: Page) -> None:
    assert not (shop.folder / "it-ran").exists()


def test_not_a_decision_can_be_taken_back_to_the_byte(shop: Shop, window: Page) -> None:
    session = {"id": LIMITS_ID}
    before = shop.ask("decisions/list", session=session, includeDismissed=True)["decisions"]
    panel = panel_of(window)
    line = panel.locator(".lines .decision", has_text="Use the token bucket").first
    line.hover()
    line.locator("[title='Not a decision']").click()
    panel.locator(".undo", has_text="Use the token bucket").wait_for(timeout=PATIENCE_MS)
    gone = shop.ask("decisions/list", session=session, includeDismissed=True)["decisions"]
    assert [each["status"] for each in gone if each["status"] == "dismissed"] == ["dismissed"]
    # Also later: by then it is folded away.
    select(panel, "The checkout test is flaky")
    select(panel, "Rate limiting per API key")
    panel.locator(".fold", has_text="1 you said is none").locator("summary").click()
    panel.locator(".undo button").click()
    panel.locator(".lines .decision", has_text="Use the token bucket").wait_for(timeout=PATIENCE_MS)
    after = shop.ask("decisions/list", session=session, includeDismissed=True)["decisions"]
    assert json.dumps(after) == json.dumps(before)


def test_a_decision_is_confirmed_and_that_is_taken_back_to_the_byte(shop: Shop, window: Page) -> None:
    before = shop.ask("decisions/list", session={"id": LIMITS_ID})["decisions"]
    panel = panel_of(window)
    line = panel.locator(".lines .decision", has_text="Use the token bucket").first
    line.hover()
    line.locator("[title='Yes, this is a decision']").click()
    line.locator("[title='You confirmed this']").wait_for(timeout=PATIENCE_MS)
    told = shop.ask("decisions/list", session={"id": LIMITS_ID})["decisions"]
    assert [each["turn"] for each in told if each.get("verdict") == "confirmed"] == [3]
    line.hover()
    line.locator("[title='Take your word back']").click()
    line.locator("[title='You confirmed this']").wait_for(state="detached", timeout=PATIENCE_MS)
    after = shop.ask("decisions/list", session={"id": LIMITS_ID})["decisions"]
    assert json.dumps(after) == json.dumps(before)


def test_a_log_grows_and_the_panel_follows(shop: Shop, window: Page) -> None:
    panel = panel_of(window)
    shop.say("Make the limit configurable per customer, with 20 as the default.")
    wait_for_text(panel, "Make the limit configurable per customer")
    shop.say("The limit is configurable per customer now. Anything else?", role="assistant")
    wait_for_text(panel, "Anything else?")


def test_text_of_a_log_stays_text(shop: Shop, window: Page) -> None:
    panel = panel_of(window)
    shop.say(f"Rename the button to {HOSTILE} please. " + "x" * 100_000)
    wait_for_text(panel, "onerror=")
    assert panel.locator("#panel img, #panel script").count() == 0
    assert panel.evaluate("() => document.title") == "Recap"
    shop.say("Renamed. Anything else?", role="assistant")


def test_a_minute_of_appends_moves_neither_scroll_nor_focus(shop: Shop, window: Page) -> None:
    panel = panel_of(window)
    link = panel.locator(".files .cite").last
    link.scroll_into_view_if_needed()
    link.focus()
    place = "() => [document.activeElement.className, document.activeElement.getBoundingClientRect().top]"
    (focused, top), jumps, ends, last = panel.evaluate(place), 0, time.monotonic() + 60, 0.0
    assert focused == "cite"
    number = 0
    while time.monotonic() < ends:
        began = time.monotonic()
        number += 1
        shop.say(f"Step {number} of many is done.", role="assistant")
        now, at = panel.evaluate(place)
        assert now == focused, f"the focus went after {number} appends"
        jumps += abs(at - top) > 1
        top, last = at, max(last, time.monotonic() - began)
        time.sleep(max(0.0, 0.1 - (time.monotonic() - began)))
    assert number > 60
    # A line that comes above what is looked at may push it once; it does not jump about.
    assert jumps <= 3, f"{jumps} jumps in {number} appends"


def test_two_windows_survive_their_daemon(shop: Shop, window: Page) -> None:
    other = shop.server.window(shop.folder)
    panels = [panel_of(window), panel_of(other)]
    select(panels[1], "Rate limiting per API key")
    shop.kill_daemon()
    for number in range(3):
        # Whoever comes first starts another; one that was written to meanwhile has it all the same.
        shop.say(f"Shall I also mind case number {number}?", role="assistant")
    for panel in panels:
        wait_for_text(panel, "Shall I also mind case number 2?")
        panel.wait_for_function("() => document.querySelector('.away') === null", timeout=PATIENCE_MS)
    other.close()


def test_several_folders_one_of_them_by_a_link(shop: Shop) -> None:
    link = shop.home.folder / "linked"
    link.symlink_to(shop.folder, target_is_directory=True)
    other = shop.home.folder / "other"
    other.mkdir()
    workspace = shop.home.folder / "both.code-workspace"
    workspace.write_text(json.dumps({"folders": [{"path": str(other)}, {"path": str(link)}]}))
    page = shop.server.window(workspace)
    panel = panel_of(page)
    select(panel, "Rate limiting per API key")
    assert panel.locator(".row").count() == 3
    page.close()


def test_where_recapd_is_missing_the_panel_says_how_to_get_it(browser: Browser, tmp_path: Path) -> None:
    home = Home(tmp_path)
    with code_server(home, browser, command=str(tmp_path / "nowhere" / "recapd")) as server:
        page = server.window(home.folder)
        panel = panel_of(page)
        wait_for_text(panel, "recapd is not installed")
        panel.locator("button", has_text="See it on made-up sessions").click()
        line = panel.locator(".lines .decision", has_text="Never block checkout when Redis is down").first
        line.locator(".cite").click()
        wait_for_tab(page, "Turn 4 (demo).md")
        assert "Never block checkout when Redis is down" in editor_text(page)
        panel.locator("button", has_text="Leave it").click()
        wait_for_text(panel, "recapd is not installed")
        panel.locator("button", has_text="Install with pipx").click()
        page.locator(".terminal-wrapper, .xterm").first.wait_for(timeout=PATIENCE_MS)
        # Once it is there, nobody has to press anything.
        place = tmp_path / "nowhere"
        place.mkdir()
        (place / "recapd").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m recapd "$@"\n')
        (place / "recapd").chmod(0o755)
        wait_for_text(panel, "No session here yet")
        page.close()
    subprocess.run([sys.executable, "-m", "recapd", "down"], env=home.environ, check=True, capture_output=True)


def test_how_long_it_takes(shop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    """Printed, not judged: from a window that opens to its first recap, and from a line in the log to the panel."""
    page = shop.server.window(shop.folder)
    panel = panel_of(page)
    select(panel, "Rate limiting per API key")
    to_panel = []
    for number in range(APPENDS):
        words = f"Shall I look at number {number} next?"
        seen = panel.evaluate_handle(SEEN, words)
        began = time.time()
        shop.say(words, role="assistant")
        to_panel.append(seen.evaluate("async (seen) => await seen.at") - began * 1000)
    logs = sorted((shop.home.folder / "code-data" / "logs").rglob("*Recap*.log"), key=lambda path: path.stat().st_mtime)
    first = FIRST.search(logs[-1].read_text())
    assert first is not None
    with capsys.disabled():
        print(f"\n  VS Code, a daemon running: {first[0]}")  # noqa: T201
        print(  # noqa: T201
            f"  a line in the log → in VS Code's panel: p50 {statistics.median(to_panel):.0f} ms, "
            f"most {max(to_panel):.0f} ms"
        )
    page.close()


def test_a_permission_dialog_of_claude_code_turns_the_badge_on_and_off(browser: Browser, tmp_path: Path) -> None:
    home = Home(tmp_path)
    project = tmp_path / "project"
    project.mkdir()
    with (
        scripted_model([Say("I look first."), Run("echo hello > made.txt; ls")], [Say("Done.")]) as model,
        code_server(home, browser) as server,
    ):
        page = server.window(project)
        panel = panel_of(page)
        badge = page.locator(".activitybar .badge-content", has_text="1").first
        with claude_code(home, model, project=project) as terminal:
            terminal.type_line("Make a file, please")
            terminal.wait_for("Do you want to proceed?")
            wait_for_text(panel, "Needs your permission")
            wait_for_text(panel, "made.txt")
            badge.wait_for(timeout=PATIENCE_MS)
            terminal.press_until(lambda: not badge.is_visible())
            wait_for_text(panel, "Your turn")
        page.close()
    subprocess.run([sys.executable, "-m", "recapd", "down"], env=home.environ, check=True, capture_output=True)
