"""How well plain talk is understood: made-up chats without a single call, in nine languages.

    python -m tests.eval.talks [--aside] [--errors]

Statements must be found, changed minds seen, traps left alone. Half of each kind is kept aside: rules are written with
the other half before one's eyes.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final

from msgspec import Struct

from recapd.wire.types import Decision
from tests.support.listing import listed
from tests.support.logs import Act, agent, human


class Talk(Struct, frozen=True):
    """Messages of the person and the agent in turns, the person's first; and the words that must be told as decided,
    by the number of the person's message they stand in. Of a trap only the number counts."""

    said: tuple[str, ...]
    decided: tuple[tuple[int, str], ...]


def _talk(*said: str, **decided: str) -> Talk:
    return Talk(said, tuple((int(at[1:]), word) for at, word in decided.items()))


STATED: Final = (
    _talk(
        "can u set up a small blog for my bakery",
        "Sure. Which generator would you like to build it with?",
        "hugo, my brother knows it a bit",
        "I've laid out a Hugo site with one post.",
        m1="hugo",
    ),
    _talk(
        "i need backups of the db",
        "They run nightly now. How long should I keep them?",
        "45 days, in case the accountant asks again",
        "Old ones are deleted after 45 days.",
        m1="45 days",
    ),
    _talk(
        "the report is slow",
        "I see two ways: caching the result, or an index on the date column. Which one?",
        "the latter pls",
        "The index is in place, the report takes a second.",
        m1="index",
    ),
    _talk(
        "wie sollen wir die bilder ablegen, was geht?",
        "Es gibt zwei Wege:\n1. Im Dateisystem\n2. In einem Bucket\nWas ist dir lieber?",
        "das zweite bitte",
        "Gut, die Bilder liegen jetzt im Bucket.",
        m1="Bucket",
    ),
    _talk(
        "make a signup form",
        "Done: name, mail, password. Anything to change?",
        "no phone numbers in there ever, people hate that",
        "Understood, no phone field.",
        m1="phone",
    ),
    _talk(
        "hola, necesito exportar las facturas",
        "¿En qué formato las quieres?",
        "csv, que lo abre cualquiera",
        "Listo, la exportación genera CSV.",
        m1="csv",
    ),
    _talk(
        "what do we have for the mobile app",
        "Nothing yet. Native or one code base for both systems?",
        "one code base, theres just two of us",
        "I'll set it up with one code base then.",
        m1="one code base",
    ),
    _talk(
        "j'ai besoin d'un nom pour la branche",
        "Comment veux-tu l'appeler ?",
        "factures-2, comme la dernière fois",
        "La branche factures-2 est créée.",
        m1="factures-2",
    ),
    _talk(
        "logs are too noisy",
        "I could lower the level. What should go to the console by default?",
        "warnings and up, rest to the file",
        "The console shows warnings and up now.",
        m1="warnings",
    ),
    _talk(
        "нужна отправка писем",
        "Через какой сервис отправлять?",
        "mailgun, у нас уже есть аккаунт",
        "Подключил Mailgun.",
        m1="mailgun",
    ),
    _talk(
        "帮我给登录加验证",
        "验证码多久过期？",
        "十分钟，太短了用户会抱怨",
        "已设置为十分钟过期。",
        m1="十分钟",
    ),
    _talk(
        "set up the ci",
        "Which python versions should it run?",
        "3.12 and 3.13, nothing older",
        "It runs both.",
        m1="3.12",
    ),
    _talk(
        "テーマの色を決めたい",
        "候補は三つです：\n1. 紺\n2. 深緑\n3. えんじ\nどれにしますか？",
        "2番目で",
        "深緑にしました。",
        m1="深緑",
    ),
    _talk(
        "the importer chokes on big files",
        "I can stream them, or split them first. Preference?",
        "first option",
        "It streams now.",
        m1="stream",
    ),
    _talk(
        "preciso guardar as sessões",
        "Onde você quer guardar?",
        "no redis mesmo, já está rodando",
        "As sessões ficam no Redis.",
        m1="redis",
    ),
    _talk(
        "i want to sell the ebook on the site",
        "What should it cost?",
        "9 euros. my last one was 12 and nobody bought it",
        "The price is set.",
        m1="9 euros",
    ),
)

