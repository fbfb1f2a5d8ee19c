"""What people say in plain talk, where only the agent's reply tells whether it settled something; and its twins."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.listing import listed, standing
from tests.support.logs import Act, agent, human


def talk(*said: str) -> tuple[Act, ...]:
    """The person's words and the agent's in turns."""
    return tuple(agent(text) if at % 2 else human(text) for at, text in enumerate(said))


# What the agent had said, what is settled, and how the agent takes it up.
SETTLED = [
    ("There are several formatters.", "black, default settings, no discussion", "Formatted 120 files."),
    ("Nothing expires yet.", "access tokens last 15 minutes, refresh tokens a week", "Implemented."),
    ("I merged it.", "next time wait, everything needs two reviewers in this repo", "Sorry, noted."),
    ("The page loads four fonts.", "no web fonts on the checkout page, that's non negotiable", "Removed."),
    ("The labels are mixed.", "British spelling throughout pls", "Changed 41 places."),
    ("It could be a graph.", "graphs are off the table, too much machinery", "Fair enough."),
    ("It is set to the left.", "should look like a letter on the first page", "Laid out."),
    ("Schichten oder hexagonal.", "wir machen das hexagonal", "Struktur angelegt."),
    ("18 ou 20.", "Node 20 partout, y compris en prod", "Mis à jour."),
    ("La mitad en inglés.", "que todo quede en castellano", "Traducido."),
    ("Al momento mista.", "due spazi ovunque", "Riformattato."),
    ("Папка пока без имени.", "пусть будет «Чайка»", "Переименовал."),
]


@pytest.mark.parametrize(("before", "words", "reply"), SETTLED, ids=lambda each: each[:24])
def test_what_is_said_in_a_few_words_and_then_is_so_was_decided(
    before: str, words: str, reply: str, tmp_path: Path
) -> None:
    found = listed(tmp_path, *talk("have a look at this", before, words, reply))
    assert [(each.quote, each.status, each.proof) for each in found] == [(words, "active", "statement")]


# What the agent had said, what settles nothing, and how the agent takes it up.
UNSETTLED = [
    ("Deployed.", "the page stays blank on the tablet", "A chunk is missing, looking."),
    ("Läuft.", "beim Kunden stürzt es ab sobald er speichert", "Ich schaue ins Log."),
    ("Ajouté.", "le filtre ne garde jamais la date", "Je regarde."),
    ("直しました。", "まだ同じエラーが出ます", "確認します。"),
    ("All done.", "great, that's it for today, see you tomorrow", "See you."),
    ("Ready.", "open the second file so i can read it", "Opened."),
    ("The parser is done.", "now the docs", "Done."),
    ("Fertig.", "jetzt die Tests", "Erledigt."),
    ("The parser is done.", "Let's start with the importer now", "Started with the importer."),
    ("It runs at boot.", "Back in 2019 we ran it by hand and never lost a line.", "The old script is there still."),
    ("它在启动时运行。", "我们以前都是手动跑的，从来没丢过数据。", "已经写进文档。"),
    ("배포했습니다.", "운영팀이 지난달에 전부 바꾸기로 했다더라고요.", "기록을 보니 3일에 변경되었습니다."),
    ("Hazır.", "Belki sonra bunu tamamen kaldırırız, bilmiyorum.", "Dört yerde kullanıldı."),
    ("It depends.", "my friend over at the other shop says they always go with kafka for that", "It fits them."),
]


@pytest.mark.parametrize(("before", "words", "reply"), UNSETTLED, ids=lambda each: each[:24])
def test_what_is_looked_into_reported_or_to_be_done_once_is_not(
    before: str, words: str, reply: str, tmp_path: Path
) -> None:
    assert standing(tmp_path, *talk("have a look at this", before, words, reply)) == []


@pytest.mark.parametrize(
    "asked",
    [
        'what does this part mean? "A guest MUST carry a card at all times. A host MUST ask for it at the door."',
        "le club écrit : « Le membre doit garder sa carte. Il ne doit jamais la prêter à un tiers. » bizarre, non ?",
    ],
)
def test_sentences_between_quotation_marks_are_somebody_elses(asked: str, tmp_path: Path) -> None:
    assert standing(tmp_path, *talk(asked, "It says who has to show what.", "ah ok", "Good.")) == []
