"""What a human's message may decide: answers to what the agent put, and statements of the human's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct, structs

from recapd.core import late_re as re
from recapd.core.decisions import terms
from recapd.core.decisions.entries import How, MadeBy, Proof
from recapd.core.decisions.exchange import (
    acknowledges,
    answers_thanks,
    carries_out,
    comes_back,
    concludes,
    exchanges,
    gives_thanks,
    gives_up,
    is_addition,
    is_complaint,
    is_task,
    leaves,
    looks_into,
    mends,
    names_trouble,
    reports_change,
    tells_how_it_was,
    turns_away,
    without_now,
)
from recapd.core.decisions.find.assent import NODS, Answer, answer_in
from recapd.core.decisions.find.candidate import Candidate, says_something
from recapd.core.decisions.find.content import share_of, words_of
from recapd.core.decisions.find.features_user import answer_features, user_features
from recapd.core.decisions.find.hearsay import (
    doubts,
    hears_say,
    is_private,
    is_quoted,
    laughs,
    mocks,
    quotes_speech,
    tells_of_people,
)
from recapd.core.decisions.find.itemised import Item, answers_in
from recapd.core.decisions.find.own_sentences import REASON_RE, own_sentences, told_whole
from recapd.core.decisions.find.pastes import looks_pasted
from recapd.core.decisions.find.plain import (
    Form,
    asks_for_work,
    demurs,
    form_of,
    has_rule,
    is_unfilled,
    lays_down,
    names_value,
    only_asks_to_look,
    says_what_we_do,
    sets_by_order,
    sets_something,
    tells_past,
    tells_to,
    without_hedge,
)
from recapd.core.decisions.find.proposals import (
    TEXT_CHARS,
    Proposal,
    accepted,
    asks_advice,
    deed_in,
    deed_put,
    option_named,
    proposal_in,
    puts_two,
    shown,
    suggests,
)
from recapd.core.decisions.find.questions import asks_wish, open_question
from recapd.core.decisions.find.scenes import Scene
from recapd.core.decisions.find.surroundings import Surroundings
from recapd.core.decisions.find.units import LISTED, Unit, units_of
from recapd.core.decisions.find.wording import is_explicit
from recapd.core.decisions.kinds import NUMBER, set_besides, set_otherwise, values_in
from recapd.core.decisions.terms import are_opposed, stance_of
from recapd.core.decisions.words import led, said, spelled, words_for
from recapd.core.decisions.working import feels_first, feels_with, goes_to_work, only_tells, works_first
from recapd.core.state import Passage
from recapd.core.text import STOP_WORDS, UNSPACED_RE, code_in, spoken_words_in

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
# Words of an answer that are not the agent's, where it brings nothing of its own.
_FEW_OWN: Final = 3
_TAKEN_WORDS: Final = 0.5
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
_ADDED_RE: Final = re.compile(rf"{said('also')}|\btoo(?=\s*(?:[^\w\s]|$))", re.IGNORECASE)

# Sentences and characters of what somebody types; what is more is mostly a text from elsewhere.
_MOST_TYPED: Final = 12
_MOST_LISTED: Final = 30
_TYPED_CHARS: Final = 2_500

# Characters of a message in which each sentence is looked at by itself.
_MOST_HEEDED: Final = 600

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
# It says of the sentence before it that it holds.
_IS_HOW_RE: Final = re.compile("|".join(spelled("is how")), re.IGNORECASE)
_IS_FOR_RE: Final = re.compile("|".join(spelled("is for")), re.IGNORECASE)
_HANGS_RE: Final = re.compile(
    r"\b(?:it|this|that(?:'?[sd])?|them|em|these|those|es|das|ça|cela|eso|ello|isso|quello|dat|это|его)\b|这|"
    r"那|それ|これ|그거|이거",
    re.IGNORECASE,
)
_FUNCTION_WORDS: Final = words_for("function word")
_DEEDS: Final = frozenset(("edit", "run", "commit"))
_ASKED_RE: Final = re.compile(r"[?？](?=\s|$)")
# An answer that is a fragment: its words before the reason; and how a sentence begins that is none.
_BECAUSE_RE: Final = re.compile(rf"\W*{said('because')}", re.IGNORECASE)
_BECAUSE_AT_END_RE: Final = re.compile(rf"(?:{spelled('because')[1]})[。.!！\s]*$")
_TELLS_RE: Final = re.compile(
    r"\W*(?:i|i'm|i've|i'd|i'll|im|we|we're|it|it's|its|there|they|he|she|you|this is|that's|"
    r"ich|wir|es|er|sie|du|je|j'ai|il|elle|on|nous|yo|él|ella|eu|ele|ela|io|lui|lei|я|мы|он|она)\b|[我他她你]|私|나는",
    re.IGNORECASE,
)
# So somebody tells of himself.
_SELF_RE: Final = re.compile(
    r"\W*(?:i|i'm|i've|i'd|im|my|ich|mein\w*|je|j'ai|yo|eu|io|я|мой)\b|我(?!们)|私|나는", re.IGNORECASE
)
_BRIEF_ANSWER: Final = 160
_FRAGMENT_WORDS: Final = 6
_SO_RE: Final = re.compile(rf"\W*{said('so')}", re.IGNORECASE)
_FRAGMENT_CHARS: Final = 20
# So a plan approved in an earlier session is handed over: both made it.
# Who is told not to do something has nothing to work on.
_FORBIDS_RE: Final = re.compile(r"(?:please )?(?:don['’]?t|do not|never ever)(?!\w)", re.IGNORECASE)
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
    return _with_wants(heard, [_as_taken_up(heard, each) for each in _said_in(heard)])


def _with_wants(heard: Heard, found: list[Candidate]) -> list[Candidate]:
    """Which of them say what shall be, where the agent goes along in a talk: a task sets something, too, and that
    shows where a later message sets it otherwise."""
    said, reply = heard.passage.text, _reply_to(heard)
    # Who says many things at once answers, or lays out a plan.
    is_brief = len(said) <= _MOST_TURNING and len(found) <= _MOST_TURNING_UNITS
    if not reply or not _is_talk(heard) or not is_brief or answers_thanks(reply):
        return found
    does_it = goes_to_work(reply) or reports_change(reply) or carries_out(reply)
    is_echoed = not words_of(said).isdisjoint(words_of(reply))
    asks_back = reply.rstrip().endswith(("?", "？"))
    is_told = only_tells(reply)
    is_so = not values_in(said).isdisjoint(values_in(reply))
    if not does_it and (asks_back or looks_into(reply) or not (is_echoed or is_so or acknowledges(reply))):
        return found
    # An agent that says what could be done, or how things are, was mostly told of something.
    may_tell = is_told or suggests(reply)
    wanting = [
        each.ordinal
        for each in found
        if each.turns or (_wants(each.core) and not (may_tell and each.is_passed_over and not _says_to_do(each.core)))
    ]
    goes_along = does_it or is_so or (is_echoed and not is_told)
    return [
        _as_wanted(each, is_last=goes_along and each.ordinal == wanting[-1]) if each.ordinal in wanting else each
        for each in found
    ]


def _as_wanted(found: Candidate, *, is_last: bool) -> Candidate:
    is_made = is_addition(found.core) or is_task(found.core)
    if is_made and not (found.proof or sets_by_order(found.core)):
        return structs.replace(found, wants="thing")
    # What comes on top, or next, takes the place of nothing.
    is_next = is_made or any(is_task(part) and not exchanges(part) for part in _CUT_RE.split(found.core))
    is_added = is_next or _ADDED_RE.search(found.core) is not None
    return structs.replace(found, wants="last" if is_last and not is_added else "besides")


def _says_to_do(text: str) -> bool:
    return form_of(text).says_how or is_task(text) or tells_to(text)


def _wants(text: str) -> bool:
    """Whether a sentence says what shall be: it neither asks nor tells of something, and is no mere answer."""
    form, answer = form_of(text), answer_in(text)
    if form.is_open or (form.reports and not form.says_how) or gives_thanks(text) or tells_past(text):
        return False
    return not (answer.is_bare and answer.nods) and not doubts(text) and not hears_say(text) and bool(words_of(text))


def _as_taken_up(heard: Heard, found: Candidate) -> Candidate:
    """In a talk, where nothing is called, the reply shows whether anything was settled: an agent that is told something
    to go by goes to work on it, one that is told something else explains, answers or is sorry. What is settled in so
    many words needs no work; but who is told what to do does not answer with how things are."""
    reply = _reply_to(heard)
    # A longer one, or one that shows code, may take it up anywhere.
    is_brief = 0 < len(reply) <= _MOST_HEEDED and "```" not in reply
    if not is_brief or not _is_talk(heard):
        return found
    if feels_first(reply) or _is_mocked(heard, reply) or _is_told_of_fault(heard, found, reply):
        return _passed_over(found)
    if _is_put_off(found, reply):
        return _passed_over(found)
    if goes_to_work(reply):
        return _passed_over(found) if _stands_on_nothing(heard, found) else found
    form = form_of(found.core)
    if is_explicit(found.core):
        return found
    # What the agent had asked for, and builds on, is its work, whatever it is about.
    if found.answers and not values_in(found.core).isdisjoint(values_in(reply)):
        return found
    # What the agent had asked for, and comes back to; who was asked what he wants has said it.
    is_named = not _names_in(found.core).isdisjoint(_names_in(reply))
    is_met = is_named or asks_wish(open_question(heard.proposal))
    is_so_now = is_named and without_now(reply) != reply
    if found.answers and ((is_met and not only_tells(reply)) or is_so_now):
        return _passed_over(found) if _is_beside_work(heard, found.core, reply) else found
    # What else the reply tells of says nothing against it.
    if found.proof == "statement" and (
        _is_kept_to(heard, found.core, form) or _takes_what_was_named(heard, found.core, form)
    ):
        return found
    forbids = led(_FORBIDS_RE, found.core) is not None
    if form.is_settled or forbids:
        # Who is told not to do something may answer anything, and so may who hears what somebody decided for himself.
        is_asked = _ASKED_RE.search(heard.passage.text) is not None
        is_told = only_tells(reply) and not (acknowledges(reply) or form.orders or is_asked)
        is_unheeded = not _SELF_RE.match(found.core) and (is_told or _is_unheeded(heard, reply))
        is_beside = not forbids and (is_unheeded or _is_beside_work(heard, found.core, reply))
        return _passed_over(found) if is_beside else found
    # It is now what it was set to.
    if found.turns and reports_change(reply) and values_in(found.core) & values_in(reply):
        return found
    is_decided = form.decides and (form.is_settled or acknowledges(reply))
    is_said = is_decided or form.commands or form.rules or form.sets_rule or names_value(found.core)
    # Who only drops something has not said what he takes, unless the agent tells of a change.
    is_turned = found.turns and (form.says_how or bool(values_in(found.core)) or reports_change(reply))
    is_said = is_said or is_turned or found.how == "chosen"
    last = units_of(found.core)[-1:]
    # Who asks besides is answered that: it says nothing of a rule.
    is_rule = form.rules or form.sets_rule or lays_down(found.core)
    is_answered = is_rule and _ASKED_RE.search(heard.passage.text) is not None
    is_reported = bool(last) and form_of(last[0].text).reports
    # A rule that is none of these, the agent has to take on.
    is_plain = form.commands or is_decided or found.turns or bool(found.answers)
    is_plain = is_plain or found.how == "chosen" or names_value(found.core) or acknowledges(reply)
    is_taken = is_answered or (is_plain and not only_tells(reply))
    if is_said and is_taken and not is_reported:
        return _passed_over(found) if _is_beside_work(heard, found.core, reply) else found
    return _passed_over(found)


def _stands_on_nothing(heard: Heard, found: Candidate) -> bool:
    """Whether neither its form nor a question before it says that it settles anything: what the agent works on is a
    task then, or a fault."""
    if heard.proposal.question >= 0:
        return False
    is_taken = found.proof or found.answers or found.turns
    return found.model == "user" and found.how == "stated" and not is_taken and not is_explicit(found.core)


def _is_told_of_fault(heard: Heard, found: Candidate, reply: str) -> bool:
    """Whether the agent answers with the cause of a trouble, or that it is mended: what was said tells of that, unless
    it settles something in so many words."""
    form = form_of(found.core)
    # Who is told to do it otherwise may have mended that, too.
    is_fault = heard.before is None or (found.turns and not gives_up(heard.passage.text))
    is_cause = tells_how_it_was(reply) or (mends(reply) and is_fault) or _is_enquired(heard, found, reply)
    # Of what is set the agent may tell what it was, too.
    is_so = (form.rules or found.turns) and not values_in(found.core).isdisjoint(values_in(reply))
    is_said = form.decides or is_explicit(found.core) or led(_FORBIDS_RE, found.core) is not None or is_so
    return is_cause and not (is_said or _is_kept_to(heard, found.core, form))


def _is_enquired(heard: Heard, found: Candidate, reply: str) -> bool:
    """Whether it answers what the agent asked about how things are, and the agent first tells what it found by that."""
    asked, answer = heard.proposal, answer_in(found.core)
    if asked.question < 0 or asked.options or deed_put(asked):
        return False
    is_choice = answer.is_firm or answer.is_bare or answer.picks
    return not (is_choice or asks_wish(asked.units[asked.question].text) or works_first(reply))


def _is_put_off(found: Candidate, reply: str) -> bool:
    """Whether it answers what the agent put with neither yes nor no, names nothing that was offered, and the agent
    leaves all as it is."""
    form, answer = form_of(found.core), answer_in(found.core)
    is_answer = answer.nods or answer.refuses or answer.picks or found.how == "chosen"
    is_said = is_answer or form.decides or form.commands or is_explicit(found.core)
    return leaves(reply) and not is_said


def _is_mocked(heard: Heard, reply: str) -> bool:
    """Whether a message opens as somebody does who means the opposite, where something is wrong; or both laugh."""
    said, before = heard.passage.text, heard.before.text if heard.before is not None else ""
    if mocks(said):
        return not before or names_trouble(before)
    return laughs(said) and laughs(reply)


def _is_beside_work(heard: Heard, text: str, reply: str) -> bool:
    """Whether what is settled is none of the agent's: it is said with a laugh or about "our" home, or the agent answers
    as one human does another. What somebody decides for himself may be what the talk is about."""
    is_home = is_private(text) and _SELF_RE.match(text) is None
    return is_home or laughs(heard.passage.text) or feels_with(reply)


def _is_echoed(said: str, reply: str) -> bool:
    """Whether a reply has a word that names something of what was said."""
    return not terms.words_of(said).isdisjoint(terms.words_of(reply))


def _is_unheeded(heard: Heard, reply: str) -> bool:
    """Whether the agent takes no notice of a message that asks nothing."""
    said = heard.passage.text
    return not (_ASKED_RE.search(said) or acknowledges(reply) or _is_echoed(said, reply))


def _passed_over(found: Candidate) -> Candidate:
    return structs.replace(found, proof=None, answers=False, turns=False, is_passed_over=True)


def _said_in(heard: Heard) -> list[Candidate]:
    before, proposal = heard.before, heard.proposal
    units, share = own_sentences(heard.passage.text)
    if _APPROVED_PLAN_RE.match(heard.passage.text):
        return _with_plan(_statements(heard, units, share, Answer(), by="collaborative"), heard)
    items = answers_in(heard.passage.text, proposal)
    if items:
        units = [unit for unit in units if not any(_is_within(unit, item) for item in items)]
        return [_itemised(heard, item, len(items)) for item in items] + _statements(heard, units, share, Answer())
    if not units or before is None:
        return _statements(heard, units, share, Answer())
    if agreed := _agreed(heard, units):
        return [agreed, *_statements(heard, units[1:], share, Answer())]
    units = _from_pick(heard, _with_label(heard, units))
    if not _is_beside_hearsay(heard, units) and _turns_away(heard, units):
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
    is_answer = answer.picks or (answer.nods and answer.is_bare and len(units) == 1)
    if is_answer or _option_by_words(heard, units, answer):
        return False
    if "\n" in heard.passage.text.strip() or not turns_away(before, heard.passage.text, _reply_to(heard)):
        return False
    forms = [form_of(unit.text) for unit in units]
    is_said = any(
        form.says_how and _is_plain(heard, each, units, form) for each, form in zip(units, forms, strict=True)
    )
    # What is taken stands last; before it may stand why. What is only to be done next takes nothing.
    last = units[-1].text
    is_next = is_task(last) and not (sets_something(last) or exchanges(last))
    return not (is_said or is_next) and not any(form.is_open for form in forms) and not forms[-1].reports


def _turned(heard: Heard, units: Sequence[Unit], share: float) -> list[Candidate]:
    """The message as one: what is given up and what is taken stand in it side by side. Told with the change that the
    agent reports, for the words alone may be a bare name."""
    end = units[-1].start + len(units[-1].text)
    whole = structs.replace(units[0], text=heard.passage.text[units[0].start : end])
    found = _statements(heard, [whole], share, Answer())
    reply = _reply_to(heard)
    told = next((unit.text for unit in units_of(reply) if reports_change(unit.text)), "")
    is_bare = len(words_of(whole.text)) <= _BARE_WORDS
    text = _joined(whole.text, told) if is_bare and _says_of_what(heard, told) else whole.text
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


def _agreed(heard: Heard, units: Sequence[Unit]) -> Candidate | None:
    """A yes to the one thing that the agent says it would do, in whatever words: they bring nothing of their own, and
    the agent sets about it."""
    first, reply = units[0], _reply_to(heard)
    is_brief = len(first.text) <= _OWN_CHARS and len(heard.passage.text) <= _BRIEF_ANSWER
    if heard.proposal.question >= 0 or heard.proposal.options or not is_brief:
        return None
    if any(_says_itself(heard, unit) for unit in units[1:]):
        return None
    if not goes_to_work(reply) or answers_thanks(reply):
        return None
    deed = deed_put(heard.proposal) or (_told_before(heard) if _is_suggested(heard) else "")
    answer, form = answer_in(first.text), form_of(first.text)
    is_other = answer.asks or answer.refuses or answer.picks or form.is_open or form.decides or form.commands
    is_other = is_other or _only_nods(first.text, answer) or bool(_option_by_words(heard, units, answer))
    if not deed or is_other or is_task(first.text) or is_addition(first.text) or gives_thanks(first.text):
        return None
    said = values_in(first.text) - values_in(heard.before.text if heard.before is not None else "")
    own = words_of(first.text) - heard.around.before - NODS
    if said or len(own) > _FEW_OWN * (1 + answer.is_firm) or is_complaint(first.text):
        return None
    found = _answering(heard, first, answer, deed, is_named=False, own=first.text, units=len(units))
    return structs.replace(found, proof="answer", answers=True)


def _says_itself(heard: Heard, unit: Unit) -> bool:
    """Whether it says what shall be, so that what stands before it only leads up to it."""
    form = form_of(unit.text)
    is_own = form.commands and not _HANGS_RE.search(unit.text)
    is_set = form.states and bool(values_in(unit.text) - values_in(heard.before.text if heard.before else ""))
    return form.decides or is_own or is_set or bool(answer_in(unit.text).picks)


def _is_suggested(heard: Heard) -> bool:
    """Whether the agent's last words say what could be, in a talk: not what it did, nor how things are. Who had asked
    what to do was told."""
    before = heard.before.text if heard.before is not None else ""
    if not _is_talk(heard):
        return False
    # Whatever stands before what could be done tells why.
    if any(suggests(unit.text) for unit in heard.proposal.units[-1:]):
        return True
    if goes_to_work(before):
        return False
    asked = heard.scene.asked_before[-1].text if heard.scene.asked_before else ""
    return suggests(before) or asks_advice(asked)


def _told_before(heard: Heard) -> str:
    """What the agent's last words come to, as far as it fits: what they put forward, else their last sentences."""
    put = accepted(heard.proposal, Answer(), _done_after(heard))[0]
    if put:
        return put
    told = ""
    for unit in reversed(heard.proposal.units):
        longer = f"{shown(unit.text)} {told}".strip()
        if len(longer) > TEXT_CHARS:
            break
        told = longer
    return told if not goes_to_work(told) or _says_of_what(heard, told) else ""


