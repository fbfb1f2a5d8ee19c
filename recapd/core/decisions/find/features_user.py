"""What speaks for and against a candidate in a human's message, as numbers."""

from __future__ import annotations

from collections.abc import Sequence

from recapd.core.decisions.find.assent import Answer
from recapd.core.decisions.find.content import names_of, share_of, words_of
from recapd.core.decisions.find.features import SO_RE, story_features, text_features, verb_features
from recapd.core.decisions.find.lexicon import GROUPS, counts, plain
from recapd.core.decisions.find.pastes import looks_pasted
from recapd.core.decisions.find.proposals import Proposal
from recapd.core.decisions.find.scenes import Scene
from recapd.core.decisions.find.surroundings import Surroundings
from recapd.core.decisions.find.units import Unit
from recapd.core.text import spoken_words_in


def user_features(
    scene: Scene,
    around: Surroundings,
    *,
    index: int,
    unit: Unit,
    units: Sequence[Unit],
    number: int,
    answer: Answer,
    proposal: Proposal,
    share: float,
) -> dict[str, float]:
    found = text_features(unit.text)
    passage = scene.passages[index]
    words = words_of(unit.text)
    names = names_of(unit.text)
    total = len(units)
    message_words = words_of(passage.text[:4000])
    first_reply = next((each for each in scene.passages[index + 1 :] if each.kind == "reply"), None)
    reply_text = plain(first_reply.text[:300]) if first_reply is not None else ""
    reply_heard = counts(reply_text, spoken_words_in(reply_text))
    found |= _message_form(passage.text)
    found |= {
        "marker_bullet": float(unit.marker == "bullet"),
        "marker_number": float(unit.marker in ("number", "letter")),
        "marker_hash": float(unit.marker == "heading"),
        "pasted": float(looks_pasted(unit)),
        "pasted_share": sum(looks_pasted(each) for each in units) / max(1, total),
        "has_heading": float(bool(unit.heading)),
        "sentence": float(min(unit.sentence, 4)),
        "number": float(min(number, 30)),
        "from_end": float(min(total - 1 - number, 30)),
        "units": float(min(total, 60)),
        "own_share": share,
        "message_words": float(min(len(message_words), 300)),
        "is_only": float(total == 1),
        "is_queued": float(passage.kind == "queued"),
        "is_command": float(passage.kind == "command"),
        "turn": float(min(scene.number, 40)),
        "is_first": float(scene.number == 0),
        "answer_nods": float(answer.nods),
        "answer_refuses": float(answer.refuses),
        "answer_picks": float(bool(answer.picks)),
        "asked": float(proposal.question >= 0),
        "asked_at_end": float(proposal.question >= 0 and proposal.question >= len(proposal.units) - 2),
        "options": float(min(proposal.options, 8)),
        "had_words_before": float(bool(scene.before)),
        "in_before": share_of(words, around.before),
        "edits_turn": float(min(around.edits_later[index], 10)),
        "runs_next": float(min(around.runs_next[index], 3)),
        "replies": float(min(around.replies, 40)),
        "in_closing": share_of(words, around.closing),
        "in_commit": share_of(words, around.committed),
        "in_paths": float(min(len(words & around.changed[index]), 4)),
        "reply_understood": float(reply_heard[GROUPS.index("understood")] > 0),
        "reply_narrates": float(reply_heard[GROUPS.index("narration")] > 0),
        "reply_act": float(reply_heard[GROUPS.index("act")] > 0),
        "reply_chars": float(min(len(first_reply.text), 3000)) if first_reply is not None else 0.0,
        "reply_echo": share_of(words, words_of(first_reply.text[:600])) if first_reply is not None else 0.0,
        "after_correction": float(min(around.after_correction, 2)),
        "stopped": float(around.stopped),
        "code_in_message": float("```" in passage.text),
        "is_reason": float(passage.kind == "rejected"),
        "failed_before": float(any(each.kind == "failed" for each in scene.passages[:index])),
        "names_next": float(min(len(names & around.next_names), 3)),
        "names_closing": float(min(len(names & around.closing_names), 3)),
        "in_next": share_of(words, around.next_words),
        "so": float(min(len(SO_RE.findall(unit.text)), 2)),
        "prev_chars": float(min(len(units[number - 1].text), 300)) if number else 0.0,
        "next_chars": float(min(len(units[number + 1].text), 300)) if number + 1 < total else 0.0,
        "question_share": sum("?" in each.text[-3:] or "？" in each.text[-2:] for each in units) / max(1, total),
        "message_question": float("?" in passage.text or "？" in passage.text),
    }
    found |= verb_features(unit.text)
    found |= story_features(scene, around, words)
    return found


def _message_form(text: str) -> dict[str, float]:
    lines = text.split("\n")
    full = [line for line in lines if line.strip()]
    return {
        "message_chars": float(min(len(text), 6000)),
        "message_lines": float(min(len(full), 80)),
        "message_headings": float(min(sum(line.lstrip().startswith("#") for line in full), 10)),
        "message_bullets": float(min(sum(line.lstrip()[:2] in ("- ", "* ", "• ") for line in full), 20)),
        "message_long_lines": sum(len(line) > 150 for line in full) / max(1, len(full)),
    }


def answer_features(
    scene: Scene,
    around: Surroundings,
    *,
    index: int,
    unit: Unit,
    answer: Answer,
    proposal: Proposal,
    text: str,
    is_named: bool,
    units: int,
) -> dict[str, float]:
    """For a message that nods or picks: how it nods, and what there was to nod to."""
    offered = text_features(text)
    found = {
        f"offer_{name}": offered[name]
        for name in (
            "chars",
            "names",
            "w_choice",
            "w_act",
            "w_offer",
            "w_look",
            "w_status",
            "w_work",
            "w_fix",
            "w_contrast",
            "question",
            "code",
        )
    }
    own = text_features(unit.text)
    found |= {
        name: own[name]
        for name in (
            "chars",
            "tokens",
            "w_want",
            "w_act",
            "w_work",
            "w_status",
            "w_correction",
            "w_negation",
            "w_question_word",
            "question",
            "unspaced",
            "w_look",
            "w_later",
            "w_rule",
        )
    }
    words = words_of(text)
    before = scene.before[-1] if scene.before else None
    found |= {
        "nods": float(answer.nods),
        "picks": float(len(answer.picks)),
        "named": float(is_named),
        "bare": float(answer.is_bare),
        "asked": float(proposal.question >= 0),
        "asked_at_end": float(proposal.question >= 0 and proposal.question >= len(proposal.units) - 2),
        "options": float(min(proposal.options, 8)),
        "proposal_units": float(min(len(proposal.units), 60)),
        "units": float(min(units, 20)),
        "message_chars": float(min(len(scene.passages[index].text), 3000)),
        "edits_turn": float(min(around.edits_later[index], 10)),
        "runs_next": float(min(around.runs_next[index], 3)),
        "replies": float(min(around.replies, 40)),
        "in_closing": share_of(words, around.closing),
        "turn": float(min(scene.number, 40)),
        "was_plan": float(before is not None and before.kind == "plan"),
        "after_correction": float(min(around.after_correction, 2)),
        "stopped": float(around.stopped),
    }
    return found
