"""The token estimate: close on what logs hold, never falling along prefixes, and a budget that holds."""

import base64
import hashlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.text import tokens
from recapd.core.text.tokens import (
    CLAUDE,
    GEMINI,
    GPT,
    TokenFamily,
    count_for_budget,
    estimate_tokens,
    fit_tokens,
)

NOISE = b"".join(hashlib.sha256(bytes([seed])).digest() for seed in range(24))

PROSE = (
    "The parser keeps half a line until the rest of it arrives, so a record is never seen twice. "
    "When the file shrinks we start again from the beginning, because nothing we remember about it holds any more.\n"
) * 4
PYTHON = (
    "def fold(state: State, events: Sequence[Event]) -> State:\n"
    '    """Apply a batch."""\n'
    "    turns = list(state.turns)\n"
    "    for event in events:\n"
    "        if isinstance(event, UserText) and not event.is_meta:\n"
    "            turns.append(Turn(index=len(turns), started_at=event.at))\n"
    "    return replace(state, turns=tuple(turns))\n"
) * 3
JSON = '{"type":"toolResult","callId":"call_0017","isError":false,"lines":482,"path":"src/app/main.ts","ms":12.5}\n' * 8
LOG = "2031-04-05T06:07:08.123Z INFO  [worker-3] request done status=200 bytes=48213 path=/api/v1/items/99812\n" * 8
CHINESE = "解析器会保留半行内容，直到其余部分到达，因此同一条记录不会被读取两次。文件变短时，我们从头开始。" * 6
RUSSIAN = "Если файл стал короче, мы начинаем сначала, потому что всё, что мы о нём помним, больше не верно. " * 5
EMOJI = "✅ done 🚀 shipped 🎉🎉 next: 🐛 fix, 🔥 cleanup 👩‍💻\n" * 6

# Text, its count by the o200k vocabulary, and by how many percent the estimate may be too low and too high.
KNOWN = {
    "prose": (PROSE, 172, 10, 10),
    "python": (PYTHON, 228, 10, 10),
    "json": (JSON, 288, 10, 10),
    "log": (LOG, 328, 10, 10),
    "chinese": (CHINESE, 210, 10, 10),
    "russian": (RUSSIAN, 146, 10, 20),
    "emoji": (EMOJI, 150, 10, 20),
    "base64": (base64.b64encode(NOISE).decode(), 700, 10, 10),
    "hex": (NOISE.hex(), 864, 10, 10),
    "digits": (str(int.from_bytes(NOISE[:300], "big")), 241, 10, 10),
    "random letters": ("".join(chr(97 + byte % 26) for byte in NOISE), 398, 10, 10),
}
FAMILIES = (GPT, CLAUDE, GEMINI)
# Pieces that logs are made of, so that random text has words, numbers, blobs and broken characters.
log_text = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.sampled_from(
            [" ", "\n", "  ", ". ", "word", "camelCase", "SNAKE_CASE", "12345", "…", "日本", "🎉", "\ud83d", "a" * 45]
        ),
    ),
    max_size=30,
).map("".join)


@pytest.mark.parametrize("name", KNOWN)
def test_estimate_is_close_on_what_logs_hold(name: str) -> None:
    text, true, low_percent, high_percent = KNOWN[name]
    assert -low_percent <= (estimate_tokens(text, GPT) - true) * 100 / true <= high_percent


@pytest.mark.parametrize("name", KNOWN)
def test_default_budget_count_covers_the_cheaper_family_too(name: str) -> None:
    text, true, _, _ = KNOWN[name]
    assert count_for_budget(text) >= true


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@given(before=log_text, after=log_text)
def test_longer_text_never_costs_less(family: TokenFamily, before: str, after: str) -> None:
    assert estimate_tokens(before, family) <= estimate_tokens(before + after, family)
    assert count_for_budget(before, family) <= count_for_budget(before + after, family)


@pytest.mark.parametrize("count", [estimate_tokens, count_for_budget])
@given(parts=st.lists(log_text, min_size=1, max_size=6))
def test_counts_of_lines_add_up_to_at_least_the_whole(count: Callable[[str], int], parts: list[str]) -> None:
    joined = count("\n".join(parts))
    assert joined <= sum(map(count, parts)) + count("\n") * (len(parts) - 1)


@given(text=log_text)
def test_budget_count_is_dearer(text: str) -> None:
    assert (estimate_tokens(text) == 0) == (text == "")
    assert estimate_tokens(text) <= count_for_budget(text) <= estimate_tokens(text) * 1.1 + 1


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@given(text=log_text, max_tokens=st.integers(-1, 60))
def test_fitted_text_is_a_prefix_within_the_budget(family: TokenFamily, text: str, max_tokens: int) -> None:
    fitted = fit_tokens(text, max_tokens, family=family)
    assert count_for_budget(fitted, family) <= max(max_tokens, 0)
    if count_for_budget(text, family) <= max_tokens:
        assert fitted == text
    elif fitted:
        assert fitted.endswith("…")
        assert text.startswith(fitted.removesuffix("…").rstrip())


@pytest.mark.parametrize("max_tokens", [20, 60, 100])
@pytest.mark.parametrize("name", sorted(KNOWN))
def test_fitted_text_uses_the_budget(name: str, max_tokens: int) -> None:
    fitted = fit_tokens(KNOWN[name][0], max_tokens)
    assert count_for_budget(fitted) >= max_tokens // 2


FITTED = [
    ("One two three. Four five six seven eight nine ten.", 8, "One two three. …"),
    ("alpha beta gamma delta epsilon zeta", 5, "alpha beta…"),
    ("- first item\n- second item\n- third item", 12, "- first item\n- second item…"),
    ("short", 100, "short"),
    ("short", 0, ""),
    ("short", -5, ""),
    ("", 5, ""),
]


@pytest.mark.parametrize(("text", "max_tokens", "expected"), FITTED)
def test_fit_tokens(text: str, max_tokens: int, expected: str) -> None:
    assert fit_tokens(text, max_tokens) == expected


def test_cost_does_not_grow_with_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = 0
    count = tokens._units

    def counting(text: str, family: TokenFamily) -> int:
        nonlocal counted
        counted += len(text)
        return count(text, family)

    monkeypatch.setattr(tokens, "_units", counting)
    work = []
    for size in (100, 1000):
        counted = 0
        fit_tokens(PROSE * size, 200)
        work.append(counted)
    assert work[0] == work[1]
    assert work[0] < 100_000
