"""The statements of an answer that read alone: whole sentences, and lists with the words that they hang on.

    paragraphs ─▶ sentences; those that point back at the one before them only behind that one
    words that announce a list ─▶ the same with as many of its items as there is room for
    a list that nothing announces ─▶ its items, behind the paragraph that they stand below
    headings, cells of tables, options, what is asked and what is offered ─▶ nothing by themselves

Owns: what may be told apart from its answer. Must not know: turns, pages, how much of it is told in the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec import Struct, field

from recapd.core import late_re as re
from recapd.core.text.cut import columns_of
from recapd.core.text.excerpts import presentable
from recapd.core.text.gist import (
    READ_CHARS,
    is_courtesy,
    is_offer,
    leaves_open,
    narrates,
    tells,
    tells_result,
    words_of_sentence,
    worth_of,
)
from recapd.core.text.markdown import NUMBERED_RE, Block, Sort, blocks_in, is_fence
from recapd.core.text.names import names_in
from recapd.core.text.questions import question_in
from recapd.core.text.sentences import sentences_of
from recapd.core.text.stop_words import STOP_WORDS
from recapd.core.text.words import word_rule, words_in

# More than that is not told of one statement: a sentence that is longer ends somewhere.
WHOLE_CHARS: Final = 280
# Of a list: so much of each item, and so many of them.
_ITEM_CHARS: Final = 110
# One that goes into no details may be as long as this.
_LONG_ITEM_CHARS: Final = 170
_FEW_WORDS: Final = 2
_CODE_CHARS: Final = 120
_ITEMS: Final = 4
_MORE: Final = "; …"
# Where a question to the human is looked for.
_END_CHARS: Final = 600
# A character that says a syllable or a word takes two columns.
_LEAST_COLUMNS: Final = 10
# Without a name in it, a sentence of fewer characters is a cheer.
_TERSE_COLUMNS: Final = 26
# The sentence that an answer begins with says what came of it more often than any other; steps and cells of tables say
# it least.
_LEAD_FACTOR: Final = 1.7
_FACTORS: Final[dict[Sort, float]] = {"item": 0.8, "numbered": 0.5, "row": 0.5}
# Words before a block of code that say something without it.
_ANNOUNCED_CHARS: Final = 40
_TAG_RE: Final = re.compile(r"</?(?:final|answer|response|output|result|summary)>", re.IGNORECASE)
_THOUGHT: Final = "</think>"
_ANNOUNCING: Final = (":", "：")
_ASKING: Final = ("?", "？")
_EXCLAIMING: Final = ("!", "！")
_CLOSING: Final = " .;,。；，"
_LIST_END: Final = " .;,:。；，："
_CHEERED: Final = " .!。！"
# Where an item of a list goes into details.
_DETAIL_RE: Final = re.compile(r" [—–-] |; |, (?:but|so|which)\b|；|，")
_LOOSE: Final = ("–", "—", "-")
_DASHES: Final = " –—-:："
_MARKS: Final = "*_` "

# Words that stand for something said before, at the beginning of a sentence. In each language those that are hardly
# ever anything else there: German "das" and "sie", French "il" are not.
POINTING_RE: Final = re.compile(
    r"(?:it|its|it['’](?:s|ll|d)|this|that|that['’](?:s|ll|d)|these|those|they|they['’](?:re|ve|ll|d)|their|theirs|them|"
    r"es|dies|diese[rsmn]?|dabei|damit|dadurch|"
    r"cela|ça|c['’]est|ils|elles|cette|ces|ceci|"
    r"esto|eso|estos|estas|ellos|ellas|esse|essa|isso|isto|eles|elas|"
    r"questo|questa|questi|queste|ciò|"
    r"это|эти|этот|эта|они|оно|"
    r"đây|đó|nó|điều này|việc này)(?![\w'’-])"
    r"|(?:这|那|它|此|该|這|該)|(?:これ|それ|あれ|この|その)|(?:이것|그것|이는|이를|그는)",
    re.IGNORECASE,
)
# The rest of a sentence that began somewhere else.
_TORN_RE: Final = re.compile(
    r"(?:or|and|because|then|with|which|otherwise|plus|und|oder|et|ou|y|o|и|или)\b|[()\[\]{},;:=<>|—–-]",
    re.IGNORECASE,
)
# What limits the sentence before it: told without it, that one would say that all is well. A regret says something
# without one, too.
_LIMITING_RE: Final = re.compile(
    r"(?:but|however|though|yet|aber|allerdings|jedoch|mais|cependant|toutefois|pero|sin embargo|mas|porém|no entanto|"
    r"ma|tuttavia|но|однако|ale|jednak|maar|echter|ancak|nhưng|tuy nhiên)\b(?! also\b),?\s*"
    r"|但是?|不过|不過|然而|しかし|ただし|ただ、|하지만|그러나|다만",
    re.IGNORECASE,
)
_REGRETTING_RE: Final = re.compile(
    r"(?:unfortunately|sadly|leider|malheureusement|lamentablemente|desafortunadamente|infelizmente|purtroppo|"
    r"к сожалению|niestety|helaas|maalesef)\b|可惜|遗憾|残念|안타깝게",
    re.IGNORECASE,
)
# Words for what stands elsewhere in the same answer; "above the cap" is none.
_ELSEWHERE_RE: Final = re.compile(r"\b(?:above|below)(?:\s*[.,;:!)—–-]|\s*\Z)", re.IGNORECASE)
# One of several options by its letter or number, which says nothing to who does not see them.
_OPTION_RE: Final = re.compile(
    r"\b(?:option|approach|variante?|opción|opção|opzione|вариант|phương án) (?:[A-H]|\d)\b(?!\s*[:：(（—–-])"
    r"|(?:选项|方案) ?(?:[A-H]|[\d一二三四])(?!\s*[:：(（—–-])",
    re.IGNORECASE,
)
# What holds under a condition did not come of anything, and neither did a step of instructions.
_CONDITION_RE: Final = re.compile(
    r"(?:if|unless|once you|when you|in case|wenn|falls|si|se|если|nếu)\b|如果|若|もし|만약|"
    r"(?:step|schritt|étape|paso|шаг|bước) \d",
    re.IGNORECASE,
)
_ANNOUNCING_RE: Final = re.compile(
    r"\bhere(?:['’]s| is| are)\b|\A(?:hier (?:ist|sind)|voici|a continuación|abaixo|ecco|ниже|dưới đây là)\b"
    r"|以下(?:是|为|は)",
    re.IGNORECASE,
)
# What stands before the name of a list.
_HERE_RE: Final = re.compile(
    r"(?:here(?:['’]s| is| are)(?: now)?|below (?:is|are)|hier (?:ist|sind)|voici|ecco|aquí (?:está|están|tienes)|"
    r"aqui (?:está|estão)|вот|以下(?:是|为|為)) *(?=\S+ \S|[^\x00-\x7f]{3})",
    re.IGNORECASE,
)
# A word of a sentence: letters alone, not part of a name, a path or a setting.
_WORD_RE: Final = re.compile(r"(?<![\w./:=_-])[^\W\d_]{2,}(?![\w/=_-]|\.\w|:\w)")
_LEAST_WORDS: Final = 3
_HEADING_CHARS: Final = 60
# Options by their letters, which no mark makes a list.
_LETTERED_RE: Final = re.compile(r"(?:\*\*)?[A-H][.)、:：](?:\*\*)?\s")
_OPTIONS_RE: Final = re.compile(
    r"\b(?:options|alternatives|choices|optionen|opciones|opções)\b|选项|варианты", re.IGNORECASE
)
# What the agent goes on to do came of nothing yet.
_TO_COME_RE: Final = re.compile(
    r"\bI(?:['’]ll| will)\b|\blet(?:['’]s| us)\b|"
    r"\A(?:vou|voy a|vado a|je vais|ich werde|tôi sẽ|я сейчас)\b|我(?:现在|接下来)?[将会]",
    re.IGNORECASE,
)
# Who has done something tells it with joy, too.
_HAVING_RE: Final = re.compile(r"I(?:['’]ve| have)\b(?! been\b)")
# Who says more than that has told something, whatever comes next; and a greeting is shorter than that.
_ON_THE_WAY_CHARS: Final = 400
_COURTESY_CHARS: Final = 30
# In a sentence without a name, a word for what was said before it.
_HANGING_RE: Final = re.compile(r"\b(?:it|this|that|these|those|them|they)\b", re.IGNORECASE)
# What is done to something that was named before: "sent that to the worker", "improved it and …".
_DONE_TO_IT_RE: Final = re.compile(
    r"(?:[^\s.,:;]+ ){1,3}(?:it|that|this|these|those|them)"
    r"(?= (?:as|to|into|onto|on|in|by|for|with|at|from|and|so)\b|[.,;!]|\s*\Z)",
    re.IGNORECASE,
)
# Words that say what a sentence is about; with fewer it is about something that was said before.
_MATTER: Final = word_rule(least_chars=3, stem_chars=6, stop_words=STOP_WORDS["topic"])
_LEAST_MATTER: Final = 3
# Several words of somebody say what it is about.
_QUOTED_RE: Final = re.compile(r'"[^"\s]+ [^"]{1,80}"')
_ENDED_RE: Final = re.compile(r"""[.!?…。！？｡]["'”’»)\]*_`]*\s*\Z""")
_BRACKETS: Final = ("()", "[]", "{}", "（）", "「」")
# A line in bold by itself is a heading, whatever its marks.
_BOLD_LINE_RE: Final = re.compile(r"\*\*[^*\n]{1,120}\*\*\s*+(?:[(（][^()（）\n]{1,80}[)）])?+[:：]?+\s*+\Z")