CHANGED: Final = (
    _talk(
        "make me a tool that renames my photos",
        "Sure. Which language?",
        "perl, i still remember some",
        "Here it is in Perl. It needs a module for EXIF that does not build on your Mac.",
        "ok then do it in go",
        "I ported it to Go, it's one binary now.",
        m1="perl",
        m2="go",
    ),
    _talk(
        "add a retry to the uploader",
        "How many attempts?",
        "10, the wifi here is awful",
        "Ten attempts. With the backoff that can take eleven minutes in the worst case.",
        "oh. 4 then",
        "Changed to four attempts.",
        m1="10",
        m2="4",
    ),
    _talk(
        "how do i deploy this thing",
        "Options:\n1. A container on the server\n2. A plain systemd unit\n3. A serverless function\nWhich?",
        "number one",
        "The container is ready. Your server has 512 MB, it will swap.",
        "hm fair, number two",
        "I replaced the container by a systemd unit.",
        m1="container",
        m2="systemd",
    ),
    _talk(
        "schreib mir eine einkaufsliste als app",
        "Womit soll ich die Oberfläche bauen?",
        "mit qt, das kenn ich",
        "Steht. Auf dem Handy läuft das allerdings nicht.",
        "na gut, dann halt als webseite",
        "Ich habe es auf eine Webseite umgestellt.",
        m1="qt",
        m2="webseite",
    ),
    _talk(
        "lets store the recipes in mongo",
        "Done. Note that your full-text search needs a paid tier there.",
        "ugh. scrap that, sqlite",
        "Moved everything to SQLite, search included.",
        m0="mongo",
        m1="sqlite",
    ),
    _talk(
        "quel nom pour le paquet, une idée ?",
        "Comment voudrais-tu l'appeler ?",
        "papillon, c'est joli",
        "C'est noté. Ce nom est déjà pris sur l'index.",
        "tant pis, alors libellule",
        "Renommé en libellule.",
        m1="papillon",
        m2="libellule",
    ),
    _talk(
        "keep the debug endpoint in the release, i use it a lot",
        "It stays. Anyone on the network can read the environment through it, by the way.",
        "yikes ok take it out",
        "Removed.",
        m0="debug",
        m1="take it out",
    ),
    _talk(
        "quiero mandar avisos a los clientes",
        "¿Por qué canal?",
        "sms, todos tienen móvil",
        "Hecho. Cada mensaje cuesta 8 céntimos, unos 400 euros al mes.",
        "uf, no. por correo entonces",
        "Cambiado: los avisos salen por correo.",
        m1="sms",
        m2="correo",
    ),
    _talk(
        "set the session timeout",
        "To how long?",
        "15 minutes, security asked for it",
        "Done. The checkout usually takes people longer than that.",
        "right, make it an hour",
        "It is an hour now.",
        m1="15 minutes",
        m2="hour",
    ),
    _talk(
        "сделай мне бота для напоминаний",
        "Для какого мессенджера?",
        "для слака, мы там сидим",
        "Готово. Но бесплатный план хранит сообщения только 90 дней.",
        "тогда телеграм",
        "Перенёс бота в Telegram.",
        m1="слака",
        m2="телеграм",
    ),
    _talk(
        "i want the docs in asciidoc",
        "Converted. The preview in your editor doesn't support it.",
        "meh, go back to markdown then",
        "Back to Markdown.",
        m0="asciidoc",
        m1="markdown",
    ),
    _talk(
        "给我做一个图表页面",
        "用哪个库？",
        "d3，功能最全",
        "做好了，不过打包后大了 300KB。",
        "那算了，用 chart.js 吧",
        "已经换成 Chart.js。",
        m1="d3",
        m2="chart.js",
    ),
    _talk(
        "what should happen with deleted accounts",
        "I could erase them at once or keep them for a while. Which do you prefer?",
        "erase at once, less hassle",
        "Done. Their open invoices vanish too, which the tax office won't like.",
        "ah damn. keep them for ten years",
        "Changed: accounts are kept and locked.",
        m1="erase",
        m2="ten years",
    ),
    _talk(
        "prepara o relatório semanal",
        "Em que dia devo enviar?",
        "segunda, assim leio no café",
        "Pronto. Os dados da loja só chegam na terça.",
        "então quarta",
        "Mudei o envio para quarta.",
        m1="segunda",
        m2="quarta",
    ),
    _talk(
        "통계 페이지 만들어줘",
        "어떤 데이터베이스를 쓸까요?",
        "mysql, 익숙하니까",
        "만들었습니다. 다만 윈도 함수가 없는 옛 버전이네요.",
        "그럼 postgres로 하자",
        "Postgres로 옮겼습니다.",
        m1="mysql",
        m2="postgres",
    ),
    _talk(
        "need icons for the menu",
        "Which set do you want?",
        "font awesome, i know the names by heart",
        "They're in. It adds a request to a third party for every visitor.",
        "nope, dont want that. inline svgs",
        "Swapped them for inline SVGs.",
        m1="font awesome",
        m2="svgs",
    ),
    _talk(
        "fammi una pagina per le prenotazioni",
        "Quanti posti per turno?",
        "30, il locale è grande",
        "Fatto. Con i tavoli che hai caricato arrivi a 22.",
        "allora 20, meglio stare larghi",
        "Ora sono 20 per turno.",
        m1="30",
        m2="20",
    ),
    _talk(
        "lets have the api versioned in the path",
        "Done, /v1/ everywhere. The partner's client can't change paths, they said.",
        "then a header",
        "The version is read from a header now, paths are as before.",
        m0="path",
        m1="header",
    ),
)

