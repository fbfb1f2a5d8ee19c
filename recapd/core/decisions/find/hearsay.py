"""What sounds like a decision and is nobody's here: words that are quoted, what others say or do, how a thing behaves,
praise and jokes.

Owns these forms, in the languages people talk to agents in. Must not know scores, nor what was done about it.
"""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re
from recapd.core.decisions.words import begin_of, led, spelled, words_for
from recapd.core.decisions.words import said as any_of
from recapd.core.text import spoken_words_in

# Words between quotation marks: somebody else's, or those of a page, unless they are a mere name.
_QUOTED_RE: Final = re.compile(
    r"[\"“„]([^\"“”„\n]+)[\"”“]|«([^«»\n]+)»|[「『]([^「『」』\n]+)[」』]"
    # An apostrophe within a word ends nothing.
    r"|(?<![\w'])'((?:[^'\n]|(?<=\w)'(?=\w)){12,300})'(?!\w)"
)
_LEAST_QUOTED: Final = 3
_LEAST_QUOTED_UNSPACED: Final = 10
_LEAST_SENTENCE: Final = 6
_LEAST_SENTENCE_UNSPACED: Final = 40
_MOSTLY: Final = 0.6
_NAME_WORDS: Final = 2
# Somebody who is neither of the two says it, does it or did it.
_OTHERS_RE: Final = re.compile(
    r"(?!(?:i|we|you|let|lets|let's|the team|ich|wir|du|je|on|nous|tu|я|мы|ты)\b)"
    r"(?:(?:[^\W\d_][\w'-]*|\d+) ){1,9}?(?:just |once |always |also |all |has |have |had )?"
    r"(?:dicen|dijeron|dizem|disseram|dicono|sagen|sagten|disent|zeggen|says?|said|wrote|writes|told|tells|thinks?|thought|claims?|claimed|recommends?|recommended|suggests?|"
    r"suggested|mentioned|announced|insists?|insisted|swears?|decided|chose|agreed|wants|wanted|demands|prefers|"
    r"sagt|sagte|schrieb|schreibt|meint|meinte|behauptet|empfiehlt|findet|"
    r"dit|écrit|disait|pense|prétend|recommande|conseille|dice|dijo|escribió|escribe|piensa|recomienda|opina|"
    r"disse|diz|escreveu|acha|recomenda|scrive|scritto|pensa|consiglia|sostiene)\b"
    r"|(?:he|she|they|somebody|someone|everyone|everybody|people|der|die|er|sie|il|elle|ils|ell[oa]s?|"
    r"ele|ela|eles|lui|lei|loro) (?!should|must|shall|may|soll|darf|muss)(?:\S+ ){0,2}?"
    r"(?:use[sd]?|always|never|decided|want(?:s|ed)?|keeps?|kept|did|do|hat|haben|war|nimmt|utilise\w*|a|ont|usa\w*|"
    r"ha|han|hanno|tem|têm)\b|(?:at|in) (?:my|our) (?:last|old|former|previous) "
    r"|[^,.]{0,60}(?<!\w)(?:говорит|сказал\w?|пишет|написал\w?|считает|советует|думает|утверждает)(?!\w)"
    r"|[^，。我你您是]{1,10}(?:说(?!明)|写道|认为|觉得)|.{0,80}と(?:言って|書いて|書かれて|いって)"
    r"|.{0,80}(?:(?:라고|다고) (?:했|말|하|써|적))",
    re.IGNORECASE,
)
# What was heard of somebody, by a word or an ending that says so of all that stands before it.
_HEARD_RE: Final = re.compile(
    r".{0,80}(?:다더라|다던데|다네요|다는데요|[ㄴ는]대요)|.{0,80}(?:らしい|とのこと|そうです[。!！\s]*$)|.{0,4}(?:听说|据说|聞いた話)"
    # German has a form of the verb for it.
    r"|.{4,80}\b(?:dürfe|müsse|könne|solle|gehöre|wolle)\b"
)
# The same by who did it: some team, somebody's boss. "The team" alone is one's own.
_OTHERS, _OTHERS_UNSPACED = spelled("others")
_OTHERS_DID_RE: Final = re.compile(
    rf"(?!.*\b(?:must|should|shall|has to|have to|needs? to|may)\b)"
    rf"(?:(?:\S+ ){{2,3}}(?:{_OTHERS})|(?:l'|le |la |el |o |il |a )(?:{_OTHERS}) (?:d[eoai]l? )?\S+) "
    rf"(?:\S+ ){{0,2}}?(?:{spelled('did')[0]})|.{{0,6}}(?:{_OTHERS_UNSPACED}).{{0,20}}(?:{spelled('did')[1]})",
    re.IGNORECASE,
)
# What some "X of mine", or whoever is named so, holds, hopes or was told. Not by "that" alone: "a request that fails"
# and "our rule is that …" are nobody else's words.
_HOLDING: Final = (
    r"believe[sd]?|thinks?|thought|feels?|felt|hopes?|hoped|fears?|feared|heard|(?:is|was|are|were|seems?) "
    r"(?:\w+ )?(?:convinced|sure|certain|adamant|afraid|told)|"
    r"glaub(?:t|te|en|ten)|denk(?:t|en)|dachte|hofft|hoffte|fürchtet|fürchtete|"
    r"(?:ist|war|sind) (?:\w+ )?(?:überzeugt|sicher)|"
    r"croit|croyait|pense|pensait|espère|craint|(?:est|était) (?:\w+ )?(?:convaincue?|sûre?|persuadée?)|"
    r"cree|creía|piensa|pensaba|espera|teme|está (?:\w+ )?(?:convencid[oa]|segur[oa])|"
    r"acredita|acreditava|acha|achava|está (?:\w+ )?(?:convencid[oa]|cert[oa])|"
    r"crede|credeva|spera|è (?:\w+ )?(?:convint[oa]|sicur[oa])|"
    r"gelooft|geloofde|denkt|dacht|hoopt|vreest|is (?:\w+ )?(?:overtuigd|zeker)|"
    r"wierzy\w*|uważa\w*|sądzi\w*|jest (?:\w+ )?(?:przekonan[ya]|pewn[ya])|"
    r"считает|считал\w?|верит|думает|думал\w?|надеется|боится|уверен\w?|убежд[её]н\w?"
)
_HOLDS_RE: Final = re.compile(
    r"(?:my|our|an?|some|his|her|their|mein\w*|ein\w*|unser\w*|mon|ma|mes|une?|notre|nos|mi|mis|nuestr\w+|unos?|unas?|"
    r"meus?|minhas?|um|uma|noss\w+|mi[oa]|miei|nostr\w+|mijn|een|onze|m[oó]\w{1,3}|nasz\w*|мо[йяи]|наш\w?|"
    r"[^\W\d_]+['’]s) "
    rf"(?:[^\W\d_][\w'’-]* ){{1,4}}?(?:{_HOLDING}),? (?:that|dass|que|qu'|che|dat|że|что)(?= \S)",
    re.IGNORECASE,
)
# So the words of somebody else are put behind a colon.
_PUTS_WORDS_RE: Final = re.compile(
    r"(?![^:：]{0,60}\b(?:i|we|ich|wir|je|nous|yo|eu|io|я|мы) )(?:\S+ ){1,8}?(?:wrote|writes|said|says|asked|asks|"
    r"told us|told me|sent|schreibt|schrieb|sagt|sagte|écrit|dit|demande|escribió|escribe|dice|dijo|escreveu|disse|"
    r"scrive|ha scritto|schreef|zegt|napisał\w?|mówi|написал\w?|пишет|сказал\w?)(?: \w+){0,2}[:：]\s",
    re.IGNORECASE,
)
# Somebody who is neither of the two, by what he is.
_SOMEBODY_RE: Final = re.compile(rf"(?:\S+ ){{1,2}}(?:{_OTHERS})|.{{0,4}}(?:{_OTHERS_UNSPACED})", re.IGNORECASE)
_YES: Final = words_for("assent", "nod")
_LONG_AGO_RE: Final = re.compile(any_of("long ago"), re.IGNORECASE)
_THEY_SETTLED_RE: Final = re.compile("|".join(spelled("they settled")), re.IGNORECASE)
_HAS_RE: Final = re.compile("|".join(spelled("has")), re.IGNORECASE)
_REMEMBERS_RE: Final = re.compile(rf"(?:[^\W\d_]{{1,3}}[,.!…]? )?(?:{'|'.join(spelled('remembers'))})", re.IGNORECASE)
_HERE_RE: Final = re.compile(any_of("here"), re.IGNORECASE)
_DOUBTS_RE: Final = re.compile(any_of("doubts"), re.IGNORECASE)
# Whose thing it is, within the first words.
_THEIRS, _THEIRS_UNSPACED = spelled("theirs")
_THEIRS_RE: Final = re.compile(rf"(?:\S+ ){{0,2}}(?:{_THEIRS})|.{{0,4}}(?:{_THEIRS_UNSPACED})", re.IGNORECASE)
# What somebody chose, told behind how it was long ago.
_CHOSE_RE: Final = re.compile(
    r"(?:we|i) (?:\w+ )?(?:chose|decided|picked|settled|agreed|opted|went|used|wrote|built|kept|ran|never)\b",
    re.IGNORECASE,
)
_MOCKS_RE: Final = re.compile("|".join(spelled("mocks")), re.IGNORECASE)
_PRIVATE_RE: Final = re.compile(any_of("private"), re.IGNORECASE)
# A laugh to begin with.
_HA_RE: Final = re.compile(r"[\W_]{0,6}(?:ha|heh|hah|pff+|lol)\b(?=[,.!… ])", re.IGNORECASE)
_APOSTROPHE_RE: Final = re.compile(r"\bdon’?t\b", re.IGNORECASE)
# How it was once, told by the way: who wants it so again says that.
_FORMERLY_RE: Final = re.compile(
    r"(?:(?:i|we|they|you) (?:once |always |all )?used to|(?:way )?back (?:in|then|when)|in (?:19|20)\d\d|"
    r"years ago|früher|damals|à l'époque|autrefois|avant,? (?:on|nous|je)|en su (?:día|momento)|"
    r"antes,? (?:lo |la |nós |nosotros )?\w+(?:aba|ía|íamos|ábamos|ava|ávamos)|antigamente|una volta|ai tempi|"
    r"раньше|когда-то|vroeger|kiedyś|eskiden)(?!\w)|[^，。]{0,6}(?:以前|从前|过去)(?!的)|(?:以前|昔)は|.{0,6}(?:예전에|옛날에)",
    re.IGNORECASE,
)
# What had been settled: where the verb stands at the end.
_HAD_SETTLED_RE: Final = re.compile(
    r"\b(?:hatten?|hadden?) (?:[^\s,.]{1,20} ){1,8}?(?:beschlossen|entschieden|geeinigt|vereinbart|besloten|gekozen)\b",
    re.IGNORECASE,
)
# A thing that does something, always or now: how it behaves, unless the sentence says how it shall.
_BEHAVES_RE: Final = re.compile(
    r"(?![^,;.]*\b(?:must|should|shall|ha(?:s|ve) to|needs? to|may|can|instead|rather)\b)"
    r"(?!(?:i|we|you|let|let's|please|always|never|only|make|keep|use|no|ensure|what\w*|which\w*|how\w*)\b)"
    r"(?:[\w'./-]+ ){1,5}?"
    r"(?:(?:always|never|only|just|still|sometimes|randomly|suddenly|now) (?!be\b)[a-z]{2,}(?:s|ed)\b|"
    r"(?:works?|worked|runs|crashes|fails|hangs|breaks|keeps|stores|uses|has|loads|shows|returns|throws|blocks|"
    r"picks)\b)",
    re.IGNORECASE,
)
# The same without who does it: "never picks up the setting" orders nothing.
_BEHAVES_SO_RE: Final = re.compile(
    r"(?:(?:and|but) )?(?:always|never|still) [a-z]+[a-rt-z]s\b|(?:항상|절대|자꾸|계속) .{1,60}[어아]요[.!\s]*$",
    re.IGNORECASE,
)
# Laughter: what is said with it is not meant.
_LAUGHS_RE: Final = re.compile(
    r"\b(?:(?:ha){2,}h?|(?:he){2,}|lo+l|lmao|rofl|x+d+|(?:ja){2,}j?|(?:ah){2,}|mdr|ptdr|k{3,}|(?:rs){2,}|"
    r"(?:а?ха){2,}\w*|лол)\b|\){3,}|[😂🤣😆😅😜😹]|哈哈|呵呵|笑死|[(（]笑|[wｗ]{3,}$|草$|ㅋㅋ|ㅎㅎ",
    re.IGNORECASE,
)
# That it is well as it is.
_PRAISE_RE: Final = re.compile(
    r"(?:(?:perfect|nice|awesome|cool|amazing|wow|lovely|brilliant|super|yay|prima|toll|klasse|danke|merci|"
    r"génial|parfait|gracias|genial|perfecto|obrigad[oa]|ótimo|perfeito|grazie|perfetto|спасибо|отлично|класс|"
    r"супер)[\W_]+){0,3}"
    r"(?:(?:it|that|this|everything|all)(?: \w+)? (?:works?|worked|helps?|helped|runs)(?! (?:on|with|in|only|if))|"
    r"works (?:now|great|fine|like|perfectly|again|for me)|love it|well done|good job|great job|nice work|"
    r"you(?:'re| are) (?:a |an |the |my |such a |so |really )?"
    r"(?:hero|star|legend|genius|lifesaver|wizard|magician|best|angel|champ\w*|rockstar|awesome|amazing|great|good)\b|"
    r"(?:es |das |jetzt |nun )*(?:funktioniert|klappt|läuft|geht)\b|"
    r"(?:ça |maintenant ){1,2}(?:re)?(?:marche|fonctionne)|"
    r"(?:ya |ahora |todo )*funciona|(?:agora |já )*funcion(?:a|ou)|(?:ora |adesso )*funziona|"
    r"(?:теперь |всё |все )*(?:работает|заработало))"
    r"|(?:that's (?:it|all) for (?:today|now)|see you|bye\b|good ?night|talk (?:to you )?(?:later|tomorrow)|"
    r"bis (?:morgen|dann|später)|tschüss|gute nacht|à (?:demain|plus|bientôt)|bonne (?:nuit|soirée)|hasta (?:mañana|"
    r"luego)|"
    r"adiós|até (?:amanhã|logo|mais)|tchau|a domani|ciao\b|до (?:завтра|свидания|встречи)|пока\b)"
    r"|[\W_]*(?:明天见|再见|晚安|また明日|お疲れ|내일 (?:봐|뵙))"
    r"|[^，。]{0,10}(?:可以了|好了|能用了|成功了|没问题了)[\W_]*$|.{0,30}(?:動きました|動いた|直りました|うまくいき)|"
    r".{0,30}(?:잘 (?:돼|됩|되|작동)|해결됐)",
    re.IGNORECASE,
)