# A label at the beginning of a paragraph, with what it is about behind it.
_LABELLED_RE: Final = re.compile(r"\*\*[^*\n]{2,60}(?:[:：]\*\*|\*\*[:：])[ \t]*\S")
_SEVERAL: Final = 2
# A paragraph about what it names first, in a word or three.
_NAMED_RE: Final = re.compile(r"(?:\*\*[^*\s]{1,60}(?: [^*\s]{1,60}){0,2}\*\*|`[^`\s]{2,80}`)[:：]? ?(?:[—–:：-] ?)\S")
_VERSE_LINES: Final = 4
_VERSE_CHARS: Final = 60
_BOLD_RE: Final = re.compile(r"\*\*[^*\n]{1,80}\*\*")
# A heading, and boxes below it.
_CHECKLIST_RE: Final = re.compile(r"(?:[^\n]{1,60}\n\s*+)?+(?:[ \t]{0,8}[-*+] \[[ xX]\] [^\n]*+(?:\n[ \t]*+)*+)++")
# A few words above a rule, before an answer comes to the matter.
_RUN_UP_RE: Final = re.compile(r"([^\n]{1,300})\n(?:[ \t]*+\n)?[ \t]*+(?:-{3,}+|\*{3,}+|_{3,}+)[ \t]*+\n")
# One of several parts: "**Option 2: Drop the cache**", "Step 1 - Drop the cache".
_PART_RE: Final = re.compile(r"(?:\*\*)?(?:[^\W\d_]{1,12} )?(\d{1,2})(?:[.)、:：]| [—–-])\s*(?:\*\*)?(\S.*)")
_SYMBOLS_RE: Final = re.compile("[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f]+\\s*")
# A line in bold stands below any heading.
_BOLD_LEVEL: Final = 7
# The number of a row before its cells, the first of which names what it is about.
_ORDINAL_RE: Final = re.compile(r"\A(?:#|\d{1,3}): ")
_NAMING_RE: Final = re.compile(r"[^\W\d_]{2}")
# Its other half stood in a list or a block of code below it.
_OPEN_END_RE: Final = re.compile(
    r" (?:has|have|had|be|can|can do|could|should|needs?|into|following|includ(?:es?|ing)|cover(?:s|ing)|contains?|"
    r"such as|like|see|run|do|this|these|here|below|as follows|vs|because)\Z",
    re.IGNORECASE,
)


