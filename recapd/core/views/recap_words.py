"""Requests and results in a few words: what was asked and what came of it, as a person would repeat them.

Owns: which part of a long prompt is the request, and a result without its run-up. Must not know: formats, budgets.
Everything is cut, never rephrased: the words are the human's and the agent's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec

from recapd.core.excerpt import presentable
from recapd.core.gist import plain, sentences_of
from recapd.core.hygiene import escape_markdown
from recapd.core.session import current_focus
from recapd.core.state import Step
from recapd.core.text import ELLIPSIS, one_line, strip_quoted_reply
from recapd.core.views.recap import Recap

_FENCED_RE: Final = re.compile(r"^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
# Words before the matter itself.
_RUN_UP_RE: Final = re.compile(
    r"(?:(?:ok(?:ay)?|k|hm+|hmm+|uh+m*|um+|ah+|oh|so|well|great|nice|cool|good|perfect|awesome|thanks|"
    r"thank you|yeah|yep|yes|alright|sure|hey|hi|hello|please|pls|exactly|excellent|got it|understood|also|"
    # These three also begin a statement of their own: "done with the first half".
    r"(?:done|clean|right)(?=\s*[,.!:;…—–-]))"
    r"(?![\w'’-])[\s,.!:;…—–-]*)+",
    re.IGNORECASE,
)
_POLITE_RE: Final = re.compile(
    r"(?:(?:can|could|would|will) (?:you|we)(?: please| also| just)*|please|i(?:'d| would) like you to|i want you to|"
    r"i need you to)\s+",
    re.IGNORECASE,
)
# Addresses and paths are known by their ends.
_ADDRESS_RE: Final = re.compile(r"https?://(?:www\.)?([\w.-]+)((?:/[^\s/)\]>\"'`]+)*)/?")
# Where words have no spaces, a path stands between them without one.
_PATH_RE: Final = re.compile(r"(?<![A-Za-z0-9_.:/])(?:~|[A-Za-z]:)?((?:/[A-Za-z0-9_.@+-]+){4,})")
_HASH_RE: Final = re.compile(r"\A\(?(?=[a-f]*\d)[0-9a-f]{7,40}\)? ?[:—–-]+ ")
_CLAUSE_END_RE: Final = re.compile(
    r" [—–-]{1,2} |; | \(|\. |, (?:so|which|but|because|and|instead|rather)\b| because\b| → |[；，（]"
)
# No clause ends in one of these.
_LINKING: Final = frozenset(
    "and or but with while to of the a an in on at by for from that is are was as if when via".split()
)
# What stands in brackets is said by the way.
_ASIDE_RE: Final = re.compile(r"(?<=[^\s(]) \([^()]{2,200}\)(?=[\s,.;:!?]|\Z)|（[^（）]{2,200}）")
_SPEAKER_RE: Final = re.compile(r"(?:I|We)(?:['’]ve| have)? (?:also |now |just )?(?!need\b)(?=[a-z]{2,}ed\b)")
_CHANGE_DIR_RE: Final = re.compile(r"\A\s*cd [^&;|\n]{1,300}(?:&&|;)\s*")
# Commands that are kept as files show where the human's words go: under a heading, in a block of their own.
_TYPED_RE: Final = re.compile(
    r"^[#* \t]*user(?:['’]s)? (?:input|request|prompt|message)[:* \t]*\n\s*```\w*[ \t]*\n(.*?)^[ \t]*```[ \t]*$",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_TEMPLATE_CHARS: Final = 4_000
_TEMPLATE_LINE_RE: Final = re.compile(
    r"#{1,6}[ \t]+\S+\s*$|.{0,20}\bconsider (?:the user input|it) before proceeding", re.IGNORECASE
)
_LEAST_REST: Final = 12
_LEAST_WORDS: Final = 4
_SCRATCH: Final = ("/tmp/", "/private/tmp/", "/var/folders/", "/var/tmp/")
_TARGET_CHARS: Final = 60
_NAME_CHARS: Final = 60
_MARKS: Final = "#>-–* \n"
_NO_PROSE: Final = ("-", "*", "#", "|", "<", "{")
_ASKING: Final = ("?", "？", "吗", "か。")


def request_line(text: str, limit: int) -> str:
    """What a prompt asks, on one line: its own words without quotes, code and run-up; of a long one the asking part."""
    own = _typed(strip_quoted_reply(text))
    prose = _FENCED_RE.sub("\n", own).strip() or own
    prose = shortened(presentable(prose)).lstrip(_MARKS)
    whole = without_run_up(plain(prose))
    if len(whole) <= limit:
        return whole
    sentences = [without_run_up(plain(each)) for block in prose.split("\n") for each in sentences_of(block)]
    sentences = [sentence for sentence in sentences if sentence]
    if not sentences:
        return one_line(whole, limit)
    first = sentences[0]
    asking = _asking(sentences, prose)
    if asking and len(asking) <= limit * 4 // 5:
        head = one_line(first, limit - len(asking) - 3)
        return f"{head} {asking}" if head.endswith((ELLIPSIS, ".", "!", "?")) else f"{head} {ELLIPSIS} {asking}"
    return one_line(first if len(first) * 4 >= limit * 3 else " ".join(sentences), limit)


def _typed(prompt: str) -> str:
    """What the human typed, where a command wrapped it in a page of instructions; else those instructions' matter."""
    found = _TYPED_RE.search(prompt[:_TEMPLATE_CHARS]) if "```" in prompt else None
    if found is None:
        return prompt
    if words := found[1].strip():
        return words
    rest = [line for line in prompt[found.end() :].split("\n") if not _TEMPLATE_LINE_RE.match(line)]
    return "\n".join(rest).strip() or prompt


