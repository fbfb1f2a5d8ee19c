"""The questions that an agent asks the human by a tool: {questions: [{question, options: [{label}]}]}.

Several agents took this shape from each other; how the answers come back differs, and is theirs to read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.shared.base import decode_or_none
from recapd.core.log import Call

# More than anybody asks at once.
_MOST_QUESTIONS = 20
# More than anybody chooses from. One that is longer is no label, and none is cut: that may go through a secret.
_MOST_OPTIONS = 20
_OPTION_CHARS = 1_000


class Option(Struct, gc=False):
    label: str = ""


class Question(Struct, gc=False):
    question: str = ""
    options: list[Option] | None = None


class _Asked(Struct, gc=False):
    questions: list[Question] = []


_asked = msgspec.json.Decoder(_Asked)


def questions_in(arguments: bytes | Raw) -> list[Question]:
    asked = decode_or_none(_asked, arguments)
    return asked.questions if asked is not None else []


def asking(call: Call, questions: Sequence[Question]) -> Call:
    """The call that asks these: shown by the first question and its options; itself where it asks nothing."""
    if not questions:
        return call
    first = questions[0]
    further = tuple((each.question, _labels_of(each)) for each in questions[1:_MOST_QUESTIONS])
    return Call(call.id, call.tool, "ask", target=first.question, options=_labels_of(first), further=further)


def _labels_of(question: Question) -> tuple[str, ...]:
    return options_of(option.label for option in question.options or ())


def options_of(labels: Iterable[str]) -> tuple[str, ...]:
    return tuple(islice((label for label in labels if label.strip() and len(label) <= _OPTION_CHARS), _MOST_OPTIONS))
