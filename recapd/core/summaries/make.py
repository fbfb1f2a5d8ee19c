"""A summary made of a stretch and what came before it: by our own means, or around a model's prose."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from msgspec import Struct

from recapd.core.decisions import Entry
from recapd.core.settings import Settings
from recapd.core.state import Memory, Transcript
from recapd.core.summaries.covered import find_covered_messages, fingerprints_of
from recapd.core.summaries.digest import Episode, Stretch, chunked, episodes_of
from recapd.core.summaries.facts import facts_of, merged
from recapd.core.summaries.policy import Due, pending_tokens
from recapd.core.summaries.prompt import Prompt, summary_prompt
from recapd.core.summaries.record import CoveredMessages, Facts, RollingSummary
from recapd.core.summaries.write import cap_of, part_of, text_of
from recapd.core.text import count_for_budget

# Episodes that are kept to choose from; of older ones the least telling go. A session of a year has fewer.
MAX_EPISODES = 240
# Share of the cap a model's prose may take: the rest is kept for facts it may have left out.
PROSE_SHARE = 0.75


class Material(Struct, frozen=True):
    """All that a summary is made from: one state of the session, and the log's text of the stretch."""

    session_id: str
    transcript: Transcript
    generation: str
    due: Due
    stretch: Stretch
    ledger: tuple[Entry, ...]
    previous: RollingSummary | None
    settings: Settings
    now: str
    focus: str = ""


class Draft(Struct, frozen=True):
    """A summary but for its words."""

    material: Material
    messages: CoveredMessages
    facts: Facts
    episodes: tuple[Episode, ...]
    # Of the stretch alone.
    own: tuple[Episode, ...]
    covered_tokens: int
    cap: int


def draft_of(material: Material) -> Draft | None:
    """None where the stretch holds nothing that could be summarised."""
    due, settings, transcript = material.due, material.settings, material.transcript
    messages = find_covered_messages(transcript, first=due.first, last=due.last, generation=material.generation)
    if messages is None or not material.stretch.beats:
        return None
    chunks, _ = chunked(material.stretch.beats, settings.digest, budget=settings.summary.max_tokens)
    own = tuple(episodes_of(chunks, budget=settings.summary.max_tokens))
    before = material.previous
    new = facts_of(material.stretch, material.ledger, last=due.last)
    covered = pending_tokens(transcript, 0, due.last)
    return Draft(
        material,
        messages,
        merged(before.facts, new) if before is not None else merged(Facts(), new),
        _bounded((*(before.episodes if before is not None else ()), *own)),
        own,
        covered,
        cap_of(
            covered,
            max_tokens=settings.summary.max_tokens,
            target_compression=settings.summary.target_compression,
        ),
    )


def extractive(draft: Draft, *, note: str = "") -> RollingSummary | None:
    """The summary in the log's own sentences; None where even that says nothing."""
    before = draft.material.previous
    # A model's prose is carried as it is: it cannot be told again from sentences.
    carried = before.prose if before is not None else ""
    return _written(draft, prose="", carried=carried, model="", note=note)


def by_model(draft: Draft, prose: str, model: str) -> RollingSummary | None:
    """The summary around a model's prose, which was accepted."""
    return _written(draft, prose=prose, carried="", model=model, note="")


def prompt_of(draft: Draft) -> Prompt:
    material = draft.material
    return summary_prompt(
        material.stretch.beats,
        material.previous,
        draft.facts,
        cap=int(draft.cap * PROSE_SHARE),
        voice=material.settings.summary.voice,
        focus=material.focus,
    )


def chain_of(summaries: Sequence[RollingSummary], transcript: Transcript, memory: Memory) -> tuple[RollingSummary, ...]:
    """The summaries whose messages are still the same, without hole or overlap; a later one replaces what it covers."""
    chain: list[RollingSummary] = []
    fingerprints = fingerprints_of(transcript, {each.coverage.last for each in summaries}, memory)
    for each in summaries:
        if each.coverage.fingerprint != fingerprints[each.coverage.last]:
            continue
        chain = [other for other in chain if other.coverage.last < each.coverage.first]
        if each.coverage.first == (chain[-1].coverage.last + 1 if chain else 0):
            chain.append(each)
    return tuple(chain)


def previous_of(chain: Sequence[RollingSummary], first: int) -> RollingSummary | None:
    """The latest summary that ends before a stretch beginning at `first`; an empty one covers nothing."""
    return next((each for each in reversed(chain) if each.coverage.last < first and each.text.strip()), None)


def _written(draft: Draft, *, prose: str, carried: str, model: str, note: str) -> RollingSummary | None:
    material = draft.material
    settings = material.settings
    summary = settings.summary
    root = next(iter(material.transcript.cwds), "")
    text = text_of(
        draft.facts,
        draft.episodes,
        cap=draft.cap,
        voice=summary.voice,
        digest=settings.digest,
        prose=prose or carried,
        root=root,
        focus=material.focus,
    )
    if carried and not prose and (new := part_of(draft.own, cap=draft.cap // 3, digest=settings.digest)):
        # What is new stands behind what the model said of the time before.
        shorter = text_of(
            draft.facts,
            draft.episodes,
            cap=max(draft.cap - count_for_budget(new) - 2, 1),
            voice=summary.voice,
            digest=settings.digest,
            prose=carried,
            root=root,
        )
        text = f"{shorter}\n\n{new}"
    part = part_of(draft.own, cap=min(draft.cap, summary.max_tokens), digest=settings.digest)
    if not text.strip():
        return None
    made_of = f"{material.session_id} {draft.messages.fingerprint} {draft.messages.first} {material.now} {model}"
    return RollingSummary(
        id=blake2b(made_of.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(),
        text=text,
        part=part or text,
        coverage=draft.messages,
        facts=draft.facts,
        episodes=draft.episodes,
        tokens=count_for_budget(text),
        covered_tokens=draft.covered_tokens,
        method="model" if model else "extractive",
        created_at=material.now,
        model=model,
        focus=material.focus,
        note=note,
        prose=prose or carried,
    )


def _bounded(episodes: Sequence[Episode]) -> tuple[Episode, ...]:
    """The newest half, and of the older half those that changed most."""
    if len(episodes) <= MAX_EPISODES:
        return tuple(episodes)
    half = MAX_EPISODES // 2
    older, newer = episodes[:-half], episodes[-half:]
    telling = sorted(range(len(older)), key=lambda at: (-bool(older[at].request), -older[at].consequences, -at))[:half]
    return (*(older[at] for at in sorted(telling)), *newer)
