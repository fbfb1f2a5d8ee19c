"""Splits a command line into simple commands: words, redirections, here-documents, and what joins them.

Owns shell syntax (quoting, substitution, here-documents, compound commands); knows no program.
Not a shell: a word whose value depends on anything outside the text is marked, never expanded.

    cd a && cat > "b c" <<'EOF' ; rm $X      →  [cd a]  &&  [cat] >"b c" +body  ;  [rm ⟂$X]
"""

from functools import lru_cache
from typing import Final

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.commands.quotes import end_of, expands, heredoc_end, unescaped

# First character of a word with a variable, substitution, glob or ~ in it; the raw text follows.
DYNAMIC: Final = "\0"


class Simple(Struct, gc=False):
    """One simple command.  `before`/`after`: the operator on that side ("" at the ends, ";" also for a newline)."""

    words: list[str]
    targets: list[str]  # files that an output redirection opens
    heredocs: list[str]
    before: str
    after: str = ""
    level: int = 0  # subshells around it
    hides_errors: bool = False  # 2>/dev/null: its failure leaves no trace in the output
    conditional: bool = False  # inside if, a loop, case or a function body: it may have run never or often


# Plain words in a row are one token: they are most of any command, and every token costs the same.
_TOKEN: Final = re.compile(
    r"""((?:[^\s'"\\$`;&|<>()*?\[{\#~][^\s'"\\$`;&|<>()*?\[{]*+[^\S\n]++)+)"""  # 1 plain words, each with a blank
    r"""|([^\s'"\\$`;&|<>()*?\[{]+|\[\[?(?=\s)|\{(?=\s))"""  # 2 plain, up to what follows
    r"""|([^\S\n]+|\\\r?\n)"""  # 3 blank
    r"""|'([^']*)'"""  # 4 single quoted
    r'''|"([^"\\$`]*)"'''  # 5 double quoted, nothing special inside
    r"""|(&&|\|\||;;&?|;&|\|&|&(?!>)|[;|\n])"""  # 6 joins commands
    r"""|(&>>?|<<<|<<-?|<>|<&|>>|>\||>&|[<>](?!\())"""  # 7 redirection
    r"""|([()])"""  # 8
    r"""|\\(.)"""  # 9 escaped
    r"""|([*?\[{])"""  # 10 glob or brace expansion
    r"""|(\$'[^'\\]*(?:\\.[^'\\]*)*'|\$[\w@*\#?$!-]|`[^`\\]*(?:\\.[^`\\]*)*`)"""  # 11 value unknown
    r"""|("|\$\(\(?|\$\{|[<>]\()"""  # 12 ends where its own syntax says
    r"""|(.)""",  # 13 a lone $, or a quote that never closes
    re.DOTALL,
)
_BETWEEN_WORDS: Final = frozenset({3, 6, 7, 8})
_EMPTY_PARENS: Final = re.compile(r"[ \t]*\)")

_OPENS_BLOCK: Final = frozenset({"if", "while", "until", "for", "select", "case"})
_HAS_NO_COMMAND: Final = frozenset({"for", "select", "case"})
_CLOSES_BLOCK: Final = {"fi": ("if",), "done": ("while", "until", "for", "select"), "esac": ("case",), "}": ("{", "fn")}
_CONTINUES: Final = frozenset({"then", "do", "else", "elif", "!"})
_KEYWORDS: Final = _OPENS_BLOCK | _CLOSES_BLOCK.keys() | _CONTINUES | {"{", "function"}


@lru_cache(maxsize=8)  # each command of a log is asked several questions in a row
def simple_commands(text: str) -> tuple[Simple, ...]:
    """The simple commands of `text`, in order.  Never raises; a line that does not parse goes, with all after it."""
    return tuple(_Parser(text).run())


def word_set(text: str) -> frozenset[str]:
    """The words of a table written as running text."""
    return frozenset(text.split())


