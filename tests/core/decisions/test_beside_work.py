"""What is settled in a talk beside the work, told of others or said in jest; rules said beside a question; and what a
decision is told with where another sentence says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.core.decisions.find.own_sentences import announces
from recapd.core.decisions.find.plain import form_of
from recapd.core.decisions.working import feels_with, goes_to_work
from tests.support.listing import listed
from tests.support.logs import Act, agent, human


def talk(*said: str) -> tuple[Act, ...]:
    return tuple(agent(text) if at % 2 else human(text) for at, text in enumerate(said))


# What the agent had said, what decides nothing here, and how the agent answers.
NOTHING_SETTLED = [
    # Home, and small talk: the agent answers as one human does another, or takes no notice.
    ("Nothing since noon.", "We've decided on the blue couch, my wife won", "Blue goes with everything!"),
    ("Only the docs are left.", "No rush, I won't look at it before Monday", "All right, enjoy the weekend."),
    ("Tudo no ar.", "então vou almoçar, hoje vai ser feijoada", "Bom apetite!"),
    ("Всё сохранено.", "Никогда больше не буду пить кофе в десять вечера", "Спокойной ночи!"),
    ("All 214 pass.", "amazing, I'm never writing a bug again", "I'll hold you to that."),
    ("It serves 200 requests.", "We'll go with Lisbon for the offsite", "The weather is mild in May."),
    # Jokes, and what means the opposite.
    ("The disk was full, so it failed.", "oh great. let's just never back up again then", "Freed 2 GB, it runs."),
    ("Una copia è nel cestino.", "Fantastico. Allora facciamo che lo stampiamo sui muri", "Il file è di marzo."),
    ("There are 340 unused selectors.", "sure, let's just delete the website lol", "I can list them by file."),
    # What is no order, though it is spelled like one.
    ("Does it touch us here?", "Don't think so.", "Then nothing is to be done."),
    ("Ela afeta a gente?", "Não acho que afete nada.", "Entendo."),
    # What others settled, by the verb alone; what somebody else wants.
    ("Co tym razem?", "Postanowili, że wszystko będą wysyłać w XML.", "Pewnie dlatego przyszło pismo."),
    ("¿Qué cuentan?", "Decidieron que siempre usarán YAML.", "Suele pasar."),
    ("Seit März.", "Unser Chef will, dass wir ab jetzt alle Jira benutzen.", "Viele Firmen nutzen es."),
    ("看到了。", "老周说必须用队列，小吴说没必要，用定时任务就够了，吵了半天。", "两人的分歧在于延迟。"),
    # Long ago and elsewhere, and what goes on about it.
    ("It parses dates.", "Back then we had settled on our own. We chose to skip weeks.", "The log says so."),
    ("Sie laufen nacheinander.", "Bei meinem alten Arbeitgeber hatten wir beschlossen, alles zu mocken.", "Oft so."),
    ("Im März 2022.", "Wir hatten uns mal auf Angular geeinigt, weißt du noch?", "Ja, im ersten Commit."),
    ("Ciao!", "L'anno scorso abbiamo scelto di scrivere tutto in Perl.", "Chissà che fatica."),
    # Of their things, what there is, and a rant.
    ("Em que fuso?", "O relógio deles fica em UTC, sempre foi assim lá.", "Então está explicado."),
    ("Verstanden.", "Bei uns stehen vier Scanner, alle mit Android 9.", "Verstanden. Welcher ist frei?"),
    ("Both sides changed it.", "this ALWAYS happens, i'll never understand rebase", "The terms are flipped in one."),
    # A fault, which shall not be so.
    ("Ik zie het.", "De lijst verdwijnt na elke klik, dat mag toch niet gebeuren", "De state gaat verloren."),
    ("¿Qué pasa?", "La alarma debería sonar a las ocho, pero sigue muda.", "Lo estoy comprobando."),
    ("Что случилось?", "печать опять падает на длинных именах", "Причина в буфере. Исправил, печатает."),
    # It stays open.
    # Put off: neither yes nor no, and the agent leaves all as it is.
    ("40 GB of scans. Shall I pack them?", "I shall have to ask the archivist first", "Fine, nothing is touched."),
    ("Soll ich sie bündeln?", "Das muss ich erst mit der Leitung klären", "Gut, bis dahin lasse ich alles so."),
    ("Les regroupe-t-on ?", "il faut d'abord que j'en parle à la mairie", "Entendu, je laisse tout en l'état."),
    ("Czy mam je połączyć?", "to dopiero po rozmowie z zarządem", "Rozumiem, niczego nie ruszam."),
    ("Mollie of Stripe.", "Stripe kan meer. Laat het nog even open tot de vergadering.", "Prima, ik zet ze klaar."),
]


# What somebody tells of a fault when he is asked, and the agent that found what the cause was.
FAULTS = [
    ("Which order?", "0412. it must say 3 boxes, not 30", "The amount was read from the wrong column. It says 3 now."),
    ("In which view?", "only in the weekly one", "The week had no end there. It is 7 days in the weekly view now."),
    ("Bei wem?", "nur bei Kunden mit zwei Adressen", "Die zweite wurde verworfen. Kunden sehen jetzt beide Adressen."),
    ("¿En qué pantalla?", "solo en la de pagos", "El descuento se aplicaba dos veces. He corregido la de pagos."),
    ("Em que mês?", "só em fevereiro", "O mês acabava no dia 30. Corrigi a conta de fevereiro."),
    ("Quando succede?", "solo di notte, deve partire alle 2", "L'orario slittava di un'ora. Ora parte alle 2."),
    # The cause still is one when the agent tells it: then what it did stands behind that.
    ("What does it say?", "404 on every icon, it must be the path", "The base ends in two slashes. I cut one."),
    ("Womit liest du sie?", "in Word. Sie müssen lesbar sein", "Word rät da die Kodierung. Ich schreibe sie dazu."),
    ("Ne zaman?", "sadece gece, 2 olması lazım", "Saat yanlış okunuyordu. Düzelttim, şimdi 2."),
]


@pytest.mark.parametrize(("before", "words", "reply"), FAULTS, ids=lambda each: each[:24])
def test_a_fault_of_which_the_agent_tells_how_it_was_decides_nothing(
    before: str, words: str, reply: str, tmp_path: Path
) -> None:
    assert listed(tmp_path, *talk("it is wrong again", before, words, reply)) == ()


@pytest.mark.parametrize(
    ("words", "reply"),
    [
        ("three weeks is plenty for us", "They were never deleted, now they are after three weeks."),
        ("one is enough, drop the other", "There is one clerk now, and none of 300 was counted twice."),
    ],
)
def test_what_is_set_is_decided_though_the_agent_tells_how_it_was(words: str, reply: str, tmp_path: Path) -> None:
    found = listed(tmp_path, *talk("the disk fills up", "They are kept. Do you need that?", words, reply))
    assert [each.quote for each in found if each.status == "active"] == [words]


@pytest.mark.parametrize(
    ("words", "reply"),
    [
        ("every label comes out twice since monday", "The queue sent it again after a second. Fixed, one each."),
        ("le menu ne garde jamais la langue choisie", "Le cookie expirait tout de suite. Corrigé, il reste un an."),
    ],
)
def test_a_first_message_of_which_the_agent_tells_that_it_is_mended_decides_nothing(
    words: str, reply: str, tmp_path: Path
) -> None:
    assert listed(tmp_path, *talk(words, reply)) == ()


def test_who_wonders_at_a_fault_gives_no_choice_up(tmp_path: Path) -> None:
    said = talk(
        "line 14 is drawn on the wrong bank of the river",
        "Its stops came from an older map. I took them from the new one.",
        "my driving teacher swore by paper maps, two of them, always",
        "Understandable. The stops of line 14 are taken from the new map now.",
    )
    assert listed(tmp_path, *said) == ()


@pytest.mark.parametrize(("before", "words", "reply"), NOTHING_SETTLED, ids=lambda each: each[:24])
def test_what_is_beside_the_work_in_jest_or_told_of_others_is_not_decided(
    before: str, words: str, reply: str, tmp_path: Path
) -> None:
    found = listed(tmp_path, *talk("how is it going?", before, words, reply))
    assert [each.text for each in found if each.status == "active"] == []


# A rule with a question behind it, which is what the agent answers.
RULES = [
    ("Heads up for all you write here: file names are kebab-case, no exceptions.", "kebab-case"),
    ("A rule for the whole billing module: amounts are kept in cents.", "cents"),
    ("Una regla para todo el módulo: los precios se guardan en céntimos.", "céntimos"),
    ("Eine Regel fürs ganze Backend: Beträge stehen in Cent.", "Cent"),
    ("I want no heap allocation anywhere after boot.", "heap"),
    ("Ich will keine Farbverläufe im Layout.", "Farbverläufe"),
    ("This library has no dependencies and that's how I want it to remain.", "dependencies"),
    ("From here on the parser runs in its own process.", "process"),
]


@pytest.mark.parametrize(("rule", "word"), RULES, ids=lambda each: each[:24])
def test_a_rule_is_decided_though_the_agent_answers_what_is_asked_beside_it(
    rule: str, word: str, tmp_path: Path
) -> None:
    found = listed(tmp_path, *talk(f"{rule} Why is the loader slow?", "It reads every file twice."))
    assert [word in each.quote for each in found if each.status == "active"] == [True]


# A message that asks for work and says how it is to be, the reply, which tells of the work first, and a word of it.
KEPT_TO = [
    (
        "Sort out the seating plan export, please. Table names have to stay under 12 characters.",
        "The export broke on an empty table. Names are cut at 12 characters.",
        "12 characters",
    ),
    (
        "Error messages in the shop are from now on one line long. Could you do the basket first?",
        "The basket has four of them, one line each.",
        "one line",
    ),
    (
        "Kannst du den Kalender bauen? Die Woche beginnt bei uns am Montag.",
        "Der Kalender liegt in `cal.py`, die Woche fängt mit Montag an.",
        "Montag",
    ),
    (
        "Ajoute la page des tarifs. Et au passage, plus aucune vidéo sur le site.",
        "La page est en ligne sous `/tarifs`, sans les deux clips.",
        "vidéo",
    ),
    (
        "Sistema la ricerca per favore. Le tessere dei soci non devono mai comparire nei risultati.",
        "La ricerca falliva con gli accenti. Nei risultati c'è solo il numero.",
        "tessere dei soci",
    ),
]


@pytest.mark.parametrize(("words", "reply", "word"), KEPT_TO, ids=lambda each: each[:24])
def test_how_work_is_to_be_done_is_decided_though_the_reply_tells_of_the_work_first(
    words: str, reply: str, word: str, tmp_path: Path
) -> None:
    found = listed(tmp_path, *talk(words, reply))
    assert [word in each.quote for each in found if each.status == "active"] == [True]


@pytest.mark.parametrize(
    ("words", "reply"),
    [
        # A fault that somebody shall look into.
        ("The menu always opens twice. Can you look into that?", "Two listeners were bound. I removed one."),
        ("La lista solo muestra diez filas. ¿Puedes mirar por qué?", "El límite era fijo. Lo he quitado."),
        ("メニューが必ず二回開きます。直してもらえますか。", "重複していました。修正しました。"),
        # How things are.
        ("The postman never comes before noon. Could you run the tests?", "All 31 tests pass."),
        ("Our CI must be the slowest on earth. Could you read the log?", "The linker takes 11 of 19 minutes."),
        ("设置是 XML，编码是 UTF-16。请告诉我在哪里读取。", "在 `Loader.java` 里读取，编码是 UTF-16。"),
        ("Toplam güncellenmeli ama eski tutar kalıyor.", "Olay tetiklenmiyor. Şimdi düzeltiyorum."),
    ],
    ids=lambda each: each[:24],
)
def test_what_is_wrong_or_so_anyway_is_not_decided_beside_the_work_that_is_asked_for(
    words: str, reply: str, tmp_path: Path
) -> None:
    found = listed(tmp_path, *talk(words, reply))
    assert [each.quote for each in found if each.status == "active"] == []


# What was asked, what the agent named, what is taken of it, and the reply, which says only that it is so.
NAMED = [
    ("the key covers the map", "It can sit on the left or above.", "left side please, above is cut off", "left"),
    ("¿Y los avisos?", "Podría usar una cola o enviar por tandas.", "Por tandas, la cola no la cuida nadie", "tandas"),
    ("Which paper is best?", "Kraft, cotton and linen print well.", "I like linen best, take that", "linen"),
    ("we need a rota", "When should the rota begin?", "Thursday noon, that's when the shift ends", "Thursday"),
    ("The pulses come too fast.", "They come every 20 ms.", "just skip anything below 35 ms", "35 ms"),
]


@pytest.mark.parametrize(("asked", "put", "words", "name"), NAMED, ids=lambda each: each[:24])
def test_what_is_named_in_a_few_words_is_decided_where_the_reply_comes_back_to_it(
    asked: str, put: str, words: str, name: str, tmp_path: Path
) -> None:
    taken = listed(tmp_path, *talk(asked, put, words, f"The base is on {name}, 120 wide."))
    assert [each.quote for each in taken if each.status == "active"] == [words]


def test_who_tells_to_do_what_the_agents_last_sentence_says_could_be_done_takes_it(tmp_path: Path) -> None:
    told = "In plot 9 width and height are strongly correlated."
    put = f"{told} You could fix the width to the zero-line mean or put a border on it."
    said = "Fix the width to the zero-line mean. Readers will get that sooner than a border."
    found = listed(tmp_path, *talk("look at plot 9", put, said, "Done. The error of plot 9 goes from 3.8 to 1.1."))
    assert any(each.quote.startswith("Fix the width") for each in found if each.status == "active")


TOLD_WITH = [
    # That something is settled, and what.
    ("I've settled the tone of the guide. Second person, present tense.", "Noted.", "present tense"),
    ("Wir haben uns entschieden. Alles auf Deutsch.", "Notiert.", "auf Deutsch"),
    # A name, and how it is.
    ("PDF. It goes out every Monday at 7 am.", "I'll schedule the mail.", "Monday"),
    # What is said of the sentence before.
    ("Rather squash it all per ticket. That's how it should go from now on.", "Done, one commit.", "squash"),
]


@pytest.mark.parametrize(("words", "reply", "told"), TOLD_WITH, ids=lambda each: each[:24])
def test_two_sentences_of_which_neither_says_it_alone_are_told_as_one(
    words: str, reply: str, told: str, tmp_path: Path
) -> None:
    found = listed(tmp_path, *talk("hello", "Hello! What shall I do?", words, reply))
    assert any(told in each.text for each in found if each.status == "active")
    assert announces("I've decided.") and not announces("I've decided to use Redis.")


def test_who_tells_to_do_what_the_agent_put_takes_it(tmp_path: Path) -> None:
    put = "I'd propose a partial index on the open rows, it takes under 1 MB."
    said = "Agreed, go ahead with the partial index."
    found = listed(tmp_path, *talk("the page is slow, ideas?", put, said, "Written as a migration."))
    assert {each.quote for each in found if each.status == "active"} >= {"go ahead with the partial index."}


def test_a_fact_that_the_agent_answers_with_a_proposal_is_not_told_as_replaced(tmp_path: Path) -> None:
    fact = "Our reports are made within the request and run out of time."
    put = "I propose a queue in the database, with a worker beside it."
    found = listed(tmp_path, *talk(fact, put, "Yes, I like it. Build the queue.", "On it, the queue comes first."))
    assert [each.quote for each in found if each.status == "superseded"] == []


CHANGED = [
    # The reason stands in the same message.
    (
        "Back up the database nightly.",
        "Added at 02:00.",
        "We lost a day once. Hourly please.",
        "Every full hour, 48 kept.",
    ),
    # The agent says that it is now what it was set to.
    ("Show 10 rows per page.", "Done.", "people scroll forever, 20", "It's 20 now."),
]


@pytest.mark.parametrize(("first", "done", "then", "reply"), CHANGED, ids=lambda each: each[:24])
def test_a_mind_is_changed_where_the_reason_or_the_new_value_is_told(
    first: str, done: str, then: str, reply: str, tmp_path: Path
) -> None:
    found = listed(tmp_path, *talk(first, done, then, reply))
    assert [each.status for each in found] == ["superseded", "active"]


def test_an_agent_that_wishes_well_does_not_go_to_work() -> None:
    assert feels_with("Bom apetite!") and feels_with("All right, enjoy your trip.")
    assert not feels_with("Ha, I'll remove it then.")
    assert goes_to_work("Hope you are well. The picker now has arrow keys.")
    assert goes_to_work("Subi a máquina e o serviço.") and goes_to_work("Redirects are in place for all pages.")
    assert goes_to_work("I wrote the missing script and tried it.")
    assert goes_to_work("Die Leiste und die Tabelle sind schon umgebaut, der Rest folgt.")
    assert not goes_to_work("Passing an object into all of the constructors would isolate them.")


def test_where_a_file_is_read_or_looked_for_is_an_order_and_a_variable_is_no_gap() -> None:
    assert not form_of("look under $XDG_CONFIG_HOME/tool instead of the home folder").is_open
    assert form_of("look at the parser").is_open
