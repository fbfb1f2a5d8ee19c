"""Presets: sets of values that make recapd behave as one of the designs it grew from, and those designs' own words.

A preset's values stand under the user's own. Where a design had a configuration of its own, its keys are understood
at the top of the file as long as its preset is in force, so that an existing configuration can be pasted in.
"""

from __future__ import annotations

from recapd.daemon.config.setting_keys import Value

PRESETS: dict[str, dict[str, Value]] = {
    # Orientation at the top of an answer: by the number of turns alone, one decision and two actions at a time.
    "gitclaw": {
        "recap.turn_threshold": 5,
        "recap.min_turns": 3,
        "recap.gap_minutes": 0,
        "recap.format": "short",
        "recap.show_decisions": True,
        "recap.collapsible": False,
        "recap.short_max_tokens": 200,
        "recap.short_decisions": 1,
        "recap.full_decisions": 5,
        "recap.short_actions": 2,
        "recap.full_actions": 3,
        "recap.style": "gitclaw",
        "context.preset": "gitclaw",
    },
    # A recap of the last session for the next one: always there, ranked by lateness only, told in the first person.
    "mindloop": {
        "recap.turn_threshold": 1,
        "recap.min_turns": 0,
        "recap.gap_minutes": 0,
        "recap.format": "full",
        "recap.full_max_tokens": 1000,
        "summary.voice": "first",
        "digest.min_chunk_chars": 80,
        "digest.max_chunk_chars": 8192,
        "digest.recency": 1.0,
        "digest.novelty": 0.0,
        "digest.centrality": 0.0,
        "digest.consequence": 0.0,
        "digest.workers": 4,
        "llm.timeout_s": 60.0,
        "llm.retries": 4,
        "context.preset": "mindloop",
    },
    # Rolling summaries: every 20 messages since the last one, the last 10 exchanges word for word, within the tokens
    # that its context has for them. A summary may be as long as its cap: what people tell of themselves is short.
    "know-thyself": {
        "summary.every_messages": 20,
        "summary.trigger": "since",
        "summary.max_tokens": 500,
        "summary.target_compression": 1.0,
        "summary.voice": "third",
        "window.unit": "exchanges",
        "window.size": 10,
        "window.max_tokens": 3000,
        "context.preset": "know-thyself",
    },
    # Long conversations compressed from the 50th message on, the last 10 messages kept, five decisions.
    "mycode": {
        "summary.every_messages": 50,
        "summary.trigger": "since",
        "summary.target_compression": 0.3,
        "summary.max_tokens": 1000,
        "summary.voice": "bullets",
        "window.unit": "messages",
        "window.size": 10,
        "recap.full_decisions": 5,
        "context.preset": "mycode",
    },
    # A structured summary for an agent that resumes; only the agent decides.
    "apex": {
        "recap.format": "resume",
        "recap.full_decisions": 5,
        "decisions.who": ("agent",),
        "summary.every_messages": 50,
        "window.unit": "messages",
        "window.size": 10,
        "context.preset": "apex",
    },
}

# By preset, what a design called a setting → what it is called here.
SPELLINGS: dict[str, dict[str, str]] = {
    "gitclaw": {
        "enabled": "recap.enabled",
        "turnThreshold": "recap.turn_threshold",
        "format": "recap.format",
        "showDecisions": "recap.show_decisions",
        "collapsible": "recap.collapsible",
        "maxRecapTokens": "recap.short_max_tokens",
    },
    "mindloop": {
        "budget": "recap.full_max_tokens",
        "model": "llm.model",
        "workers": "digest.workers",
    },
    "know-thyself": {
        "MESSAGES_PER_SUMMARY": "summary.every_messages",
        "VERBATIM_WINDOW": "window.size",
        "SUMMARY_MODEL": "llm.model",
    },
    "mycode": {
        "enabled": "summary.enabled",
        "trigger_threshold": "summary.every_messages",
        "target_compression": "summary.target_compression",
        "preserve_recent": "window.size",
        "model": "llm.model",
    },
    "apex": {},
}

# What a design let its users choose and recapd does not: the one value it has here.
SETTLED: dict[str, dict[str, bool]] = {
    # System messages are never part of a summary, and never dropped for one.
    "mycode": {"preserve_system": True},
}


def spelled_elsewhere(name: str) -> tuple[str, str] | None:
    """The preset that knows a key by this name, and what the key is called here."""
    return next(((preset, words[name]) for preset, words in SPELLINGS.items() if name in words), None)
