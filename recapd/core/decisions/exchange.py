"""What an exchange gives away by its course, where no call shows what came of it.

    it turns away:   the agent names a trouble, the human gives something up for another, the agent tells of the change
    it acknowledges: the agent says that something is done, noted or about to be
    it is thanked:   the agent answers thanks

Owns the words of these, in the languages people talk to agents in. Must not know decisions, nor scores.
"""

from __future__ import annotations

from itertools import islice
from typing import Final

from recapd.core import late_re as re
from recapd.core.decisions.words import Language, languages_of, led, spelled, words_by_language, words_for
from recapd.core.decisions.words import said as any_of
from recapd.core.decisions.working import goes_to_work
from recapd.core.text import UNSPACED_RE, spoken_words_in

# Who gives something up says so in a few words; a report of it, and a trouble, fill a line or two.
_MOST_SAID: Final = 160
_MOST_REPORTED: Final = 320
_MOST_BEFORE: Final = 500
_BEGINNING: Final = 120
# Words that cannot name a thing of their own beside a new choice.
_FEW_WORDS: Final = 5
_FEW_CHARS: Final = 12
_NAME_WORDS: Final = 2

_BACK, _BACK_UNSPACED = spelled("takes back")
_UP, _UP_UNSPACED = spelled("gives up")
_THEN_RE: Final = re.compile(rf"[\s,](?:{spelled('then')[0]})[\W_]*$", re.IGNORECASE)
_GIVES_UP_RE: Final = re.compile(
    rf"(?:{_BACK}|{_BACK_UNSPACED}|{_UP}|{_UP_UNSPACED})|[^?？]*[\s,](?:{spelled('then')[0]})[\W_]*$",
    re.IGNORECASE,
)
# So somebody says outright that something no longer holds, whatever was said of it.
_TAKES_BACK_RE: Final = re.compile(rf"(?:{_BACK}|{_BACK_UNSPACED})", re.IGNORECASE)
# What comes on top of what there is, or is only looked at.
_ADDS_RE: Final = re.compile(
    r"(?:(?:then|now|next|and|also|please|pls|dann|jetzt|noch|auch|alors|maintenant|entonces|ahora|então|"
    r"agora|allora|ora|тогда|теперь|ещё)[\W_]+){0,2}"
    r"(?:(?:can|could|will|would) (?:you|u) )?(?:please )?"
    r"(?:also|add|write|create|build|fix|implement|test|run|commit|push|deploy|show|explain|tell|check|look|"
    r"what|why|how|who|when|where|i'll|i will|i'm going to|let me|thanks|thank you|"
    r"füg\w*|ergänz\w*|schreib\w*|bau\w*|erstell\w*|zeig\w*|erklär\w*|danke|ajoute\w*|écris|crée\w*|montre|explique|"
    r"merci|añad\w*|agreg\w*|escrib\w*|crea\w*|muestra\w*|explica\w*|gracias|adicion\w*|acrescent\w*|escrev\w*|"
    r"cri[ea]\w*|"
    r"mostr\w*|obrigad\w*|aggiung\w*|scriv\w*|mostra\w*|spieg\w*|grazie|добав\w*|напиш\w*|созда\w*|покаж\w*|"
    r"объясн\w*|спасибо)(?!\w)"
    r"|[\W_]*(?:再?加|添加|写|创建|新建|再|谢谢|追加|作って|書いて|ありがと|추가|만들|고마)",
    re.IGNORECASE,
)
# Somebody tells what he said or did before.
_COMPLAINS_RE: Final = re.compile(
    r"\b(?:i|we) (?:already |just )?(?:gave|told|said|asked|did|had|was|were|saw|got|tried|ran|sent)\b", re.IGNORECASE
)
_REFERS_RE: Final = re.compile(any_of("it"), re.IGNORECASE)
# Where the next part of a message begins, and words that name something.
_PARTS_RE: Final = re.compile(r"[,;!…，；！。、]\s*|\.(?:\s+|$)|\s[-–—]+\s")
_NAME_RE: Final = re.compile(
    r"[a-zà-öø-ÿа-яё0-9][a-zà-öø-ÿа-яё0-9.+#-]*[a-zà-öø-ÿа-яё0-9+#]|[一-鿿]{2}|[゠-ヿ]{2,}|[가-힣]{2,}"
)
_NO_MORE_SO_RE: Final = re.compile(any_of("no more so"), re.IGNORECASE)
_COMMON: Final = frozenset(
    """the and for with you are not all just but from have has was will our your its der und ein eine mit für ist nicht
    les des une pour avec est pas los las una con para por que del com uma não per che non sono что для
    как это""".split()
)
# A part that says by itself what is to be done.
_DEED_RE: Final = re.compile(
    r"(?:please |let's |lets |bitte |por favor )?(?:use|keep|put|set|store|write|never|always|don'?t|only|"
    r"rename|move|replace|convert|change|switch|remove|delete|drop|show|hide|sort|limit|log|send|call|leave|allow|"
    r"disable|enable|"
    r"nimm|nutze?|verwende|behalte?|lösch\w*|änder\w*|setz\w*|utilise\w*|garde\w*|mets|supprime\w*|change\w*|"
    r"usa|pon|guarda|borra|cambia|mant[eé]n|coloca|põe|apaga|muda|mantenha|metti|tieni|togli|"
    r"используй\w*|поставь\w*|удали\w*|оставь\w*|поменяй\w*)(?!\w)",
    re.IGNORECASE,
)
# The last by how words are made that say that something was done over: "reordered", "umgebaut", "переписал".
_REDONE_RE: Final = re.compile(
    rf"{any_of('redone', 'swapped')}|\b(?:took \S+ out|turned \S+ (?:off|on|into))\b|"
    r"\bre(?!quir|lat|ceiv|turn|port|ject|quest|cord|leas|view|solv|fer|main|flect|triev|act|spon|ach|prod|peat|main|"
    r"gard|duc)[a-z]{4,16}(?:ed|ei|é)\b|\b(?:um|neu)ge[a-zäöüß]{2,16}t\b|\bпере[а-яё]{2,16}л[аи]?\b|"
    r"\bprze[a-ząćęłńóśźż]{2,16}ł[ae]m\b",
    re.IGNORECASE,
)
# One for another: what it was changed to needs no other word than its name.
_SWAPPED_RE: Final = re.compile(any_of("swapped"), re.IGNORECASE)
_NOW_RE: Final = re.compile(any_of("at present"), re.IGNORECASE)
_TROUBLE_RE: Final = re.compile(rf"{any_of('trouble')}|n['’]t\b", re.IGNORECASE)
_ACKNOWLEDGES_RE: Final = re.compile(
    r"[\W_]*(?:done|noted|ok(?:ay)?|sure|understood|got it|alright|will do|agreed|good (?:call|idea|choice|point)|"
    r"makes sense|fair|right|of course|added|set|i(?:'ll|'ve| will| have| just)?\b|it(?:'s| is)? now|changed|"
    r"from now on|great|perfect|fine|let me|let's|on it|yes|absolutely|then (?:i|we|it|the)|clear|my mistake|sorry|"
    r"erledigt|verstanden|gut|alles klar|mach\w* ich|ich|notiert|klar|in ordnung|"
    r"c'est (?:fait|noté)|noté|compris|d'accord|fait|entendu|je|j'ai|"
    r"hecho|listo|entendido|anotado|de acuerdo|vale|perfecto|claro|feito|pronto|entendi\w*|anotado|certo|combinado|"
    r"fatto|capito|va bene|d'accordo|ricevuto|готово|понял\w*|хорошо|сделал\w*|учту|ладно|принято|"
    r"好|明白|收到|已|了解|没问题|知道了|当然|可以|对|是的|我[来会将先已]|让我|现在|はい|承知|わかりました|"
    r"分かりました|了解|네|알겠|완료)(?!\w*['’]t\b)",
    re.IGNORECASE,
)
# A word that says that something is made so, in the past tense or as a participle. What one language ends a participle
# with is the end of any word in another.
_MADE_SO: Final[dict[Language, str]] = {
    "en": r"(?!need|feed|seed|speed|fail|indeed|suppos|miss|broken|expect|affect|relat|crash|fix|open|often|then|"
    "when|seen|"
    r"even|been)(?:[a-z]{2,24}ed|[a-z]{3,24}(?:tten|ken|wn)|done|set|built|gone|put|made|taken|noted|swapped|split|rewrote|went)",
    "de": r"(?:um|an|aus|ein|ab|zu|hinzu|auf|raus|weg)?ge\w{2,24}(?:t|en)|\w{3,24}iert|(?:er|ver|ent|be|über)\w{3,24}t|"
    "fertig",
    "fr": r"fait|(?:re)?mise?s?|prête?s?|\w{3,24}ée?s?",
    "es": r"\w{3,24}(?:ad|id)[oa]s?|(?:re|des)?hech[oa]s?|list[oa]s?|puest[oa]s?|\w{2,24}é",
    "pt": r"\w{3,24}(?:ad|id)[oa]s?|pront[oa]s?|(?:re|des)?feit[oa]s?|postas?|\w{2,24}ei",
    "it": r"(?:ri)?fatt[oaie]|mess[oaie]|\w{3,24}(?:at|it|ut)[oaie]",
    "nl": r"(?:over|om|aan|uit|in|op|af|toe|bij|terug)?ge\w{2,24}(?:t|en|d)|klaar|bijgewerkt|(?:ver|be|"
    r"her)\w{3,24}[td]",
    "pl": r"gotowe|\w{3,24}(?:one|ony|ono|łem|łam)",
    "tr": r"\w{3,24}(?:ıldı|ildi|uldu|üldü|ndı|ndi|dım|dim|dum|düm|tım|tim)",
    "ru": r"готово|\w{3,24}(?:ил|ал|ел|нул|ен[оаы]?|ан[оаы]?)[аи]?",
}
_MADE_SO_RES: Final = {language: re.compile(form, re.IGNORECASE) for language, form in _MADE_SO.items()}
_SAYS_SO_RE: Final = re.compile(
    r"[\W_]*(?:on it|will do|已|.{0,12}(?:好了|完成|了[。！!]?$))|"
    r".{0,60}(?:ました|しました|했습니다|됐습니다|었습니다|뒀습니다|겼습니다|꿨습니다)",
    re.IGNORECASE,
)
_EXCHANGES_RE: Final = re.compile(any_of("exchanges"), re.IGNORECASE)
_NOT_RE: Final = re.compile(rf"(?:{spelled('not')[0]})", re.IGNORECASE)
_LEAVES_RE: Final = re.compile(any_of("leaves"), re.IGNORECASE)
_MENDED_RE: Final = re.compile(any_of("mended"), re.IGNORECASE)
# How something was, by a word or by how words are made that say so.
_WAS: Final = words_by_language("was")
_WAS_UNSPACED_RE: Final = re.compile(spelled("was")[1])
# As many letters stand before the endings at least: "lait" and "fava" are other words.
_WERE: Final[dict[Language, tuple[int, tuple[str, ...]]]] = {
    "fr": (3, ("ait", "aient")),
    "es": (2, ("aba", "aban")),
    "pt": (2, ("ava", "avam")),
    "it": (2, ("ava", "avano", "eva", "evano", "iva", "ivano")),
    "tr": (2, ("yordu", "mıştı", "mişti", "muştu", "müştü", "lardı", "lardi", "lerdı", "lerdi")),
}
_SENTENCE_RE: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_WORD_RE: Final = re.compile(r"[^\W_][\w'’-]*")
# It is said within the first words.
_FIRST_WORDS: Final = 4
# It looks for the cause of what was reported.
_LOOKS_INTO_RE: Final = re.compile(
    rf"(?:{spelled('looks into')[0]})|.{{0,20}}(?:{spelled('looks into')[1]})", re.IGNORECASE
)
# Something is wrong, is disliked or does not do.
_WRONG_RE: Final = re.compile(
    r"\b(?:errors?|fail\w*|crash\w*|broken?|breaks?|wrong|slow\w*|hates?|complain\w*|\w+n['’]t|(?:do|does|did|is|are|was|wo|ca|would|could|should)nt|cannot|still|stuck|"
    r"missing|"
    r"blank|empty|lost|died|dead|full|(?:is|are|was|went|goes|been|prod) down|weird|ugly|"
    r"annoying|flicker\w*|janky|lag\w*|too (?:much|many|slow|big|"
    r"small|long|late)|"
    r"nobody|mad|stale|bug|issue|problem|keeps|randomly|suddenly|[45]0\d|since (?:the|this|last|yesterday|today)|"
    r"depuis (?:hier|ce matin|lundi|que|quelques|la mise|le déploiement)|seit|sinds|desde (?:ayer|hoy|ontem|hoje)|"
    r"da ieri|refuses?|rejects?|verweigert|rechaza|"
    r"fehler|kaputt|langsam|abstürz\w*|stürzt|hängt|geht nicht|funktioniert nicht|beschwer\w*|nervt|zu (?:lang|groß|"
    r"klein|selten|viel)\w*|"
    r"erreur|plante|lente?|cassée?|marche pas|râle\w*|trop|falla|lent[oa]|roto|se cae|queja\w*|demasiado|tarda\w*|"
    r"erro|quebrad[oa]|travando|reclama\w*|pesad[oa]|demora\w*|errore|rott[oa]|lamenta\w*|troppo|"
    r"passt nicht|(?:rentre|tient|passe) pas|no cabe\w?|não cabe\w?|non ci sta\w*|past niet|nie mieści|sığmıyor|"
    r"fout|traag|kapot|błąd|wolno|nie działa|hata|yavaş|çalışmıyor)\b"
    r"|с (?:вчера|утра)|昨天|昨日から|어제부터|od wczoraj|dünden beri|ошибк|пада[ею]т|упал|сломал|медленн|тормоз|"
    r"не (?:помещается|влезает)|放不下|入り(?:ません|きら)|入らない|안 들어|"
    r"жалу[ею]т|не (?:работает|стартует|открывается)|слишком"
    r"|报错|错误|失败|太慢|太大|卡|崩|不行|不对|エラー|失敗|遅|ずれ|落ち|壊れ|まだ|에러|오류|실패|느려|안 (?:돼|됩|되|"
    r"맞)|너무",
    re.IGNORECASE,
)
# So a task begins: what is to be done once, not how something shall be.
_TASK, _TASK_UNSPACED = spelled("task")
_TASK_RE: Final = re.compile(
    r"(?:(?:just|also|now|then|next|please|pls|bitte|jetzt)\W+){0,3}"
    rf"(?:(?:can|could|would) you\W+(?:also |please |now )?)?(?:{_TASK})|"
    r"(?:can|could) you (?:also|please)\b|"
    r"let(?:'s|s| us) (?:now |just |first )?(?:work|start|begin|continue|proceed|look|focus|turn|move on)(?!\w)|"
    r"[\W_]*(?:请|帮我|再)?(?:加|写|创建|修|测试|运行|检查|看)|"
    rf".{{0,60}}(?:{_TASK_UNSPACED})"
    # What is next, named by itself.
    r"|(?:now|next|jetzt|maintenant|ahora|agora|adesso|ora|теперь)\W+(?:\w+\W+){0,2}\w+\W*$",
    re.IGNORECASE,
)
_PLEASED: Final = words_for("assent", "nod")
_ORDERS: Final = words_for("order")
_THANKS_RE: Final = re.compile(any_of("thanks"), re.IGNORECASE)
_THANKED_RE: Final = re.compile(rf"[\W_]*{any_of('welcome')}", re.IGNORECASE)