def quoted_spans(text: str) -> list[tuple[int, int]]:
    """Where words of somebody else stand between quotation marks: several sentences or one that is whole."""
    return [match.span() for match in _QUOTED_RE.finditer(text) if _is_sentence(match[0])]


def _is_sentence(quoted: str) -> bool:
    return len(quoted.split()) >= _LEAST_SENTENCE or (not quoted.isascii() and len(quoted) >= _LEAST_SENTENCE_UNSPACED)


def is_quoted(text: str) -> bool:
    """Whether most of it stands in quotation marks: more than a name does."""
    quoted = sum(len(match[0]) for match in _QUOTED_RE.finditer(text) if not _is_name(match))
    return quoted > _MOSTLY * len(text.strip())


def quotes_speech(text: str) -> bool:
    """Whether a sentence of somebody else stands in it behind a colon."""
    return any(
        text[: match.start()].rstrip().endswith((":", "：")) and not _is_name(match)
        for match in _QUOTED_RE.finditer(text)
    )


def without_quoted(text: str) -> str:
    """The words of whoever speaks, and names."""
    return _QUOTED_RE.sub(lambda quoted: quoted[0] if _is_name(quoted) else "'…'", text)


def _is_name(quoted: re.Match[str]) -> bool:
    words = quoted[0]
    return len(words.split()) < _LEAST_QUOTED and (words.isascii() or len(words) - 2 < _LEAST_QUOTED_UNSPACED)


