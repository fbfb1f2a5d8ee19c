"""The panel in bare Chromium on recorded models: how it looks in every theme, that everybody can use it, and that text
of a log stays text."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.editors.browsers import chromium, open_panel, problems_of, show, violations
from tests.editors.models import Model, one_deleted_session, one_session, record_demo, record_story
from tests.editors.npm import CLIENTS
from tests.support.logs import agent, edit, human, pause

pytestmark = pytest.mark.editors
ANSWERED = {"status": "answered", "detail": "The agent had answered.", "needs": "nothing"}
BROKEN = {"status": "interrupted", "detail": "The log ends in the middle of the work."}
HOSTILE = '<img src=x onerror="document.title=1"> \u202eevil <script>alert(1)</script> **bold** [a](javascript:1) '


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return record_story(tmp_path_factory.mktemp("ada"))


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With RECAPD_PICTURES=1 the pictures that the README shows are made anew."""
    return CLIENTS / "vscode" / "pictures" if os.environ.get("RECAPD_PICTURES") else tmp_path_factory.mktemp("pictures")


DEMO = CLIENTS / "vscode" / "media" / "demo.json"


def shape(value: object) -> dict[str, object]:
    """Which fields there are, whatever they say: wordings get better, and a demo need not be recorded for each."""
    rows = value if isinstance(value, list) else [value]
    return {key: shape(each) for row in rows if isinstance(row, dict) for key, each in row.items()}


def test_the_demo_has_the_fields_that_the_panel_is_drawn_from(tmp_path: Path) -> None:
    made = record_demo(tmp_path)
    if os.environ.get("RECAPD_PICTURES"):
        DEMO.write_text(json.dumps(made, ensure_ascii=False, separators=(",", ":")) + "\n")
    demo = json.loads(DEMO.read_text())
    assert shape(made) == shape(demo), "run with RECAPD_PICTURES=1, then build the clients"
    pages = {f"{each['id']} {turn}" for each in demo["sessions"].values() for turn in range(1, each["turn"] + 1)}
    assert pages == set(demo["pages"]) and demo["model"]["selected"] in demo["sessions"]