def turns_away(before: str, said: str, after: str) -> bool:
    """Whether the human gives up one thing for another.

    A message that opens so does it where the agent had named a trouble, or then tells of a change. One that does not
    must be told of as a change, and only point or name: what says by itself what is to be done may be about anything.
    """
    if not said or len(said) > _MOST_SAID or said.rstrip().endswith(("?", "？")) or led(_ADDS_RE, said):
        return False
    if _COMPLAINS_RE.search(said):
        return False
    has_trouble = names_trouble(before)
    is_changed = reports_change(after)
    if exchanges(said) and (is_changed or has_trouble or goes_to_work(after)):
        return True
    parts = [part for part in _PARTS_RE.split(said) if part.strip()]
    if any(led(_TAKES_BACK_RE, part) for part in parts):
        return True
    if gives_up(said):
        return has_trouble or is_changed
    # A question that was put is answered.
    is_answer = before.rstrip().endswith(("?", "？"))
    if has_trouble and not is_answer and reacts(said) and goes_to_work(after):
        return True
    if not is_changed or not parts:
        return False
    is_echoed = comes_back(after, said)
    if is_answer or not _is_short(parts[-1]):
        return False
    if _SWAPPED_RE.search(after) and len(spoken_words_in(parts[-1])) <= _NAME_WORDS:
        return True
    return has_trouble or is_echoed if _REFERS_RE.search(said) else is_echoed and not led(_DEED_RE, parts[-1])