class Whole(Struct, frozen=True):
    """A statement that reads alone, and a factor on what it tells."""

    text: str
    factor: float
    # How the answer begins.
    is_lead: bool = False
    # It says something behind the statement before it, and nothing by itself.
    follows: bool = False
    # A list or a table with the words above it; one of several of which another before it is not told, or what stands
    # in a part that is told by its title.
    is_listed: bool = False
    is_torn: bool = False
    # What the parts of the answer are called, or the rows of a table.
    is_titles: bool = False
    # What an answer of several parts says in the end, behind a label of its own: "**Bottom line:** …".
    is_conclusion: bool = False
    # It is called out and tells nothing.
    is_cheer: bool = False


def points_back(text: str) -> bool:
    """Whether a sentence begins with a word for something that was said before it."""
    return POINTING_RE.match(text) is not None


def is_about_it(text: str) -> bool:
    """Whether a sentence tells of what was done to something that is named nowhere in it up to there."""
    found = _DONE_TO_IT_RE.match(text)
    return found is not None and not names_in(found[0])


def reads_without_list(announced: str) -> bool:
    """Whether the words above a list say something without it."""
    # "… a diagram showing" goes on below.
    is_open = _OPEN_END_RE.search(announced) or _OPTIONS_RE.search(announced) or announced.endswith("ing")
    return not is_open and len(_WORD_RE.findall(announced)) >= _LEAST_WORDS


def whole_statements(answer: str) -> list[Whole]:
    """In the order of the answer; of an answer that says nothing by itself, none."""
    return [each for each in statements_in_order(answer) if not each.follows]


def statements_in_order(answer: str) -> list[Whole]:
    """The same with what each of them brings along: sentences and lists that are told behind it, or not at all."""
    answer = presentable(_spoken(answer[:READ_CHARS])).lstrip()
    answer = answer[_end_of_checklist(answer) :]
    begun = _RUN_UP_RE.match(answer)
    if begun is not None and not names_in(begun[1]) and (told := _statements(answer[begun.end() :])):
        # What somebody says above a rule comes before the matter.
        return told
    return _statements(answer)


def _end_of_checklist(answer: str) -> int:
    """Behind the list of its own work that an answer begins with, ticked off, where something comes behind it."""
    found = _CHECKLIST_RE.match(answer)
    return found.end() if found is not None and answer[found.end() :].strip() else 0


def _statements(answer: str) -> list[Whole]:
    # Each part looks at those behind it.
    answer = answer[:READ_CHARS]
    blocks = _read_as_list(_without_verse(list(blocks_in(answer))))
    options = _options_at(blocks, question_in(answer[-_END_CHARS:], WHOLE_CHARS))
    found = _Found()
    passages = list(_passages(blocks, options, ends_in_code=is_fence(answer.rstrip().rpartition("\n")[2])))
    parts, conclusion = range(0), _conclusion_at(passages)
    concluded = ""
    for at, passage in enumerate(passages):
        series = _series(passages, at + 1) if at + 1 not in parts else None
        if series is not None and (text := _titles_below(passage, series)):
            if passage.is_paragraph:
                _tell_sentences(found, msgspec.structs.replace(passage, is_head=True))
            found.tell_in_order(text)
            found.titles.add(text)
            parts = range(at + 1, series.end)
            continue
        before = len(found.told)
        _tell_passage(found, passage, answer)
        if at in parts and passage.is_head and passage.is_heading:
            # A title with the list below it is one of several.
            found.inside.update(list(found.told)[before:])
        if at == conclusion:
            concluded = next(iter(list(found.told)[before:]), "")
    if not found.told and (text := _list_alone(blocks, options)):
        found.tell(text, tells(text))
    # What came of it in so many words is better than nothing, and nothing beside the matter itself.
    told = found.told or found.hollow
    return [
        Whole(
            text,
            factor,
            is_lead=not number,
            follows=text in found.following,
            is_listed=text in found.listed or text in found.titles,
            is_titles=text in found.titles,
            is_torn=found.listed.get(text, False) or text in found.inside,
            is_conclusion=text == concluded,
            is_cheer=_is_cheer(text),
        )
        for number, (text, factor) in enumerate(told.items())
    ]


