"""What the agent's last words leave to be done, where they say so plainly: "Next step: …", "TODO: …", a list under it.

Only of the last turn: whatever is said next makes it old. Must not know sessions or views.
"""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re
from recapd.core.text import lines_in, plain, sentences_of

_MOST: Final = 5
# A mark and a colon, or a heading of its own, as people and agents write it.
_HEADED_RE: Final = re.compile(
    r"(?:next steps?|to-?dos?|to do|remaining(?: (?:work|steps|tasks|items))?|still (?:open|to do)|open items|"
    r"follow-?ups?|left to do|what['’]s (?:next|left)|nächste[rn]? schritte?|noch offen|offen|étapes? suivantes?|"
    r"prochaines? étapes?|"
    r"reste à faire|próximos? pasos?|pendientes?|prossimi passi|próximos passos|следующие шаги|следующий шаг|осталось|"
    r"下一步|待办|后续步骤|剩余工作|次のステップ|残作業|다음 단계)\s*(?P<colon>[:：—-]|$)\s*",
    re.IGNORECASE,
)
_BOLD: Final = "**"
_MARKED_RE: Final = re.compile(r"\bTODO\s*[:：]\s*(?P<rest>\S.*)")


def next_steps_in(words: str) -> list[str]:
    """What is to be done next, each in its own words, in their order; nothing where no line says that it is that."""
    found: list[str] = []
    is_headed = False
    for line in lines_in(words):
        text = "" if line.is_code else plain(line.words).strip()
        if not text:
            continue
        head = _HEADED_RE.match(text)
        if head is not None and (head["colon"] or line.mark == "heading" or _is_bold(line.words)):
            rest = text[head.end() :].strip()
            # What is behind a colon is the step; where nothing is, what is listed below.
            is_headed = not rest
            found += [rest] if rest else []
        elif is_headed and line.mark in ("bullet", "number"):
            found.append(text)
        else:
            is_headed = False
            found += _within(text)
    return list(dict.fromkeys(found))[:_MOST]


def _within(text: str) -> list[str]:
    """Steps that stand behind other sentences of a line; a mark tells to the end of its line."""
    if ":" not in text and "：" not in text:
        return []
    marked = _MARKED_RE.search(text)
    found: list[str] = []
    for sentence in list(sentences_of(text[: marked.start()] if marked else text))[1:]:
        head = _HEADED_RE.match(sentence)
        rest = sentence[head.end() :].strip() if head is not None and head["colon"] in (":", "：") else ""
        found += [rest] if rest else []
    return [*found, marked["rest"].strip()] if marked else found


def _is_bold(words: str) -> bool:
    """Whether a line is in bold as a whole: a heading without its mark."""
    own = words.strip()
    return own.startswith(_BOLD) and own.endswith(_BOLD) and len(own) > 2 * len(_BOLD)
