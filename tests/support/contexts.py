"""Contexts assembled from small synthetic logs on disk, as a client would get them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from recapd.core.settings import DecisionSettings, Settings
from recapd.core.state.world import Session
from recapd.core.summaries.covered import find_covered_messages
from recapd.core.summaries.record import Facts, RollingSummary
from recapd.daemon.library import Library
from recapd.server.methods.dispatch import answer
from recapd.wire.types import ContextAssembleResult, OrientationGetResult
from tests.support.logs import Act, agent, at, claude_log, human


class Clocked(Library):
    """A library with a clock of its own."""

    time_s: float = 100_000

    def now(self) -> str:
        return at(self.time_s)

    def settings(self, session: Session) -> Settings:
        """Without decisions: which of a made-up story's sentences are some is for the ledger's own tests."""
        return Settings(decisions=DecisionSettings(enabled=False))


class Story:
    """One conversation on disk, and the process that reads it."""

    def __init__(self, folder: Path, *acts: Act) -> None:
        self.path = folder / "story.jsonl"
        self.acts = list(acts)
        self.library = Clocked([])
        self.write()

    def write(self) -> None:
        self.path.write_bytes(claude_log(*self.acts))

    def goes_on(self, *acts: Act) -> None:
        """More is said; whoever asks next reads it."""
        self.acts += acts
        self.write()
        kept = self.library
        self.library = Clocked([])
        # What the process holds survives; only the log is read anew.
        self.library.durable, self.library.indexes = kept.durable, kept.indexes

    def summarize(self, text: str, through: int) -> None:
        """A rolling summary of all messages up to one, as the summarizer would store it."""
        session = self.library.load(self.path)
        coverage = find_covered_messages(
            session.main.transcript, first=0, last=through, generation=session.main.generation
        )
        assert coverage is not None
        made = RollingSummary(
            id=f"s{through}",
            text=text,
            part=text,
            coverage=coverage,
            facts=Facts(),
            episodes=(),
            tokens=1,
            covered_tokens=1,
            method="extractive",
            created_at=at(0),
        )
        self.library.durable.add_summary(session.id, msgspec.msgpack.encode(made))

    def context(self, max_tokens: int = 4_000, **params: object) -> ContextAssembleResult:
        asked = {"session": {"log": str(self.path)}, "maxTokens": max_tokens, **params}
        found = answer(self.library, "context/assemble", msgspec.json.encode(asked))
        assert isinstance(found, ContextAssembleResult)
        return found

    def orientation(self, prompt: str | None = None) -> OrientationGetResult:
        asked = {"session": {"log": str(self.path)}, **({"currentPrompt": prompt} if prompt is not None else {})}
        found = answer(self.library, "orientation/get", msgspec.json.encode(asked))
        assert isinstance(found, OrientationGetResult)
        return found


def exchanges(count: int, *, words: str = "about the parser", first: int = 1) -> list[Act]:
    """So many prompts with their answers, each told apart by its number."""
    acts: list[Act] = []
    for number in range(first, first + count):
        acts += [human(f"how is step{number} {words}?"), agent(f"It is step{number} {words}, and all is well.")]
    return acts