class _Parser:
    """One pass over one command line; its fields are what the pass has to remember."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.done: list[Simple] = []
        self.words: list[str] = []
        self.targets: list[str] = []
        self.heredocs: list[str] = []
        self.waiting: list[tuple[str, bool, list[str]]] = []  # here-documents whose body starts after this line
        self.blocks: list[str] = []
        self.function_next = False
        self.joiner = ""
        self.level = 0
        self.hides_errors = False
        self.operator = ""  # redirection that still wants its word

    def run(self) -> list[Simple]:
        text, match = self.text, _TOKEN.match
        size, pos, start, dynamic = len(text), 0, -1, False
        parts: list[str] = []
        line_mark = 0
        while pos < size:
            token = match(text, pos)
            assert token is not None  # the last alternative takes any character
            kind, end = token.lastindex or 0, token.end()
            if kind == 1:
                words = token[1].split()
                if start >= 0:
                    first = words.pop(0)
                    self.word(DYNAMIC + text[start:pos] + first if dynamic else "".join(parts) + first)
                    start, dynamic = -1, False
                    parts.clear()
                elif self.operator:
                    self.word(words.pop(0))
                self.words += words
                pos = end
                continue
            if kind == 2 and start < 0 and text[pos] == "#":
                newline = text.find("\n", pos)
                pos = size if newline < 0 else newline
                continue
            if kind == 13 and text[pos] != "$":
                del self.done[line_mark:]
                return self.done
            if kind == 8 and text[pos] == "(" and start >= 0 and not text.startswith("()", pos):
                kind = 12  # array or extended glob: belongs to the word it touches
            if kind not in _BETWEEN_WORDS:
                if start < 0:
                    start = pos
                    dynamic = text[pos] == "~"
                if kind == 12:
                    end = end_of(text, pos, end)
                    if end < 0:
                        del self.done[line_mark:]
                        return self.done
                    quoted = text[pos + 1 : end - 1]
                    if text[pos] != '"' or expands(quoted):
                        dynamic = True
                    else:
                        parts.append(unescaped(quoted))
                elif kind in (10, 11):
                    dynamic = True
                elif kind == 9 and token[9].isalnum():
                    dynamic |= start != pos or bool(self.words)  # a Windows path, unless it is \rm
                    parts.append(token[9])
                else:
                    parts.append(token[kind])
                pos = end
                continue
            value = ""
            if start >= 0:
                value = DYNAMIC + text[start:pos] if dynamic else "".join(parts)
                if not (kind == 7 and value.isdigit()):
                    self.word(value)
                start, dynamic = -1, False
                parts.clear()
            pos = end
            if kind == 3:
                continue
            if kind == 7 and value not in ("=", "-"):
                self.operator = value + token[7] if value == "2" else token[7]
            elif kind == 7:  # => and -> are program text that never was meant for a shell
                del self.done[line_mark:]
                return self.done
            elif kind == 8:
                pos = self.paren(token[8], pos)
                if pos < 0:
                    del self.done[line_mark:]
                    return self.done
            else:
                self.join(token[6])
                if token[6] == "\n":
                    pos = self.read_heredocs(pos)
                    if not self.blocks and not self.level:
                        line_mark = len(self.done)
        if start >= 0:
            self.word(DYNAMIC + text[start:] if dynamic else "".join(parts))
        self.flush("")
        return self.done

    def word(self, value: str) -> None:
        if not self.operator:
            self.words.append(value)
            return
        with_errors = self.operator[:1] in ("2", "&") or self.operator == ">&"
        operator, self.operator = self.operator.removeprefix("2"), ""
        if operator in ("<<", "<<-"):
            self.waiting.append((value.strip("\0'\"\\"), operator == "<<-", self.heredocs))
        elif value == "/dev/null":
            self.hides_errors |= with_errors
        elif operator[0] != "<" and not (operator == ">&" and (value == "-" or value.isdigit())):
            self.targets.append(value)

    def join(self, operator: str) -> None:
        if self.flush(operator):
            self.joiner = ";" if operator == "\n" else operator
        elif operator != "\n" or self.joiner not in ("&&", "||", "|", "|&"):  # a line may end in a joiner
            if self.done and self.done[-1].after == ")":
                self.done[-1].after = ";" if operator == "\n" else operator
            self.joiner = ";" if operator == "\n" else operator

    def paren(self, char: str, pos: int) -> int:
        """Where to go on after a parenthesis that stands outside a word; -1 when that is no shell syntax."""
        text = self.text
        if char == ")":
            self.flush(")")
            self.level = max(self.level - 1, 0)
            return pos
        if self.words and self.words[0] not in _KEYWORDS:
            closing = _EMPTY_PARENS.match(text, pos)
            if closing is None:
                return -1
            self.words.clear()
            self.function_next = True
            return closing.end()
        if text.startswith("(", pos):  # arithmetic: its < and > compare
            end = text.find("))", pos)
            self.words.append("((")
            return end + 2 if end >= 0 else -1
        self.flush("")
        self.level += 1
        return pos

    def flush(self, after: str) -> bool:
        """Ends the current command; False when there was nothing to end."""
        words, self.operator = self.words, ""
        if not words and not self.targets and not self.heredocs:
            return False
        if words and words[0] in _KEYWORDS:
            self.keywords(words)
        if words and words[0] == "[[":
            self.targets.clear()
        self.done.append(
            Simple(
                words=words,
                targets=self.targets,
                heredocs=self.heredocs,
                before=self.joiner,
                after=";" if after == "\n" else after,
                level=self.level,
                hides_errors=self.hides_errors,
                conditional=bool(self.blocks) and any(block != "{" for block in self.blocks),
            )
        )
        self.words, self.targets, self.heredocs, self.hides_errors = [], [], [], False
        return True

    def keywords(self, words: list[str]) -> None:
        """Takes the reserved words off the front of a command and keeps the stack of open blocks."""
        while words and words[0] in _KEYWORDS:
            keyword = words.pop(0)
            if keyword in _OPENS_BLOCK:
                self.blocks.append(keyword)
            elif keyword == "{":
                self.blocks.append("fn" if self.function_next else "{")
                self.function_next = False
            elif keyword == "function":
                self.function_next = True
                del words[:1]
            elif self.blocks and self.blocks[-1] in _CLOSES_BLOCK.get(keyword, ()):
                self.blocks.pop()
            if keyword in _HAS_NO_COMMAND:
                words.clear()

    def read_heredocs(self, pos: int) -> int:
        for delimiter, tabs, bodies in self.waiting:
            body_end, after = heredoc_end(self.text, pos, delimiter=delimiter, tabs=tabs)
            bodies.append(self.text[pos:body_end])
            pos = after
        self.waiting.clear()
        return pos
