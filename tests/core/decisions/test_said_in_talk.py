"""What people say in plain talk, where only the agent's reply tells whether it settled something; and its twins."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.core.decisions.working import goes_to_work
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
    # By what "we" do, whatever the verb.
    ("With bcrypt.", "We'll hash with argon2 in the new service.", "Added a helper for it."),
    ("npm met 4 minutes.", "On bascule sur pnpm, marre d'attendre", "Fait, 50 secondes maintenant."),
    ("Er schrijven drie processen.", "We stappen over op Postgres", "Overgezet."),
    ("Сейчас копируем файлы.", "Переезжаем на Docker, хватит копировать руками", "Готово."),
    ("Serwer ma czas lokalny.", "Wszystkie daty zapisujemy w UTC", "Gotowe."),
    # An order with a word that makes it a rule, or that sets a number.
    ("They need 14 minutes.", "Run the integration tests only on main", "The slow job runs on main now."),
    ("They are scaled up.", "Generate them at 2x for retina and serve webp.", "Done."),
    ("半々です。", "今後、コミットメッセージは英語で書いてください。", "わかりました。"),
    ("반반입니다.", "앞으로 커밋 메시지는 영어로 작성해 주세요", "네, 알겠습니다."),
    # How a thing shall be, said of it.
    ("It has a hostname in it.", "Then the repo stays private until that is scrubbed", "Noted in the checklist."),
    ("Evet, hepsi öyle.", "Hata mesajları bundan sonra Türkçe olacak", "Tamam, çevirdim."),
]


@pytest.mark.parametrize(("before", "words", "reply"), SETTLED, ids=lambda each: each[:24])
def test_what_is_said_in_a_few_words_and_then_is_so_was_decided(
    before: str, words: str, reply: str, tmp_path: Path
) -> None:
    found = listed(tmp_path, *talk("have a look at this", before, words, reply))
    assert [(each.quote, each.status, each.proof) for each in found] == [(words, "active", "statement")]


# What the agent had said, what settles nothing, and how the agent takes it up.
UNSETTLED = [
    # What is to be done next, which takes nothing and sets nothing, though the agent does it.
    ("That was the last red one.", "lovely, then go ahead and merge it", "Merged, the branch is gone."),
    ("Ja, ein Komma fehlt.", "gut, dann behebe das und schreib einen Test dazu", "Behoben, der Test ist drin."),
    ("Sí, hace una hora.", "vale, sigue con lo siguiente", "Empiezo con los índices."),
    ("Да, собрано.", "отлично, залей на сервер", "Залил, страница открывается."),
    ("It shows the sales.", "cool, can you also make one for the costs", "Added a second chart."),
    ("By how much?", "90 euros from May, and he wants all of it in cash from now on", "He can't demand that."),
    ("Which part?", "'we agreed to never ship on a friday again' - and then they shipped", "Ha, at 17:12."),
    ("Il primo è più grande.", "mm ci dormo su, tanto lo sconto vale fino a lunedì", "Certo, c'è tempo."),
    # What was heard of others, in all its clauses; what answers a question about a fault; what is dropped for nothing.
    ("格式昨天变了。", "哦，听说前端组又改主意，不用 YAML 改回 JSON 了", "那就对上了：都是 JSON。"),
    ("Beide gehen.", "Aha. Mein Chef meint ja, man dürfe nur noch Rust nehmen.", "Das hört man oft."),
    ("¿Al subir o al bajar?", "solo al bajar, y nunca con lluvia", "Suena a la correa; conviene mirarla."),
    ("要等两个小时。", "算了吧，两个小时谁受得了", "工作日人会少一些。"),
    # The agent explains, confirms, consoles or tells how something else stands: it was told nothing to go by.
    ("It retries five times.", "five, fine. so the waits must double then", "Yes, 1 s, 2 s, 4 s."),
    ("Latency is 80 ms.", "should be 50 by now", "The proxy adds the rest; it sits in another region."),
    ("The heap peaked at 1 GB.", "so 900 MB aren't enough after all", "No, it was killed at 02:10."),
    ("Die Wiki-Seite ist von 2017.", "da wurde immer montags ausgeliefert, nie sonst", "Das erklärt die Tags."),
    ("Ambas sirven.", "mi primo al final se compró la otra y dice que vuela", "Los modelos nuevos traen más memoria."),
    ("C'est écrit là.", "mon prof disait toujours : jamais de variable globale", "C'est un conseil répandu."),
    ("Upload at 40%.", "finally got the garden done, they put the fence up", "Sounds nice! The upload is at 60% now."),
    (
        "The left bolt is loose.",
        "no no, it's the right one that's loose, not the left",
        "Ah, the load sits on it then.",
    ),
    # What is to be done once more, or told for the sake of a question, or asked for in other words than a question.
    ("Nine passed.", "run the linter again, this time with --fix and only the api folder", "Ran it: two warnings."),
    (
        "It is there.",
        "kannst du mir kurz erklären was der cache macht, ich muss das morgen zeigen",
        "Er hält Antworten.",
    ),
    (
        "Noted.",
        "here we always store the time as UTC, but the chart is two hours off. why?",
        "The chart adds it again.",
    ),
    ("あります。", "前の人はなんでここでXMLを採用したんだろう。", "議事録には書かれていません。"),
    # What is asked to be confirmed, quoted, or left open in so many words.
    ("Here it is.", "so we always close the file there and never reopen it, right?", "Right, in reader.py."),
    ("There is one.", 'the guide says "we will tag each build and never move a tag" somewhere', "In chapter 2."),
    ("Both are close.", "no verdict on the two yet, the team wants to see more numbers", "Understood."),
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
    ("It is live.", "Every request gets a 502 since the deploy", "The upstream was down. Fixed and redeployed."),
    ("It counts.", "the counter should show 3 but it shows 2", "Off by one in the loop, fixed."),
    ("Old bundles.", "clear the folder", "Cleared, 300 MB freed."),
    ("Two in one file.", "do those", "Both done."),
    ("History I guess.", "we decided that before my time and nobody ever touched it", "It is used in two files."),
    ("No config tells.", "vim is the best anyway", "The debate of the century."),
    ("Es gibt ein Portal.", "Bei der Konkurrenz wird alles nur noch per App gemacht", "Ja, bei zweien."),
    ("It is in the wiki.", "the ops people never restart that box on weekends", "Good to know."),
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


# What the agent says that it would do, in no question, and how the human agrees.
PROPOSED = [
    ("The logs fill the disk. I suggest rotating the logs daily and keeping two weeks.", "good, let's do it that way"),
    ("The rollout is left. I'd put it behind a feature flag and open it for staff first.", "sounds right, go for it"),
    ("Das dauert. Ich schlage vor, die Ergebnisse eine Stunde im Speicher zu halten.", "gut, machen wir so"),
    ("Tarda mucho. Propongo guardar los precios en una caché durante una hora.", "vale, adelante con eso"),
    ("Demora. Proponho mandar os emails por uma fila em segundo plano.", "boa, faz assim"),
]


@pytest.mark.parametrize(("proposed", "yes"), PROPOSED, ids=lambda each: each[:24])
def test_who_agrees_to_what_the_agent_would_do_decides_that(proposed: str, yes: str, tmp_path: Path) -> None:
    (found,) = listed(tmp_path, *talk("it is slow", proposed, yes, "Done."))
    assert (found.quote, found.made_by, found.proof) == (yes, "collaborative", "answer")
    assert found.text == proposed.partition(". ")[2]


# Options that are counted within a sentence or only named, and how one of them is taken.
IN_LINE = [
    ("Two ways: (a) a file next to the binary, (b) a server of its own.", "b is fine", "a server of its own"),
    ("Veo dos: 1) cookies firmadas; 2) una tabla de sesiones.", "me quedo con lo primero", "cookies firmadas"),
    ("Some ideas: Finch, Sparrow, Wren.", "Sparrow. Short and nobody has it", "Sparrow"),
]


@pytest.mark.parametrize(("offered", "words", "option"), IN_LINE, ids=lambda each: each[:24])
def test_an_option_within_a_sentence_is_taken_by_its_place_or_name(
    offered: str, words: str, option: str, tmp_path: Path
) -> None:
    found = listed(tmp_path, *talk("what could we do?", offered, words, "Done."))
    assert [(each.proof, each.text.endswith(option)) for each in found] == [("option", True)]


def test_an_opinion_is_not_what_a_change_replaces(tmp_path: Path) -> None:
    said = (
        "keep the replies formal, sir and madam",
        "Dear Sir or Madam, is a sample like this what you had in mind?",
        "reads like my bank",
        "It does sound stiff for a skateboard shop.",
        "yeah scrap it. should sound like a buddy at the skatepark",
        "Hey! Changed them all.",
    )
    found = {each.quote: each.status for each in listed(tmp_path, *talk(*said))}
    assert "reads like my bank" not in found
    assert found["keep the replies formal, sir and madam"] == "superseded"


# A sentence in words that no rule has, which sets something, and a reply that sets about it.
HEEDED = [
    ("The pool is unbounded.", "the worker pool gets 6", "Semaphore around the queue. Running the load test now."),
    ("Anybody can merge.", "Olga is the one who merges into main", "Clear. I've put Olga into the branch rule."),
    ("They differ.", "file names: kebab-case", "The linter can check that."),
    ("Está na requisição.", "relatórios sem anexos, o link basta", "Criando o link agora."),
]


@pytest.mark.parametrize(("before", "words", "reply"), HEEDED)
def test_a_sentence_that_sets_something_is_decided_where_the_agent_sets_about_it(
    before: str, words: str, reply: str, tmp_path: Path
) -> None:
    assert standing(tmp_path, *talk("what is there", before, words, reply)) == [words]


@pytest.mark.parametrize(
    ("words", "reply"),
    [
        ("the worker pool gets 6", "It did so last week, too."),
        ("run it with the pool set to 6, just want to see if it is green", "Green: 12 passed."),
        ("6 workers on the left... or on the right...", "Running both."),
        ("the pool could get 6 workers. dunno", "Running the load test now."),
        ("at my old job we did that. we decided on 6 workers, no queue", "Noted. That is common."),
    ],
)
def test_what_nobody_sets_about_is_doubted_or_was_elsewhere_settles_nothing(
    words: str, reply: str, tmp_path: Path
) -> None:
    assert standing(tmp_path, *talk("what is there", "A pool.", words, reply)) == []


def test_what_follows_from_a_reason_is_told_without_the_requests_beside_it(tmp_path: Path) -> None:
    said = (
        "can you empty the cache? also tom broke the invoices again on monday, so whatever touches tax/ needs two "
        "reviews before it merges. and why is the bot silent?"
    )
    reply = "The cache is empty. The branch rule for tax/ is updated, and the bot was offline."
    assert standing(tmp_path, *talk("hi", "Hello.", said, reply)) == [
        "whatever touches tax/ needs two reviews before it merges."
    ]


# A yes in words of its own, and what it agrees to.
AGREED = [
    ("two hours is nothing, yes please do that", "In progress."),
    ("ok you convinced me", "Adding the flag first."),
    ("I can live with that", "Moving it behind the flag."),
]


@pytest.mark.parametrize(("words", "reply"), AGREED)
def test_a_yes_in_any_words_takes_what_the_agent_would_do(words: str, reply: str, tmp_path: Path) -> None:
    proposed = "I'd put it behind a feature flag for staff. Costs two hours."
    (found,) = listed(tmp_path, *talk("it scares me", proposed, words, reply))
    assert (found.quote, found.made_by, found.proof) == (words, "collaborative", "answer")
    assert "feature flag" in found.text


def test_thanks_or_new_matters_take_no_offer(tmp_path: Path) -> None:
    proposed = "I'd put it behind a feature flag for staff. Costs two hours."
    for words in ("thanks, that helps", "why two hours?", "the footer overlaps the table on phones, look at it"):
        assert not any("feature flag" in found.text for found in listed(tmp_path, *talk("hm", proposed, words, "OK.")))


def test_an_option_may_be_taken_by_its_place_after_a_question_about_it(tmp_path: Path) -> None:
    ways = "Options are (a) clamp the angle, (b) store quaternions, (c) rebuild the matrix."
    said = talk("it flips", ways, "is a slow?", "No.", "then the middle one", "Converting the rig.")
    assert [found.text.rpartition(" — ")[2] for found in listed(tmp_path, *said)] == ["store quaternions"]


# What was settled, what the agent then finds, and how something else is taken for it.
TURNED = [
    (
        "retry up to four times, then give up",
        "Implemented. It blocks the loop for 90 ms, and the watchdog trips at 40.",
        "so that's worse. fail on the first miss",
        "Done: 2 ms now.",
    ),
    (
        "remove the old importer",
        "Before I do: the archive job imports it.",
        "oh wow. keep it and say who needs it",
        "Comment is in.",
    ),
    (
        "Fürs Portal nehmen wir MongoDB",
        "Angelegt. Die Abfrage hat 40 Zeilen.",
        "das tu ich mir nicht an. nimm postgres, solang nichts drin ist",
        "Drei Tabellen, die Abfrage liegt als View dabei.",
    ),
]


@pytest.mark.parametrize(("first", "trouble", "then", "reply"), TURNED)
def test_who_is_taken_aback_and_says_otherwise_has_changed_his_mind(
    first: str, trouble: str, then: str, reply: str, tmp_path: Path
) -> None:
    (holding,) = standing(tmp_path, *talk("hi", "Hello.", first, trouble, then, reply))
    assert holding in then


def test_who_is_pleased_or_speaks_of_another_thing_has_not_changed_his_mind(tmp_path: Path) -> None:
    first, trouble = "retry up to four times, then give up", "Implemented. It blocks the loop for 90 ms."
    for then in ("great. log every miss to stderr only", "thank you. keep the log file in /var/log"):
        assert first in standing(tmp_path, *talk("hi", "Hello.", first, trouble, then, "Done."))


# Whatever the words, where the agent goes to work on them, and what they are about.
TAKEN_UP = [
    ("Shipping them adds 90 MB. An archive server keeps them readable.", "archive server", "I'll add an upload step."),
    ("Usually between one hour and a day.", "3 saat yeter", "Süreyi 3 saate ayarlıyorum."),
    ("Plotters: one is faster, one is prettier.", "faster wins, prettier can wait", "Adding the faster one."),
    ("Hoje é uma pessoa.", "duas pra pasta de pagamentos, no resto continua uma", "Configuro isso com uma regra."),
]


@pytest.mark.parametrize(("before", "words", "reply"), TAKEN_UP)
def test_what_the_agent_goes_to_work_on_is_decided_in_whatever_words(
    before: str, words: str, reply: str, tmp_path: Path
) -> None:
    found = standing(tmp_path, *talk("what is there", before, words, reply))
    assert [each.partition(" — ")[0] for each in found] == [words]
    assert standing(tmp_path, *talk("what is there", before, words, "It depends on how many there are.")) == []


def test_what_points_at_the_agents_words_is_told_with_them(tmp_path: Path) -> None:
    before = "A frequent pattern is `tryX` for the one that returns null and `doX` for the one that throws."
    found = standing(tmp_path, *talk("what names would you give?", before, "nickel, that works", "Renaming both."))
    assert found == [f"nickel, that works — {before}"]


@pytest.mark.parametrize(
    "words",
    [
        "i wonder whether the pool should get 6 workers",
        "je me demande si le pool devrait avoir 6 workers",
        "no clue yet. 6 workers for the pool, or 8",
        'their architect wrote: "the pool always gets 6 workers". he says that every year',
    ],
)
def test_who_wonders_doubts_or_quotes_settles_nothing_though_work_goes_on(words: str, tmp_path: Path) -> None:
    assert standing(tmp_path, *talk("what is there", "A pool.", words, "I'll go on with the pool tests.")) == []


def test_what_gave_trouble_is_had_otherwise_in_quite_other_words(tmp_path: Path) -> None:
    said = (
        "we charge per seat",
        "I'll model the plan as a subscription for each seat.",
        "sales had a fit over it. flat, 99 a month",
        "Changing the plan to one price for all.",
    )
    found = {each.quote: each.status for each in listed(tmp_path, *talk(*said))}
    assert found["we charge per seat"] == "superseded"
    assert found["flat, 99 a month"] == "active"


# What is chosen and what the agent does about it, another question, and how people have it otherwise in the end.
HAD_OTHERWISE = [
    (
        "two tries, keep it simple",
        "Built in: two tries, then the order is cancelled.",
        "a customer called me in tears over it. away with the tries, the staff gets a queue",
        "The tries are gone. Failed orders land in a queue for the staff.",
    ),
    (
        "Plane meine Woche mit Sport am Montag und Mittwoch",
        "Fertig: Montag laufen, Mittwoch schwimmen.",
        "mein dienstplan hat sich gedreht. Leg alles auf den Freitag",
        "Umgebaut: Freitag erst laufen, dann schwimmen.",
    ),
    (
        "keep one branch per customer, easy to see",
        "The branches are set up, one for each customer.",
        "that's too much work then. one branch and a flag per customer",
        "One branch is on and the others are gone. The flags are read at start.",
    ),
]


@pytest.mark.parametrize(("first", "done", "then", "redone"), HAD_OTHERWISE)
def test_what_was_set_about_is_over_where_people_tell_why_and_have_it_otherwise(
    first: str, done: str, then: str, redone: str, tmp_path: Path
) -> None:
    offer = "Either a fixed number of tries, often two, or a queue for the staff."
    talked = talk("what do others do?", offer, first, done, "is it translated?", "Yes.", then, redone)
    found = {each.quote: each.status for each in listed(tmp_path, *talked)}
    assert found[first] == "superseded"
    assert "active" in found.values()


WORKS = {
    True: """Redrawn as columns.|Liste mise à jour : trois œufs.|C'est réglé, ça tourne.
        Skeleton is ready with three tables.|Rewritten, and the size is back to normal.|My mistake, I renamed it.
        Host, port and readme are updated.|Mails go through the relay now.|Migrado, pesa la mitad.|Поднял, порт 90.
        Racja, przepisałem to.|Configurado: das 9 às 17.|Ora gli avvisi partono per mail.|好的，项目已经建好。
        Adding the table now.|I've set it to three.|Got it, 14 days from now on.|Renamed both columns.
        Oslo rows converted, and the rest stays.|Gut, dann baue ich das um.|Umgestellt, die Tests laufen.
        D'accord, je retire la dépendance.|Perfecto, lo dejo en 30 días.|Certo, vou trocar o banco.
        Va bene, passo a Postgres.|Prima, dan gebruik ik SQLite.|Dobrze, ustawiam limit na 20.
        Tamam, limiti 20 yapıyorum.|Понял, убираю баннер.|好的，我改成 20。|承知しました、上限を20にします。
        네, 20으로 바꾸겠습니다.""",
    False: """Good idea, let me know what she says.|That page was last edited in 2016.|Joking aside: it runs twice.
        The chip is in deep sleep at that point.|Suele ser el sensor; límpialo con un paño.|A outra é bem mais barata.
        It depends on the load.|About 40 MB, most of it images.|Using a queue here would be overkill.
        I can look into it if you like.|Checking the logs.|Das hängt vom Volumen ab.|Parce que le cache est partagé.
        Porque la caché es compartida.|Depende do volume.|Dipende dal volume.|Dat hangt ervan af.
        To zależy od ilości danych.|Bu veri miktarına bağlı.|Зависит от объёма.|取决于数据量。
        データ量によります。|데이터 양에 따라 다릅니다.""",
}


@pytest.mark.parametrize(
    ("reply", "works"),
    [(each.strip(), works) for works, told in WORKS.items() for line in told.splitlines() for each in line.split("|")],
)
def test_an_agent_that_goes_to_work_is_told_from_one_that_explains(reply: str, works: bool) -> None:
    assert goes_to_work(reply) is works