def _says_of_what(heard: Heard, report: str) -> bool:
    """Whether what the agent tells of its work names what the human spoke of, or anything by its name: "Done, I wrote
    it." belongs to no decision."""
    asked = heard.scene.asked_before[-1].text if heard.scene.asked_before else ""
    spoken_of = (words_of(heard.passage.text) | words_of(asked)) - STOP_WORDS["likeness"]
    return not spoken_of.isdisjoint(words_of(report)) or bool(code_in(report))


def _with_label(heard: Heard, units: list[Unit]) -> list[Unit]:
    """With the letter or number before a message of one line as an answer of its own, where an option has it: "B. The
    other one is too heavy" is no list."""
    first, said = units[0], heard.passage.text
    is_one = first.marker in ("letter", "number") and "\n" not in said.strip()
    if not is_one or not accepted(heard.proposal, answer_in(first.label))[1]:
        return units
    start = said.index(first.label)
    label = structs.replace(first, text=first.label, start=start, marker="", label="")
    return [label, *(structs.replace(unit, marker="", label="") for unit in units)]


def _from_pick(heard: Heard, units: list[Unit]) -> list[Unit]:
    """Without an exclamation before a choice, or what an answer follows from: "Nobody minds. So the blue one"."""
    if len(units) != _FEW_UNITS:
        return units
    answer = answer_in(units[1].text)
    so = _SO_RE.match(units[1].text)
    if so is not None and _is_fragment(units[1].text[so.end() :].strip()) and _names_answer(heard, units[1], answer):
        return units[1:]
    if len(spoken_words_in(units[0].text)) >= _LEAD_WORDS:
        return units
    is_chosen = bool(answer.picks) and any(
        accepted(each, answer)[1] for each in (heard.proposal, *_offered_earlier(heard))
    )
    return units[1:] if is_chosen and not answer_in(units[0].text).picks else units


