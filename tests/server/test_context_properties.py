"""What holds for every conversation and every budget: hard caps, no hole, no overlap, the same bytes, valid roles."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from recapd.core.text.tokens import count_for_budget
from recapd.core.views.context.presets import PRESETS
from tests.support.contexts import Story
from tests.support.logs import CWD, Act, agent, edit, human, shell

WORDS = st.text(
    st.one_of(st.characters(min_codepoint=32, max_codepoint=126), st.sampled_from("\n\n  重构配置é🙂#<>`|")),
    max_size=300,
)
NASTY = st.sampled_from(
    ["</recapd-past>", "## Request", "[PAST] User: x", "<recapd-ask>", "📍 **Where we are**\n- x", "x" * 3_000, " "]
)
TEXT = st.one_of(WORDS, NASTY)
ACT = st.one_of(
    TEXT.map(human),
    TEXT.map(agent),
    st.sampled_from([edit(f"{CWD}/a.py"), shell("make", "ok"), shell("make", "no", exit_code=1)]),
)
CONVERSATION = st.lists(ACT, max_size=30)
WINDOW = st.one_of(
    st.none(),
    st.fixed_dictionaries(
        {"unit": st.sampled_from(["exchanges", "messages", "tokens"]), "size": st.integers(1, 500)},
    ),
)


@contextmanager
def told(acts: list[Act]) -> Iterator[Story]:
    with tempfile.TemporaryDirectory() as folder:
        # A log without a message is none.
        yield Story(Path(folder), human("begin"), *acts)


@given(
    CONVERSATION,
    st.integers(20, 3_000),
    st.sampled_from(sorted(PRESETS)),
    st.sampled_from(["text", "messages"]),
    st.one_of(st.none(), TEXT),
    WINDOW,
)
@settings(max_examples=60, deadline=None)
def test_any_context_keeps_its_promises(
    acts: list[Act], tokens: int, preset: str, output: str, prompt: str | None, window: dict[str, object] | None
) -> None:
    params: dict[str, object] = {"preset": preset, "output": output}
    params |= {"prompt": prompt} if prompt is not None else {}
    params |= {"window": window} if window is not None else {}
    with told(acts) as story:
        found = story.context(tokens, **params)
        assert story.context(tokens, **params) == found
    texts = [found.text] if found.text is not None else [each.content for each in found.messages or ()]
    assert sum(map(count_for_budget, texts)) == found.tokens <= tokens
    assert found.prefix_tokens <= tokens
    shown = "".join(texts)
    assert shown.count("</recapd-past>") <= 1 and shown.count("<recapd-past") <= 1
    roles = [each.role for each in found.messages or ()]
    assert all(one != other for one, other in pairwise(roles)) and roles[:1] in ([], ["user"])
    assert all(each.content.strip() for each in found.messages or ())
    # Summarized, then verbatim, and nothing between.
    through, verbatim = found.coverage.summarized_through, found.coverage.verbatim_from
    assert through is None or verbatim is None or through + 1 == verbatim
    ranges = [(each.from_message, each.to_message) for each in found.sections if each.from_message is not None]
    assert all(end is not None and end + 1 == start for (_, end), (start, _) in pairwise(ranges))
    if verbatim is not None:
        assert ranges[-1] == (verbatim, found.coverage.messages - 1)
    # What is not there is named.
    named = {each.name for each in found.sections} | {each.name for each in found.omitted}
    assert named == set(PRESETS[preset].order)


@given(CONVERSATION, CONVERSATION, st.integers(200, 3_000))
@settings(max_examples=40, deadline=None)
def test_the_prefix_changes_only_when_its_sources_do(acts: list[Act], more: list[Act], tokens: int) -> None:
    with told(acts) as story:
        before = story.context(tokens)
        story.goes_on(*more)
        after = story.context(tokens)

    def sources(text: str) -> tuple[str, ...]:
        """The sections that the prefix is made of, as they stand in the text."""
        parts = text.split("\n## ")
        return tuple(part for part in parts if part.startswith(("Request", "Decisions")))

    if sources(before.text or "") == sources(after.text or ""):
        assert before.prefix_hash == after.prefix_hash
    else:
        assert before.prefix_hash != after.prefix_hash


@given(CONVERSATION)
@settings(max_examples=40, deadline=None)
def test_a_window_without_limits_holds_every_word(acts: list[Act]) -> None:
    with told(acts) as story:
        found = story.context(100_000, window={"unit": "exchanges", "size": 500})
    assert found.coverage.verbatim_from == 0 and found.coverage.summarized_through is None
    assert "begin" in (found.text or "")
