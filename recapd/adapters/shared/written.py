"""What a document that an agent writes states outright as decided, by its form and not by its words.

    ## Decision            the first sentence below it, or each item, or each row of a table
    | … | Decision |       so with a column that is headed so, wherever it stands
    **Decision:** …        the rest of the line
    ### Selected store: X  the heading itself
    ## Out of scope        its items together, told with the heading; so with what always holds
    **Never …**            a rule in bold, in a plan or a specification; a rule that is added to a rule sheet

Owns: which lines of which files these are. Must not know who reads them, nor what was done about it.
What an agent keeps for itself (a memory) says again what was decided elsewhere; so does a rule sheet written whole.
A template says what somebody may decide some day.
"Must" and "never" elsewhere in a plan are one decision in ten: they describe what is built.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from recapd.core import late_re as re
from recapd.core.secrets import redact

_ENDINGS: Final = (".md", ".mdx", ".markdown", ".txt", ".rst", ".adoc")
_ENDING_CHARS: Final = max(map(len, _ENDINGS)) + len("\n")
_KEPT_RE: Final = re.compile(r"memor|template|(?:^|[/\\])(?:readme|changelog|skill)\b", re.IGNORECASE)
_RULE_SHEET_RE: Final = re.compile(r"(?:^|[/\\])(?:claude|agents|gemini)(?:\.\w+)?\.md$", re.IGNORECASE)
# A plan or a specification, by its own name or its folder's.
_PLAN_RE: Final = re.compile(
    r"(?:^|[/\\_.-])(?:plan|spec|design|adr|rfc|prd|proposal|decision|architecture|requirement)", re.IGNORECASE
)
# So a rule begins.
_RULE: Final = (
    r"(?:no|never|do not|don['’]t|must|always|only|keine?|niemals|nie|immer|nur|jamais|toujours|ne|nunca|siempre|"
    r"sempre|никогда|всегда|не)\b|不要|禁止|必须|绝不|只能|しない|必ず|반드시|절대"
)
_RULE_RE: Final = re.compile(_RULE, re.IGNORECASE)
# One in bold that is a whole sentence.
_BOLD_RULE_RE: Final = re.compile(rf"\*\*(?:{_RULE})[^*\n]*[.!。！]\*\*", re.IGNORECASE)
_BOLD_RE: Final = re.compile(r"\*\*(?P<words>[^*]{6,})\*\*")
# A whole sentence: half of one is a case, or a name of something.
_SENTENCE_ENDS: Final = (".", "!", "。", "！")
# Of lines without white space at their ends: a pattern that leaves it out takes the square of its length.
_HEADING_RE: Final = re.compile(r"#{1,6}\s+(?:[\d.)]+\s+)?(?P<words>\S.*)")
_ITEM_RE: Final = re.compile(r"(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?(?P<words>\S.*)")
_DECISION: Final = (
    r"(?:(?:final|key|main|core|design|architecture|architectural|resolved|technical|product)\s){0,2}"
    r"(?:decisions?|decided)|决定|决策|最终决定|"
    r"решени[ея]|décisions?|decisi[oó]n(?:es)?|entscheidung(?:en)?|decis(?:ão|ões)|decision[ei]|결정|決定(?:事項)?"
)
# A line that is headed as a decision.
_STATED_RE: Final = re.compile(rf"[*_>\s]*(?:{_DECISION})[*_]*\s?[:：][*_]*\s*(?P<words>\S.*)", re.IGNORECASE)
# "Selected strategy: X", "Chosen approach: X", as a heading.
_CHOSEN_RE: Final = re.compile(
    r"(?:selected|chosen|gewählte\w*|choisie?|elegid[ao]|escolhid[ao]|выбранн\w+|选定|采用)[^:：]{0,40}[:：]\s*\S",
    re.IGNORECASE,
)
_DECIDED_RE: Final = re.compile(rf"(?:{_DECISION})(?:\s(?:made|taken|log|summary|record|table))?$", re.IGNORECASE)
# Heads of columns that say what was decided; what a row is about stands in its first cell.
_COLUMN_RE: Final = re.compile(
    rf"(?:{_DECISION}|choice|chosen|resolution|wahl|choix|elecci[oó]n|选择|選択|선택)$", re.IGNORECASE
)
# What is below them is told with them.
_BOUND_RE: Final = re.compile(
    r".{0,24}?\b(?:out of scope|non-?goals?|not in scope|what we(?: a|['’])re not (?:doing|building)|won['’]t do|"
    r"(?:non-negotiable |hard |key |design )?(?:invariants|constraints)|non-negotiables?|"
    r"nicht im umfang|nicht-?ziele|hors périmètre|fuera de alcance|fora do escopo|вне рамок|ограничения)\b.{0,16}$"
    r"|(?:非目标|不在范围|范围之外|约束|対象外|制約|제외|범위 밖|제약).{0,6}$",
    re.IGNORECASE,
)
# Without one of these, in small letters and without marks, no heading and no head of a column is any of the above; a
# test holds them against the patterns.
_HINTS: Final = (
    *("deci", "entscheidung", "selected", "chosen", "choisi", "elegid", "escolhid", "choice", "resolution", "wahl"),
    *("choix", "elecci", " scope", "goal", "re not ", "won't do", "invariants", "constraints", "non-negotiable"),
    *("nicht", "fuera de alcance", "fora do escopo"),
)
# The same beyond ASCII, without letters that have more than two forms.
_OTHER_HINTS: Final = (
    *("决定", "决策", "решени", "décis", "결정", "決定", "gewählte", "ыбранн", "选定", "采用", "选择", "選択", "선택"),
    *("won’t do", "hors périmètre", "не рам", "граничения", "非目标", "不在范围", "范围之外", "约束", "対象外"),
    *("制約", "제외", "범위 밖", "제약"),
)
# So ends what stands before the colon of a line that is headed as a decision.
_STATED_ENDS: Final = (
    *("decision", "decisions", "decided", "决定", "决策", "решение", "решения", "décision", "décisions", "decisión"),
    *("decisiones", "decisiónes", "entscheidung", "entscheidungen", "decisão", "decisões", "decisione", "decisioni"),
    *("결정", "決定", "決定事項"),
)
_STATED_CHARS: Final = 14
# The same by a few letters: the colon first, to which a search goes in one go, and three times as fast as to
# either of two. What is behind marks may be anything.
_STATED_LETTERS: Final = "ision|sions|cided|isión|iones|idung|ungen|cisão|isões|sione|sioni|шение|шения"
_MAY_STATE: Final = tuple(
    (
        colon,
        re.compile(
            rf"{colon}(?<=(?:{_STATED_LETTERS}|....[定策정項]|....[*_\s]).)",
            re.IGNORECASE | re.DOTALL,
        ),
    )
    for colon in ":："
)
# Headings, and the first rows of tables.
_HEAD_LINES_RE: Final = re.compile(r"\n[^\S\n]*(?:(#[^\n]*)|(\|[^\n]*)(?:\n[^\S\n]*\|[^\n]*)*)")
# Where a patch goes on to another file.
_PATCHED_RE: Final = re.compile(
    r"^(?:\*\*\* (?:Add|Update) File: |\+\+\+ (?:b/)?)(?P<path>\S.*\.(?:md|mdx|markdown|txt|rst|adoc))[ \t\r]*$",
    re.IGNORECASE | re.MULTILINE,
)
_PATCHED: Final = ("*** ", "+++ ")
_PATCH_GOES_ON: Final = ("*** ", "--- ", "diff --git")
_FENCE: Final = ("```", "~~~")
# A place that nobody filled in: the document is a form.
_BLANK_RE: Final = re.compile(r"\{\{|\[[A-Za-z][^\]\n]{2,200}\](?!\()|<[a-z][a-z _-]{2,40}>|\bTBD\b|^\W*$")
_MARKS_RE: Final = re.compile(r"[*_`]{1,3}")
# Most of one document; characters of one that stands alone, of one in a list, and of the document that is read.
_MOST: Final = 12
_LEAST_CHARS: Final = 12
_LEAST_LISTED: Final = 4
_MOST_CHARS: Final = 300
_READ_CHARS: Final = 60_000
# A table below nothing, and with no such column, says nothing, however many cells a row of it has.
_NO_COLUMN: Final = 1 << 30
# A list is told in so many.
_TOLD_CHARS: Final = 200


def is_document(path: str) -> bool:
    ending = _in_small_letters(path[-_ENDING_CHARS:]).removesuffix("\n")
    return ending.endswith(_ENDINGS) and not _KEPT_RE.search(path)


def decided_in(path: str, text: str, before: str | None = None) -> tuple[tuple[str, str], ...]:
    """In the order of the document: exact words of it, and how they are told. Where a part of it was changed, what
    stood there before is no news."""
    if not is_document(path):
        return ()
    is_sheet = _RULE_SHEET_RE.search(path) is not None
    if is_sheet and before is None:
        return ()
    text = text[:_READ_CHARS]
    is_plan = _PLAN_RE.search(path) is not None
    if not (is_sheet or (is_plan and _BOLD_RULE_RE.search(text)) or may_be_headed(text)):
        return ()
    reading = _Reading(is_sheet=is_sheet, is_plan=is_plan)
    is_code = False
    for raw in text.split("\n"):
        line = raw.strip()
        if line.startswith(_FENCE):
            is_code = not is_code
        if is_code or not line:
            continue
        reading.take(raw, line)
        if len(reading.found) >= _MOST:
            break
    news = [each for each in reading.found if before is None or each[0] not in before]
    return tuple(_without_secrets(news, text)) if news else ()


def may_be_headed(text: str) -> bool:
    """Whether a line of it, in code or not, heads something as decided: where none does, nothing is, but for rules.

    Most documents are over with that, in a third of what going from line to line takes.
    """
    text = "\n\n\n" + text
    heads = [heading or row for heading, row in _HEAD_LINES_RE.findall(text)]
    if heads and any(_is_head(heads[row]) for row in _rows_with_hints("\n".join(heads))):
        return True
    for sign, pattern in _MAY_STATE:
        behind_seen = 0
        # Few texts have a colon of the other sort.
        for colon in pattern.finditer(text) if sign in text else ():
            at = colon.start()
            if at >= behind_seen and _may_state(text[max(at - 2 * _STATED_CHARS, 0) : at]):
                behind_seen = text.find("\n", at) + 1 or len(text)
                if _stated_in(text[text.rfind("\n", 0, at) + 1 : behind_seen].strip()):
                    return True
    return False


def _rows_with_hints(heads: str) -> Iterator[int]:
    plain = _in_small_letters(heads).replace("*", "").replace("_", "").replace("`", "")
    for hint in _HINTS if plain.isascii() else _HINTS + _OTHER_HINTS:
        row, at = 0, plain.find(hint)
        counted = 0
        while at >= 0:
            row += plain.count("\n", counted, at)
            yield row
            counted = at
            at = plain.find(hint, at + 1)


def _is_head(line: str) -> bool:
    if line[0] == "|":
        return bool(_named_columns(_cells(line.strip())))
    head = _HEADING_RE.match(line.strip())
    plain = _plain_words(head["words"].rstrip("# \t")) if head is not None else ""
    return bool(_DECIDED_RE.match(plain) or _BOUND_RE.match(plain) or _CHOSEN_RE.match(plain))


def _plain_words(words: str) -> str:
    return _MARKS_RE.sub("", words)


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split("|")]


def _named_columns(cells: list[str]) -> list[int]:
    """Those whose heads say that what stands below them was decided; in the first stands what it is about."""
    return [number for number, head in enumerate(cells) if number and _COLUMN_RE.match(_plain_words(head))]


def _stated_in(line: str) -> re.Match[str] | None:
    item = _ITEM_RE.match(line)
    return _STATED_RE.match(item["words"] if item is not None else line)


def _may_state(before: str) -> bool:
    """Whether a line of which this stands before its colon may be headed as a decision."""
    words = before.rstrip().rstrip("*_")
    return len(words) < _STATED_CHARS < len(before) or _in_small_letters(words).endswith(_STATED_ENDS)


def _in_small_letters(text: str) -> str:
    """The text with all letters as patterns that ignore case compare them."""
    small = text.lower()
    return small if text.isascii() else small.replace("i̇", "i").replace("ı", "i").replace("ſ", "s")


def _without_secrets(found: list[tuple[str, str]], text: str) -> Iterator[tuple[str, str]]:
    """Those that show by themselves what of them is secret: in `| Password | … |` only the cell before does."""
    whole = redact(text)
    for words, told in found:
        alone = redact(words)
        if alone in whole and alone in redact(told):
            yield words, told


def decided_in_patch(text: str) -> tuple[tuple[str, str], ...]:
    """The same for the documents that a patch changes."""
    if not _PATCHED_RE.search(text):
        return ()
    found: list[tuple[str, str]] = []
    path = ""
    old: list[str] = []
    new: list[str] = []
    for line in [*text[:_READ_CHARS].split("\n"), "*** End Patch"]:
        header = _PATCHED_RE.match(line) if line.startswith(_PATCHED) else None
        if header is not None or line.startswith(_PATCH_GOES_ON):
            found += decided_in(path, "\n".join(new), "\n".join(old)) if path else ()
            path, old, new = (header["path"].strip() if header is not None else ""), [], []
        elif not path:
            # Most of a patch is of files that are no documents.
            continue
        elif line[:1] in ("+", " "):
            new.append(line[1:])
        if line[:1] in ("-", " "):
            old.append(line[1:])
    return tuple(found[:_MOST])


class _Reading:
    """A document as far as it is read: what was found, and what is open for the lines that follow."""

    def __init__(self, *, is_sheet: bool, is_plan: bool) -> None:
        self.found: list[tuple[str, str]] = []
        self._is_sheet = is_sheet
        self._is_plan = is_plan
        # Whether what follows is what was decided; the words it is told with; the column of a table that says it.
        self._is_below = False
        self._heading = ""
        self._title = ""
        self._column = -1

    def take(self, raw: str, line: str) -> None:
        head = _HEADING_RE.match(line) if line[0] == "#" else None
        if head is not None:
            self._open(head["words"].rstrip("# \t"))
        elif line.startswith("|"):
            self._take_row(line)
        else:
            self._column = -1
            is_rule = self._is_sheet or (self._is_plan and "**" in line)
            # Most lines stand below nothing, and head nothing.
            if self._is_below or self._heading or is_rule or ":" in line or "：" in line:
                self._take_line(raw, line)

    def _open(self, words: str) -> None:
        plain = _plain_words(words)
        self._is_below = _DECIDED_RE.match(plain) is not None
        self._heading = plain if _BOUND_RE.match(plain) else ""
        self._title, self._column = "", -1
        if _CHOSEN_RE.match(plain):
            self.found += _written(words)

    def _take_row(self, line: str) -> None:
        cells = _cells(line)
        if self._column < 0:
            below = [1] if self._is_below and len(cells) > 1 else []
            self._column = (_named_columns(cells) or below or [_NO_COLUMN])[0]
        elif self._column < len(cells) and not set(line) <= set("|-: "):
            words = cells[self._column]
            if _is_whole(words, _LEAST_LISTED):
                self.found.append((words, f"{cells[0]}: {words}"))

    def _take_line(self, raw: str, line: str) -> None:
        item = _ITEM_RE.match(line)
        words = item["words"] if item is not None else line
        stated = _stated_in(line)
        is_listed = item is not None and raw[:1] not in " \t"
        if stated is not None:
            self.found += _written(stated["words"])
        elif is_listed and self._heading:
            self._take_bound(words)
        elif (is_listed or item is None) and self._is_below and not line.startswith((">", "<")):
            title = _BOLD_RE.fullmatch(words)
            if title is not None and not is_listed:
                # Bold words by themselves head what follows.
                self._title = title["words"].rstrip(":： ")
                return
            told = [(each, f"{self._title}: {each}" if self._title else each) for each, _ in _written(words)]
            self.found += told
            self._is_below, self._title = is_listed, ""
        elif self._is_rule(words, is_listed=is_listed) and "[ ]" not in line:
            self.found += _written(words)

    def _take_bound(self, words: str) -> None:
        found, heading = self.found, self._heading
        if not _is_whole(words, _LEAST_LISTED):
            return
        if found and found[-1][1].startswith(f"{heading}: "):
            found[-1] = found[-1][0], _with_item(found[-1][1], words)
        else:
            found.append((words, f"{heading}: {words}"))

    def _is_rule(self, words: str, *, is_listed: bool) -> bool:
        if self._is_sheet:
            return is_listed and _RULE_RE.match(_plain_words(words)) is not None
        bold = _BOLD_RE.match(words) if self._is_plan else None
        if bold is None or not bold["words"].endswith(_SENTENCE_ENDS):
            return False
        return _RULE_RE.match(bold["words"]) is not None


def _written(words: str) -> list[tuple[str, str]]:
    return [(words, words)] if _is_whole(words, _LEAST_CHARS) else []


def _is_whole(words: str, least: int) -> bool:
    return (
        least <= len(words) <= _MOST_CHARS
        and not words.endswith((":", "：", "?", "？"))
        and not _BLANK_RE.search(words)
    )


def _with_item(told: str, words: str) -> str:
    """Items as long as they fit whole."""
    longer = f"{told.rstrip('.;')}; {words}"
    return longer if len(longer) <= _TOLD_CHARS else told