def overflow(page: Page) -> int:
    """By how much the page is wider than its window."""
    return int(page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth"))


@pytest.mark.parametrize(("theme", "width"), [("dark", 330), ("light", 330), ("high-contrast", 330), ("dark", 230)])
def test_it_is_whole_and_for_everybody_in_every_theme(
    browser: Browser, story: Model, pictures: Path, theme: str, width: int
) -> None:
    page = open_panel(browser, story, theme=theme, width=width)
    page.screenshot(path=str(pictures / f"panel-{theme}-{width}.png"), full_page=True)
    assert problems_of(page) == [] and overflow(page) == 0
    assert violations(page) == []
    assert page.locator(".card.needs strong").inner_text() == "Should the limit be configurable per customer?"
    news = page.locator(".news-card").inner_text()
    assert "48 passed" in news and "Never block checkout when Redis is down" in news
    page.close()


def test_every_line_leads_to_its_proof(browser: Browser, story: Model) -> None:
    page = open_panel(browser, story)
    lines = page.locator("article .line:not(.compaction):not(.looked)")
    assert lines.count() > 8
    assert lines.count() == page.locator("article .line .cite").count()
    page.locator(".lines .decision .cite").first.click()
    sent = page.evaluate("() => sent.filter(({ kind }) => kind === 'openTurn').at(-1)")
    chosen = next(each for each in story["session"]["decisions"] if each["turn"] == sent["turn"])
    assert (sent["kind"], sent["quote"]) == ("openTurn", chosen["quote"])
    page.close()


def test_what_only_an_answer_says_is_not_ticked_off(browser: Browser, tmp_path: Path) -> None:
    model = one_session(
        tmp_path,
        human("Please build it."),
        agent("The build failed because the machine has no memory left."),
        human("And now with less memory, please."),
        agent("The build of the service works with half of the memory."),
        pause(2 * 86_400),
        human("Thanks. Please deploy it to the test cluster."),
    )
    page = open_panel(browser, model)
    came = page.locator(".block.done")
    assert "WHAT CAME OF IT" in came.inner_text() and came.locator(".line.ok").count() == 0
    assert "eploy it to the test cluster. → no answer" in came.locator(".line.bad").inner_text()
    assert "0 of" not in page.locator("article").inner_text()
    page.close()


@pytest.mark.parametrize(("state", "says"), [(ANSWERED, ""), (BROKEN, "The log ends in the middle of the work.")])
def test_a_session_that_stopped_says_what_it_said_last_once(
    browser: Browser, tmp_path: Path, state: Model, says: str
) -> None:
    model = one_session(tmp_path, human("Please add retries."), agent("Downloads are tried three times now."))
    page = open_panel(browser, {**model, "session": {**model["session"], "state": state}})
    card = page.locator(".card").inner_text()
    assert "Last: Downloads are tried three times now" in card and says in card
    assert page.locator("article").inner_text().count("Downloads are tried three times now") == 1
    page.locator(".card .cite").click()
    assert page.evaluate("() => sent.filter(({ kind }) => kind === 'openTurn').at(-1).turn") == 1
    page.close()


def test_the_picture_is_walked_by_arrows(browser: Browser, story: Model) -> None:
    page = open_panel(browser, story)
    page.locator(".bar[tabindex='0']").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    turns = [row["turn"] for row in story["session"]["timeline"]["turns"]]
    assert page.evaluate("() => sent.filter(({ kind }) => kind === 'openTurn').at(-1).turn") == turns[-3]
    assert page.locator(".picture table tr").count() == len(turns) + 1
    page.close()


def test_what_is_new_glows_and_nothing_moves(browser: Browser, story: Model) -> None:
    page = open_panel(browser, story)
    page.set_viewport_size({"width": 330, "height": 400})
    page.locator(".fold summary").first.click()
    cite = page.locator(".files .cite").first
    cite.scroll_into_view_if_needed()
    cite.focus()
    before = page.evaluate("() => [scrollY, document.activeElement.className]")
    session = story["session"]
    item = {"id": "new", "text": "Something came of it", "turn": 5, "refs": [session["files"][0]["ref"]]}
    sections = [
        {**section, "items": [*section["items"], item]} if section["name"] == "open" else section
        for section in session["view"]["sections"]
    ]
    show(page, {**story, "session": {**session, "view": {**session["view"], "sections": sections}}})
    assert page.locator(".glow").all_inner_texts() == ["Something came of it\n5"] or page.locator(".glow").count() == 1
    assert page.locator(".fold[open]").count() == 1
    after = page.evaluate("() => [scrollY, document.activeElement.className]")
    # The browser keeps what is in sight where it was: only the height of the new line may have been added.
    assert after[1] == before[1] and abs(after[0] - before[0]) < 40
    page.close()


def test_text_of_a_log_stays_text(browser: Browser, tmp_path: Path) -> None:
    model = one_session(
        tmp_path, human(HOSTILE + "x" * 5_000), edit(f"/work/{HOSTILE}/a.py"), agent(f"{HOSTILE} Shall I {HOSTILE}?")
    )
    page = open_panel(browser, model)
    assert "onerror" in page.locator("#panel").inner_text()
    assert page.locator("#panel img, #panel script, #panel a").count() == 0
    assert page.title() == "Recap" and problems_of(page) == [] and overflow(page) == 0
    page.close()


@pytest.mark.parametrize(
    ("change", "says", "button", "intent"),
    [
        ({"connection": {"kind": "missing", "message": "no"}}, "recapd is not installed", "Install with uv", "install"),
        ({"connection": {"kind": "missing", "message": "no"}}, "recapd is not installed", "See it on made-up", "demo"),
        ({"rows": [], "scope": {"folders": []}}, "No session yet", "See it on made-up", "demo"),
        ({"connection": {"kind": "gone", "message": ""}, "rows": []}, "not answering", "Try now", "retry"),
        (
            {"rows": [], "scope": {"folders": ["/work"]}},
            "No session here yet",
            "Show sessions of all folders",
            "showAll",
        ),
        ({"rows": [], "indexing": True}, "Reading your agents", None, None),
        ({"connection": {"kind": "connecting", "message": ""}, "rows": []}, "Starting recapd", None, None),
    ],
)
def test_where_there_is_nothing_to_show_it_says_why_and_what_to_do(
    browser: Browser, story: Model, change: Model, says: str, button: str | None, intent: str | None
) -> None:
    for theme in ("dark", "light", "high-contrast"):
        page = open_panel(browser, {**story, **change}, theme=theme, width=230)
        assert says in page.locator("main").inner_text()
        assert violations(page) == [] and problems_of(page) == [] and overflow(page) == 0
        if button is not None:
            page.get_by_role("button", name=button).click()
            assert page.evaluate("() => sent.at(-1).kind") == intent
        page.close()


def test_a_demo_says_that_it_is_one(browser: Browser, story: Model) -> None:
    page = open_panel(browser, {**story, "demo": True, "connection": {"kind": "missing", "message": "no"}}, width=230)
    assert "these sessions are made up" in page.locator(".away").inner_text() and page.locator(".card").count() == 1
    assert violations(page) == [] and problems_of(page) == [] and overflow(page) == 0
    page.get_by_role("button", name="Leave it").click()
    assert page.evaluate("() => sent.at(-1).kind") == "endDemo"
    page.close()


def test_what_was_known_stays_while_recapd_is_away(browser: Browser, story: Model) -> None:
    page = open_panel(browser, {**story, "connection": {"kind": "gone", "message": ""}})
    assert "recapd is away" in page.locator(".away").inner_text() and page.locator(".card").count() == 1
    assert violations(page) == []
    page.close()


def test_a_session_whose_log_was_deleted_says_so(browser: Browser, tmp_path: Path) -> None:
    model = one_deleted_session(tmp_path)
    page = open_panel(browser, model)
    assert "Its log was deleted" in page.locator(".card").inner_text()
    assert violations(page) == [] and problems_of(page) == []
    page.close()


def test_a_reader_says_what_it_would_cost_before_it_begins(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / ".config" / "recapd").mkdir(parents=True)
    (tmp_path / ".config" / "recapd" / "config.toml").write_text('[llm]\nprovider = "command"\ncommand = ["false"]\n')
    page = open_panel(browser, one_session(tmp_path))
    button = page.locator(".reader button")
    assert re.fullmatch(r"Have .+ read it \(about [\d,]+ tokens\)", button.inner_text().strip())
    button.click()
    assert page.evaluate("() => sent.at(-1)") == {"kind": "startReading"}
    page.close()


def test_a_search_shows_what_was_said_and_where(browser: Browser, story: Model) -> None:
    ref = story["session"]["files"][0]["ref"]
    hit = {"sessionId": "a:1", "title": "Some session", "turn": 3, "kind": "user", "text": "we said this", "ref": ref}
    page = open_panel(browser, {**story, "search": {"query": "this", "hits": [hit]}})
    page.get_by_role("button", name="we said this").click()
    assert page.evaluate("() => sent.at(-1)") == {"kind": "openHit", "hit": hit}
    page.locator("input[type=search]").fill("that")
    assert page.evaluate("() => sent.at(-1)") == {"kind": "search", "query": "that"}
    assert violations(page) == []
    page.close()