def _reply_to(heard: Heard) -> str:
    """The agent's last words to a message."""
    replies = [each.text for each in heard.scene.passages[heard.index + 1 :] if each.kind == "reply"]
    return replies[-1] if replies else ""


def _names_answer(heard: Heard, unit: Unit, answer: Answer) -> bool:
    """Whether a short statement follows on an open question what the human wants: by its place it answers that."""
    if answer.asks or (answer.is_bare and answer.nods) or len(unit.text) > TEXT_CHARS or is_addition(unit.text):
        return False
    # An agent that goes to work takes for an answer what is only thought.
    said = without_hedge(unit.text) if goes_to_work(_reply_to(heard)) else unit.text
    if (answer.picks and heard.proposal.options) or unit.opens or not _is_fragment(said):
        return False
    asked, form, firm = open_question(heard.proposal), form_of(said), form_of(unit.text)
    # Of two things that are put one is named, or something else is meant.
    names_one = not puts_two(asked) or not words_of(unit.text).isdisjoint(words_of(asked))
    # What is said plainly stands by itself.
    is_other = form.is_open or form.reports or firm.decides or firm.commands or _is_fault(heard, unit)
    if not asked or not names_one or is_other:
        return False
    reply = _reply_to(heard)
    # Where the question does not say so, the reply shows whether it asked for a wish.
    return asks_wish(asked) or not reply or acknowledges(reply) or comes_back(reply, unit.text)


