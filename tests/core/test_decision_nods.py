"""What a nod accepts: only what was put to the human, told by what was put; from a log to `decisions/list`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.listing import listed
from tests.support.logs import Act, agent, edit, human, other

EDIT = edit("/home/dev/shop/src/orders.py")


def answered(told: str, words: str) -> tuple[Act, ...]:
    return human("work on the orders"), EDIT, agent(told), human(words), EDIT, agent("Done.")


# The agent's last words put nothing to the human.
NOTHING_PUT = [
    ("The totals are computed on the server now.", "great"),
    ("All tests pass. The importer skips rows without a date.", "ok"),
    ("I moved the totals above the table and renamed the helper.", "perfect, thanks"),
    ("The importer reads the file twice: once for the header, once for the rows.", "ok."),
    ("Die Summen stehen jetzt über der Tabelle.", "gut"),
    ("总数现在显示在表格上方。", "好的"),
    ("합계를 표 위로 옮겼습니다.", "좋아."),
]


@pytest.mark.parametrize(("told", "nod"), NOTHING_PUT)
def test_where_nothing_was_put_a_nod_accepts_nothing(told: str, nod: str, tmp_path: Path) -> None:
    assert [each for each in listed(tmp_path, *answered(told, nod)) if each.made_by == "collaborative"] == []


# What was put, the nod, and words of what is accepted.
PUT = [
    ("Totals are slow. Should I keep them in a table of their own?", "yes", "table of their own"),
    ("Totals are slow. Let me know if you want me to keep them in a table.", "yes please", "keep them in a table"),
    ("Totals are slow. If you want, I can keep them in a table of their own.", "do it", "table of their own"),
    ("Die Summen sind langsam. Soll ich sie in einer Tabelle ablegen?", "ja", "in einer Tabelle ablegen"),
    ("Les totaux sont lents. Voulez-vous que je les garde dans une table ?", "oui", "garde dans une table"),
    ("总数很慢。要我把它们存到单独的表里吗？", "好的", "单独的表里"),
    ("合計が遅いです。専用のテーブルに保存しますか？", "はい", "テーブルに保存"),
]


@pytest.mark.parametrize(("told", "nod", "words"), PUT)
def test_a_nod_accepts_the_question_or_the_offer(told: str, nod: str, words: str, tmp_path: Path) -> None:
    (found,) = [each for each in listed(tmp_path, *answered(told, nod)) if each.quote.startswith(nod)]
    assert words in found.text
    assert (found.made_by, found.proof, found.how) == ("collaborative", "answer", "accepted")


@pytest.mark.parametrize("words", ["ok. Now rename the importer to `reader`", "좋아. 이제 버튼을 파란색으로 바꿔줘"])
def test_a_nod_that_leads_up_to_something_else_takes_no_offer(words: str, tmp_path: Path) -> None:
    told = "The totals are sorted. Let me know if you want me to keep them in a table of their own."
    assert not [each for each in listed(tmp_path, *answered(told, words)) if each.how == "accepted"]


@pytest.mark.parametrize("nod", ["yes plese", "yeah keep them, and make it quick if you can"])
def test_a_yes_with_a_few_words_stands_on_the_deed_it_answers(nod: str, tmp_path: Path) -> None:
    told = "Totals are slow. Should I keep them in a table of their own?"
    (found,) = [each for each in listed(tmp_path, *answered(told, nod)) if each.quote.startswith(nod[:3])]
    assert found.proof == "answer"
    assert "table of their own" in found.text


def test_a_letter_that_turns_the_page_accepts_the_page(tmp_path: Path) -> None:
    page = (
        "## Storage of totals\n\nTotals are kept in a table.\nThe table is filled at night.\nOld rows are dropped.\n\n"
        "[A] Ask more questions\n[C] Continue\n\nSelect an option:"
    )
    listing = page.replace("[A]", "A.").replace("[C]", "C.") + " which one?"
    found = [each.text for each in listed(tmp_path, *answered(listing, "C")) if each.made_by == "collaborative"]
    assert all("Storage of totals" in text for text in found)
    assert not any(text.endswith("Continue") for text in found)


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("The server asks for a password. What is the password for staging?", "hunter2-Orchid-77"),
        ("Please paste the API key of the mail service.", "mk_live_9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
    ],
)
def test_a_secret_that_was_asked_for_is_no_decision(asked: str, given: str, tmp_path: Path) -> None:
    assert [each.text for each in listed(tmp_path, *answered(asked, given)) if each.made_by != "agent"] == []


@pytest.mark.parametrize("template", ["Always use {{framework}} for the tests", "Never change $ARGUMENTS in this step"])
def test_a_place_that_nobody_filled_in_decides_nothing(template: str, tmp_path: Path) -> None:
    assert listed(tmp_path, *answered("Done.", template)) == ()


def test_each_answer_knows_the_options_of_its_own_question(tmp_path: Path) -> None:
    questions = [
        {"question": "Which database?", "options": [{"label": "Postgres"}, {"label": "SQLite"}]},
        {"question": "Which queue?", "options": [{"label": "Redis"}, {"label": "Kafka"}]},
        {"question": "Which name?", "options": [{"label": "shop"}, {"label": "store"}]},
    ]
    answers = {"Which database?": "SQLite", "Which queue?": "Redis", "Which name?": "call it bazaar"}
    calls = other("AskUserQuestion", {"questions": questions}, facts={"questions": questions, "answers": answers})
    found = listed(tmp_path, human("set the shop up"), calls, agent("Thanks."))
    assert [(each.quote, each.made_by, each.alternatives, each.proof) for each in found] == [
        ("SQLite", "collaborative", ("Postgres",), "answer"),
        ("Redis", "collaborative", ("Kafka",), "answer"),
        ("call it bazaar", "user", (), "answer"),
    ]


def test_an_agent_that_gives_way_decides_together_with_the_human(tmp_path: Path) -> None:
    found = listed(
        tmp_path,
        human("speed the orders page up"),
        EDIT,
        agent("The page caches all orders in memory now."),
        human("won't that eat all the memory of the small server?"),
        agent("You're right. I'll cache only the last hundred orders instead of all of them."),
        EDIT,
        agent("Only the last hundred orders are cached."),
    )
    who = {each.made_by for each in found if "last hundred" in each.text and "instead" in each.text}
    assert who == {"collaborative"}


def test_what_the_human_refused_is_not_decided(tmp_path: Path) -> None:
    told = "The lookup is slow because it is not cached, so I cache it on disk instead of in memory."
    refused = edit("/home/dev/shop/src/cache.py", "", outcome="denied")
    done = edit("/home/dev/shop/src/cache.py")
    assert told not in [
        each.quote for each in listed(tmp_path, human("the lookup is slow"), agent(told), refused, agent("I stop."))
    ]
    assert told in [
        each.quote for each in listed(tmp_path, human("the lookup is slow"), agent(told), done, agent("Done."))
    ]


def test_an_echo_of_the_agent_is_the_decision_of_the_human(tmp_path: Path) -> None:
    found = listed(
        tmp_path,
        human("work on the settings"),
        EDIT,
        agent("The settings have a flag `mail_enabled`."),
        human("call the flag `mail` instead of `mail_enabled`"),
        agent("I'll call the flag `mail` instead of `mail_enabled`."),
        EDIT,
        agent("Renamed."),
    )
    (entry,) = [each for each in found if "mail_enabled" in each.text]
    assert (entry.made_by, entry.proof) == ("user", "statement")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Totals are in the small model now. Shall I switch the model?", "switch to Kestrel"),
        ("要不要切换其他模型？现在用的是 MiniMax。", "切换到 Kestrel 大模型"),
        ("Want me to add checks to the `crunchy` report, or build something else?", "ok use `crunchy` on the old shop"),
        ("Docs, tests and a page are missing. Shall I proceed?", "please you have to keep to the rules in guide.md"),
    ],
)
def test_what_the_agent_had_not_offered_is_the_humans_own(asked: str, said: str, tmp_path: Path) -> None:
    found = listed(tmp_path, *answered(asked, said))
    assert {each.made_by for each in found if each.quote and each.quote in said} <= {"user"}


def test_a_doubt_is_no_answer_to_a_numbered_question(tmp_path: Path) -> None:
    asked = "1. Should totals be in cents?\n2. Should the queue be kept by some broker?\n3. Should `lib` stay?"
    said = "1. yes\n2. Not sure what you mean by broker\n3. no, drop it"
    found = listed(tmp_path, *answered(asked, said))
    assert [each.quote for each in found if each.made_by == "collaborative"] == ["yes", "no, drop it"]


def test_a_name_that_begins_like_going_on_is_an_option_like_others(tmp_path: Path) -> None:
    asked = "Which one?\n\nA. Plain pages from the server\nB. Next.js pages\n\nWhich one do you want?"
    (found,) = [each for each in listed(tmp_path, *answered(asked, "B")) if each.quote == "B"]
    assert (found.how, found.text) == ("chosen", "Next.js pages")
