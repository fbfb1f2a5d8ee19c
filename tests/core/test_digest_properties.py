"""What holds for a digest whatever was said: the budget, the order, and that the same words give the same text."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from recapd.core.settings import DEFAULTS, DigestSettings
from recapd.core.summaries.digest.chunk import chunks_of
from recapd.core.summaries.digest.pipeline import digest_of
from recapd.core.summaries.digest.script import Beat
from recapd.core.summaries.digest.select import Frame
from recapd.core.text.tokens import count_for_budget
from tests.support.scripts import place

TEXTS = st.one_of(
    st.text(max_size=400),
    st.lists(
        st.sampled_from(["queue", "lock", "chart", "a.py", "\n\n", "```", "fixed.", "漢字", "🙂", "|"]), max_size=60
    ).map(" ".join),
)


@st.composite
def conversations(draw: st.DrawFn) -> tuple[Beat, ...]:
    said = draw(st.lists(st.tuples(st.sampled_from(["user", "agent", "action"]), TEXTS), max_size=12))
    turn = 0
    found: list[Beat] = []
    for number, (voice, text) in enumerate(said):
        turn += voice == "user"
        if text.strip():
            found.append(Beat(voice, text, number, turn, place(number), changed=voice == "action"))  # type: ignore[arg-type]
    return tuple(found)


FRAMES = st.builds(
    Frame, st.text(max_size=300), st.lists(st.text(min_size=1, max_size=80), max_size=6).map(tuple), st.just(())
)


@settings(max_examples=60, deadline=None)
@given(conversations(), st.integers(1, 400), FRAMES)
def test_the_budget_holds_and_the_order_is_that_of_time(beats: tuple[Beat, ...], budget: int, frame: Frame) -> None:
    made = digest_of(beats, DEFAULTS.digest, budget=budget, frame=frame)
    # Whoever prints it ends its last line.
    assert count_for_budget(f"{made.text}\n" if made.text else "") <= budget
    assert list(made.shown) == sorted(made.shown)
    assert digest_of(beats, DEFAULTS.digest, budget=budget, frame=frame) == made
    messages = [(each.first_message, each.last_message) for each in made.episodes]
    assert messages == sorted(messages)


@settings(max_examples=60, deadline=None)
@given(conversations(), st.integers(20, 500))
def test_chunks_hold_everything_that_was_said_and_none_is_too_large(beats: tuple[Beat, ...], most: int) -> None:
    found = chunks_of(beats, DigestSettings(max_chunk_chars=most, min_chunk_chars=0))
    assert all(chunk.chars <= most for chunk in found)
    said = "".join("".join(beat.text.split()) for beat in beats)
    kept = "".join("".join(piece.text.split()) for chunk in found for piece in chunk.pieces)
    assert kept == said