def _is_fragment(text: str) -> bool:
    """Whether it begins with a name, a value or a few words, and no sentence that tells of somebody."""
    first = REASON_RE.split(text, maxsplit=1)[0]
    if _TELLS_RE.match(first):
        return False
    is_unspaced = UNSPACED_RE.search(first) is not None
    return len(first) <= _FRAGMENT_CHARS if is_unspaced else len(spoken_words_in(first)) <= _FRAGMENT_WORDS


def _answered(heard: Heard, units: list[Unit]) -> tuple[Candidate | None, list[Unit], Answer]:
    """The answer that a message begins with or is, what is left of the message, and how it answers."""
    answer = answer_in(units[0].text)
    # Who does not think so only answers.
    if demurs(units[0].text):
        return None, units, Answer()
    is_brief = len(heard.passage.text) <= _BRIEF_ANSWER and len(units) <= _FEW_UNITS
    if is_brief and _names_answer(heard, units[0], answer) and not accepted(heard.proposal, answer)[1]:
        asked = open_question(heard.proposal)
        found = _answering(heard, units[0], answer, asked, is_named=False, own=units[0].text, units=len(units))
        text = _joined(units[0].text, asked) if len(units[0].text) <= _OWN_CHARS else units[0].text
        found = structs.replace(found, text=text, proof="answer", answers=True)
        return _said_by(found, _only_settles(heard, units[0].text, answer)), units[1:], answer
    if named := _option_by_words(heard, units, answer):
        said = structs.replace(units[0], text=heard.passage.text[units[0].start :][:_BRIEF_ANSWER].strip())
        found = _answering(heard, said, answer, named, is_named=True, own=said.text, units=1)
        return structs.replace(found, proof="option", answers=True), [], answer
    first, rest = units[0], None
    is_answer = answer.is_bare or answer.is_firm or answer.picks or (answer.nods and heard.proposal.question >= 0)
    if is_answer and not answer.is_bare:
        nod, rest = _nod_and_rest(units[0])
        if rest is not None and answer.picks and not answer_in(nod.text).picks:
            # "Yes, go with B": the option is what is accepted.
            rest = None
        elif rest is not None:
            first, answer = nod, answer_in(nod.text)
    asked, is_named = accepted(heard.proposal, answer, _done_after(heard))
    if answer.picks and not is_named and not _is_put(heard) and len(heard.passage.text) <= _OWN_CHARS:
        asked, is_named = next(
            (taken for each in _offered_earlier(heard) if (taken := accepted(each, answer))[1]), (asked, is_named)
        )
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


