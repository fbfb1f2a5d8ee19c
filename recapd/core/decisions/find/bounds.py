"""What the form of a candidate and what came of it say outright, whatever the weights say.

How often people held such a one for a decision was counted on labelled sessions; the numbers are that, rounded.
Owns these tiers, and which candidates they prove. Must not know weights.
"""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re
from recapd.core.decisions.entries import Proof
from recapd.core.decisions.find.candidate import Candidate, says_something
from recapd.core.decisions.find.plain import lays_down
from recapd.core.decisions.find.wording import alternatives_of, is_explicit

# "Decision: …", and what a person says plainly.
_EXPLICIT: Final = 0.9
_SETTLED: Final = 0.85
# A rule is no task that is over once it is done.
_RULED: Final = 0.8
_STATED: Final = 0.7
# Few words that name a deed, done at once; a wish put as a question, and done; a cause with its fix before an edit; by
# which means something was done, in the words that close a turn of edits.
_DONE_AT_ONCE: Final = 0.45
_ASKED_AND_DONE: Final = 0.4
_BORNE_OUT: Final = 0.4
_TOLD_AT_THE_END: Final = 0.35
# A question or a doubt that nothing came of; a first message that only names the task; one of a hundred sentences
# that somebody pasted.
_OPEN: Final = 0.08
_TASK: Final = 0.15
_PASTED: Final = 0.15
# What somebody sees or ran into.
_REPORT: Final = 0.15
# What the agent answers without a word of doing it.
_PASSED_OVER: Final = 0.1
# And that only tells how things are: nothing that somebody could take another for.
_TOLD: Final = 0.04
# "Fix the parser", unasked.
_BARE_TASK: Final = 0.2
# An agent that changed nothing chose nothing; one that mends its own slip, or says what it does next, neither.
_IDLE: Final = 0.12
_SLIP: Final = 0.15
# So somebody tells by which means something was done.
_MECHANISM_RE: Final = re.compile(
    r"\bby (?!default)\w+ing\b|\bvia\b|\bthrough an?\b|\binstead\b|\brather than\b|\bdirectly (?:in|on|from)|"
    r"\busing\b|\b(?:uses|reads|writes|renders|loads|stores|keeps|falls back)\b|\bwith an?\b|"
    r"\bindem\b|\bmittels\b|\bstatt\b|\bverwendet\b|\bmit (?:einem|einer)\b|"
    r"\ben \w+ant\b|\bau lieu\b|\butilise\b|\bavec une?\b|"
    r"\bmediante\b|\busando\b|\ben (?:lugar|vez) de\b|\butiliza\b|\bcon una?\b|"
    r"\bem vez de\b|\bcom uma?\b|\btramite\b|\binvece\b|\butilizza\b|"
    r"\bпут[её]м\b|\bвместо\b|\bиспользу\w+|\bс помощью\b|"
    r"通过|改用|使用|而不是|によって|使って|使用し|代わりに|통해|사용|대신",
    re.IGNORECASE,
)
_OUGHT_RE: Final = re.compile(
    r"\b(?:should|ought to|soll\w*|devrait|debería|deveria|dovrebbe)\b|должн|应该|はず", re.IGNORECASE
)
# Sentences of a message that says one thing; characters of one that somebody typed.
_ONE_THING: Final = 2
_TYPED_CHARS: Final = 2_500


def proof_of(candidate: Candidate) -> Proof | None:
    """What it stands on: by its own words, or by the offer that they take up."""
    if candidate.proof is not None or candidate.model == "agent":
        return candidate.proof
    # Who takes up an offer in words of his own says what he takes.
    is_told = says_something(candidate.quote) and len(candidate.text) > len(candidate.quote)
    is_taken_up = candidate.how == "accepted" and candidate.proposal is not None
    still_asks = candidate.text.rstrip().endswith(("?", "？"))
    is_own = candidate.text.startswith(candidate.quote) and not still_asks
    return "answer" if is_taken_up and is_told and is_own else None


