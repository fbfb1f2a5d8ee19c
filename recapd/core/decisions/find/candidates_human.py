"""What a human's message may decide: answers to what the agent put, and statements of the human's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Final

from msgspec import Struct, structs

from recapd.core import late_re as re
from recapd.core.decisions.entries import How, MadeBy, Proof
from recapd.core.decisions.exchange import (
    acknowledges,
    answers_thanks,
    carries_out,
    comes_back,
    gives_up,
    is_addition,
    is_complaint,
    is_task,
    looks_into,
    names_trouble,
    reports_change,
    turns_away,
)
from recapd.core.decisions.find.assent import Answer, answer_in
from recapd.core.decisions.find.candidate import Candidate, says_something
from recapd.core.decisions.find.content import share_of, words_of
from recapd.core.decisions.find.features_user import answer_features, user_features
from recapd.core.decisions.find.hearsay import quoted_spans
from recapd.core.decisions.find.itemised import Item, answers_in
from recapd.core.decisions.find.pastes import looks_pasted, own_units
from recapd.core.decisions.find.plain import Form, form_of, hands_over_secret, is_unfilled
from recapd.core.decisions.find.proposals import (
    TEXT_CHARS,
    Proposal,
    accepted,
    deed_in,
    deed_put,
    proposal_in,
    puts_two,
)
from recapd.core.decisions.find.questions import asks_wish, open_question
from recapd.core.decisions.find.scenes import Scene
from recapd.core.decisions.find.surroundings import Surroundings
from recapd.core.decisions.find.units import LISTED, Unit, units_of
from recapd.core.decisions.find.wording import corrects_itself, is_explicit, settled_from
from recapd.core.decisions.kinds import NUMBER, set_besides, set_otherwise, values_in
from recapd.core.decisions.terms import are_opposed, stance_of
from recapd.core.state import Passage
from recapd.core.text import UNSPACED_RE, spoken_words_in

# Of the agent's reply to a message, what shows how it was understood.
_FIRST_WORDS: Final = 600
# Content words of a statement that tells what it is about.
_LEAST_WORDS: Final = 2
# And of one that only says what to do with something that stands elsewhere.
_POINTING_WORDS: Final = 3
# And of one that may be a mere name.
_BARE_WORDS: Final = 4
# Words of a nod that says little else; characters of an answer; and the share of its words that are the agent's.
_SHORT_NOD: Final = 8
_SHORT_ANSWER: Final = 40
_AGENTS_WORDS: Final = 0.31
_DEEDS_WORDS: Final = 0.5
_TAKEN_WORDS: Final = 0.5
_NOT_RE: Final = re.compile(r"(?:not|no|nicht|kein\w*|pas|non|não|не|nie|niet)\s", re.IGNORECASE)
# Words of an exclamation.
_LEAD_WORDS: Final = 3
# Sentences of a message that says one thing, and the share of its words that a reply to it comes back to.
_FEW_UNITS: Final = 2
_LEAST_ECHO: Final = 0.3
# What is longer may take it up anywhere.
_BRIEF_REPLY: Final = 320
# Characters of the human's words that stay before what was proposed, and of a proposal what is read.
_OWN_CHARS: Final = 80
_PROPOSAL_CHARS: Final = 4000

# Characters and sentences of a message that takes something else than before; and that it comes on top of it.
_MOST_TURNING: Final = 300
_MOST_TURNING_UNITS: Final = 3
_ADDED_RE: Final = re.compile(
    r"\b(?:also|too(?=\s*(?:[^\w\s]|$))|as well|besides|additionally|in addition|both|auch|zusätzlich|außerdem|aussi|"
    r"également|también|además|"
    r"também|além|anche|inoltre|ook|też|również)\b|тоже|также|ещё|也|还要|另外|及び|도 (?:추가|같이)|ayrıca",
    re.IGNORECASE,
)

# Sentences and characters of what somebody types; what is more is mostly a text from elsewhere.
_MOST_TYPED: Final = 12
_MOST_LISTED: Final = 30
_TYPED_CHARS: Final = 2_500

# Where a nod ends and something new may begin. Few spaces stand before it, and each of them is a place to begin at.
_CUT_RE: Final = re.compile(
    r"\s{0,9}[,，;；:。.!！—–]\s*|\s[-+]+\s|\s{1,9}(?:and|but|also|then|und|et|y|и|но|aber|mais|pero)\s+"
    r"|\s{0,9}[并且但同时]+"
)
# What it is about, at the end, stands elsewhere.
_POINTS_RE: Final = re.compile(
    r"\b(?:it|this|that|them(?: all)?|these|those|(?<!\bat )all(?: of (?:it|them))?|es|das|ça|eso|isso|"
    r"это|его)[.!\s]*$",
    re.IGNORECASE,
)
_DEEDS: Final = frozenset(("edit", "run", "commit"))
# Where a sentence goes on to something else, and letters of what stands alone on either side.
_CLAUSE_RE: Final = re.compile(
    r"[,;，；]\s*(?:(?:and|but|so|und|aber|et|mais|y|pero|e|mas|ma|и|но|а) )?|"
    r"\s(?:and|but|so|und|aber|et|mais|y|pero|и|но)\s+"
)
_CLAUSE_LETTERS: Final = 20
_CLAUSE_LETTERS_UNSPACED: Final = 6
# An answer that is a fragment: its words before the reason; and how a sentence begins that is none.
_REASON_RE: Final = re.compile(
    r"[,，、;；:：(（]|\s[-–—]\s|\b(?:because|since|cause|cuz|bc|so that|in case|weil|damit|parce|porque|perché)\b"
    r"|потому|因为|から|니까"
)
_TELLS_RE: Final = re.compile(
    r"\W*(?:i|i'm|i've|i'd|i'll|im|we|we're|it|it's|its|there|they|he|she|you|this is|that's|"
    r"ich|wir|es|er|sie|du|je|j'ai|il|elle|on|nous|yo|él|ella|eu|ele|ela|io|lui|lei|я|мы|он|она)\b|[我他她你]|私|나는",
    re.IGNORECASE,
)
_BRIEF_ANSWER: Final = 160
_FRAGMENT_WORDS: Final = 6
_FRAGMENT_CHARS: Final = 20
# So a plan approved in an earlier session is handed over: both made it.
_APPROVED_PLAN_RE: Final = re.compile(r"\s*implement the following (?:approved )?plan\b", re.IGNORECASE)


class Heard(Struct, frozen=True):
    """A human's message, and the agent's words that it may answer."""

    scene: Scene
    around: Surroundings
    index: int
    before: Passage | None
    proposal: Proposal

    @property
    def passage(self) -> Passage:
        return self.scene.passages[self.index]


def of_human(scene: Scene, around: Surroundings, index: int) -> list[Candidate]:
    before = _last_words_before(scene, index)
    proposal = proposal_in(before.text[-_PROPOSAL_CHARS:]) if before is not None else Proposal()
    heard = Heard(scene, around, index, before, proposal)
    units, share = own_units(heard.passage.text)
    units = [unit for unit in _not_taken_back(units) if not hands_over_secret(unit.text)]
    quoted = quoted_spans(heard.passage.text)
    units = [own for unit in units if (own := _without_opened(unit, quoted)) is not None]
    units = [clause for unit in _with_opposites(units) for clause in _clauses(unit)]
    if _APPROVED_PLAN_RE.match(heard.passage.text):
        return _with_plan(_statements(heard, units, share, Answer(), by="collaborative"), heard)
    items = answers_in(heard.passage.text, proposal)
    if items:
        units = [unit for unit in units if not any(_is_within(unit, item) for item in items)]
        return [_itemised(heard, item, len(items)) for item in items] + _statements(heard, units, share, Answer())
    if not units or before is None:
        return _statements(heard, units, share, Answer())
    if _turns_away(heard, units):
        return _turned(heard, units, share)
    answered, rest, answer = _answered(heard, units)
    return ([answered] if answered else []) + _statements(heard, rest, share, answer)


def _with_plan(found: list[Candidate], heard: Heard) -> list[Candidate]:
    """A plan that is handed over was approved before: the first of its sentences stands for it, told by its title."""
    titled = next((unit for unit in units_of(heard.passage.text) if unit.marker == "heading"), None)
    if titled is None or not found:
        return found
    plan = structs.replace(
        found[0], ordinal=titled.start, quote=titled.text[:300], text=titled.text, core=titled.text, proof="plan"
    )
    return [plan, *(each for each in found if each.ordinal != titled.start)]


def _turns_away(heard: Heard, units: Sequence[Unit]) -> bool:
    """Whether the human takes something else than before, and says it in no plain form."""
    before = heard.before.text if heard.before is not None else ""
    if heard.proposal.question >= 0 and heard.proposal.question == len(heard.proposal.units) - 1:
        return False
    answer = answer_in(units[0].text)
    if answer.picks or (answer.nods and answer.is_bare and len(units) == 1):
        return False
    if "\n" in heard.passage.text.strip() or not turns_away(before, heard.passage.text, _reply_to(heard)):
        return False
    forms = [form_of(unit.text) for unit in units]
    is_said = any(_is_plain(heard, unit, units, form) for unit, form in zip(units, forms, strict=True))
    # What is taken stands last; before it may stand why.
    return not is_said and not any(form.is_open for form in forms) and not forms[-1].reports


def _turned(heard: Heard, units: Sequence[Unit], share: float) -> list[Candidate]:
    """The message as one: what is given up and what is taken stand in it side by side. Told with the change that the
    agent reports, for the words alone may be a bare name."""
    end = units[-1].start + len(units[-1].text)
    whole = structs.replace(units[0], text=heard.passage.text[units[0].start : end])
    found = _statements(heard, [whole], share, Answer())
    reply = _reply_to(heard)
    told = next((unit.text for unit in units_of(reply) if reports_change(unit.text)), "")
    is_bare = len(words_of(whole.text)) <= _BARE_WORDS
    text = _joined(whole.text, told) if told and is_bare else whole.text
    if not found:
        found = [_answering(heard, whole, Answer(), text, is_named=False, own="", units=1)]
    return [
        structs.replace(
            each,
            text=text,
            made_by="user",
            how="stated",
            turns=True,
            proof="statement" if told or gives_up(heard.passage.text) else None,
            proposal=None,
        )
        for each in found
    ]


def _reply_to(heard: Heard) -> str:
    """The agent's last words to a message."""
    replies = [each.text for each in heard.scene.passages[heard.index + 1 :] if each.kind == "reply"]
    return replies[-1] if replies else ""


