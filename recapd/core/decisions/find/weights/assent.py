"""Weights for assent candidates: made by tests/eval/train_decisions.py, read by model.py.

What the logarithm of each feature adds to the log odds; no text and no words went into it.
"""

from __future__ import annotations

from typing import Final

BIAS: Final = 1.0616
SCALE: Final = (1.000, 0.000)
SLOPES: Final = {
    "after_correction": -0.0088,
    "asked": -0.0032,
    "asked_at_end": -0.0017,
    "bare": 0.0123,
    "chars": -0.0018,
    "edits_turn": -0.0065,
    "in_closing": 0.0208,
    "message_chars": 0.0033,
    "named": -0.0189,
    "nods": -0.0042,
    "offer_chars": 0.0034,
    "offer_names": -0.0046,
    "offer_question": -0.0014,
    "offer_w_act": 0.0007,
    "offer_w_choice": -0.0091,
    "offer_w_contrast": 0.0101,
    "offer_w_fix": -0.0038,
    "offer_w_look": 0.0112,
    "offer_w_offer": 0.0070,
    "offer_w_status": -0.0083,
    "offer_w_work": 0.0288,
    "options": 0.0014,
    "picks": -0.0145,
    "proposal_units": -0.0038,
    "replies": -0.0107,
    "runs_next": 0.0073,
    "stopped": -0.0448,
    "tokens": -0.0075,
    "turn": 0.0158,
    "units": 0.0075,
    "unspaced": 0.0159,
    "w_act": -0.0114,
    "w_correction": 0.0474,
    "w_later": -0.0328,
    "w_look": 0.0034,
    "w_negation": 0.0206,
    "w_question_word": 0.0574,
    "w_rule": -0.0208,
    "w_status": 0.0452,
    "w_want": -0.0162,
}