def _option_by_words(heard: Heard, units: Sequence[Unit], answer: Answer) -> str:
    """The option that a short message names in the agent's words."""
    if answer.asks or answer.picks or answer.refuses or len(heard.passage.text) > _BRIEF_ANSWER:
        return ""
    form = form_of(units[0].text)
    if form.is_open or form.reports or form.says_how or answers_thanks(_reply_to(heard)):
        return ""
    return option_named(heard.proposal, units[0].text)


def _offered_earlier(heard: Heard) -> list[Proposal]:
    """What the agent put in the turns before the last, the latest first: a choice may wait for an answer."""
    return [proposal_in(each.text[-_PROPOSAL_CHARS:]) for each in reversed(heard.scene.offered_before)]


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
    return len(told_whole(text)) <= TEXT_CHARS and len(words_of(text)) >= _LEAST_WORDS


def _statements(heard: Heard, units: list[Unit], share: float, answer: Answer, by: MadeBy = "user") -> list[Candidate]:
    """What the human says besides, sentence by sentence."""
    found: list[Candidate] = []
    proposal = heard.proposal
    # What the agent wrote down of it says what it comes to.
    is_recorded = any(each.kind == "record" for each in heard.scene.passages[heard.index :])
    for number, unit in enumerate(units):
        form = _form_in(units, number)
        changes = by == "user" and not is_recorded and _sets_otherwise(heard, unit, units, form)
        is_carried_out = not is_recorded and (
            _is_heeded(heard, unit, units, form)
            or _takes_what_was_put(heard, unit, form)
            or _is_kept_to(heard, unit.text, form)
            or _takes_what_was_named(heard, unit.text, form)
        )
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
        text = told_whole(unit.text) if said_plainly and not unit.opens else _with_items(units, number)
        if said_plainly and number and led(_IS_HOW_RE, unit.text):
            text = _both(units[number - 1], unit) or text
        elif said_plainly and number + 1 < len(units) and _leads_to(heard, unit, units[number + 1]):
            text = _both(unit, units[number + 1]) or text
        if refused and not said_plainly and len(unit.text) < _SHORT_ANSWER:
            text = _joined(unit.text, accepted(proposal, Answer())[0])
        elif said_plainly and not changes and number == 0 and _hangs(heard, unit.text):
            text = _joined(text, _told_before(heard))
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
                reports=(form.reports or _is_fault(heard, unit)) and not (form.decides or form.orders or form.wishes),
                is_passed_over=(
                    not is_carried_out
                    and not names_value(unit.text)
                    and _is_passed_over(heard, unit, form, features["reply_echo"])
                )
                or (not (form.decides or form.commands) and _is_beside_hearsay(heard, units)),
            )
        )
    return found


