"""What the agent's last words leave to be done, where they say so plainly: "Next step: …", "TODO: …", a list under it.

Only of the last turn: whatever is said next makes it old. Must not know sessions or views.
"""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re
from recapd.core.text import lines_in, plain

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
        if head is not None and (head["colon"] or line.mark == "heading"):
            rest = text[head.end() :].strip()
            # What is behind a colon is the step; where nothing is, what is listed below.
            is_headed = not rest
            found += [rest] if rest else []
        elif is_headed and line.mark in ("bullet", "number"):
            found.append(text)
        else:
            is_headed = False
            found += [marked["rest"].strip() for marked in _MARKED_RE.finditer(text)]
    return list(dict.fromkeys(found))[:_MOST]
