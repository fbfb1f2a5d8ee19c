"""Whether an agent goes to work on what it was told: by the form of the verb that its reply begins with.

    "Adding uPlot …", "I'll make …", "Je change …", "Stelle um …", "… ayarlıyorum."     it does
    "Renamed the seven columns.", "Cache ligado, …", "Noted."                            it did, or keeps it in mind
    "It reads a cached copy …", "About four years.", "It depends: …"                     it tells something

Owns these forms, in the languages agents answer in. Must not know decisions, nor scores.
"""

from __future__ import annotations

from itertools import islice
from typing import Final

from recapd.core import late_re as re
from recapd.core.decisions.words import (
    Language,
    begin_of,
    languages_of,
    led,
    said,
    spelled,
    words_by_language,
    words_for,
)
from recapd.core.text import UNSPACED_RE, spoken_words_in

_MOST_CHARS: Final = 320
_SENTENCES: Final = 3
# Words that only head what follows: "Semaphore around the queue. Running ...".
_HEAD_WORDS: Final = 4
_QUOTES: Final = ('"', "“", "„", "«", "「")
_SENTENCE_RE: Final = re.compile(r"(?<=[.!?;:])\s+|(?<=[。！？；])")
# It says so by a word of its own, and nothing else needs to follow.
_TAKEN_ON, _TAKEN_ON_UNSPACED = spelled("taken on")
_TAKES_ON_RE: Final = re.compile(rf"(?:{_TAKEN_ON})|.{{0,6}}(?:{_TAKEN_ON_UNSPACED})", re.IGNORECASE)
# Verbs of looking, thinking and telling, of which nothing comes: they may have any form.
_LOOKS, _LOOKS_UNSPACED = spelled("only looks")
_ONLY_LOOKS_RE: Final = re.compile(rf"(?:{_LOOKS})|.{{0,20}}(?:{_LOOKS_UNSPACED})", re.IGNORECASE)
# What the agent does, is doing or will do, where the verb comes first.
_NO_DEED: Final = spelled("no deed")[0]
_NO_DEEDS: Final = words_for("no deed")
_DOES_RE: Final = re.compile(
    rf"(?!{_NO_DEED})(?:"
    # English: "Adding …", "I'll …", "I've …", "Will do", "Then I …".
    r"[a-z]{3,24}ing\b(?![^.]{0,80}\b(?:should|would|could|might|may|is|was|are|takes|costs|needs|means|gives|"
    r"makes|isn't|wären|ist)\b)|"
    r"(?:then |so |from now on |both |instead )*(?:i'll|i will|i'm going to|i am|i'm|i've|i have|we'll|"
    # An agent that lets itself do something mostly looks first.
    r"let me(?= (?:add|change|update|write|set|remove|rename|move|switch|put|make|revert|rewrite|replace|drop)\b)) "
    r"(?!not sure|afraid|glad|happy|sorry|"
    r"curious|no |never|seen|heard|be )[a-z]{2,}|"
    r"i (?:just |now |also |then )?(?:[a-z]{2,}(?:ed|t)|wrote|rewrote|made|took|drew|redrew|gave|threw)\b|"
    # German: "Ich stelle …", "Stelle … um", "Dann nehme ich …".
    r"mach(?:e)? ich\b|wird gemacht\b|ist (?:notiert|erledigt|drin)\b|(?:dann |jetzt |"
    r"ok )?(?:[a-zäöüß]{3,}e )?ich (?!bin|kann|könnte|würde|hätte|habe kein)[a-zäöüß]{3,}|"
    r"[a-zäöüß]{3,}e (?:das|den|dem|die|der|es|dann|alles|"
    r"nun|jetzt|auf|in|mich|einen?|ein|überall|noch|also|nur|zuerst|gleich|sie|ihn|`|\d)(?![a-zäöüß])|"
    # French: "Je change …", "J'ajoute …".
    r"(?:alors |donc |du coup )?(?:je (?:l'|le |la |les )?|j')(?!ai vu|ai lu|ne )[a-zà-ÿ]{2,}|c'est (?:parti|"
    r"noté|fait)|on (?:part|garde|prend|passe|met|fait|reste) |"
    # Spanish, Portuguese, Italian: the first person, the gerund, "voy a", "vou", "sto"; no order with a pronoun at its
    # end.
    r"(?:ya |lo |la |los |las |li |le |já |eu |me |te |entonces |então |allora )*(?:"
    r"(?:voy a|vamos a|vou|sto|estou|estoy) (?!não|no )[a-zà-ÿ]{3,}|h[eo] [a-zà-ÿ]{2,24}[dtsh]o\b|"
    r"[a-zà-ÿ]{2,24}(?:ando|endo|indo|iendo)\b|[a-zà-ÿ]{3,24}(?:aré|eré|iré|arei|erei|irei|erò|irò)\b|"
    r"[a-zà-ÿ]{3,24}o(?<![aeiáéí]lo) "
    r"(?:el|la|los|las|un|una|uno|eso|esto|todo|todos|todas|a|al|en|con|de|del|dall[ao']?|dal|o|os|as|um|uma|"
    r"isso|tudo|il|lo|i|gli|le|l'|tutto|così|subito|ya|ahora|agora|e|y|`|\d)|"
    r"[a-zà-ÿ]{2,24}(?:é|ei) (?:el|la|los|las|o|a|os|as|un|una|um|uma|el)\b)|"
    # Dutch: "Ik zet …", "Dan maak ik …".
    r"doe ik\b|(?:dan )?(?:[a-z]{2,} )?ik (?!kan|zou|ben|heb geen)[a-z]{2,}|"
    # Polish, Russian: the first person by its ending, of a word that stands first.
    r"[a-ząćęłńóśźż]{3,24}(?:am|em|ę|łem|łam)\b|"
    r"(?:тогда |сейчас |я )*[а-яё]{3,24}(?:ю|у|юсь|усь|ил|ила|ал|ала)(?!\w))",
    re.IGNORECASE,
)
# Korean tells the past by a consonant at the end of a syllable; "있다" only says that there is something.
_PAST_KOREAN: Final = "".join(each for at in range(399) if (each := chr(0xAC00 + 28 * at + 20)) != "있")
# The same, where the verb comes last.
_DOES_AT_END_RE: Final = re.compile(
    r"(?!.*(?:görü|düşünü|bakı|anlı|bili|sanı|inceli)yorum)(?:\S+ ){0,14}?\w{2,24}(?:yorum|acağım|eceğim|"
    r"[dt][ıiuü]m|[ıiuü]rım|erim|arım)[.!,]*(?=$|\s)|"
    r"(?!.*(?:確認|調査|調べ|検討)し?ます)[^。]{1,80}(?:します|しておきます|ておきます|直します|変えます|"
    r"えます|きます|めます|りました|しました|ました)(?=[。、！!]|$)|"
    rf"[^.]{{1,80}}(?:[{_PAST_KOREAN}]습니다|할게요|둘게요|을게요|합니다|바꿉니다)(?=[.!,]|$)",
    re.IGNORECASE,
)
_DOES_UNSPACED_RE: Final = re.compile(
    r"[\W_]*(?:(?:好的?|明白|收到|可以|行|没问题|当然)[，,。！]?|那)?(?:我(?:先|来|会|这就|现在|把|将|马上|去|"
    r"给|用|改|加|按)(?!看|查|想)|正在(?!看|查)|现在|[^，。]{0,20}已|这就|改成|改为|换成|去掉|删掉|加上|设为|把)"
)
# How something is now that was otherwise: within so many words, of which none says that it was so before.
_DONE_WORDS: Final = 10
_MADE_WORDS: Final = 5
_POINTED_WORDS: Final = 3
_STOPS: Final = words_by_language("was", "if or because", "not")
_TOLD_OF: Final = words_by_language("told of")
_NOW_RE: Final = re.compile(said("at present"), re.IGNORECASE)
_IS: Final = words_for("is")
_STANDS_RE: Final = re.compile(rf"(?:{spelled('stands')[0]})", re.IGNORECASE)
_CLOSED_RE: Final = re.compile(
    r"\s*(?:[.,;:!—–]|$)|\s+(?:and|now|again|with|for|y|e|et|und|en|i|für|pour|para|per|voor)\b", re.IGNORECASE
)
_GOES_ON_RE: Final = re.compile(
    r"\s+(?:in|to|from|with|on|under|by|accordingly|everywhere|as|into|à|au|aux|sur|avec|a|al|con|para|com|su|auf|mit)\b",
    re.IGNORECASE,
)
_WORD_RE: Final = re.compile(r"[^\s,;:.!?—–]+(?:[.:][^\s,;:.!?—–]+)*")
# A participle, by its ending: what one language ends one with is the end of any word in another.
_FIRST_WORD_RE: Final = re.compile(r"[^\W\d_]+")
# Where nouns are spelled so too, it stands by itself.
_NOUNS_ALIKE: Final[frozenset[Language]] = frozenset(("de", "nl"))
_MADE: Final[dict[Language, str]] = {
    "en": r"(?!need|indeed|suppos|expect|intend|want|requir|relat|bas(?=ed)|limit(?=ed)|us(?=ed)|call(?=ed)|fail|crash|"
    r"happen|seem|look(?=ed)|tend)[a-z]{2,24}ed|(?:re|un|over)?(?:written|wrote|done|built|drawn|drew|taken|took|set|put|made|gone|split|cut|"
    r"sent|hidden|kept|laid|brought)",
    "de": r"(?:um|an|aus|ein|ab|zu|hinzu|auf|raus|weg)?ge\w{2,24}(?:t|en)|\w{3,24}iert|(?:er|ver|ent|be|über)\w{3,24}t",
    "fr": r"fait|(?:re)?mise?s?|prête?s?|\w{3,24}ée?s?",
    "es": r"\w{2,24}(?:ad|id)[oa]s?|(?:re|des)?hech[oa]s?|list[oa]s?|puest[oa]s?|\w{2,24}é",
    "pt": r"\w{2,24}(?:ad|id)[oa]s?|pront[oa]s?|(?:re|des)?feit[oa]s?|postas?|\w{2,24}ei|fiz|pus|"
    r"(?:sub|abr|defin|inclu|remov|corrig|mov|inser|reduz|convert|permit|constru|substitu|escrev|divid|escond)[ií]",
    "it": r"(?:ri)?fatt[oaie]|mess[oaie]|\w{3,24}(?:at|it|ut)[oaie]",
    "nl": r"(?:over|om|aan|uit|in|op|af|toe|bij|terug)?ge\w{2,24}(?:t|en|d)|bijgewerkt|(?:ver|be|her)\w{3,24}[td]",
    "pl": r"\w{3,24}(?:one|ony|ono|łem|łam)",
    "tr": r"\w{3,24}(?:ıldı|ildi|uldu|üldü|ndı|ndi|dım|dim|dum|düm|tım|tim)",
    "ru": r"\w{3,24}(?:ил|ял|ал|ел|нул|ен[оаы]?|ан[оаы]?)[аи]?",
}
_MADE_RES: Final = {language: re.compile(form, re.IGNORECASE) for language, form in _MADE.items()}
_TELLS_RE: Final = re.compile(rf"[\W_]*{said('confirms', 'welcome', 'looks into', 'seems')}", re.IGNORECASE)
_PARTS_RE: Final = re.compile(r"[.,!?;:—–。，！？]+")
_FEELS_WITH_RE: Final = re.compile(rf"[\W_]*{said('feels with')}", re.IGNORECASE)
_COULD_RE: Final = re.compile(said("could be"), re.IGNORECASE)
_APPROVES_RE: Final = re.compile(rf"[\W_]*(?:{spelled('approves', 'assent', 'nod')[0]})", re.IGNORECASE)
_SEEMS_RE: Final = re.compile(rf"(?:{spelled('seems')[0]})", re.IGNORECASE)
_LEAD_RE: Final = re.compile(r"\W*\w[\w'’]*(?: \w[\w'’]*){0,2}, ")