def _both(one: Unit, other: Unit) -> str:
    """Two sentences in a row as one, "" where that is too long."""
    both = f"{one.text} {other.text}"
    return both if len(both) <= TEXT_CHARS else ""


def _leads_to(heard: Heard, unit: Unit, following: Unit) -> bool:
    """Whether it gives something up, and what stands behind it names what is taken, in no form of its own."""
    form = form_of(following.text)
    is_own = form.says_how or form.is_open or answer_in(following.text).asks or asks_for_work(following.text)
    return (
        len(unit.text) <= _OWN_CHARS
        and gives_up(unit.text)
        and not is_own
        and _is_echoed(following.text, _reply_to(heard))
    )


def _form_in(units: Sequence[Unit], number: int) -> Form:
    """The form of a sentence; one that somebody shall only look into tells of a fault, unless it decides or orders."""
    form = form_of(units[number].text)
    is_looked_into = number + 1 < len(units) and only_asks_to_look(units[number + 1].text)
    if not is_looked_into or form.decides or form.commands or form.is_open:
        return form
    return Form(reports=True)


def _sets_otherwise(heard: Heard, unit: Unit, units: Sequence[Unit], form: Form) -> bool:
    """Whether it takes another thing of a kind, or another number of something, than the human's messages before."""
    said = heard.passage.text
    if form.is_open or len(said) > _MOST_TURNING or len(units) > _MOST_TURNING_UNITS or _ADDED_RE.search(unit.text):
        return False
    reply = _reply_to(heard)
    is_told, turns = reports_change(reply), gives_up(said)
    if form.reports and not (form.says_how or is_told or turns):
        return False
    is_setting = values_in(unit.text) or stance_of(unit.text).sign
    has_reason = heard.before is not None and names_trouble(heard.before.text)
    has_reason = has_reason or any(is_complaint(each.text[:_MOST_TURNING]) for each in heard.scene.asked_before[-1:])
    # The agent says that it is what it shall be.
    is_so = len(reply) <= _BRIEF_REPLY and not values_in(unit.text).isdisjoint(values_in(reply))
    if not is_setting or not (turns or is_told or has_reason or is_so or form.says_how or acknowledges(reply)):
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
    own = _names_in(earlier)
    return bool(kinds) and (turns or not own or not own.isdisjoint(_names_in(later)))


def _is_passed_over(heard: Heard, unit: Unit, form: Form, echo: float) -> bool:
    """Whether nothing was done, and the agent's reply neither takes it up nor comes back to its words."""
    later = heard.scene.passages[heard.index + 1 :]
    reply = next((each.text for each in later if each.kind == "reply"), "")
    is_brief = 0 < len(reply) <= _BRIEF_REPLY and len(heard.passage.text) <= _BRIEF_REPLY
    if not is_brief or form.decides or any(each.kind in _DEEDS for each in later):
        return False
    # Who asks besides is answered that; what else is said then and is no order is said for the question's sake.
    if _ASKED_RE.search(heard.passage.text) and not answer_in(unit.text).asks:
        return not (form.orders or acknowledges(reply) or goes_to_work(reply))
    if (
        answers_thanks(reply)
        or (looks_into(reply) and not (form.says_how or form.sets_rule))
        or ((is_addition(unit.text) or is_task(unit.text)) and not (form.orders or form.states or form.sets_rule))
    ):
        return True
    if form.commands or form.sets_rule:
        return False
    # A yes or no to what was asked needs no reply.
    answer = answer_in(unit.text)
    if heard.proposal.question >= 0 and (answer.nods or answer.refuses):
        return False
    if goes_to_work(reply):
        return False
    if not (form.says_how or form.sets_rule):
        return True
    return not acknowledges(reply) and (echo == 0 or (echo < _LEAST_ECHO and "?" in reply))


