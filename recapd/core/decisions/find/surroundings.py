"""What is around a candidate: what was asked, said and done before and after it in its scene.

Read once per scene, and looked at for every candidate in it.
"""

from __future__ import annotations

from msgspec import Struct

from recapd.core.decisions.find.assent import Answer, answer_in
from recapd.core.decisions.find.content import names_of, words_of
from recapd.core.decisions.find.lexicon import GROUPS, counts, plain
from recapd.core.decisions.find.scenes import Scene
from recapd.core.decisions.find.telling import telling
from recapd.core.text import spoken_words_in


class Surroundings(Struct):
    """What is looked at again and again for every candidate of a scene."""

    prompt: frozenset[str]
    before: frozenset[str]
    # For each passage: words of everything said before it in the turn.
    said: list[frozenset[str]]
    # For each passage: deeds between it and the next message, and from it to the end of the turn.
    edits_next: list[int]
    runs_next: list[int]
    edits_later: list[int]
    edits_earlier: list[int]
    # For each passage: words of the paths changed after it.
    changed: list[frozenset[str]]
    committed: frozenset[str]
    last_reply: int
    replies: int
    closing: frozenset[str]
    after: Answer
    after_correction: int
    # For each passage: whether something failed since the message before it.
    failed: list[bool]
    edits: int
    prompt_asks: bool
    prompt_nods: bool
    prompt_chars: int
    # Names in the human's message, in what was said so far, in the closing words, and in the next turn.
    prompt_names: frozenset[str]
    said_names: list[frozenset[str]]
    closing_names: frozenset[str]
    next_names: frozenset[str]
    next_words: frozenset[str]
    stopped: bool
    # The usual length of a reply in the turn; for each passage how many telling replies stood before it.
    usual_chars: float
    told: list[int]
    # Words of the human's earlier messages.
    asked_before: frozenset[str]


def surroundings_of(scene: Scene) -> Surroundings:
    passages = scene.passages
    size = len(passages)
    edits_next, runs_next, edits_later = [0] * size, [0] * size, [0] * size
    changed: list[frozenset[str]] = [frozenset()] * size
    edits = runs = later = 0
    paths: frozenset[str] = frozenset()
    for index in range(size - 1, -1, -1):
        edits_next[index], runs_next[index], edits_later[index], changed[index] = edits, runs, later, paths
        kind = passages[index].kind
        if kind == "edit":
            edits += 1
            later += 1
            paths |= words_of(passages[index].text[-60:])
        elif kind in ("run", "commit"):
            runs += 1
        elif kind == "reply":
            edits = runs = 0
    said: list[frozenset[str]] = []
    earlier: list[int] = []
    heard: frozenset[str] = frozenset()
    committed: frozenset[str] = frozenset()
    done = 0
    failed: list[bool] = []
    has_failed = False
    named: frozenset[str] = names_of(scene.before[-1].text[-3000:]) if scene.before else frozenset()
    said_names: list[frozenset[str]] = []
    replies = [index for index, passage in enumerate(passages) if passage.kind == "reply"]
    for passage in passages:
        said.append(heard)
        earlier.append(done)
        failed.append(has_failed)
        said_names.append(named)
        if passage.kind == "reply":
            heard |= words_of(passage.text[:1500])
            named |= names_of(passage.text[:3000])
            has_failed = False
        elif passage.kind == "failed":
            has_failed = True
        elif passage.kind == "commit":
            committed |= words_of(passage.text)
        elif passage.kind == "edit":
            done += 1
    last_reply = replies[-1] if replies else -1
    lengths = [max(20, len(passages[at].text)) for at in replies]
    told: list[int] = []
    so_far = 0
    for passage in passages:
        told.append(so_far)
        so_far += passage.kind == "reply" and telling(passage.text[:400]) >= 3
    prompt = passages[0].text if passages and passages[0].kind == "prompt" else ""
    after = scene.after.text[:400] if scene.after is not None else ""
    plain_after = plain(after)
    return Surroundings(
        words_of(prompt[:3000]),
        words_of(scene.before[-1].text[-3000:]) if scene.before else frozenset(),
        said,
        edits_next,
        runs_next,
        edits_later,
        earlier,
        changed,
        committed,
        last_reply,
        len(replies),
        words_of(passages[last_reply].text[:4000]) if last_reply >= 0 else frozenset(),
        answer_in(after) if after else Answer(),
        counts(plain_after, spoken_words_in(plain_after))[GROUPS.index("correction")],
        failed,
        done,
        "?" in prompt[-200:] or "？" in prompt[-200:],
        answer_in(prompt[:200]).nods if prompt else False,
        len(prompt),
        names_of(prompt[:4000]),
        said_names,
        names_of(passages[last_reply].text[:4000]) if last_reply >= 0 else frozenset(),
        names_of(after) | names_of(scene.after_closing.text[:4000] if scene.after_closing is not None else ""),
        words_of(after) | words_of(scene.after_closing.text[:2000] if scene.after_closing is not None else ""),
        any(passage.kind == "stopped" for passage in passages),
        float(sorted(lengths)[len(lengths) // 2]) if lengths else 200.0,
        told,
        frozenset(word for passage in scene.asked_before for word in words_of(passage.text[:2000])),
    )