def exchanges(said: str) -> bool:
    """Whether it puts something in the place of what it does not name, or takes that out."""
    return _EXCHANGES_RE.search(said[:_MOST_REPORTED]) is not None


def points(said: str) -> bool:
    """Whether it points at what it is about."""
    return _REFERS_RE.search(said[:_MOST_REPORTED]) is not None


def orders(said: str) -> bool:
    """Whether a part of it begins with a verb by which people tell how something is to be."""
    first = (_WORD_RE.search(part) for part in _PARTS_RE.split(said[:_MOST_REPORTED]))
    return any(word is not None and word[0].lower() in _ORDERS for word in first)


def comes_back(reply: str, said: str) -> bool:
    """Whether a reply has a word of what was said."""
    return not _names_in(said).isdisjoint(_names_in(reply))


def _names_in(text: str) -> frozenset[str]:
    """Words by which a report comes back to what was said: not those that tell of the change, or point."""
    named = _REFERS_RE.sub(" ", _REDONE_RE.sub(" ", text.lower()))
    return frozenset(_NAME_RE.findall(named)) - _COMMON


def reports_change(reply: str) -> bool:
    """Whether a short reply tells that something is otherwise now."""
    if not 0 < len(reply) <= _MOST_REPORTED:
        return False
    # "Nothing has been changed" tells of none.
    return any(_REDONE_RE.search(each) and not led(_NOT_RE, each) for each in _SENTENCE_RE.split(reply))


