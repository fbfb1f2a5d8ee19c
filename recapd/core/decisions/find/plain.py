"""What a person says plainly: sentences that decide by their form, whoever reads them.

    it decides: something is settled, "We'll go with B", "Conclusion: …", "Wir bleiben bei …"
    it orders:  how something shall be, "Keep the API as it is", "Never …", "You are …"
    it wishes:  what somebody would have, "I want …", "Ich möchte …"
    it is open: it asks, supposes, wonders or looks, and nothing is decided yet, whatever its words

Owns these forms, in the languages people talk to agents in. Must not know scores, nor what was done about it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.decisions.exchange import gives_thanks, is_complaint, is_task
from recapd.core.decisions.find.hearsay import (
    hears_say,
    is_not_meant,
    is_quoted,
    tells_of_others,
    tells_of_people,
    tells_what_is_there,
    was_once,
    without_quoted,
)
from recapd.core.decisions.find.lexicon import GROUPS, heard_in
from recapd.core.decisions.kinds import values_in
from recapd.core.decisions.words import begin_of, led, said, spelled, words_for
from recapd.core.secrets import MASK
from recapd.core.text import UNSPACED_RE, spoken_words_in

# A word in front of a colon that heads what was settled.
_HEADED: Final = (
    r"(?:(?:final |key |design |our |my )?(?:decision|decided|conclusion|verdict|resolution|agreed|settled|choice|"
    r"architecture|stack|rule|constraint|requirement|convention)|"
    r"(?:endgültige )?(?:entscheidung|beschluss|beschlossen|entschieden|fazit|ergebnis|architektur|regel|vorgabe)|"
    r"décision|décidé|conclusion|choix|règle|decisión|decidido|conclusión|arquitectura|elección|regla|"
    r"decisão|decidido|conclusão|arquitetura|regra|decisione|deciso|conclusione|architettura|scelta|regola|"
    r"решение|решено|итог|вывод|архитектура|правило|最终决定|决定|结论|架构|规则|決定|結論|方針|결정|결론|"
    r"아키텍처|규칙)"
    r"[*_]{0,2}\s{0,2}[:：][*_]{0,2}\s*\S"
)
# "We decided to …", "it is settled …": somebody of this side did.
_SETTLED: Final = (
    r"(?:(?:we|i|we've|i've|we have|i have|the team(?: has)?|we all|we just|i just)\s(?:now |finally |just |both )?"
    r"(?:decided|agreed|settled|chose|opted|made up (?:my|our) minds?|picked|concluded)\b|"
    r"(?:it|that)(?:'s| is| has been| was)? (?:now )?(?:decided|settled|final|agreed)\b|"
    r"(?:decided|agreed|settled)\b(?=[,.!:]| on\b| that\b| to\b)|(?:my|our|the) (?:decision|choice|pick|"
    r"verdict) is\b|"
    r"(?:wir haben|ich habe|wir) (?:uns |mich )?(?:(?:\S{1,20} ){0,8})(?:beschlossen|entschieden|geeinigt)|"
    r"(?:es|das) (?:ist|steht) (?:beschlossen|entschieden|fest)|(?:on a|nous avons|j'ai|c'est) "
    r"(?:décidé|choisi|opté|tranché)|(?:hemos|he|está|ya) (?:decidido|elegido|acordado)|decidimos|elegimos|"
    r"(?:decidimos|escolhemos|optamos|ficou decidido|está decidido)|(?:abbiamo|ho|è) (?:deciso|scelto|optato)|"
    r"(?:мы |я |уже )?(?:решили|решил|решила|решено|выбрали|выбрал|выбрала|договорились|остановились на)(?!\w)|"
    r"(?:我们|我|大家|已经|已)?(?:决定|定了|商定|敲定|选定)|(?:私たち|我々|チーム)?.{0,20}(?:に決めた|"
    r"に決めました|と決めた|することにした|"
    r"することにしました|に決定)|.{0,40}(?:하기로 (?:했|결정|정했)|로 정했|로 결정했))"
)
# "We'll go with X", "let's use X", "we keep X": what is taken, from now on.
# Behind "keep": what somebody cannot help doing is not chosen.
_HABIT: Final = (
    r"(?:on )?(?:ask|com|do|fail|fall|feel|forgett|gett|go|hav|hear|hitt|los|mak|read|repeat|runn|say|see|tell|think|"
    r"try|wak|wonder|worry)ing\b"
)
_TAKEN: Final = (
    r"(?:(?:we|i)(?:'ll| will|'re going to| are going to|'m going to| am going to|'re| are|'m| am)? "
    r"(?:just |now |all |always |only |not |be )?"
    r"(?:go(?:ing)? (?:with|for|back to|without)|stick(?:ing)? (?:to|with)|stay(?:ing)? (?:with|on)|settl(?:e|"
    r"ing) (?:on|for)|"
    rf"keep(?:ing)?(?! {_HABIT})|"
    r"us(?:e|ing)|adopt(?:ing)?|switch(?:ing)? (?:to|over)|mov(?:e|ing) (?:to|over)|drop(?:ping)?|"
    r"(?:only )?(?:support|require|target|guarantee|forbid)|"
    r"choos(?:e|ing)|pick(?:ing)?|prefer|don't (?:want|need|use)|won't (?:use|need|do|support|have|"
    r"keep|add|ship|allow|build))\b|"
    r"(?:let's|let us|lets) (?:just |all |rather |better |instead |only )?(?:not\b|use\b|keep|go (?:with|for|back|"
    r"without)|stick|stay|call|name\b|rename|move (?:to|away|over|back|\S+ (?:to|into))|switch|drop|remove|avoid|limit|"
    r"restrict|skip|leave|store|put|have\b|default|prefer|choose|pick|adopt|defer|postpone|ignore|replace|allow|treat|"
    r"get rid|settle|\w+ .{2,80}\b(?:instead|rather than|not)\b)|"
    r"go(?:ing)? (?:with|for)\b|stick(?:ing)? (?:to|with)\b|"
    r"(?:wir|ich) (?:nehmen?|verwenden?|nutzen?|benutzen?|bleiben? bei|behalten?|setzen? auf|wechseln? (?:zu|auf)|"
    r"werden? .{1,60}(?:verwenden|nutzen|nehmen|einsetzen)|gehen? (?:mit|auf)|brauchen? kein)|"
    r"(?:lass uns|lasst uns|nehmen wir|verwenden wir|nutzen wir|bleiben wir|behalten wir)\b|"
    r"(?:on|nous) (?:va|allons|part|partons|garde|gardons|prend|prenons|utilise|utilisons|passe|passons|reste|"
    r"restons|"
    r"abandonne|utilisera|utiliserons|gardera)\b|(?:gardons|utilisons|prenons|partons|passons|restons)\b|"
    r"(?:vamos (?:con|a usar|a|de|usar|com|ficar|manter)|usaremos|usamos|nos quedamos|mantenemos|cambiamos|pasamos|"
    r"quedémonos|mantengamos|usemos|prefiero|ficamos|mantemos|mantenhamos|usemos|prefiro)\b|"
    r"(?:usiamo|andiamo (?:con|su)|teniamo|manteniamo|useremo|passiamo a|restiamo|preferisco)\b|"
    r"(?:мы |я )?(?:будем использовать|используем|берём|берем|оставляем|оставим|переходим на|остаёмся|"
    r"предпочитаю)(?!\w)|"
    r"(?:我们|我|那|还是|就)?(?:就|还是|改|都|要|统一)?(?:用|采用|选|使用|保留|沿用|改用|换成|改成)(?= ?\S)|"
    r".{1,40}(?:を使います|を使おう|でいきます|でいこう|を採用|にします|にしよう|のままにします|を維持)|"
    r".{1,40}(?:를|을|로|으로) (?:쓰자|쓰겠|사용하자|사용하겠|사용한다|가자|갑시다|가겠|유지하자|유지한다|하자))"
)
# What is ruled in or out, a rule that everything follows, and how a thing will be, said of the thing.
_RULED: Final = (
    r"(?!(?:it|this|that|there|they|the (?:build|test|tests|server|site|app|page|result|output|log|error)|everything|"
    r"what|if)\b)"
    r"(?:[\w`'./+#-]+ ){1,6}?(?:is|are|c'est|est|es|está|é|è|ist|sind) (?:absolutely |totally |strictly |"
    r"definitely )?(?:out(?=\W|$)|"
    r"off the table|not an option|a no[- ]go|a must\b|mandatory|forbidden|banned|non[- ]negotiable|plenty|good enough|"
    r"(?:enough|fine)(?= for|\W*$|,)|the (?:minimum|maximum|oldest|lowest|limit|default|standard|rule|law|only)\b|"
    r"hors de question|interdite?|obligatoire|fuera de (?:discusión|cuestión)|obligatorio|prohibid[oa]|"
    r"fora de (?:questão|cogitação)|"
    r"proibid[oa]|obrigatório|fuori discussione|vietat[oa]|obbligatori[oa]|vom tisch|tabu|pflicht|verboten)|"
    r"hands off|stay away from|finger weg|that'?s (?:what|how) (?:it'?s|it|we|they|this)\b|"
    r"that'?s (?:non[- ]negotiable|final|a hard (?:line|rule|no)|not up for debate|a must|set in stone)|"
    r"no (?!(?:idea|problem|errors?|luck|worries|clue|difference|output|response|way|need|one|rush|change|matter|"
    r"wonder)\b)"
    r"(?:\S+ ){1,4}?(?:(?:on|in|at|for|from|to|after|before|without)\s|ever\b|please\b)|"
    r"(?:whatever|whoever|anything that|everything that|wer|was auch immer|alles,? was|tout ce qui|quiconque|"
    r"todo lo que|quien|tudo (?:o )?que|quem|tutto ciò che|chiunque|всё,? что|кто|alles wat|wie|wszystko,? co|kto) "
    r"(?:\S+ ){1,5}?(?:gets?|needs?|goes|comes?|stays?|braucht|bekommt|geht|muss|bleibt|doit|passe|reçoit|necesita|va|"
    r"lleva|precisa|vai|leva|serve|deve|нуждается|должно|идёт|moet|krijgt|musi)\b|"
    r"(?:every|each|all|jede[rs]?|alle|chaque|tou(?:te)?s les|cada|tod[oa]s (?:los|las|os|as)|ogni|tutt[ei] (?:i|le|"
    r"gli)|кажд\w+|все) "
    r"(?:\S+ ){1,5}?(?:starts?|ends?|begins?|gets?|needs?|goes|comes?|carr(?:y|ies)|lands?|beginnt|beginnen|bekommt|"
    r"braucht|kommt|"
    r"commence|reçoit|passe|empieza|lleva|recibe|começa|leva|recebe|inizia|riceve|начинается|получает|идёт)\b|"
    r"(?!(?:i|it|this|that|there|they|he|she|you|what|which|if)\b)(?:[\w`'./+#-]+ ){1,4}?(?:is going to be|"
    r"are going to be|"
    r"moves? (?:to|over)|goes? (?:in|into|on|private|public)|"
    r"lives? (?:in|on|under)|seront|sera|será|serán|vai ser|vão ser|sarà|saranno|будет|будут|wordt|worden|będzie|"
    r"będą)\b|"
    r"(?:пусть|niech|que (?:sea|sean|quede|queden|todo|todos|seja|fique|ce soit|tout)|che sia|es bleibt bei|das wird|"
    r"wir machen|wir bauen|wir schreiben|me quedo con|nos quedamos con|lo hacemos|nos vamos a|mejor|fico com|"
    r"fica(?:mos)? com|"
    r"vamos de|je garde|je prends|on fait|on met|teniamo|facciamo|prendo|prendiamo|делаем|пишем|ставим|"
    r"давай(?:те)? (?:лучше )?|"
    r"we (?:nemen|gebruiken|doen|houden)|robimy|bierzemy|używamy|piszemy)(?!\w)|"
    r"\S.{2,60}(?:olsun|kullanalım|kullanacağız|yapalım)[.!]*$|"
    r"[^？?]{2,40}(?:で統一|に統一|で(?:お願いします|行きましょう|いきましょう)|(?:로|으로) (?:통일|바꿔|변경|해줘|"
    r"할게)|统一[用为成])"
)
# "British spelling throughout": a thing without a verb, and that it is so in all places.
_THROUGHOUT: Final = (
    r"(?!(?:it|this|that|there|the)\b)(?:[\w`'./+#-]+ ){1,5}(?:throughout|everywhere|across the board|all the way|"
    r"überall|durchgehend|"
    r"partout|en todas partes|en todo|em tudo|em todo lugar|ovunque|dappertutto|везде|всюду|overal|wszędzie|"
    r"her yerde)\b"
)
# An order that fixes how something is: not "fix the test" or "add a page", which only name a task.
_ORDER: Final = (
    r"(?:please |just |only |always |never |from now on,? |also )*"
    r"(?:keep(?! (?:an eye|going|trying|it up|in mind))|leave|use|don't|do not|"
    r"never(?! (?:have|had|been|seen|heard|saw|mind|did|got|knew|thought|made|ran|used|[a-z]+ed)\b)|"
    r"always|only|avoid|stick|prefer|make sure|ensure|no (?:more|new|longer)|"
    # A place that is named.
    r"(?:write|save|export|place) \S.{1,80}? (?:to|into|in|under) [`'\"]?[\w.~-]*/[\w./-]+|"
    # What it is set to, turned into or taken out of.
    r"make (?!(?:me|us|a|an|some|sure you)\b)(?=\S+ \S)(?!.*\b(?:work|pass|compile|run)\b)|set (?!up\b)(?=.*\bto\b)|"
    r"turn (?:on|off|it|them|the|that)|(?:bump|raise|lower|cut|increase|decrease|reduce|change|switch) .{1,60}\b(?:to|"
    r"by|down)\b|"
    r"go (?:up|down|back) to|swap|rip .{1,40}\bout|relicense|let (?:them|it|him|her|users|people|everyone|the \S+)|"
    r"bring back|"
    r"allow|forbid|disable|enable|require|ship (?:it|this) (?:behind|with|as|without)|"
    r"stop \w+ing|(?:call|name) (?:it|them|(?:the|this|our) \S+(?= \S))|store|put|treat|(?:work|proceed|continue|"
    r"go on|go ahead) without|"
    r"default to|limit|restrict|cap|drop|skip|"
    r"ignore(?! (?:(?:my|the|that|this) )?(?:last|previous|prior|above))|"
    r"you(?:'re| are) (?!right|welcome|correct|wrong|done|free|great|awesome|amazing|missing|not |\w+ing\b)\S+|"
    r"(?:act|behave|answer|respond|reply|speak|write|talk)(?: (?:to )?(?:me|us|them))? (?:as|like|in|only)|"
    r"your (?:name|role|job) is|"
    r"stell\w* .{1,60}\bum|setz\w*|mach\w* .{1,60}\b(?:zu|draus|größer|kleiner)|schalt\w*|behalt\w*|verwend\w*|"
    r"benutz\w*|nutz\w*|nimm|lass|nie(?:mals)?|immer(?! (?:noch|wieder|mehr|öfter))|nur|kein\w*|du bist|achte|"
    r"stell sicher|"
    r"mets|mettez|remets|passe (?:à|en|sur)|gard\w+|utilis\w+|n'utilis\w+|ne \w+ (?:pas|jamais|plus)|"
    r"jamais(?! (?:\w+é|vu|eu|su|pu)\b)|toujours|"
    r"tu es|laisse\w*|évit\w+|"
    r"pon(?:lo|la|los|las)?|cambia (?:a|al|por)|mant[eé]n\w*|usa|usad|no (?:uses|cambies|toques|borres|añadas)|"
    r"nunca(?! (?:\w+ )?(?:he|hemos|había|\w+é)\b)|"
    r"siempre|eres|deja\w*|evita\w*|"
    r"coloca|põe|bota|troca|muda (?:para|pra)|metti|mettil[oaie]|cambia (?:in|con)|passa a|esporta in|mantenha|use|"
    r"não \w+|sempre|você é|deixe|tieni|mantieni|non \w+re|sei|lascia|"
    r"поставь\w*|сделай\w* .{1,40}(?:по умолчанию|вместо)|верни\w*|переведи\w*|gebruik|neem|zet|houd|altijd|nooit|"
    r"alleen|"
    r"użyj|używaj|zostaw|zawsze|nigdy(?! (?:\w+ ){0,2}nie \w+(?:ł[ae]m|liśmy|łyśmy)\b)|tylko|her zaman|asla|sadece|"
    r"оставь\w*|используй\w*|не (?!работает|понимаю|знаю|уверен)\w+(?:й|йте|ть)(?!\w)|"
    r"никогда(?! (?:\w+ ){0,2}не \w+л(?:[аи]|ся|ась|ись)?(?!\w))|всегда|только|"
    r"ты(?= —| -| )|"
    r"保持|保留|使用|不要|别|禁止|必须(?!\S{1,6}的)|只能|只允许|一律|你是|请用|"
    r"常に|必ず|絶対|あなたは|항상|절대|반드시|너는|당신은)(?!\w)"
)
_ORDER_UNSPACED: Final = re.compile(
    r"[\W_]*(?:请|那|都|以后)?(?:保持|保留|使用|采用|不要|别|禁止|必须(?!\S{1,6}的)|只能|只允许|一律|统一|你是|改用|迁移到|切换到|"
    r"换到|移到|用(?=\w))"
    r"|[^，。！？?\s]{1,10}(?:就用|改用|采用|使用|用) ?[A-Za-z]"
    # Behind what is said first: "…, but don't …".
    r"|[^，。！？?]{2,40}，[^，。！？?]{0,6}(?:不要|禁止|不得|只能|必须)"
    r"|.{2,60}(?:しないで|を(?:使って|使い|利用|採用)|のままで|にして|하지 ?마|해야 (?:한다|해)|유지해|사용해|써줘)"
)
# "SQLite it is", "SQLite will do": a name and no verb of its own. "Ok will do" only agrees, and "the way it is" names
# nothing.
_IT_IS: Final = (
    r"(?!(?:it|this|that|which|what|\w+ever|nobody|nothing|none|any\w*|some(?:body|one|thing))\b)(?:\S{1,30} ){0,3}"
    r"(?!(?:as|like|than|way|how|what|where|when|why|i|we|you|he|she|they|ok(?:ay)?|sure|yes|yeah|yep|thanks|cool|great|"
    r"nice|alright|fine)\b)\S{1,30} "
    r"(?:it is(?: then)?|it'll be|it shall be|will do|would do)(?:[.!]?$|[,;])"
)
# One thing for another, or after all otherwise; what is handed over to be made into something else is a task.
_CHANGED: Final = (
    r"(?:(?:please |just |also )*"
    r"(?:switch|move|migrate|(?:change|convert)(?! (?:this|these|the following)\b)) "
    r"(?:\S{1,30} ){0,8}(?:to|from|over)\b|"
    r"(?:please |just )*replace \S.{0,80}\b(?:with|by)\b|(?:please |just )*(?:"
    r"call|name|rename|store|show|place|return|send|load|delete|remove|keep|drop|add|make|"
    r"put|use) .{2,80}"
    r"\b(?:after all|instead|again|back)\b|(?:wechsel\w*|ersetz\w*|stell\w*) .{2,80}\b(?:zu|auf|durch|um)\b|"
    r"(?:bau|schreib|zieh|benenn)\w* .{2,80}\bum\b|"
    r"remplac\w+ .{2,80}\bpar\b|"
    r"(?:cambia|reemplaza|pasa)\w* .{2,80}\b(?:a|por)\b|(?:замени|перейди|переведи)\w* .{2,80}(?:на|в) )"
)
# What somebody would have: firm where there is something to change, and a mere task at the beginning.
_WISH: Final = (
    r"(?:i|we)(?:'d| would)?(?: also| still| just| really| only| actually)? "
    # To want somebody to do something is a task.
    r"(?:want|need|like|prefer|rather)\b(?! (?:you|u) to\b)|"
    r"i (?:don't|do not) (?:like|want)\b|"
    r"(?:wir wollen|ich will|ich möchte|wir möchten|ich hätte gern)|je (?:veux|voudrais|préfère)|j'aimerais|on veut|"
    r"quiero|queremos|quisiera|me gustaría|quero|queremos|gostaria|voglio|vorrei|хочу|хотим|хотелось бы|"
    r"我想要?|我要|我希望|希望|.{1,60}(?:たい|てほしい|싶(?:어|습|다)|좋겠)"
)
_WISHES_RE: Final = re.compile(f"(?:{_WISH})", re.IGNORECASE)
# "…, decided." at the end; "No, X after all".
_SETTLED_AT_END: Final = (
    r".{8,200}[,;—–-] (?:(?:that's |it's )?(?:decided|settled|final|agreed)|beschlossen|entschieden|"
    r"c'est décidé|decidido|"
    r"deciso|решено|就这么定了?|決まり|결정)[.!。！]*$|.{4,100}\b(?:after all|doch lieber|finalement|al final|"
    r"no fim)[.!]*$"
)
# A name alone, for what was before it.
_NAME_INSTEAD_RE: Final = re.compile(
    r"(?!(?:an?|the|some|it|this|that|nothing|shows?|i|we|they|ein\w*|une?|un[oa]?|uma?|il|lo)\b)(?:[^\s,]+ ){1,3}"
    r"(?:instead|stattdessen|à la place|en su lugar|em vez disso|al suo posto|in plaats daarvan|zamiast tego)[.!]*$",
    re.IGNORECASE,
)
_DECIDES_RE: Final = re.compile(
    f"(?:{_HEADED}|{_SETTLED}|{_TAKEN}|{_IT_IS}|{_CHANGED}|{_SETTLED_AT_END})", re.IGNORECASE
)
# How it shall be, or how somebody had thought that it was: who takes it up shows which.
_OUGHT_RE: Final = re.compile(
    r"should (?:be|sound|look|have|use|go|read|feel|stay|always|never|only)(?!\w)", re.IGNORECASE
)
_SETTLES_RE: Final = re.compile(f"(?:{_HEADED}|{_SETTLED}|{_TAKEN}|{_IT_IS}|{_CHANGED})", re.IGNORECASE)
_ORDERS_RE: Final = re.compile(f"{_ORDER}", re.IGNORECASE)
_RULES_RE: Final = re.compile(f"(?:{_RULED}|{_THROUGHOUT})", re.IGNORECASE)
# How something shall be, said of the thing: "X must …", "X should not …", "X is no longer needed".
_SHALL_RE: Final = re.compile(
    r"(?:[,;—–-]|\b(?:and|but)) (?:never|only|always|at most|no more than|nie(?:mals)?|nur|jamais|seulement|"
    r"nunca|solo|sólo|"
    r"siempre|sempre|mai|никогда|только|всегда)\b|\b(?:no|never|not) more than\b|\bhöchstens\b|"
    # Of who tells, and of what is told of in passing, it says nothing: "I should mention", "a text that should".
    r"(?<!\bi )(?<!\bthat )(?<!\bwhich )(?<!\bthere )(?<!\bwho )(?<!^)"
    r"\b(?:must(?:n't)?|shall|should(?:n't)?"
    r"(?! (?:mean|look|be (?:set|fine|ok(?:ay)?|there|done|working|enough)\b))|"
    r"has to|have to|needs to|need to stay|is no longer|are no longer|no longer needed|may (?:only|not|never)|"
    r"(?:can't|cannot|can not) (?:exceed|go (?:over|above|below|beyond)|be (?:more|less|longer|larger|bigger|older))|"
    r"muss|müssen|soll(?:en|te|ten)?|darf|dürfen|doit|doivent|devrait|debe|deben|debería|tiene que|deve|devem|"
    r"deveria|devono|tienen que|tem que|têm que|deber[áa]n?|dever(?:á|ão)|devr(?:a|ont|à)|dovr(?:à|anno)|"
    r"moet|moeten|musi|muszą|\w{2,20}(?:malı|meli)(?:dır|dir|lar|ler)?|"
    r"должен|должна|должно|должны|нельзя)\b|必须(?!\S{1,6}的)|不能|不得|应该|不应|只能|才可以|才允许|"
    r"べき|なければ|てはいけ|"
    r"해야|하지 않",
    re.IGNORECASE,
)
# What somebody sees or ran into: it tells how things are, not how they shall be.
_REPORTS_RE: Final = re.compile(
    rf"(?:it(?:'s| is| was| does| doesn't| did| didn't| looks?| seems?| still| keeps)|"
    r"(?:this|that|these|those|they|there)(?: \w+)? (?:is|are|was|were|does|doesn't|do|don't|did|seems?|looks?|still)|"
    rf"(?:i|we) keep {_HABIT}|"
    r"i (?:just |only |still )?(?:ran|run|tried|see|saw|got|get|noticed?|found|would have expected)|"
    r"(?:the|my|your|our) (?:\S+ ){1,5}(?:is|are|was|were|does|doesn't|don't|did|keeps|looks?|still)|"
    r"still (?!use|keep)|"
    r"(?:while|when) running|es (?:ist|sieht|scheint|geht)|das (?:ist|geht|funktioniert|sieht)|immer noch|"
    r"(?:c'est|ça|il y a|cela) |toujours |(?:esto|eso|sigue|todavía|parece) |(?:isso|ainda|parece) |(?:ancora|sembra) |"
    r"(?:это|всё ещё|все еще|опять|кажется))(?!\w)",
    re.IGNORECASE,
)
_REPORTS_UNSPACED: Final = re.compile(
    r"[\W_]*(?:还是|依旧|依然|仍然?|又)(?:不|没|报|出|有)|.{0,40}(?:好像|报错|出错了|不行$)"
)
# What follows is not settled: a question, a case, a doubt, a look.
_OPEN_RE: Final = re.compile(
    r"(?:if|when|unless|suppose|assuming|imagine|what if|in case|once(?! an? )|whether|"
    r"should (?:we|i|it)|shall (?:we|i)|could|can|would|do (?:we|you|i)|does|did|is|are|was|were|have (?:we|you)|has|"
    r"why|how|what|which|who|where|"
    r"maybe|perhaps|possibly|i (?:wonder|doubt|guess|was thinking|am thinking|'m thinking)|i'm (?:thinking|"
    r"wondering|not sure)|"
    r"not sure|no idea|i (?:don't|do not) (?:know|think|see|understand|remember)|we (?:haven't|have not|did not|"
    r"didn't) |"
    r"(?:please )?(?:(?:have|take) a look|check|look(?! (?:under|in|for|at) .{1,80}\binstead\b)|see|"
    r"show(?= (?:me|us|what|which|how|why|where|the (?:logs?|"
    r"diff|output|code|results?|"
    r"errors?|files?|list|status))\b)|tell (?:me|us)|give me|explain|remind|compare|list|read(?! \S{1,30} from\b)|"
    r"find|review|"
    r"analy[sz]e|investigate|discuss|think|consider|describe|summari[sz]e|examine|verify|test)\b(?!-\w)"
    # "Test runs must be short" names something, and is no order.
    r"(?! (?!(?:that|this|it|these|those|they|there|we|i|you|he|she|what|who|which)\b)\w+ "
    r"(?:shall|must|has to|have to)\b)|"
    r"wenn|falls|ob|sollen wir|sollten|soll ich|warum|wie|was|welche\w*|wer|wo|vielleicht|angenommen|prüf\w*|"
    r"schau\w*|zeig\w* (?:mir|uns|mal)|erklär\w*|"
    r"si|pourquoi|comment|quel\w*|peut-être|est-ce|vérifie|montre-moi|explique|"
    r"por qué|cómo|qué|cuál|quizás?|tal vez|deberíamos|revisa|muéstrame|explica|se|perché|come|quale|forse|caso|"
    r"por que|talvez|"
    r"если|почему|как|что|какой|какая|может|возможно|стоит ли|проверь|покажи|объясни)(?!\w)",
    re.IGNORECASE,
)
_WONDERS, _WONDERS_UNSPACED = spelled("wonders")
_WONDERS_RE: Final = re.compile(rf"(?:{_WONDERS})|.{{0,40}}(?:{_WONDERS_UNSPACED})", re.IGNORECASE)
_OPEN_UNSPACED: Final = re.compile(
    r"[\W_]*(?:如果|假如|要是|为什么|怎么|如何|是否|是不是|能不能|可不可以|要不要|也许|可能|看看|检查|查看|分析|"
    r"もし|なぜ|どう|만약|왜|어떻게|혹시)"
    r"|.{0,200}(?:什么|哪[个些里种]|多少)|.{0,200}(?:吗|呢|么|ですか|ますか|かな|なあ|なぁ|んだろう|のだろう|でしょう|나요|까요|을까|인가)[?？。.!！\s]*$"
)
# A doubt behind what is said.
_HEDGED_RE: Final = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|i (?:guess|suppose|think)|or (?:so|something)|vielleicht|wahrscheinlich|"
    r"glaube? ich|peut-être|je crois|quizás?|tal vez|creo|talvez|acho|forse|credo|может быть|наверное|возможно)"
    r"(?: (?:today|now|then|too|though|or so|or something))?[.!…\s]*$",
    re.IGNORECASE,
)
_UNSETTLED_RE: Final = re.compile(
    r"\b(?:haven't|hasn't|have not|not|never|before we|until we|yet to|when we|once we|after we|what we|why we|"
    r"how we|who)\s+"
    r"(?:\w+\s){0,2}(?:decid\w+|settl\w+|agree\w*|chos\w+|choos\w+)|\bundecided\b|"
    r"\bno [a-z]{2,12}\b[^.]{0,24}\byet\b|\b(?:or)\b[^.]{1,40}\?|"
    # And who has to be asked.
    r"\b(?:has|have|needs?|wants?) to (?:look|check|decide|think|ask|confirm|approve|sign)\b.{0,20}\bfirst\b|"
    r"\bnoch nicht (?:entschieden|beschlossen)|pas encore (?:décidé|choisi)|(?:aún|todavía) no .{0,20}decid|"
    r"ещё не решил|еще не решил|还没(?:有)?(?:决定|定)|まだ決め|아직 (?:결정|정하)|"
    # Somebody who says so is still thinking.
    r"\b(?:let me (?:think|talk|ask|check with)|weiß (?:es )?noch nicht|j'y réfléchis|lo pensaré|lo voy a pensar|"
    r"vou pensar|ci penso|"
    r"подумаю|bilmiyorum|bir düşüneyim)\b|再想想|考虑一下|考え中|(?:して|てみて|聞いて|見て)から決め|생각해 ?볼",
    re.IGNORECASE,
)
_AGAINST_RE: Final = re.compile(
    r"(?:,| -| —| and| but) not \S|\binstead\b|\brather than\b|\bno longer\b|, nicht \S|\bstatt\b|, pas \S|"
    r"au lieu|plutôt que|"
    r", no \S|en (?:lugar|vez) de|em vez de|, não \S|invece|, non \S|, а не |вместо|而不是|不是|ではなく|말고|대신",
    re.IGNORECASE,
)
# What "we" do, by the form of the verb alone: for good where it says so, else as far as it is taken up.
_BEFALLS, _BEFALLS_UNSPACED = spelled("befalls")
_WE_SHALL_RE: Final = re.compile(
    rf"we(?:'ll| will| won't|(?:'re| are) (?:not|going to))(?: (?:all|just|now|only|always|never|not|simply))* "
    rf"(?!{_BEFALLS})[a-z]+",
    re.IGNORECASE,
)
_WE_DO_RE: Final = re.compile(
    r"(?:(?:lo|la|los|las|le|les|il|ya|già|pues|così|so|und|ab jetzt|ora|agora|ahora) )*"
    r"(?:(?:we|wij|wir)(?:'re| are)? (?:(?:now|just|all|only|always|never|don't|"
    r"do not) )?([a-zäöüß]{3,})|"
    r"on ([a-zà-ÿ']{3,})|nous (\w+ons)|a gente (\w+)|"
    r"([a-zà-ÿ]{2,}(?:amos|emos|imos|iamo))(?<!ábamos)(?<!íamos)(?<!ávamos)|"
    # Where the ending alone says who, the verb may stand behind what it is done to.
    r"(?:\S+ ){0,4}?(?:мы )?([а-яё]{3,}(?:ем|ём|им|емся|имся))|"
    r"(?:\S+ ){0,4}?(?:my )?([a-ząćęłńóśźż]{3,}my)(?<!śmy))(?!\w)"
    r"|.{2,80} (\w+(?:alım|elim|acağız|eceğiz|[ıiuü]yoruz))[.!]*$"
    r"|.{2,60}(?<!みて)(?:しましょう|にします|ていきます|合わせます)[。！!]*$|.{2,60}(?:합시다|하죠|"
    r"하기로 해요|기로 합니다)[.!]*$",
    re.IGNORECASE,
)
_BEFALLS_RE: Final = re.compile(_BEFALLS, re.IGNORECASE)
# "Run the tests ...": a word that is no other part of speech, and behind it what it is done to.
_CLOSED: Final = (
    r"(?:i|we|you|he|she|it|they|this|that|these|those|there|here|the|an?|my|our|your|his|her|its|their|one|two|three|"
    r"both|all|every|each|any|some|no|not|none|nothing|what|which|who|why|how|where|when|if|is|are|was|were|be|"
    r"been|am|do|"
    r"does|did|done|has|have|had|can|could|will|would|shall|should|may|might|must|in|on|at|to|of|for|from|with|"
    r"without|by|"
    r"about|as|like|than|over|under|after|before|since|until|during|through|and|or|but|so|because|then|now|just|"
    r"only|also|"
    r"too|very|still|even|yes|ok|okay|maybe|perhaps|same|such|more|most|less|much|many|good|great|nice|fine|love|hate|"
    r"got|saw|ran|went|came|took|made|said|told|thought|felt|kept|left|lost|found|broke|wrote|sent|built|need|"
    r"want|wish|"
    r"guess|think|know|see|hope|thanks|sorry|part|half|lots|plenty|way|well|never|always|back|interesting|instead|"
    r"next|first|last|later|soon|today|yesterday|tomorrow|everyone|everybody|nobody|someone|people|such|quite)"
)
_IMPERATIVE_RE: Final = re.compile(
    rf"(?!{_CLOSED}\b)(?![a-z]+(?<!ss)(?<!us)s\b|[a-z]+(?<!e)(?<!fe)(?<!se)ed\b|[a-z-]{{3,}}(?<!br)(?<!str)ing\b|"
    r"[a-z]+ly\b)[a-z]{2,}(?:-[a-z]+)? "
    r"(?:the|an?|this|that|these|those|it|them|all|every|each|any|our|my|your|its|their|both|no|one|new|everything|"
    r"nothing|to|into|up|down|out|off|on|back|in|at|with|from|for|within|under|below|above|inside|[a-z]+ly|\d+|"
    r"[`'\"])(?!\w)",
    re.IGNORECASE,
)
_FIRST_RE: Final = re.compile(r"([^\W\d_]+) [\w`'\"«“„]", re.IGNORECASE)
_ORDERS: Final = words_for("order")
_VERBS: Final = tuple(GROUPS.index(group) for group in ("act", "look", "fix", "work"))
# The same where the verb comes last.
_REQUEST_RE: Final = re.compile(
    rf"(?:{spelled('order')[1]})|(?:てください|て下さい|でください|てほしい(?:です)?|해 ?주세요|해 ?줘요?|하세요|"
    rf"할 것|써 ?줘)[。.!！\s]*$|"
    r"^[\W_]*(?:请|务必|把)"
)
# It is set to a number.
_TO_NUMBER_RE: Final = re.compile(
    r"\b(?:at|to|below|above|under|over|within|after|per|every|of|by|auf|nach|unter|über|à|après|sous|a|en|em|"
    r"após|dopo|su|"
    r"na|po|op|на|до|через) \$?€?\d|\b(?:once|twice|(?:two|three|four|five|six|ten) times)\b",
    re.IGNORECASE,
)
_RULE_RE: Final = re.compile(said("rule"), re.IGNORECASE)
_ASKS_FOR_RE: Final = re.compile(said("asks for"), re.IGNORECASE)
# All that a sentence may say that only asks to look into what stands before it; the same where words are not apart.
_LOOKS_AFTER_RE: Final = re.compile(spelled("looks after")[1])
_ASKING_TO_LOOK_RE: Final = re.compile(rf"{spelled('looks after', 'asks for', 'it', 'leads up')[1]}|[\W_]")
_LOOKING: Final = words_for("looks after")
_ASKING_TO_LOOK: Final = words_for("looks after", "asks for", "it", "leads up", "function word")
_FEW_CHARS: Final = 20
_DEMURS_RE: Final = re.compile("|".join(spelled("demurs")), re.IGNORECASE)
_FROM_NOW_ON_RE: Final = re.compile(said("from now on"), re.IGNORECASE)
_FROM_TODAY_ON_RE: Final = re.compile(said("from today on"), re.IGNORECASE)
_STAYS_SO_RE: Final = re.compile(said("stays so"), re.IGNORECASE)
_WANTS_NONE_RE: Final = re.compile("|".join(spelled("wants none")), re.IGNORECASE)
# What stands before a colon: so many words behind the one that heads it.
_RULE_HEAD_RE: Final = re.compile(
    rf"(?:{'|'.join(spelled('rule head'))})(?: [^\s:：?？]+){{0,8}} ?[:：]\s*(?=\S)", re.IGNORECASE
)
_HEAD_RE: Final = re.compile(
    rf"(?:{'|'.join(spelled('heads'))})(?: [^\s:：?？]+){{0,8}} ?[:：]\s*(?=\S)", re.IGNORECASE
)
_ONCE_MORE_RE: Final = re.compile(said("once more"), re.IGNORECASE)
_NOT_RE: Final = re.compile(said("not"), re.IGNORECASE)
# Who does something or has it.
_WHOSE_RE: Final = re.compile(
    r"\b(?:is|are) (?:the ones? who|hers|his|theirs|mine|yours|ours|up to)\b|\bbelongs? to\b|\byou (?:can|may)\b|"
    r"\b(?:darf|dürfen|gehört|zuständig)\b|\bc'est \S+ qui\b|\bpeux\b|\bes \S+ quien\b|\bpuedes?\b|"
    r"\bé (?:[oa] )?\S+ quem\b|"
    r"\bpodes?\b|\bè \S+ che\b|\bpuoi\b|\bmag\b|может|можешь",
    re.IGNORECASE,
)
_VALUE_RE: Final = re.compile(r"[^\W\d_][\w -]{1,30}: ?([\w#+./-]+(?: [\w#+./-]+){0,3})[.!]?", re.IGNORECASE)
_PAST_RE: Final = re.compile(
    r"(?:[\w'./-]+ ){1,4}?(?:was|were|had|did|didn't|went|came|took|made|said|told|thought|felt|kept|left|"
    r"lost|threw|showed|gave|fell|came|began|stopped|hung|died|"
    r"found|broke|wrote|sent|built|got|saw|ran|forgot|asked|war|waren|hatte|hatten|wurde|était|étaient|avait|era|eran|"
    r"estaba|fue|fueron|foi|foram|estava|erano|stava|был|была|было|были)(?!\w)",
    re.IGNORECASE,
)
_RULE_OR_EACH_RE: Final = re.compile(said("rule", "each"), re.IGNORECASE)
# How a thing shall be, said of it: "X will use Y", "X stays private", "our style is tabs", "all dates are in UTC".
_CONVENTION: Final = spelled("convention")[0]
_NORM_RE: Final = re.compile(
    rf"(?:(?!(?:it|this|that|there|they|he|she|i|you|we|what|which|if)\b)(?:[\w`'./+#-]+ ){{1,5}}?"
    r"(?:(?:is|are)(?: not|n't) (?:coming|going|getting|happening|allowed|welcome|leaving|touching)\b|"
    r"will (?!be (?:fine|ok|nice|great|good|hard|slow|late|back|there|in touch)\b)|won't |stays? |remains? |"
    r"has to |have to |bleib(?:t|en) |rest(?:e|ent|a|ano) |quedan? |fica(?:m)? |blijft |blijven |zostaje |"
    r"остаётся |остается |"
    r"остаются )|"
    rf"(?:our|my|the|its|unser\w*|mein\w*|der|die|das|notre|nos|le|la|nuestr\w+|el|noss[oa]|o|a|il|nostr[oa]|l'|"
    rf"onze|ons|"
    rf"nasz\w*|наш\w*) (?:\w+ )?(?:{_CONVENTION}) (?:is|are|will be|ist|est|es|é|è|jest|:|—) (?!too|so |not |wrong|"
    rf"still))"
    rf"|.{{2,40}}(?:olacak|kalacak|kalsın|edilecek|yazılacak)[.!]*$"
    rf"|(?:\S+ ){{1,8}}(?:is|are) (?:how|what|the way) (?:i|we) (?:like|want|do|prefer|roll)\b",
    re.IGNORECASE,
)
_CALLED_RE: Final = re.compile(said("is called"), re.IGNORECASE)
_ONLY_FOR_RE: Final = re.compile(
    r"\bfor \S+(?: \S+)? only\W*$|\bnur für\b|\bsolo (?:para|per)\b|\bsó para\b", re.IGNORECASE
)
# It shall be so and is not: somebody reports a fault.
_UNMET_RE: Final = re.compile(
    rf"(?:[,;]? {said('but')}) (?:\S+ ){{0,3}}?(?:it |this |that |they |er |sie |es |il |ça |ele |lo |non |ne |no |"
    rf"não |nie |"
    r"niet |не |does|doesn't|isn't|is |are |aren't|don't|instead|still|shows?|zeigt|macht|affiche|muestra|mostra|toont|"
    r"pokazuje|показывает|stays)"
    rf"|[,;] (?:\S+ ){{0,3}}{said('but')} {said('not')}"
    r"|\bama\b[^.]{0,60}yor(?:lar)?\b"
    rf"|\b(?:not|n't|nicht|pas|no|não|non|niet|nie|не) (?:\w+ )?(?:{spelled('happens')[0]})[.!\s]*$"
    rf"|不(?:应该|该)(?:{spelled('happens')[1]})|はず(?:なの|です|が)",
    re.IGNORECASE,
)
# "Ok, but …" only leads up to it.
_BUT_FIRST_RE: Final = re.compile(rf"\A\W*(?:(?:{spelled('leads up')[0]})\W+)?{said('but')}\s+", re.IGNORECASE)
# "That cannot be", at the end.
_MUST_NOT_BE_RE: Final = re.compile(
    rf"\b(?:can|may|darf|dürfte|mag|peut|puede|pode|può|może|может) (?:\S+ )?(?:not|nicht|pas|no|não|non|niet|nie|не) "
    rf"(?:\S+ )?(?:{spelled('happens')[0]})[.!\s]*$|\b(?:can't|cannot|no puede|não pode|non può|не может|nie może) "
    rf"(?:\S+ )?(?:{spelled('happens')[0]})[.!\s]*$",
    re.IGNORECASE,
)
_OBLIGES_RE: Final = re.compile(
    r"\b(?:must|should(?:n't)?|has to|have to|needs? to|supposed to|ought|muss|müss\w*|soll\w*|doit|devrait|"
    r"debe\w*|tendría|"
    r"deb[ií]a|deve|deveria|dovrebbe|moet|zou|powin\w+|gerek|\w{2,20}(?:malı|meli)|должн\w*|должен)\b|应该|该|はず|べき|해야",
    re.IGNORECASE,
)
_SEEMS_RE: Final = re.compile(rf"{said('seems')}", re.IGNORECASE)
# Words in code marks are names, whatever they say.
_CODE_RE: Final = re.compile(r"`[^`\n]*`")
# It wants to be told something, by whatever means.
_WANTS_TO_KNOW_RE: Final = re.compile(
    r"\b(?:and|to|then|,) (?:please )?(?:tell me|show me|let me know|give me|explain (?:why|how|what|it|this|that))\b|"
    r"\b(?:want|wanna|like) (?:to )?(?:see|know|check|find out) (?:if|whether|how|what|why|which)\b|"
    r"\b(?:sehen|wissen|schauen),? ob\b|\b(?:voir|savoir) si\b|\b(?:ver|saber) s[ei]\b|\b(?:vedere|sapere) se\b|"
    r"\b(?:zien|weten) of\b|\b(?:zobaczyć|sprawdzić),? czy\b|(?:узнать|посмотреть|понять), (?:как|что|будет|работает)|"
    r"(?:使?用).{1,20}(?:查询|查一|搜索)|"
    r"\b(?:can|could|would) (?:you|u) (?:\w+ ){0,3}(?:explain|tell|remind)\b|"
    r"\b(?:kannst|könntest) du (?:\w+ ){0,4}(?:erklären|sagen|zeigen)\b|"
    r"\b(?:peux|pourrais)[- ]tu (?:\S+ ){0,3}expliquer\b|"
    r"\b(?:puedes|podrías) (?:\w+ ){0,2}explicar|\b(?:podes?|pode|poderia) (?:\w+ ){0,2}explicar|"
    r"\b(?:puoi|potresti) (?:\w+ ){0,2}spiegar|\bkun je (?:\w+ ){0,4}uitleggen\b|możesz (?:\w+ ){0,3}wyjaśnić|"
    r"(?:можешь|мог бы|могла бы) (?:\w+ ){0,3}объяснить|açıkla(?:r|yabilir) mısın|"
    r"解释一下|告诉我|説明して(?:くれ|もらえ|いただけ|ください)|教えて|설명해 ?줄|알려 ?[주줘]",
    re.IGNORECASE,
)
_APOSTROPHE_RE: Final = re.compile(
    r"\b(?:(don|doesn|won|didn|can|isn|shouldn|aren|wasn)(t)|(let|that|there)(s)|(i)(m|ve))\b", re.IGNORECASE
)
_ASKS_RE: Final = re.compile(r"[?？][\"'”’)*_\s]*$")
# A thought that trails off.
_TRAILS_RE: Final = re.compile(r"(?:\.\.\.|…)\s*$")
_PAUSE_RE: Final = re.compile(r"[,;]\s+(?:so |and |but |also )?|\s[-–—]+\s|，")
_LEAST_CLAUSE: Final = 12
_FEW_WORDS: Final = 3
# Letters beside a secret that say something.
_LEAST_WORDS: Final = 24
# Wider than this it is a text, not a statement.
_MOST_CHARS: Final = 400
_SLIP_RE: Final = re.compile(
    r"\b(?:by (?:accident|mistake)|accidentally|aus versehen|par (?:erreur|accident)|sin querer|por error|sem querer|"
    r"per sbaglio|случайно|по ошибке)\b|手滑|误(?:触|按|操作)|間違えて|실수로",
    re.IGNORECASE,
)
# An unfilled place of a template: "{{feature}}", "$ARGUMENTS", "<your text here>", "[describe the change]".
_UNFILLED_RE: Final = re.compile(
    r"\{\{[^{}\n]{1,60}\}\}|\$\{?[A-Z][A-Z_]{2,40}\}?(?![\w/])|<(?:your|insert|describe|enter|add|the|name|"
    r"todo)\b[^<>\n]{0,60}>"
    r"|\[(?:your|insert|describe|enter|add|todo|name of|what|why|which|how|e\.g\.)\b[^\[\]\n]{0,60}\](?!\()",
    re.IGNORECASE,
)


class Form(Struct, frozen=True, gc=False):
    """How a sentence says what it says. Where it leaves something open it does nothing else."""

    is_open: bool = False
    decides: bool = False
    # It says so outright: "Decision: …", "we agreed on …", "we'll use …"; not by how it ends.
    is_settled: bool = False
    orders: bool = False
    # It orders by its first words; it rules something in or out.
    commands: bool = False
    rules: bool = False
    wishes: bool = False
    # A wish that names what it is not.
    is_against: bool = False
    # It tells how things are.
    reports: bool = False
    # It may say how something is to be from now on, or how it is: whoever takes it up shows which.
    states: bool = False
    # It tells to do something, and that it is to be so for good.
    sets_rule: bool = False
    # It tells to do something, and no word of it says that it is to be so for good.
    is_task: bool = False

    @property
    def says_how(self) -> bool:
        """It settles something, orders or wishes it."""
        return self.decides or self.orders or self.wishes


def form_of(text: str) -> Form:
    return _form_of(text[: _MOST_CHARS + 1])


# A scene asks it of each sentence several times, and once more when it is judged again for what was said next.
@lru_cache(maxsize=512)
def _form_of(text: str) -> Form:
    said = _plain(text)
    if _is_open(said):
        return Form(is_open=True)
    own = without_quoted(said)
    if head := led(_HEAD_RE, own):
        own = own[head.end() :]
    rule_head = led(_RULE_HEAD_RE, own)
    if _is_open(own) or (rule_head and _is_open(own[rule_head.end() :])):
        return Form(is_open=True)
    clauses = (own, *_clauses_behind(own), *_behind_from_now_on(own))
    if is_unmet(own) or hears_say(own) or (was_once(own) and not any(map(says_what_we_do, clauses[1:]))):
        return Form(reports=True)
    decides = rule_head is not None or any(led(_DECIDES_RE, each) or led(_WE_SHALL_RE, each) for each in clauses)
    # Where nothing stands before it, or something is wrong, it may be what came out instead.
    decides = decides or any(led(_NAME_INSTEAD_RE, each) and not is_complaint(each) for each in clauses[1:])
    tells_to = any(led(_ORDERS_RE, each) for each in (own, *_behind_from_now_on(own)))
    rules = any(led(_RULES_RE, each) and not is_complaint(_PAUSE_RE.split(each, 1)[0]) for each in clauses)
    is_fixed = stays_so(own) and not is_complaint(own)
    # A rule may be about errors, or about what cannot be: that is no complaint.
    is_new = _FROM_NOW_ON_RE.search(own) is not None or (
        _FROM_TODAY_ON_RE.search(own) is not None and not is_complaint(own)
    )
    is_fixed = is_fixed or (is_new and not tells_of_people(own))
    rules = rules or is_fixed or any(led(_WANTS_NONE_RE, each) for each in clauses)
    sets_rule = any(map(_is_order_with_rule, clauses))
    if led(_DEMURS_RE, own) and not (decides or rules):
        return Form(is_open=True)
    if (
        is_quoted(said)
        or is_not_meant(own)
        or (
            (tells_of_others(own) or tells_what_is_there(own))
            and not (decides or tells_to or rules or sets_rule or _has_rule_behind(own))
        )
    ):
        return Form(reports=True)
    commands = tells_to or _ORDER_UNSPACED.match(own) is not None
    states = any(map(_states, clauses)) and not gives_thanks(own)
    reports = _reports(own) and not any(_tells_to(each) or says_what_we_do(each) for each in clauses[1:])
    return Form(
        decides=decides,
        is_settled=rule_head is not None or any(led(_SETTLES_RE, each) for each in clauses),
        orders=commands
        or rules
        or led(_OUGHT_RE, own) is not None
        or _SHALL_RE.search(_CODE_RE.sub("", own)) is not None,
        commands=commands,
        rules=rules,
        wishes=led(_WISHES_RE, own) is not None,
        is_against=_AGAINST_RE.search(own) is not None,
        reports=reports,
        states=states,
        sets_rule=sets_rule,
        is_task=not (states or decides or commands or rules) and _tells_to(own) and not sets_by_order(own),
    )


def _behind_from_now_on(said: str) -> list[str]:
    """What begins with that it is so from now on, without that."""
    found = _FROM_NOW_ON_RE.match(said, begin_of(said))
    return [said[found.end() :].lstrip(" ,:")] if found is not None else []


def lays_down(text: str) -> bool:
    """Whether it tells how something is to be done or left undone for good: no task that is over once it is done."""
    form = form_of(text)
    said = _plain(text)
    return form.sets_rule or (form.commands and bool(_RULE_RE.search(said) or _NOT_RE.search(said)))


def _has_rule_behind(said: str) -> bool:
    """Whether a few words behind a pause make it a rule: "…, no exceptions"."""
    return any(len(each.split()) <= _FEW_WORDS and _RULE_RE.match(each) for each in _PAUSE_RE.split(said)[1:])


def _reports(said: str) -> bool:
    """Whether it tells what somebody sees, and not how it is settled to be."""
    tells = led(_REPORTS_RE, said) or _REPORTS_UNSPACED.match(said) or led(_SEEMS_RE, said)
    is_norm = led(_NORM_RE, said) or _ONLY_FOR_RE.search(said)
    return tells is not None and (not is_norm or is_complaint(said))


def is_unmet(said: str) -> bool:
    """Whether it says that something should be so and is not."""
    said = _BUT_FIRST_RE.sub("", _plain(said), count=1)
    return _MUST_NOT_BE_RE.search(said) is not None or (
        _OBLIGES_RE.search(said) is not None and _UNMET_RE.search(said) is not None
    )


def _is_order_with_rule(said: str) -> bool:
    """Whether it tells to do something, and that it is to be so for good or for nothing else."""
    # "In future please keep it short": the order stands behind the rule's word.
    first = _RULE_RE.match(said, begin_of(said))
    is_order = _tells_to(said) or (first is not None and _tells_to(said[first.end() :].lstrip(" ,")))
    if not is_order or _RULE_RE.search(said) is None:
        return False
    return not (is_complaint(said) or _ONCE_MORE_RE.search(said))


def _tells_to(said: str) -> bool:
    """Whether it begins as an order does, or ends so where that is where verbs stand."""
    if _IMPERATIVE_RE.match(said, begin_of(said)) or _REQUEST_RE.search(said):
        return True
    first = _FIRST_RE.match(said, begin_of(said))
    return sets_by_order(said) or (first is not None and bool(_verb_groups(first[1].lower())))


def asks_for_work(text: str) -> bool:
    """Whether it tells or asks to do something, and not to explain it."""
    said = _plain(text)
    if _WANTS_TO_KNOW_RE.search(said) or lays_down(said):
        return False
    return is_task(said) or _ASKS_FOR_RE.search(said) is not None


def only_asks_to_look(text: str) -> bool:
    """Whether it asks to look into something or to mend it, and does not say what: it stands before it."""
    said = _plain(text).lower()
    if UNSPACED_RE.search(said):
        return len(said) <= _FEW_CHARS and not _ASKING_TO_LOOK_RE.sub("", said) and bool(_LOOKS_AFTER_RE.search(said))
    words = spoken_words_in(said)
    return not _LOOKING.isdisjoint(words) and _ASKING_TO_LOOK.issuperset(words)


def has_rule(text: str) -> bool:
    """Whether a word of it says that it is so for good, for nothing else or to no more than that."""
    return _RULE_RE.search(_plain(text)) is not None


def demurs(text: str) -> bool:
    """Whether it begins with that somebody does not think or know."""
    return led(_DEMURS_RE, _plain(text)) is not None


def stays_so(text: str) -> bool:
    """Whether it says of what it tells that it shall stay so."""
    return _STAYS_SO_RE.search(text) is not None


def tells_to(text: str) -> bool:
    """Whether it begins as an order does, or ends so."""
    return _tells_to(_plain(text))


def sets_by_order(said: str) -> bool:
    """Whether it begins with a verb by which people tell how something is to be."""
    first = _FIRST_RE.match(said, begin_of(said))
    return first is not None and first[1].lower() in _ORDERS


def _verb_groups(word: str) -> int:
    heard = heard_in(word)
    return sum(heard[group] for group in _VERBS) if not word.endswith(("s", "ed", "ing")) else 0


def says_what_we_do(said: str) -> bool:
    """Whether it says what "we" do, and not what befalls us."""
    found = led(_WE_DO_RE, said)
    return found is not None and (not found.lastindex or _BEFALLS_RE.match(said, found.start(found.lastindex)) is None)


def _states(said: str) -> bool:
    """Whether it may say how something shall be: by what "we" do, by an order that sets something, by a rule's word, or
    by what is said of the thing."""
    # In an order "every" says what it is done to.
    rule = _RULE_RE if _tells_to(said) else _RULE_OR_EACH_RE
    is_said = says_what_we_do(said) or led(_NORM_RE, said) or _CALLED_RE.search(said)
    if is_said or (rule.search(said) and not is_complaint(said)):
        return True
    if _tells_to(said) and _TO_NUMBER_RE.search(said):
        return True
    return not is_task(said) and bool(values_in(said)) and not is_complaint(said)


def sets_something(text: str) -> bool:
    """Whether it names a number or a thing of a kind, rules something out, or says in which cases or for whom it is."""
    said = _CODE_RE.sub("", _plain(text))
    patterns = (_NOT_RE, _RULE_OR_EACH_RE, _WHOSE_RE)
    return bool(values_in(said)) or any(pattern.search(said) for pattern in patterns)


def names_value(text: str) -> bool:
    """Whether it is a thing, a colon and what it is: "json keys: snake_case"."""
    said = _VALUE_RE.fullmatch(_plain(text))
    return said is not None and bool(values_in(said[1]))


def tells_past(text: str) -> bool:
    """Whether it begins with what somebody did or how something was."""
    return led(_PAST_RE, _plain(text)) is not None


def _clauses_behind(said: str) -> list[str]:
    """What stands behind the first pause, of a sentence that may say first why."""
    return [each for each in _PAUSE_RE.split(said)[1:] if len(each) >= _LEAST_CLAUSE]


def _is_open(said: str) -> bool:
    return bool(
        _ASKS_RE.search(said)
        or _TRAILS_RE.search(said)
        or led(_OPEN_RE, said)
        or led(_WONDERS_RE, said)
        or _OPEN_UNSPACED.match(said)
        or _HEDGED_RE.search(said)
        or _UNSETTLED_RE.search(said)
        or _SLIP_RE.search(said)
        or _WANTS_TO_KNOW_RE.search(said)
        or len(said) > _MOST_CHARS
    )


def without_hedge(text: str) -> str:
    """Without the doubt behind what is said: "30, I think"."""
    return _HEDGED_RE.sub("", _plain(text)).rstrip(" ,;-–—")


def is_unfilled(text: str) -> bool:
    """Whether it is part of a template that nobody filled in."""
    return _UNFILLED_RE.search(text) is not None


def hands_over_secret(text: str) -> bool:
    """Whether a text is little but a secret that was taken out of it: what an agent asked for."""
    return MASK in text and sum(map(str.isalpha, text.replace(MASK, ""))) < _LEAST_WORDS


def _plain(text: str) -> str:
    """Spelled as the forms are: people leave out what stands above the line."""
    said = " ".join(text[: _MOST_CHARS + 1].replace("’", "'").split())
    return _APOSTROPHE_RE.sub(lambda found: "'".join(filter(None, found.groups())), said)
