"""Questions by which an agent offers to do something: "Shall I commit it?", "Want me to add a test?".

Owns how they begin, in the languages agents answer in. Must not know: what was answered, nor what is told of it.
"""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re

_OFFERS_RE: Final = re.compile(
    r"^(?:.{0,60}?[,;:—–-]\s+)?(?:(?:do you )?want me to|would you like (?:me )?to|should i\b|shall i\b|should we\b|"
    r"shall we|do you want to|can i|may i|"
    r"is it ok(?:ay)? (?:to|if i)|ready to|ready for me to|(?:let me know )?if you(?:'d| would)? (?:like|want|prefer|"
    r"wish)(?: me to)?,?(?: i can| i could| i'll)?|i can(?: also)?|i could(?: also)?|"
    r"soll(?:en)? (?:ich|wir)|darf ich|möchtest du,? dass ich|willst du,? dass ich|quieres que|queres que|debo|"
    r"quer que(?: eu)?|devo|posso|vuoi che(?: io)?|dois-je|veux-tu que je|voulez-vous que|souhaitez-vous que|"
    r"wil je dat ik|zal ik|chcesz,? żebym|czy mam|mam|"
    r"хотите,? (?:чтобы )?(?:я )?|需要我|要我|是否需要|要不要|是否)\s*",
    re.IGNORECASE,
)


def deed_from(asked: str) -> int:
    """Where the deed begins that a question or a sentence offers to do; 0 where it offers none."""
    offer = _OFFERS_RE.match(asked)
    return offer.end() if offer is not None else 0