def tells_of_others(said: str) -> bool:
    """Whether it tells what others say or do, or how a thing behaves."""
    return bool(led(_OTHERS_RE, said) or led(_BEHAVES_RE, said) or led(_THEIRS_RE, said))


def tells_of_people(said: str) -> bool:
    """Whether it begins with what somebody else says, thinks or wants."""
    return bool(led(_OTHERS_RE, said) or led(_SOMEBODY_RE, said))


def hears_say(said: str) -> bool:
    """Whether its form says that it was heard of others."""
    is_of_others = led(_OTHERS_DID_RE, said) or led(_THEY_SETTLED_RE, said)
    return bool(_HEARD_RE.match(said) or is_of_others or led(_HOLDS_RE, said) or led(_PUTS_WORDS_RE, said))


def tells_what_is_there(said: str) -> bool:
    """Whether it begins with what somebody has or what there is."""
    return led(_HAS_RE, said) is not None


def was_once(said: str) -> bool:
    """Whether it tells how something was long ago; not where that only stands behind a name, as a reason for it."""
    if led(_FORMERLY_RE, said) or _HAD_SETTLED_RE.search(said):
        return True
    name, pause, _ = said[begin_of(said) :].partition(",")
    is_named = bool(pause) and len(name.split()) <= _NAME_WORDS and _YES.isdisjoint(spoken_words_in(name.lower()))
    is_named = is_named and not _LONG_AGO_RE.search(name)
    return not is_named and _LONG_AGO_RE.search(said) is not None


