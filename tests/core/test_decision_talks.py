"""Talk without a single call: answers to open questions, minds that change in other words, and what only sounds so.

Each is told by how the exchange goes; the twins at the end lack one sign of a changed mind, and both decisions stand.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.core.decisions.exchange import acknowledges, answers_thanks, turns_away
from tests.support.listing import listed, standing
from tests.support.logs import Act, agent, edit, human


def talk(*said: str) -> tuple[Act, ...]:
    """The person's words and the agent's in turns."""
    return tuple(agent(text) if at % 2 else human(text) for at, text in enumerate(said))


ANSWERED = [
    ("Which editor should the snippets be for?", "helix, the others have theirs", "helix"),
    ("How many rows per page?", "25, it must fit on a phone", "25"),
    ("Welche Sprache soll ich nehmen?", "kotlin, das kann das team", "kotlin"),
    ("Où veux-tu stocker les photos ?", "sur le nas, il reste de la place", "nas"),
    ("¿Cuántos intentos?", "5, la red es mala", "5"),
    ("Em que formato devo exportar?", "json, o outro time lê isso", "json"),
    ("Quale porta?", "8090, le altre sono occupate", "8090"),
    ("Какой шрифт?", "inter, он бесплатный", "inter"),
    ("日志保留多久？", "两周，磁盘不大", "两周"),
    ("どの言語にしますか？", "ruby、慣れているから", "ruby"),
    ("어떤 색으로 할까요?", "초록, 로고랑 맞으니까", "초록"),
]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        # Before it, and behind it: a report that says nothing of what was spoken of.
        (
            ("Write a letter to the landlord", "Done, I wrote it.", "Keep that from now on, always plain.", "I will."),
            "Keep that from now on, always plain.",
        ),
        (("Name the module spool", "I named it spool.", "rather queue", "Done, I renamed it."), "rather queue"),
        (
            ("Name the module spool", "I named it spool.", "rather queue", "The module is called queue now."),
            "rather queue — The module is called queue now.",
        ),
    ],
)
def test_what_the_agent_reports_is_told_with_a_decision_where_it_is_about_it(
    said: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    assert [each.text for each in listed(tmp_path, *talk(*said)) if each.proof][-1] == told


@pytest.mark.parametrize(("question", "words", "named"), ANSWERED)
def test_what_answers_an_open_question_is_decided_and_tells_what_was_asked(
    question: str, words: str, named: str, tmp_path: Path
) -> None:
    (found,) = listed(tmp_path, *talk("make me a small tool", f"Sure. {question}", words, "Done."))
    assert (found.quote, found.proof, found.status) == (words, "answer", "active")
    assert named in found.text
    assert question.strip(" ?？") in found.text


@pytest.mark.parametrize(
    "question", ["Which version do you run?", "What does the error say?", "What should I do next?", "Can you paste it?"]
)
def test_what_tells_a_fact_or_goes_on_answers_no_open_question(question: str, tmp_path: Path) -> None:
    said = talk("it fails", f"I see. {question}", "4.2, from the shop", "Thanks, that explains it.")
    assert [each for each in listed(tmp_path, *said) if each.proof] == []


def test_a_brief_question_asks_for_a_wish_where_the_answer_is_taken_up(tmp_path: Path) -> None:
    said = ("it fails", "On which machine?", "the old laptop, as ever")
    proofs = [
        [each.proof for each in listed(tmp_path, *talk(*said, reply))]
        for reply in ("That explains the missing driver.", "Installed on the old laptop.")
    ]
    assert "answer" not in proofs[0]
    assert proofs[1] == ["answer"]


EITHER = "I see two ways: a nightly job, or a trigger in the database. Which one?"
BULLETS = "Ways:\n\n- A nightly job\n- A trigger in the database\n\nWhich one do you want?"
PLACES = ["the latter", "second option pls", "number two", "das zweite", "letzteres", "la deuxième", "la segunda"]
PLACES += ["a segunda", "la seconda", "второй", "后者", "2番目で", "두 번째"]


@pytest.mark.parametrize("words", PLACES)
@pytest.mark.parametrize("ways", [EITHER, BULLETS])
def test_an_option_named_by_its_place_is_told_by_its_own_text(ways: str, words: str, tmp_path: Path) -> None:
    texts = standing(tmp_path, *talk("the totals are stale", ways, words, "Set up."))
    assert any("trigger in the database" in text and "nightly" not in text for text in texts)


# How options stand in running text, which one is taken, and words of it and of another.
IN_PROSE = [
    ("I can draw it with a ruler, by hand or on the plotter. Which one?", "third", "plotter", "hand"),
    ("I could either sort the seeds by colour, or by the month they are sown in.", "the latter", "month", "colour"),
    ("Two ways. First: a bell that rings twice. Second: a lamp above the door.", "second one, clearly", "lamp", "bell"),
    (
        "It could (1) hang from a hook, or (2) stand on a tripod. Which would you like?",
        "the first pls",
        "hook",
        "tripod",
    ),
    ("Ik kan de lijst op naam of op datum sorteren. Wat wil je?", "de tweede graag", "datum", "naam"),
    ("Ich kann es mit Leim oder mit Schrauben befestigen. Was möchtest du?", "erstere", "Leim", "Schrauben"),
    ("Mogę to zrobić z drewna albo z blachy. Co wolisz?", "ta druga", "blachy", "drewna"),
    ("Перо: пишет тонко. Кисть: пишет мягко, но медленно.", "вторую, она живее", "Кисть", "Перо"),
    ("可以用木头，或者用铁皮。你要哪个？", "最后一个", "铁皮", "木头"),
]


@pytest.mark.parametrize(("ways", "words", "taken", "other"), IN_PROSE)
def test_options_in_running_text_are_picked_by_their_place(
    ways: str, words: str, taken: str, other: str, tmp_path: Path
) -> None:
    texts = standing(tmp_path, *talk("how shall we make it?", ways, words, "Done."))
    assert any(taken in text and other not in text for text in texts)


# The agent's last words, the answer, the reply, and what is decided.
NAMED_IN_PASSING = [
    ("When should the kiln start?", "4:45", "Set to 4:45.", "4:45 — When should the kiln start?"),
    ("Which glaze do you need?", "celadon", "Mixed with a little iron.", "celadon — Which glaze do you need?"),
    (
        "Which clay should the mould be for?",
        "asked him, either will do. so stoneware",
        "Set up for stoneware.",
        "so stoneware — Which clay should the mould be for?",
    ),
    ("Welke klei wil je?", "porselein", "De oven staat klaar.", "porselein — Welke klei wil je?"),
    ("Jaką glinę wolisz?", "porcelana", "Gotowe.", "porcelana — Jaką glinę wolisz?"),
    ("Hangi kili istersin?", "porselen", "Tamam, ayarladım.", "porselen — Hangi kili istersin?"),
]


@pytest.mark.parametrize(("question", "words", "reply", "told"), NAMED_IN_PASSING)
def test_who_is_asked_what_he_wants_and_names_it_has_decided(
    question: str, words: str, reply: str, told: str, tmp_path: Path
) -> None:
    assert told in standing(tmp_path, *talk("get the kiln ready", question, words, reply))


def test_an_option_behind_an_exclamation_is_taken_where_it_is_so_now(tmp_path: Path) -> None:
    ways = "For a cup I would think of celadon, tenmoku or shino."
    words = "Oh, shino, beyond any doubt. My aunt fired her pots with it and never used another."
    reply = "It's planned with shino now, and the firing takes four hours longer."
    (told,) = standing(tmp_path, *talk("plan a glaze for the cups", ways, words, reply))
    assert told.endswith("— shino")


@pytest.mark.parametrize(
    ("before", "words", "reply"),
    [
        ("Two jobs ran. Copy: fine. Print: failed twice.", "the second one, why?", "It ran out of ink."),
        ("Two jobs ran. Copy: fine. Print: failed twice.", "second one again, sigh", "It ran out of ink."),
        ("Which port does it listen on?", "8080", "That one is taken by the proxy."),
    ],
)
def test_what_is_said_of_one_of_several_things_picks_none(before: str, words: str, reply: str, tmp_path: Path) -> None:
    assert standing(tmp_path, *talk("what happened?", before, words, reply)) == []


# What stood before, the agent's words, the answer with what follows on it, the reply, and how what is decided begins.
WITH_MORE = [
    (
        "Imprime las etiquetas.",
        "Impresas. Para el cartel: ¿qué día pensáis abrir?",
        "El 7 de mayo. La sala es nuestra.",
        "El cartel dice 7 de mayo.",
        "El 7 de mayo.",
    ),
    (
        "Prépare le four.",
        "Quelle version du régulateur faut-il installer ?",
        "4.12. La nouvelle plante.",
        "Le four tourne avec 4.12.",
        "4.12.",
    ),
    (
        "The gate squeaks.",
        "Two remedies: (A) grease the hinges; (B) hang it on nylon rings, which wear faster.",
        "B. Grease gets on the coats.",
        "The gate hangs on nylon rings now.",
        "hang it on nylon rings",
    ),
    (
        "Bereite den Ofen vor.",
        "Gern. Welche Firmware soll der Regler bekommen?",
        "4.12. Die neue stürzt ab.",
        "4.12 ist aufgespielt.",
        "4.12.",
    ),
    (
        "Print the labels.",
        "Printed. One question for the poster: which weekday do you plan to open, so that I can set it?",
        "Friday. The hall is ours then.",
        "The poster says Friday.",
        "Friday.",
    ),
    (
        "Stampa le etichette.",
        "Stampate. Ancora una cosa per il manifesto: quale giorno prevedete per l'apertura?",
        "Venerdì. La sala è nostra.",
        "Il manifesto dice venerdì.",
        "Venerdì.",
    ),
    (
        "Drehe die Töpfe.",
        "Wie hoch soll der Rand sein?",
        "4 cm reichen mir glaube ich. Tassen meist",
        "Gedreht, 4 cm.",
        "4 cm",
    ),
    (
        "Wire the kiln.",
        "What should the limit be?",
        "900 degrees would do i guess. raku",
        "I limited it to 900.",
        "900",
    ),
    (
        "La cuisson est trop longue.",
        "On peut isoler le four avec de la laine, ou passer à la brique, qui dure plus longtemps.",
        "Allez, brique. Et jette la vieille porte.",
        "J'ai monté le four en brique, la porte est partie.",
        "Allez, brique.",
    ),
    (
        "The scale is from my aunt. is there anything better than brass these days",
        "Steel is what most people take: no polish. Or keep brass and wax it.",
        "do it in steel. I'll carve the pointer myself",
        "The drawing is in steel now.",
        "do it in steel.",
    ),
]


@pytest.mark.parametrize(("first", "question", "words", "reply", "told"), WITH_MORE)
def test_an_answer_is_found_before_whatever_is_said_with_it(
    first: str, question: str, words: str, reply: str, told: str, tmp_path: Path
) -> None:
    assert any(text.startswith(told) for text in standing(tmp_path, *talk(first, question, words, reply)))


# A message, the agent's reply, and what of it is decided.
BEHIND_MORE = [
    (
        "I've gone through your samples and we're going with slate for the roof. Draw the ridge.",
        "Drew the ridge in slate.",
        "we're going with slate for the roof.",
    ),
    (
        "The text works, but in future please keep such letters to one page, I read them standing.",
        "Will do. Sent the short one.",
        "The text works, but in future please keep such letters to one page, I read them standing.",
    ),
    (
        "Test prints must be on grey paper.",
        "Will do: grey paper for them.",
        "Test prints must be on grey paper.",
    ),
]


@pytest.mark.parametrize(("words", "reply", "told"), BEHIND_MORE)
def test_what_is_settled_is_found_behind_what_leads_up_to_it(words: str, reply: str, told: str, tmp_path: Path) -> None:
    assert told in standing(tmp_path, *talk("hello", "Hello, the workshop is open.", words, reply))


@pytest.mark.parametrize(
    ("question", "words", "reply"),
    [
        # An item of a list; a letter no option has; what is only thought, and nobody goes by.
        ("Two remedies: (A) grease it; (B) hang it on rings.", "B. broke today\nC. broke, too", "The steel was poor."),
        ("Two remedies: (A) grease it; (B) hang it on rings.", "F. Scott told me so.", "He knew a lot about gates."),
        ("What should the limit be?", "900 would do i guess", "The glaze says 1,100, which is a contradiction."),
        # Not settled, or no matter of ours.
        ("The samples are here.", "I read them and if they are dry we're going with slate", "They are still wet."),
    ],
)
def test_what_only_begins_like_an_answer_decides_nothing(question: str, words: str, reply: str, tmp_path: Path) -> None:
    assert standing(tmp_path, *talk("hello", question, words, reply)) == []


# The question, what was chosen, the trouble the agent names, what is chosen then, and the agent's report.
TURNED = [
    (
        "Which language?",
        "lua, its tiny",
        "Done. It has no test runner, though.",
        "ok then zig",
        "Ported to Zig.",
    ),
    ("How many workers?", "16, go big", "Done. The box has four cores only.", "oh. 3 then", "Changed to three."),
    ("Welches Format?", "xml, wie immer", "Fertig. Das Tool liest aber kein XML.", "na gut, dann yaml", "Umgestellt."),
    ("Quel port ?", "80, c'est simple", "Fait. Il faut être root, mais bon.", "tant pis, 8000", "Changé : 8000."),
    ("¿Qué base?", "oracle, la tenemos", "Listo. Pero la licencia ya caducó.", "entonces maria", "Cambiado."),
    ("Qual nome?", "rio, é curto", "Pronto. Mas já existe um pacote assim.", "então lago", "Renomeado para lago."),
    ("Quale tema?", "scuro, mi piace", "Fatto. Ma in stampa non si legge.", "allora chiaro", "Cambiato."),
    ("Какой брокер?", "kafka, он модный", "Готово, но памяти не хватает.", "тогда nats", "Перенёс на NATS."),
    ("用哪个框架？", "vue，我熟", "做好了，不过包很大。", "那用 svelte 吧", "已经换成 Svelte。"),
    (
        "どの色にしますか？",
        "赤、目立つから",
        "できました。ただ警告と同じ色。",
        "じゃあ青で",
        "青に変更しました。",
    ),
    ("어떤 언어로 할까요?", "자바, 익숙하니까", "했습니다. 다만 느립니다.", "그럼 고로", "고로 바꿨습니다."),
]


@pytest.mark.parametrize(("question", "first", "trouble", "then", "report"), TURNED)
def test_a_choice_given_up_for_another_is_replaced_without_a_shared_word(
    question: str, first: str, trouble: str, then: str, report: str, tmp_path: Path
) -> None:
    found = listed(tmp_path, *talk("make me a tool", f"Sure. {question}", first, trouble, then, report))
    assert {each.quote: each.status for each in found} == {first: "superseded", then: "active"}


def test_what_is_given_up_next_was_a_choice_however_it_was_said(tmp_path: Path) -> None:
    said = talk(
        "a login page with a magic link",
        "Here it is. Mails take two minutes to arrive, though.",
        "meh. passkeys then",
        "Switched to passkeys.",
    )
    found = {each.quote: each.status for each in listed(tmp_path, *said)}
    assert found == {"a login page with a magic link": "superseded", "meh. passkeys then": "active"}


# First words, the agent's, then words that only point or name, and the agent's report that comes back to them.
REDONE = [
    ("we'll host it at home", "OK. The line is down on Sundays.", "right, a small vps", "It runs on a small VPS now."),
    ("i want a daily mail to everybody", "Done. Two people left.", "lets make it weekly", "Mails go out weekly now."),
    ("put the notes in a wiki", "Done.", "turns out nobody logs in. so markdown", "Converted to Markdown."),
    ("pon el fondo negro", "Listo.", "mmm queda triste, mejor azul", "Ahora es azul."),
]


@pytest.mark.parametrize(("first", "reply", "then", "report"), REDONE)
def test_a_change_that_the_agent_tells_of_needs_no_word_of_giving_up(
    first: str, reply: str, then: str, report: str, tmp_path: Path
) -> None:
    found = listed(tmp_path, *talk(first, reply, then, report))
    assert [each.status for each in found if each.quote == first] == ["superseded"]
    assert [each.status for each in found if each.quote in then] == ["active"]


def test_an_order_of_its_own_replaces_nothing_it_does_not_name(tmp_path: Path) -> None:
    said = talk("we'll go with sqlite for the data", "Done.", "use tabs in all files", "All files use tabs now.")
    assert len(standing(tmp_path, *said)) == 2


def test_who_answers_a_question_gives_up_nothing_that_was_settled_before(tmp_path: Path) -> None:
    """Though the agent had told of a trouble, and goes to work on what is added."""
    said = (
        "Use PostgreSQL, not MySQL.",
        "I set up PostgreSQL. The migration failed once. Do you want Docker or a local server?",
        "Docker. And never commit the password.",
        "I added a compose file and put the password into an ignored file.",
    )
    assert {entry.status for entry in listed(tmp_path, *talk(*said))} == {"active"}


def test_options_under_letters_with_a_colon_are_told_by_their_text(tmp_path: Path) -> None:
    ways = "A: a nightly job\nB: a trigger in the database\n\nWhich?"
    assert ["trigger in the database" in text for text in standing(tmp_path, *talk("go", ways, "B", "Done."))] == [True]


NOTHING = [
    ('the client wrote: "never use red, always use our blue"', "That is their style guide."),
    ("«Utilice siempre la versión 2»", "Eso lo dice el servidor."),
    ("「必ず管理者として実行してください」と出る", "権限が足りないためです。"),
    ("my colleague says we should use tabs everywhere", "Opinions differ on that."),
    ("somebody decided in 2015 to store it all in one table", "That explains the size."),
    ("the tool always opens the old folder, never reads the config", "Which folder is that?"),
    ("works now, you are a star", "Glad to hear it."),
    ("haha lets just delete the whole internet", "That would save some time."),
    ("i'll ask the boss tomorrow whether we keep it", "Tell me when you know."),
    ("der Chef sagt, wir sollen immer alles drucken", "Verständlich ist das nicht."),
    ("мой друг говорит, надо всегда писать на си", "Зависит от задачи."),
    ("vou perguntar ao cliente se mantemos isso", "Combinado, fico no aguardo."),
]


@pytest.mark.parametrize(("words", "reply"), NOTHING)
def test_what_is_quoted_told_of_others_or_not_meant_is_no_decision(words: str, reply: str, tmp_path: Path) -> None:
    assert standing(tmp_path, *talk("why is it slow", "It reads everything twice.", words, reply)) == []


def test_a_request_that_passes_over_an_offer_decides_nothing(tmp_path: Path) -> None:
    said = talk("add paging", "Added. Should I sort it by name, too?", "now add a search box above it", "It is there.")
    assert standing(tmp_path, *said) == []


TROUBLE = "Done. The free tier doesn't include it, though."


@pytest.mark.parametrize(
    ("before", "said", "after"),
    [
        # No trouble and no change.
        ("Done.", "then we are good", "Yes."),
        # Something on top of it.
        (TROUBLE, "ok then add a note about it", "Added, the note is there now."),
        # A question.
        (TROUBLE, "then what about the paid one?", "It has it now."),
        # No sign that anything is given up, and a thing of its own.
        (TROUBLE, "make the header of the start page blue please", "The header is blue now."),
    ],
)
def test_where_a_sign_is_missing_nothing_is_given_up(before: str, said: str, after: str) -> None:
    assert not turns_away(before, said, after)
    assert turns_away(TROUBLE, "ok then the other one", "Switched.")


def test_a_reply_says_whether_it_takes_something_up() -> None:
    assert acknowledges("Noted, no phone field.")
    assert not acknowledges("That comes from the mail server.")
    assert answers_thanks("You're welcome!")
    assert not answers_thanks("Removed.")


@pytest.mark.parametrize(
    ("first", "is_over"),
    [
        ("Let's limit by IP address for now.", True),
        # Mentioned is not chosen.
        ("Never log the IP address of guests without an account.", False),
    ],
)
def test_what_something_else_is_taken_for_is_over(tmp_path: Path, first: str, is_over: bool) -> None:
    """Also where the agent's report of it, in between, may be meant."""
    second = "Use the token bucket in Redis per API key instead of the IP address."
    standing_now = standing(
        tmp_path,
        human("Checkout falls over when a client retries in a loop; add rate limiting."),
        agent("Two ways:\n\n1. Limit by IP address: simple.\n2. A token bucket in Redis.\n\nWhich one shall it be?"),
        human(first),
        edit("/home/dev/shop/server.py"),
        agent("Requests are limited by IP address now. All 12 tests pass."),
        human(f"No, that hits whole offices. {second}"),
        edit("/home/dev/shop/limits.py"),
        agent("The bucket works per API key. Two tests fail when Redis is down."),
    )
    assert second in standing_now
    assert (first not in standing_now) is is_over
