"""The tables of resources and prompts."""

from __future__ import annotations

from recapd.bridges.mcp.asking import Asked, selector, working_folder
from recapd.bridges.words import fence, fit_lines, room_for_page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recapd.bridges.mcp.asking import Arguments, Json

_MARKDOWN = "text/markdown"
_HERE, _SESSION = "recap://here", "recap://session/"
_RECAP_TOKENS, _RESUME_TOKENS, _LIST_TOKENS = 1_000, 2_000, 1_000

# What there is without knowing a session: of the folder the agent works in.
_LISTED = (
    (_HERE, "recap", "Where this folder's latest session stands"),
    (f"{_HERE}/decisions", "decisions", "What was decided in it, and whether it still holds"),
    (f"{_HERE}/sessions", "sessions", "How the sessions of this folder stand, those that wait for the user first"),
)
_TEMPLATES = (
    (f"{_SESSION}{{id}}", "session recap", "Where a session stands"),
    (f"{_SESSION}{{id}}/decisions", "session decisions", "What was decided in a session"),
)


def list_resources() -> list[Json]:
    return [{"uri": uri, "name": name, "description": about, "mimeType": _MARKDOWN} for uri, name, about in _LISTED]


def list_templates() -> list[Json]:
    return [
        {"uriTemplate": uri, "name": name, "description": about, "mimeType": _MARKDOWN}
        for uri, name, about in _TEMPLATES
    ]


def ask_resource(uri: str) -> Asked | None:
    """What to ask for a resource; None where there is none of that name."""
    if uri == f"{_HERE}/sessions":
        return Asked("session/overview", {"workspace": working_folder(), "limit": 20}, _tell_overview)
    named = session_of(uri)
    if named is None:
        return None
    form = "decisions" if uri.endswith("/decisions") else "full"
    params = {"session": named, "format": form, "maxTokens": room_for_page(_RECAP_TOKENS)}
    return Asked("recap/get", params, lambda found: fence(found["markdown"].strip()))


def session_of(uri: str) -> Json | None:
    """The session a resource is about, as the daemon takes it; None where the name is none of ours."""
    name = uri.removesuffix("/decisions").removesuffix("/sessions")
    if name == _HERE:
        return {"workspace": working_folder()}
    session = name.removeprefix(_SESSION)
    return {"id": session} if name.startswith(_SESSION) and session and "/" not in session else None


def _tell_overview(found: Any) -> str:
    kept, _ = fit_lines(found["markdown"].strip().split("\n"), _LIST_TOKENS)
    return fence(kept)


_ARGUMENT = {"name": "session", "description": "Session id; default: this folder's latest", "required": False}


def list_prompts() -> list[Json]:
    return [
        {"name": name, "description": about, "arguments": [_ARGUMENT]}
        for name, about in (
            ("resume", "Go on with a session: what was asked, decided, done, and is open"),
            ("orientation", "Begin with where things stand"),
        )
    ]


def ask_prompt(name: object, arguments: Arguments) -> Asked | None:
    if name == "resume":
        params = {"session": selector(arguments), "maxTokens": _RESUME_TOKENS, "preset": "resume"}
        return Asked("context/assemble", params, lambda found: _asking("Go on with this work.", found["text"] or ""))
    if name == "orientation":
        params = {"session": selector(arguments), "format": "short"}
        return Asked(
            "recap/get",
            params,
            lambda found: _asking("Tell me in three to five points where we are.", fence(found["markdown"].strip())),
        )
    return None


def _asking(request: str, past: str) -> str:
    return f"{past}\n\n{request}" if past else request
