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

# Sounds and nods before the first word that counts.
_FILLER: Final = (
    r"[\W_]*(?:(?:oh|ah|ach|uh|uff?|argh|h+m+|ok(?:ay)?|k|well|so|right|true|yeah|yes|good point|got it|i see|ja|gut|"
    r"bon|ah bon|oui|vale|sí|si|bueno|pues|sim|tá|sì|va bene|да|ну|ок|好吧?|嗯|啊|はい|うーん|네|음)[\W_]+){0,3}"
)
_GIVES_UP_RE: Final = re.compile(
    rf"{_FILLER}(?:then\b|no\b|nope|nah|fair\b|fine\b|"
    r"scrap|scratch (?:that|it)|drop (?:that|it)|forget \S+|"
    r"screw (?:that|it)|never ?mind|nvm|in that case|if so|actually|on second thoughts?|instead|rather\b|ugh|meh|damn|"
    r"yikes|ouch|crap|too bad|bummer|what a pity|(?:i(?:'ve)? |we(?:'ve)? )?changed (?:my|our) minds?|screw|back to|"
    r"i take (?:that|it) back|(?:sorry|wait|hmm),? (?:no|actually|i)\b|thinking about it|come to think|no way|"
    r"dann\b|doch\b|wenn ich so drüber|ich hab(?:e)? (?:es )?mir anders|kommando zurück|zurück zu|na gut|na dann|nein|"
    r"nee\b|doch\b|lieber|schade|stimmt|vergiss|lass (?:das|es|mal)|stattdessen|mist\b|"
    r"alors|non\b|tant pis|finalement|du coup|dans ce cas|laisse tomber|oublie|plutôt|zut|mince|dommage|en fait|"
    r"réflexion faite|à la réflexion|"
    r"tout compte fait|j'ai changé d'avis|aïe|"
    r"entonces|mejor|en ese caso|olv[ií]da|déjalo|vaya\b|qué pena|pensándolo|al final|en realidad|he cambiado de idea|"
    r"então|não\b|melhor|nesse caso|esquece|deixa\b|poxa|putz|que pena|pensando (?:bem|melhor)|na verdade|no fim|"
    r"mudei de ideia|"
    r"allora|meglio|in (?:quel|tal) caso|lascia (?:perdere|stare)|peccato|uffa|anzi\b|ripensandoci|a ripensarci|"
    r"in realtà|alla fine|ho cambiato idea|"
    r"тогда|нет\b|ладно|лучше|жаль|забудь|в таком случае|я передумал\w?|передумал\w?|всё-таки|все-таки|вообще-то|"
    r"на самом деле|"
    r"toch|bij nader inzien|laat maar|dan\b|liever|eigenlijk|jednak|w takim razie|zmieniłem zdanie|zmieniłam zdanie|"
    r"lepiej|"
    r"aslında|vazgeçtim|boşver|o zaman|fikrimi değiştirdim|"
    r"那|算了|不要|不用|还是|改|じゃあ?|では|それなら|なら|やっぱり?|やめ|いや|그럼|그러면|아니|역시|됐|차라리|그냥|"
    r"생각해 ?보니)"
    r"|[^?？]*[\s,](?:then|dann|alors|entonces|então|allora|тогда|instead|after all|finalement|dan)[\W_]*$",
    re.IGNORECASE,
)
# So somebody says outright that something no longer holds, whatever was said of it.
_TAKES_BACK_RE: Final = re.compile(
    rf"{_FILLER}(?:scrap|scratch (?:that|it)|drop (?:that|it|this)|forget (?:that|it|about|\S+)|never ?mind|nvm|"
    rf"screw (?:that|it)|"
    r"(?:i(?:'ve)? |we(?:'ve)? )?changed (?:my|our) minds?|on second thoughts?|i take (?:that|it) back|"
    r"thinking about it|"
    r"come to think|vergiss|kommando zurück|ich hab(?:e)? (?:es )?mir anders|lass das|laisse tomber|oublie|"
    r"réflexion faite|"
    r"à la réflexion|tout compte fait|finalement|j'ai changé d'avis|olv[ií]da\w*|déjalo|pensándolo|he cambiado de idea|"
    r"esquece|pensando (?:bem|melhor)|mudei de ideia|lascia (?:perdere|stare)|ripensandoci|ho cambiato idea|забудь|"
    r"(?:я )?передумал\w?|laat maar|bij nader inzien|jednak|zmieniłe?a?m zdanie|vazgeçtim|boşver|fikrimi değiştirdim|"
    r"算了|やっぱり?)",
    re.IGNORECASE,
)
# What comes on top of what there is, or is only looked at.
_ADDS_RE: Final = re.compile(
    rf"{_FILLER}(?:(?:then|now|next|and|also|please|pls|dann|jetzt|noch|auch|alors|maintenant|entonces|ahora|então|"
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
_REFERS_RE: Final = re.compile(
    r"\b(?:it|that|this|them|those|these|es|das|den|die|ihn|ça|cela|le|la|les|lo|eso|isso|isto|quello|его|её|это|их)\b"
    r"|它|这|那|それ|これ|그거|그걸|이거",
    re.IGNORECASE,
)
# Where the next part of a message begins, and words that name something.
_PARTS_RE: Final = re.compile(r"[,;!…，；！。、]\s*|\.(?:\s+|$)|\s[-–—]+\s")
_NAME_RE: Final = re.compile(
    r"[a-zà-öø-ÿа-яё0-9][a-zà-öø-ÿа-яё0-9.+#-]*[a-zà-öø-ÿа-яё0-9+#]|[一-鿿]{2}|[゠-ヿ]{2,}|[가-힣]{2,}"
)
_COMMON: Final = frozenset(
    """the and for with you are not all just but from have has was will our your its der und ein eine mit für ist nicht
    les des une pour avec est pas los las una con para por que del com uma não per che non sono что для
    как это""".split()
)
# A part that says by itself what is to be done.
_DEED_RE: Final = re.compile(
    rf"{_FILLER}(?:please |let's |lets |bitte |por favor )?(?:use|keep|put|set|store|write|never|always|don'?t|only|"
    r"rename|move|replace|convert|change|switch|remove|delete|drop|show|hide|sort|limit|log|send|call|leave|allow|"
    r"disable|enable|"
    r"nimm|nutze?|verwende|behalte?|lösch\w*|änder\w*|setz\w*|utilise\w*|garde\w*|mets|supprime\w*|change\w*|"
    r"usa|pon|guarda|borra|cambia|mant[eé]n|coloca|põe|apaga|muda|mantenha|metti|tieni|togli|"
    r"используй\w*|поставь\w*|удали\w*|оставь\w*|поменяй\w*)(?!\w)",
    re.IGNORECASE,
)
_REDONE_RE: Final = re.compile(
    r"\b(?:ported|switched|changed|replaced|moved|renamed|removed|swapped|reverted|rewrote|rewritten|converted|"
    r"migrated|"
    r"redid|redone|redrawn|redrew|rebuilt|reworked|limited|restricted|"
    r"dropped|took \S+ out|turned \S+ (?:off|on|into)|went back|back to|undone|undid|"
    r"adjusted|updated|restored|flipped|lifted|bumped|regenerated|reformatted|lowered|raised|reduced|increased|"
    r"shortened|extended|is gone|are gone|deleted|instead|now|no longer|"
    r"umgestellt|umgezogen|geändert|ersetzt|umbenannt|entfernt|gewechselt|portiert|verschoben|umgebaut|umgeschrieben|"
    r"ausgetauscht|stattdessen|gelöscht|angepasst|jetzt|nun|zurück|"
    r"remplacée?s?|changée?s?|renommée?s?|supprimée?s?|retirée?s?|migrée?s?|passée?s?|convertie?s?|déplacée?s?|"
    r"modifiée?s?|réécrite?s?|basculée?s?|portée?s?|maintenant|désormais|à la place|"
    r"cambi(?:é|ad[oa]s?)|reemplac(?:é|ad[oa]s?)|sustitu\w+|renombr\w+|elimin(?:é|ad[oa]s?)|quit(?:é|ad[oa]s?)|"
    r"migr(?:é|ad[oa]s?)|pas(?:é|ad[oa]s?)|mov(?:í|id[oa]s?)|convert(?:í|id[oa]s?)|ahora|"
    r"mudei|mudad[oa]|troquei|trocad[oa]|substituí\w*|renome\w+|removi\w*|migrei|passei|alterei|alterad[oa]|"
    r"converti\w*|agora|"
    r"cambiat[oaie]|sostituit[oaie]|rinominat[oaie]|rimoss[oaie]|migrat[oaie]|spostat[oaie]|passat[oaie]|"
    r"convertit[oaie]|modificat[oaie]|tolt[oaie]|adesso|ora)\b"
    r"|перен[её]с|замени|переимен|убра[лн]|удали|переписа|перев[её]л|измени|поменя|переделал|переключ|теперь|вернул"
    r"|换[成为]|改[成为用]|替换|更换|切换|移到|迁移|重命名|删除|删掉|去掉|移除|调整|现在"
    r"|変更|切り替え|置き換え|移行|移し|書き直|削除|外し|改名|差し替え|変え|に(?:し|なり)ました"
    r"|바꿨|바꾸었|변경|교체|옮겼|옮기|전환|삭제|제거|수정했|이제",
    re.IGNORECASE,
)
# One for another: what it was changed to needs no other word than its name.
_SWAPPED_RE: Final = re.compile(
    r"\b(?:ported|switched|replaced|swapped|converted|migrated|redrawn|redrew|rewrote|rewritten|umgestellt|ersetzt|"
    r"ausgetauscht|portiert|remplacé\w*|migré\w*|converti\w*|reemplaz\w+|sustitu\w+|migr\w+|troquei|substituí\w*|"
    r"sostituit\w+|migrat\w+)\b|замени|перен[её]с|переписа|换[成为]|替换|置き換え|切り替え|교체|바꿨",
    re.IGNORECASE,
)
_TROUBLE_RE: Final = re.compile(
    r"\b(?:but|however|though|although|note|only|\w+n['’]t|cannot|not|no|needs?|requires?|costs?|already|slow\w*|"
    r"fail\w*|"
    r"too|longer|warning|gone|expires?|expired|deprecated|breaks?|blocks?|limit\w*|conflicts?|heavy|"
    r"by the way|drawback|catch|unfortunately|downside|heads[- ]up|careful|"
    r"aber|allerdings|nicht|keine?\w*|nur|jedoch|kostet|leider|schon|braucht|achtung|"
    r"mais|pas|ne|seulement|déjà|coûte\w*|par contre|attention|malheureusement|cependant|toutefois|"
    r"pero|no|solo|sólo|ya|cuesta\w*|sin embargo|aunque|ojo|mas|não|só|já|custa\w*|porém|cuidado|"
    r"ma|non|già|costa\w*|però|purtroppo|attenzione)\b"
    r"|(?<!\w)(?:но|не|нет|только|уже|стоит|однако|нужн\w+|правда)(?!\w)"
    r"|不过|但|不|没|只|已经|需要|会|ただ|しかし|ない|ません|だけ|すでに|ですが|다만|하지만|없|않|못|이미|는데",
    re.IGNORECASE,
)
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
# A word that says that something is made so, in the past tense or as a participle.
_MADE_SO_RE: Final = re.compile(
    r"(?!(?:need|fail|indeed|suppos|miss|broken|expect|affect|relat|crash|fix|open|often|then|when|seen|even|been))"
    r"(?:[a-z]{3,}(?:ed|tten|ken|wn)|done|set|built|gone|put|made|noted|"
    r"(?:um|an|aus|ein|ab|zu|hinzu|auf)?ge\w{2,}(?:t|en)|\w{3,}iert|erledigt|fertig|ergänzt|entfernt|ersetzt|"
    r"fait|mise?s?|remise?s?|prête?s?|\w{3,}ée?s?|\w{3,}(?:ad|id)[oa]s?|hech[oa]s?|list[oa]s?|puest[oa]s?|pront[oa]|"
    r"feit[oa]s?|"
    r"\w{2,}(?:é|ei)|fatt[oaie]|mess[oaie]|\w{3,}(?:at|it|ut)[oaie]|готово|\w{3,}(?:ил|ал|ел|нул|ен[оаы]?|"
    r"ан[оаы]?)[аи]?|"
    r"klaar|bijgewerkt|omgezet|gotowe|\w{3,}(?:one|ony|łem|łam)|\w{3,}(?:ıldı|ildi|uldu|üldü|ndı|ndi|dım|dim))",
    re.IGNORECASE,
)
_SAYS_SO_RE: Final = re.compile(
    r"[\W_]*(?:on it|will do|已|.{0,12}(?:好了|完成|了[。！!]?$))|"
    r".{0,60}(?:ました|しました|했습니다|됐습니다|었습니다|뒀습니다|겼습니다|꿨습니다)",
    re.IGNORECASE,
)
_WORD_RE: Final = re.compile(r"[^\W_][\w'’-]*")
# It is said within the first words.
_FIRST_WORDS: Final = 4
# It looks for the cause of what was reported.
_LOOKS_INTO_RE: Final = re.compile(
    r"[\W_]*(?:(?:ok(?:ay)?|sorry|hm+|oh|ah|right|yes)[\W_]+){0,2}"
    r"(?:looking|checking|i'm (?:looking|checking|on it)|let me (?:look|check|see)|i'll (?:look|check)|fixed|found it|"
    r"ich (?:schaue?|sehe|prüfe)|schaue|behoben|gefunden|je (?:regarde|vérifie)|corrigée?|lo (?:miro|reviso)|"
    r"voy a (?:ver|mirar)|"
    r"arreglado|corregido|vou (?:ver|olhar|verificar)|corrigido|guardo|controllo|corretto|sistemato|смотрю|посмотрю|"
    r"проверяю|"
    r"исправил\w?|нашёл|нашел|ik kijk|sprawdzam|bakıyorum)(?!\w)"
    r"|[\W_]*(?:我?(?:看看|看一下|查一?下|排查|正在查)|找到了|.{0,20}(?:確認します|調べます|調査します|直しました|"
    r"확인하겠|확인해|살펴))",
    re.IGNORECASE,
)
# Something is wrong, is disliked or does not do.
_WRONG_RE: Final = re.compile(
    r"\b(?:errors?|fail\w*|crash\w*|broken?|breaks?|wrong|slow\w*|hates?|complain\w*|\w+n['’]?t|cannot|still|stuck|"
    r"missing|"
    r"blank|empty|lost|died|dead|full|down|weird|ugly|annoying|flicker\w*|janky|lag\w*|too (?:much|many|slow|big|"
    r"small|long|late)|"
    r"nobody|mad|stale|bug|issue|problem|keeps|randomly|suddenly|"
    r"fehler|kaputt|langsam|abstürz\w*|stürzt|hängt|geht nicht|funktioniert nicht|beschwer\w*|nervt|zu (?:lang|groß|"
    r"klein|selten|viel)\w*|"
    r"erreur|plante|lente?|cassée?|marche pas|râle\w*|trop|falla|lent[oa]|roto|se cae|queja\w*|demasiado|tarda\w*|"
    r"erro|quebrad[oa]|travando|reclama\w*|pesad[oa]|demora\w*|errore|rott[oa]|lamenta\w*|troppo|"
    r"fout|traag|kapot|błąd|wolno|nie działa|hata|yavaş|çalışmıyor)\b"
    r"|ошибк|пада[ею]т|упал|сломал|медленн|тормоз|жалу[ею]т|не (?:работает|стартует|открывается)|слишком"
    r"|报错|错误|失败|太慢|太大|卡|崩|不行|不对|エラー|失敗|遅|ずれ|落ち|壊れ|まだ|에러|오류|실패|느려|안 (?:돼|됩|되|"
    r"맞)|너무",
    re.IGNORECASE,
)
# So a task begins: what is to be done once, not how something shall be.
_TASK_RE: Final = re.compile(
    r"\W*(?:(?:ok(?:ay)?|and|now|then|next|also|so|just|please|pls|und|jetzt|bitte|et|y|e|и|а)\W+){0,3}(?:(?:can|"
    r"could|would) you\W+)?"
    r"(?:add|write|create|build|fix|open|spawn|read|list|print|send me|give me|tell me|implement|test|run|commit|push|"
    r"deploy|merge|show|explain|look|check|try|start|finish|"
    r"continue|update|refactor|clean|review|document|install|find|debug|investigate|generate|draft|prepare|set up|"
    r"wire|hook|"
    r"have a look|take a look|go ahead|do it|do that|"
    r"let(?:'s|s| us) (?:now |just |first )?(?:work|start|begin|continue|proceed|look|focus|turn|move on)|"
    r"füg\w*|schreib\w*|erstell\w*|bau\w*|mach\w* weiter|prüf\w*|schau\w*|teste?|starte?|ajoute\w*|écris|crée\w*|"
    r"corrige\w*|"
    r"lance\w*|teste\w*|regarde\w*|añade\w*|agrega\w*|escribe|crea|arregla\w*|prueba|mira|adiciona\w*|escreve|cria|"
    r"conserta\w*|testa|olha|aggiungi|scrivi|crea|correggi|prova|guarda|добавь\w*|напиши\w*|создай\w*|исправь\w*|"
    r"запусти\w*|проверь\w*|посмотри\w*)(?!\w)|\W*(?:请|帮我|再)?(?:加|写|创建|修|测试|运行|检查|看)|"
    r".{0,60}(?:追加して|直して|"
    r"추가해|만들어|고쳐|수정해)"
    # What is next, named by itself.
    r"|\W*(?:(?:ok(?:ay)?|and|und|et|y|e|и)\W+)?(?:now|next|jetzt|maintenant|ahora|agora|adesso|ora|теперь)\W+"
    r"(?:\w+\W+){0,2}\w+\W*$",
    re.IGNORECASE,
)
_THANKED_RE: Final = re.compile(
    r"[\W_]*(?:you(?:'re| are) (?:very |most )?welcome|glad|happy (?:to|it|that)|my pleasure|any ?time|no problem|"
    r"good to hear|great to hear|nice to hear|enjoy|cheers|gerne?\b|freut mich|bitte (?:sehr|schön)|kein problem|"
    r"de rien|avec plaisir|je t'en prie|ravie?\b|content\b|de nada|un placer|me alegr\w+|por nada|disponha|"
    r"que bom|fico feliz|prego|di niente|figurati|mi fa piacere|пожалуйста|рад\b|рада\b|не за что|обращайся|"
    r"不客气|很高兴|どういたしまして|よかった|良かった|천만에|별말씀|다행)",
    re.IGNORECASE,
)


def turns_away(before: str, said: str, after: str) -> bool:
    """Whether the human gives up one thing for another.

    A message that opens so does it where the agent had named a trouble, or then tells of a change. One that does not
    must be told of as a change, and only point or name: what says by itself what is to be done may be about anything.
    """
    if not said or len(said) > _MOST_SAID or said.rstrip().endswith(("?", "？")) or _ADDS_RE.match(said):
        return False
    if _COMPLAINS_RE.search(said):
        return False
    has_trouble = names_trouble(before)
    is_changed = reports_change(after)
    parts = [part for part in _PARTS_RE.split(said) if part.strip()]
    if any(map(_TAKES_BACK_RE.match, parts)):
        return True
    if gives_up(said):
        return has_trouble or is_changed
    if not is_changed or not parts:
        return False
    is_echoed = comes_back(after, said)
    # A question that was put is answered.
    if not _is_short(parts[-1]) or before.rstrip().endswith(("?", "？")):
        return False
    if _SWAPPED_RE.search(after) and len(spoken_words_in(parts[-1])) <= _NAME_WORDS:
        return True
    return has_trouble or is_echoed if _REFERS_RE.search(said) else is_echoed and not _DEED_RE.match(parts[-1])


def comes_back(reply: str, said: str) -> bool:
    """Whether a reply has a word of what was said."""
    return not _names_in(said).isdisjoint(_names_in(reply))


def _names_in(text: str) -> frozenset[str]:
    """Words by which a report comes back to what was said: not those that tell of the change, or point."""
    named = _REFERS_RE.sub(" ", _REDONE_RE.sub(" ", text.lower()))
    return frozenset(_NAME_RE.findall(named)) - _COMMON


def reports_change(reply: str) -> bool:
    """Whether a short reply tells that something is otherwise now."""
    return 0 < len(reply) <= _MOST_REPORTED and _REDONE_RE.search(reply) is not None


def gives_up(said: str) -> bool:
    """Whether a message, or a part of it, opens as one does that gives something up."""
    said = said[:_MOST_REPORTED]
    return any(_GIVES_UP_RE.match(part) for part in (said, *_PARTS_RE.split(said)) if part.strip())


def names_trouble(reply: str) -> bool:
    """Whether a short reply tells of something that stands in the way."""
    return 0 < len(reply) <= _MOST_BEFORE and _TROUBLE_RE.search(reply) is not None


def is_addition(said: str) -> bool:
    """Whether it asks for something new, or for a look."""
    return _ADDS_RE.match(said) is not None


def acknowledges(reply: str) -> bool:
    """Whether a reply begins with what is done or noted, or tells of a change."""
    return _ACKNOWLEDGES_RE.match(reply) is not None or reports_change(reply) or carries_out(reply)


def carries_out(reply: str) -> bool:
    """Whether a short reply begins with what was done, and not with the cause of a trouble."""
    if not 0 < len(reply) <= _MOST_REPORTED or looks_into(reply):
        return False
    begins = reply[:_BEGINNING]
    words = islice(_WORD_RE.finditer(begins), _FIRST_WORDS)
    return _SAYS_SO_RE.match(begins) is not None or any(_MADE_SO_RE.fullmatch(word[0]) for word in words)


def looks_into(reply: str) -> bool:
    """Whether a short reply goes about a trouble that was reported."""
    return 0 < len(reply) <= _MOST_REPORTED and _LOOKS_INTO_RE.match(reply[:_BEGINNING]) is not None


def is_complaint(said: str) -> bool:
    """Whether it says that something is wrong, is disliked or does not do."""
    return _WRONG_RE.search(said[:_MOST_REPORTED]) is not None


def is_task(said: str) -> bool:
    """Whether it begins with what is to be done once."""
    return _TASK_RE.match(said[:_MOST_REPORTED]) is not None


def answers_thanks(reply: str) -> bool:
    return _THANKED_RE.match(reply[:_BEGINNING]) is not None


def _is_short(said: str) -> bool:
    if UNSPACED_RE.search(said):
        return len(said) <= _FEW_CHARS
    return len(spoken_words_in(said)) <= _FEW_WORDS