def goes_to_work(reply: str, sentences: int = _SENTENCES) -> bool:
    """Whether one of the first sentences of a reply says what the agent does about what it was told, or that it will
    keep to it."""
    told = [each for each in _SENTENCE_RE.split(reply[:_MOST_CHARS].replace("’", "'")) if each.strip()]
    # What stands behind a mere yes, or a wish, is said first.
    leads = told and (_FEELS_WITH_RE.match(told[0]) or (_APPROVES_RE.match(told[0]) and not led(_SEEMS_RE, told[0])))
    first = 1 if leads else 0
    return any(_works(each, is_first=at <= first) for at, each in enumerate(told[: max(sentences, first + 1)]))


def works_first(reply: str) -> bool:
    """Whether a reply begins with what the agent does about what it was told: who was told of a fault says first what
    its cause is, in a whole sentence."""
    first = _SENTENCE_RE.split(reply[:_MOST_CHARS].strip(), maxsplit=1)[0]
    is_whole = UNSPACED_RE.search(first) is not None or len(spoken_words_in(first)) > _HEAD_WORDS
    return goes_to_work(reply, 1 if is_whole else 2)


def _works(sentence: str, *, is_first: bool) -> bool:
    """Also behind a few words and a pause: "My mistake, I changed it"."""
    lead = _LEAD_RE.match(sentence)
    behind = sentence[lead.end() :] if lead is not None else ""
    return _says_work(sentence, is_first=is_first) or (bool(behind) and _says_work(behind, is_first=is_first))