def _names_answer(heard: Heard, unit: Unit, answer: Answer) -> bool:
    """Whether a short statement follows on an open question what the human wants: by its place it answers that."""
    if answer.asks or (answer.is_bare and answer.nods) or len(unit.text) > TEXT_CHARS or is_addition(unit.text):
        return False
    if (answer.picks and heard.proposal.options) or unit.opens or not _is_fragment(unit.text):
        return False
    asked, form = open_question(heard.proposal), form_of(unit.text)
    # Of two things that are put one is named, or something else is meant.
    names_one = not puts_two(asked) or not words_of(unit.text).isdisjoint(words_of(asked))
    # What is said plainly stands by itself.
    is_other = form.is_open or form.reports or form.decides or form.commands
    reply = _reply_to(heard)
    # Where the question does not say so, the reply shows whether it asked for a wish.
    is_taken_up = not reply or acknowledges(reply) or comes_back(reply, unit.text)
    return bool(asked) and names_one and not is_other and (asks_wish(asked) or is_taken_up)


def _is_fragment(text: str) -> bool:
    """Whether it begins with a name, a value or a few words, and no sentence that tells of somebody."""
    first = _REASON_RE.split(text, maxsplit=1)[0]
    if _TELLS_RE.match(first):
        return False
    is_unspaced = UNSPACED_RE.search(first) is not None
    return len(first) <= _FRAGMENT_CHARS if is_unspaced else len(spoken_words_in(first)) <= _FRAGMENT_WORDS


