"""The one lexicon: what people say to decide, agree, refuse, doubt, report or change their minds, by idea and language.

    IDEAS["refusal"]["de"]   "nein, nicht, nee"      words and phrases, separated by commas; a stem ends in *
    said("refusal")          a pattern for any of them, in any language

Whatever looks for an idea reads it here: no list of such words stands anywhere else. Owns the words and how they are
made a pattern. Must not know what follows from a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from recapd.core import late_re as re

# The name of a row of `IDEAS`.
Idea: TypeAlias = str
Language: TypeAlias = Literal["en", "de", "fr", "es", "pt", "it", "nl", "pl", "tr", "ru", "zh", "ja", "ko"]
# What is written without a space behind a word, or with endings that are words of their own: found anywhere.
_UNSPACED: Final = frozenset(("zh", "ja", "ko"))
_OPEN_ENDS: Final = ("*", "'")

IDEAS: Final[dict[Idea, dict[Language, str]]] = {
    # A yes that is one whatever follows.
    "assent": {
        "en": """yes, yeah, yep, yup, yea, y, sure, agreed, agree, approve, approved, confirm, confirmed, lgtm,
            absolutely, definitely, exactly, accept, accepted, proceed""",
        "de": "ja, jo, jup, einverstanden, genau",
        "fr": "oui, ouais, d'accord",
        "es": "sí, de acuerdo, dale",
        "pt": "sim, concordo, fechado",
        "it": "sì, d'accordo",
        "nl": "ja, akkoord, eens, graag",
        "pl": "tak, zgoda, zgadzam",
        "tr": "evet, olur, anlaştık",
        "ru": "да, ага, согласен, согласна",
        "zh": "同意, 确认, 可以, 好的, 好, 是的, 执行",
        "ja": "はい, 承認, 賛成",
        "ko": "네, 예, 응, 그래, 동의, 승인",
    },
    # It agrees where it stands alone; something new may follow it.
    "nod": {
        "en": """ya, ok, okay, perfect, great, good, nice, cool, continue, correct, fine, please, go, do, sounds,
            looks, works, makes, apply, let's, lets, ship, awesome, excellent, alright, execute, implement, deal,
            right on, brilliant, lovely, super""",
        "de": "gut, mach, machen, passt, klar, gerne, super, prima, top, okay, in ordnung, abgemacht",
        "fr": "vas-y, parfait, allez, ça marche, ok, super, entendu, très bien, bonne idée",
        "es": "si, vale, claro, perfecto, adelante, correcto, hecho, hazlo, genial, venga, bien",
        "pt": "pode, isso, certo, perfeito, boa, beleza, ótimo, faz, faça, tá, ok",
        "it": "va, va bene, perfetto, procedi, ottimo, certo, fallo, facciamo",
        "nl": "goed, prima, doe maar, oké, mooi, top, doe",
        "pl": "dobrze, jasne, ok, świetnie, zrób, działaj, super, pewnie",
        "tr": "tamam, peki, harika, güzel, yap, süper",
        "ru": """хорошо, ок, окей, давай, давайте, делай, сделай, верно, конечно, отлично, продолжай, поехали,
            супер, ладно, идёт""",
        "zh": "好, 可以, 行, 没问题, 是, 对的, 对, 嗯, 继续, 开始, 就这样, 就这么, 采用",
        "ja": "お願い, それで, 了解, いいね, いいです, 良いです, 続けて, 賛成, オーケー",
        "ko": "ㅇㅇ, ㅇㅋ, ㄱㄱ, 고고, 좋아, 좋습니다, 좋네, 진행, 확인",
    },
    # What stands beside a yes and says nothing.
    "fills an answer": {
        "en": """k, right, it, that, this, ahead, sense, sound, look, make, thanks, thank, you, all, both, well,
            then, just, now, so, the, of, them, for, me, i'm, happy, with, is, one, more, try, again, start,
            begin, confirm, way, idea, good, plan, sounds, no, objection, objections""",
        "de": """mache, das, so, es, weiter, bitte, los, wir, dann, auch, sehr, die, idee, gute, danke, mal, ist,
            für, mich, okay""",
        "fr": """exactement, bien, sûr, comme, ça, on, fait, fais, alors, très, bonne, idée, merci, pour, moi,
            c'est, va, le, bon""",
        "es": """bueno, acuerdo, de, con, eso, así, lo, hacemos, hagámoslo, entonces, por, favor, me, parece,
            gracias, continúa, la, idea, buena, ello, esto""",
        "pt": """continua, assim, vamos, com, nessa, então, por, favor, me, parece, obrigado, obrigada, ideia,
            boa, fazer, mesmo, manda, ver, a, de, acordo""",
        "it": """bene, così, allora, con, questo, quello, per, favore, mi, sembra, grazie, idea, buona,
            facciamolo, pure, avanti""",
        "nl": "zo, het, dat, dan, maar, graag, mij, lijkt, me, bedankt, idee, we, dit, voor",
        "pl": "to, tak, więc, proszę, dla, mnie, dzięki, pomysł, dobry, róbmy, zróbmy, i",
        "tr": "öyle, bu, şekilde, yapalım, lütfen, teşekkürler, bence, iyi, fikir, böyle, devam, et",
        "ru": """так, это, и, пожалуйста, тогда, сделаем, делаем, идея, хорошая, спасибо, меня, устраивает, всё,
            по, рукам""",
        "zh": "吧, 办, 做, 了, 的, 按, 这个, 那个, 来, 就, 啊, 呀, 谢谢, 弄, 定了, 定, 去",
        "ja": """します, で, 進めて, ください, ましょう, その, 方向, 案, いき, 大丈夫, です, ね, よ, ありがとう,
            ございます, 行き, やって""",
        "ko": """그렇게, 해, 주세요, 줘, 하죠, 합시다, 하자, 요, 로, 으로, 그걸, 감사합니다, 좋은, 생각이에요,
            해주세요, 가죠, 갑시다""",
    },
    "refusal": {
        "en": "no, nope, nah, not, don't, dont, stop, wait, hold",
        "de": "nein, nee, nö, nicht",
        "fr": "non",
        "es": "no",
        "pt": "não",
        "it": "non",
        "nl": "nee, niet",
        "pl": "nie",
        "tr": "hayır, yok",
        "ru": "нет, не, нельзя",
        "zh": "不, 否, 别, 没必要, 无需",
        "ja": "いや, いいえ, やめ",
        "ko": "아니, 하지, ㄴㄴ",
    },
    # What somebody said of a thing is so: a fact is confirmed, nothing is taken on.
    "confirms": {
        "en": """right, yes, true, correct, exactly, indeed, confirmed, yeah, yep, good to know, i see, interesting,
            heh, ha, i can imagine""",
        "de": "ja, stimmt, richtig, genau, gut zu wissen",
        "fr": "oui, exact, en effet, c'est vrai, effectivement",
        "es": "sí, cierto, es cierto, correcto, exacto, así es",
        "pt": "sim, verdade, é verdade, exato, isso mesmo",
        "it": "sì, vero, è vero, esatto, giusto, proprio così",
        "nl": "ja, klopt, inderdaad, precies",
        "pl": "tak, zgadza się, to prawda, owszem",
        "tr": "evet, doğru, aynen",
        "ru": "да, верно, точно, правда, так и есть",
        "zh": "是的, 对, 确实, 没错",
        "ja": "そうです, 確かに, その通り",
        "ko": "맞습니다, 네 맞, 그렇습니다, 그렇네요",
    },
    # Common words of a language, by which it is known.
    "function word": {
        "en": """the, a, an, is, are, was, and, of, to, in, it, for, with, that, this, they, you, i, on, at, has,
            have, now, not""",
        "de": """der, die, das, und, ist, sind, ein, eine, im, in, ich, wir, nicht, mit, für, auf, den, zu, es,
            jetzt, war, haben""",
        "fr": """le, la, les, et, est, sont, un, une, des, du, de, je, on, nous, pas, avec, pour, sur, c'est,
            dans, l'ai, j'ai, ce""",
        "es": """el, la, los, las, y, es, son, un, una, de, del, en, yo, no, con, para, que, se, lo, está, por,
            ya, ahora""",
        "pt": "o, a, os, as, e, é, são, um, uma, de, do, da, no, na, eu, não, com, para, que, se, em, já, agora",
        "it": "il, lo, la, i, gli, le, e, è, sono, un, una, di, del, in, non, con, per, che, si, ora, ho",
        "nl": "de, het, een, en, is, zijn, van, in, ik, we, niet, met, voor, op, dat, nu, er, ze",
        "pl": "i, w, na, się, jest, są, nie, to, z, do, po, dla, teraz, już, że, o",
        "tr": "ve, bir, bu, şu, da, de, için, ile, değil, şimdi, artık, çok",
        "ru": "и, в, на, не, это, с, по, для, что, теперь, уже, я, мы, он, из, у",
        "zh": "的, 了, 是",
        "ja": "は, を, に, が, です, ます",
        "ko": "는, 은, 를, 을, 이, 가, 습니다",
    },
    # An agent says what it would do, and asks nothing.
    "proposes": {
        "en": """i propose, i'd propose, i suggest, i'd suggest, i would suggest, i recommend, i'd recommend,
            i would recommend, my suggestion, my recommendation, my proposal, my take, my vote, my preference,
            recommended, recommendation, suggested, suggestion, proposal, i'd, i would, i'd go with, i'd lean,
            we could""",
        "de": "ich schlage, ich würde, ich empfehle, mein vorschlag, vorschlag, empfehl*, wir könnten, am besten wäre",
        "fr": "je propose, je suggère, je recommande, je ferais, ma proposition, proposition, recommand*, on pourrait",
        "es": "propongo, sugiero, recomiendo, yo haría, yo usaría, mi propuesta, propuesta, recomend*, podríamos",
        "pt": "proponho, sugiro, recomendo, eu faria, eu usaria, minha proposta, proposta, recomend*, poderíamos",
        "it": "propongo, suggerisco, consiglio, io farei, io userei, la mia proposta, proposta, potremmo",
        "nl": "ik stel voor, ik zou, mijn voorstel, voorstel, ik raad, we zouden",
        "pl": "proponuję, sugeruję, polecam, moja propozycja, propozycja, moglibyśmy",
        "tr": "öneririm, öneriyorum, önerim, tavsiye ederim, tavsiyem",
        "ru": "предлагаю, рекоменд*, советую, моё предложение, я бы, можно было бы",
        "zh": "建议, 推荐, 我会, 我倾向",
        "ja": "提案, おすすめ, 推奨, ばいいと思います, のが良い, のがいい",
        "ko": "제안, 추천, 권장, 하는 게 좋",
    },
    # What could be done, or what would be best: nobody did it yet.
    "could be": {
        "en": """could, would, might, may, probably, likely, would be, best, better, easiest, simplest, sturdiest,
            safest, cheapest, cleanest, usual, usually, common, typical, frequent pattern, option, options,
            alternative, alternatively, either, one way, the fix is, makes sense, worth, solid choice, fits""",
        "de": """könnte, könnten, würde, würden, wäre, wären, ließe, am besten, am einfachsten, besser, üblich,
            möglich, alternative, entweder, sinnvoll, passt""",
        "fr": """pourrait, pourrais, serait, seraient, suffirait, faudrait, le mieux, le plus simple, mieux,
            possible, alternative, souvent, d'habitude, conviendrait""",
        "es": """habría que, podría, podrías, sería, serían, bastaría, convendría, lo mejor, lo más simple, mejor,
            alternativa, suele""",
        "pt": "poderia, daria, seria, seriam, bastaria, o melhor, o mais simples, melhor, alternativa, costuma",
        "it": "potrebbe, sarebbe, sarebbero, basterebbe, converrebbe, il meglio, meglio, alternativa, di solito",
        "nl": "zou, zouden, kan, kunnen, het beste, beter, gebruikelijk, alternatief, meestal",
        "pl": "mógłby, można, byłoby, byłby, najlepiej, najprościej, lepiej, zwykle, alternatyw*",
        "tr": "olabilir, yapılabilir, en iyisi, daha iyi, genelde, alternatif",
        "ru": "можно, мог бы, было бы, стоило бы, лучше, проще всего, обычно, вариант, альтернатив*",
        "zh": "可以, 最好, 更好, 通常, 一般, 方案",
        "ja": "できます, 可能です, よいでしょう, いいでしょう, 一般的, 方法, 無難",
        "ko": "수 있습니다, 수 있어, 좋을, 나을, 보통, 방법",
    },
    # So somebody asks what to do.
    "asks advice": {
        "en": """ideas, any idea, suggest, suggestion, suggestions, recommend, propose, advice, advise,
            what should, what do we do, what can we do, what would you, how should, how would you,
            which would you, do you like better, your take, your opinion, options, what's best, what is best,
            how do i, how do we, how to""",
        "de": """ideen, schlägst, vorschlag, vorschläge, empfiehlst, empfehlung, was sollen, wie sollen,
            was würdest, wie würdest, was tun, was machen wir, was meinst, wie machen""",
        "fr": """proposes, suggères, conseilles, recommandes, idée, idées, que faire, on fait quoi, tu ferais,
            tu penses quoi, qu'est-ce qu'on""",
        "es": """propones, sugieres, recomiendas, aconsejas, ideas, qué hacemos, qué harías, cómo lo, opciones,
            qué opinas""",
        "pt": """propõe, sugere, recomenda, aconselha, ideias, ideia, o que fazemos, que faria, como fazemos,
            opções, acha""",
        "it": "proponi, suggerisci, consigli, consiglieresti, idee, che facciamo, cosa facciamo, faresti, quindi",
        "nl": "stel je voor, raad je, ideeën, idee, wat doen we, wat zou je, opties",
        "pl": "proponujesz, sugerujesz, polecasz, radzisz, pomysły, pomysł, co robimy, co byś, opcje",
        "tr": "önerirsin, öneri, önerin, fikir, ne yapalım, ne yapsak, seçenek*",
        "ru": "предлагаешь, посоветуешь, советуешь, идеи, что делать, что делаем, как лучше, варианты",
        "zh": "建议, 推荐, 怎么办, 怎么做, 有什么办法, 什么方案",
        "ja": "おすすめ, どうしましょう, どうすれば, どうしたら, 案",
        "ko": "추천, 제안, 어떻게 할, 어떡, 좋을까",
    },
    # Somebody turns something over in his mind.
    "wonders": {
        "en": """i wonder, i keep wondering, i've been wondering, i'm wondering, wondering, i was thinking,
            i'm thinking, i've been thinking, thinking out loud, thinking aloud, just thinking, i'm tempted,
            i'm torn, part of me, i could imagine, one could, we could, we might, i might, it might, we may,
            it would be nice, it'd be nice, would be nice, would be cool, someday, some day, one day,
            at some point, in an ideal world, if only, i wish""",
        "de": """ich frage mich, frag mich, ich überlege, ich überleg, überlege gerade, ich könnte mir vorstellen,
            man könnte, wir könnten, eigentlich könnte, irgendwann, wäre schön, es wäre schön, wäre cool""",
        "fr": """je me demande, je me demandais, je réfléchis, j'hésite, je pensais, on pourrait,
            il faudrait voir, faut voir, ce serait bien, un jour, faudrait peut-être""",
        "es": """me pregunto, me preguntaba, estoy pensando, estaba pensando, podríamos, se podría, estaría bien,
            algún día, sería bonito, ojalá""",
        "pt": """fico pensando, me pergunto, estou pensando, tô pensando, estava pensando, a gente podia,
            poderíamos, seria legal, seria bom, um dia, quem sabe, tomara""",
        "it": """mi chiedo, mi chiedevo, sto pensando, stavo pensando, potremmo, si potrebbe, sarebbe bello,
            un giorno, magari""",
        "nl": """ik vraag me af, vraag me af, ik zit te denken, ik dacht, we zouden, misschien, ooit,
            het zou leuk, zou leuk""",
        "pl": "zastanawiam się, myślałem, myślałam, można by, moglibyśmy, kiedyś, byłoby miło, fajnie by było",
        "tr": "acaba, düşünüyorum, merak ediyorum, belki, bir gün, keşke, olsa güzel olur",
        "ru": """интересно, думаю вот, я думал, я думала, я тут думаю, подумываю, можно было бы, хорошо бы,
            было бы здорово, когда-нибудь, вот бы""",
        "zh": "我在想, 我在考虑, 在想要不要, 要是能, 有朝一日, 说不定, 也许",
        "ja": "かなと思って, 悩んで, 検討中, いつか, どうしようか",
        "ko": "고민 중, 생각 중, 언젠가, 하면 어떨까, 좋겠지만",
    },
    # It holds from now on, in every case or in none.
    "rule": {
        "en": """always, never, only, from now on, from here on, no matter what, under no circumstances, ever,
            going forward, in future, in the future, everywhere, throughout, by default, no exceptions, at most,
            at least, no more than, nothing, nowhere, no longer, unless, whenever, max, maximum, minimum""",
        "de": """immer, nie, niemals, nur, ab jetzt, ab sofort, künftig, in zukunft, überall, grundsätzlich,
            standardmäßig, ausnahmslos, höchstens, mindestens, nichts, nirgends, maximal""",
        "fr": """toujours, jamais, seulement, uniquement, désormais, dorénavant, à partir de maintenant,
            à l'avenir, partout, par défaut, sans exception, au plus, au moins, rien""",
        "es": """siempre, nunca, solo, sólo, solamente, a partir de ahora, de ahora en adelante, en adelante,
            en todas partes, por defecto, sin excepción, como máximo, al menos, nada de""",
        "pt": """sempre, nunca, só, somente, apenas, a partir de agora, daqui pra frente, daqui para frente,
            daqui em diante, em todo lugar, por padrão, sem exceção, no máximo, pelo menos, nada de""",
        "it": """sempre, mai, solo, soltanto, d'ora in poi, d'ora in avanti, da adesso, ovunque, di default,
            senza eccezioni, al massimo, almeno, niente""",
        "nl": """altijd, nooit, alleen, vanaf nu, voortaan, overal, standaard, zonder uitzondering, hooguit,
            minstens, niets""",
        "pl": "zawsze, nigdy, tylko, od teraz, odtąd, wszędzie, domyślnie, bez wyjątku, najwyżej, co najmniej, nic",
        "tr": """her zaman, asla, sadece, yalnızca, bundan sonra, artık, her yerde, varsayılan olarak, istisnasız,
            en fazla, en az, hiçbir""",
        "ru": """всегда, никогда, только, отныне, впредь, с этого момента, с этого дня, везде, по умолчанию,
            без исключений, максимум, минимум, не больше, не меньше, не чаще, не реже, не более, не менее, не дольше,
            не позже, не раньше, ничего""",
        "zh": """总是, 永远, 始终, 从不, 只能, 只用, 仅, 每次, 以后, 今后, 从现在起, 一律, 统一, 默认, 最多, 至少,
            都用, 都写, 固定, 不做了, 不再, 不支持, 只有, 只做, 必须, 一直, 禁止, 不得""",
        "ja": "常に, 必ず, 絶対, だけ, のみ, 毎回, 今後, これから, どこでも, デフォルト, 最大, 最低, 統一, 揃え, 禁止",
        "ko": "항상, 절대, 반드시, 오직, 매번, 앞으로, 이제부터, 어디서나, 기본, 최대, 최소, 통일, 금지",
    },
    # To how many something is done, or until when: in an order that is what the task is about, and no rule.
    "each": {
        "en": "every, each, until",
        "de": "jede, jeder, jedes, bis",
        "fr": "chaque, jusqu'à ce que",
        "es": "cada, hasta que",
        "pt": "cada, até que",
        "it": "ogni, finché",
        "nl": "elke, elk, totdat",
        "pl": "każdy, każda, każde, dopóki, wszystkie",
        "tr": "her",
        "ru": "каждый, каждая, каждое, пока не, все, всё",
        "zh": "每个, 全部",
        "ja": "すべて, 全て",
        "ko": "모든, 모두, 전부",
    },
    # Something shall be so and is not: it is told as a fault.
    "but": {
        "en": "but, yet, though, however",
        "de": "aber, doch, jedoch",
        "fr": "mais, pourtant",
        "es": "pero, sin embargo",
        "pt": "mas, porém",
        "it": "ma, però",
        "nl": "maar, toch",
        "pl": "ale, jednak",
        "tr": "ama, fakat",
        "ru": "но, однако",
        "zh": "但, 但是, 却, 可是, 不过, 结果",
        "ja": "のに, けど, が、, しかし",
        "ko": "는데, 지만, 그런데",
    },
    # Verbs of which "we" are not the masters: what happens to us, what we see, have, know or still have to find out.
    "befalls": {
        "en": """see, seeing, need, needing, have, having, had, be, been, get, getting, got, know, knew, find,
            finding, think, thinking, thought, talk, talking, discuss, ask, check, look, looking, try, trying,
            test, testing, wait, waiting, come, coming, probably, maybe, likely, lose, losing, lost, run, running,
            end, hit, hitting, miss, break, fail, failing, face, regret, sure, able, there, fine, done, ready,
            still, even, at, in, on, could, can, can't, might, may, should, would, hope, guess, like, want, did,
            didn't, was, were, are, aren't, do, owe, forgot, noticed, believe, agree, wish, used, decided, don't,
            also, both, must, mustn't, what, if, when""",
        "de": """haben, hatten, sind, waren, sehen, bekommen, können, könnten, müssen, müssten, sollten, würden,
            hätten, wissen, brauchen, kriegen, merken, wollten, dachten, schauen, reden, überlegen, fragen,
            testen, wollen, hoffen, glauben, finden, werden, konnten, mussten, kamen, möchten, denken, versuchen,
            warten, verlieren""",
        "fr": """a, est, voit, peut, pourrait, devrait, avait, était, dirait, sait, verra, reçoit, perd, attend,
            obtient, n'a, n'est, m'a, avons, sommes, voyons, pouvons, savons, recevons, aurait, doit, aura, dit,
            pense, espère, essaie, comprend, avions, étions, devons, voulons, veut, ne, serait""",
        "es": """tenemos, vemos, estamos, somos, podemos, sabemos, necesitamos, recibimos, queremos, debemos,
            hemos, fuimos, tuvimos, hicimos, vimos, estuvimos, pudimos, creemos, esperamos, perdemos, hablamos,
            veremos, hablaremos, pensamos, vamos, probamos, miramos, decíamos, extremos""",
        "pt": """temos, vemos, estamos, somos, podemos, sabemos, precisamos, recebemos, queremos, devemos, fomos,
            tivemos, fizemos, vimos, estivemos, achamos, esperamos, perdemos, falamos, veremos, pensamos, vamos,
            testamos""",
        "it": """abbiamo, siamo, vediamo, possiamo, dobbiamo, sappiamo, vogliamo, riceviamo, pensiamo, speriamo,
            proviamo, parliamo, vedremo, perdiamo, crediamo, aspettiamo, guardiamo""",
        "nl": """hebben, zijn, zien, krijgen, kunnen, moeten, weten, waren, hadden, zouden, denken, hopen, willen,
            kijken, praten, proberen, wachten, zullen, konden, moesten""",
        "pl": """mamy, widzimy, możemy, wiemy, jesteśmy, musimy, problemy, systemy, formy, firmy, normy, ramy,
            chcemy, myślimy, zobaczymy, dostajemy, czekamy, potrzebujemy""",
        "tr": """görüyoruz, alıyoruz, yaşıyoruz, bilmiyoruz, bekliyoruz, bakalım, görelim, düşünelim, konuşalım,
            deneyelim, istiyoruz, göreceğiz, bakacağız""",
        "ru": """видим, можем, имеем, знаем, думаем, получаем, хотим, понимаем, посмотрим, обсудим, подумаем,
            увидим, попробуем, ждём, ждем, затем, совсем, всем, этим, своим, другим, проблем, теряем, надеемся,
            спросим, зачем, чем""",
        "zh": "看看, 想想, 讨论, 试试",
        "ja": "見てみ, 考え, 確認し, 試し, 相談し",
        "ko": "봅시다, 보자, 생각해, 확인해",
    },
    # What shall not be so is told of as a fault: "that shouldn't happen".
    "happens": {
        "en": """happen, happening, occur, be happening, be like that, be like this, be possible, take this long,
            take that long""",
        "de": "passieren, vorkommen, sein, auftreten",
        "fr": "arriver, se produire, se passer",
        "es": "pasar, ocurrir, suceder",
        "pt": "acontecer, ocorrer",
        "it": "succedere, accadere, capitare",
        "nl": "gebeuren, voorkomen",
        "pl": "się dziać, się zdarzać, zdarzyć",
        "tr": "olmamalı",
        "ru": "происходить, случаться, быть",
        "zh": "发生, 出现",
        "ja": "起き, 起こ, 発生",
        "ko": "일어나, 발생",
    },
    # A fault was mended.
    "mended": {
        "en": "fixed, patched, repaired, corrected, resolved, mended, the cause, caused by, the bug, off by one",
        "de": "behoben, repariert, korrigiert, gefixt, ursache, der fehler",
        "fr": "corrigé, corrigée, réparé, réparée, résolu, la cause",
        "es": "arreglado, corregido, reparado, solucionado, resuelto, la causa",
        "pt": "corrigido, consertado, resolvido, arrumei, corrigi, a causa",
        "it": "corretto, sistemato, risolto, riparato, la causa",
        "nl": "hersteld, opgelost, gerepareerd, gefixt, oorzaak",
        "pl": "naprawione, naprawiłem, poprawione, usunięty błąd, przyczyn*",
        "tr": "düzelttim, düzeltildi, giderdim, onardım, neden*",
        "ru": "исправил, исправила, исправлено, починил, починила, устранил, причин*",
        "zh": "修复, 修好, 解决了, 原因",
        "ja": "修正しました, を直しました, 不具合, 原因",
        "ko": "고쳤, 수정했, 해결, 원인",
    },
    # The agent takes on what it was told.
    "taken on": {
        "en": """clear, in progress, here are, here is, here it is, here you go, done, noted, understood, will do,
            got it, on it, from now on, in place, is up, are up, is in, are in, is ready, are ready, is set, are set,
            duly, it stays, they stay""",
        "de": """in ordnung, erledigt, verstanden, notiert, gemacht, alles klar, wird gemacht, ist drin,
            steht, es bleibt, bleibt""",
        "fr": "d'accord, c'est fait, fait, noté, compris, entendu, c'est en place, ça reste",
        "es": "de acuerdo, hecho, listo, entendido, anotado, queda, se queda",
        "pt": "feito, pronto, entendido, anotado, combinado, ficou",
        "it": "va bene, fatto, capito, ricevuto, annotato",
        "nl": "oké, gedaan, klaar, begrepen, genoteerd, staat",
        "pl": "dobrze, gotowe, zrobione, jasne, zrozumiano, zanotowane",
        "tr": "tamam, tamamdır, yapıldı, anlaşıldı, not ettim, hallettim",
        "ru": "хорошо, готово, сделано, сделал, сделала, понял, поняла, принято, учту, записал",
        "zh": "好了, 明白, 收到, 完成, 已, 没问题, 知道了",
        "ja": "承知, わかりました, 分かりました, 了解, ました",
        "ko": "알겠, 완료, 했습니다, 겠습니다, 됐습니다",
    },
    # It leaves all as it is, until somebody knows what is wanted.
    "leaves": {
        "en": """nothing, i'll leave, i leave, i've left, left it, leaving it, no rush, no hurry, take your time,
            until then, meanwhile, in the meantime, whenever you""",
        "de": "lasse ich, ich lasse, nichts, keine eile, bis dahin, solange, so lange, vorerst",
        "fr": "je laisse, rien, d'ici là, en attendant",
        "es": "dejo, nada, sin prisa, mientras tanto",
        "pt": "deixo, nada, sem pressa, enquanto isso, por enquanto",
        "it": "lascio, non ho, nessuna fretta, nel frattempo, intanto",
        "nl": "laat ik, ik laat, niets, geen haast, tot die tijd, voorlopig",
        "pl": "zostawiam, nic nie, niczego nie, bez pośpiechu, na razie",
        "tr": "bırakıyorum, değiştirmedim, hiçbir şey, acele yok, acelesi yok, şimdilik",
        "ru": "оставляю, ничего не, не спешите, не к спеху, пока",
        "zh": "不着急, 不急, 先不动, 暂时",
        "ja": "そのままに, 急ぎません, お待ち",
        "ko": "그대로 두, 급하지 않, 당분간, 기다리",
    },
    # What has the form of a verb that tells what somebody does or did, and is none.
    "no deed": {
        "en": """something, anything, everything, nothing, during, according, regarding, depending, considering,
            assuming, meaning, being, having, missing, interesting, surprising, judging, string, thing, king, ring,
            spring, morning, evening, tempting, need, speed, feed, seed, indeed, based, related, supposed, expected,
            reproduced, confirmed, checked, agreed, unsupported, located, caused, failed, looked, tried, read, signed,
            cached, shared, crashed, used, called, named, limited""",
        "de": """gute, alle, keine, eine, diese, beide, heute, bitte, danke, jede, viele, manche, ohne, gerade, meine,
            deine, seine, eure, unsere, andere, solche, welche, einige, die, habe, hatte, wäre, würde, könnte,
            sollte, gefunden, geprüft""",
        "fr": "vérifié, été, côté, santé, clé, allé",
        "es": """todo, solo, sólo, uno, pero, cuando, como, bueno, claro, luego, primero, mismo, poco, mucho, dentro,
            cada, nuevo, bajo, segundo, quanto, tanto, esto, eso, tiempo, punto, modo, lado, caso, perfecto, qué,
            porqué""",
        "pt": """tudo, quando, mesmo, muito, novo, terceiro, isso, isto, tempo, acordo, perfeito, café, até, pé, lei,
            sei""",
        "it": "tutto, proprio, sono, però, ogni, nuovo, certo, sotto, dopo, secondo, perfetto, stato, dato, lato, ciò",
        "nl": "geen, goed, gevonden",
        "pl": "problem, potem, tam, sam, mam, jestem, system, czasem, razem",
        "tr": "kendi, şimdi, hangi",
        "ru": "потому, почему, поэтому, этому, могу, хочу, сразу, внизу, наверху, между, материал, файл, начало",
        "zh": "看来, 因为",
        "ja": "なぜ, たぶん",
        "ko": "아마, 왜",
    },
    # What is to be done once, as an order has it.
    "task": {
        "en": """add, write, create, build, fix, open, spawn, read, list, print, send me, send it, send a, give me, tell
            me, implement, test, run, commit, push, deploy, merge, show, explain, look, check, try, start, finish,
            continue, carry on, update, refactor, clean, review, document, install, find, debug, investigate,
            generate, draft, prepare, set up, wire, hook, have a look, take a look, go ahead, do it, do that,
            upload, publish, proofread, summarize, summarise""",
        "de": """füg*, schreib*, erstell*, bau*, mach weiter, mach das, prüf*, schau*, test, teste, start, starte,
            behebe, beheb, reparier*, lad, lade, veröffentlich*, fass zusammen, such, suche, merge, committe, pushe,
            erklär*""",
        "fr": """ajoute*, écris, crée*, corrige*, lance*, teste*, regarde*, envoie, vérifie*, continue, cherche, publie,
            déploie, fusionne, résume, explique*, répare""",
        "es": """añade*, agrega*, escribe, crea, arregla*, prueba, mira, sigue, continúa, envía*, envíame, mándame,
            revisa, busca, publica, despliega, sube, corrige, resume, haz lo mismo, explica*""",
        "pt": """adiciona*, escreve, cria, conserta*, testa, olha, continua, segue, envia, manda pra mim, me manda,
            revisa, procura, publica, sobe, corrige, resume, explica*""",
        "it": """aggiungi, scrivi, crea, correggi, prova, guarda, continua, invia, mandami, controlla, cerca, pubblica,
            carica, riassumi, spiega*""",
        "nl": """voeg, schrijf, maak een, repareer, test, kijk, ga door, ga verder, stuur, controleer, zoek, publiceer,
            upload, vat samen, leg uit""",
        "pl": """dodaj, napisz, stwórz, utwórz, napraw, popraw, sprawdź, przetestuj, kontynuuj, wyślij, poszukaj, wrzuć,
            opublikuj, podsumuj, wyjaśnij""",
        "tr": """ekle, yaz, oluştur, düzelt, test et, bak, devam et, gönder, kontrol et, ara, yayınla, yükle, özetle,
            açıkla""",
        "ru": """добавь*, напиши*, создай*, исправь*, почини*, запусти*, проверь*, посмотри*, продолжай*, залей*,
            выложи*, отправь, пришли*, найди*, закоммить, запушь, опубликуй*, объясни*, протестируй*""",
        "zh": "帮我检查, 帮我写, 提交, 推送, 上传, 继续做",
        "ja": "追加して, 直して, コミットして, 送って, 確認して, 書いて, 続けて",
        "ko": "추가해, 만들어, 고쳐, 수정해, 커밋해, 보내, 확인해, 계속해",
    },
    # An agent approves of what it hears, which may be a plan of somebody else's: it takes nothing on by that.
    "approves": {
        "en": "good call, good idea, good choice, good point, makes sense, agreed, no argument, fair, fair enough",
        "de": "gute idee, guter punkt, sinnvoll, gute wahl",
        "fr": "bonne idée, bien vu, bon choix",
        "es": "buena idea, buen punto, tiene sentido, buena elección",
        "pt": "boa ideia, bom ponto, faz sentido, boa escolha",
        "it": "buona idea, ha senso, buona scelta",
        "nl": "goed idee, goed punt, goede keuze",
        "pl": "dobry pomysł, racja, słusznie, dobry wybór",
        "tr": "iyi fikir, mantıklı, haklısın",
        "ru": "хорошая идея, разумно, резонно",
        "zh": "好主意, 有道理",
        "ja": "良い考え, いい考え, もっともです",
        "ko": "좋은 생각, 일리가",
    },
    # So a thing is, was before, and stands once it was made so.
    "is": {
        "en": "is, are",
        "de": "ist, sind",
        "fr": "est, sont",
        "es": "está, están",
        "pt": "está, estão",
        "it": "è, sono",
        "nl": "is, zijn",
        "pl": "jest, są",
        "tr": "oldu",
        "ru": "стоит",
        "zh": "是, 在",
        "ja": "です",
        "ko": "입니다",
    },
    "was": {
        "en": "was, were, had",
        "de": "war, waren, wurde, wurden, hatte, hatten, fehlte, fehlten",
        "fr": "était, étaient, avait, avaient, fut",
        "es": "era, eran, fue, fueron, estaba, estaban, había, habían, tenía, tenían, hacía",
        "pt": "era, eram, foi, foram, estava, estavam, havia, tinha, tinham, vinha, fazia",
        "it": "era, erano, fu, aveva, avevano",
        "nl": "was, waren, werd, werden, had, hadden, ontbrak",
        "pl": "był, była, było, były, brakowało",
        "tr": "idi",
        "ru": "был, была, было, были, не хватало",
        "zh": "以前, 之前, 原来是",
        "ja": "でした, ていました, なかった",
        "ko": "였, 었던, 있었",
    },
    # What stands between a thing and what is said of it, where that is no report of a change.
    "if or because": {
        "en": "been, which, who, because, when, where, if, would, could, might, may, should, until",
        "de": "weil, wenn, könnte, würde, wäre, bis",
        "fr": "parce, quand, si, serait, pourrait",
        "es": "es, son, porque, cuando, si, sería, podría",
        "pt": "é, são, porque, quando, se, seria, poderia",
        "it": "perché, quando, se, sarebbe, potrebbe",
        "nl": "omdat, als, zou",
        "pl": "bo, gdy, jeśli, byłby",
        "tr": "çünkü",
        "ru": "потому, если, когда, бы",
        "zh": "如果, 因为",
        "ja": "もし, ので",
        "ko": "만약, 때문",
    },
    "stands": {
        "en": "in place, in, up, on, off, gone, done, ready, set, set up, live, online, back, out, now, all set",
        "de": "drin, da, weg, fertig, aktiv, bereit, online, raus, jetzt",
        "fr": "prêt, prête, prêts, prêtes, en place, en ligne, actif, active",
        "es": "listo, lista, listos, listas, activo, activa, puesto, puesta",
        "pt": "pronto, pronta, prontos, prontas, ativo, ativa, no ar",
        "it": "pronto, pronta, pronti, pronte, attivo, attiva, online",
        "nl": "klaar, weg, actief, online, aan, uit",
        "pl": "gotowe, gotowy, gotowa, aktywny, aktywna",
        "tr": "hazır, aktif",
        "ru": "готов, готова, готово",
        "zh": "好了, 就绪",
        "ja": "完了, 準備",
        "ko": "완료, 준비",
    },
    "at present": {
        "en": "now",
        "de": "jetzt, nun",
        "fr": "désormais, maintenant",
        "es": "ahora",
        "pt": "agora",
        "it": "adesso, ora",
        "nl": "nu",
        "pl": "teraz",
        "tr": "artık",
        "ru": "теперь",
        "zh": "现在, 已经",
        "ja": "今は, 現在",
        "ko": "이제, 지금",
    },
    # What a sentence is about that explains, answers or takes no notice: not a thing that something was done to.
    "told of": {
        "en": """it, its, it's, they, this, that, that's, there, which, what, with, if, when, because, he, she, you,
            nobody, most, many, some, only, almost, both, either, neither, usually, often, probably, about, for, at""",
        "de": "es, das, dies, man, sie, er, du, da, dort, wenn, weil, meist, oft, viele, manche, beide, bei, für",
        "fr": "il, elle, ils, ce, c'est, ça, cela, tu, parce, si, souvent, beaucoup, certains, pour",
        "es": "eso, esto, es, hay, si, porque, muchos, suele, tú, para",
        "pt": "isso, isto, é, há, se, porque, muitos, costuma, você, para",
        "it": "questo, quello, è, c'è, se, perché, molti, spesso, per",
        "nl": "het, dat, dit, er, als, omdat, vaak, veel, voor",
        "pl": "to, ten, jest, jeśli, bo, często, wiele, można",
        "tr": "bu, o, şu, eğer, çünkü, genelde",
        "ru": "это, он, она, они, там, если, потому, обычно, часто, можно",
        "zh": "这, 那, 它, 因为, 通常",
        "ja": "それは, これは, なぜなら, 通常",
        "ko": "그건, 이건, 왜냐하면, 보통",
    },
    # One thing is put in the place of what was just talked of, which is named by a mere "it" or not at all.
    "exchanges": {
        "en": """change it to, change that to, change this to, change them to, switch it to, switch it over,
            switch to, switch back, switch over, switched to, switching to, move it to, move to, moving to,
            turn it into, replace it, replace that, replace them, replaced by, swap it, swap that, swap in,
            swap out, go back to, going back to, back to, revert to, roll back to, rename it, rename everything,
            renaming it, renaming, take it out, take them out, take that out, rip it out, throw it out,
            kick it out, scrap it, drop it, ditch it, lose it, back out, raise it, lower it, bump it, cut it,
            use the old""",
        "de": """zurück zu, zurück auf, umstellen, stell um, steigen um, tausch*, ersetz*, wechseln wir, wechsel*,
            nimm stattdessen, mach daraus, änder das, änder es, ändere, raus damit, umsteigen, umbenennen""",
        "fr": """remplace*, change-le, change-la, passe-le, passe-la, on passe à, on change, reviens à,
            revenons à, on revient à, bascule*, enlève-le, enlève-la, vire-le, renomme*, on repasse, repasse""",
        "es": """cámbialo, cámbiala, cambialo, cambiala, lo cambiamos, la cambiamos, cambiamos a, cambia a,
            pásalo, pásala, lo pasamos, la pasamos, volvemos a, vuelve a, volvamos, quítalo, quítala, quita,
            reemplázalo, reemplázala, sustitúyelo, ponlo, ponla, renómbralo""",
        "pt": """troca por, troca pelo, troca pela, troca pra, troque, trocamos, muda para, muda pra, muda pro,
            mude para, mudamos, volta para, volta pra, volta pro, voltamos, tira, tire, substitui, substitua,
            renomeia""",
        "it": """cambialo, cambiala, cambiamo, passiamo a, passalo, passala, torniamo a, torna a, sostituiscilo,
            sostituiscila, sostituiamo, toglilo, toglila, mettilo, mettila, rinominalo""",
        "nl": "terug naar, verander het, vervang*, wissel*, stap over, stappen over, haal het, zet het om, hernoem*",
        "pl": """wróćmy do, wracamy do, zmień na, zmieniamy na, zamień*, przechodzimy na, wyrzuć, usuń to,
            podmień*, przemianuj*""",
        "tr": "onun yerine, vazgeç*, geri dön*, değiştir*, geçelim, çıkar*, kaldır*",
        "ru": """вернёмся, вернемся, верни, меняем на, поменяй*, замени*, переходим на, перейдём, перейдем,
            переведи*, переименуй*, убери*, уберём, выкинь*""",
        "zh": "换成, 改成, 改为, 改用, 换回, 改回, 还是用, 换掉, 替换, 去掉, 变成",
        "ja": "に変更, に変え, に切り替え, に戻し, に戻す, の代わり, をやめ, はやめ, 置き換え",
        "ko": "로 바꿔, 로 바꾸, 로 변경, 로 돌아가, 로 교체, 빼고, 없애고",
    },
    # Verbs by which people tell to make something so, as an order has them.
    "order": {
        "en": """use, keep, put, set, make, store, send, show, hide, call, name, limit, cap, retry, export, serve,
            generate, refund, round, sort, log, return, treat, ignore, allow, reject, skip, drop, default,
            encrypt, hash, cache, expire, throttle, block, group, prefix, truncate, trim, mask, format, convert,
            move, split, leave, stick, stay, go, switch, pick, take, ship, host, expose, disable, enable, require,
            validate, paginate, inline, pin, ban, forbid, avoid, prefer, restrict, replace, lock, freeze, quote,
            spell, indent, align, default, mark, tag, label, rename, remove, delete, bump, raise, lower, cut,
            reuse, wrap""",
        "de": """nimm, nehmt, mach, stell, stelle, setz, setze, schalte, lass, ändere, zeig, zeige, schick,
            schicke, pack, leg, lege, schreib, schreibe, speicher, speichere, benutze, nutze, verwende, behalte,
            begrenze, nenn, nenne, sortier, sortiere, versteck, verschieb, verschiebe, runde, blende, ignorier,
            ignoriere, erlaube, verbiete, verschlüssel, verschlüssele, gruppier, gruppiere, kürz, kürze, entferne,
            lösch, lösche, ersetz, ersetze, bleib, bleibt, aktivier, aktiviere, deaktivier, deaktiviere,
            formatier, formatiere, markier, markiere, benenn, sperr, sperre""",
        "fr": """mets, passe, garde, change, affiche, utilise, envoie, écris, range, stocke, limite, prends,
            laisse, fais, appelle, nomme, trie, cache, déplace, mettez, utilisez, gardez, changez, arrondis,
            masque, ignore, rejette, bloque, chiffre, active, désactive, supprime, retire, enlève, remplace,
            reste, pars, renvoie, autorise, interdis, regroupe, tronque, formate, marque, renomme, baisse, monte,
            réduis, laissez, prenez""",
        "es": """pon, usa, cambia, muestra, guarda, manda, envía, deja, quita, sube, baja, limita, haz, escribe,
            llama, pasa, ordena, mueve, mantén, ponga, use, redondea, oculta, ignora, permite, prohíbe, bloquea,
            cifra, agrupa, recorta, formatea, marca, renombra, elimina, borra, reemplaza, sustituye, activa,
            desactiva, coge, toma, elige, devuelve, rechaza""",
        "pt": """põe, coloca, coloque, usa, use, muda, mude, troca, troque, mostra, mostre, guarda, manda, mande,
            envia, deixa, deixe, tira, limita, limite, faz, faça, escreve, chama, passa, move, mantém, bota,
            arredonda, esconde, ignora, permite, proíbe, bloqueia, criptografa, agrupa, corta, formata, marca,
            renomeia, remove, apaga, substitui, ativa, desativa, pega, escolhe, retorna, rejeita, liga, desliga""",
        "it": """metti, usa, cambia, mostra, salva, manda, invia, lascia, togli, limita, fai, scrivi, chiama,
            passa, sposta, tieni, ordina, arrotonda, nascondi, ignora, permetti, vieta, blocca, cifra, raggruppa,
            tronca, formatta, segna, rinomina, rimuovi, cancella, sostituisci, attiva, disattiva, prendi, scegli,
            restituisci, rifiuta""",
        "nl": """zet, gebruik, toon, stuur, bewaar, maak, laat, haal, beperk, schrijf, noem, verplaats, sorteer,
            hou, houd, neem, rond, verberg, negeer, sta, verbied, blokkeer, versleutel, groepeer, formatteer,
            markeer, hernoem, verwijder, vervang, kies, weiger, schakel""",
        "pl": """użyj, używaj, ustaw, zmień, pokaż, wyślij, wysyłaj, zapisz, zapisuj, zostaw, ogranicz, zrób,
            pisz, nazwij, przenieś, trzymaj, zaokrąglaj, zaokrąglij, ukryj, ignoruj, pozwól, zabroń, zablokuj,
            szyfruj, grupuj, obetnij, formatuj, oznacz, usuń, zastąp, włącz, wyłącz, weź, wybierz, odrzucaj,
            sortuj""",
        "tr": """yap, koy, kullan, değiştir, göster, gönder, sakla, bırak, sınırla, yaz, adlandır, taşı, yapın,
            kullanın, yuvarla, gizle, yoksay, engelle, şifrele, grupla, işaretle, sil, kaldır, seç, al, reddet,
            sırala""",
        "ru": """поставь, используй, поменяй, измени, покажи, показывай, отправляй, отправь, храни, оставь,
            ограничь, сделай, делай, пиши, назови, перенеси, сортируй, бери, возьми, ставь, округляй, скрой,
            скрывай, игнорируй, разреши, запрети, блокируй, шифруй, группируй, обрезай, форматируй, помечай,
            переименуй, удали, удаляй, замени, включи, выключи, выбери, отклоняй, убери""",
        "zh": "把, 请用, 改成, 设为, 设成, 放到, 存到, 写成",
        "ja": "にして, を使って, で書いて, に保存して, に送って, に揃えて, に設定して",
        "ko": "로 해, 로 써, 을 써, 를 써, 에 저장해, 로 보내, 로 맞춰, 로 설정해",
    },
    # A name is given.
    "is called": {
        "en": "is called, are called, will be called, gets called, is named, will be named, goes by",
        "de": "heißt, heißen, soll heißen, nennen wir, wird heißen",
        "fr": "s'appelle, s'appellera, s'appellent, on l'appelle, se nomme",
        "es": "se llama, se llamará, se llamarán, se va a llamar, lo llamamos, la llamamos",
        "pt": "se chama, vai se chamar, se chamará, vai chamar, chamamos",
        "it": "si chiama, si chiamerà, lo chiamiamo, la chiamiamo, si chiameranno",
        "nl": "heet, gaat heten, noemen we",
        "pl": "nazywa się, będzie się nazywać, nazwiemy, nazywamy",
        "tr": "adı, ismi, diyelim, denecek",
        "ru": "называется, будет называться, назовём, назовем, называем",
        "zh": "就叫, 叫做, 名字叫, 命名为",
        "ja": "という名前, と呼び, 名前は",
        "ko": "이름은, 라고 부르, 로 명명",
    },
    # So somebody says what he is for, in his own name.
    "is for": {
        "en": """i vote, my vote, my pick, my choice, i pick, i choose, i'd say, i say, i like, i'd like, i'd go,
            i'd use, i'd take, i'd keep, i'd pick, i'd rather, i'd prefer, i prefer, i'm for, i'm going with,
            i'm fine with, i'm good with, i'm ok with, i'm happy with, i can live with, i'll take, i'll go,
            i trust, i want, i think we, i'm with you, i'm leaning on, i'm sold, i'm convinced, i don't want,
            i don't need, i need""",
        "de": """ich bin für, ich nehme, ich nehm, ich will, ich möchte, ich hätte gern, ich würde, ich bevorzuge,
            ich mag, ich stimme für, ich denke wir, ich find, ich finde, mein favorit, mir reicht, ich brauche""",
        "fr": """je prends, je veux, je préfère, je préférerais, je vote, je suis pour, je choisis, j'aime,
            je pense qu'on, je dirais, moi je, ça me convient, je garde""",
        "es": """prefiero, yo prefiero, quiero, me quedo, elijo, voto por, estoy a favor, yo diría, me gusta,
            me convence""",
        "pt": "prefiro, eu prefiro, quero, fico com, escolho, voto em, sou a favor, eu diria, gosto, curti, eu quero",
        "it": "preferisco, io preferisco, voglio, scelgo, voto per, sono per, io direi, mi piace, mi convince, prendo",
        "nl": "ik kies, ik wil, ik neem, ik ben voor, ik stem voor, liever, ik zou, mij lijkt, ik vind",
        "pl": "wolę, wybieram, chcę, biorę, jestem za, głosuję, podoba mi się, ja bym",
        "tr": "tercihim, tercih ediyorum, istiyorum, seçiyorum, bence, benim oyum",
        "ru": "я за, я бы, я выбираю, выбираю, хочу, предпочитаю, мне нравится, мне больше, беру, голосую",
        "zh": "我选, 我要, 我想要, 我倾向, 我支持, 我投",
        "ja": "がいいです, を選びます, にしたい, が好き",
        "ko": "로 할게요, 가 좋아요, 선택할게요, 원해요",
    },
    # What somebody makes of a thing, not what he wants of it.
    "seems": {
        "en": """reads like, looks like, sounds like, feels like, seems, smells like, reminds me, looks, sounds,
            feels, reads""",
        "de": "klingt, sieht aus, liest sich, wirkt, fühlt sich, erinnert",
        "fr": "on dirait, ça ressemble, ça fait, ça sonne, ça a l'air",
        "es": "parece, suena, se ve, se siente",
        "pt": "parece, soa, ficou com cara",
        "it": "sembra, suona, pare",
        "nl": "lijkt, klinkt, voelt",
        "pl": "wygląda, brzmi, wydaje się",
        "tr": "gibi görünüyor, gibi duruyor, benziyor",
        "ru": "похоже, выглядит, звучит, кажется, смахивает",
        "zh": "看起来, 听起来, 感觉, 像是",
        "ja": "みたいです, ように見え, っぽい, 感じがし",
        "ko": "같아 보, 처럼 보, 느낌이, 같네",
    },
    # A noun that names what is settled once for all: "our convention is ...".
    "convention": {
        "en": """name, style, convention, policy, rule, standard, language, stack, limit, goal, minimum, maximum,
            default, format, color, colour, accent color, target, baseline, floor, ceiling, budget, license,
            licence, tone, title, priority, house style, deadline""",
        "de": """name, stil, konvention, regel, standard, sprache, grenze, ziel, minimum, maximum, format, farbe,
            lizenz, ton, titel""",
        "fr": """nom, style, convention, règle, norme, langue, limite, objectif, minimum, maximum, format,
            couleur, licence, titre""",
        "es": """nombre, estilo, convención, regla, norma, estándar, idioma, límite, objetivo, mínimo, máximo,
            formato, color, licencia, título""",
        "pt": """nome, estilo, convenção, regra, norma, padrão, idioma, limite, objetivo, mínimo, máximo, formato,
            cor, licença, título""",
        "it": """nome, stile, convenzione, regola, norma, standard, lingua, limite, obiettivo, minimo, massimo,
            formato, colore, licenza, titolo""",
        "nl": """naam, stijl, conventie, regel, standaard, taal, limiet, doel, minimum, maximum, formaat, kleur,
            licentie, titel""",
        "pl": """nazwa, styl, konwencja, reguła, zasada, standard, język, limit, cel, minimum, maksimum, format,
            kolor, licencja, tytuł""",
        "tr": "adı, ismi, stili, kural*, standart, dili, sınırı, hedef, en az, biçimi, rengi, lisansı, başlığı",
        "ru": """название, имя, стиль, правило, стандарт, язык, предел, лимит, цель, минимум, максимум, формат,
            цвет, лицензия, заголовок""",
        "zh": "名字, 名称, 风格, 规范, 规则, 标准, 语言, 上限, 目标, 格式, 颜色, 许可证",
        "ja": "名前, スタイル, 規約, ルール, 標準, 言語, 上限, 目標, 形式, 色, ライセンス",
        "ko": "이름, 스타일, 규칙, 표준, 언어, 한도, 목표, 형식, 색상, 라이선스",
    },
    # What may stand before what is said without meaning anything.
    "leads up": {
        "en": """ok, okay, k, so, right, alright, all right, well, great, good, fine, nice, cool, perfect, awesome,
            excellent, amazing, wow, lovely, brilliant, yes, yeah, yep, no, nope,
            nah, na, naah, sure, thanks, thank you, then, now, and, but, also, actually, hm, hmm, hmmm, oh, ah,
            uh, uff, argh, please, hey, ugh, meh, sorry, btw, by the way, fyi, note, heads up, though, one thing,
            one more thing, bear in mind, keep in mind, bear in mind that, keep in mind that, remember, important,
            true, good point, got it, i see, before we start, before we begin, before we go on, before you start,
            before you begin""",
        "de": """alles klar, gut, also, ja, nein, dann, bitte, ach, na gut, okay, klar, perfekt, super, prima,
            gerne, genau, einverstanden, in ordnung, sehr gut, stimmt, verstanden, übrigens, ach ja, hm, oh, naja,
            tja, hallo, moin""",
        "fr": """oui, non, bon, alors, d'accord, bien, ah bon, ok, eh bien, très bien, parfait, ça marche,
            entendu, compris, super, du coup, donc, ah, oh, au fait, bref, salut, bonjour, ouais, nickel""",
        "es": """sí, si, vale, bueno, entonces, claro, pues, oye, perfecto, de acuerdo, entendido, genial, listo,
            bien, ok, no, ah, uy, por cierto, hola, venga, hecho""",
        "pt": """sim, não, então, certo, tá, bom, pois, olha, beleza, perfeito, combinado, entendido, ótimo, ok,
            claro, ah, aliás, oi, show de bola, fechado, blz""",
        "it": """sì, va bene, allora, ok, bene, senti, perfetto, d'accordo, certo, ricevuto, capito, ottimo, no,
            ah, ciao, dunque, comunque""",
        "nl": "ja, nee, oké, dus, dan, goed, nou, prima, ok, top, begrepen, akkoord, hoi, hé, trouwens, ah, tja, klopt",
        "pl": "tak, nie, ok, dobrze, więc, no, dobra, jasne, super, świetnie, rozumiem, oczywiście, hej, aha, cóż",
        "tr": "evet, hayır, tamam, peki, o zaman, tamamdır, olur, anladım, tabii, harika, selam",
        "ru": """да, нет, ок, хорошо, так, ну, тогда, ладно, понял, поняла, принято, отлично, ага, окей, конечно,
            кстати, слушай, привет, договорились""",
        "zh": "好的, 好吧, 好, 那么, 那, 行, 嗯, 啊, 可以, 明白, 收到, 没问题, 对, 哦, 对了, 是的, 当然, ok",
        "ja": """じゃあ, では, はい, うーん, それでは, 了解です, 了解しました, 承知しました, わかりました,
            なるほど, えっと, あ, そうですね""",
        "ko": "그럼, 네, 좋아, 음, 자, 좋아요, 알겠습니다, 넵, 아, 그래요, 오케이, 참",
    },
    # Without those that mean something else more often: a cause, and what English speakers want.
    "because": {
        "en": "because, since, due to, as it, given that, to avoid, to prevent, so that, in case, cuz, bc",
        "de": "weil, damit, denn, um zu",
        "fr": "parce que, parce qu', puisque, afin de, car",
        "es": "porque, ya que, para que, así",
        "pt": "porque, pois, já que, para que",
        "it": "perché, poiché, così, affinché",
        "nl": "omdat, zodat",
        "pl": "bo, ponieważ, żeby",
        "tr": "çünkü, diye",
        "ru": "потому что, потому, так как, из-за, чтобы",
        "zh": "因为, 由于, 以免, 避免",
        "ja": "ため, ので, から",
        "ko": "때문, 위해, 니까",
    },
    # One thing and not the other, which is named behind it.
    "instead of": {
        "en": "instead of, rather than, in place of, as opposed to, over using",
        "de": "statt, anstatt, anstelle von, anstelle",
        "fr": "au lieu de, au lieu du, au lieu d', plutôt que, plutôt qu'",
        "es": "en lugar de, en vez de, en lugar del, en vez del",
        "pt": "em vez de, em vez do, em vez da, no lugar de, ao invés de",
        "it": "invece di, invece del, al posto di, piuttosto che",
        "nl": "in plaats van",
        "pl": "zamiast",
        "tr": "yerine",
        "ru": "вместо",
        "zh": "而不是, 代替",
        "ja": "の代わりに, ではなく",
        "ko": "대신, 말고",
    },
    # What is to be done once more, or only now, is no rule.
    "once more": {
        "en": "again, once more, one more time, this time, for now, real quick",
        "de": "nochmal, noch mal, noch einmal, nochmals, diesmal, erneut",
        "fr": "encore une fois, cette fois, à nouveau, de nouveau",
        "es": "otra vez, esta vez, de nuevo, una vez más",
        "pt": "de novo, outra vez, desta vez, dessa vez, mais uma vez",
        "it": "di nuovo, un'altra volta, stavolta, questa volta, ancora una volta",
        "nl": "nog eens, nog een keer, opnieuw, deze keer",
        "pl": "jeszcze raz, ponownie, tym razem",
        "tr": "tekrar, bir daha, bu sefer, bir kez daha, yeniden",
        "ru": "ещё раз, еще раз, снова, заново, на этот раз",
        "zh": "再跑, 再试, 再来一次, 再一次, 重新跑, 这次",
        "ja": "もう一度, もう一回, 今回は, 再度",
        "ko": "다시, 한 번 더, 이번에는, 이번엔",
    },
    "or": {
        "en": "or, either",
        "de": "oder, entweder",
        "fr": "ou, ou bien, soit",
        "es": "o bien",
        "pt": "ou",
        "it": "oppure",
        "nl": "ofwel, hetzij",
        "pl": "albo, lub, czy",
        "tr": "ya da, veya, yoksa",
        "ru": "или, либо",
        "zh": "还是, 或者",
        "ja": "または, それとも",
        "ko": "아니면, 또는",
    },
    "not": {
        "en": "no, not, never, nothing, none, without, stop, avoid, cannot, don't, dont, do not, no longer",
        "de": "nicht, nie, niemals, kein*, nein, ohne",
        "fr": "pas, jamais, sans, ne, n', non, aucun*",
        "es": "no, nunca, sin, ningún, ninguna",
        "pt": "não, nunca, sem, nenhum, nenhuma",
        "it": "non, mai, senza, nessun*",
        "nl": "niet, geen, nooit, zonder",
        "pl": "nie, nigdy, bez, żaden, żadna",
        "tr": "değil, asla, hayır, yok",
        "ru": "не, нет, без, никогда",
        "zh": "不, 别, 勿, 没, 無",
        "ja": "ない, ません, せず",
        "ko": "말, 않, 없",
    },
    "and": {
        "en": "and, but, so",
        "de": "und, aber",
        "fr": "et, mais",
        "es": "y, pero",
        "pt": "mas",
        "it": "ma",
        "nl": "maar",
        "pl": "oraz, ale",
        "tr": "ve, ama",
        "ru": "и, но, а",
        "zh": "并且, 但是, 同时",
        "ja": "そして, でも",
        "ko": "그리고, 하지만",
    },
    # So somebody says outright that something no longer holds, whatever was said of it.
    "takes back": {
        "en": """scrap, scratch, strike that, drop that, drop it, drop this, forget, never mind,
            nevermind, nvm, screw that, screw it, changed my mind, changed our minds, i changed my mind,
            i've changed my mind, we changed our minds, we've changed our minds, on second thought,
            on second thoughts, i take that back, i take it back, thinking about it, come to think, i give in,
            give in, you win, walking that back, walk that back, i was wrong, i stand corrected, change of plan,
            change of plans, plans changed, new plan, plan's off, we're undoing that, i've had second thoughts,
            second thoughts, i retract""",
        "de": """vergiss, kommando zurück, ich hab mir anders, ich hab es mir anders, ich habe mir anders,
            ich habe es mir anders, ich hab's mir anders, lass das, planänderung, neuer plan,
            ich nehme das zurück, ich nehm das zurück, doch nicht, ich lag falsch, ich gebe auf, ich geb auf,
            rolle rückwärts, umentschieden, hab mich umentschieden, du hast gewonnen""",
        "fr": """laisse tomber, oublie, réflexion faite, à la réflexion, tout compte fait, finalement,
            j'ai changé d'avis, on oublie, je ravale, je retire ce que, je me ravise, changement de plan,
            machine arrière, marche arrière, j'avais tort, en fait non, je capitule, tu as gagné""",
        "es": """olvida, olvídalo, olvídate, déjalo, pensándolo, he cambiado de idea, cambié de idea,
            cambio de planes, cambio de plan, retiro lo dicho, me retracto, me equivoqué, marcha atrás, mejor no,
            me rindo, tú ganas""",
        "pt": """esquece, esqueça, pensando bem, pensando melhor, mudei de ideia, mudança de planos,
            retiro o que disse, eu estava errado, eu estava errada, volto atrás, voltando atrás, me rendo,
            melhor não""",
        "it": """lascia perdere, lascia stare, ripensandoci, ho cambiato idea, dimentica, cambio di programma,
            cambio di piano, ci ho ripensato, mi rimangio, avevo torto, marcia indietro, contrordine, mi arrendo""",
        "nl": """laat maar, bij nader inzien, vergeet, ik kom erop terug, toch niet, ander plan,
            ik neem het terug, ik zat fout, van gedachten veranderd, ik geef toe""",
        "pl": """jednak, zmieniłem zdanie, zmieniłam zdanie, zapomnij, zmiana planów, cofam, odwołuję,
            myliłem się, myliłam się, wycofuję się, poddaję się""",
        "tr": "vazgeçtim, boşver, fikrimi değiştirdim, unut, plan değişti, geri alıyorum, yanılmışım, pes, vazgeçtik",
        "ru": """забудь, передумал, передумала, я передумал, я передумала, беру слова назад, беру свои слова,
            смена планов, планы поменялись, я был неправ, я ошибся, я ошиблась, сдаюсь, отбой, передумали""",
        "zh": "算了, 改主意, 我收回, 计划变了, 计划有变, 我错了, 反悔, 认输, 重新考虑",
        "ja": "やっぱり, やっぱ, やはり, 気が変わ, 撤回, 方針変更, 考え直し, 前言",
        "ko": "됐고, 취소하고, 생각이 바뀌, 마음이 바뀌, 철회, 계획 변경, 다시 생각해, 제가 틀렸",
    },
    # So a message opens that gives something up, where there was a reason to, or a change is told of.
    "gives up": {
        "en": """then, no, nope, nah, fair, fine, screw, in that case, if so, actually, instead, rather, ugh, meh, damn,
            yikes, ouch, crap, too bad, bummer, what a pity, back to, sorry no, sorry actually, sorry i, wait no, wait
            actually, wait i, hmm no, hmm actually, hmm i, no way, if that's so, if that's the case, that being so,
            that being the case""",
        "de": """dann, doch, wenn ich so drüber, zurück zu, na gut, na dann, nein, nee, lieber, schade, stimmt, lass es,
            lass mal, stattdessen, mist, wenn das so ist, in dem fall, wenn dem so ist""",
        "fr": """alors, non, tant pis, du coup, dans ce cas, plutôt, zut, mince, dommage, en fait, aïe, si c'est
            comme ça, si c'est ça, vu comme ça""",
        "es": """entonces, pues, mejor, en ese caso, vaya, qué pena, al final, en realidad, si es así, siendo así, si es
            eso""",
        "pt": """então, não, melhor, nesse caso, deixa, poxa, putz, que pena, na verdade, no fim, se é assim,
            sendo assim, se for assim""",
        "it": """allora, meglio, in quel caso, in tal caso, peccato, uffa, anzi, a ripensarci, in realtà, alla
            fine, se è così, stando così""",
        "nl": "toch, dan, liever, eigenlijk, jammer, in dat geval, als dat zo is",
        "pl": "w takim razie, lepiej, szkoda, właściwie, skoro tak, jeśli tak",
        "tr": "aslında, o zaman, yazık, madem öyle, öyleyse",
        "ru": """тогда, нет, ладно, лучше, жаль, в таком случае, всё-таки, все-таки, вообще-то, на самом деле, раз так,
            если так, раз такое дело""",
        "zh": "那, 不要, 不用, 还是, 改, 既然这样, 既然如此, 这样的话",
        "ja": "じゃあ, じゃ, では, それなら, なら, やめ, いや, そういうことなら, それでしたら",
        "ko": "그럼, 그러면, 아니, 역시, 됐, 차라리, 그냥, 생각해보니, 생각해 보니, 그렇다면, 그런 거라면",
    },
    # Somewhere in a message: it is otherwise from now on.
    "no more so": {
        "en": """anymore, any more, no longer, is back, are back, back in, is dead, are dead, is off, again,
            instead, after all, rather, back to, goes back, stays""",
        "de": "nicht mehr, doch, wieder, stattdessen, lieber, zurück, bleibt",
        "fr": "n'est plus, ne sont plus, plus de, plus jamais, à nouveau, finalement, plutôt, reste",
        "es": "ya no, otra vez, de nuevo, al final, mejor, vuelve, se queda",
        "pt": "não mais, já não, de novo, outra vez, no fim, melhor, volta, fica",
        "it": "non più, di nuovo, alla fine, meglio, torna, resta",
        "nl": "niet meer, toch, weer, liever, terug, blijft",
        "pl": "już nie, jednak, znowu, z powrotem, zostaje",
        "tr": "artık, yerine, yine, tekrar, kalsın",
        "ru": "больше не, уже не, снова, опять, всё-таки, лучше, обратно, остаётся",
        "zh": "不再, 还是, 重新, 恢复, 又",
        "ja": "もう, 再び, やはり, 戻",
        "ko": "더 이상, 다시, 역시, 그대로",
    },
    # The same at the end of a message.
    "then": {
        "en": "then, instead, after all",
        "de": "dann, doch",
        "fr": "alors, finalement",
        "es": "entonces",
        "pt": "então",
        "it": "allora",
        "nl": "dan, toch",
        "pl": "więc, jednak",
        "tr": "o zaman",
        "ru": "тогда",
        "zh": "吧",
        "ja": "で",
        "ko": "그럼",
    },
    # Verbs of having a thing, and of not having it.
    "keeps": {
        "en": """keep, keeping, retain, preserve, maintain, leave, restore, reinstate, bring back, bring it back,
            bring them back, put back, put it back, put them back, enable, turn on, turn it on, turn them on,
            switch on, switch it on, switch them on, allow, stay, stays""",
        "de": "behalt*, lass, lassen, lasst, bleib*, aktivier*, erlaub*, einschalten",
        "fr": "gard*, conserv*, remets, remet, remettre, active, activer, activez",
        "es": "manten*, mantén*, mantien*, activa, activo, activar, restaur*, permit*",
        "pt": "mantém, mantemos, mantenha, deixa*, deixe*, ativa*",
        "it": "tieni, tenere, ripristin*, attiv*, mantien*",
        "nl": "houd*, behoud*, bewaar",
        "pl": "zostaw*, przywróć, zachowaj",
        "tr": "kalsın, sakla, geri getir",
        "ru": "оставь*, оставляем, оставим, сохран*, верни*, включ*",
        "zh": "保留, 保持, 留着, 恢复",
        "ja": "残し, 残す, 戻し",
        "ko": "유지, 남겨",
    },
    "drops": {
        "en": """delete, remove, removing, drop, dropping, kill, retire, get rid of, throw out, throw it out,
            throw them out, scrap, ditch, disable, turn off, turn it off, turn them off, switch off,
            switch it off, switch them off, forbid, ban, can go, is out, are out, no more""",
        "de": "lösch*, entfern*, weg mit, raus, deaktivier*, abschalten, verbiet*",
        "fr": "supprim*, retir*, enlev*, enlèv*, vire, virer, virez, désactiv*",
        "es": "elimin*, quita, quitar, quitamos, borr*, desactiv*",
        "pt": "remov*, apag*, tira*, desativ*",
        "it": "cancell*, togli*, rimuov*, disattiv*",
        "nl": "verwijder*, weghalen",
        "pl": "usuń, usuwamy, wyrzuć",
        "tr": "sil, silelim, kaldır*",
        "ru": "удал*, убер*, убираем, выключ*, отключ*",
        "zh": "删除, 删掉, 删了, 去掉, 移除",
        "ja": "削除, 消し, 外し",
        "ko": "삭제, 제거, 지워, 없애",
    },
    # Something was made otherwise than it was: one for another, and any change.
    "swapped": {
        "en": "ported, switched, replaced, swapped, converted, migrated, redrawn, redrew, rewrote, rewritten",
        "de": "umgestellt, ersetzt, ausgetauscht, portiert",
        "fr": "remplacé*, migré*, converti*",
        "es": "reemplaz*, sustitu*, migr*",
        "pt": "troquei, trocado, trocada, substituí*",
        "it": "sostituit*, migrat*",
        "nl": "vervangen, overgezet, omgezet, gewisseld",
        "pl": "zamienion*, podmienion*, przeniesion*, zamieniłem, zamieniłam",
        "tr": "değiştirdim, değiştirildi, geçirdim",
        "ru": "замени*, перенёс*, перенес*, переписа*",
        "zh": "换成, 换为, 替换",
        "ja": "置き換え, 切り替え",
        "ko": "교체, 바꿨",
    },
    "redone": {
        "en": """changed, moved, renamed, removed, reverted, redid, redone, rebuilt, reworked, limited,
            restricted, dropped, went back, back to, undone, undid, adjusted, updated, restored, flipped, lifted,
            bumped, regenerated, reformatted, is off, are off,
            lowered, raised, reduced, increased, shortened, extended, is gone,
            are gone, deleted, instead, now, no longer, taken out, split again, changing, switching, replacing,
            removing, restoring, reverting, moving, renaming, dropping, taking out, taking it out, going back,
            putting back, undoing, raising, lowering, reducing, shortening, extending, rolling back, swapping,
            converting, rewriting, migrating, excluding, restore, revert, take out, undo, roll back, switch back""",
        "de": """umgezogen, geändert, umbenannt, entfernt, gewechselt, verschoben, umgebaut, umgeschrieben, stattdessen,
            gelöscht, angepasst, jetzt, nun, zurück, ändere, ersetze, tausche, wechsle, entferne, stelle um, baue um,
            nehme raus, benenne um, setze zurück, wieder, aktualisiert""",
        "fr": """changé, changée, changés, changées, renommé, renommée, renommés, supprimé, supprimée,
            supprimés, retiré, retirée, retirés, passé, passée, passés, déplacé, déplacée, déplacés, modifié,
            modifiée, modifiés, réécrit, réécrite, basculé, basculée, porté, portée, maintenant, désormais, à la
            place, je change, je remplace, je passe, je repasse, je retire, j'enlève, je supprime, je remets, je
            bascule, je renomme, je rétablis, je reviens, mis à jour, mise à jour""",
        "es": """cambié, cambiado, cambiada, cambiados, cambiadas, renombr*, eliminé, eliminado, eliminada, eliminados,
            quité, quitado, quitada, quitados, pasé, pasado, pasada, pasados, moví, movido, movida, movidos, convertí,
            convertido, convertida, ahora, cambio, reemplazo, sustituyo, quito, paso, vuelvo, restauro, elimino,
            renombro, de nuevo, actualiz*""",
        "pt": """mudei, mudado, mudada, renome*, removi*, migrei, passei, alterei, alterado, alterada, converti*, agora,
            troco, mudo, removo, volto, restauro, tiro, substituo, trocando, mudando, removendo, de volta, atualiz*""",
        "it": """cambiato, cambiata, cambiati, cambiate, rinominat*, rimosso, rimossa, rimossi, rimosse, spostat*,
            passato, passata, passati, convertit*, modificat*, tolto, tolta, tolti, tolte, adesso, ora,
            aggiornat*, cambio, sostituisco, tolgo, passo, ripristino, rimuovo, rinomino, torno""",
        "nl": """veranderd, gewijzigd, hernoemd, verwijderd, verplaatst, aangepast, teruggezet, nu, ik wijzig,
            ik verander, ik vervang, ik verwijder, ik haal, ik hernoem, terug, bijgewerkt""",
        "pl": """zmienion*, zmieniłem, zmieniłam, usunięt*, usunąłem, przywrócon*, poprawion*, teraz, zmieniam,
            zamieniam, usuwam, przywracam, przechodzę, przenoszę, zaktualizowan*""",
        "tr": """taşıdım, kaldırdım, sildim, güncelledim, güncellendi, artık, şimdi, değiştiriyorum, kaldırıyorum,
            geçiyorum, geri alıyorum, siliyorum, taşıyorum""",
        "ru": """переимен*, убрал*, убран*, удали*, перевёл*, перевел*, измени*, поменя*, переделал*, переключ*,
            теперь, вернул*, меняю, заменяю, убираю, удаляю, возвращаю, перевожу, переделываю, обновлен*,
            обновлён*, обновил*""",
        "zh": """改成, 改为, 改用, 更换, 切换, 移到, 迁移, 重命名, 删除, 删掉, 去掉, 移除, 调整, 现在, 已换, 已改,
            换回, 改回, 恢复, 更新""",
        "ja": """変更, 移行, 移動し, 移し, 書き直, 削除, 外し, 改名, 差し替え, 変え, にしました, になりました, 戻し,
            更新""",
        "ko": "바꾸었, 변경, 옮겼, 옮기, 전환, 삭제, 제거, 수정했, 이제, 바꾸, 바꿀, 되돌리, 되돌릴, 업데이트",
    },
    # Something stands in the way, as an agent tells it.
    "trouble": {
        "en": """but, however, though, although, note, only, cannot, not, no, need, needs, require, requires,
            cost, costs, already, slow*, fail*, too, longer, warning, gone, expire, expires, expired, deprecated,
            break, breaks, block, blocks, limit*, conflict, conflicts, heavy, by the way, drawback, catch,
            unfortunately, downside, heads-up, heads up, careful, complain, complains""",
        "de": "aber, allerdings, nicht, kein*, nur, jedoch, kostet, leider, schon, braucht, achtung",
        "fr": "mais, pas, ne, seulement, déjà, coûte*, par contre, attention, malheureusement, cependant, toutefois",
        "es": "pero, no, solo, sólo, ya, cuesta*, sin embargo, aunque, ojo",
        "pt": "mas, não, só, já, custa*, porém, cuidado",
        "it": "ma, non, già, costa*, però, purtroppo, attenzione, si lamentano",
        "nl": "maar, niet, geen, helaas, kost, alleen",
        "pl": "ale, nie, niestety, kosztuje, tylko, już",
        "tr": "ama, ancak, değil, maalesef, yok, sadece",
        "ru": "но, не, нет, только, уже, стоит, однако, нужн*, правда",
        "zh": "不过, 但, 不, 没, 只, 已经, 需要, 会",
        "ja": "ただ, しかし, ない, ません, だけ, すでに, ですが",
        "ko": "다만, 하지만, 없, 않, 못, 이미, 는데",
    },
    # It looks for the cause of what was reported.
    "looks into": {
        "en": """looking, checking, i'm looking, i'm checking, i am looking, i am checking, i'm on it, let me look,
            let me check, let me see,
            i'll look, i'll check, fixed, found it""",
        "de": "ich schau, ich schaue, ich sehe, ich prüfe, schaue, behoben, gefunden",
        "fr": "je regarde, je vérifie, corrigé, corrigée",
        "es": "lo miro, lo reviso, voy a ver, voy a mirar, arreglado, corregido",
        "pt": "vou ver, vou olhar, vou verificar, corrigido",
        "it": "guardo, controllo, corretto, sistemato",
        "nl": "ik kijk, ik zoek, opgelost",
        "pl": "sprawdzam, patrzę, naprawione",
        "tr": "bakıyorum, inceliyorum, düzelttim",
        "ru": "смотрю, посмотрю, проверяю, исправил, исправила, нашёл, нашел",
        "zh": "我看看, 我看一下, 看看, 看一下, 查一下, 查下, 排查, 正在查, 找到了",
        "ja": "確認します, 調べます, 調査します, 直しました",
        "ko": "확인하겠, 확인해, 살펴",
    },
    # What an agent says that looks, thinks or tells: nothing comes of it.
    "only looks": {
        "en": """looking, checking, reading, i'm looking, i'm checking, i am looking, i am checking, let me look,
            let me check, let me see,
            i'll look, i'll check, i'll see, i'll ask, i'll report, i'll think, i'll wait, i'll tell,
            i'll let you, i'll pack, i've seen, i've read, i've heard, i've checked, i've looked, i checked,
            i looked, i tried, i noticed, i found, i guess, i think, i can, i could, i would, i'd, i see, i don't,
            i'm not, i'm afraid, happy to, glad, sounds, looks, seems, take your time, good morning, going by,
            judging, speaking, talking, thinking, seeing, joking""",
        "de": """ich schau, ich schaue, ich sehe, ich prüfe, ich finde, ich denke, ich glaube, ich weiß,
            ich vermute, ich frage, ich kann, ich könnte, ich würde, prüfe, schaue, verstehe, ich verstehe""",
        "fr": """je regarde, je vérifie, je vois, je pense, je crois, je peux, je pourrais, je sais, je comprends,
            je ne, j'ai regardé, j'ai vu, j'imagine""",
        "es": """lo miro, miro, reviso, lo reviso, lo estoy comprobando, lo estoy mirando, estoy mirando, lo
            estoy revisando, estoy comprobando, estoy revisando, lo compruebo, compruebo, voy a ver, voy a
            mirar, creo, entiendo, veo, puedo, supongo, recuerdo""",
        "pt": """vou ver, vou olhar, vou verificar, estou verificando, estou olhando, estou vendo, acho,
            entendo, vejo, posso, imagino, olho, verifico""",
        "it": """guardo, controllo, sto controllando, sto guardando, sto verificando, vedo, credo, penso, posso,
            capisco, ho guardato, ho visto, suppongo, verifico""",
        "nl": "ik kijk, ik zoek, ik zie, ik denk, ik weet, ik begrijp, ik kan, ik zou, begrijp ik",
        "pl": "sprawdzam, sprawdzę, patrzę, widzę, rozumiem, wiem, myślę, mogę, chętnie",
        "tr": "bakıyorum, inceliyorum, görüyorum, sanırım, anlıyorum",
        "ru": """смотрю, посмотрю, проверяю, проверю, вижу, думаю, знаю, понимаю, полагаю, представляю, читаю,
            считаю, могу""",
        "zh": "我看看, 我看一下, 看了, 看看, 看一下, 查一下, 查下, 排查, 正在查",
        "ja": "確認します, 調べます, 調査します",
        "ko": "확인하겠, 확인해, 살펴",
    },
    # What follows from what stands before it.
    "so": {
        "en": "so, therefore, hence",
        "de": "also, daher, deshalb, darum",
        "fr": "donc, du coup, alors",
        "es": "así que, por eso, entonces",
        "pt": "então, por isso, portanto",
        "it": "quindi, perciò, allora",
        "nl": "dus, daarom",
        "pl": "więc, dlatego",
        "tr": "o yüzden, bu yüzden",
        "ru": "поэтому, так что, значит",
        "zh": "所以, 因此",
        "ja": "ので, だから",
        "ko": "그러니까, 니까, 그래서",
    },
    # Somebody does not know yet.
    "doubts": {
        "en": """dunno, i don't know, don't know yet, not sure, not sure yet, no idea yet, sleep on it,
            let me think, need to think, have to think, who knows, torn, no clue, no clue yet, no idea, undecided,
            on the fence, can't decide, haven't decided, ask me again, ask me later, leave it open, leave that open,
            leaving it open, still open, to be decided, tbd, decide later, decide that later, decide it later,
            we'll see, for another day""",
        "de": """keine ahnung, weiß nicht, weiß noch nicht, bin unsicher, mal drüber schlafen, schlaf drüber, eine nacht
            drüber, muss ich überlegen, noch offen, offen lassen, lass das offen, lass es offen, mal sehen, mal schauen,
            entscheiden wir später, entscheide ich später""",
        "fr": """je sais pas, je ne sais pas, j'hésite, faut que je réfléchisse, aucune idée, on verra, à voir,
            reste ouvert, laisse ouvert, on décidera, on décide plus tard""",
        "es": """no sé, no estoy seguro, no estoy segura, ni idea, tengo que pensarlo, lo consulto con la
            almohada, ya veremos, déjalo abierto, queda abierto, lo decidimos después, lo decidimos luego, lo
            decidiremos""",
        "pt": """não sei, sei lá, preciso pensar, não tenho certeza, deixa em aberto, deixe em aberto, em aberto,
            decidimos depois, a gente decide depois, depois a gente vê""",
        "it": """non so, boh, devo pensarci, non sono sicuro, non sono sicura, ci dormo su, ci dormo sopra, vedremo,
            lascia aperto, resta aperto, decidiamo dopo, decideremo, poi vediamo""",
        "nl": """weet ik niet, weet het niet, geen idee, moet ik over nadenken, nog open, nog even open, open laten,
            beslissen we later, zien we later, we zien wel""",
        "pl": """nie wiem, nie jestem pewien, nie jestem pewna, muszę pomyśleć, zostaw otwarte, zobaczymy,
            zdecydujemy później, zdecyduję później, jeszcze się zastanowię""",
        "tr": """bilmiyorum, emin değilim, düşünmem lazım, açık kalsın, sonra karar, bakarız, karar vermedim,
            karar vermedik""",
        "ru": """не знаю, не уверен, не уверена, надо подумать, хз, оставь открытым, решим позже, потом решим,
            решим потом, там видно будет, пока открыт*""",
        "zh": "不知道, 不确定, 再想想, 说不好, 以后再说, 回头再定, 先不定, 到时候再",
        "ja": "分からない, わからない, 迷って, 悩み, 迷い, 保留に, 保留で, 後で決め, あとで決め",
        "ko": "모르겠, 글쎄, 고민, 나중에 정, 나중에 결정, 보류",
    },
    # What follows was so elsewhere or long ago.
    "remembers": {
        "en": """i remember, now i remember, remember when, at my old job, at my last job, in my last job, in my
            old team, at my previous job, at my old company, at university, when i worked, back when, at work
            we, at work i, in my day job, at my day job, at our company we, at my company, where i work, at the
            office we, at school we, in another project, in my other project, in our other project, at my old,
            at my previous, at my former, at my last, in my old, in my previous, in my former, in my last""",
        "de": """jetzt erinnere ich mich, ich erinnere mich, bei meinem alten job, in meiner alten firma, als
            ich noch, auf der arbeit, bei der arbeit, in der arbeit, in meiner firma, bei uns in der firma, in
            einem anderen projekt, im anderen projekt, bei meinem alten, bei meinem früheren, bei meinem
            letzten, bei meinem vorigen, in meinem alten, in meinem letzten, in meiner früheren, in meiner
            letzten""",
        "fr": """je me souviens, ça me revient, dans mon ancienne boîte, dans mon ancien boulot, quand je bossais, au
            boulot, au travail, dans ma boîte, dans un autre projet, dans mon ancien, dans mon ancienne, chez mon
            ancien, dans mon précédent""",
        "es": """ya me acuerdo, me acuerdo, recuerdo que, en mi antiguo trabajo, en mi anterior empresa, cuando
            trabajaba, en el trabajo, en mi trabajo, en mi empresa, en otro proyecto, en mi antiguo, en mi
            antigua, en mi anterior""",
        "pt": """lembrei, agora lembrei, lembro que, no meu emprego antigo, na empresa antiga, quando eu trabalhava, no
            trabalho, no meu trabalho, na minha empresa, em outro projeto, no meu antigo, na minha antiga, no meu
            emprego anterior, na empresa anterior""",
        "it": """mi ricordo, ora ricordo, nel mio vecchio lavoro, quando lavoravo, al lavoro, nella mia azienda, in un
            altro progetto, nel mio vecchio, nella mia vecchia, nel mio precedente""",
        "nl": """ik herinner me, nu weet ik het weer, bij mijn vorige baan, toen ik nog, op mijn werk, op het
            werk, in een ander project, bij mijn oude, bij mijn vorige, in mijn vorige""",
        "pl": """przypomniało mi się, pamiętam, w poprzedniej pracy, kiedy pracowałem, w pracy, w mojej firmie, w innym
            projekcie, w mojej poprzedniej, w moim poprzednim, w mojej starej""",
        "tr": """hatırladım, hatırlıyorum, eski işimde, eski şirketimde, işyerinde, iş yerinde, bizim şirkette, eski
            şirketimizde, önceki işimde""",
        "ru": """вспомнил, вспомнила, помню, на прошлой работе, на старой работе, на работе, у нас в компании, в другом
            проекте, на моей прошлой, в моей прошлой, на предыдущей работе""",
        "zh": "我想起来了, 想起来了, 我以前的公司, 上家公司, 我们公司, 在公司",
        "ja": "思い出した, 思い出しました, 前の会社, 前職, うちの会社, 会社では",
        "ko": "생각났, 기억나, 전 직장, 예전 회사, 회사에서",
    },
    # So a message opens that means the opposite of what it says.
    "mocks": {
        "en": """oh brilliant, oh great, oh wonderful, oh fantastic, oh lovely, oh joy, oh marvellous, just great,
            just brilliant, just wonderful, just perfect, just what i needed, just what we needed, how wonderful,
            how lovely, well isn't that, yeah right, oh sure, sure why not, because why not,
            bravo, slow clap, what could go wrong, what could possibly go wrong""",
        "de": """na toll, na super, na klasse, na bravo, na prima, na wunderbar, na herrlich, ganz toll, ja
            klar, ja sicher, bravo, herrlich, wie schön""",
        "fr": "bravo, ah bravo, ah super, ah génial, ben voyons, mais bien sûr, youpi, formidable, ah ben super",
        "es": "qué maravilla, qué bonito, maravilloso, estupendo, bravo, sí hombre, cómo no, olé",
        "pt": "que maravilha, que beleza, que lindo, ah claro, bravo, maravilha",
        "it": "ma che bello, ah bravo, bravi, ah ottimo, ma certo, sì come no, evviva, che meraviglia",
        "nl": "nou fijn, nou lekker, lekker dan, ja hoor, nou geweldig, bravo, nou mooi",
        "pl": "no świetnie, no pięknie, no super, brawo, no brawo, no to pięknie, cudownie",
        "tr": "aferin, bravo, ne güzel, harika ya, helal",
        "ru": """ну отлично, ну супер, ну здорово, ну конечно, ага конечно, браво, ну прекрасно, ну замечательно,
            вот молодцы""",
        "zh": "可真行, 真行, 太棒了呢, 呵呵",
        "ja": "すごいですねえ, さすがですねえ, へえすごい",
        "ko": "퍽이나, 참 잘, 잘도, 아주 훌륭",
    },
    # So an agent answers as one human does another, about what it has nothing to do with: with a joke, a wish, comfort.
    "feels with": {
        "en": """congratulations, congrats, sorry to hear, i'm sorry to hear, so sorry, oh no, get well, good
            luck, fingers crossed, have fun, have a great, have a nice, have a good, safe travels, safe trip,
            bon voyage, bon appétit, sounds fun, sounds lovely, sounds like fun, how nice, how lovely,
            frustrating, annoying, i can imagine, i feel you, i know the feeling, happens to everyone, happens
            to the best, it happens, tempting, ha, haha, heh, if only, touché, bold, let's hope, poor, enjoy,
            good night, sleep well, see you, bye, take care, hope you, i hope you, hope you're, i'll hold you,
            i'll believe it, famous last words, don't jinx, knock on wood, challenge accepted""",
        "de": """glückwunsch, herzlichen glückwunsch, gratuliere, viel spaß, gute besserung, viel erfolg, viel glück, oh
            nein, guten appetit, schönen urlaub, gute reise, verständlich, passiert, kopf hoch, das tut mir leid,
            verlockend, haha, hoffentlich, ärgerlich, wie schön, gute nacht, bis morgen, schönes wochenende, schönen
            feierabend, ich hoffe, hoffe""",
        "fr": """félicitations, bon courage, bon appétit, bonnes vacances, bon voyage, bonne chance, désolé de,
            désolée de, profite, tentant, si seulement, ça arrive, haha, espérons, quelle bonne nouvelle, bonne
            nuit, à demain, bon week-end, bonne soirée, j'espère""",
        "es": """felicidades, enhorabuena, que lo disfrutes, buen provecho, buen viaje, mucha suerte, qué pena, ánimo,
            tentador, ojalá, pasa, jaja, le pasa, felices vacaciones, que aproveche, buenas noches, hasta mañana, buen
            finde, mucho ánimo, espero que""",
        "pt": """parabéns, boa sorte, sinto muito, boa viagem, bom apetite, boas férias, que pena, tentador, quem dera,
            acontece, haha, aproveita, tomara, boa noite, até amanhã, bom fim de semana, espero que""",
        "it": """congratulazioni, auguri, complimenti, buon viaggio, buon appetito, buone vacanze, mi dispiace,
            in bocca al lupo, allettante, magari, capita, haha, speriamo, che bello, buonanotte, a domani, buon
            weekend, spero che""",
        "nl": """gefeliciteerd, veel plezier, veel succes, beterschap, goede reis, eet smakelijk, wat jammer, vervelend,
            sterkte, verleidelijk, haha, hopelijk, was het maar, welterusten, tot morgen, fijn weekend, hopelijk, ik
            hoop""",
        "pl": """gratulacje, powodzenia, przykro mi, miłego, smacznego, współczuję, zdarza się, szczęśliwej,
            kuszące, haha, oby, udanego, dobranoc, do jutra, mam nadzieję""",
        "tr": """tebrikler, geçmiş olsun, iyi şanslar, kolay gelsin, iyi tatiller, afiyet olsun, iyi eğlenceler,
            üzüldüm, cazip, haha, umarım, hayırlı olsun, iyi geceler, yarın görüşürüz, iyi hafta sonları""",
        "ru": """поздравляю, удачи, сочувствую, мне жаль, приятного, хорошего, счастливого, выздоравливай*, бывает,
            заманчиво, ха-ха, хаха, если бы, надеюсь, спокойной ночи, до завтра, хороших выходных, надеюсь""",
        "zh": "恭喜, 祝你, 祝您, 加油, 辛苦了, 别灰心, 好运, 哈哈, 晚安, 明天见, 希望你",
        "ja": "おめでとう, お大事に, 楽しんで, お疲れ様, 残念です, 頑張って, いってらっしゃい, おやすみ, また明日",
        "ko": "축하, 힘내, 재미있게, 즐거운, 다녀오세요, 안타깝, ㅎㅎ, ㅋㅋ, 안녕히, 내일 봐, 내일 뵙, 바랍니다",
    },
    # Home and family: what is settled about it is nothing of the work.
    "private": {
        "en": """my wife, my husband, my girlfriend, my boyfriend, my partner, my kids, the kids, our kids, my
            mom, my mum, my dad, my mother, my father, my parents, my sister, my brother, my daughter, my son,
            our flat, our apartment, our house, my flat, my car, our car, my dog, our dog, my cat, our cat, for
            lunch, for dinner, for breakfast, for the summer, on holiday, on vacation, our holiday, our
            holidays, our vacation, the wedding, our wedding, my birthday, coffee, a beer, pizza, the gym""",
        "de": """meine frau, mein mann, meine freundin, mein freund, die kinder, unsere kinder, meine eltern, mein sohn,
            meine tochter, unsere wohnung, unser haus, mein auto, unser auto, der hund, die katze, zum mittagessen,
            zum abendessen, zum essen, im urlaub, in den urlaub, unser urlaub, die hochzeit, kaffee, ein bier, pizza""",
        "fr": """ma femme, mon mari, ma copine, mon copain, les enfants, mes parents, mon fils, ma fille, notre appart*,
            notre maison, ma voiture, le chien, le chat, à midi, pour le dîner, pour le déjeuner, en vacances, les
            vacances, le mariage, un café, une bière, une pizza""",
        "es": """mi mujer, mi marido, mi novia, mi novio, los niños, los críos, mis padres, mi hijo, mi hija,
            nuestra casa, nuestro piso, mi coche, el perro, el gato, para comer, para cenar, de vacaciones, las
            vacaciones, la boda, un café, una cerveza, al gimnasio""",
        "pt": """minha esposa, minha mulher, meu marido, minha namorada, meu namorado, as crianças, meus pais,
            meu filho, minha filha, nossa casa, nosso apartamento, meu carro, o cachorro, o gato, no almoço, no
            jantar, de férias, as férias, o casamento, um café, uma cerveja, na academia""",
        "it": """mia moglie, mio marito, la mia ragazza, il mio ragazzo, i bambini, i miei genitori, mio figlio, mia
            figlia, la nostra casa, la mia macchina, il cane, il gatto, a pranzo, a cena, in vacanza, le vacanze, il
            matrimonio, un caffè, una birra, la pizza, in palestra""",
        "nl": """mijn vrouw, mijn man, mijn vriendin, mijn vriend, de kinderen, mijn ouders, mijn zoon, mijn
            dochter, ons huis, mijn auto, de hond, de kat, op vakantie, de vakantie, de bruiloft, koffie, een
            biertje""",
        "pl": """moja żona, mój mąż, moja dziewczyna, mój chłopak, dzieciaki, rodzice, mój syn, moja córka, nasz
            dom, nasze mieszkanie, mój samochód, na obiad, na kolację, na wakacje, na urlop, wesele, ślub, kawę,
            piwo""",
        "tr": """eşim, karım, kocam, sevgilim, çocuklar, annem, babam, oğlum, kızım, evimiz, arabam, köpek,
            kedi, yemeğe, tatile, tatilde, düğün, kahve, çay, pizza""",
        "ru": """жена, женой, муж, мужем, девушка, парень, родители, сын, дочь, наша квартира, наш дом, собаку,
            кошку, на обед, на ужин, в отпуск, отпуск, свадьба, свадьбу, кофе, пиво, пиццу""",
        "zh": """我老婆, 我老公, 女朋友, 男朋友, 孩子们, 我爸, 我妈, 我儿子, 我女儿, 午饭, 晚饭, 度假, 婚礼, 咖啡,
            火锅, 奶茶""",
        "ja": "妻, 夫, 彼女, 彼氏, 子供, 両親, 息子, 娘, 昼ご飯, 晩ご飯, 夕飯, 旅行, 結婚式, コーヒー, ラーメン",
        "ko": "아내, 남편, 여자친구, 남자친구, 아이들, 부모님, 아들, 딸, 점심, 저녁, 휴가, 여행, 결혼식, 커피, 치킨",
    },
    # So somebody says that he does not think or know: no order, though some of it is spelled like one.
    "demurs": {
        "en": """don't think so, don't think it, don't think that, don't think we, don't think this, don't think there,
            don't know, don't remember, don't recall, don't care, don't get it, don't get me, don't get why, don't get
            how, don't see why, don't see how, don't see the, don't see a, don't see any, don't understand, don't
            mind, don't believe, don't worry, don't mention it, don't ask me, don't tell me, don't even get, don't
            even know, don't feel, don't quote me, don't have, don't suppose, don't blame, i don't think""",
        "de": """glaub nicht, glaube nicht, ich glaube nicht, ich glaub nicht, nicht dass ich wüsste, weiß nicht, keine
            ahnung, eher nicht""",
        "fr": """je ne crois pas, je crois pas, je ne pense pas, je pense pas, ne sais pas, ne crois pas, ne t'inquiète
            pas, ne vous inquiétez pas""",
        "es": """no creo, no lo creo, no sé, no me acuerdo, no recuerdo, no te preocupes, no pasa nada, no entiendo""",
        "pt": """não acho, não creio, acho que não, não sei, não lembro, não se preocupe, não entendo, não faço
            ideia, não tenho, não é""",
        "it": """non credo, non penso, non so, non ricordo, non ti preoccupare, non preoccuparti, non capisco""",
        "nl": "denk het niet, ik denk het niet, denk van niet, weet niet, geen idee",
        "pl": """nie sądzę, nie wydaje mi się, nie wiem, nie pamiętam, nie martw się, nie rozumiem, chyba nie""",
        "tr": "sanmıyorum, sanmam, bilmiyorum, hatırlamıyorum, merak etme",
        "ru": "не думаю, не знаю, не помню, не уверен, не уверена, не переживай, не понимаю, вряд ли",
        "zh": "不觉得, 不知道, 不记得, 应该不, 没事, 别担心",
        "ja": "そうは思わ, 思いません, 知りません, 覚えて, 心配し",
        "ko": "아닌 것 같, 모르겠, 기억이, 걱정 마, 걱정하지",
    },
    # What somebody has, and what there is: it tells of the surroundings.
    "has": {
        "en": "we have, we've got, we got, i have, i've got, there are, there is, there's, our setup is, my setup is",
        "de": "wir haben, ich habe, ich hab, wir hätten, bei uns, es gibt, unser team ist",
        "fr": "nous avons, j'ai, il y a, chez nous, y a",
        "es": "tenemos, tengo, hay, contamos con, somos",
        "pt": "temos, tenho, há, a gente tem, somos",
        "it": "abbiamo, ho, c'è, ci sono, da noi, siamo",
        "nl": "we hebben, wij hebben, ik heb, er zijn, er is, bij ons",
        "pl": "mamy, mam, u nas, jest, są",
        "tr": "bizde, elimizde, bende",
        "ru": "у нас, у меня, есть, имеется, имеются",
        "zh": "我们有, 我有, 这里有",
        "ja": "うちには, 手元には",
        "ko": "우리는 지금, 저희는 지금",
    },
    # What others settled, where the verb alone says who.
    "they settled": {
        "en": """they decided, they've decided, they chose, they agreed, they settled, they went with, they're
            going with""",
        "de": """sie haben entschieden, die haben entschieden, haben entschieden, haben beschlossen, haben sich
            entschieden""",
        "fr": "ils ont décidé, elles ont décidé, ont décidé, ont choisi, ont opté",
        "es": "decidieron, han decidido, eligieron, han elegido, acordaron, optaron, van a usar, se pasaron",
        "pt": "decidiram, resolveram, escolheram, optaram, vão usar, combinaram",
        "it": "hanno deciso, hanno scelto, hanno optato, useranno, sono passati",
        "nl": "ze hebben besloten, hebben besloten, hebben gekozen, kozen",
        "pl": "zdecydowali, postanowili, wybrali, uznali, ustalili, przeszli",
        "tr": "karar vermişler, karar verdiler, seçmişler, seçtiler, geçmişler",
        "ru": "они решили, они выбрали, они перешли, они договорились",
        "zh": "他们决定, 他们选, 对方决定",
        "ja": "彼らは決, 先方は, 先方が",
        "ko": "기로 했대, 기로 했다고, 했답니다",
    },
    # Long ago, wherever it stands.
    "long ago": {
        "en": """years ago, ages ago, before my time, back then, back in the day, last year, last summer, at the time,
            historically, months ago, always been, always was, we had decided, we had settled, we had agreed, we had
            chosen, we'd settled, we'd agreed""",
        "de": """vor jahren, damals, letztes jahr, im letzten jahr, voriges jahr, vor meiner zeit, letzten sommer, war
            schon immer, schon immer so, hatten wir beschlossen, hatten wir entschieden, hatten wir uns entschieden,
            hatten beschlossen""",
        "fr": """à l'époque, il y a des années, l'an dernier, l'année dernière, il y a longtemps, l'été dernier,
            a toujours été, on avait décidé, nous avions décidé, on avait choisi""",
        "es": """en aquella época, hace años, el año pasado, en su día, hace tiempo, el verano pasado, siempre ha sido,
            siempre fue, habíamos decidido, habíamos elegido""",
        "pt": """na época, anos atrás, ano passado, há anos, faz anos, tempos atrás, sempre foi, tínhamos
            decidido, a gente tinha decidido""",
        "it": """anni fa, all'epoca, l'anno scorso, tempo fa, l'estate scorsa, è sempre stato, è sempre stata, avevamo
            deciso, avevamo scelto""",
        "nl": """jaren geleden, destijds, vorig jaar, afgelopen jaar, lang geleden, altijd al, hadden we besloten, we
            hadden besloten""",
        "pl": "lata temu, wtedy, w zeszłym roku, rok temu, dawno temu, zawsze tak było",
        "tr": "yıllar önce, o zamanlar, geçen yıl, geçen sene, hep böyleydi",
        "ru": """в то время, много лет назад, в прошлом году, год назад, когда-то давно, прошлым летом, всегда так было,
            всегда было""",
        "zh": "当年, 当时, 去年, 多年前, 很久以前, 一直是这样",
        "ja": "当時, 去年, 昨年, 何年も前, 昔, 昔から",
        "ko": "그때는, 예전에, 작년에, 몇 년 전, 옛날에, 원래 그랬",
    },
    # So somebody heads a rule, behind which a colon stands.
    "rule head": {
        "en": """rule, rules, a rule, one rule, two rules, three rules, a few rules, some rules, the rule, the
            rules, our rule, my rule, new rule, another rule, one more rule, ground rule, ground rules, house
            rule, house rules, hard rule, general rule, simple rule, a simple rule, standing rule, standing
            order, a constraint, one constraint, hard constraint, a requirement, one requirement, a convention,
            our convention, a policy, our policy, new policy, policy, principle, style rule, naming rule, decision, the
            decision, my decision, our decision, the verdict, style note, a style note, non-negotiable,
            non-negotiables""",
        "de": """regel, regeln, eine regel, die regel, neue regel, noch eine regel, grundregel, hausregel, zwei
            regeln, ein paar regeln, vorgabe, eine vorgabe, grundsatz, ein grundsatz, unsere regel, meine regel,
            konvention, eine konvention, bedingung, eine bedingung, anforderung, eine anforderung, die
            entscheidung""",
        "fr": """règle, règles, une règle, la règle, nouvelle règle, encore une règle, deux règles, quelques règles,
            consigne, une consigne, contrainte, une contrainte, principe, un principe, convention, une convention,
            notre règle, ma règle, exigence, une exigence, la décision""",
        "es": """regla, reglas, una regla, la regla, nueva regla, otra regla, dos reglas, unas reglas, norma, una norma,
            restricción, una restricción, principio, un principio, convención, una convención, nuestra regla, mi
            regla, requisito, un requisito, condición, una condición, la decisión""",
        "pt": """regra, regras, uma regra, a regra, nova regra, outra regra, mais uma regra, duas regras,
            algumas regras, norma, uma norma, restrição, uma restrição, princípio, um princípio, convenção, uma
            convenção, nossa regra, minha regra, requisito, um requisito, a decisão""",
        "it": """regola, regole, una regola, la regola, nuova regola, un'altra regola, due regole, alcune regole, norma,
            una norma, vincolo, un vincolo, principio, un principio, convenzione, una convenzione, la nostra regola,
            la mia regola, requisito, un requisito, la decisione""",
        "nl": """regel, regels, een regel, de regel, nieuwe regel, nog een regel, twee regels, een paar regels,
            afspraak, een afspraak, voorwaarde, een voorwaarde, principe, een principe, conventie, onze regel,
            mijn regel, eis, een eis, de beslissing""",
        "pl": """zasada, zasady, jedna zasada, nowa zasada, jeszcze jedna zasada, dwie zasady, kilka zasad,
            reguła, reguły, wymóg, wymaganie, jedno wymaganie, konwencja, nasza zasada, moja zasada,
            ograniczenie, decyzja""",
        "tr": """kural, kurallar, bir kural, yeni kural, bir kural daha, iki kural, birkaç kural, kısıt, bir
            kısıt, ilke, bir ilke, kuralımız, kuralım, şart, bir şart, karar""",
        "ru": """правило, правила, одно правило, новое правило, ещё одно правило, еще одно правило, два правила, пара
            правил, требование, одно требование, ограничение, принцип, договорённость, наше правило, моё правило,
            условие, одно условие, решение""",
        "zh": "规则, 一条规则, 新规则, 规矩, 一条规矩, 要求, 一个要求, 原则, 约定, 限制",
        "ja": "ルール, 新しいルール, 決まり, 約束事, 原則, 条件, 要件, 方針",
        "ko": "규칙, 새 규칙, 원칙, 조건, 요구사항, 제약",
    },
    # So somebody heads what he goes on to say, whatever it is; a colon stands behind it.
    "heads": {
        "en": """heads up, heads-up, note, please note, important, fyi, two things, three things, a few things,
            a couple of things, some things, one thing, another thing, a thing, some notes, a note, a few notes,
            context, some context, background, some background, a reminder, reminder, for the record, a request,
            one request, my wish, a wish, small thing, before you touch, before anything else, first of all,
            quick note, last thing, one last thing, and one more, also""",
        "de": """zwei dinge, zwei sachen, drei dinge, ein paar dinge, ein paar sachen, eine sache, noch eine sache, noch
            was, eine bitte, hinweis, ein hinweis, kontext, zum hintergrund, hintergrund, vorab, zur erinnerung,
            vorweg""",
        "fr": """deux choses, trois choses, quelques choses, une chose, autre chose, encore une chose, une remarque,
            contexte, pour info, un rappel, rappel, une demande, avant tout, au préalable""",
        "es": """dos cosas, tres cosas, unas cosas, un par de cosas, una cosa, otra cosa, una nota, contexto,
            recordatorio, un recordatorio, una petición, antes de nada, para que conste""",
        "pt": """duas coisas, três coisas, umas coisas, uma coisa, outra coisa, mais uma coisa, uma nota, contexto,
            lembrete, um pedido, antes de tudo, só pra constar""",
        "it": """due cose, tre cose, un paio di cose, una cosa, un'altra cosa, una nota, contesto, promemoria, una
            richiesta, prima di tutto, premessa""",
        "nl": """twee dingen, drie dingen, een paar dingen, één ding, nog iets, een opmerking, context, achtergrond, een
            verzoek, vooraf, ter herinnering""",
        "pl": """dwie rzeczy, trzy rzeczy, parę rzeczy, kilka rzeczy, jedna rzecz, jeszcze jedno, uwaga,
            kontekst, prośba, jedna prośba, przypomnienie, na początek""",
        "tr": """iki şey, üç şey, birkaç şey, bir şey, bir şey daha, bir not, bağlam, hatırlatma, bir ricam, önce,
            öncelikle""",
        "ru": """две вещи, три вещи, пара вещей, пара моментов, два момента, одна вещь, ещё одно, еще одно, заметка,
            контекст, напоминание, просьба, одна просьба, для начала, прежде всего, и ещё, и еще, ещё, еще""",
        "zh": "两件事, 两点, 三点, 几点, 一件事, 还有一点, 背景, 说明一下, 提醒, 先说",
        "ja": "二つ, 2点, 三点, 一点, もう一つ, 背景, 前提, お願い, 補足",
        "ko": "두 가지, 세 가지, 몇 가지, 한 가지, 하나 더, 배경, 참고, 부탁, 먼저",
    },
    # Somebody wants none of it, or nothing else.
    "wants none": {
        "en": """i want no, i want zero, i want nothing, we want no, we want zero, i only want, we only want, i
            don't want any, we don't want any, i do not want any, i want only, we want only, i never want to
            see, i don't want to see, i'd like no, i need no""",
        "de": """ich will kein*, ich möchte kein*, wir wollen kein*, ich will nur, ich möchte nur, ich will nie,
            ich möchte nie, ich will nirgends, will ich nicht sehen, bitte kein*""",
        "fr": """je ne veux pas de, je veux pas de, je ne veux pas voir, je veux pas voir, je ne veux aucun*, je ne veux
            que, on ne veut pas de, on veut pas de, je veux zéro, je veux uniquement, plus aucun, plus aucune""",
        "es": """no quiero ningún, no quiero ninguna, no quiero ver, no quiero nada de, no queremos ningún, no queremos
            ninguna, solo quiero, sólo quiero, quiero cero, quiero solo""",
        "pt": """não quero nenhum*, não quero ver, não quero nada de, não queremos nenhum*, só quero, quero
            zero, quero só, quero apenas""",
        "it": """non voglio nessun*, non voglio vedere, non vogliamo nessun*, voglio solo, voglio zero, non
            voglio alcun*, voglio soltanto""",
        "nl": "ik wil geen, wij willen geen, we willen geen, ik wil alleen, ik wil nergens, ik wil nooit",
        "pl": "nie chcę żadn*, nie chcemy żadn*, nie chcę widzieć, chcę tylko, chcę wyłącznie",
        "tr": "hiçbir yerde istemiyorum, sadece istiyorum, görmek istemiyorum",
        "ru": "не хочу никак*, не хотим никак*, не хочу видеть, хочу только, хочу чтобы никак*",
        "zh": "我不要任何, 我不想要任何, 我只要, 不要任何",
        "ja": "は一切不要, は要りません, はいりません, は見たくない",
        "ko": "는 원하지 않, 은 원하지 않, 는 필요 없, 은 필요 없",
    },
    # So somebody says that something is settled; what it is may stand in the next sentence.
    "announces": {
        "en": """i've settled, we've settled, i settled, we settled, i've decided, we've decided, i decided, we
            decided, i have decided, we have decided, i've made up my mind, we've made up our minds, i made up
            my mind, we made up our minds, i've made a decision, we've made a decision, we made a decision, i
            made a decision, decision made, i've chosen, we've chosen, i've picked, we've picked, i've made my
            choice, here's the plan, here is the plan, here's what we'll do, here's what we do, here's how we,
            this is how we, it's decided, it's settled, it's final, i've figured out, we've figured out, new
            plan""",
        "de": """ich habe mich entschieden, ich hab mich entschieden, wir haben uns entschieden, wir haben
            entschieden, ich habe entschieden, die entscheidung ist gefallen, entscheidung gefallen, die
            entscheidung steht, ich hab's, wir machen das so, wir machen es so, so machen wir das, so machen wir
            es, es steht fest""",
        "fr": """j'ai décidé, on a décidé, nous avons décidé, j'ai tranché, on a tranché, j'ai choisi, c'est décidé, la
            décision est prise, voilà le plan, voici le plan, voilà comment on, on fait comme ça""",
        "es": """he decidido, ya he decidido, hemos decidido, ya lo he decidido, lo tengo decidido, está
            decidido, ya está decidido, decisión tomada, este es el plan, el plan es este, lo hacemos así, lo
            haremos así, ya elegí, ya decidí""",
        "pt": """decidi, já decidi, decidimos, está decidido, tá decidido, decisão tomada, o plano é este, o
            plano é esse, vamos fazer assim, fica assim, então fica assim, já escolhi, resolvi""",
        "it": """ho deciso, abbiamo deciso, è deciso, decisione presa, ecco il piano, facciamo così, si fa così,
            ho scelto, abbiamo scelto""",
        "nl": """ik heb besloten, we hebben besloten, ik ben eruit, we zijn eruit, besloten, het besluit is gevallen, we
            doen het zo, dit is het plan, ik heb gekozen""",
        "pl": """zdecydowałem, zdecydowałam, zdecydowaliśmy, postanowiłem, postanowiłam, decyzja zapadła, postanowione,
            zrobimy tak, robimy tak, oto plan, plan jest taki, wybrałem, wybrałam""",
        "tr": """karar verdim, karar verdik, kararımı verdim, karar verildi, şöyle yapalım, şöyle yapıyoruz, plan şu""",
        "ru": """я решил, я решила, мы решили, решено, решение принято, сделаем так, делаем так, план такой, я
            определился, я определилась, определились""",
        "zh": "我决定了, 我们决定了, 决定了, 定了, 就这么定了, 我想好了, 方案是这样",
        "ja": "決めました, 決めた, 決定しました, 方針が決まりました, こうしましょう, こうします",
        "ko": "결정했습니다, 결정했어요, 정했습니다, 정했어요, 이렇게 합시다, 이렇게 하죠, 이렇게 할게요",
    },
    # So it is and so it shall stay, in every case: what else the sentence says is a rule.
    "stays so": {
        "en": """no exceptions, without exception, no exception, no ifs or buts, period, full stop, that's how i
            want it, that's how we want it, that's how i like it, that's the way i want it, that's the way we
            want it, it stays that way, stay that way, stay like that, stay like this, remain that way, keep it
            that way, keep it like that, set in stone, whatever happens, no matter what""",
        "de": """ausnahmslos, ohne ausnahme, keine ausnahme, keine ausnahmen, punkt aus, so soll es bleiben, das
            bleibt so, so bleibt es, bleibt das auch, egal was passiert, ohne wenn und aber""",
        "fr": """sans exception, aucune exception, point final, point barre, ça doit rester comme ça, ça reste
            comme ça, et ça le restera, quoi qu'il arrive""",
        "es": """sin excepción, sin excepciones, punto final, y punto, así se queda, que siga así, así debe
            seguir, pase lo que pase""",
        "pt": """sem exceção, sem exceções, ponto final, e ponto, assim fica, é assim que fica, que continue assim,
            aconteça o que acontecer""",
        "it": "senza eccezioni, nessuna eccezione, punto e basta, così resta, deve restare così, qualunque cosa accada",
        "nl": "zonder uitzondering, geen uitzonderingen, punt uit, zo blijft het, dat blijft zo, wat er ook gebeurt",
        "pl": "bez wyjątku, bez wyjątków, kropka, tak ma zostać, tak zostaje, niech tak zostanie, choćby nie wiem co",
        "tr": "istisnasız, istisna yok, nokta, böyle kalacak, böyle kalsın, öyle kalsın, ne olursa olsun",
        "ru": """без исключений, никаких исключений, и точка, так и останется, так и оставим, пусть так и
            остаётся, что бы ни случилось""",
        "zh": "没有例外, 无一例外, 不许例外, 就这样定, 保持这样, 无论如何",
        "ja": "例外なく, 例外なし, 例外はありません, このままにして, 何があっても",
        "ko": "예외 없이, 예외는 없, 이대로 유지, 무슨 일이 있어도",
    },
    # It was otherwise until now: whatever the sentence says of a thing, it says how that shall be.
    "from now on": {
        "en": "from now on, from here on, from here on out, going forward, henceforth, as of now",
        "de": "ab jetzt, ab sofort, künftig, in zukunft, von nun an, von jetzt an, fortan",
        "fr": "désormais, dorénavant, à partir de maintenant, à l'avenir",
        "es": "a partir de ahora, de ahora en adelante, de aquí en adelante, en adelante",
        "pt": """a partir de agora, daqui pra frente, daqui para frente, daqui em diante, de agora em diante,
            doravante""",
        "it": "d'ora in poi, d'ora in avanti, da adesso in poi",
        "nl": "vanaf nu, voortaan, in het vervolg",
        "pl": "od teraz, odtąd, na przyszłość",
        "tr": "bundan sonra, bundan böyle, şu andan itibaren",
        "ru": "отныне, впредь, с этого момента, теперь всегда",
        "zh": "以后都, 以后不, 以后只, 今后, 从现在起, 从今以后, 从今往后",
        "ja": "今後は, これからは, 以後は, 今後すべて",
        "ko": "앞으로, 이제부터, 지금부터",
    },
    # The same with a day: a fault has one, too.
    "from today on": {
        "en": "from today on, starting today, as of today",
        "de": "ab heute",
        "fr": "à partir d'aujourd'hui",
        "es": "a partir de hoy, desde ahora",
        "pt": "a partir de hoje",
        "it": "da oggi in poi",
        "nl": "vanaf vandaag",
        "pl": "od dziś, od dzisiaj",
        "tr": "bugünden itibaren",
        "ru": "с этого дня, с сегодняшнего дня",
        "zh": "从今天起",
        "ja": "今日から",
        "ko": "오늘부터",
    },
    # Of others, behind whose thing it stands.
    "theirs": {
        "en": "their, theirs",
        "de": "bei denen, bei ihnen, deren",
        "fr": "leur, leurs, chez eux",
        "es": "de ellos, de ellas, allí ellos",
        "pt": "deles, delas",
        "it": "da loro, il loro, la loro, i loro, le loro",
        "nl": "hun, bij hen",
        "pl": "u nich",
        "tr": "onların, onlarda",
        "ru": "у них, их",
        "zh": "他们的, 人家的, 对方的",
        "ja": "彼らの, 先方の, 向こうの",
        "ko": "그들의, 그쪽의, 저쪽",
    },
    # What stands before it is how it shall be.
    "is how": {
        "en": "that's how, that's the way, this is how, this is the way, that goes for, same goes for",
        "de": "so soll, so wird, so machen wir, so läuft, das gilt",
        "fr": "c'est comme ça, c'est ainsi, ça vaut, pareil pour",
        "es": "así es como, así se, así debe, eso vale",
        "pt": "é assim que, assim deve, isso vale",
        "it": "è così che, così si, così deve, vale per",
        "nl": "zo doen, zo moet, zo gaat, dat geldt",
        "pl": "tak ma, tak robimy, tak będzie, to dotyczy",
        "tr": "böyle olacak, böyle yapalım, böyle gitsin, bu geçerli",
        "ru": "так и будет, так должно, так и делаем, это касается",
        "zh": "就这样, 就这么, 都这样",
        "ja": "このように, この形で, そういう形で",
        "ko": "이렇게 갑, 이렇게 하, 이런 식으로",
    },
    # Here and now, beside what was elsewhere.
    "here": {
        "en": "here, now, this time, from now on, today, in this project, so let's",
        "de": "hier, jetzt, diesmal, ab jetzt, heute",
        "fr": "ici, maintenant, cette fois, désormais",
        "es": "aquí, ahora, esta vez",
        "pt": "aqui, agora, desta vez",
        "it": "qui, adesso, ora, stavolta",
        "nl": "hier, nu, deze keer",
        "pl": "tutaj, teraz, tym razem",
        "tr": "burada, şimdi, bu sefer",
        "ru": "здесь, теперь, сейчас, на этот раз",
        "zh": "这里, 现在, 这次",
        "ja": "ここ, 今回, 今",
        "ko": "여기, 이번, 지금",
    },
    "thanks": {
        "en": "thanks, thank you, thx, ty, cheers, tysm, much appreciated",
        "de": "danke, dankeschön, vielen dank",
        "fr": "merci",
        "es": "gracias",
        "pt": "obrigado, obrigada, valeu",
        "it": "grazie",
        "nl": "bedankt, dank je, dankjewel",
        "pl": "dzięki, dziękuję",
        "tr": "teşekkürler, sağ ol, teşekkür ederim",
        "ru": "спасибо, благодарю",
        "zh": "谢谢, 多谢",
        "ja": "ありがとう",
        "ko": "고마워, 감사합니다, 고맙습니다",
    },
    # So an agent answers thanks.
    "welcome": {
        "en": """gladly, you're welcome, you are welcome, you're very welcome, you're most welcome, glad,
            happy to, happy it, happy that, my pleasure, any time, anytime, no problem, good to hear,
            great to hear, nice to hear, enjoy, cheers""",
        "de": "gern, gerne, freut mich, bitte sehr, bitte schön, kein problem",
        "fr": "de rien, avec plaisir, je t'en prie, ravi, ravie, content",
        "es": "de nada, un placer, me alegr*",
        "pt": "por nada, disponha, que bom, fico feliz, de nada",
        "it": "prego, di niente, figurati, mi fa piacere",
        "nl": "graag gedaan, fijn, geen probleem",
        "pl": "proszę bardzo, nie ma za co, cieszę się",
        "tr": "rica ederim, ne demek, sevindim",
        "ru": "пожалуйста, рад, рада, не за что, обращайся",
        "zh": "不客气, 很高兴",
        "ja": "どういたしまして, よかった, 良かった",
        "ko": "천만에, 별말씀, 다행",
    },
    # What points at something that stands elsewhere.
    "it": {
        "en": "it, that, that'd, that's, this, them, em, those, these",
        "de": "es, das, den, die, ihn",
        "fr": "ça, cela, le, la, les",
        "es": "lo, la, eso",
        "pt": "isso, isto",
        "it": "lo, la, quello",
        "nl": "het, dat, die",
        "pl": "to, go, je",
        "tr": "bunu, onu, şunu",
        "ru": "его, её, это, их",
        "zh": "它, 这, 那",
        "ja": "それ, これ",
        "ko": "그거, 그걸, 이거",
    },
    # So somebody asks another to do something.
    "asks for": {
        "en": "can you, could you, would you, will you, can u, please, pls, have a look, take a look, look into",
        "de": "kannst du, könntest du, magst du, würdest du, bitte, schau, schau dir, sieh dir",
        "fr": "peux-tu, tu peux, pourrais-tu, tu pourrais, s'il te plaît, stp, regarde, jette un œil",
        "es": "puedes, podrías, me puedes, por favor, porfa, revisa, mira",
        "pt": "pode, podes, você pode, poderia, consegue, por favor, dá uma olhada, olha",
        "it": "puoi, potresti, per favore, per piacere, guarda, dai un'occhiata",
        "nl": "kun je, kan je, wil je, zou je, alsjeblieft, kijk",
        "pl": "możesz, mógłbyś, mogłabyś, proszę, zobacz, zerknij",
        "tr": "misin, mısın, müsün, musun, lütfen, bakar mısın",
        "ru": "можешь, мог бы, могла бы, пожалуйста, посмотри, почини, глянь",
        "zh": "请, 帮我, 麻烦, 能不能, 看一下, 看看",
        "ja": "ください, もらえますか, もらえますでしょうか, もらえる, いただけますか, お願い, くれますか",
        "ko": "주세요, 줄래, 주실, 줘, 부탁",
    },
    # What is asked for where something is wrong.
    "looks after": {
        "en": "look, look into, check, fix, see, why, find out, investigate, debug, sort out, help",
        "de": "schauen, schau, nachsehen, nachschauen, ansehen, anschauen, beheben, fixen, prüfen, warum, woran, liegt",
        "fr": "regarder, regarde, voir, corriger, réparer, vérifier, pourquoi",
        "es": "mirar, mira, ver, arreglar, arreglarlo, revisar, revisarlo, qué, por qué",
        "pt": "ver, olhar, arrumar, consertar, corrigir, verificar, por quê, por que, dar uma olhada",
        "it": "guardare, vedere, sistemare, controllare, correggere, perché",
        "nl": "kijken, nakijken, fixen, oplossen, waarom",
        "pl": "zobaczyć, sprawdzić, naprawić, poprawić, dlaczego",
        "tr": "bakar, bakabilir, düzeltir, düzeltebilir, neden",
        "ru": "посмотреть, проверить, починить, исправить, почему",
        "zh": "看看, 看一下, 修一下, 为什么, 查一下",
        "ja": "直して, 見て, 確認して, 調べて, 修正して",
        "ko": "봐, 고쳐, 확인해, 왜",
    },
    # It comes on top of what there is.
    "also": {
        "en": "also, as well, besides, additionally, in addition, both",
        "de": "auch, zusätzlich, außerdem",
        "fr": "aussi, également",
        "es": "también, además",
        "pt": "também, além",
        "it": "anche, inoltre",
        "nl": "ook, bovendien",
        "pl": "też, również",
        "tr": "ayrıca, da ekle",
        "ru": "тоже, также, ещё",
        "zh": "也, 还要, 另外",
        "ja": "及び",
        "ko": "도 추가, 도 같이",
    },
    # People who are neither of the two, named by what they are; and what is told that they did or do.
    "others": {
        "en": """team, folks, people, guys, department, squad, colleague, colleagues, competitors, competition,
            boss, friend, buddy""",
        "de": "team, abteilung, kollege, kollegin, kollegen, konkurrenz, chef, leute",
        "fr": "équipe, collègue, collègues, concurrence, concurrents, chef, gens",
        "es": "equipo, colega, colegas, competencia, jefe, gente",
        "pt": "equipe, time, pessoal, colega, colegas, concorrência, chefe",
        "it": "squadra, team, collega, colleghi, concorrenza, capo",
        "nl": "team, afdeling, collega, collega's, concurrentie, baas",
        "pl": "zespół, dział, kolega, koledzy, konkurencja, szef",
        "tr": "ekibi, takımı, arkadaş, rakipler, patron",
        "ru": "команда, отдел, коллега, коллеги, конкуренты, начальник, ребята",
        "zh": "隔壁, 别的组, 其他组, 别的团队, 他们, 对方, 竞争对手, 同事",
        "ja": "他のチーム, 隣のチーム, 先方, 彼らは, 同僚",
        "ko": "다른 팀, 옆 팀, 팀에서, 그쪽, 동료",
    },
    "did": {
        "en": """has, have, had, decided, chose, picked, went, use, uses, used, never, always, only, switched,
            moved, want, wants, made, did, do, dropped""",
        "de": "hat, haben, hatte, nutzt, nutzen, macht, machen, wird, will, wollen, nimmt, nehmen",
        "fr": "a, ont, avait, utilise, utilisent, veut, veulent, fait, font",
        "es": "ha, han, usa, usan, eligió, decidió, quiere, quieren, hace, hacen",
        "pt": "tem, usa, usam, só, resolveu, decidiu, escolheu, quer, querem, faz",
        "it": "ha, hanno, usa, usano, vuole, vogliono, fa, fanno",
        "nl": "heeft, hebben, gebruikt, gebruiken, wil, willen, koos",
        "pl": "wybrał, wybrali, zdecydował, zdecydowali, używa, używają, chce, chcą",
        "tr": "seçti, kullanıyor, karar verdi, istiyor",
        "ru": "выбрал, выбрала, выбрали, решил, решила, решили, использует, используют, перешла, перешли, хочет, хотят",
        "zh": "了, 用, 都, 决定",
        "ja": "している, しました, 使って",
        "ko": "했, 씁니다, 써요, 쓰고",
    },
}  # fmt: skip