def bounds_of(candidate: Candidate) -> tuple[float, float]:
    """At least and at most how likely it is."""
    if candidate.answers or candidate.turns:
        return _STATED, 1.0
    if candidate.is_passed_over:
        return 0.0, _TOLD if candidate.reports else _PASSED_OVER
    if is_explicit(candidate.core) or is_explicit(candidate.quote):
        return _EXPLICIT, 1.0
    if candidate.model == "user":
        return _of_user(candidate)
    return _of_agent(candidate) if candidate.model == "agent" else (0.0, 1.0)


def _of_user(candidate: Candidate) -> tuple[float, float]:
    features = candidate.features
    if candidate.proof == "statement":
        return _SETTLED if candidate.decides else _RULED if lays_down(candidate.core) else _STATED, 1.0
    if candidate.proof == "plan":
        return _SETTLED, 1.0
    if candidate.how == "approvedPlan":
        return 0.0, 1.0
    if candidate.passage.kind == "prompt" and len(candidate.passage.text) > _TYPED_CHARS:
        return 0.0, _PASTED
    if features["pasted"]:
        return 0.0, _PASTED
    if candidate.reports:
        return 0.0, _REPORT
    is_done = features["edits_turn"] > 0
    is_short = features["units"] <= _ONE_THING
    if candidate.is_open:
        if not is_done:
            return 0.0, _OPEN
        names_deed = features["w_act"] > 0 or features["w_want"] > 0 or features["w_contrast"] > 0
        is_wish = is_short and names_deed and not features["is_first"]
        return (_ASKED_AND_DONE, 1.0) if is_wish else (0.0, 1.0)
    if features["is_first"]:
        return 0.0, _TASK
    if features["bare_short"] and (features["first_act"] or features["first_fix"]) and not features["asked"]:
        return 0.0, _BARE_TASK
    is_borne_out = is_done and is_short and (features["w_act"] > 0 or bool(alternatives_of(candidate.core)))
    return (_DONE_AT_ONCE, 1.0) if is_borne_out and not features["bare"] else (0.0, 1.0)


def _names_mechanism(candidate: Candidate) -> bool:
    """Whether it says of what was done how it was done, and names what it was done to."""
    features = candidate.features
    is_deed = features["first_past"] > 0 or features.get("lead_past", 0.0) > 0
    return is_deed and features["code"] > 0 and _MECHANISM_RE.search(candidate.core) is not None


def _of_agent(candidate: Candidate) -> tuple[float, float]:
    features = candidate.features
    if candidate.is_refused or (not features["edits_turn"] and not features["runs_next"]):
        return 0.0, _IDLE
    is_reasoned = features["w_contrast"] > 0 or features["w_cause"] > 0
    if features["edits_next"]:
        is_slip = features["failed_before"] > 0 and features["edits_earlier"] > 0 and not features["w_contrast"]
        if (features["first_now"] and not is_reasoned) or (is_slip and features["is_only"]):
            return 0.0, _SLIP
        has_fix = features["w_fix"] > 0 or features["w_act"] > 0
        # A finding, and behind it "let me fix that".
        is_mended = features["points_back"] > 0 and features["sentences"] > 1
        is_caused = features["w_cause"] > 0 and has_fix and not features["w_contrast"]
        # Who gives way to an objection says again what the human said.
        is_own = candidate.made_by == "agent"
        is_borne_out = is_own and features["is_only"] > 0 and (is_caused or is_mended)
        return (_BORNE_OUT, 1.0) if is_borne_out else (0.0, 1.0)
    # What opens a list, or says how it ought to come out, is not told yet.
    is_told_here = features["is_closing"] > 0 and features["edits_turn"] > 0 and not features["ends_colon"]
    is_told_here = is_told_here and _OUGHT_RE.search(candidate.text) is None
    if is_told_here and _names_mechanism(candidate):
        return _TOLD_AT_THE_END, 1.0
    is_told = is_told_here and features["w_now"] > 0
    return (_TOLD_AT_THE_END, 1.0) if is_told and (is_reasoned or features["w_limit"] > 0) else (0.0, 1.0)
