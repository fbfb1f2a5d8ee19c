"""Text from logs made harmless: cleaned of what cannot be seen, and escaped for Markdown and HTML.

Owns: which characters a reader may meet, and what makes a text inert where it is printed.
Must not know: where the text came from, how long it may be (`text` cuts; cut first, escape last, for a cut through
an escape undoes it).

Log text is hostile by default: it can carry terminal escapes, reordered or invisible characters that show a person one
thing and a model another, and Markdown or HTML that breaks out of the place it is printed in.
"""

import html
from typing import Final

from recapd.core import late_re as re

# Whatever is not one of these needs a look. ASCII text, nearly all there is, is judged on bytes: 1 GB/s, not 0.1.
_ASCII_DIRT: Final = bytes([*range(0x09), *range(0x0B, 0x20), 0x7F])
_ASCII_CLEAN: Final = bytes(set(range(0x80)) - set(_ASCII_DIRT))

# Never wanted, wherever they stand.
_INVISIBLE: Final = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"  # C0 and C1 without tab and the line breaks
    "\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"  # soft hyphen, grapheme joiner, blank letters
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction marks, embeddings, overrides, isolates
    "\u200b\u2060-\u2065\u206a-\u206f\ufeff"  # zero width, invisible operators, deprecated format characters
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # annotation, shorthand and musical controls
    "\U000e0000-\U000e001f\U000e0080-\U000e0fff"  # unassigned tags, variation selectors 17-256
    "\ufe00-\ufe0d"  # variation selectors other than the text and emoji styles
)
_BREAKS: Final = "\r\x0b\x0c\x85\u2028\u2029"
# Wanted in their place only: joiners, the text and emoji styles, the letters of subdivision flags.
_SOMETIMES: Final = "\u200c\u200d\ufe0e\ufe0f\U000e0020-\U000e007f"
# Half of a pair, code points that no text may hold, planes that hold nothing.
# Few ranges outside the first plane: Python tests those one by one, for every character.
_BROKEN: Final = (
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff\U0001fffe\U0001ffff\U0002fffe\U0002ffff"
    "\U0003fffe-\U000dffff\U000e1000-\U000effff\U000ffffe\U000fffff\U0010fffe\U0010ffff"
)
_DIRT_RE: Final = re.compile(f"[{_INVISIBLE}{_BREAKS}{_SOMETIMES}{_BROKEN}]")
_INVISIBLE_RE: Final = re.compile(f"[{_INVISIBLE}]")
_BREAKS_RE: Final = re.compile(f"[{_BREAKS}]")
_BROKEN_RE: Final = re.compile(f"[{_BROKEN}]")

# The patterns below begin with a character class and look back over it: only then does `re` skip to the next candidate.
# Terminal control. A string (window title, hyperlink target, image) goes with its introducer only when it is closed on
# its line, so an unclosed one cannot swallow the text behind it. Possessive, and no class holds an introducer: linear.
_TERMINAL_RE: Final = re.compile(
    r"[\x1b\x90\x98\x9b\x9d-\x9f](?:"
    r"(?:(?<=\x1b)\[|(?<=\x9b))[0-?]*+[ -/]*+[@-~]?"
    r"|(?:(?<=\x1b)[\]PX^_]|(?<=[\x90\x98\x9d-\x9f]))(?:[^\x07\x1b\x80-\x9f\n]*+(?:\x07|\x1b\\|\x9c))?"
    r"|[ -/]*+[0-~]?)"
)

_EMOJI: Final = "\xa9\xae\u203c\u2049\u2100-\u27bf\u2900-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
# Scripts whose letters join: there a joiner or non-joiner changes the word.
_JOINING: Final = "\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ua840-\ua87f\uaa00-\uabff\U00010a00-\U00011fff"
_VIRAMA: Final = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2"
_STRAY_STYLE_RE: Final = re.compile(f"[\ufe0e\ufe0f](?<![0-9#*{_EMOJI}].)")
_STRAY_JOINER_RE: Final = re.compile(
    f"[\u200c\u200d](?!(?<=[{_JOINING}].)(?=[{_JOINING}])|(?<=[{_VIRAMA}]\u200d)|(?<=[{_EMOJI}\ufe0f]\u200d)(?=[{_EMOJI}]))"
)
# England, Scotland, Wales: the only flags in use that are spelled in tag characters. Any other spelling is hidden text.
_TAG_RE: Final = re.compile("[\U000e0020-\U000e007f]")
_FLAG_OR_TAG_RE: Final = re.compile(
    "(\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    "|\U000e0077\U000e006c\U000e0073)\U000e007f)|[\U000e0020-\U000e007f]"
)


