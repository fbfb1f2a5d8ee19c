"""Minds that change in plain talk: the old one is known and over, the new one holds; and twins in which both stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.core.decisions.ledger.offered import offered_in, picks_another
from tests.support.listing import listed
from tests.support.logs import Act, agent, human


def talk(*said: str) -> tuple[Act, ...]:
    """The person's words and the agent's in turns."""
    return tuple(agent(text) if at % 2 else human(text) for at, text in enumerate(said))


# What is said, and a word of the old and of the new.
CHANGED = [
    (
        "yaml",
        "toml",
        "keep the settings of the importer in a yaml file",
        "The file is read at start.",
        "it takes the word off for false",
        "That format does, unfortunately.",
        "make the settings file toml",
        "Done.",
    ),
    (
        "weekly",
        "daily",
        "the stock report should run weekly",
        "It runs on Sundays.",
        "the shop was out of flour for three days",
        "The report was not due yet.",
        "make it daily",
        "Schedule updated.",
    ),
    (
        "60",
        "25",
        "what happens to old drafts?",
        "How many days should I keep them?",
        "60 days",
        "Set.",
        "the disk is full again",
        "Drafts take most of it.",
        "no way. 25 days has to do",
        "Adjusted.",
    ),
    (
        "delete",
        "keep",
        "delete the voucher importer, nobody needs it",
        "Removed with its tests.",
        "ok changed my mind, keep the voucher importer",
        "Restored.",
    ),
    (
        "tabs",
        "spaces",
        "format everything with tabs please",
        "All files are formatted.",
        "hmm on second thought spaces, some viewers show tabs too wide",
        "Formatted again.",
    ),
    (
        "täglich",
        "wöchentlich",
        "Die Mail soll täglich rausgehen",
        "Eingerichtet.",
        "die Leute beschweren sich",
        "Es sind viele Mails, ja.",
        "dann lieber wöchentlich",
        "Geändert.",
    ),
    (
        "leave",
        "rip",
        "leave /v1/stats where it is, a partner calls it",
        "I kept it.",
        "they moved off it yesterday",
        "No calls since then.",
        "so rip /v1/stats out",
        "Gone, with its tests.",
    ),
    ("bleu", "rouge", "le bouton en bleu", "C'est fait.", "mets-le plutôt en rouge", "Modifié."),
    ("Jest", "Vitest", "usa Jest para las pruebas", "Configurado.", "cambia a Vitest", "Cambiado."),
    ("Django", "FastAPI", "бэкенд пишем на Django", "Готово.", "давай лучше FastAPI", "Переписал."),
    ("MongoDB", "MySQL", "数据库用 MongoDB", "接好了。", "还是换成 MySQL 吧", "已迁移。"),
    ("Vue", "React", "フロントはVueで作ってください", "作りました。", "やっぱりReactにしてください", "変更しました。"),
    ("npm", "yarn", "패키지 매니저는 npm으로 가자", "설정했습니다.", "그냥 yarn으로 바꿔줘", "변경했습니다."),
]


@pytest.mark.parametrize("case", CHANGED, ids=lambda case: f"{case[0]} to {case[1]}")
def test_who_takes_another_of_a_kind_gives_up_the_first(case: tuple[str, ...], tmp_path: Path) -> None:
    old, new, *said = case
    found = listed(tmp_path, *talk(*said))
    assert [each.status for each in found if old in each.quote and new not in each.quote] == ["superseded"]
    (now,) = (each for each in found if new in each.quote)
    assert (now.status, now.proof) == ("active", "statement")


BOTH_STAND = [
    ("use redis for the sessions", "Done.", "use postgres for the orders", "Done."),
    ("keep backups for 90 days", "Set.", "cap the upload at 10 MB", "Set."),
    ("the report should go out weekly", "Set.", "also write it to a csv file daily", "Added."),
    ("use tabs in the source", "Formatted.", "we used spaces until last year", "I see."),
    ("put the logo on the left", "Moved.", "should the menu go to the bottom?", "It would fit there."),
]


@pytest.mark.parametrize("said", BOTH_STAND, ids=lambda said: said[2])
def test_what_is_for_something_else_added_asked_or_past_replaces_nothing(said: tuple[str, ...], tmp_path: Path) -> None:
    assert [each.status for each in listed(tmp_path, *talk(*said)) if each.status == "superseded"] == []


# What the agent put side by side, what is taken of it, what happens, and what is taken of it then.
PUT = [
    (
        "Traefik, Caddy or plain HAProxy would all do.",
        "caddy, the config is short",
        "caddy",
        "one haproxy then, ops has it",
    ),
    ("Nach Wochen oder nach Quartalen?", "nach wochen", "wochen", "gruppier nach quartalen und fertig"),
    ("Варианты: RabbitMQ, Celery или Dramatiq.", "celery, её все знают", "celery", "переносим задачи на dramatiq"),
]


@pytest.mark.parametrize(("offer", "first", "old", "then"), PUT, ids=lambda each: each[:20])
def test_who_takes_another_of_what_was_put_gives_up_the_first(
    offer: str, first: str, old: str, then: str, tmp_path: Path
) -> None:
    said = ("what should we take?", offer, first, "It is set up.", "it takes ages", "Yes, it is slow.", then, "Moved.")
    found = {each.quote: each.status for each in listed(tmp_path, *talk(*said))}
    assert found[first] == "superseded" and found[then] == "active"


def test_who_takes_what_was_never_put_beside_it_gives_up_nothing() -> None:
    put = offered_in("Traefik, Caddy or plain HAProxy would all do.")
    assert picks_another(put, "caddy then", "no, haproxy")
    assert not picks_another(put, "caddy then", "and caddy in front of the mail server, too")
    assert not picks_another(put, "caddy then", "log to syslog")
    assert not picks_another(put, "caddy or haproxy", "haproxy")
    assert offered_in("Traefik would do. So would Caddy.") == ()