def _answered(heard: Heard, units: list[Unit]) -> tuple[Candidate | None, list[Unit], Answer]:
    """The answer that a message begins with or is, what is left of the message, and how it answers."""
    answer = answer_in(units[0].text)
    is_brief = len(heard.passage.text) <= _BRIEF_ANSWER and len(units) <= _FEW_UNITS
    if is_brief and _names_answer(heard, units[0], answer) and not accepted(heard.proposal, answer)[1]:
        asked = open_question(heard.proposal)
        found = _answering(heard, units[0], answer, asked, is_named=False, own=units[0].text, units=len(units))
        text = _joined(units[0].text, asked) if len(units[0].text) <= _OWN_CHARS else units[0].text
        found = structs.replace(found, text=text, proof="answer", answers=True)
        return _said_by(found, _only_settles(heard, units[0].text, answer)), units[1:], answer
    first, rest = units[0], None
    is_answer = answer.is_bare or answer.is_firm or answer.picks or (answer.nods and heard.proposal.question >= 0)
    if is_answer:
        nod, rest = _nod_and_rest(units[0])
        if rest is not None and answer.picks and not answer_in(nod.text).picks:
            # "Yes, go with B": the option is what is accepted.
            rest = None
        elif rest is not None:
            first, answer = nod, answer_in(nod.text)
    asked, is_named = accepted(heard.proposal, answer, _done_after(heard))
    # "Ok." below an offer nobody asked about, and then something else: it only leads up to that.
    leads_up = heard.proposal.question < 0 and not answer.is_firm and (rest is not None or len(units) > 1)
    if not asked or not (is_named or (_is_put(heard) and not leads_up)):
        # Where nothing was put there is nothing to accept, and the nod only leads up to the rest.
        return None, [rest, *units[1:]] if rest is not None else units, answer
    if is_answer and (answer.is_bare or not answer.asks):
        own = "" if answer.is_bare else first.text
        found = _answering(heard, first, answer, asked, is_named=is_named, own=own, units=len(units))
        found = _proved(heard, found, first, answer, is_named=is_named)
        # A number that no option has is a value: "30 days".
        is_nod = answer.nods and (answer.is_bare or answer.is_firm)
        is_stated = found.proof == "statement"
        settles = is_nod or is_named or (not is_stated and _only_settles(heard, first.text, answer))
        return _said_by(found, settles), [rest, *units[1:]] if rest is not None else units[1:], answer
    is_asked = heard.proposal.question >= 0 and not heard.proposal.is_idle
    if is_asked and len(units) == 1 and _is_mere_answer(first.text, answer):
        found = _answering(heard, first, answer, asked, is_named=False, own=first.text, units=1)
        return _said_by(found, _only_settles(heard, first.text, answer)), [], answer
    return None, units, answer


