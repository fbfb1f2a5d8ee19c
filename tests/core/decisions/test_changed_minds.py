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


# A task that sets something is no decision by itself: what takes its place shows that it was one.
SHOWN = [
    (
        "two approvals",
        "one approval",
        "set up branch protection on main, a merge needs two approvals",
        "Protection is on, two approvals required.",
        "we're only three people and one is always on holiday",
        "Then merges could wait for days.",
        "one approval has to be enough then",
        "Lowered the requirement to one.",
    ),
    (
        "three columns",
        "two columns",
        "lay the gallery out in three columns",
        "Three columns, 16 px gutter.",
        "the thumbnails are postage stamps on my screen. two columns will do",
        "Two columns it is, images are larger.",
    ),
    (
        "first name",
        "username",
        "greet people by first name on the dashboard",
        "Dashboard says 'Hi Anna'.",
        "half the accounts have no first name filled in. use the username",
        "The greeting uses the username.",
    ),
    (
        "euros",
        "dollars",
        "show all amounts in euros",
        "Amounts are converted with the daily rate.",
        "the board meets next week",
        "Shall I prepare an export?",
        "no export, but they think in dollars, so amounts in dollars",
        "Amounts are shown in dollars.",
    ),
    (
        "Vogel",
        "Specht",
        "call the grumpy neighbour Herr Vogel",
        "He is Herr Vogel in chapters 1 to 3.",
        "we already have that name, the postman",
        "True, in chapter 2.",
        "Herr Specht it is",
        "Replaced in all chapters.",
    ),
    (
        "drei Versuche",
        "nimm fünf",
        "bau einen Retry ein, drei Versuche",
        "Eingebaut, nach drei Versuchen wird abgebrochen.",
        "der Drucker braucht länger zum Aufwachen, nimm fünf",
        "Auf fünf erhöht.",
    ),
    (
        "vier Wochen",
        "zwei Wochen",
        "Leihfrist für Bücher: vier Wochen",
        "Eingetragen.",
        "die Bestseller sind nie da, zwei Wochen reichen",
        "Leihfrist steht auf zwei Wochen.",
    ),
    (
        "lundi",
        "jeudi",
        "programme l'envoi du rapport le lundi matin",
        "C'est programmé, lundi à 8 h.",
        "les chiffres du week-end ne sont jamais prêts",
        "Ils arrivent en général le mardi.",
        "envoie-le le jeudi dans ce cas",
        "Envoi décalé au jeudi.",
    ),
    (
        "3 jours",
        "7 jours",
        "relance les impayés après 3 jours",
        "Relance programmée à J+3.",
        "ça fait harceleur, laisse-leur 7 jours",
        "Relance à J+7.",
    ),
    (
        "20 itens",
        "50",
        "cria a paginação com 20 itens por página",
        "Paginação pronta, 20 por página.",
        "tem que clicar demais, sobe pra 50",
        "Agora são 50 por página.",
    ),
    (
        "ogni settimana",
        "al mese",
        "manda il riepilogo ai soci ogni settimana",
        "Parte ogni lunedì.",
        "in quanti si sono disiscritti?",
        "Dodici su ottanta.",
        "troppi, una volta al mese basta",
        "Aggiornato, parte il primo del mese.",
    ),
    (
        "左に",
        "右に",
        "合計欄は左に置いてください",
        "合計欄を左に配置しました。",
        "金額は右で見慣れているので、右にしてください",
        "右に移動しました。",
    ),
]


@pytest.mark.parametrize("case", SHOWN, ids=lambda case: f"{case[0]} to {case[1]}")
def test_what_takes_the_place_of_a_task_shows_that_it_was_a_choice(case: tuple[str, ...], tmp_path: Path) -> None:
    old, new, *said = case
    found = listed(tmp_path, *talk(*said))
    (before,) = (each for each in found if old in each.quote and new not in each.quote)
    (now,) = (each for each in found if new in each.quote)
    assert (before.status, before.superseded_by, before.turn) == ("superseded", now.id, 1)
    assert now.status == "active" and now.proof is not None


@pytest.mark.parametrize("case", SHOWN, ids=lambda case: f"{case[0]} to {case[1]}")
def test_a_change_that_is_told_later_is_seen_as_the_log_grows(case: tuple[str, ...], tmp_path: Path) -> None:
    old, new, *said = case
    assert not [each for each in listed(tmp_path, *talk(*said[:-2])) if each.status == "superseded"]
    grown = listed(tmp_path, *talk(*said))
    assert [each.status for each in grown if old in each.quote and new not in each.quote] == ["superseded"]


BOTH_STAND = [
    ("use redis for the sessions", "Done.", "use postgres for the orders", "Done."),
    ("keep backups for 90 days", "Set.", "cap the upload at 10 MB", "Set."),
    ("the report should go out weekly", "Set.", "also write it to a csv file daily", "Added."),
    ("use tabs in the source", "Formatted.", "we used spaces until last year", "I see."),
    ("put the logo on the left", "Moved.", "should the menu go to the bottom?", "It would fit there."),
    ("set the cache lifetime to 10 minutes", "Set.", "set the session timeout to 30 minutes", "Set."),
    ("create a table for the invoices", "Created.", "rename the column amt to amount", "Renamed."),
    ("deploy it to staging", "Deployed to staging.", "looks good, deploy it to production", "Deployed to production."),
    ("make the header blue", "The header is blue.", "make the footer grey", "The footer is grey now."),
    ("add a delete button to each row", "Added.", "ask before deleting, I lost one", "There is a dialog now."),
    ("write a script that imports the csv", "Done.", "it crashes on empty lines. skip them", "They are skipped now."),
    ("show the price in the list", "It's there.", "round it to two decimals", "Prices show two decimals now."),
    ("sort the orders by date", "Sorted by date.", "the dates look odd, show the day first", "Changed the format."),
    ("send the invoice as pdf", "They go out as pdf.", "the logo is missing, put it at the top", "It is there now."),
    ("ajoute un bouton d'export", "Ajouté.", "il est trop petit, agrandis-le", "Agrandi, il fait 48 px maintenant."),
    ("сделай страницу профиля", "Готово.", "аватар обрезается, сделай его круглым", "Теперь аватар круглый."),
    ("検索欄を右上に置いてください", "置きました。", "文字が小さいので16pxにしてください", "16pxに変更しました。"),
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