def _says_work(sentence: str, *, is_first: bool) -> bool:
    is_asked = sentence.rstrip().endswith(("?", "？"))
    # What stands between quotation marks is not the agent's.
    if is_asked or sentence.lstrip().startswith(_QUOTES) or led(_ONLY_LOOKS_RE, sentence):
        return False
    if _FEELS_WITH_RE.match(sentence):
        return False
    if led(_TAKES_ON_RE, sentence) or led(_DOES_RE, sentence) or _DOES_UNSPACED_RE.match(sentence):
        return True
    begin = begin_of(sentence)
    if _DOES_AT_END_RE.match(sentence) or _is_made_first(sentence, begin):
        return True
    # Further down it is how things stand with something else.
    return is_first and _is_so_now(sentence, begin)


def _is_so_now(sentence: str, begin: int) -> bool:
    """Whether it says of a thing that it names how that is now, or what was done to it: "Module and readme are
    updated", "Oslo rows converted, …", "Resets go through the relay now"."""
    languages = _languages_in(sentence)
    before, earlier, points = "", "", False
    for at, found in enumerate(islice(_WORD_RE.finditer(sentence, begin), _DONE_WORDS)):
        word = found[0].lower()
        if any(word in _STOPS[each] for each in languages):
            return False
        points = points or (at == 0 and any(word in _TOLD_OF[each] for each in languages))
        # "It works now" says nothing of what was done.
        if _NOW_RE.fullmatch(word):
            return at >= _POINTED_WORDS or not points
        is_copula = before in _IS or before.endswith(("'s", "'est"))
        if is_copula and (stands := _STANDS_RE.match(sentence, found.start())):
            return _CLOSED_RE.match(sentence, stands.end()) is not None
        # "… are already rebuilt".
        is_far = at <= _MADE_WORDS or earlier in _IS
        is_copula = is_copula or earlier in _IS
        if at > 0 and is_far and any(_MADE_RES[each].fullmatch(word) for each in languages):
            is_closed = _CLOSED_RE.match(sentence, found.end()) is not None
            # With a verb before it it may be how something is, whoever made it so.
            goes_on = not (is_copula or points) and _GOES_ON_RE.match(sentence, found.end()) is not None
            if goes_on or (is_closed and (is_copula or not points)):
                return True
        earlier, before = before, word
    return False