def without_now(reply: str) -> str:
    """A reply without the words that only say that something is so at present, which may be new and no change."""
    return _NOW_RE.sub(" ", reply)


def gives_up(said: str) -> bool:
    """Whether a message, or a part of it, opens as one does that gives something up."""
    said = said[:_MOST_REPORTED]
    return any(led(_GIVES_UP_RE, part) for part in (said, *_PARTS_RE.split(said)) if part.strip())


def concludes(said: str) -> bool:
    """Whether it ends as what follows from what was just heard: "by month then"."""
    return _THEN_RE.search(said) is not None


def says_otherwise(said: str) -> bool:
    """Whether a message says that something is no more as it was, or gives something up."""
    return gives_up(said) or _NO_MORE_SO_RE.search(said[:_MOST_REPORTED]) is not None


def reacts(said: str) -> bool:
    """Whether a message begins with a few words about what was just heard, which are no yes, and goes on."""
    first, *rest = _SENTENCE_RE.split(said[:_MOST_REPORTED].strip())
    words = spoken_words_in(first.lower())
    is_pleased = any(word in _PLEASED for word in words) or gives_thanks(first)
    return bool(rest) and 0 < len(words) <= _FEW_WORDS + 1 and not is_pleased and not first.endswith("?")


def names_trouble(reply: str) -> bool:
    """Whether a short reply tells of something that stands in the way."""
    return 0 < len(reply) <= _MOST_BEFORE and _TROUBLE_RE.search(reply) is not None


