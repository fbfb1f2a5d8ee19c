"""What an agent is given to go on, within a budget of tokens."""

from recapd.core.views.context.context import Assembled, assembled, fitted_window, plan_of
from recapd.core.views.context.lost import Lost, lost_in
from recapd.core.views.context.orientation import INSTRUCTION, block_text, facts_text
from recapd.core.views.context.presets import Preset, preset_named
from recapd.core.views.context.relevant import Found, FoundText, found_text_of, word_numbers
from recapd.core.views.context.unasked import keep_text, lost_text, prompt_text, start_text

__all__ = [
    "INSTRUCTION",
    "Assembled",
    "Found",
    "FoundText",
    "Lost",
    "Preset",
    "assembled",
    "block_text",
    "facts_text",
    "fitted_window",
    "found_text_of",
    "keep_text",
    "lost_in",
    "lost_text",
    "plan_of",
    "preset_named",
    "prompt_text",
    "start_text",
    "word_numbers",
]