def _is_fault(heard: Heard, unit: Unit) -> bool:
    """Whether something is wrong, and the agent tells in a talk what the cause was, or that it is mended."""
    return _is_talk(heard) and is_complaint(unit.text) and mends(_reply_to(heard))


def _is_beside_hearsay(heard: Heard, units: Sequence[Unit]) -> bool:
    """Whether a short message tells what was heard of others: what else it says is about that."""
    said = heard.passage.text
    return len(said) <= _BRIEF_REPLY and (
        is_quoted(said) or any(hears_say(unit.text) or quotes_speech(unit.text) for unit in units)
    )


def _is_plain(heard: Heard, unit: Unit, units: Sequence[Unit], form: Form) -> bool:
    """Whether it is typed by the human, and says what is settled or how something shall be."""
    is_firm = form.is_against and (form.orders or form.decides)
    most = _MOST_LISTED if unit.marker in LISTED or is_firm else _MOST_TYPED
    if looks_pasted(unit) or len(units) > most or len(heard.passage.text) > _TYPED_CHARS:
        return False
    # At the beginning a wish only names the task.
    is_later = heard.scene.number > 0 and any(each.kind in _DEEDS for each in heard.scene.passages[heard.index :])
    is_said = form.decides or form.orders or (form.wishes and (is_later or form.is_against)) or is_explicit(unit.text)
    is_wish = form.wishes and heard.scene.number > 0
    is_said = is_said or (
        _is_talk(heard)
        and (names_value(unit.text) or ((form.states or is_wish) and _is_taken_on(heard, unit, units, form)))
    )
    if _SELF_RE.match(unit.text) and not (form.says_how or is_explicit(unit.text)):
        return False
    # "SQLite it is" names what it settles by its form; an order of one word may mean anything.
    if not is_said or _only_points(unit.text):
        return False
    return _tells_what(unit.text) or (form.decides and len(unit.text) <= TEXT_CHARS)


def _is_taken_on(heard: Heard, unit: Unit, units: Sequence[Unit], form: Form) -> bool:
    """Whether the agent says in a talk, where nothing is called that would show it, that it is or will be so."""
    if form.reports or len(heard.passage.text) > _BRIEF_REPLY or not _is_beside_task(heard, unit, units, form):
        return False
    return works_first(_reply_to(heard))


def _takes_what_was_put(heard: Heard, unit: Unit, form: Form) -> bool:
    """Whether it tells to do what the agent said could be done, in its words, and the agent does."""
    if form.is_open or form.reports or not _is_suggested(heard) or is_complaint(unit.text):
        return False
    own = words_of(unit.text)
    is_put = len(own & heard.around.before) >= _LEAST_WORDS and share_of(own, heard.around.before) >= _DEEDS_WORDS
    return is_put and (is_task(unit.text) or tells_to(unit.text)) and goes_to_work(_reply_to(heard))


def _takes_what_was_named(heard: Heard, text: str, form: Form) -> bool:
    """Whether it names one of the two things that the agent's last sentence puts, or of those that the agent told of
    when it was asked, or a number of its own, in a few words or as what is wished; and the reply comes back to it."""
    reply = _reply_to(heard)
    if heard.before is None or form.is_open or form.reports or len(text) > _BRIEF_ANSWER or not _is_talk(heard):
        return False
    if not reply or answers_thanks(reply) or only_tells(reply):
        return False
    if doubts(text) or tells_past(text) or is_complaint(text):
        return False
    if _is_beside_work(heard, text, reply) or (tells_of_people(text) and not goes_to_work(reply)):
        return False
    is_short = _is_fragment(text)
    own = values_in(text) - values_in(heard.before.text)
    is_asked = _ASKED_RE.search(heard.passage.text) is not None
    if (is_short or form.states) and not is_asked and own & values_in(reply):
        return True
    put = heard.proposal.units[-1].text if heard.proposal.units else ""
    is_concluded = is_short and concludes(text)
    # Who tells of something first asks at the end.
    asked = [unit.text for each in heard.scene.asked_before[-1:] for unit in units_of(each.text)[-1:]]
    if is_concluded or any(form_of(each).is_open for each in asked):
        put = heard.before.text[:_MOST_HEEDED]
    elif not puts_two(put):
        return False
    named = REASON_RE.split(text, maxsplit=1)[0] if is_short else text
    return (is_short or form.says_how) and bool(_names_in(named) & _names_in(put) & _names_in(reply))


