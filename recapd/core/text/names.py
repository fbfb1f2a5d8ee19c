"""What a text names, as it is spelled: files, code, issues, versions, commits, numbers. In any language.

Owns: how a name is told from a word. Must not know: what is done with it.
"""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re

# What a text names: files, code, issues, versions, commits, numbers. What may be long begins at the start of a word and
# is not given back, so the search is linear.
_NAME_RE: Final = re.compile(
    r"(?<![\w-])[A-Za-z_][\w-]*+\.(?:[A-Za-z][\w-]*+\.){0,8}[A-Za-z]\w{0,9}\b"  # file.py, module.name
    r"|(?<![\w.@~-])(?:(?<!/)|(?=[.@~-]{0,3}\w))[\w.@~-]*+/[\w./@~-]*\w"  # a path or a branch
    r"|(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9]*?[a-z0-9][A-Z]\w*+"  # camelCase
    r"|(?<![A-Za-z0-9])[A-Za-z0-9]++_\w++"  # snake_case
    r"|[A-Z]{2,8}-?\d+"  # ENT-109
    r"|#\d+"
    r"|--[a-z][\w-]+"
    r"|\b[0-9a-f]{7,40}\b"
    r"|\bv?\d+(?:[.,:]\d+)*+%?"
)
# What may stand around a word without making it a name.
_AROUND_WORDS: Final = ".,:;!?()[]\"'*`"
_SIXTEENTHS: Final = "abcdef"
_LEAST_DIGEST: Final = 7
# What is spelled as no word of a language is, and is no number: identifiers, paths, options, constants. The weights of
# decisions were trained with it. Where a run of letters is no name, none begins inside it, and no name goes on for long
# without a dot or the like: without the look behind and the limit, a run of 4000 letters takes half a second.
_IDENTIFIER_RE: Final = re.compile(
    r"(?<![A-Za-z_])[A-Za-z_][\w./-]{0,120}(?:[a-z][A-Z]|_|\.|/)\w[\w./-]*|--[a-z][\w-]+|\b[A-Z][A-Z0-9_]{3,}\b"
)
# The same and what else a subject is called by: words joined by dashes, acronyms, files that begin with a dot.
# Decisions are compared by these; by identifiers, acronyms and code alone 0.022 of 92 labelled ones were taken for
# replaced though they hold, by these 0.011.
_SUBJECT_RE: Final = re.compile(
    r"--?[A-Za-z][\w-]{2,40}"
    r"|~?(?:\.{0,2}/)?[\w@.-]{1,60}(?:/[\w@.*-]{1,60}){1,8}/?"
    r"|\b[A-Za-z][A-Za-z0-9]{0,40}(?:[_.:][A-Za-z0-9]{1,40}){1,6}"
    r"|\b[a-z]{1,30}[A-Z][A-Za-z0-9]{1,40}"
    r"|\b[A-Z][a-z0-9]{1,30}[A-Z][A-Za-z0-9]{1,40}"
    r"|\b[A-Z][A-Z0-9]{2,30}\b"
    r"|\.[A-Za-z][\w-]{2,30}"
)
_CODE_RE: Final = re.compile(r"`([^`\n]{1,120})`")


def names_in(text: str) -> list[str]:
    """Everything that is named, numbers included, as often as it stands there.

    No name has white space in it, and most of what stands between is plain words: those are never looked at closely.
    """
    found: list[str] = []
    for piece in text.split():
        word = piece.strip(_AROUND_WORDS)
        # The rest of a plain word is small letters; some of those are digits of sixteen.
        if word.isalpha() and word[1:].islower() and (len(word) < _LEAST_DIGEST or word.strip(_SIXTEENTHS)):
            continue
        if word:
            found += _NAME_RE.findall(piece)
    return found


def identifiers_in(text: str) -> list[str]:
    """What code and files are called by, as often as it stands there; not what only stands in code marks."""
    return _IDENTIFIER_RE.findall(text)


def subject_names_in(text: str) -> list[str]:
    """What the subject of a decision may be called by, as often as it stands there."""
    return _SUBJECT_RE.findall(text)


def code_in(text: str) -> list[str]:
    """What stands in code marks within a line."""
    return _CODE_RE.findall(text)
