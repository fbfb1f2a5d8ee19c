"""Words that say nothing of what a text is about: one table, by language and by what they do.

Owns the words; must not know how texts are cut (`words`) or compared. A purpose leaves out as many groups as it can
spare: a question is told by every word but those of grammar, a decision is not told by "fix" or "test" either.
Words that do something in a conversation (agree, contrast, give a reason) are another table, `decisions.find.lexicon`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from recapd.core import late_re as re
from recapd.core.text.words import without_accents


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ENGLISH: Final = _words(
    """
    a about after again all also although am an and any are as at be because been before being both but by can could
    did do does doing done down each few for from get give got had has have having he her here him his how i if in into
    is it its just let like may me might more most my new no nor not now of on one only or other our out over own please
    s same she should so some such t tell than that the their them then there these they this those to too two up us use
    used using very was we were what when where which while who whom whose why will with would you your
    """
)
_GERMAN: Final = _words(
    """
    aber als am auch auf aus bei bin bis das dass dem den der des die doch ein eine einem einen einer er es für habe
    haben hat hatte ich ihr im in ist ja kann können man mit nach nicht noch nur oder sein sich sie sind so über um und
    uns von vor war waren warum was welche welcher welches wem wen wenn wer werden wie wieso wir wird wo wurde wurden zu
    zum zur
    """
)
_SPANISH: Final = _words(
    """
    al algo como con cuál cuáles cuando cuándo cómo de del desde dónde el ella en era es esta este esto fue ha hay la
    las le lo los más me mi no nos o para pero por porque qué que quién se si sin sobre son su sus un una y
    """
)
_FRENCH: Final = _words(
    """
    à au aux avec ce ces cette comment dans de des donc du elle en est et était il ils je la le les leur mais ne nous on
    ou où par pas pour pourquoi qu que quel quelle quels qui quoi sa se ses son sont sur un une vous
    """
)
_PORTUGUESE: Final = _words(
    """
    ao como com da das de do dos e ela ele em essa esse foi já mas na não no nos o os ou para pela pelo por qual quais
    quando que quem são se ser seu sua também um uma você
    """
)
_ITALIAN: Final = _words(
    """
    che chi come con cosa da dei del della di dove e è gli ha il in la le lo ma nel non per perché qual quale quali
    quando questo sono si sta su un una
    """
)
_RUSSIAN: Final = _words(
    """
    а без бы был была были было в во вы где да для до его ее если есть же за и из или их к как какая какие какой когда
    который кто ли мы на не но о он она они от по почему с со так то только у что чтобы это я
    """
)
_LANGUAGES: Final = _ENGLISH | _GERMAN | _SPANISH | _FRENCH | _PORTUGUESE | _ITALIAN | _RUSSIAN
# The commonest of them that no word of English begins like, as "comment" does.
_UNMISTAKABLE: Final = _words(
    "auf con das del dem den der des die eine einen est für las les los mit nicht para por pour que und une не это"
)

# What people say around the matter, whatever the matter is.
_TALK: Final = _words(
    """
    going good great know look looks made make maybe need needs okay really right still sure thanks thing things think
    want yeah
    """
)
# What is said of any work on software, as beginnings of six letters: "comple" is complete, completed and completely.
_WORK_STEMS: Final = _words(
    """
    above acknow actual add added adding adds altoge always anythi apply back below better betwee call called case
    change clean comes commit comple correc create curren deal decide differ direct doesn don either else end ensure
    even every exact exampl existi file files find fine fix fixed fixes fixing found full gets go goes handle help
    however implem instea isn issue keep keepin keeps kind last later lets ll lot makes making many mean means move much
    must needed never next note noted off ok old once option others part place point previo probab proble proper put
    rather re ready rememb remind remove replac run runnin runs say see set setup show shows side simple simply since
    small solu soluti someth start stop switch take takes test tests thats though throug toward try under unders unless
    until update updati uses ve via wants way well within withou won work workin works write wrong yes yet
    """
)
# Endings of files, which are words of nothing.
_FILE_ENDINGS: Final = _words("css go html js json jsx md mjs py rb rs sh toml ts tsx txt yaml yml")
_STEM_CHARS: Final = 6
# Words without which a sentence says the same: who speaks, that it is heard, that it was said before.
_EMPTY: Final = _words(
    """
    a again an and are as at be before by for from got has have i in is it its let ll me my note noted of ok okay on our
    please remember reminder s so that the their then they this to understood us was we were will with yes you your
    """
)
# No sentence and no clause ends in one of these: the rest of it stands somewhere else.
_LINKING: Final = _words(
    "a an and are as at but by for from if in is of on or that the to via was were when which while with"
)

# By purpose.
Purpose: TypeAlias = Literal["question", "likeness", "recap", "topic", "statement", "end"]
STOP_WORDS: Final[Mapping[Purpose, frozenset[str]]] = {
    # Words by which questions and requests are made, not found. What is missing here costs little: a word that stands
    # everywhere in a session weighs little by itself. As they are found however they were typed: without accents.
    "question": frozenset(map(without_accents, _LANGUAGES)),
    "likeness": _ENGLISH,
    # Words that a session does not turn on. Some of English are left in: without them, full recaps of labelled sessions
    # told 0.848 of what a reader must find, with them 0.857.
    "recap": (_ENGLISH | _TALK) - _words("again although down give having might most tell whom whose"),
    # Words that join no two decisions, because they say how something is decided, or nothing at all. Beginnings of six
    # letters, of longer words too.
    "topic": frozenset(word[:_STEM_CHARS] for word in _ENGLISH | _UNMISTAKABLE | _TALK | _FILE_ENDINGS) | _WORK_STEMS,
    "statement": _EMPTY,
    "end": _LINKING,
}

# Scripts without spaces: what makes a question there, wherever it stands.
_UNSPACED_FILLER_RE: Final = re.compile(
    "什么|甚麼|为什么|為什麼|为何|怎么样|怎么|怎麼|怎样|如何|哪个|哪些|哪里|哪裡|哪一|是否|多少|几个|请问|我们|你们|他们|它们|"
    "这个|那个|这些|那些|有没有|可以|应该|需要|"
    "なぜ|どうして|どのように|どの|どれ|どこ|どう|何が|何を|何の|なに|いつ|ですか|ますか|ました|でした|ください|について|"
    "무엇|무슨|어떤|어떻게|어디|언제|누가|왜"
)


def without_filler(question: str) -> str:
    """A question without what makes it one in scripts without spaces, where no word can be left out as a whole."""
    return _UNSPACED_FILLER_RE.sub(" ", question)