def _is_put(heard: Heard) -> bool:
    """Whether the agent's last words put anything to the human."""
    return heard.proposal.is_put or (heard.before is not None and heard.before.kind == "plan")


def _itemised(heard: Heard, item: Item, items: int) -> Candidate:
    unit = Unit(item.text, item.start, 0, 0)
    found = _answering(heard, unit, item.answer, item.asked, is_named=item.is_named, own=item.text, units=items)
    deed = "" if item.is_named or not _only_nods(item.text, item.answer) else deed_in(item.asked)
    is_own = not (item.is_named or item.answer.nods or item.answer.refuses) and len(item.text) > _OWN_CHARS
    text = item.text if is_own else deed or found.text
    found = structs.replace(found, text=text, proof="option" if item.is_named else _answer_to(deed))
    return _said_by(found, item.is_named or _only_settles(heard, item.text, item.answer))


def _said_by(found: Candidate, settles: bool) -> Candidate:
    """An answer is made by both, unless the human said what the agent had not offered."""
    if settles:
        return found
    return structs.replace(found, made_by="user", how="rejected" if found.how == "rejected" else "answered")


def _answering(
    heard: Heard, unit: Unit, answer: Answer, asked: str, *, is_named: bool, own: str, units: int
) -> Candidate:
    features = answer_features(
        heard.scene,
        heard.around,
        index=heard.index,
        unit=unit,
        answer=answer,
        proposal=heard.proposal,
        text=asked,
        is_named=is_named,
        units=units,
    )
    return Candidate(
        "assent",
        heard.passage,
        unit.start,
        unit.text[:300],
        _joined(own, asked),
        "collaborative",
        "chosen" if is_named else "rejected" if answer.refuses else "accepted",
        features,
        unit.text,
        heard.before.place if heard.before is not None else None,
    )


