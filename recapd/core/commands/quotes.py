"""Where quoted, substituted and here-document stretches of shell text end.

Owns the nesting rules: inside double quotes, inside `$(…)`, inside a body.  Every function is linear in what it skips.
"""

from typing import Final

from recapd.core import late_re as re

_IN_CODE: Final = re.compile(r"""['"\\`()\n#]|<{2,3}-?""")
_IN_QUOTES: Final = re.compile(r'["\\`]|\$\(')
_DELIMITER: Final = re.compile(r"""[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|\\?([^\s'"\\;&|<>()]+))""")
_UNESCAPE: Final = re.compile(r"""\\(?:\n|([\\$`"]))""")
_EXPANDS: Final = re.compile(r"\\.|(\$[\w({@*#?$!-]|`)", re.DOTALL)
_NEEDS_QUOTES: Final = re.compile(r"[^\w@%+=:,./-]")


def quoted(word: str) -> str:
    """The word as a shell reads it back."""
    return word if word and not _NEEDS_QUOTES.search(word) else "'" + word.replace("'", "'\\''") + "'"


def unescaped(quoted: str) -> str:
    """The value of the inside of double quotes in which nothing expands."""
    return _UNESCAPE.sub(r"\1", quoted)


def expands(quoted: str) -> bool:
    """Whether the inside of double quotes holds a variable or substitution that no backslash guards."""
    if "$" not in quoted and "`" not in quoted:
        return False
    return any(token.lastindex for token in _EXPANDS.finditer(quoted))


def heredoc_end(text: str, start: int, *, delimiter: str, tabs: bool) -> tuple[int, int]:
    """End of the body that starts at `start`, and the place after its delimiter; the end of text when there is none."""
    at = start
    while 0 <= at < len(text):
        hit = text.find(delimiter, at)
        if hit < 0:
            break
        line = max(text.rfind("\n", start, hit) + 1, start)
        end = hit + len(delimiter)
        margin = text[line:hit]
        # ")" because "$(cat <<E … E)" on one line is common and bash accepts it.
        if (not margin or (tabs and not margin.strip("\t"))) and (end == len(text) or text[end] in "\r\n)"):
            return line, end
        at = text.find("\n", hit) + 1 or len(text)
    return len(text), len(text)


def end_of(text: str, start: int, pos: int) -> int:
    """End of the quoted or substituted stretch that opens at `start` and whose inside begins at `pos`; -1 if open."""
    opening = text[start:pos]
    if opening == "${":
        return text.find("}", pos) + 1 or -1
    if opening == "$((":
        end = text.find("))", pos)
        return end + 2 if end >= 0 else -1
    stack = ['"' if opening == '"' else ")"]
    waiting: list[tuple[str, bool]] = []
    while stack:
        token = (_IN_QUOTES if stack[-1] == '"' else _IN_CODE).search(text, pos)
        if token is None:
            return -1
        char, pos = token[0], token.end()
        if char == "\\":
            pos += 1
        elif char == stack[-1]:
            stack.pop()
        elif char in ('"', "$(", "("):
            stack.append('"' if char == '"' else ")")
        elif char in ("'", "`"):
            pos = text.find(char, pos) + 1
            if pos == 0:
                return -1
        elif char in ("<<", "<<-"):
            delimiter = _DELIMITER.match(text, pos)
            if delimiter is not None:
                waiting.append((delimiter[delimiter.lastindex or 0], char == "<<-"))
                pos = delimiter.end()
        elif char == "#" and text[pos - 2].isspace():
            pos = text.find("\n", pos)
            if pos < 0:
                return -1
        elif char == "\n":
            for name, tabs in waiting:
                _, pos = heredoc_end(text, pos, delimiter=name, tabs=tabs)
            waiting.clear()
    return pos