def listed(words: str) -> list[str]:
    return [word for each in words.split(",") if (word := " ".join(each.split()))]


def said(*ideas: Idea) -> str:
    """A pattern for any word of these ideas."""
    spaced, unspaced = spelled(*ideas)
    return f"(?:(?<![\\w'])(?:{spaced})|{unspaced})" if unspaced else f"(?<![\\w'])(?:{spaced})"


def spelled(*ideas: Idea) -> tuple[str, str]:
    """The words of these ideas as two patterns: of languages that put spaces between words, and of those that do not.
    The longest come first, for a shorter one may be their beginning."""
    spaced: list[str] = []
    unspaced: list[str] = []
    for idea in ideas:
        for language, words in IDEAS[idea].items():
            (unspaced if language in _UNSPACED else spaced).extend(listed(words))
    return _either(spaced, r"(?!\w)"), _either(unspaced, "")


def words_for(*ideas: Idea) -> frozenset[str]:
    """The single words of these ideas, of languages that put spaces between words."""
    rows = (row for idea in ideas for language, row in IDEAS[idea].items() if language not in _UNSPACED)
    return frozenset(word for row in rows for each in listed(row) for word in each.split())


def words_by_language(*ideas: Idea) -> dict[Language, frozenset[str]]:
    """The same, apart: what is a pronoun in one language is a noun in another."""
    spaced = [language for language in IDEAS["function word"] if language not in _UNSPACED]
    return {
        language: frozenset(word for idea in ideas for word in listed(IDEAS[idea].get(language, "")))
        for language in spaced
    }