def _proved(heard: Heard, found: Candidate, unit: Unit, answer: Answer, *, is_named: bool) -> Candidate:
    """With what it stands on, where that tells whole what was decided: an option by its own text, the one deed that
    was put to the human, or what the human says plainly beside the yes."""
    if is_named:
        return structs.replace(found, proof="option")
    deed = deed_put(heard.proposal)
    if _only_nods(unit.text, answer):
        return structs.replace(found, text=deed or found.text, proof=_answer_to(deed))
    if deed and _agrees(unit.text, answer, deed):
        return structs.replace(found, text=_joined(unit.text, deed), proof="answer")
    form = form_of(unit.text)
    if not (form.decides or form.orders) or not _tells_what(unit.text):
        return found
    return structs.replace(found, text=unit.text, proof="statement")


def _answer_to(deed: str) -> Proof | None:
    return "answer" if deed else None


def _only_nods(text: str, answer: Answer) -> bool:
    """Whether it agrees and says nothing besides."""
    return answer.nods and not answer.refuses and answer.is_bare and not answer.asks and not answer.picks


def _agrees(text: str, answer: Answer, deed: str) -> bool:
    """Whether it begins with a yes, or tells to do what was put, and adds a few words to it."""
    if answer.refuses or answer.asks or answer.picks or len(text) > _OWN_CHARS:
        return False
    return answer.is_firm or (answer.nods and share_of(words_of(text), words_of(deed)) >= _DEEDS_WORDS)


def _tells_what(text: str) -> bool:
    """Whether the human's words name what they are about, and fit where they are told."""
    return len(_told_whole(text)) <= TEXT_CHARS and len(words_of(text)) >= _LEAST_WORDS


def _told_whole(text: str) -> str:
    """A long sentence up to where its last whole clause that fits ends."""
    if len(text) <= TEXT_CHARS:
        return text
    ends = [cut.start() for cut in _CLAUSE_RE.finditer(text[:TEXT_CHARS]) if _is_clause(text[: cut.start()])]
    return text[: ends[-1]] if ends and ends[-1] >= TEXT_CHARS // 3 else text


def _statements(heard: Heard, units: list[Unit], share: float, answer: Answer, by: MadeBy = "user") -> list[Candidate]:
    """What the human says besides, sentence by sentence."""
    found: list[Candidate] = []
    proposal = heard.proposal
    # What the agent wrote down of it says what it comes to.
    is_recorded = any(each.kind == "record" for each in heard.scene.passages[heard.index :])
    for number, unit in enumerate(units):
        form = form_of(unit.text)
        changes = by == "user" and not is_recorded and _sets_otherwise(heard, unit, units, form)
        is_carried_out = not is_recorded and _is_carried_out(heard, unit, units, form)
        said_plainly = changes or (by == "user" and (is_carried_out or _is_plain(heard, unit, units, form)))
        if not (said_plainly or says_something(unit.text)) or is_unfilled(unit.text):
            continue
        refused = answer.refuses and not answer.asks and number == 0 and proposal.question >= 0
        features = user_features(
            heard.scene,
            heard.around,
            index=heard.index,
            unit=unit,
            units=units,
            number=number,
            answer=answer,
            proposal=proposal,
            share=share,
        )
        takes_up = heard.before is not None and by == "user" and not refused and _takes_up(features, unit.text)
        # What is said plainly needs none of the agent's words.
        text = _told_whole(unit.text) if said_plainly and not unit.opens else _with_items(units, number)
        if refused and not said_plainly and len(unit.text) < _SHORT_ANSWER:
            text = _joined(unit.text, accepted(proposal, Answer())[0])
        elif takes_up and not said_plainly:
            text = _joined(unit.text, accepted(proposal, Answer(), _done_after(heard))[0])
        how: How = "rejected" if refused else "accepted" if takes_up else "stated" if by == "user" else "approvedPlan"
        found.append(
            Candidate(
                "user",
                heard.passage,
                unit.start,
                unit.text[:300],
                text,
                "collaborative" if takes_up else by,
                how,
                features,
                unit.text,
                heard.before.place if (refused or takes_up) and heard.before is not None else None,
                proof="statement" if said_plainly else None,
                decides=said_plainly and form.decides,
                turns=changes,
                is_open=form.is_open,
                reports=form.reports and not (form.decides or form.orders or form.wishes),
                is_given_up=_is_given_up(heard, units, form),
                is_passed_over=_is_passed_over(heard, unit, form, features["reply_echo"]),
            )
        )
    return found