def is_addition(said: str) -> bool:
    """Whether it asks for something new, or for a look."""
    return led(_ADDS_RE, said) is not None


def acknowledges(reply: str) -> bool:
    """Whether a reply begins with what is done or noted, or tells of a change."""
    return _ACKNOWLEDGES_RE.match(reply) is not None or reports_change(reply) or carries_out(reply)


def carries_out(reply: str) -> bool:
    """Whether a short reply begins with what was done, and not with the cause of a trouble."""
    if not 0 < len(reply) <= _MOST_REPORTED or looks_into(reply):
        return False
    begins = reply[:_BEGINNING]
    words = islice(_WORD_RE.finditer(begins), _FIRST_WORDS)
    languages = _languages_in(begins)
    return _SAYS_SO_RE.match(begins) is not None or any(_is_made_so(word[0], languages) for word in words)


def _languages_in(text: str) -> frozenset[Language]:
    return languages_of(spoken_words_in(text.lower()))


def _is_made_so(word: str, languages: frozenset[Language]) -> bool:
    return any(_MADE_SO_RES[each].fullmatch(word) for each in languages)


def mends(reply: str) -> bool:
    """Whether a reply tells that a fault was mended, or what its cause was."""
    return _MENDED_RE.search(reply[:_MOST_REPORTED]) is not None or tells_how_it_was(reply)


