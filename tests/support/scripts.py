"""Conversations as the digest and the summaries read them, from neutral records."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec

from recapd.core.log.events import Prompt, Reply
from recapd.core.log.refs import Place
from recapd.core.settings import DEFAULTS, Settings
from recapd.core.state.transcript import Transcript
from recapd.core.summaries.digest.script import Beat, Stretch, stretch_of
from recapd.core.summaries.make import Draft, Material, draft_of, extractive
from recapd.core.summaries.policy import Due
from recapd.core.summaries.record import RollingSummary
from recapd.daemon.config.presets import PRESETS
from tests.support.logs import at
from tests.support.records import Row, folded, tape

# Words that share no run of letters worth speaking of, for topics that have nothing to do with each other.
TOPICS = {
    "queue": "The job queue in queue_worker.py loses jobs because claim_job() takes no lock on the jobs table.",
    "login": "Login redirects twice since SessionCookie in auth_view.tsx is set after the redirect to the dashboard.",
    "charts": "Charts flicker when ChartCanvas.vue draws every frame although nothing in the dataset has changed.",
    "mail": "Bounced e-mail fills the spool because smtp_relay.go retries permanent 550 failures for ever.",
}


def stretch(*rows: Row, first: int = 0, last: int | None = None) -> Stretch:
    """What these records hold, from message `first` to `last`."""
    transcript = folded(*rows)
    end = transcript.totals.messages - 1 if last is None else last
    return stretch_of(transcript, tape(*rows), first=first, last=end)


def beats(*texts: str) -> tuple[Beat, ...]:
    """The user's and the agent's words in turn."""
    return stretch(*(Reply(text) if number % 2 else Prompt(text) for number, text in enumerate(texts))).beats


def talk_about(*topics: str, exchanges: int = 3) -> tuple[Beat, ...]:
    """Some exchanges about each topic, one topic after the other."""
    said: list[str] = []
    for topic in topics:
        text = TOPICS[topic]
        for number in range(exchanges):
            said += [
                f"{text} What about case {number}?",
                f"{text} In case {number} that is fixed now, and it is tested.",
            ]
    return beats(*said)


def random_words(seed: int, count: int) -> str:
    rng = random.Random(seed)
    return " ".join("".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(4, 9))) for _ in range(count))


def place(number: int) -> Place:
    return Place(number, number * 100, 99)


def draft(
    transcript: Transcript,
    rows: Sequence[Row],
    *,
    first: int,
    last: int,
    previous: RollingSummary | None = None,
    settings: Settings = DEFAULTS,
    focus: str = "",
) -> Draft:
    found = draft_of(
        Material(
            session_id="test:1",
            transcript=transcript,
            generation="g",
            due=Due(first, last, "messages"),
            stretch=stretch_of(transcript, tape(*rows), first=first, last=last),
            ledger=(),
            previous=previous,
            settings=settings,
            now=at(0),
            focus=focus,
        )
    )
    assert found is not None
    return found


def summary(
    rows: Sequence[Row],
    *,
    first: int = 0,
    last: int | None = None,
    previous: RollingSummary | None = None,
    settings: Settings = DEFAULTS,
    focus: str = "",
) -> RollingSummary:
    """An extractive summary of messages `first` to `last` of these records."""
    transcript = folded(*rows)
    end = transcript.totals.messages - 1 if last is None else last
    made = extractive(draft(transcript, rows, first=first, last=end, previous=previous, settings=settings, focus=focus))
    assert made is not None
    return made


def preset(name: str) -> Settings:
    """The settings under a preset, nothing else being set."""
    whole: dict[str, dict[str, object]] = msgspec.to_builtins(DEFAULTS)
    for key, value in PRESETS[name].items():
        section, _, field = key.partition(".")
        whole[section][field] = value
    return msgspec.convert(whole, Settings)