def _sets_otherwise(heard: Heard, unit: Unit, units: Sequence[Unit], form: Form) -> bool:
    """Whether it takes another thing of a kind, or another number of something, than the human's messages before."""
    said = heard.passage.text
    if form.is_open or len(said) > _MOST_TURNING or len(units) > _MOST_TURNING_UNITS or _ADDED_RE.search(unit.text):
        return False
    reply = _reply_to(heard)
    is_told, turns = reports_change(reply), gives_up(said)
    if form.reports and not (_says_how(form) or is_told or turns):
        return False
    is_setting = values_in(unit.text) or stance_of(unit.text).sign
    has_reason = heard.before is not None and names_trouble(heard.before.text)
    has_reason = has_reason or any(is_complaint(each.text[:_MOST_TURNING]) for each in heard.scene.asked_before[-1:])
    if not is_setting or not (turns or is_told or has_reason or _says_how(form) or acknowledges(reply)):
        return False
    return any(
        _is_set_otherwise(own.text, unit.text, turns=turns or is_told)
        for passage in heard.scene.asked_before
        for own in units_of(passage.text[:_MOST_TURNING])
        if not form_of(own.text).is_open
    )


def _is_set_otherwise(earlier: str, later: str, *, turns: bool) -> bool:
    before, now = values_in(earlier), values_in(later)
    kinds = set_otherwise(before, now)
    if kinds - {NUMBER} or (set_besides(before, now) and (turns or form_of(later).is_against)):
        return True
    if are_opposed(stance_of(earlier), stance_of(later), loosely=turns):
        return True
    # A number by itself may be of anything.
    own = words_of(earlier)
    return bool(kinds) and (turns or not own or not own.isdisjoint(words_of(later)))


def _is_given_up(heard: Heard, units: Sequence[Unit], form: Form) -> bool:
    """Whether the human's next words take something else for it: then it was a choice, however it was said."""
    after, closing = heard.scene.after, _reply_to(heard)
    if after is None or form.is_open or form.reports or len(units) > _FEW_UNITS or closing.endswith(("?", "？")):
        return False
    if is_task(heard.passage.text) or is_complaint(heard.passage.text):
        return False
    # Beside what is said plainly the rest is the task.
    if not _says_how(form) and any(_says_how(form_of(unit.text)) for unit in units):
        return False
    told = heard.scene.after_closing
    return turns_away(closing, after.text, told.text if told is not None else "")


def _is_passed_over(heard: Heard, unit: Unit, form: Form, echo: float) -> bool:
    """Whether nothing was done, and the agent's reply neither takes it up nor comes back to its words."""
    later = heard.scene.passages[heard.index + 1 :]
    reply = next((each.text for each in later if each.kind == "reply"), "")
    is_brief = 0 < len(reply) <= _BRIEF_REPLY and len(heard.passage.text) <= _BRIEF_REPLY
    if not is_brief or form.decides or any(each.kind in _DEEDS for each in later):
        return False
    # Who asks besides is answered that.
    if form.orders and answer_in(heard.passage.text).asks and not answer_in(unit.text).asks:
        return False
    if (
        answers_thanks(reply)
        or (looks_into(reply) and not _says_how(form))
        or ((is_addition(unit.text) or is_task(unit.text)) and not form.orders)
    ):
        return True
    if form.commands:
        return False
    # A yes or no to what was asked needs no reply.
    answer = answer_in(unit.text)
    if heard.proposal.question >= 0 and (answer.nods or answer.refuses):
        return False
    return not acknowledges(reply) and (echo == 0 or (echo < _LEAST_ECHO and "?" in reply))


