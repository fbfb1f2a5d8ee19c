"""What a human typed, told from the output that was pasted beside it.

Owns: which lines of a prompt came out of a terminal or a log. Must not know: what is asked, Markdown but for its fences
(see markdown: code is told from words there).
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from recapd.core import late_re as re

# A prompt of a shell, a frame of a stack, a record of data, a line of a log, what a program says that failed.
_OUTPUT_RE: Final = re.compile(
    r"\s*(?:\(\S{1,40}\) )?[\w.-]{1,64}@[\w.-]{1,64}[: ][^\n]{0,200}?[$#%](?: |$)"
    r"|\s*(?:\$|>>>|❯|➜|%) {1,2}\S"
    r"|PS [A-Z]:\\"
    r"|\s+at \S|Traceback \(most recent"
    r"|\s*File \".{1,300}\", line \d"
    r"|\s*(?:\[[\w.-]{1,40}\] )?\{[\"'][\w.-]{1,60}[\"']:"
    r"|\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d"
    r"|\s*(?:npm (?:ERR|error|warn)|(?:error|fatal|warning|remote|panic|hint)(?:\[\w{1,20}\])?:)"
    r"|\s*(?:ERROR|FAILED|FAIL|WARN(?:ING)?)\b"
    r"|\s*[A-Za-z_.]{0,80}(?:Error|Exception)(?::|\b.{0,20}$)"
)
# A compiler or a shell says where before what; people say that of several places, too.
_PLACE_RE: Final = re.compile(r"\s*(?=[^\s:]{0,200}[/.\\])(?:[A-Za-z]:)?[^\s:]{1,200}:\d{1,6}:")
_FAILED_RE: Final = re.compile(
    r"\b(?:error|fatal|failed|failure|rejected|denied|exception|panic|cannot|can't|not found|no such|undefined|"
    r"unable)\b|错误|失败|ошибка|Error\b|Exception\b",
    re.IGNORECASE,
)
# Lines with fewer plain words are output as well, where they stand behind some.
_WORDS_RE: Final = re.compile(r"(?<![\w./:=_-])[^\W\d_]{2,}(?![\w/=_-]|\.\w|:\w)")
_LEAST_WORDS: Final = 4
_LEAST_LINES: Final = 2


class Typed(Struct, frozen=True):
    """The words that were typed, and the last line of what was pasted that says what failed."""

    words: str
    failed: str = ""


def without_output(prompt: str) -> Typed:
    """A prompt of one line, or without output in it, is typed as a whole."""
    lines = prompt.split("\n")
    if len(lines) < _LEAST_LINES or not any(map(_is_output, lines)):
        return Typed(prompt)
    typed: list[str] = []
    pasted: list[str] = []
    is_pasted = is_behind_blank = False
    for line in lines:
        if not line.strip():
            is_behind_blank = True
            typed.append(line)
            continue
        if _is_output(line):
            is_pasted = True
        elif is_behind_blank and is_pasted:
            # Behind a blank line somebody may speak again.
            is_pasted = len(_WORDS_RE.findall(line)) < _LEAST_WORDS or line[:1].isspace()
        is_behind_blank = False
        (pasted if is_pasted else typed).append(line)
    failed = next((line.strip() for line in reversed(pasted) if _FAILED_RE.search(line)), "")
    return Typed("\n".join(typed).strip(), failed)


def _is_output(line: str) -> bool:
    if _OUTPUT_RE.match(line):
        return True
    return _PLACE_RE.match(line) is not None and _FAILED_RE.search(line) is not None
