"""What a message settles by how it goes on with the agent's words, and what it only tells: pairs of conversations in
which a word or two make the difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.core.decisions.find.plain import form_of
from tests.core.test_decision_talks import talk
from tests.support.listing import listed
from tests.support.logs import agent, edit, human

EDIT = edit("/home/dev/shop/src/orders.py")
# What was said in turns, and words of the one decision of the last message but one.
SETTLED = [
    # What follows from what the agent told.
    (
        ("our folders are a mess", "By topic gives 300 folders; by author gives 40.", "by author then. 300 is silly"),
        "Good, the script sorts on the author's surname.",
        "author",
    ),
    # One of what the agent put within a sentence, with a number or a letter of its own.
    (
        ("Dove metto le note?", "Potrei usare (1) un file per mese, oppure (2) un solo taccuino.", "La 2, è comoda"),
        "Ho creato il file.",
        "un solo taccuino",
    ),
    (("日志太多", "方案一:只保留一周;方案二:压缩后放到对象存储。", "方案二,至少保留一年"), "好的,已经配置。", "压缩后"),
    # An amount is no number of an option.
    (
        ("plan the trip", "Trains are 1) slow or 2) dear. Do you have a sum in mind?", "£1,500 in all, my sister pays"),
        "For £1,500 it is five days by the slow train.",
        "1,500",
    ),
    # A role needs no work to be taken on.
    (("teach me chess", "Where shall we start?", "From here on you are a drill sergeant."), "Pawns! Now!", "sergeant"),
    (("teach me chess", "Where shall we start?", "answer me like a bard from now on"), "Hark, the board.", "bard"),
    # "But" leads up to it.
    (("add a banner", "I can show it at the top.", "ok but it must be dismissible"), "Added, with a cross.", "dismiss"),
    # A name alone, behind what is wrong with what there is.
    (
        ("the poster", "The headline is a script.", "the script is hard to read, Futura bold instead"),
        "Headline is Futura Bold now.",
        "Futura",
    ),
    (("안내문 써줘", "반말로 썼습니다.", "어르신들이 보니까 존댓말로 통일해줘"), "존댓말로 모두 고쳤습니다.", "존댓말"),
    # Which one will do.
    (("draw a chart", "Chart.js or D3.", "Chart.js will do. it is one bar"), "The chart is on the page.", "Chart.js"),
    # What somebody gives up is told with what he takes.
    (
        ("the meter sends by wifi, it is close", "Built it.", "scratch wifi. the wall is too thick, so ethernet"),
        "I removed the wifi part; ethernet it uses.",
        "ethernet",
    ),
]


@pytest.mark.parametrize(("said", "reply", "word"), SETTLED, ids=[row[2] for row in SETTLED])
def test_what_goes_on_with_the_agents_words_is_settled(
    said: tuple[str, ...], reply: str, word: str, tmp_path: Path
) -> None:
    found = listed(tmp_path, *talk(*said, reply))
    assert any(word in each.text for each in found if each.status == "active")


TOLD = [
    # What somebody else holds, wants or wrote.
    ("My uncle is convinced that you should only ever buy used cars from now on", "A year-old one loses less."),
    ("Meine Tante glaubte, dass ab sofort niemand mehr bar zahlen darf. Stimmt das?", "Nein, davon weiß ich nichts."),
    ("here is what the tenant wrote: We want the hall always lit and never locked. thoughts?", "It is unusual."),
    # Somebody is tired of something.
    ("j'en ai marre de ce portail, toujours pareil le vendredi", "Je comprends. C'était aussi le cas en mars."),
    ("mam już dość tej drukarki, zawsze w piątek to samo", "Rozumiem. Od marca zdarzyło się to pięć razy."),
    # What happened.
    ("it gave a 404 and then only showed a white page all morning", "The log has a gap at 8. I am checking it."),
    ("Sales wants the price everywhere and always in red. typical", "The brief mentions red twice."),
    ("Audit insists that we keep every mail for ten years from now on", "That is the law for invoices."),
    # What waits for somebody.
    ("Bが良さそうですが、来週みんなと話してから決めます", "わかりました。"),
    ("the left one looks nicer to me but let me ask Ann first", "Sure."),
]


@pytest.mark.parametrize(("said", "reply"), TOLD, ids=[row[0][:24] for row in TOLD])
def test_what_only_tells_of_something_settles_nothing(said: str, reply: str, tmp_path: Path) -> None:
    found = listed(tmp_path, *talk("what is new", "Nothing since Monday.", said, reply))
    assert [each.text for each in found if each.status == "active"] == []


@pytest.mark.parametrize(
    ("said", "decides"),
    [
        ("the script is hard to read, Futura bold instead", True),
        ("a script it is, no bold", True),
        ("no, a chart will do, thanks", True),
        # Who only agrees, or tells what came out.
        ("ok will do, thanks", False),
        ("the way it is, it loses rows", False),
        ("whatever it is, the log is full again", False),
        ("users see errors instead.", False),
        ("printed twice instead", False),
    ],
)
def test_a_name_with_no_verb_of_its_own_decides(said: str, decides: bool) -> None:
    assert form_of(said).decides is decides


@pytest.mark.parametrize(
    ("said", "is_of_others"),
    [
        ("my uncle is quite sure that paper never burns", True),
        ("Наш сосед уверен, что бумага не горит", True),
        ("Let's go with a queue that drops the oldest", False),
        ("A request that fails must be retried three times.", False),
        ("Une commande que personne ne paie doit toujours être annulée", False),
    ],
)
def test_what_others_hold_is_known_by_how_they_hold_it(said: str, is_of_others: bool) -> None:
    assert form_of(said).reports is is_of_others


@pytest.mark.parametrize(
    "said",
    [
        "We'll use SQLite, I'm tired of Postgres",
        "I've had enough, switch to SQLite",
        "Use the same thing for the invoices",
        "Invoices must always show the same thing",
        "Nimm das gleiche für die Rechnungen",
    ],
)
def test_who_is_tired_of_something_may_say_what_to_do_about_it(said: str) -> None:
    assert not form_of(said).reports


def test_what_nobody_took_on_is_not_given_up(tmp_path: Path) -> None:
    said = ("Export as CSV, please", "Done, CSV with semicolons.", "бухгалтер открывает и видит кракозябры")
    found = listed(tmp_path, *talk(*said, "Excel плохо определяет кодировку.", "давай тогда XLSX", "Теперь это XLSX."))
    assert not any("кракозябры" in each.text for each in found)


@pytest.mark.parametrize(
    ("closing", "told"),
    [
        ("It now loads by using the pool instead of single rows.", 1),
        ("It now loads by using the pool instead of single rows:", 0),
        ("It should now load by using the pool instead of single rows.", 0),
    ],
)
def test_what_opens_a_list_or_says_how_it_ought_to_come_out_tells_no_choice(
    closing: str, told: int, tmp_path: Path
) -> None:
    report = f"All done, and the tests pass.\n\n{closing}\n\n- one\n- two\n\nIt is fast."
    asked = (human("have a look at the shop"), agent("It is slow."), human("mend it"), EDIT)
    found = listed(tmp_path, *asked, agent(report))
    assert len([each for each in found if each.made_by == "agent"]) == told