def _is_plain(heard: Heard, unit: Unit, units: Sequence[Unit], form: Form) -> bool:
    """Whether it is typed by the human, and says what is settled or how something shall be."""
    is_firm = form.is_against and (form.orders or form.decides)
    most = _MOST_LISTED if unit.marker in LISTED or is_firm else _MOST_TYPED
    if looks_pasted(unit) or len(units) > most or len(heard.passage.text) > _TYPED_CHARS:
        return False
    # At the beginning a wish only names the task.
    is_later = heard.scene.number > 0 and any(each.kind in _DEEDS for each in heard.scene.passages[heard.index :])
    is_said = form.decides or form.orders or (form.wishes and (is_later or form.is_against)) or is_explicit(unit.text)
    # "SQLite it is" names what it settles by its form; an order of one word may mean anything.
    if not is_said or _only_points(unit.text):
        return False
    return _tells_what(unit.text) or (form.decides and len(unit.text) <= TEXT_CHARS)


def _is_carried_out(heard: Heard, unit: Unit, units: Sequence[Unit], form: Form) -> bool:
    """Whether the human says in a few words how something shall be, names no task and no trouble, and the agent tells
    in a few that it is so."""
    said = heard.passage.text
    if heard.before is None or form.is_open or form.reports or len(said) > _BRIEF_ANSWER or len(units) > _FEW_UNITS:
        return False
    # Where something is called, what is done shows it.
    is_acted_on = any(each.kind in _DEEDS for each in heard.scene.passages[heard.index :])
    # An exclamation only leads up to the rest.
    first = units[0] if len(spoken_words_in(units[0].text)) >= _LEAD_WORDS else units[-1]
    if is_acted_on or (unit is not first and not values_in(unit.text)):
        return False
    answer = answer_in(unit.text)
    if is_task(unit.text) or is_addition(unit.text) or answer.nods or answer.refuses or is_complaint(said):
        return False
    return carries_out(_reply_to(heard)) and bool(words_of(unit.text))


def _only_points(text: str) -> bool:
    """Whether it says something of what stands elsewhere, and nothing of its own: "then we should document it"."""
    points = _POINTS_RE.search(text) is not None and not values_in(text)
    return points and len(words_of(_POINTS_RE.sub("", text))) <= _POINTING_WORDS


def _nod_and_rest(unit: Unit) -> tuple[Unit, Unit | None]:
    """A nod with something new behind it, as two; else the unit, and nothing."""
    for cut in _CUT_RE.finditer(unit.text):
        nod = unit.text[: cut.start()].rstrip()
        rest = unit.text[cut.end() :]
        if answer_in(nod).is_bare and says_something(rest):
            behind = structs.replace(unit, text=rest.strip(), start=unit.start + len(unit.text) - len(rest.lstrip()))
            return structs.replace(unit, text=nod), behind
    return unit, None


def _is_within(unit: Unit, item: Item) -> bool:
    return unit.start < item.end and unit.start + len(unit.text) > item.start


def _is_mere_answer(text: str, answer: Answer) -> bool:
    """Whether a message is too short to say anything but for the question before it."""
    return not answer.asks and any(map(str.isalnum, text)) and not says_something(text)


def _only_settles(heard: Heard, text: str, answer: Answer) -> bool:
    """Whether an answer is a nod, a refusal or the agent's own words; else the human said what the agent had not."""
    own = words_of(text)
    if not own or (answer.nods and answer.is_bare):
        return True
    return share_of(own, heard.around.before) > _AGENTS_WORDS or (len(own) == 1 and (answer.nods or answer.refuses))


def _not_taken_back(units: list[Unit]) -> list[Unit]:
    """Without what the very next words take back: "use A. no wait, B"."""
    return [
        _settled(unit)
        for unit, following in zip_longest(units, units[1:])
        if following is None or following.line > unit.line + 1 or not corrects_itself(following.text)
    ]


def _without_opened(unit: Unit, quoted: Sequence[tuple[int, int]]) -> Unit | None:
    """A sentence up to where a quotation of several begins; None where it is part of one."""
    end = unit.start + len(unit.text)
    for begin, closing in quoted:
        if begin <= unit.start < closing:
            return None
        if unit.start < begin < end < closing:
            return structs.replace(unit, text=unit.text[: begin - unit.start].rstrip())
    return unit


