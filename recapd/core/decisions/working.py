"""Whether an agent goes to work on what it was told: by the form of the verb that its reply begins with.

    "Adding uPlot …", "I'll make …", "Je change …", "Stelle um …", "… ayarlıyorum."     it does
    "Renamed the seven columns.", "Cache ligado, …", "Noted."                            it did, or keeps it in mind
    "It reads a cached copy …", "About four years.", "It depends: …"                     it tells something

Owns these forms, in the languages agents answer in. Must not know decisions, nor scores.
"""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re
from recapd.core.decisions.words import begin_of, led, spelled

_MOST_CHARS: Final = 320
_SENTENCES: Final = 3
_SENTENCE_RE: Final = re.compile(r"(?<=[.!?;:])\s+|(?<=[。！？；])")
# It says so by a word of its own, and nothing else needs to follow.
_TAKEN_ON, _TAKEN_ON_UNSPACED = spelled("taken on")
_TAKES_ON_RE: Final = re.compile(rf"(?:{_TAKEN_ON})|.{{0,6}}(?:{_TAKEN_ON_UNSPACED})", re.IGNORECASE)
# Verbs of looking, thinking and telling, of which nothing comes: they may have any form.
_LOOKS, _LOOKS_UNSPACED = spelled("only looks")
_ONLY_LOOKS_RE: Final = re.compile(rf"(?:{_LOOKS})|.{{0,20}}(?:{_LOOKS_UNSPACED})", re.IGNORECASE)
# What the agent does, is doing or will do, where the verb comes first.
_DOES_RE: Final = re.compile(
    # English: "Adding …", "I'll …", "I've …", "Will do", "Then I …".
    r"(?!(?:some|any|every|no)thing\b|(?:during|according|regarding|depending|considering|assuming|meaning|"
    r"being|having|missing|"
    r"interesting|surprising|nothing|everything|judging|string|thing|king|ring|spring|morning|evening|tempting)\b)"
    r"[a-z]{3,24}ing\b(?![^.]{0,40}\b(?:should|would|could|might|may|is|was|are|takes|costs|needs|means|gives|"
    r"makes|isn't|wären|ist)\b)|"
    r"(?:then |so |from now on |both |instead )*(?:i'll|i will|i'm going to|i am|i'm|i've|i have|we'll|"
    r"let me) (?!not sure|afraid|glad|happy|sorry|"
    r"curious|no |never|seen|heard|be )[a-z]{2,}|i (?:just |now |also |then )?[a-z]{2,}(?:ed|t)\b|"
    # German: "Ich stelle …", "Stelle … um", "Dann nehme ich …".
    r"mach(?:e)? ich\b|wird gemacht\b|ist (?:notiert|erledigt|drin)\b|(?:dann |jetzt |"
    r"ok )?(?:[a-zäöüß]{3,}e )?ich (?!bin|kann|könnte|würde|hätte|habe kein)[a-zäöüß]{3,}|"
    r"(?!(?:gute|alle|keine|eine|diese|beide|heute|bitte|danke|jede|viele|manche|ohne|gerade|meine|deine|seine|"
    r"eure|unsere|"
    r"andere|solche|welche|einige|die|habe|hatte|wäre|würde|könnte|sollte)\b)[a-zäöüß]{3,}e (?:das|den|dem|die|"
    r"der|es|dann|alles|"
    r"nun|jetzt|auf|in|mich|einen?|ein|überall|noch|also|nur|zuerst|gleich|sie|ihn|`|\d)|"
    # French: "Je change …", "J'ajoute …".
    r"(?:alors |donc |du coup )?(?:je (?:l'|le |la |les )?|j')(?!ai vu|ai lu|ne )[a-zà-ÿ]{2,}|c'est (?:parti|"
    r"noté|fait)|on (?:part|garde|prend|passe|met|fait|reste) |"
    # Spanish, Portuguese, Italian: the first person, the gerund, "voy a", "vou", "sto".
    r"(?:ya |lo |la |los |las |li |le |já |eu |me |te |entonces |então |allora )*(?:"
    r"(?:voy a|vamos a|vou|sto|estou|estoy|ho|he) (?!não|no )[a-zà-ÿ]{3,}|"
    r"[a-zà-ÿ]{2,24}(?:ando|endo|indo|iendo)\b(?<!quando)(?<!cuando)|[a-zà-ÿ]{3,24}(?:aré|eré|iré|arei|erei|"
    r"irei|erò|irò)\b|"
    r"(?!(?:todo|tudo|tutto|solo|sólo|uno|pero|cuando|quando|como|bueno|claro|luego|primero|mismo|mesmo|poco|"
    r"mucho|muito|"
    r"dentro|cada|sono|però|ogni|nuovo|novo|nuevo|certo|sotto|dopo|bajo|segundo|secondo|terceiro|quanto|tanto|"
    r"isso|isto|esto|"
    r"eso|tempo|tiempo|punto|modo|lado|caso|acordo|perfecto|perfeito|perfetto|hago notar)\b)[a-zà-ÿ]{3,24}o "
    r"(?:el|la|los|las|un|una|uno|eso|esto|todo|todos|todas|a|al|en|con|de|del|dall[ao']?|dal|o|os|as|um|uma|"
    r"isso|tudo|il|lo|"
    r"i|gli|le|l'|tutto|così|subito|ya|ahora|agora|e|y|`|\d)|[a-zà-ÿ]{2,24}(?:é|ei) (?:el|la|los|las|o|a|os|as|"
    r"un|una|um|uma|el)\b)|"
    # Dutch: "Ik zet …", "Dan maak ik …".
    r"doe ik\b|(?:dan )?(?:[a-z]{2,} )?ik (?!kan|zou|ben|heb geen)[a-z]{2,}|"
    # Polish, Russian: the first person by its ending, of a word that stands first.
    r"(?!(?:problem|potem|tam|sam|mam|jestem|system|czasem|razem)\b)[a-ząćęłńóśźż]{3,24}(?:am|em|ę|łem|łam)\b|"
    r"(?:тогда |сейчас |я )*(?!(?:потому|почему|поэтому|этому|могу|хочу|сразу|внизу|наверху|"
    r"между)(?!\w))[а-яё]{3,24}(?:ю|у|юсь|усь|ил|ила|ал|ала)(?!\w)",
    re.IGNORECASE,
)
# The same, where the verb comes last.
_DOES_AT_END_RE: Final = re.compile(
    r"(?!.*(?:görü|düşünü|bakı|anlı|bili|sanı|inceli)yorum)(?:\S+ ){0,14}?\w{2,24}(?:yorum|acağım|eceğim|"
    r"[dt][ıiuü]m|[ıiuü]rım|erim|arım)[.!,]*(?=$|\s)|"
    r"(?!.*(?:確認|調査|調べ|検討)し?ます)[^。]{1,80}(?:します|しておきます|ておきます|直します|変えます|"
    r"えます|きます|めます|りました|しました|ました)(?=[。、！!]|$)|"
    r"[^.]{1,80}(?:하겠습니다|겠습니다|할게요|둘게요|을게요|합니다|했습니다|었습니다|였습니다|꿨습니다|"
    r"겼습니다|바꿉니다)(?=[.!,]|$)",
    re.IGNORECASE,
)
_DOES_UNSPACED_RE: Final = re.compile(
    r"[\W_]*(?:(?:好的?|明白|收到|可以|行|没问题|当然)[，,。！]?|那)?(?:我(?:先|来|会|这就|现在|把|将|马上|去|"
    r"给|用|改|加|按)(?!看|查|想)|正在(?!看|查)|已|这就|改成|改为|换成|去掉|删掉|加上|设为|把)"
)
# What was done: a participle that a sentence begins with, or that a few words of what it was done to stand before.
_DONE_FIRST_RE: Final = re.compile(
    r"(?!(?:need|speed|feed|seed|indeed|based|related|supposed|expected|reproduced|confirmed|checked|"
    r"agreed that|unsupported|"
    r"located|caused|failed|looked|tried|read|signed)\b)(?:[a-z]{2,24}ed|done|set|built|put|made|hidden|split|"
    r"rewrote|wrote|took|moved|gone|swapped|cut)\b|"
    r"(?:(?:um|an|aus|ein|ab|zu|hinzu|auf|raus|weg|zurück)?ge[a-zäöüß]{2,24}(?:t|en)|[a-zäöüß]{3,24}iert|(?:er|"
    r"ver|ent|über)[a-zäöüß]{3,24}t)\b(?=[.,:;!]| und\b| in\b| auf\b)|"
    r"(?:fait|mis|mise|ajoutée?|changée?|passée?|supprimée?|remplacée?|renommée?|hecho|listo|lista|feito|pronto|"
    r"fatto|gotowe|"
    r"klaar|gedaan|aangepast|готово|сделано)\b",
    re.IGNORECASE,
)
_DONE_TO_RE: Final = re.compile(
    r"(?!(?:it|they|this|that|there|which|what|with|if|when|because|perché|porque|parce|weil|he|she|you|nobody|most|"
    r"some|only|the last|almost)\b)(?:[\w`'./+-]+ ){1,4}?"
    r"(?:(?:is|are) (?:now |all )?(?:in place|in|up|on|off|gone|done|ready|set|changed|updated|live)(?= and\b|"
    r"[.,;:!]|$| now\b)|"
    r"(?!need|speed|feed|cached|shared|based|related|failed|crashed|used|called|named|tried)(?:[a-z]{3,24}ed|"
    r"set|split|gone|rewritten|redone)(?=[.,;:!—]|$| (?:and|in|to|from|with|now|on|accordingly|again|everywhere)\b)|"
    r"(?<!\bes )(?<!\bé )(?<!\bè )(?<!\best )(?<!\bson )(?<!\bsão )(?<!\bsono )(?<!\bsont )(?<!\bestá )"
    r"(?:[a-zà-ÿ]{2,24}(?:ad|id)[oa]s?|prêtes?|[a-zà-ÿ]{3,24}ée?s?|fatt[oaie]|mess[oaie]|[a-zà-ÿ]{3,24}(?:at|it|"
    r"ut)[oaie]|"
    r"(?:um|an|aus|ein|ab|auf|raus)?ge[a-zäöüß]{2,24}t)(?=[.,;:!—]| y\b| e\b| et\b| und\b)|"
    r"(?:\S+ )?(?:now|jetzt|nun|désormais|maintenant|ahora|agora|adesso|nu|teraz|artık|теперь)(?!\w))",
    re.IGNORECASE,
)


def goes_to_work(reply: str, sentences: int = _SENTENCES) -> bool:
    """Whether one of the first sentences of a reply says what the agent does about what it was told, or that it will
    keep to it."""
    told = [each for each in _SENTENCE_RE.split(reply[:_MOST_CHARS].replace("’", "'")) if each.strip()]
    return any(_works(each) for each in told[:sentences])


def _works(sentence: str) -> bool:
    if sentence.rstrip().endswith(("?", "？")) or led(_ONLY_LOOKS_RE, sentence):
        return False
    if led(_TAKES_ON_RE, sentence) or led(_DOES_RE, sentence) or _DOES_UNSPACED_RE.match(sentence):
        return True
    if _DOES_AT_END_RE.match(sentence) or _DONE_FIRST_RE.match(sentence, begin_of(sentence)):
        return True
    return _DONE_TO_RE.match(sentence, begin_of(sentence)) is not None
