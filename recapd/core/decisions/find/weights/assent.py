"""Weights for assent candidates: made by tests/eval/train_decisions.py, read by model.py.

What the logarithm of each feature adds to the log odds; no text and no words went into it.
"""

from __future__ import annotations

from typing import Final

BIAS: Final = 0.9504
SCALE: Final = (1.000, 0.000)
SLOPES: Final = {
    "after_correction": -0.1322,
    "asked": 0.0690,
    "asked_at_end": 0.0460,
    "bare": 0.0994,
    "chars": -0.0180,
    "edits_turn": -0.0909,
    "in_closing": 0.1939,
    "message_chars": 0.0253,
    "named": -0.1523,
    "nods": -0.0879,
    "offer_chars": 0.0115,
    "offer_code": 0.0479,
    "offer_names": -0.0551,
    "offer_question": -0.0177,
    "offer_w_act": 0.0163,
    "offer_w_choice": -0.0706,
    "offer_w_contrast": 0.1214,
    "offer_w_fix": 0.0122,
    "offer_w_look": 0.0620,
    "offer_w_offer": -0.0102,
    "offer_w_status": -0.0385,
    "offer_w_work": 0.2136,
    "options": 0.0563,
    "picks": -0.1109,
    "proposal_units": -0.0055,
    "replies": -0.0938,
    "runs_next": 0.0153,
    "stopped": -0.4219,
    "tokens": -0.0713,
    "turn": 0.1563,
    "units": 0.0307,
    "unspaced": 0.1464,
    "w_act": -0.1171,
    "w_correction": 0.4734,
    "w_later": -0.3139,
    "w_look": 0.0457,
    "w_negation": 0.2173,
    "w_question_word": 0.5726,
    "w_rule": -0.1829,
    "w_status": 0.4629,
    "w_want": -0.1437,
}
