"""What is up to the reader: the question or the offer that the last answer ends with, and what there is to choose from.

Owns: whether anything is, by how the session stands. What the end of an answer says is `core/text/closing`'s to read.
"""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re
from recapd.core.log import Place
from recapd.core.text import Closing, closing_of, deed_from, names_in, plain, presentable, sentences_of, terms_of
from recapd.core.views.recap.clauses import chars_within, up_to_a_pause
from recapd.core.views.recap.items import cited
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.view import Item, Section, Wording, joined, worded
from recapd.core.views.recap.words import plain_line, shortened

# The line has that label already.
_LABEL_RE: Final = re.compile(r"\Anext steps?(?: for you)?[:：] *(?=\S)", re.IGNORECASE)
# What the agent would do with what was spoken of.
_HANGING_RE: Final = re.compile(
    r"\b(?:me|I|we)\b.{1,80}\b(?:it|this|that|these|those|them|both|either)\b", re.IGNORECASE
)
# What is offered only if the reader wants something.
_CONDITION_RE: Final = re.compile(
    r"\b(?:if|wenn|falls|si|se|если|nếu)\b|如果|若|よろしければ|\bfeel free\b", re.IGNORECASE
)
# What the agent itself would do is the matter of an offer, that and what it has said the matter of a question.
_OWN_RE: Final = re.compile(
    r"\b(?:me to|i|we|us|ich|wir|uns|je|nous|yo|eu|nós|io|noi|я|мне|мы|нам|tôi|em)\b|我|私|제가", re.IGNORECASE
)
_SAID_RE: Final = re.compile(r"\b(?:it|this|that|these|those|them|both|either)\b|这|那", re.IGNORECASE)
# More or other of something, or something that is yet to be named.
_VAGUE_RE: Final = re.compile(
    r"\b(?:anything|something|else|other|further|additional|weitere[nrs]?|andere[nrs]?|sonst|autres?|"
    r"quelque chose|otr[oa]s?|outr[oa]s?|algo|altr[oaie]|qualcos['’]altro|друг(?:ое|ие|их)|ещё|еще|"
    r"thêm|khác)\b|更多|其他|其它|别的|某个|某些|进一步|もっと|ほか|他に|다른",
    re.IGNORECASE,
)
# A question that no yes answers.
_OPEN_RE: Final = re.compile(
    r"(?:what|how|where|who|when|was|wie|wo|wer|quoi|que|comment|qué|cómo|o que|como|che|cosa|come|что|как)\b|"
    r"什么|怎么|如何|何|どう|무엇|어떻게",
    re.IGNORECASE,
)
_QUOTED_RE: Final = re.compile(r"[\"“‘«„「『][^\n?？]{1,200}[?？][\"”’»“」』]\Z")
# A name before what is said of it.
_NAME_END_RE: Final = re.compile(r" [—–-]+ |[:：] ?|（| \(| = ")
# An answer of so many characters is one, whatever it asks in the end.
_TALK_CHARS: Final = 300
# A sentence that ends a little later is told to its end.
_LONGER: Final = 1.5
# Where the agent had the last word and nobody has answered it.
_ANSWERED: Final = ("asked in words", "answered", "had answered")
_LEAST_OPTION_CHARS: Final = 12
_ASKING: Final = ("?", "？")
_CLOSING: Final = ")*_`\"'”’» "


def next_section(recap: Recap, columns: int) -> Section | None:
    """None where nothing is up to the reader, or the state says it."""
    stand = recap.standing
    if stand.cause == "asks" and stand.options and stand.place is not None:
        return _section(recap, Closing(stand.question, stand.options), stand.place, columns)
    last = recap.turns[-1] if recap.turns else None
    # Of a command alone there is no turn.
    asked = last.request if last is not None else recap.original
    place = last.replied if last is not None else stand.place
    if asked is None or place is None or stand.cause not in _ANSWERED:
        return None
    # A page tries several widths.
    said = asked.text, recap.session.main.transcript.last_words, last is not None and last.calls > 0
    closing = recap.session.memory.recall(_closing, said, "closing")
    # Who is there and asks waits for an answer, whatever it is about.
    if closing is None and stand.status == "waiting" and stand.question:
        closing = Closing(stand.question)
    return _section(recap, closing, place, columns) if closing is not None else None