def _is_heeded(heard: Heard, unit: Unit, units: Sequence[Unit], form: Form) -> bool:
    """Whether a sentence in a talk sets something, however it is worded, and the agent sets about it: a reply to one
    thing says so at its beginning, one to several things somewhere, and comes back to its words."""
    reply = _reply_to(heard)
    if not _is_talk(heard) or len(heard.passage.text) > _MOST_HEEDED:
        return False
    if looks_pasted(unit) or unit.marker in LISTED or doubts(unit.text) or _is_beside_hearsay(heard, units):
        return False
    # Who asks besides is answered that.
    if _ASKED_RE.search(heard.passage.text) and not (form.says_how or form.sets_rule or form.states):
        return False
    if form.is_open or form.reports or tells_past(unit.text) or is_task(unit.text) or is_addition(unit.text):
        return False
    if not _is_beside_task(heard, unit, units, form):
        return False
    first = REASON_RE.split(unit.text, maxsplit=1)[0]
    answer = answer_in(unit.text)
    if _SELF_RE.match(first) and not (form.says_how or led(_IS_FOR_RE, first)):
        return False
    # Who reports a fault hears of its cause first.
    is_answer = sets_something(unit.text) and not mends(reply) and goes_to_work(reply, 1)
    if (
        _gives_reason(unit.text)
        or (is_complaint(first) and not is_answer)
        or answer.asks
        or answer.is_bare
        or gives_thanks(unit.text)
    ):
        return False
    is_one = len(units) <= _FEW_UNITS and len(heard.passage.text) <= _BRIEF_REPLY
    # The agent goes to work: then what was said was meant, and the one thing that was said is what it works on.
    if answers_thanks(reply) or not goes_to_work(reply, *(() if is_one else (_MOST_TYPED,))):
        return False
    if not (form.says_how or form.sets_rule or works_first(reply)):
        return False
    # What is longer may take up anything.
    if len(reply) > _MOST_HEEDED or form.is_task or _only_points(unit.text):
        return False
    own = words_of(unit.text)
    is_set = form.states or form.says_how or form.sets_rule or sets_something(unit.text)
    is_agents = is_one and bool(own) and own <= heard.around.before
    return is_agents or (is_set and not own.isdisjoint(words_of(reply)))


def _is_beside_task(heard: Heard, unit: Unit, units: Sequence[Unit], form: Form) -> bool:
    """Whether a sentence is more than what a first message asks for: one that says how things are in no plain form is
    the task itself, or the fault that the agent shall mend, unless something else there is to be done. Who hears of a
    fault says first what the cause is."""
    if heard.before is not None or form.says_how or form.sets_rule:
        return True
    others = [each for each in units if each is not unit]
    is_done_first = works_first(_reply_to(heard)) and not is_complaint(heard.passage.text)
    return form.states and bool(others) and (is_done_first or any(_says_to_do(each.text) for each in others))


def _is_kept_to(heard: Heard, text: str, form: Form) -> bool:
    """Whether a message of a talk asks for some work, and this sentence says besides how it is to be: the agent tells
    of the work first, so that only a word of a rule shows it, or that the reply comes back to what else was said."""
    said, reply = heard.passage.text, _reply_to(heard)
    if not reply or not _is_talk(heard) or len(said) > _MOST_HEEDED or answers_thanks(reply):
        return False
    others = [unit.text for unit in units_of(said) if text not in unit.text]
    if not any(asks_for_work(each) for each in others) or asks_for_work(text):
        return False
    is_said = form.says_how or form.sets_rule or form.states
    if not is_said or form.is_open or form.reports or doubts(text) or tells_past(text) or gives_thanks(text):
        return False
    first = REASON_RE.split(text, maxsplit=1)[0]
    is_wrong = is_complaint(first) and not (form.says_how or form.sets_rule)
    if is_wrong or _gives_reason(text) or _SELF_RE.match(text) or hears_say(text):
        return False
    if _is_beside_work(heard, text, reply):
        return False
    asked = frozenset[str]().union(*map(_names_in, others))
    is_echoed = not (_names_in(text) - asked).isdisjoint(_names_in(reply))
    # What always is so may be how things are.
    is_ours = has_rule(text) and any(map(says_what_we_do, REASON_RE.split(text)))
    is_rule = form.decides or form.rules or form.sets_rule or (form.orders and sets_something(text)) or is_ours
    return is_echoed or is_rule


def _names_in(text: str) -> frozenset[str]:
    """Words that name something, in whatever language."""
    return terms.words_of(text) - _FUNCTION_WORDS


def _is_talk(heard: Heard) -> bool:
    """Whether nothing is called in a scene that would show what was meant: then the words alone do."""
    return not any(each.kind in _DEEDS or each.kind == "record" for each in heard.scene.passages)


def _hangs(heard: Heard, text: str) -> bool:
    """Whether its few words point at the agent's last ones, or only name something beside them."""
    if heard.before is None or len(heard.before.text) > _MOST_HEEDED or not _is_talk(heard):
        return False
    first = REASON_RE.split(text, maxsplit=1)[0]
    if len(text) > _OWN_CHARS or len(words_of(first)) > _BARE_WORDS or gives_up(heard.passage.text):
        return False
    # What sets something and names it tells by itself what it is about, and so does a rule.
    names_it = form_of(text).states and not words_of(text).isdisjoint(heard.around.before)
    is_own = names_value(text) or names_it or lays_down(text) or len(spoken_words_in(text)) > _SHORT_NOD
    return _HANGS_RE.search(first) is not None or (not is_own and _is_fragment(text))


def _gives_reason(text: str) -> bool:
    """Whether it only says why."""
    return _BECAUSE_RE.match(text) is not None or _BECAUSE_AT_END_RE.search(text) is not None


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
    if not proposed:
        return own
    both = f"{own} — {proposed}"
    if not own or len(own) > _OWN_CHARS:
        return both if own and len(both) <= TEXT_CHARS else proposed
    if len(both) <= TEXT_CHARS:
        return both
    cut = both.rfind(" ", _OWN_CHARS, TEXT_CHARS)
    return both[: cut if cut > 0 else TEXT_CHARS].rstrip(" ,;:—")
