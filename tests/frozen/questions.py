"""What is asked about every log: one table. A new question is one row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeAlias

Question: TypeAlias = tuple[str, dict[str, Any]]

FORMATS = ("short", "full", "decisions", "timeline", "resume")
PRESETS = ("resume", "gitclaw", "mindloop", "know-thyself", "mycode", "apex")
SECTIONS = ("pinned", "request", "decisions", "summary", "progress", "files", "lost", "relevant", "recent", "warning")
PROMPT = "Now fix the failing test and update the README, please"

QUESTIONS: tuple[Question, ...] = (
    *(("recap/get", {"format": name}) for name in FORMATS),
    ("recap/get", {"format": "short", "maxTokens": 60, "showDecisions": False}),
    ("recap/get", {"format": "full", "maxTokens": 250, "collapsible": True}),
    ("recap/get", {"format": "timeline", "maxTokens": 250}),
    ("recap/get", {"format": "full", "atTurn": 2}),
    ("recap/get", {"format": "short", "since": {"turn": 1}}),
    ("recap/get", {"force": False}),
    ("recap/get", {"force": False, "currentPrompt": PROMPT}),
    ("decisions/list", {}),
    ("decisions/list", {"includeTentative": True, "includeDismissed": True}),
    ("decisions/list", {"status": "superseded", "includeTentative": True}),
    ("decisions/list", {"madeBy": "user", "minConfidence": 0.5, "query": "use"}),
    *(("context/assemble", {"maxTokens": budget}) for budget in (120, 800, 4_000, 20_000)),
    *(("context/assemble", {"maxTokens": budget, "prompt": PROMPT}) for budget in (300, 3_000)),
    *(("context/assemble", {"maxTokens": 1_500, "preset": name}) for name in PRESETS),
    *(("context/assemble", {"maxTokens": 1_000, "include": [name], "prompt": PROMPT}) for name in SECTIONS),
    ("context/assemble", {"maxTokens": 2_000, "output": "messages", "window": {"unit": "messages", "size": 4}}),
    ("context/summary", {}),
    ("orientation/get", {}),
    ("orientation/get", {"currentPrompt": PROMPT}),
    ("files/list", {}),
    ("files/list", {"action": "modified", "limit": 3}),
    ("session/export", {}),
    ("summary/digest", {}),
    ("summary/list", {}),
    ("history/get", {}),
    ("history/get", {"full": True}),
    ("recap/verify", {}),
    # What comes after this is said with a summary at hand.
    ("summary/create", {"focus": "the tests"}),
    ("summary/list", {}),
    ("history/get", {}),
    ("recap/get", {"format": "full"}),
    ("context/assemble", {"maxTokens": 1_500}),
)

# A few, where the same is asked of many sessions in another way.
FEW_QUESTIONS: tuple[Question, ...] = (
    *(("recap/get", {"format": name}) for name in FORMATS),
    ("decisions/list", {"includeTentative": True}),
    ("context/assemble", {"maxTokens": 3_000, "prompt": PROMPT}),
    ("files/list", {}),
    ("history/get", {}),
)


def follow_ups(method: str, answer: str) -> Iterator[Question]:
    """What an answer leads to: the next page of a list, and what stands at the places that a full recap cites."""
    result = json.loads(answer).get("result") or {}
    if "nextCursor" in result and method in ("decisions/list", "files/list", "summary/list"):
        yield method, {"limit": 3, "cursor": result["nextCursor"]}
    if method == "session/export":
        recap = result.get("recap", {})
        named = [recap.get("originalRequest"), *recap.get("decisions", [])[:1], *recap.get("recentActions", [])[:1]]
        for claim in named:
            if claim and "ref" in claim:
                yield "ref/resolve", {"ref": claim["ref"]}
