"""Decisions that were taken back: by accident, on second thoughts, after a trial. From a log to `decisions/list`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.listing import listed, standing
from tests.support.logs import Act, agent, edit, human, shell

Talk = tuple[Act, ...]

# Name, talk, words of what was taken back, and words of what holds ("" if nothing does).
TAKEN_BACK: list[tuple[str, Talk, str, str]] = [
    (
        "sent into the wrong window",
        (
            human("never use async in handlers, always threads instead"),
            human("sorry, wrong window, ignore that"),
            agent("No problem, ignored."),
            human("list the handlers"),
            agent("There are four."),
        ),
        "async",
        "",
    ),
    (
        "meant for another project",
        (
            human("use the staging bucket instead of the production bucket from now on"),
            agent("Understood, I will switch the bucket."),
            human("oops that was meant for another project"),
            agent("Nothing was changed."),
        ),
        "staging bucket",
        "",
    ),
    (
        "in Chinese",
        (human("以后必须用 tabs，不要用空格"), agent("好的。"), human("抱歉，发错了"), agent("没关系。")),
        "tabs",
        "",
    ),
    (
        "in German",
        (
            human("wir verwenden ab jetzt immer Tabs statt Leerzeichen"),
            agent("Verstanden."),
            human("Entschuldigung, falsches Fenster!"),
            agent("Kein Problem."),
        ),
        "Tabs",
        "",
    ),
    (
        "the agent thinks again",
        (
            human("speed up the search"),
            agent("I'm going to add a trigram index for the search instead of scanning."),
            edit("/home/dev/shop/search.sql"),
            agent(
                "Hmm, that is wrong: the search table is rebuilt hourly. "
                "I'll keep the search in memory instead of adding a trigram index."
            ),
            edit("/home/dev/shop/search.py"),
            agent("Search runs in memory now."),
        ),
        "going to add a trigram",
        "in memory",
    ),
    (
        "tried, and tried again",
        (
            human("the upload test hangs"),
            agent("Let me try a longer timeout."),
            edit("/home/dev/shop/conf.py"),
            shell("pytest", "1 failed", exit_code=1),
            agent("Now let me try a fresh event loop per test."),
            edit("/home/dev/shop/conf.py"),
            shell("pytest", "1 failed", exit_code=1),
            agent("The hang comes from the shared socket, so the fix is to open one per test instead of sharing it."),
            edit("/home/dev/shop/conf.py"),
            shell("pytest", "9 passed"),
            agent("The upload test passes: each test opens a socket of its own."),
        ),
        "try a",
        "per test instead",
    ),
    (
        "a wrong diagnosis",
        (
            human("why does the login loop?"),
            agent("The root cause is the cookie domain, so I'll set the cookie domain to the apex host."),
            edit("/home/dev/shop/auth.py"),
            shell("curl -I /login", "302"),
            agent(
                "That was not it. The proxy drops the `Secure` flag, so the fix is to terminate TLS in the app instead "
                "of the proxy."
            ),
            edit("/home/dev/shop/proxy.conf"),
            agent("Login works: TLS ends in the app instead of the proxy."),
        ),
        "set the cookie domain",
        "TLS",
    ),
    (
        "sent again with one clause changed",
        (
            human("write the report as a PDF with a cover page"),
            agent("Working on it."),
            human("write the report as a PDF without a cover page"),
            edit("/home/dev/shop/report.py"),
            agent("The report has no cover page."),
        ),
        "with a cover page",
        "without a cover page",
    ),
    (
        "asked for again, for another place",
        (
            human("from now on the shipping table must always be written to /shop/tables"),
            edit("/shop/tables/shipping.md"),
            agent("The shipping table is there."),
            human("the shipping table must always be written to /.shop/tables/costs.md"),
            edit("/.shop/tables/costs.md"),
            agent("The shipping table is there."),
        ),
        "to /shop/tables",
        "costs.md",
    ),
]


@pytest.mark.parametrize(("talk", "gone", "holds"), [row[1:] for row in TAKEN_BACK], ids=[row[0] for row in TAKEN_BACK])
def test_what_was_taken_back_does_not_stand(talk: Talk, gone: str, holds: str, tmp_path: Path) -> None:
    texts = standing(tmp_path, *talk)
    assert [text for text in texts if gone in text] == []
    assert not holds or any(holds in text for text in texts)


def test_a_retraction_ends_only_what_it_means(tmp_path: Path) -> None:
    entries = listed(
        tmp_path,
        human("prices must always be stored in cents, never as floats"),
        edit("/home/dev/shop/price.py"),
        agent("Prices are stored in cents."),
        human("never use async in handlers, always threads instead"),
        human("oops, please ignore that"),
        agent("Ignored."),
        human("ignore the flaky test for now, only run the unit tests"),
        shell("pytest -m unit", "9 passed"),
        agent("The unit tests pass."),
    )
    statuses = {word: each.status for each in entries for word in ("cents", "async") if word in each.quote}
    assert statuses == {"cents": "active", "async": "reverted"}