def tells_how_it_was(reply: str) -> bool:
    """Whether a reply begins with how things were, as one does that names the cause of a trouble."""
    first = _SENTENCE_RE.split(reply[:_MOST_REPORTED].strip(), maxsplit=1)[0].lower()
    if first.endswith(("?", "？")):
        return False
    first = _PARTS_RE.split(first, maxsplit=1)[0]
    words = spoken_words_in(first)
    return _WAS_UNSPACED_RE.search(first) is not None or any(
        word in _WAS[each] or _is_made_of_was(word, each) for each in languages_of(words) for word in words
    )


def _is_made_of_was(word: str, language: Language) -> bool:
    least, endings = _WERE.get(language, (0, ()))
    return any(word.endswith(ending) and len(word) >= least + len(ending) for ending in endings)


def leaves(reply: str) -> bool:
    """Whether a short reply says that all stays as it is, and nothing besides that something is done."""
    if not 0 < len(reply) <= _MOST_REPORTED:
        return False
    told = _SENTENCE_RE.split(reply.replace("’", "'"))
    others = [each for each in told if not _LEAVES_RE.search(each)]
    return len(others) < len(told) and not goes_to_work(" ".join(others))


def looks_into(reply: str) -> bool:
    """Whether a short reply goes about a trouble that was reported."""
    return 0 < len(reply) <= _MOST_REPORTED and led(_LOOKS_INTO_RE, reply[:_BEGINNING]) is not None


def is_complaint(said: str) -> bool:
    """Whether it says that something is wrong, is disliked or does not do."""
    return _WRONG_RE.search(said[:_MOST_REPORTED]) is not None


def is_task(said: str) -> bool:
    """Whether it begins with what is to be done once."""
    return led(_TASK_RE, said[:_MOST_REPORTED]) is not None


def gives_thanks(said: str) -> bool:
    return _THANKS_RE.search(said[:_MOST_REPORTED]) is not None


def answers_thanks(reply: str) -> bool:
    return _THANKED_RE.match(reply[:_BEGINNING]) is not None


def _is_short(said: str) -> bool:
    if UNSPACED_RE.search(said):
        return len(said) <= _FEW_CHARS
    return len(spoken_words_in(said)) <= _FEW_WORDS