def is_elsewhere(said: str) -> bool:
    """Whether it begins to tell how something was with others or long ago: what follows it goes on with that."""
    return _REMEMBERS_RE.match(said, begin_of(said)) is not None


def is_here(said: str) -> bool:
    return _HERE_RE.search(said) is not None


def doubts(said: str) -> bool:
    """Whether it says that somebody does not know yet."""
    return _DOUBTS_RE.search(_APOSTROPHE_RE.sub("don't", said)) is not None


def goes_on_about_past(said: str) -> bool:
    """Whether it tells what was done, as somebody goes on to who began with how it was long ago."""
    return led(_CHOSE_RE, said) is not None


def mocks(message: str) -> bool:
    """Whether it opens as somebody does who means the opposite of what he says."""
    return _MOCKS_RE.match(message) is not None


def laughs(message: str) -> bool:
    return _HA_RE.match(message) is not None or _LAUGHS_RE.search(message) is not None


def is_private(said: str) -> bool:
    """Whether it is about home and family."""
    return _PRIVATE_RE.search(said) is not None


def is_not_meant(said: str) -> bool:
    """Whether it praises, jokes, or goes on about how a thing behaves."""
    return bool(led(_PRAISE_RE, said) or _LAUGHS_RE.search(said) or _BEHAVES_SO_RE.match(said))
