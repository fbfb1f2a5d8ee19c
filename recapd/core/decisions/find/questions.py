"""Open questions: what an agent asks that is answered by a name or a value, "Which language?", "How long shall I keep
them?". Questions that a yes answers: see proposals.

Owns the words by which such a question asks for a wish, in the languages agents answer in. Must not know scores.
"""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re
from recapd.core.decisions.find.proposals import TEXT_CHARS, Proposal, puts_deed, puts_two, shown
from recapd.core.text import spoken_words_in

# It asks for a choice, by one of its first words.
_WHICH_RE: Final = re.compile(
    r"\W*+(?:[^\W\d_][\w'’-]*+\W++){0,3}?(?:which|what|where|when|who|preferences?|"
    r"how (?:many|much|long|often|big|large|old|far|soon|late|early|should|shall|do you want)|"
    r"welche\w*|was|wie (?:viele?|lange?|oft|groß|soll\w*)|wo|wohin|wann|womit|worin|wofür|wodurch|wem|"
    r"quel\w*|quoi|combien|où|quand|comment|lequel|laquelle|que|"
    r"qué|cuál\w*|cuánt\w*|dónde|cuándo|cómo|quién\w*|qual|quais|quant\w*|onde|quando|como|quem|"
    r"quale|quali|dove|come|cosa|chi|welke?|wat|wie|waar\w*|wanneer|hoe(?:veel|lang|vaak)?|"
    r"któr\w+|jak\w*|co|czym|ile|gdzie|kiedy|kto|hangi\w*|kaç\w*|nerede|nereye|nasıl|ne(?: kadar| zaman| sıklıkla)?|"
    r"как\w*|сколько|где|куда|когда|чем|что|котор\w+|кому|кто)(?!\w)"
    r"|.*(?:哪|什么|多少|多久|多长|几|谁|どれ|どの|どちら|どこ|いつ|いくつ|何|어떤|어느|몇|얼마|어디|언제|무엇|무슨|누구)",
    re.IGNORECASE,
)
# It asks what the human knows or has, not what is wanted.
_FACT_RE: Final = re.compile(
    r"\b(?:(?:do|did|have|are|were|can|could|will) (?:you|u)|is|was|does|did|happen\w*|says?|said|error|message|output|"
    r"mean|why|(?:hast|siehst|bist|kannst|könntest|verwendest|nutzt|benutzt|meinst) du|läuft|steht|warum|"
    r"(?:as|vois|peux|pourrais|utilises|es)-tu|(?:avez|voyez|pouvez|utilisez)-vous|pourquoi|"
    r"tienes|ves|puedes|podrías|usas|dice|sale|por qu[eé]|tem|vê|pode|poderia|usa|diz|aparece|"
    r"hai|vedi|puoi|potresti|usi|succede|perché)\b"
    r"|(?<!\w)(?:у (?:вас|тебя)|видит\w*|видишь|можете|можешь|почему|пишет|происходит)(?!\w)"
    r"|你(?:有|看到|能|用的|是)|为什么|报错|ていますか|ありますか|できますか|なぜ|있나요|보이나요|수 있|왜",
    re.IGNORECASE,
)
# "… do you prefer?" asks for a wish whatever else it says.
_WISHED_RE: Final = re.compile(
    r"\b(?:want|in mind|(?:you|you'd|would) like|prefer\w*|should|shall|soll\w*|möchtest|willst|lieber|hättest|veux|"
    r"voulez|souhait\w+|préfér\w+|voudrai\w*|dois|quieres|prefier\w+|debo|gustaría|quer|queres|devo|gostaria|vuoi|vorresti|"
    r"need|brauch(?:st|en)|avez-vous besoin|as-tu besoin|necesit(?:as|a|amos)|precisa\w*|ti serve|vi serve|wil|wilt|"
    r"plan(?:ning)? to|plan\w* (?:du|sie|ihr)|prév(?:oi\w+|oyez)|prevé\w*|preved\w+|van plan|planuj\w+|planlıyor\w*|"
    r"intend|woll(?:t ihr|en (?:sie|wir))|möchte[nt]|faut-il|compte[sz]|quer(?:éis|emos)|quieren?|pensáis|piensas?|"
    r"pretende\w*|intend(?:i|ete)|zamierza\w*|"
    r"liever|voorkeur|nodig|moet|zal|chcesz|wolisz|woli|potrzebuj\w+|powin\w+|istersin\w*|tercih|olsun|lazım|gerek\w*)\b"
    r"|хотите|хочешь|планиру\w+|собира(?:ешься|етесь)|нуж(?:ен|на|но|ны)|предпочита\w+|想|希望|要|打算|しますか|ましょうか|たい|까요|원하",
    re.IGNORECASE,
)
# Whether somebody has something in mind is what it is.
_IN_MIND_RE: Final = re.compile(
    r"\b(?:in mind|preferences?|im (?:sinn|kopf)|vorliebe\w*|vorstellung\w*|en tête|préférences?|en mente|"
    r"preferencias?|em mente|preferências?|in mente|preferenz[ae]|in gedachten|voorkeur\w*|na myśli|preferencj\w*)\b"
    r"|предпочтени\w*|пожелани\w*|偏好|ご希望|선호",
    re.IGNORECASE,
)
# It asks what to do next, not how something shall be.
_ONWARDS_RE: Final = re.compile(
    r"\b(?:next|proceed|continue|carry on|move on|go on|ready|commit|priority|intent|help|first|start|begin|"
    r"weiter|nächstes|ensuite|suite|siguiente|después|próximo|depois|poi|prossimo)\b"
    r"|дальше|推进|接下来|下一步|指令|次に|다음",
    re.IGNORECASE,
)
# What stands before a question: "One more thing for the notes: which day …".
_BEFORE_RE: Final = re.compile(r"\A[^:：?？]{1,80}(?:: |：)(?=.)")
# A question of so few words names nothing but what is to be chosen.
_BRIEF_WORDS: Final = 6
# Behind an open question hardly anything follows.
_BEHIND: Final = 1


def open_question(proposal: Proposal) -> str:
    """The question at the end of a message that asks which, where or how much somebody wants; else ""."""
    if proposal.question < 0 or proposal.is_idle or proposal.question < len(proposal.units) - 1 - _BEHIND:
        return ""
    asked = shown(proposal.units[proposal.question].text)
    if puts_deed(asked) or _ONWARDS_RE.search(asked) or len(asked) > TEXT_CHARS:
        return ""
    is_brief = len(spoken_words_in(asked)) <= _BRIEF_WORDS
    is_wish = asks_wish(asked) or (is_brief and not _FACT_RE.search(asked))
    is_which = _WHICH_RE.match(_BEFORE_RE.sub("", asked, count=1)) is not None
    return asked if is_wish and (is_which or _IN_MIND_RE.search(asked) or puts_two(asked)) else ""


def asks_wish(asked: str) -> bool:
    """Whether it says that it asks what is wanted."""
    return _WISHED_RE.search(asked) is not None or _IN_MIND_RE.search(asked) is not None
