"""Weights for assent candidates: made by tests/eval/train_decisions.py, read by model.py.

What the logarithm of each feature adds to the log odds; no text and no words went into it.
"""

from __future__ import annotations

from typing import Final

BIAS: Final = 0.4818
SLOPES: Final = {
    "after_correction": 0.1344,
    "asked": 0.0855,
    "asked_at_end": -0.0127,
    "bare": -0.0775,
    "chars": 0.0427,
    "edits_turn": 0.0833,
    "in_closing": 0.0461,
    "message_chars": -0.0535,
    "named": 0.3267,
    "nods": -0.0444,
    "offer_chars": -0.0116,
    "offer_code": 0.0547,
    "offer_names": 0.0940,
    "offer_question": -0.0257,
    "offer_w_act": 0.0836,
    "offer_w_choice": 0.0939,
    "offer_w_contrast": -0.0252,
    "offer_w_fix": 0.0593,
    "offer_w_look": -0.1184,
    "offer_w_offer": 0.0012,
    "offer_w_status": 0.1084,
    "offer_w_work": -0.2193,
    "options": 0.0398,
    "picks": 0.2542,
    "proposal_units": 0.0320,
    "replies": 0.0765,
    "runs_next": -0.0365,
    "stopped": 0.1399,
    "tokens": 0.0819,
    "turn": -0.1076,
    "units": -0.0175,
    "unspaced": 0.0286,
    "w_act": 0.2056,
    "w_correction": 0.0319,
    "w_later": 0.3940,
    "w_look": -0.0854,
    "w_negation": 0.0013,
    "w_question_word": -0.1372,
    "w_rule": 0.1180,
    "w_status": -0.6246,
    "w_want": 0.2701,
    "w_work": -0.0895,
}