TRAPS: Final = (
    _talk(
        'the vendor wrote: "always use the sandbox key, never the live one". what do they mean',
        "That test calls shouldn't charge anybody.",
        "ah makes sense, thanks",
        "You're welcome.",
        m0="",
    ),
    _talk(
        "why does the test fail",
        "The clock is mocked twice.",
        "my colleague says we should use freezegun for everything. he says that about every project",
        "It would hide the second mock, not remove it.",
        m1="",
    ),
    _talk(
        "hey, does it work on windows",
        "It should. Paths go through pathlib.",
        "the app always uses the C drive, never picks up the setting",
        "Which version do you run? I can't see that in the code.",
        m1="",
    ),
    _talk(
        "wer hat das so gebaut?",
        "Laut Historie ein früherer Kollege.",
        "ja, der hat 2019 beschlossen, dass wir alles in XML speichern lol",
        "Das erklärt den Parser.",
        m1="",
    ),
    _talk(
        "fix the footer",
        "Fixed. I could also add a dark mode if you like.",
        "what's the date format in the header?",
        "Day, month, year.",
        "perfect, works now, you are a hero",
        "Glad to hear it.",
        m1="",
        m2="",
    ),
    _talk(
        "the build takes forever",
        "Nine minutes, most of it in linking.",
        "haha lets just rewrite it all in assembly and never sleep again",
        "Tempting! A faster linker would do, though.",
        m1="",
    ),
    _talk(
        "que dit l'erreur ?",
        "Je ne la vois pas d'ici, peux-tu la coller ?",
        "« Utilisez toujours une connexion chiffrée »",
        "Cela vient du serveur de messagerie : il refuse le port 25.",
        m1="",
    ),
    _talk(
        "how does npm find the cache",
        "It asks the config, then the home folder.",
        "ok. pnpm keeps its store in the local share folder now",
        "Yes, since version 7.",
        m1="",
    ),
    _talk(
        "is the invoice page ok",
        "It renders fine here.",
        "i'll ask my boss tomorrow whether we keep it",
        "Sure, tell me when you know.",
        m1="",
    ),
    _talk(
        "el cliente escribió: «no usen cookies, solo tokens». ¿qué hago?",
        "Primero pregúntale por qué lo pide.",
        "vale, gracias",
        "De nada.",
        m0="",
    ),
    _talk(
        "這個 RFC 怎麼說",
        "哪一段？",
        "「客户端必须使用 TLS 1.3」这一段",
        "意思是旧版本会被拒绝。",
        m1="",
    ),
    _talk(
        "почему падает сборка",
        "Не хватает памяти.",
        "коллега говорит, надо всегда использовать clang",
        "Он тоже потребует столько же памяти.",
        m1="",
    ),
    _talk(
        "add paging to the list",
        "Added. Should I also sort it by name?",
        "now add a search box above it",
        "The search box is there.",
        "nice, that works great",
        "Good.",
        m2="",
    ),
    _talk(
        "the other team decided to use graphql for theirs",
        "That makes sense for nested data.",
        "yeah they never use rest anymore",
        "Does that affect your side?",
        m0="",
        m1="",
    ),
    _talk(
        "なんで警告が出るの",
        "設定が古いからです。",
        "ドキュメントには「必ず最新版を使ってください」と書いてある",
        "はい、その警告と同じ内容です。",
        m1="",
    ),
    _talk(
        "who maintains this lib",
        "Two people, as far as I can tell.",
        "one of them said on a podcast that you should never use it in production, funny",
        "Honest, at least.",
        m1="",
    ),
    _talk(
        "the page is blank",
        "A script fails to load.",
        "oh it's my adblocker, it only blocks on this machine",
        "That explains it.",
        m1="",
    ),
    _talk(
        "how do people name these",
        "Mostly after the table.",
        "at my last job we used plural names and never abbreviated anything",
        "That is common too.",
        m1="",
    ),
)