def asked_in_full(recap: Recap) -> str:
    """The first request as the log has it, paragraphs and all; the recap's own is one line."""
    original = recap.session.main.transcript.original
    return original.text if original is not None else ""


def focus_in_full(recap: Recap) -> str:
    focus = current_focus(recap.session.main.transcript)
    return focus.text if focus is not None else ""


def _asking(sentences: Sequence[str], prose: str) -> str:
    """The part of a long prompt that asks: the few words after everything pasted, or its last question."""
    question = next((each for each in reversed(sentences[1:]) if each.endswith(_ASKING)), "")
    last = prose.rpartition("\n\n")[2]
    words = plain(last)
    is_prose = len(words.split()) >= _LEAST_WORDS and not last.lstrip().startswith(_NO_PROSE)
    if not is_prose or "\n\n" not in prose or (question and question not in without_run_up(words)):
        return question
    return without_run_up(words)


def shortened(text: str) -> str:
    """The text with long addresses and paths told by their ends."""
    if "/" not in text:
        return text
    text = _ADDRESS_RE.sub(_short_address, text)
    return _PATH_RE.sub(lambda found: f"…/{'/'.join(found[1].split('/')[-2:])}", text)


def _short_address(found: re.Match[str]) -> str:
    steps = found[2].split("/")[1:]
    return f"{found[1]}/{'/'.join(steps)}" if len(steps) <= 2 else f"{found[1]}/…/{'/'.join(steps[-2:])}"


def result_line(text: str, limit: int) -> str:
    """A statement of the agent as part of a line: without run-up, closing mark, and the hash of a commit."""
    line = without_run_up(shortened(_HASH_RE.sub("", text)))
    # "I've added it" is told as "Added it": who did is plain.
    if (speaker := _SPEAKER_RE.match(line)) is not None:
        line = line[speaker.end() :]
        line = line[:1].upper() + line[1:]
    return clause(line, limit).rstrip(" .;,:。；，：")


def clause(text: str, limit: int) -> str:
    """The text within the limit: up to the end of a clause that stands by itself, else of a word, with an ellipsis."""
    if len(text) <= limit:
        return text
    ends = [found.start() for found in _CLAUSE_END_RE.finditer(text, limit * 2 // 5, limit + 2)]
    ends = [end for end in ends if text[:end].rpartition(" ")[2].lower() not in _LINKING]
    return text[: ends[-1]] if ends else one_line(text, limit)


def without_asides(text: str) -> str:
    """The text without what stands in brackets."""
    return _ASIDE_RE.sub("", text)


def without_run_up(text: str) -> str:
    """The text from where it comes to the matter; whole where nothing would be left."""
    rest = text
    for pattern in (_RUN_UP_RE, _POLITE_RE):
        found = pattern.match(rest)
        if found and len(rest) - found.end() >= _LEAST_REST:
            rest = rest[found.end() :]
    if rest is text:
        return text
    return rest[:1].upper() + rest[1:]


@lru_cache(maxsize=8_192)
def said(text: str) -> str:
    """Log text as it may stand in a page."""
    return escape_markdown(text)


def brief(step: Step) -> Step:
    """The step with so little of its target that five of them are still read."""
    is_path = step.kind in ("read", "list", "edit", "write", "patch", "delete")
    target = short_names([step.target])[0] if is_path else one_line(_command(step.target), _TARGET_CHARS)
    return msgspec.structs.replace(
        step, target=target, detail=one_line(step.detail, 40), outcome=one_line(step.outcome, 80)
    )


def _command(target: str) -> str:
    """A command line without where it is run, its paths told by their ends."""
    return shortened(_CHANGE_DIR_RE.sub("", target, count=1))


def lasting(paths: Sequence[str]) -> list[bool]:
    """Which of the files are the work itself; scratch files of the system's are, where there is nothing else."""
    kept = [not path.startswith(_SCRATCH) for path in paths]
    return kept if any(kept) else [True] * len(paths)


def short_names(paths: Sequence[str]) -> list[str]:
    """Each path as briefly as tells it from the others: its name, with its folder where names repeat."""
    names = [path.rstrip("/").rpartition("/")[2] or path for path in paths]
    count = Counter(names)
    return [
        one_line(name if count[name] == 1 else "/".join(path.split("/")[-2:]), _NAME_CHARS)
        for name, path in zip(names, paths, strict=True)
    ]
