"""Requests and results in a few words: what was asked and what came of it, as a person would repeat them.

Owns: which part of a long prompt is the request, and a result without its run-up. Must not know: formats, budgets.
Everything is cut, never rephrased: the words are the human's and the agent's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile, zip_longest
from typing import Final

import msgspec

from recapd.core import late_re as re
from recapd.core.commands import without_cd
from recapd.core.hygiene import escape_markdown
from recapd.core.state import Step
from recapd.core.text import (
    ELLIPSIS,
    blocks_in,
    names_in,
    one_line,
    plain,
    points_back,
    presentable,
    sentences_of,
    strip_quoted_reply,
    terms_of,
    without_code,
    without_output,
)
from recapd.core.views.recap.clauses import TYPED_END_RE, chars_within, clause, last_pause, up_to_a_pause

# Words before the matter itself.
_RUN_UP_RE: Final = re.compile(
    r"(?:(?:ok(?:ay)?|k|hm+|hmm+|uh+m*|um+|ah+|oh|so|well|great|nice|cool|good|perfect|awesome|thanks|"
    r"thank you|yeah|yep|yes|alright|sure|(?:hey|hi|hello)(?: there| all| everyone| \w{2,20}(?=[,!]))?|please|"
    r"pls|exactly|excellent|got it|understood|also|"
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
_ADDRESS_RE: Final = re.compile(r"https?://(?:www\.)?([\w.-]+(?::\d{1,5})?)((?:/[^\s/)\]>\"'`]+)*)/?")
_QUERY_CHARS: Final = 24
# Behind the name of a page, what only a program reads.
_PAGE_ID_RE: Final = re.compile(r"(?<=\w)-(?=[0-9a-f-]{0,35}[0-9])[0-9a-f]{8}[0-9a-f-]{12,28}\Z")
# A file that is pointed at by its path.
_MENTION_RE: Final = re.compile(r"(?<![\w@/])@(?:[\w.-]{1,60}/){1,12}+(?=[\w.-]{1,80}\.\w)")
# Where words have no spaces, a path stands between them without one.
_PATH_RE: Final = re.compile(r"(?<![A-Za-z0-9_.:/])(?:~|[A-Za-z]:)?((?:/[A-Za-z0-9_.@+-]+){4,})")
_PLAIN_WORD_RE: Final = re.compile(r"[^\W\d_]+(?![\w./:@-]*[\w/@])")
_HASH_RE: Final = re.compile(r"\A\(?(?=[a-f]*\d)[0-9a-f]{7,40}\)? ?[:—–-]+ ")
_SPEAKER_RE: Final = re.compile(
    r"(?:I|We)(?:['’]ve| have)? (?:also |now |just |[a-z]+ly )?(?!need\b)"
    r"(?=(?:[a-z]{2,}ed|set|put|made|built|wrote|written)\b)"
)
# Where the output goes, and how much of it is looked at.
_OUTPUT_RE: Final = re.compile(r"(?<!\s)(?:\s*+(?:\d?>&\d|\d?> ?/dev/null|\| *+(?:tail|head)\b[^|;&]*+)){1,9}+\s*+\Z")
# Commands that are kept as files show where the human's words go: under a heading, in a block of their own.
_TYPED_RE: Final = re.compile(
    r"^[#* \t]*user(?:['’]s)? (?:input|request|prompt|message)[:* \t]*\n\s*```\w*[ \t]*\n",
    re.IGNORECASE | re.MULTILINE,
)
_TYPED_END_RE: Final = re.compile(r"^[ \t]*+```[ \t]*+$", re.MULTILINE)
_TEMPLATE_CHARS: Final = 4_000
_TEMPLATE_LINE_RE: Final = re.compile(
    r"#{1,6}[ \t]+\S+\s*$|.{0,20}\bconsider (?:the user input|it) before proceeding", re.IGNORECASE
)
# A picture beside the words: only its path is logged.
_PICTURE_RE: Final = re.compile(
    r"(?:(['\"])(?:~|[A-Za-z]:)?[/\\][^'\"\n]{1,300}\.(?:png|jpe?g|gif|webp)\1|"
    r"(?<!\S)(?:~|[A-Za-z]:)?[/\\]\S{1,300}\.(?:png|jpe?g|gif|webp)(?!\S)|\[Image #?\d*\])\s*",
    re.IGNORECASE,
)
_SENTENCE_RE: Final = re.compile(r"[.?!] ")
_LEAST_REST: Final = 12
_LEAST_WORDS: Final = 4
_SCRATCH: Final = ("/tmp/", "/private/tmp/", "/var/folders/", "/var/tmp/")
_TARGET_CHARS: Final = 60
_NAME_CHARS: Final = 60
_MARKS: Final = "#>-–* \n"
# Some editors hand over a text with a backslash before each of its marks, those of its lists, too.
_ESCAPED_RE: Final = re.compile(r"^[ \t]*\\[-*+#>](?=\s)", re.MULTILINE)
_ESCAPE_RE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_NO_PROSE: Final = ("-", "*", "#", "|", "<", "{")
_LETTERED_RE: Final = re.compile(r"\s*[(（]?(?:\d{1,2}|[A-Za-z])[.)、）]\s")
_ASKING: Final = ("?", "？", "吗", "か。")
_ENDS: Final = (".", "!", "?", "…", ":", ";", ",", "。", "！", "？", "：", "；", "，")
_LOOSE_END: Final = " .,;:—–-"
# What frames the words of some programs' users.
_MARKER_RE: Final = re.compile(
    r"^\[\[ ?## \w{1,40} ## ?\]\][ \t]*$|^@?\[(?:User|Human)\]:[ \t]*|^\[System: [^\]\n]{1,400}\][ \t]*$", re.MULTILINE
)
# A program that drives an agent says so in brackets and capitals before what it asks of it.
_HARNESS_RE: Final = re.compile(r"\s*\[[A-Z][A-Z ]{2,40}: ")
# Who the agent is to be is not what it is asked.
_PERSONA_RE: Final = re.compile(
    r"(?:you are|you['’]re|act as|du bist|sie sind|tu es|vous êtes|eres|você é|sei|ты|вы) (?:\w+[ ,-]){0,8}"
    r"(?:(?:assistant|engineer|developer|expert|architect|analyst|agent|designer|writer)s?\b|"
    r"entwickler|expert|разработчик)"
    r"|你是(?:一[位个名])?\S{0,40}(?:专家|工程师|助手|架构师|开发者)",
    re.IGNORECASE,
)
_GREETING_RE: Final = re.compile(
    r"(?:hi|hello|hey|hallo|hola|bonjour|salut|ciao|good (?:morning|evening|afternoon)|你好|您好|привет|xin chào)"
    r"(?: \w{1,20}){0,2}[\s,.!]*",
    re.IGNORECASE,
)
_FIELD_RE: Final = re.compile(r"[*_]*[^\W\d_][\w -]{1,24}[*_]*[:：][*_]* *\S")
# What is handed over says from whom or to whom it is, and when that was; other lines of this form are the matter.
_WHOSE_RE: Final = re.compile(
    r"^[*_]*(?:from|to|by|von|an|de|à|para|da|van|aan|od|do|от|кому|发件人|收件人|差出人|宛先|보낸)\b[^\n:：]{0,16}[:：]",
    re.IGNORECASE | re.MULTILINE,
)
_WHEN_RE: Final = re.compile(
    r"^[*_]*(?:date|sent|datum|gesendet|fecha|data|дата|日期|日付|날짜)\b[^\n:：]{0,16}[:：]",
    re.IGNORECASE | re.MULTILINE,
)
# "Implement the following plan:" before the plan.
_ANNOUNCING_CHARS: Final = 60
# More than that is not typed in one go.
_TYPED_CHARS: Final = 1_000
# Where somebody who types without a stop comes to something else.
_TURN_RE: Final = re.compile(r"[，；] ?|[,;] |(?<=[a-z]) (?=(?:And|So|But|Now) )")
# Words by which people ask for something that is no question.
_WANTING_RE: Final = re.compile(
    r"\b(?:please|pls|plz|(?:tell|show|help|give|let) me(?! know)|i(?: need| want| would like|['’]d like)|"
    r"(?:can|could) you|"
    r"bitte|hilf mir|zeig mir|ich (?:will|möchte|brauche)|s['’]il (?:te|vous)|je (?:veux|voudrais)|por favor|"
    r"(?:quiero|necesito|quero|preciso|gostaria|vorrei|voglio)|per favore|proszę|пожалуйста|помоги|хочу|нужно|давай|"
    r"lütfen|hãy|giúp tôi)\b|请|請|帮我|帮忙|幫我|麻烦|给我(?=\w)|ください|お願い|してほしい|해\s?줘|주세요",
    re.IGNORECASE,
)
# A word for something that was named before.
HANGING_RE: Final = re.compile(r"\b(?:it|this|that|these|those|them|they)\b", re.IGNORECASE)
# Nobody breaks a line after so many characters but a screen.
_WRAPPED_RE: Final = re.compile(r"(?<=[^\n]{50})(?<=[\w,)'\"`])[ \t]*\n[ \t]*(?=[^\W\d_A-Z])")
# What points back and has no more terms says little of its own.
_FEW_TERMS: Final = 2


def request_line(text: str, columns: int) -> str:
    """What a prompt asks, on one line: its own words without quotes, code, pasted output and run-up; of a long one the
    asking part."""
    typed = without_output(_typed(strip_quoted_reply(_unescaped(text))))
    own = typed.words or typed.failed
    prose = without_code(own).strip() or own
    prose = _PICTURE_RE.sub("", _MARKER_RE.sub("", prose)).strip() or prose
    prose = _matter(shortened(presentable(prose)).lstrip(_MARKS))
    whole = as_asked(_in_one_line(prose))
    if typed.words and typed.failed:
        # What was pasted says by its last error what the words are about.
        failed = plain(shortened(presentable(typed.failed)))
        whole = f"{whole.rstrip(_LOOSE_END)} — {failed}"
    limit = chars_within(whole, columns)
    if len(whole) > limit and "@" in prose:
        # Where room is short, the names of files say which are meant.
        prose, whole = _MENTION_RE.sub("@", prose), _MENTION_RE.sub("@", whole)
        limit = chars_within(whole, columns)
    if len(whole) <= limit:
        return whole
    prose = _unwrapped(prose)
    typed_ones = _sentences(prose)
    sentences = [sentence for sentence in map(without_run_up, typed_ones) if sentence]
    if not sentences or typed.failed:
        return one_line(whole, limit)
    asking = _asking(sentences, prose)
    if asking and not asking.endswith(_ASKING) and _wants(typed_ones[0]):
        # Who begins with what he wants goes on with how.
        return up_to_a_pause(whole, limit)
    # What a document ends with is not what it is about; that says its title, and how it begins.
    is_document = "\n#" in prose and not asking.endswith(_ASKING)
    if is_document and len(begun := _title_and_lead(prose)) <= limit:
        return begun
    if asking and len(asking) <= limit and not is_document:
        if asking.startswith(sentences[0]):
            return asking
        # What is between the two is not told, and shows: without it they may seem to be about one thing.
        left = limit - len(asking) - 3
        first = _first_telling(sentences, asking)
        head = first if len(first) <= left else last_pause(first, left)
        if head:
            return f"{head.rstrip(ELLIPSIS)} {ELLIPSIS} {asking}"
        # Of two things that are to be done, the first; a question says what was told for its sake.
        if asking.endswith(_ASKING):
            return f"{ELLIPSIS} {asking}"
    if not asking and (both := _beginning_and_end(sentences, prose, limit)):
        return both
    return up_to_a_pause(whole, limit)


def _unescaped(text: str) -> str:
    return _ESCAPE_RE.sub(r"\1", text) if _ESCAPED_RE.search(text) else text


def _beginning_and_end(sentences: Sequence[str], prose: str, limit: int) -> str:
    """Of what somebody typed in one go how it begins and, whole, what it comes to: people tell first how things are and
    ask in the end. "" where it is more than a few sentences, or either of the two has no room."""
    if len(prose) > _TYPED_CHARS or any(block.sort != "prose" for block in blocks_in(prose)):
        return ""
    typed = _sentences(prose)
    turns = [found.end() for found in _TURN_RE.finditer(typed[0])] if len(typed) == 1 else []
    before, asks = (typed[0][: turns[-1]], typed[0][turns[-1] :]) if turns else (typed[0], typed[-1])
    # Who begins with what he wants goes on with how.
    if not _WANTING_RE.search(asks) or _WANTING_RE.search(before) or before.endswith(_ASKING):
        return ""
    first, last = sentences[0], without_run_up(asks)
    # Words for something that stands above them say nothing without it.
    hanging = HANGING_RE.search(last)
    if hanging is not None and len(last[: hanging.start()].split()) < _LEAST_WORDS:
        return ""
    left = limit - len(last) - 3
    if left < limit * 2 // 5 or (last.isascii() and len(last.split()) < _LEAST_WORDS):
        return ""
    head = first if len(first) <= left else last_pause(first, left)
    # Where words have no spaces, a cut may go through one.
    head = head or (one_line(first, left) if first.isascii() else "")
    return f"{head.rstrip(ELLIPSIS)} {ELLIPSIS} {last}" if head else ""


def _sentences(prose: str) -> list[str]:
    """The sentences of a prompt, also of one that is typed without capitals."""
    whole = (each for block in prose.split("\n") for each in sentences_of(block))
    return [plain(part) for each in whole for part in TYPED_END_RE.split(each)]


def _wants(sentence: str) -> bool:
    """Whether a sentence says what somebody wants."""
    begun = _RUN_UP_RE.match(sentence)
    return (
        _POLITE_RE.match(sentence, begun.end() if begun else 0) is not None or _WANTING_RE.search(sentence) is not None
    )


def _first_telling(sentences: Sequence[str], asking: str) -> str:
    """The first sentence before the asking one that does not only say something of what stood before ("This is really
    helpful!")."""
    before = list(takewhile(lambda sentence: sentence not in asking, sentences)) or sentences[:1]
    telling = (each for each in before if not points_back(each) or len(terms_of(each)) > _FEW_TERMS)
    return next(telling, before[0])


def _unwrapped(prose: str) -> str:
    """The text without the breaks that a screen's edge put into its sentences: where a long line ends without a mark
    and the next one goes on in small letters."""
    return _WRAPPED_RE.sub(" ", prose)


def is_of_a_harness(prompt: str) -> bool:
    """Whether nobody typed it: a program asks the agent for something of its own."""
    return _HARNESS_RE.match(prompt) is not None


def _matter(prose: str) -> str:
    """A prompt from where it comes to the matter: without a greeting, without who the agent is to be, and for a plan
    that is handed over its title."""
    first, _, rest = prose.partition("\n")
    if rest.strip() and (_PERSONA_RE.match(first) or _GREETING_RE.fullmatch(first.strip())):
        prose = rest.strip()
        first, _, rest = prose.partition("\n")
    head, _, behind = rest.partition("\n\n")
    is_header = _WHOSE_RE.search(head) is not None and _WHEN_RE.search(head) is not None
    if is_header and behind.strip() and all(map(_FIELD_RE.match, head.split("\n"))):
        # It stands below the title of what is handed over.
        rest = behind
        prose = f"{first}\n\n{behind}"
    title = rest.lstrip("\n")
    if title.startswith("#") and first.rstrip(_MARKS).endswith((":", "：")) and len(first) <= _ANNOUNCING_CHARS:
        return title.lstrip(_MARKS)
    sentence = next(sentences_of(prose), "")
    if _PERSONA_RE.match(sentence) and len(prose) - len(sentence) >= _LEAST_REST:
        return prose[len(sentence) :].strip()
    return prose


def _in_one_line(prose: str) -> str:
    """The lines of a prompt one after the other; where one ends without a mark, it shows."""
    line, before, is_open = "", "", False
    blocks = list(blocks_in(prose))
    for block, then in zip_longest(blocks, blocks[1:]):
        words = plain(block.text)
        # The title of what was filed often is its first line, too.
        if not words or words == before:
            continue
        # Behind the title, what a part is called says less than how it begins.
        if line and block.sort == "heading" and then is not None and then.sort != "heading":
            continue
        line += ("; " if is_open and block.sort in ("item", "numbered") else " — " if is_open else " ") + words
        if block.text.rstrip("*_ ").endswith((":", "：")):
            line += ":"
        before, is_open = words, not line.endswith(_ENDS)
    return line.strip().rstrip(":") or plain(prose)


def _title_and_lead(prose: str) -> str:
    """The first line of a document and the first sentence below it."""
    title, _, rest = prose.partition("\n")
    lead = next((block.text for block in blocks_in(rest) if block.sort != "heading"), "")
    return _in_one_line(f"{title}\n\n{next(sentences_of(lead), '')}")


def plain_line(text: str, columns: int) -> str:
    """What the agent asks or a state says, on one line: its own words from the beginning, without marks."""
    whole = plain(shortened(text))
    return one_line(whole, chars_within(whole, columns))


def _typed(prompt: str) -> str:
    """What the human typed, where a command wrapped it in a page of instructions; else those instructions' matter."""
    template = prompt[:_TEMPLATE_CHARS]
    begin = _TYPED_RE.search(template) if "```" in prompt else None
    end = _TYPED_END_RE.search(template, begin.end()) if begin is not None else None
    if begin is None or end is None:
        return prompt
    if words := prompt[begin.end() : end.start()].strip():
        return words
    rest = [line for line in prompt[end.end() :].split("\n") if not _TEMPLATE_LINE_RE.match(line)]
    return "\n".join(rest).strip() or prompt


def _asking(sentences: Sequence[str], prose: str) -> str:
    """The part of a long prompt that asks: the few words after everything pasted, or its last question."""
    asked = [at for at in range(len(sentences) - 1, 0, -1) if sentences[at].endswith(_ASKING)]
    # Of several questions the last that names something.
    place = next((at for at in asked if names_in(sentences[at])), next(iter(asked), 0))
    question = sentences[place] if place else ""
    # A question about "them" says nothing without the sentence that names them.
    last = prose.rpartition("\n\n")[2]
    words = plain(last)
    if question and HANGING_RE.search(question) and not names_in(question):
        begun = without_run_up(words)
        if begun.startswith(question):
            # What it is about stands in what was pasted above it; what follows it may say more of its own.
            rest = begun.removeprefix(question).strip()
            return rest if len(terms_of(rest)) > _FEW_TERMS and not points_back(rest) else begun
        question = f"{sentences[place - 1]} {question}"
    is_item = last.lstrip().startswith(_NO_PROSE) or _LETTERED_RE.match(last) is not None
    # Lines one below the other that end nowhere are a form to fill in, or pasted.
    is_form = "\n" in last.strip() and not last.rstrip().endswith(_ENDS)
    is_prose = len(words.split()) >= _LEAST_WORDS and not is_item and not is_form
    if not is_prose or "\n\n" not in prose or (question and question not in without_run_up(words)):
        return question
    # Words for something that stands above them say nothing without it.
    hanging = HANGING_RE.search(words)
    is_about_it = hanging is not None and not names_in(words[: hanging.start()])
    return without_run_up(words) if not is_about_it else ""


def shortened(text: str) -> str:
    """The text with long addresses and paths told by their ends."""
    if "/" not in text:
        return text
    text = _ADDRESS_RE.sub(_short_address, text)
    return _PATH_RE.sub(lambda found: f"…/{'/'.join(found[1].split('/')[-2:])}", text)


def _short_address(found: re.Match[str]) -> str:
    path, _, query = found[2].partition("?")
    # What is asked of a page in many words is not where it is.
    steps = (path if len(query) > _QUERY_CHARS else found[2]).split("/")[1:]
    if steps:
        steps[-1] = _PAGE_ID_RE.sub("", steps[-1])
    return "/".join((found[1], *steps)) if len(steps) <= 2 else f"{found[1]}/…/{'/'.join(steps[-2:])}"


def result_line(text: str, columns: int) -> str:
    """A statement of the agent as part of a line: without run-up, closing mark, and the hash of a commit."""
    line = without_run_up(shortened(_HASH_RE.sub("", text)))
    # "I've added it" is told as "Added it": who did is plain.
    if (speaker := _SPEAKER_RE.match(line)) is not None:
        line = _begun(line[speaker.end() :])
    return clause(line, columns).rstrip(" .;,:。；，：")


def without_run_up(text: str) -> str:
    """The text from where it comes to the matter; whole where nothing would be left."""
    rest = text
    for pattern in (_RUN_UP_RE, _POLITE_RE):
        found = pattern.match(rest)
        if found and len(rest) - found.end() >= _LEAST_REST:
            rest = rest[found.end() :]
    return text if rest is text else _begun(rest)


def as_asked(text: str) -> str:
    """What somebody wants, from where it comes to the matter: "could you fix it?" without its run-up and its mark."""
    matter = without_run_up(text)
    is_polite = len(matter) < len(text) and _POLITE_RE.search(text[: len(text) - len(matter)]) is not None
    return matter.rstrip("? ") if is_polite and not _SENTENCE_RE.search(matter) else matter


def _begun(text: str) -> str:
    """The text as the beginning of a sentence: a word gets its capital, a name stays as it is spelled."""
    return text[:1].upper() + text[1:] if _PLAIN_WORD_RE.match(text) else text


def said(text: str) -> str:
    """Log text as it may stand in a page."""
    return escape_markdown(text)


def brief(step: Step) -> Step:
    """The step with so little of its target that five of them are still read."""
    is_path = step.kind in ("read", "list", "edit", "write", "patch", "delete")
    target = short_names([step.target])[0] if is_path else one_line(command_line(step.target), _TARGET_CHARS)
    return msgspec.structs.replace(
        step, target=target, detail=one_line(step.detail, 40), outcome=one_line(step.outcome, 80)
    )


def command_line(target: str) -> str:
    """A command without where it is run and what is done with its output, its paths told by their ends."""
    return shortened(_OUTPUT_RE.sub("", without_cd(target)))


def lasting(paths: Sequence[str]) -> list[bool]:
    """Which of the files are the work itself; scratch files of the system's are, where there is nothing else."""
    kept = [not path.startswith(_SCRATCH) for path in paths]
    return kept if any(kept) else [True] * len(paths)


def short_names(paths: Sequence[str], *, most: int | None = None) -> list[str]:
    """Each path as briefly as tells it from the others: its name, with its folder where names repeat. The first few
    where no more are wanted."""
    # On Windows folders end in another mark.
    paths = [path.replace("\\", "/") if path[1:3] == ":\\" or "/" not in path else path for path in paths]
    steps = [path.rstrip("/").split("/") for path in paths]
    names = [own[-1] or path for own, path in zip(steps, paths, strict=True)]
    for taken in (2, 3):
        count = Counter(names)
        names = [name if count[name] == 1 else "/".join(own[-taken:]) for name, own in zip(names, steps, strict=True)]
    return [one_line(name, _NAME_CHARS) for name in names[:most]]