_FUNCTION_WORDS: Final = words_by_language("function word")


def languages_of(words: Sequence[str]) -> frozenset[Language]:
    """Those that a few words may be of: they have most common words of these. All, where they have none."""
    heard = {language: sum(word in known for word in words) for language, known in _FUNCTION_WORDS.items()}
    most = max(heard.values())
    return frozenset(language for language, count in heard.items() if count == most)


def _either(words: list[str], end: str) -> str:
    """The longest first; what a word must not go on with is said once: patterns of many words take long to compile."""
    made = sorted(dict.fromkeys(words), key=lambda word: (-len(word), word))
    # What ends in an apostrophe goes on in the next word, a stem in whatever ending it has.
    parts = [_spelled(word) for word in made if word.endswith(_OPEN_ENDS)]
    whole = "|".join([_spelled(word) for word in made if not word.endswith(_OPEN_ENDS)])
    return "|".join([*parts, f"(?:{whole}){end}"] if whole else parts)


def _spelled(word: str) -> str:
    escaped = re.escape(word.removesuffix("*")).replace("\\ ", " ")
    return escaped + r"\w*" if word.endswith("*") else escaped


# What may stand before what is said: so many words, with the marks behind them.
_LEAD_RE: Final = re.compile(rf"(?:{'|'.join(spelled('leads up'))})[\W_]{{1,4}}", re.IGNORECASE)
_MARKS_RE: Final = re.compile(r"[\W_]{0,6}")
_MOST_LEADS: Final = 4


# A sentence is asked for one form after the other.
@lru_cache(maxsize=512)
def _begins_in(text: str) -> tuple[int, ...]:
    """Where what is said may begin, the last place first: behind each word that may only lead up to it, or with it."""
    found = [0]
    at = _MARKS_RE.match(text)
    while at is not None and len(found) <= _MOST_LEADS + 1:
        found.append(at.end())
        at = _LEAD_RE.match(text, at.end())
    return tuple(sorted(set(found), reverse=True))


def led(form: re.Pattern[str], text: str) -> re.Match[str] | None:
    """What a text begins with, whether or not something leads up to it."""
    return next((found for at in _begins_in(text) if (found := form.match(text, at))), None)


def begin_of(text: str) -> int:
    """Where what is said begins, behind all that may lead up to it."""
    return _begins_in(text)[0]