def _without_verse(blocks: Sequence[Block]) -> list[Block]:
    """The blocks that are no poem; none where most of them are."""
    kept = [block for block in blocks if not _is_verse(block)]
    return kept if len(kept) * 2 > len(blocks) else []


def _is_verse(block: Block) -> bool:
    """Whether a paragraph is a stanza: short lines that begin with a capital, though few of them end a sentence."""
    lines = [line.strip() for line in block.text.split("\n")]
    if block.sort != "prose" or len(lines) < _VERSE_LINES or max(map(len, lines)) > _VERSE_CHARS:
        return False
    capitals = sum(line[:1].isupper() for line in lines)
    open_ends = sum(_ENDED_RE.search(line) is None and not line.endswith(_ANNOUNCING) for line in lines[:-1])
    # "Branch: main" is a line of a table.
    is_table = sum(":" in line for line in lines) * 2 >= len(lines)
    return capitals * 4 >= len(lines) * 3 and open_ends * 2 >= len(lines) - 1 and not is_table


def _is_named(block: Block) -> bool:
    return block.sort == "prose" and not block.is_behind_code and _NAMED_RE.match(block.text) is not None


def _read_as_list(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, with paragraphs below words that announce them as items of a list, where each begins with the name of
    what it is about: "**`rows.py`** — …"."""
    found = list(blocks)
    at = 0
    while at < len(found):
        end = at + 1
        if _announces(found[at]) and not _is_heading(found[at], has_list=False) and _announced_list(found[at]):
            while end < len(found) and _is_named(found[end]):
                end += 1
        if end - at > _SEVERAL:
            found[at + 1 : end] = [msgspec.structs.replace(each, sort="item") for each in found[at + 1 : end]]
        at = end
    return found


def _is_cheer(text: str) -> bool:
    """Whether a statement is called out, names nothing, and does not say that anything came of the work."""
    is_told = names_in(text) or tells_result(text) or _HAVING_RE.match(text)
    return text.endswith(_EXCLAIMING) and not is_told


def _conclusion_at(passages: Sequence[_Passage]) -> int:
    """The paragraph with a label of its own that an answer of several parts ends with, but for what it asks; -1 where
    there is none."""
    if sum(passage.is_heading for passage in passages) < _SEVERAL:
        return -1
    last = len(passages) - 1
    while last > 0 and words_of_sentence(passages[last].block.text).endswith(_ASKING):
        last -= 1
    # Of several with a label none says more than the others.
    return last if _is_labelled(passages[last]) and not _is_labelled(passages[last - 1]) else -1


def _is_labelled(passage: _Passage) -> bool:
    return passage.is_paragraph and _LABELLED_RE.match(passage.block.text) is not None


def _tell_passage(found: _Found, passage: _Passage, answer: str) -> None:
    if text := _with_code(answer, passage.block) if passage.is_open and not found.told else "":
        found.tell_in_order(text)
    elif passage.is_paragraph:
        _tell_paragraph(found, passage)
    if not passage.is_head or not passage.items:
        return
    if text := _listed(passage.block, passage.items):
        found.tell_of(words_of_sentence(passage.block.text), text, passage.items[0].sort)
    elif text := _named_in(passage.block, passage.items):
        found.tell_of(words_of_sentence(passage.block.text), text, passage.items[0].sort)
        found.titles.add(text)
    else:
        found.missing.add(passage.items[0].sort)


class _Series(Struct, frozen=True):
    """The titles of parts that are numbered, and where the last of them ends."""

    titles: tuple[str, ...]
    end: int


def _series(passages: Sequence[_Passage], first: int) -> _Series | None:
    """The parts that begin here, where they are numbered from the first one on: told by their titles, for what stands
    in one of them is a piece of what all of them say."""
    titles: list[str] = []
    level, at = 0, first
    while at < len(passages):
        passage = passages[at]
        number, title = _numbered(passage) if passage.is_heading else (0, "")
        own = passage.block.level or _BOLD_LEVEL
        if number == len(titles) + 1 and (not titles or own == level):
            titles.append(title)
            level = own
        elif not titles or (passage.is_heading and own <= level):
            break
        at += 1
    is_told = len(titles) > 1 and sum(map(_names_thing, titles)) * 2 > len(titles)
    return _Series(tuple(titles), at) if is_told else None


def _numbered(passage: _Passage) -> tuple[int, str]:
    """The number of a part and its title: "2. Drop the cache", "Option 2: Drop the cache"."""
    words = words_of_sentence(passage.block.text)
    found = _PART_RE.match(_SYMBOLS_RE.sub("", passage.block.text))
    if passage.block.number:
        return passage.block.number, words.rstrip(_LIST_END)
    return (int(found[1]), words_of_sentence(found[2]).rstrip(_LIST_END)) if found is not None else (0, "")


def _titles_below(before: _Passage, series: _Series) -> str:
    """The titles behind the words that announce them; "" where none do."""
    announced = _announced(before.block) if before.is_heading or _announces(before.block) else ""
    return _in_a_row(announced, series.titles, len(series.titles)) if announced else ""


class _Passage(Struct, frozen=True):
    """A block that is no part of a list, with the list or table below it."""

    block: Block
    is_before_code: bool
    # None of those that the human is asked to choose from.
    items: Sequence[Block]
    behind: Sequence[Block]
    is_heading: bool
    # A heading or words that announce, with something below them.
    is_head: bool

    @property
    def is_open(self) -> bool:
        """Whether it announces what no list says: code, or a line in bold."""
        return not self.is_head and _announces(self.block)

    @property
    def is_paragraph(self) -> bool:
        return self.block.sort == "prose" and not self.is_heading and not _LETTERED_RE.match(self.block.text)


class _Found(Struct):
    """Statements as they are found, each with a factor on what it tells, and which of them are told behind another."""

    told: dict[str, float] = field(default_factory=dict)
    following: set[str] = field(default_factory=set)
    # Lists with the words above them, and whether one of their sort before them is missing.
    listed: dict[str, bool] = field(default_factory=dict)
    missing: set[Sort] = field(default_factory=set)
    # Titles of parts and of rows, and lists that stand below one of them.
    titles: set[str] = field(default_factory=set)
    inside: set[str] = field(default_factory=set)
    # Sentences that name no matter.
    hollow: dict[str, float] = field(default_factory=dict)

    def tell(self, text: str, factor: float) -> None:
        self.told.setdefault(text, factor)

    def tell_of(self, head: str, text: str, sort: Sort) -> None:
        """A list below its head, which is no longer told behind the words before it."""
        for said in [each for each in self.told if each.endswith(f": {head}")]:
            announced, its_factor = said.removesuffix(f": {head}"), self.told.pop(said)
            if reads_without_list(announced):
                self.tell(announced, its_factor)
        self.tell(text, tells(text) * _FACTORS[sort])
        self.listed[text] = sort in self.missing

    def tell_in_order(self, text: str) -> None:
        """As how the answer begins, or as one more."""
        self.tell(text, tells(text) if self.told else _lead_factor(text))

    def tell_behind(self, text: str) -> None:
        if text not in self.told:
            self.following.add(text)
        self.tell(text, tells(text))


def _lead_factor(text: str) -> float:
    return _LEAD_FACTOR * max(tells(text), 1.0)


def _announces(block: Block) -> bool:
    return block.text.rstrip(_MARKS).endswith(_ANNOUNCING)


def _passages(blocks: Sequence[Block], options: range, *, ends_in_code: bool) -> Iterator[_Passage]:
    at = 0
    while at < len(blocks):
        block, end = blocks[at], _end_of_list(blocks, at + 1)
        is_heading = _is_heading(block, has_list=end > at + 1)
        is_head = end > at + 1 and (is_heading or _announces(block))
        yield _Passage(
            block,
            is_before_code=blocks[at + 1].is_behind_code if at + 1 < len(blocks) else ends_in_code,
            items=blocks[at + 1 : end] if at + 1 not in options else (),
            behind=blocks[at + 1 : at + 2],
            is_heading=is_heading,
            is_head=is_head and block.sort in ("prose", "heading"),
        )
        at = end if is_head and block.sort in ("prose", "heading") else at + 1


def _tell_paragraph(found: _Found, passage: _Passage) -> None:
    """Its sentences, and the list below its last one, which that sentence does not announce."""
    last = _tell_sentences(found, passage)
    if passage.is_head:
        return
    if last in found.told and (text := _listed_below(passage.items)):
        found.tell_behind(text)
        return
    if last in found.hollow and (text := _listed_behind(last, passage.items)):
        found.tell(text, found.hollow[last] if not found.told else tells(text))
        return
    is_first = not last and not found.told
    cheered = _listed_behind(_cheer(passage.block), passage.items) if is_first else ""
    if text := cheered or (_named_behind(passage.block, passage.behind) if passage.is_open else ""):
        found.tell_in_order(text)


def _tell_sentences(found: _Found, passage: _Passage) -> str:
    """The last one that says something, told or not."""
    last, opened = "", ""
    # What was done is told without the code below it; what is to be done there is not, beside anything else.
    is_torn = passage.is_before_code and bool(found.told)
    for text, follows in _sentences(passage.block, is_head=passage.is_head, is_torn=is_torn):
        if not last and follows and not points_back(text):
            # The paragraph before it is what it limits.
            last = next(reversed(found.told), "")
        is_hollow = not follows and _is_hollow(text)
        if is_hollow:
            found.hollow.setdefault(text, _lead_factor(text))
            follows = tells_result(text) and not _HANGING_RE.search(text)
        if not follows and not is_hollow:
            # "Pushed to main. All checks passed in 40 s.": the two are one statement.
            text = f"{opened} {text}" if opened and len(opened) + len(text) < WHOLE_CHARS else text
            found.tell_in_order(text)
        elif follows and last in found.told:
            found.tell_behind(text)
        last, opened = text, text if is_hollow and follows and not found.told and text.endswith(".") else ""
    return last


def _is_heading(block: Block, *, has_list: bool) -> bool:
    """Whether a block is a heading: by its mark, in bold, or a few words without an end before a list."""
    if block.sort == "heading" or _BOLD_LINE_RE.match(block.text) is not None:
        return True
    is_bare = has_list and block.sort == "prose" and len(block.text) < _HEADING_CHARS and "\n" not in block.text
    return is_bare and not _ENDED_RE.search(block.text) and not _OPEN_END_RE.search(block.text)


def _is_hollow(text: str) -> bool:
    """Whether a sentence names no matter ("Found the bug!", "Pushed and ran it"): it says something to those alone who
    were there. Told by words of English; elsewhere no sentence is."""
    is_named = bool(names_in(text)) or _QUOTED_RE.search(text) is not None
    is_terse = text.isascii() and not is_named and len(words_in(text, _MATTER)) < _LEAST_MATTER
    return is_terse and not leaves_open(text)


def _spoken(answer: str) -> str:
    """The answer without what some agents think in front of it, and without the tags that frame it; of a document in
    JSON its words."""
    spoken = _TAG_RE.sub(" ", answer.rpartition(_THOUGHT)[2])
    return (_words_of_document(spoken) or spoken) if spoken.lstrip().startswith("{") else spoken


def _words_of_document(text: str) -> str:
    """What a JSON document says in sentences, and of its lists what each item is called; "" where it is none."""
    try:
        document = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return ""
    parts: list[str] = []
    for key, value in document.items() if isinstance(document, dict) else ():
        if isinstance(value, str) and value.count(" ") >= _LEAST_WORDS:
            parts.append(value)
        elif isinstance(value, list) and (names := [name for each in value if (name := _name_of(each))]):
            parts.append("\n".join((f"{key}:", *(f"- {name}" for name in names))))
    return "\n\n".join(parts)


def _name_of(item: object) -> str:
    """A text, or the first one of what a document lists."""
    texts = item.values() if isinstance(item, dict) else [item]
    return " ".join(next((text for text in texts if isinstance(text, str) and " " in text), "").split())


def goes_on(answer: str) -> bool:
    """Whether a few words end with what the agent does next: they were said on the way, and nothing came of them."""
    if len(answer) > _ON_THE_WAY_CHARS:
        return False
    last = words_of_sentence(next(reversed(list(sentences_of(answer.strip().rpartition("\n")[2]))), ""))
    if is_courtesy(last) or is_offer(last) or last.endswith(_ASKING):
        return False
    return narrates(last) or _TO_COME_RE.search(last) is not None


def first_words(answer: str) -> str:
    """How an answer begins in which nothing reads alone: the first sentence that does more than announce or ask; else
    what it announces, or a heading of a word or two; else a courtesy, where that is all it says."""
    announced = courtesy = ""
    asks = False
    answer = presentable(_spoken(answer[:READ_CHARS]))
    for block in _without_verse(list(blocks_in(answer))):
        is_heading = _is_heading(block, has_list=False) and len(_WORD_RE.findall(block.text)) < _LEAST_WORDS
        for sentence in sentences_of(block.text) if block.sort != "row" else ():
            text = words_of_sentence(sentence)
            if not any(map(str.isalnum, text)):
                continue
            if text.endswith(_ASKING):
                asks = True
            elif is_courtesy(text) and len(text) < _COURTESY_CHARS:
                courtesy = courtesy or text
            elif not narrates(text) and not is_heading:
                return text
            else:
                announced = announced or text
    return announced or ("" if asks else courtesy)


def _sentences(block: Block, *, is_head: bool, is_torn: bool) -> Iterator[tuple[str, bool]]:
    """Those of a paragraph that read alone, and those that read behind the one before them, which is said of each;
    without the last one where that announces a list."""
    sentences = list(sentences_of(block.text))
    # A line by itself that names nothing and does not end like a sentence is a heading without its mark.
    if len(sentences) == 1 and len(block.text) < _HEADING_CHARS and not _ENDED_RE.search(block.text):
        sentences = [each for each in sentences if names_in(each) or tells(each) >= 1]
    is_told = False
    for sentence in sentences[:-1] if is_head else sentences:
        text = words_of_sentence(sentence)
        limiting = _LIMITING_RE.match(text)
        limits = limiting is not None or (is_told and _REGRETTING_RE.match(text) is not None)
        follows = points_back(text) or limits
        is_behind = is_told or not follows or (limits and sentence is sentences[0])
        own = text[limiting.end() :] if limiting is not None else text
        is_told = len(text) <= WHOLE_CHARS and is_behind and _says_something(sentence, own)
        if is_torn and sentence.rstrip(_MARKS).endswith(_ANNOUNCING) and not tells_result(text):
            is_told = False
        if is_told:
            yield text, follows


def _says_something(sentence: str, text: str) -> bool:
    """Whether a sentence is one that tells: no announcement, question, offer, cheer or piece of one."""
    if _ELSEWHERE_RE.search(text) or _TORN_RE.match(text) or _CONDITION_RE.match(text) or _OPTION_RE.search(text):
        return False
    if text.endswith(_ASKING) or narrates(text) or is_courtesy(text) or is_offer(text):
        return False
    if NUMBERED_RE.match(sentence.lstrip("*_ ")) or _ANNOUNCING_RE.search(text) or _TO_COME_RE.search(text):
        return False
    if not _is_balanced(text):
        return False
    is_named = bool(names_in(text))
    if sentence.rstrip(_MARKS).endswith(_ANNOUNCING) and (len(text) < _ANNOUNCED_CHARS or not is_named):
        return False
    wide = columns_of(text)
    if wide < _LEAST_COLUMNS or (wide < _TERSE_COLUMNS and not is_named and not tells_result(text)):
        return False
    if text.isascii() and (_OPEN_END_RE.search(text.rstrip(" .:")) or len(_WORD_RE.findall(text)) < _LEAST_WORDS):
        return False
    return worth_of(sentence, text, place=1, sort="prose") > 0


def _end_of_list(blocks: Sequence[Block], at: int) -> int:
    """Behind the list or table that begins here; here where none does."""
    first = blocks[at] if at < len(blocks) else None
    if first is None or first.sort not in ("item", "numbered", "row") or first.is_behind_code:
        return at
    while at < len(blocks) and (blocks[at].sort == first.sort or blocks[at].indent > first.indent):
        at += 1
    return at


def _options_at(blocks: Sequence[Block], question: str) -> range:
    """The list that the human is asked to choose from: the last one, where the question that an answer ends with stands
    above it, right below it, or in it."""
    end = next((at + 1 for at in reversed(range(len(blocks))) if blocks[at].sort in ("item", "numbered")), 0)
    first = end
    while first and blocks[first - 1].sort in ("item", "numbered"):
        first -= 1
    words = words_of_sentence(question)
    beside = (words_of_sentence(block.text) for block in blocks[max(first - 1, 0) : end + 1])
    return range(first, end) if words and any(words in each for each in beside) else range(0)


def _listed(head: Block, items: Sequence[Block]) -> str:
    """The words before a list with its first items, as one statement; "" where they do not read alone either."""
    announced = _announced_list(head)
    if not announced or _OPTIONS_RE.search(announced):
        return ""
    if items[0].sort != "row":
        return _with_items(announced, items)
    # The first row of a table says what stands in its columns. One of the others alone says what is not so.
    text = _with_items(announced, items[1:])
    return text if not text.endswith(_MORE) else ""


def _named_in(head: Block, items: Sequence[Block]) -> str:
    """The words before a table that is too long to be told, with what each of its rows is about."""
    announced = _announced_list(head)
    if items[0].sort != "row" or not announced or _OPTIONS_RE.search(announced):
        return ""
    names = [_name_of_row(item.text) for item in items[1:]]
    is_told = all(_names_thing(name) and _is_balanced(name) and len(name) <= _ITEM_CHARS for name in names)
    return _in_a_row(announced, names, len(names)) if is_told else ""


def _names_thing(title: str) -> bool:
    """Whether a title says what it is about: a word alone is mostly the name of a sort of thing."""
    is_one_word = title.isascii() and len(title.split()) < _FEW_WORDS
    return _NAMING_RE.search(title) is not None and (not is_one_word or bool(names_in(title)))


def _name_of_row(row: str) -> str:
    """Its first cell; the second where the first is its number."""
    ordinal = _ORDINAL_RE.match(row)
    return words_of_sentence(row[ordinal.end() :].partition(", ")[0] if ordinal else row.partition(": ")[0])


def _announced(head: Block) -> str:
    """The last words above a list; "" where they do not read alone."""
    announced = words_of_sentence(next(reversed(list(sentences_of(head.text))), ""))
    is_offered = is_offer(announced) or _CONDITION_RE.match(announced)
    return announced if not (narrates(announced) or is_offered or points_back(announced)) else ""


def _announced_list(head: Block) -> str:
    """The same above a list or a table: "Here's what was done: …" is told as "What was done: …"."""
    last = words_of_sentence(next(reversed(list(sentences_of(head.text))), ""))
    here = _HERE_RE.match(last)
    return _announced(head) if here is None else last[here.end() : here.end() + 1].upper() + last[here.end() + 1 :]


def _is_balanced(text: str) -> bool:
    return all(text.count(opening) == text.count(closing) for opening, closing in _BRACKETS)


def _listed_below(items: Sequence[Block]) -> str:
    """The items of a list that stands below a paragraph without a word that announces it, as far as they are
    sentences or say something of a thing that they name."""
    if not items or items[0].sort == "row":
        return ""
    told = [each for each in _words_of_items(items) if names_in(each) and len(_WORD_RE.findall(each)) >= _LEAST_WORDS]
    text = ""
    for each in told[:_ITEMS]:
        if len(text) + len(each) + len(_MORE) + 2 > WHOLE_CHARS:
            break
        text = f"{text}; {each}" if text else each
    return text if not points_back(text) else ""


def _named_behind(block: Block, behind: Sequence[Block]) -> str:
    """Words that announce one thing, with the line in bold below them that names it."""
    if not behind or not _BOLD_LINE_RE.match(behind[0].text):
        return ""
    announced = words_of_sentence(list(sentences_of(block.text))[-1])
    named = _first_words(behind[0])
    is_told = named and not (narrates(announced) or is_offer(announced) or points_back(announced))
    return f"{announced}: {named}" if is_told else ""


def _with_code(answer: str, block: Block) -> str:
    """The words that an answer begins with and the few lines of code below them, which they announce."""
    announced = words_of_sentence(block.text)
    behind = answer[answer.find(block.text) + len(block.text) :].lstrip()
    if not is_fence(behind) or narrates(announced):
        return ""
    code = behind.partition("\n")[2].partition("\n```")[0]
    shown = " ".join(code.split()) if len(code) <= _CODE_CHARS else ""
    is_told = shown and "\n" not in block.text and not points_back(announced) and not is_offer(announced)
    return f"{announced}: {shown}" if is_told else ""


def _listed_behind(hollow: str, items: Sequence[Block]) -> str:
    """A sentence that names nothing, with the list below it that says what it is about."""
    return _with_items(hollow.rstrip(_CLOSING), items) if hollow and items and items[0].sort != "row" else ""


def _cheer(block: Block) -> str:
    """The one sentence of a paragraph that says nothing but that something is done, and ends there: "Done."."""
    text = words_of_sentence(block.text)
    is_said = columns_of(text) < _TERSE_COLUMNS and _ENDED_RE.search(block.text) and not text.endswith(_ASKING)
    return text.rstrip(_CHEERED) if is_said and not is_courtesy(text) and not narrates(text) else ""


def _with_items(announced: str, items: Sequence[Block]) -> str:
    own = [item for item in items if item.indent <= items[0].indent]
    words = _words_of_items(items)
    # A list that is told from its middle seems to begin there.
    told = [each for each in words if each and not each.endswith(_LOOSE)] if any(words[:1]) else []
    return _in_a_row(announced, told, len(own))


def _in_a_row(announced: str, told: Sequence[str], count: int) -> str:
    """As many of them as there is room for behind the words that announce them; "" where there is room for none."""
    text, taken = announced, 0
    while taken < min(len(told), _ITEMS) and len(text) + len(told[taken]) + len(_MORE) + 2 <= WHOLE_CHARS:
        text += f"{'; ' if taken else ': ' if announced else ''}{told[taken]}"
        taken += 1
    if not taken:
        return ""
    return text + (_MORE if taken < count else "")


def _list_alone(blocks: Sequence[Block], options: range) -> str:
    """The first items of an answer that is nothing but a list."""
    at = next((at for at, block in enumerate(blocks) if block.sort in ("item", "numbered")), len(blocks))
    if at == len(blocks) or at in options:
        return ""
    return _with_items("", blocks[at : _end_of_list(blocks, at)])


def _words_of_items(items: Sequence[Block]) -> list[str]:
    """The first sentence of each item of a list, where it is short enough to stand in a row of them; what announces
    another list is told with the first words of that."""
    found: list[str] = []
    for at, item in enumerate(items):
        if item.indent > items[0].indent:
            continue
        words = _first_words(item)
        below = items[at + 1] if at + 1 < len(items) and items[at + 1].indent > item.indent else None
        # The name of a list below it says nothing without that.
        is_short = len(_WORD_RE.findall(words)) < _LEAST_WORDS and not names_in(words)
        is_name = below is not None and (is_short or _is_bold(item))
        if words and (_announces(item) or is_name):
            more = f"{words.rstrip(_DASHES)}: {first}" if below is not None and (first := _first_words(below)) else ""
            is_told = names_in(words) or len(_WORD_RE.findall(words)) > _LEAST_WORDS
            words = more if 0 < len(more) <= _ITEM_CHARS else words.rstrip(_LIST_END) if is_told else ""
        found.append(words)
    return found


def _first_words(item: Block) -> str:
    first, _, rest = (_ORDINAL_RE.sub("", item.text) if item.sort == "row" else item.text).partition("\n")
    # Its title, where it has one.
    text = first if not rest or _BOLD_LINE_RE.match(first.strip()) else f"{first}\n{rest}"
    words = words_of_sentence(next(sentences_of(text), ""))
    if words.endswith(_ASKING):
        # "Is it fast?" is told by the answer below it.
        below = map(words_of_sentence, sentences_of(item.text))
        words = next((each for each in below if not each.endswith(_ASKING)), "")
    words = words.rstrip(_CLOSING)
    if len(words) <= _ITEM_CHARS:
        return words
    # What it says before it goes into details; a name alone says nothing.
    ends = [found.start() for found in _DETAIL_RE.finditer(words, 0, _ITEM_CHARS + 1)]
    short = words[: ends[-1]] if ends else ""
    name = _BOLD_RE.match(text)
    if name is not None and words_of_sentence(name[0]).rstrip(_LIST_END) == short and len(words) <= _LONG_ITEM_CHARS:
        return words
    # A name with a word says something; a name alone does not.
    least = _FEW_WORDS - any(map(_NAMING_RE.search, names_in(short)))
    if _is_balanced(short) and len(_WORD_RE.findall(short)) >= least:
        return short
    if len(words) <= _LONG_ITEM_CHARS:
        return words
    # Of one that goes on and on, what stands before its first aside, with the name it is about.
    before = words.partition(" (")[0]
    return before if names_in(before) and _is_balanced(before) and len(before) <= _ITEM_CHARS else ""


def _is_bold(item: Block) -> bool:
    return _BOLD_LINE_RE.match(item.text.strip()) is not None
