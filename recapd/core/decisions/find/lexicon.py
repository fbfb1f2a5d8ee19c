"""Words by what they do in a conversation, in several languages: they contrast, give a reason, limit, narrate, offer.

Owns the word lists and how they are matched; must not know what counts as a decision. A stem ends in `*`. Words of
scripts without spaces are looked for anywhere. Lists hold what is common in talk about software, not whole languages.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from recapd.core.text import UNSPACED_RE, spoken_words_in

# Group → words, separated by commas.
_WORDS: Final[dict[str, str]] = {
    # X and not Y.
    "contrast": """
        instead, rather than, in place of, as opposed to, no longer, not just, other than, in favor of,
        over the, replaces, replacing, without, anymore, any more, but keep, not the, 而不是, 不是, 而是, 改成,
        改为, 改用, 换成, 不再, 取代, 代替, вместо, а не, больше не, без, au lieu de, plutôt que, et non, sans,
        en lugar de, en vez de, ya no, sin, statt, anstatt, anstelle, nicht mehr, ohne, em vez de, não mais,
        sem, invece di, piuttosto che, 대신, 말고, 아니라, 않고, 없이, 代わりに, ではなく, じゃなく, せずに,
        なし
    """,
    "cause": """
        because, since, so that, due to, caused by, root cause, the cause, reason, the issue is, the problem is,
        the problem, the issue, therefore, hence, which means, that's why, as it, given that, given the,
        to avoid, to prevent, so we, so the, so it, so i, so they, 因为, 由于, 所以, 原因, 因此, 问题是, 避免,
        根因, потому что, поэтому, из-за, так как, причина, проблема, чтобы, parce que, car, donc, puisque,
        afin, à cause, le problème, porque, ya que, por eso, debido, así que, el problema, weil, deshalb, daher,
        damit, aufgrund, das problem, por isso, pois, perché, quindi, 때문, 그래서, 위해, 원인, 므로, 문제는,
        なので, ため, ので, 原因は, だから
    """,
    "fix": """
        fix, fixes, fixed, fixing, solution, resolve, resolves, resolved, workaround, repair, correct,
        corrected, 修复, 解决, 修正, 处理, исправ*, решени*, починил*, corrig*, solución, solucion*, arregl*,
        beheb*, behoben, lösung, reparier*, correção, risolv*, 수정, 고치, 해결, 直し, 対応
    """,
    "limit": """
        only, just, at most, at least, no need, max, maximum, minimum, limit*, up to, exactly, nothing else,
        except, unless, solely, single, no more than, opt-in, opt-out, by default, default, 只, 仅, 最多, 至少,
        默认, 无需, 不用, 不需要, 限制, 除了, только, лишь, максимум, минимум, по умолчанию, кроме, не нужно,
        seulement, uniquement, au plus, par défaut, sauf, pas besoin, solo, solamente, sólo, como máximo,
        por defecto, excepto, nur, höchstens, mindestens, standardmäßig, außer, somente, apenas, por padrão,
        soltanto, 만, 최대, 최소, 기본, 제외, 필요 없, だけ, のみ, まで, 不要, デフォルト
    """,
    "rule": """
        must, never, always, should, shouldn't, should not, have to, has to, need to, needs to, required,
        require*, ensure, make sure, from now on, ought, mustn't, supposed to, shall, 必须, 一定, 永远, 始终,
        应该, 不能, 不要, 禁止, 需要, 以后, 确保, 务必, 别, 不准, 不可, должен*, должн*, никогда, всегда, нужно,
        надо, обязательн*, нельзя, doit, doivent, jamais, toujours, il faut, devrait, debe*, nunca, siempre,
        hay que, tiene que, tienen que, muss, müssen, nie, niemals, immer, soll*, darf, dürfen, deve*, sempre,
        tem que, mai, 반드시, 항상, 절대, 해야, 하지 마, 하지마, 금지, 되어야, 한다, 必ず, 絶対, 常に, べき,
        しないで, ないで, ください
    """,
    "negation": """
        don't, dont, do not, doesn't, does not, not, no, never, isn't, won't, can't, cannot, nor, none, nope,
        nah, stop, avoid, remove, drop, skip, without, 不, 没, 别, 无, не, нет, ни, никак*, pas, ne, non, nada,
        ningun*, nicht, kein*, nein, não, nem, 안, 않, 없, 말, 아니, ない, ません, なく
    """,
    "want": """
        i want, i'd like, i would like, i prefer, i need, we need, we want, i don't like, i dont like, please,
        pls, plz, could you, can you, can we, could we, would be, prefer, preferably, like to, let's, lets,
        let us, i think, i guess, how about, what about, we should, it should, you should, is it possible, 希望,
        我想, 我要, 请, 帮我, 可以, 能不能, 可不可以, 想要, 我觉得, 最好, 建议, 能否, 可否, 吧, хочу, хотел*,
        пожалуйста, давай*, можно, можешь, лучше, хотелось, je veux, je voudrais, j'aimerais, s'il, on peut,
        peux-tu, il faudrait, quiero, quisiera, por favor, puedes, podemos, me gustaría, mejor, ich will,
        ich möchte, bitte, kannst, können wir, lass uns, lieber, eu quero, gostaria, você pode, vorrei, puoi,
        싶, 해줘, 해주세요, 주세요, 줘, 하자, 좋겠, 바꿔, たい, てほしい, お願い, しよう, ましょう, できますか
    """,
    "hedge": """
        maybe, i guess, probably, perhaps, ideally, for now, i think, not sure, might, could, kind of, possibly,
        seems, likely, 也许, 可能, 大概, 暂时, 先, 应该是, может, наверное, возможно, пока, peut-être,
        probablement, quizás, tal vez, creo, vielleicht, wahrscheinlich, erstmal, talvez, forse, 아마, 일단,
        우선, たぶん, とりあえず, かも
    """,
    "act": """
        add, added, adding, remove, removed, removing, delete, deleted, deleting, use, uses, used, using, move,
        moved, moving, change, changed, changing, rename, renamed, keep, keeps, kept, keeping, put, update,
        updated, updating, create, created, replace, replaced, switch, switched, switching, set, sets, drop,
        dropped, skip, skipped, skips, make, makes, made, implement*, refactor*, merge, merged, split, store,
        stores, stored, return, returns, returned, pass, passes, write, writes, wrote, point, points, include,
        includes, exclude, expose, wrap, wraps, extract, extracts, disable, disabled, enable, enabled, restore,
        restored, revert, reverted, introduce*, convert*, allow, allows, allowed, support, supports, load,
        loads, read, reads, treat, treats, fall back, falls back, fallback, default*, leave, left, limit,
        limited, bump, 添加, 新增, 增加, 删除, 去除, 去掉, 移除, 使用, 采用, 移动, 移入, 修改, 改, 重命名, 保留,
        保持, 更新, 创建, 新建, 替换, 切换, 设置, 实现, 生成, 写入, 支持, 放, добав*, удал*, убер*, убра*,
        использ*, перенес*, измени*, поменя*, оставь*, остав*, обнови*, созда*, замени*, сдела*, ajout*,
        supprim*, retir*, utilis*, déplac*, chang*, gard*, remplac*, crée*, met, mets, añad*, agreg*, elimin*,
        quit*, usa*, uso, cambi*, mueve*, mantén*, mantener, reemplaz*, crea*, hinzufüg*, füg*, entfern*,
        lösch*, verwend*, benutz*, nutz*, änder*, behalt*, ersetz*, erstell*, adicion*, remov*, mud*, aggiung*,
        추가, 삭제, 제거, 사용, 이동, 변경, 바꾸, 유지, 생성, 교체, 표시, 적용, 구현, 追加, 削除, 使う, 移動,
        変更, 残す, 置き換え, 作成, 実装
    """,
    "past": """
        added, removed, deleted, updated, changed, replaced, switched, moved, renamed, implemented, refactored,
        created, fixed, introduced, converted, disabled, enabled, restored, reverted, extracted, wrapped, split,
        merged, dropped, kept, wrote, made, set, rewrote, reworked, 已, 了, добавил*, удалил*, изменил*,
        заменил*, сделал*, исправил*, ajouté, supprimé, remplacé, modifié, corrigé, agregué, añadí, eliminé,
        cambié, corregí, hinzugefügt, entfernt, geändert, ersetzt, behoben, 했습니다, 추가했, 수정했, 변경했,
        しました, 済み
    """,
    "now": """
        now, now only, no longer, from now on, is now, are now, now uses, 现在, 目前, теперь, сейчас,
        maintenant, désormais, ahora, jetzt, nun, agora, ora, 이제, 지금, 今は, 今
    """,
    "narration": """
        let me, i'll, i will, i'm going to, i am going to, i need to, now i, next, first, let's, going to,
        i'm now, i’m, i’ll, start by, starting, 让我, 我来, 我将, 接下来, 首先, 我先, 现在我, сейчас, давайте,
        я буду, сначала, посмотрю, проверю, je vais, laisse-moi, d'abord, voy a, déjame, primero, ahora voy,
        ich werde, lass mich, zuerst, jetzt, vou, vado, 먼저, 하겠습니다, 이제, まず, 次に, します
    """,
    "look": """
        check, look, looking, read, see, verify, examine, explore, understand, find, search, test, tests, run,
        view, inspect, confirm, investigate, review, trace, grep, list, show, scan, figure out, gather, analyze,
        debug, locate, look at, 查看, 检查, 看看, 看一下, 读取, 搜索, 确认, 测试, 运行, 了解, 分析, 查找,
        провер*, посмотр*, найд*, прочита*, запуст*, изуч*, vérifi*, regard*, lire, cherch*, examin*, revis*,
        verific*, busc*, leer, prüf*, schau*, lese*, such*, 확인, 살펴, 테스트, 실행, 검색, 確認, 調べ, 見て,
        テスト
    """,
    "status": """
        pass, passes, passed, passing, all tests, done, complete, completed, success*, works, working, ready,
        finished, clean, green, verified, running, is up, exists, 完成, 成功, 通过, 正常, 已完成, 没问题,
        готово, успешно, работает, проходят, terminé, réussi*, fonctionne, listo, éxito, funciona, fertig,
        erfolgreich, funktioniert, 완료, 성공, 통과, 완성, 完了, 成功し
    """,
    "offer": """
        if you want, if you'd like, if you like, let me know, want me to, would you like, shall i, should i,
        do you want, i can also, i can, happy to, next steps, if needed, you can, you could, feel free,
        ready to, i could, i'd recommend, i recommend, i suggest, i'd suggest, 需要我, 如果你, 要我, 你可以,
        是否需要, 要不要, 是否, если хотите, если хочешь, хотите, хочешь, могу, можете, si vous voulez,
        si tu veux, souhaitez, voulez-vous, si quieres, quieres, puedo, wenn du, möchtest, soll ich, kann ich,
        se você quiser, quer que, se vuoi, 원하시면, 할까요, 드릴까요, 필요하면, よければ, しますか, ますか,
        でしょうか
    """,
    "condition": """
        if, unless, in case, otherwise, when, whether, would, could, 如果, 假如, 若, 否则, 的话, если, иначе,
        si, sinon, si no, wenn, falls, sonst, se, caso, 면, 경우, もし, 場合, なら
    """,
    "choice": """
        decision, decided, decide, chose, choose, chosen, choosing, going with, go with, went with, opt, opting,
        opted, pick, picked, prefer, stick, selected, approach, strategy, design, trade-off, tradeoff, simplest,
        cleanest, better to, best, safer, cleaner, simpler, least invasive, the right, proper, 决定, 选择, 方案,
        采用, 选用, 最好, 推荐, решил*, выбр*, подход, лучше, décid*, choisi*, approche, decid*, eleg*, elij*,
        enfoque, mejor, entschied*, entscheid*, wähl*, ansatz, besser, escolh*, scelt*, 결정, 선택, 방식, 방법,
        決め, 選択, 方針, 方式
    """,
    "option": """
        option, options, alternative, alternatives, approach a, approach 1, choices, either, variant, 选项,
        方案, вариант*, опци*, opción, opciones, möglichkeit*, variante*, opção, opzion*, 옵션, 선택지, 案,
        選択肢
    """,
    "later": """
        later, follow-up, followup, follow up, for now, out of scope, defer*, future, postpone*, next pr,
        separate pr, not now, todo, leave it, leave as, as-is, not our, pre-existing, preexisting, unrelated,
        intentionally, deliberately, 以后, 暂时, 稍后, 后续, 将来, 先不, 之后, потом, позже, пока, plus tard,
        pour l'instant, más tarde, luego, por ahora, después, später, vorerst, zunächst, depois, por enquanto,
        dopo, 나중, 추후, 일단, 後で, 今後, とりあえず
    """,
    "correction": """
        actually, wait, hmm, that's wrong, thats wrong, not right, wrong, mistake, nope, instead, sorry,
        i meant, i mean, not what, that's not, thats not, don't like, dont like, too much, to much, overkill,
        still, revert, undo, again, 不对, 错了, 其实, 等等, 还是, 不是, 撤销, 回滚, 重新, на самом деле,
        неправильно, не то, подожди, верни, откати, en fait, attends, faux, annule, en realidad, espera, mal,
        deshaz, eigentlich, moment, falsch, rückgängig, na verdade, errado, 사실, 아니, 잘못, 되돌, 다시, 実は,
        違, 間違, 戻し
    """,
    "understood": """
        understood, you're right, you are right, good point, good call, got it, makes sense, agreed, fair point,
        good idea, great idea, absolutely, exactly, 明白, 好的, 你说得对, 理解, 收到, понял*, вы правы, ты прав,
        хорошо, compris, vous avez raison, tu as raison, d'accord, entendido, tienes razón, de acuerdo,
        verstanden, du hast recht, stimmt, 알겠, 맞습니다, 네, 承知, 了解, おっしゃる, 分かりました
    """,
    "question_word": """
        what, why, how, which, where, who, when, is there, are there, does, do you, did, is it, are we, can i,
        what's, whats, 什么, 为什么, 怎么, 如何, 哪, 吗, 呢, 多少, 什么时候, что, почему, как, где, какой,
        какие, зачем, сколько, quoi, pourquoi, comment, quel*, où, qué, por qué, cómo, dónde, cuál, was, warum,
        wie, welche*, wo, wieso, o que, por que, como, qual, cosa, perché, 뭐, 왜, 어떻게, 어디, 무엇, 까요,
        나요, 何, なぜ, どう, どこ, ですか
    """,
    "work": """
        commit, push, pull, branch, merge, pr, pull request, rebase, deploy, release, tag, worktree, issue,
        review, ci, 提交, 推送, 分支, 合并, 部署, 发布, коммит*, ветк*, запуш*, deploy*, desplieg*, 커밋, 푸시,
        브랜치, 머지, 배포, コミット, プッシュ, ブランチ
    """,
}


# The shortest and longest stem, and the longest phrase, in words.
_STEM: Final = (3, 12)
_PHRASE: Final = 4


def _table() -> tuple[dict[str, int], dict[str, int], tuple[tuple[str, int], ...]]:
    """Phrases, stems, and what is looked for anywhere, each with the groups it belongs to as bits."""
    phrases: dict[str, int] = {}
    stems: dict[str, int] = {}
    anywhere: dict[str, int] = {}
    for bit, words in enumerate(_WORDS.values()):
        for word in {" ".join(each.split()) for each in words.split(",")} - {""}:
            if UNSPACED_RE.search(word):
                anywhere[word] = anywhere.get(word, 0) | 1 << bit
            elif word.endswith("*"):
                stems[word[:-1]] = stems.get(word[:-1], 0) | 1 << bit
            else:
                phrase = " ".join(spoken_words_in(word))
                phrases[phrase] = phrases.get(phrase, 0) | 1 << bit
    return phrases, stems, tuple(anywhere.items())


GROUPS: Final[tuple[str, ...]] = tuple(_WORDS)
_PHRASES, _STEMS, _ANYWHERE = _table()
_BEGINNINGS: Final = frozenset(phrase.partition(" ")[0] for phrase in _PHRASES if " " in phrase)


# A session uses a few thousand words again and again: nine look-ups in ten are of one of these.
@lru_cache(maxsize=4_096)
def _groups_of(token: str) -> int:
    groups = _PHRASES.get(token, 0)
    for length in range(_STEM[0], min(len(token), _STEM[1]) + 1):
        groups |= _STEMS.get(token[:length], 0)
    return groups


def plain(text: str) -> str:
    """The text as the lists spell it: small letters, straight apostrophes."""
    return text.lower().replace("’", "'")


def counts(plain_text: str, tokens: list[str]) -> list[int]:
    """How often each group is heard in a text that went through `plain`, in the order of GROUPS."""
    heard = 0
    found = [0] * len(GROUPS)
    for number, token in enumerate(tokens):
        groups = _groups_of(token)
        if token in _BEGINNINGS:
            for words in range(2, _PHRASE + 1):
                groups |= _PHRASES.get(" ".join(tokens[number : number + words]), 0)
        while groups:
            low = groups & -groups
            found[low.bit_length() - 1] += 1
            groups ^= low
    if UNSPACED_RE.search(plain_text):
        for word, groups in _ANYWHERE:
            if word in plain_text:
                heard = groups
                while heard:
                    low = heard & -heard
                    found[low.bit_length() - 1] += 1
                    heard ^= low
    return found


# Neighbours and headings are looked at again and again, and a scene that grows as a whole: judging it takes half the
# time. It needs the sentences of one scene, not those of sessions.
@lru_cache(maxsize=2_048)
def heard_in(text: str) -> tuple[int, ...]:
    """How often each group is heard in a text as it stands."""
    words = plain(text)
    return tuple(counts(words, spoken_words_in(words)))