def _with_opposites(units: list[Unit]) -> list[Unit]:
    """What is named in a word or two, with the sentence behind it that says what it is not: "tabs. not spaces"."""
    joined: list[Unit] = []
    for unit in units:
        before = joined[-1] if joined else None
        is_opposite = before is not None and before.line == unit.line and _NOT_RE.match(unit.text) is not None
        if before is not None and is_opposite and not says_something(before.text):
            joined[-1] = structs.replace(before, text=f"{before.text} {unit.text}")
        else:
            joined.append(unit)
    return joined


def _settled(unit: Unit) -> Unit:
    begin = settled_from(unit.text)
    if not begin or not says_something(unit.text[begin:]):
        return unit
    return structs.replace(unit, text=unit.text[begin:], start=unit.start + begin)


def _clauses(unit: Unit) -> list[Unit]:
    """A sentence in which somebody settles one thing and goes on to another, or to a question, as several."""
    begin = 0
    found: list[Unit] = []
    for cut in _CLAUSE_RE.finditer(unit.text):
        left, right = unit.text[begin : cut.start()], unit.text[cut.end() :]
        if not (_is_clause(left) and _is_clause(right)):
            continue
        one, other = form_of(left), form_of(right)
        # Two orders in a row may be one thing and its opposite: "use A, don't touch B".
        is_new = other.decides or other.wishes or other.reports or answer_in(right).asks
        if (_says_how(one) and is_new) or (one.reports and _says_how(other)):
            found.append(structs.replace(unit, text=left, start=unit.start + begin, opens=False))
            begin = cut.end()
    return [*found, structs.replace(unit, text=unit.text[begin:], start=unit.start + begin)]


def _is_clause(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    return letters >= _CLAUSE_LETTERS or (letters >= _CLAUSE_LETTERS_UNSPACED and UNSPACED_RE.search(text) is not None)


def _says_how(form: Form) -> bool:
    return form.decides or form.orders or form.wishes


def _with_items(units: Sequence[Unit], number: int) -> str:
    """A line that opens a list, with as many of its items as fit: alone it says nothing."""
    text = units[number].text
    if not units[number].opens:
        return text
    for item in units[number + 1 :]:
        if item.marker not in LISTED or len(text) + len(item.text) + 2 > TEXT_CHARS:
            break
        text += (" " if text.endswith((":", "：")) else "; ") + item.text
    return text


def _last_words_before(scene: Scene, index: int) -> Passage | None:
    for passage in reversed(scene.passages[:index]):
        if passage.kind in ("reply", "plan"):
            return passage
    return scene.before[-1] if scene.before else None


def _done_after(heard: Heard) -> frozenset[str]:
    """Words of the agent's first and last reply to a message: what came of it."""
    first = next((each for each in heard.scene.passages[heard.index + 1 :] if each.kind == "reply"), None)
    return heard.around.closing | words_of(first.text[:_FIRST_WORDS]) if first is not None else frozenset()


def _takes_up(features: Mapping[str, float], text: str) -> bool:
    """Whether a message does nothing but settle what the agent asked: a short nod, or mostly the agent's own words."""
    if not features["asked"] or features["question"]:
        return False
    if features["answer_nods"] and features["units"] <= 1 and features["tokens"] <= _SHORT_NOD:
        return True
    if features["message_chars"] > _SHORT_ANSWER:
        return False
    # One word of two may be all that the agent said, and the other the answer: "switch to SQLite".
    share, words = features["in_before"], len(words_of(text))
    return share > _TAKEN_WORDS or (share >= _TAKEN_WORDS and words > _LEAST_WORDS)


def _joined(own: str, proposed: str) -> str:
    """The human's words and as much of the agent's as fits, as one line; where the human's leave no room, what was
    proposed: the quote has theirs."""
    own = own.strip()
    both = f"{own} — {proposed}"
    if not own or len(own) > _OWN_CHARS:
        return both if own and len(both) <= TEXT_CHARS else proposed
    if len(both) <= TEXT_CHARS:
        return both
    cut = both.rfind(" ", _OWN_CHARS, TEXT_CHARS)
    return both[: cut if cut > 0 else TEXT_CHARS].rstrip(" ,;:—")