def clean(text: str) -> str:
    """`text` as a careful person would see it: no terminal escapes, no controls, nothing invisible or reordered.

    Lines end in "\\n"; tabs stay; what no text may hold becomes U+FFFD.
    Joiners and styles stay where emoji and joining scripts need them.
    Idempotent; returns the very same object when there is nothing to do.
    """
    if is_clean(text):
        return text
    text = _TERMINAL_RE.sub("", text)
    text = _BREAKS_RE.sub("\n", text.replace("\r\n", "\n"))
    text = _INVISIBLE_RE.sub("", text)
    if text.isascii():
        return text
    text = _BROKEN_RE.sub("\ufffd", text)
    if _TAG_RE.search(text):
        text = _FLAG_OR_TAG_RE.sub(r"\1", text)
    text = _STRAY_STYLE_RE.sub("", text)
    return _STRAY_JOINER_RE.sub("", text)


def is_clean(text: str) -> bool:
    """Whether there is nothing for `clean` to do; also of several texts, one behind the other. Where there may be
    something, False."""
    if text.isascii():
        raw = text.encode()
        return len(raw.translate(None, _ASCII_DIRT)) == len(raw)
    return _DIRT_RE.search(_without_plain(text)) is None


def _without_plain(text: str) -> str:
    """What is not ASCII, and what of ASCII is never wanted: a few characters, where the text has thousands."""
    return text.encode("utf-8", "surrogatepass").translate(None, _ASCII_CLEAN).decode("utf-8", "surrogatepass")


def clean_line(text: str) -> str:
    """`clean`, on one line, every run of white space one space."""
    return " ".join(clean(text).split())


# What CommonMark, GFM and the common extensions would read as markup in the middle of a line.
# Left alone because they cannot matter there: "_" inside words, "*" between spaces, "~" after a space ("~/src"),
# "<" before anything but a tag, "&" before anything but an entity, "\\" before a letter, lone slashes.
# Every alternative begins with its literal character: only then does `re` skip to the next candidate (6 times faster).
_MARKUP_RE: Final = re.compile(
    r"`|\[|\]|\||\$"
    r"|__*+"
    r"|\*(?! )|\*(?<! \*)"
    r"|~(?<! ~)|~(?=~)"
    r"|\\(?=[!-/:-@\[-`{-~]|$)"
    r"|<(?=[A-Za-z/!?]|$)"
    r"|&(?=\#?\w{1,40};)"
    r"|/(?<!//)(?=/[^\s/])"  # "https://x" and "//x" stay readable and are no link
    r"|\.(?<=[Ww]{3}\.)(?=\S)"
    r"|@(?<=[\w.+-]@)(?=\w)"
    r"|:(?<=[mM][aA][iI][lL][tT][oO]:)"
)
# What would start a block: heading, quote, list, rule, underlined heading, table or definition.
_BLOCK_START_RE: Final = re.compile(r"#|>|[-+](?=[ ]|$)|-(?=-+(?: |$))|=(?==*$)|:(?=[ -])|\d{1,9}(?P<mark>[.)])(?= |$)")
_ENTITIES: Final = {"<": "&lt;", "&": "&amp;"}


def escape_markdown(text: str) -> str:
    """`text` on one line as Markdown that shows exactly that text, at the start or in the middle of a line.

    No emphasis, code, link, image, HTML, entity, table, heading, list, quote, rule, footnote or formula can come of it,
    in a table cell, a link label or an HTML block either ("<" becomes an entity, which is inert in both).
    A bare address stays readable and is no link, in GFM and in editors.
    Out of reach: what a site does to text after rendering it (GitHub links "@name", "#1" and e-mail addresses, some
    previews guess at "example.com"); a handle that must stay dead belongs into `code_span`.
    """
    line = clean_line(text)
    start = _BLOCK_START_RE.match(line)
    escaped = _MARKUP_RE.sub(_escape_one, line)
    if start is None:
        return escaped
    # Nothing before the mark is touched by _MARKUP_RE, so its place holds in the escaped text.
    mark = max(start.start("mark"), 0)
    return f"{escaped[:mark]}\\{escaped[mark:]}"


def _escape_one(found: re.Match[str]) -> str:
    mark = found[0]
    if mark[0] == "_":
        inside_word = _is_alnum_at(found.string, found.start() - 1) and _is_alnum_at(found.string, found.end())
        return mark if inside_word else "\\_" * len(mark)
    return _ENTITIES.get(mark) or "\\" + mark


def _is_alnum_at(text: str, place: int) -> bool:
    return 0 <= place < len(text) and text[place].isalnum()


_BACKTICKS_RE: Final = re.compile("`+")


def longest_backtick_run(text: str) -> int:
    return max(map(len, _BACKTICKS_RE.findall(text)), default=0)


def code_span(text: str) -> str:
    """`text` on one line as inline code; empty for blank text, which Markdown cannot show as code.

    Not for cells of a table: GFM splits them at "|" even inside code.
    """
    line = clean_line(text)
    if not line:
        return ""
    ticks = "`" * (longest_backtick_run(line) + 1)
    pad = " " if line[0] == "`" or line[-1] == "`" else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def escape_html(text: str) -> str:
    """`clean` text for HTML, as content or between the quotes of an attribute."""
    return html.escape(clean(text), quote=True)