def _languages_in(sentence: str) -> frozenset[Language]:
    return languages_of(spoken_words_in(sentence.lower()))


def _is_made_first(sentence: str, begin: int) -> bool:
    """Whether it begins with a participle, or with what "I" did: "Migrado, …", "Поднял страницу"."""
    word = _FIRST_WORD_RE.match(sentence, begin)
    if word is None or word[0].lower() in _NO_DEEDS:
        return False
    is_closed = (
        _CLOSED_RE.match(sentence, word.end()) is not None or _GOES_ON_RE.match(sentence, word.end()) is not None
    )
    languages = _languages_in(sentence) if is_closed else _languages_in(sentence) - _NOUNS_ALIKE
    # A few words may be of any language; what ends as an English participle is one.
    return any(_MADE_RES[each].fullmatch(word[0]) for each in (*languages, "en"))


def feels_first(reply: str) -> bool:
    """Whether a reply begins with a joke, a wish or comfort: whatever it says of the work then is about something
    else."""
    return _FEELS_WITH_RE.match(reply.replace("’", "'")) is not None


def feels_with(reply: str) -> bool:
    """Whether part of a reply begins with a joke, a wish or comfort, and nothing in it says that the agent goes to
    work."""
    parts = _PARTS_RE.split(reply[:_MOST_CHARS].replace("’", "'"))
    return any(_FEELS_WITH_RE.match(part) for part in parts) and not goes_to_work(reply)


def only_tells(reply: str) -> bool:
    """Whether a reply says that something is so or could be, answers thanks or looks for a cause: by what it
    begins with, where nothing in it says that the agent goes to work."""
    if goes_to_work(reply):
        return False
    told = [each for each in _SENTENCE_RE.split(reply[:_MOST_CHARS].strip().replace("’", "'")) if each.strip()]
    first = told[0] if told else ""
    word = _WORD_RE.match(first, begin_of(first))
    is_about = word is not None and any(word[0].lower() in _TOLD_OF[each] for each in _languages_in(first))
    if is_about or _TELLS_RE.match(first) or _COULD_RE.search(first):
        return True
    # Behind a mere yes it says what could be.
    return _APPROVES_RE.fullmatch(first.rstrip(" .,!")) is not None and any(map(_COULD_RE.search, told[1:]))