def _closing(said: tuple[str, str, bool]) -> Closing | None:
    """What the answer leaves to the human, where it is about something that was spoken of: "Anything else?" is not, nor
    is what keeps a talk going."""
    asked, answer, is_worked = said
    closing = closing_of(presentable(answer))
    if closing is None:
        return None
    is_asked = closing.text.rstrip(_CLOSING).endswith(_ASKING)
    if not is_asked and _CONDITION_RE.search(list(sentences_of(closing.text))[-1]):
        # Nobody waits for what is offered only if the reader wants something.
        return None
    if closing.options:
        # A question in quotation marks is spoken of, not asked.
        return closing if not all(map(_QUOTED_RE.match, closing.options)) else None
    if is_asked and _is_small_talk(closing.text, f"{asked} {presentable(answer)}"):
        return None
    if names_in(closing.text) or _wants_yes(closing.text):
        return closing
    before = presentable(answer).replace(closing.text, " ")
    terms = terms_of(closing.text).keys()
    is_talk = not is_worked and len(before) >= _TALK_CHARS
    if is_talk and _is_courtesy(closing.text, is_asked_for=not terms.isdisjoint(terms_of(asked))):
        return None
    is_spoken_of = bool(terms & terms_of(f"{asked} {before}").keys())
    return closing if is_spoken_of or _SAID_RE.search(closing.text) else None


def _is_small_talk(text: str, said: str) -> bool:
    """Whether a question is about no certain thing: it offers more or other of something that it does not name, or asks
    openly about what nobody spoke of. What stands before the question makes it none: "All is clean. What's next?"."""
    question = list(sentences_of(text))[-1]
    if names_in(question):
        return False
    if _VAGUE_RE.search(question):
        return True
    elsewhere = terms_of(said.replace(question, " ")).keys()
    is_open = _OPEN_RE.match(question) is not None and not _SAID_RE.search(question)
    return is_open and question != text and elsewhere.isdisjoint(terms_of(question))


def _is_courtesy(text: str, *, is_asked_for: bool) -> bool:
    """Whether it asks for another topic behind an answer that nothing was done for: about what was asked an agent may
    have to know more, but for itself it only keeps the talk going."""
    if not text.rstrip(_CLOSING).endswith(_ASKING) or (is_asked_for and _OWN_RE.search(text)):
        return False
    return _SAID_RE.search(text) is None


def _wants_yes(text: str) -> bool:
    """Whether it is about what the agent would do: with what was spoken of, or as a question ("Shall I commit?")."""
    if _HANGING_RE.search(text):
        return True
    return text.endswith(_ASKING) and any(map(deed_from, sentences_of(text)))


def _section(recap: Recap, closing: Closing, place: Place, columns: int) -> Section:
    item = Item(key="next", wording=_wording(closing, columns), turn=recap.turn, cited=cited(recap, place))
    return Section("next", "Next", (item,))


def _wording(closing: Closing, columns: int) -> Wording:
    """The words, and the options: each whole where there is room for that, else by its name; none where not all have a
    few words."""
    text = _LABEL_RE.sub("", closing.text)
    words = plain(shortened(text[:1].upper() + text[1:]))
    room = chars_within(words, columns)
    asked = words if len(words) <= room * _LONGER else up_to_a_pause(words, room)
    left = columns - len(asked)
    if not closing.options or left < _LEAST_OPTION_CHARS * len(closing.options):
        return worded(asked)
    options = [plain(shortened(option)) for option in closing.options]
    if sum(map(len, options)) > left:
        options = [_NAME_END_RE.split(option, maxsplit=1)[0] for option in options]
    each = max(left // len(options), _LEAST_OPTION_CHARS)
    if sum(map(len, options)) > left:
        options = [plain_line(option, each) for option in options]
    numbered = [joined((f"({number}) ", worded(option))) for number, option in enumerate(options, start=1)]
    return joined((worded(asked), " ", joined(numbered, " ")))