def _heard(talk: Talk) -> tuple[Decision, ...]:
    acts: list[Act] = [agent(text) if at % 2 else human(text) for at, text in enumerate(talk.said)]
    with tempfile.TemporaryDirectory() as folder:
        return listed(Path(folder), *acts)


def _at(talk: Talk, number: int, found: tuple[Decision, ...]) -> list[Decision]:
    """Those that stand in the person's message of this number."""
    return [each for each in found if each.quote and each.quote in " ".join(talk.said[2 * number].split())]


def _has(found: list[Decision], word: str, *, is_active: bool) -> bool:
    return any(
        word.lower() in f"{each.text} {each.quote}".lower() and (each.status == "active") == is_active for each in found
    )


def is_found(talk: Talk) -> bool:
    found = _heard(talk)
    return all(_has(_at(talk, number, found), word, is_active=True) for number, word in talk.decided)


def is_seen(talk: Talk) -> bool:
    found = _heard(talk)
    (first, old), (then, new) = talk.decided
    return _has(_at(talk, first, found), old, is_active=False) and _has(_at(talk, then, found), new, is_active=True)


def is_left_alone(talk: Talk) -> bool:
    found = _heard(talk)
    return not any(each.status == "active" for number, _ in talk.decided for each in _at(talk, number, found))


def main(arguments: list[str]) -> None:
    begin = 1 if "--aside" in arguments else 0
    kinds = (("statements found", STATED, is_found), ("changes seen", CHANGED, is_seen))
    for name, talks, holds in (*kinds, ("traps left alone", TRAPS, is_left_alone)):
        judged = [(talk, holds(talk)) for talk in talks[begin::2]]
        sys.stdout.write(f"{name}: {sum(held for _, held in judged)} of {len(judged)}\n")
        for talk, held in judged:
            if not held and "--errors" in arguments:
                sys.stdout.write(f"   {talk.said}\n")
                sys.stdout.write(
                    "".join(f"      {each.status} {each.quote!r}: {each.text!r}\n" for each in _heard(talk))
                )


if __name__ == "__main__":
    main(sys.argv[1:])
