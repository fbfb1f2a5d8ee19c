"""The table of tools: what each takes, what it asks of the daemon, how it tells the answer.

Answers are small unless asked otherwise, page on by `cursor`, and cite: turns, log lines, ids to ask on with. What
comes from logs stands between marks that say so (`words.fence`), within a budget of tokens.
"""

from __future__ import annotations

import json

from recapd.bridges.deadline import longest_s
from recapd.bridges.mcp.asking import Asked, Wrong, choice, number, selector, text
from recapd.bridges.mcp.conversation import tell_conversation
from recapd.bridges.words import fence, fit_lines, in_line, room_for_page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from recapd.bridges.mcp.asking import Arguments, Json

_TOKENS = 800
_LEAST_TOKENS, _MOST_TOKENS = 100, 8_000
_LINE = 220
_MOST_CHARS_PER_TOKEN = 4
_KINDS = ("decision", "constraint", "open", "done")
_MADE_BY = ("user", "agent")
_LONGEST_RECORD = 300
_FORMATS = ("short", "full", "decisions", "timeline", "resume")
_STATUSES = ("active", "superseded", "reverted", "abandoned", "tentative", "dismissed")
_ACTIONS = ("read", "created", "modified", "deleted", "renamed", "written")


class Tool:
    """A row. `ask` gives what to ask of the daemon, or the answer itself where nothing has to be asked."""

    __slots__ = ("about", "ask", "name", "reads_only", "required", "takes")

    def __init__(
        self,
        name: str,
        about: str,
        takes: Json,
        ask: Callable[[Arguments], Asked | str],
        *,
        required: tuple[str, ...] = (),
        reads_only: bool = True,
    ) -> None:
        self.name = name
        self.about = about
        self.takes = takes
        self.ask = ask
        self.required = required
        self.reads_only = reads_only

    def asked(self, arguments: Arguments) -> Asked | str:
        """What to ask, or Wrong. A name that is none would be answered about something else than was meant; what is
        written down stands in the log whatever it is called."""
        if self.reads_only and (unknown := next((name for name in arguments if name not in self.takes), None)):
            raise Wrong(f"There is no `{in_line(unknown, 40)}`; `{self.name}` takes: {', '.join(self.takes)}.")
        return self.ask(arguments)

    def as_json(self) -> Json:
        schema: Json = {"type": "object", "properties": self.takes, "additionalProperties": False}
        if self.required:
            schema["required"] = list(self.required)
        hints = {
            "readOnlyHint": self.reads_only,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        }
        shown: Json = {"name": self.name, "description": self.about, "inputSchema": schema, "annotations": hints}
        if not self.reads_only:
            # Agents that load tools when they are looked for have this one at hand: nobody looks for a pen.
            shown["_meta"] = {"anthropic/alwaysLoad": True}
        return shown


def _budget(arguments: Arguments, default: int = _TOKENS) -> int:
    return number(arguments, "maxTokens", default=default, least=_LEAST_TOKENS, most=_MOST_TOKENS)


def _ask_recap(arguments: Arguments) -> Asked:
    params = {
        "session": selector(arguments),
        "format": choice(arguments, "format", among=_FORMATS, default="short"),
        "maxTokens": room_for_page(_budget(arguments, 400)),
    }
    return Asked("recap/get", params, _tell_recap)


def _tell_recap(found: Any) -> str:
    return fence(f"session {found['sessionId']}, turn {found['turn']}\n{found['markdown'].strip()}")


def _ask_decisions(arguments: Arguments) -> Asked:
    params = _paged(arguments, {"session": selector(arguments)}, limit=20)
    if query := text(arguments, "query"):
        params["query"] = query
    params["status"] = choice(arguments, "status", among=_STATUSES, default="active")
    budget = _budget(arguments)
    return Asked("decisions/list", params, lambda found: _tell_list(found, "decisions", _decision_line, budget))


def _decision_line(entry: Any) -> str:
    reason = in_line(entry.get("rationale"), 100)
    # Most texts say why themselves, and most reasons that they are one.
    is_told = reason.rstrip("…").casefold() in entry["text"].casefold()
    because = "" if reason.casefold().startswith("because") else "because "
    why = f" — {because}{reason}" if reason and not is_told else ""
    # As wherever they are listed: what rests on no proof is likely and no more.
    is_likely = entry["status"] == "active" and entry.get("verdict") != "confirmed"
    proof = f", {entry['proof']}" if entry.get("proof") else ", less certain" if is_likely else ""
    ended = f", by {entry['supersededBy']}" if entry.get("supersededBy") else ""
    status = "" if entry["status"] == "active" else f" [{entry['status']}{ended}]"
    conflict = f" [conflict: {entry['conflictsWith']}]" if entry.get("conflictsWith") else ""
    said = f"- {in_line(entry['text'], _LINE)}{why}{status}{conflict}"
    return f"{said} ({entry['madeBy']}{proof}; turn {entry['turn']}, line {entry['ref']['line']}; id {entry['id']})"


def _ask_context(arguments: Arguments) -> Asked:
    prompt = text(arguments, "prompt")
    event = text(arguments, "event")
    if event:
        return _ask_for_hook(arguments, prompt, event)
    params: Json = {"session": selector(arguments), "maxTokens": _budget(arguments, 1_500)}
    if prompt:
        params["prompt"] = prompt
    return Asked("context/assemble", params, lambda found: found["text"] or "Nothing is known of it yet.")


def _ask_for_hook(arguments: Arguments, prompt: str, event: str) -> Asked:
    """A hook of kind `mcp_tool` asks: the answer is the hook's, and nothing where there is nothing to say."""
    from recapd.bridges.hook import answer_json, question_of

    given = {"hook_event_name": event, "session_id": text(arguments, "session"), "prompt": prompt}
    asked = question_of(given)
    if asked is None:
        raise Wrong(f"No hook called {in_line(event, 40)} is answered here.")
    return Asked(
        "hook/answer",
        asked,
        lambda found: answer_json(event, found["text"]),
        # As long as a hook may take; then the agent goes on with nothing.
        timeout_s=longest_s(),
        when_late=answer_json(event, ""),
    )


def _ask_search(arguments: Arguments) -> Asked:
    params = _paged(arguments, {"query": text(arguments, "query", is_needed=True)[:1_000]}, limit=8)
    if workspace := text(arguments, "workspace"):
        params["workspace"] = workspace
    budget = _budget(arguments)
    return Asked("search", params, lambda found: _tell_list(found, "hits", _hit_line, budget))


def _hit_line(hit: Any) -> str:
    where = f"turn {hit['turn']}, line {hit['ref']['line']}"
    return f"- {hit['kind']}: {in_line(hit['text'], _LINE)} ({in_line(hit['title'], 60)}; {hit['sessionId']}, {where})"


def _ask_files(arguments: Arguments) -> Asked:
    if path := text(arguments, "path"):
        return _ask_why(arguments, path)
    params = _paged(arguments, {"session": selector(arguments)}, limit=20)
    if action := choice(arguments, "action", among=_ACTIONS):
        params["action"] = action
    budget = _budget(arguments)
    return Asked("files/list", params, lambda found: _tell_list(found, "files", _file_line, budget))


def _ask_why(arguments: Arguments, path: str) -> Asked:
    """Who wrote a line of a file, whichever session that was."""
    params: Json = {"path": path}
    if line := number(arguments, "line", default=0, least=0, most=10_000_000):
        params["line"] = line
    budget = _budget(arguments)
    return Asked("why/get", params, lambda found: _tell_list(found, "lines", _why_line, budget))


def _why_line(found: Any) -> str:
    lines = f"line {found['from']}" if found["from"] == found["to"] else f"lines {found['from']}-{found['to']}"
    decided = "".join(f"; decided: {in_line(each['text'], 100)}" for each in found["decisions"][:2])
    asked = in_line(found["request"], _LINE)
    return f"- {lines}: turn {found['turn']} of {found['sessionId']}, asked: {asked}{decided}"


def _file_line(file: Any) -> str:
    counted = f" +{file['added']} −{file.get('removed') or 0}" if file.get("added") is not None else ""
    where = f"turn {file['lastTurn']}, line {file['ref']['line']}"
    return f"- {file['action']} {in_line(file['path'], 160)}{counted} ({where})"


def _ask_sessions(arguments: Arguments) -> Asked:
    params = _paged(arguments, {}, limit=20)
    for name in ("workspace", "query"):
        if given := text(arguments, name):
            params[name] = given
    # A row takes some 80 tokens, but is mostly ids, paths and times, of which `fit_lines` reckons twice as many.
    budget = _budget(arguments, 4_000)
    return Asked(
        "session/list",
        params,
        lambda found: _tell_list(found, "sessions", _session_line, budget),
        is_nothing=lambda found: not found["sessions"],
    )


def _session_line(row: Any) -> str:
    state = f"{row['state']}, needs {row['needs']}" if row.get("needs") not in (None, "nothing") else row["state"]
    where = f"; {in_line(row['workspace'], 80)}" if row.get("workspace") else ""
    asked = f"; asks: {in_line(row['question'], 80)}" if row.get("question") else ""
    title = in_line(row["title"], 80) or "(untitled)"
    turns = "1 turn" if row.get("turns") == 1 else f"{row.get('turns') or 0} turns"
    return f"- {title} ({state}; {turns}; {row['lastActiveAt']}{where}{asked}; {row['id']})"


def _ask_transcript(arguments: Arguments) -> Asked:
    budget = _budget(arguments, 1_500)
    # What takes more is cut to a line in any case.
    params: Json = {"session": selector(arguments), "maxChars": _MOST_CHARS_PER_TOKEN * budget}
    for name in ("turn", "fromTurn", "toTurn"):
        if arguments.get(name) is not None:
            params[name] = number(arguments, name, default=0, least=0, most=1 << 31)
    if cursor := text(arguments, "cursor"):
        params["cursor"] = cursor
    is_named = bool(arguments.get("session"))
    return Asked(
        "transcript/get",
        params,
        lambda found: tell_conversation(found, budget, is_named=is_named, below=_next(found)),
    )


def _paged(arguments: Arguments, params: Json, *, limit: int) -> Json:
    params["limit"] = number(arguments, "limit", default=limit, least=1, most=100)
    if cursor := text(arguments, "cursor"):
        params["cursor"] = cursor
    return params


def _tell_list(found: Any, name: str, line_of: Callable[[Any], str], budget: int) -> str:
    lines = [line_of(each) for each in found[name]]
    if not lines:
        return "There is none."
    # What stands below takes no more than that.
    kept, count = fit_lines(lines, budget - 50)
    # A piece of one names nothing to go on with.
    if not kept.startswith(lines[0]):
        return f"There are {found.get('total') or len(lines)}, but not even one fits: ask with a larger maxTokens."
    left = len(lines) - count
    total = found.get("total")
    of_all = f"\n{count} of {total} shown." if total is not None and count < total else ""
    more = f"\n… {left} more on this page: ask with a larger maxTokens." if left else ""
    return fence(kept) + of_all + more + _next(found)


def _next(found: Any) -> str:
    return f"\nMore with cursor: {found['nextCursor']}" if found.get("nextCursor") else ""


def _take_record(arguments: Arguments) -> str:
    """Nothing is sent anywhere: the call stands in the agent's own log, where recapd reads it as what it is."""
    kind = choice(arguments, "kind", among=_KINDS)
    said = " ".join(text(arguments, "text", is_needed=True).split())
    if not kind:
        raise Wrong("`kind` is missing.")
    if len(said) > _LONGEST_RECORD:
        raise Wrong(f"`text` has {len(said)} characters and may have {_LONGEST_RECORD}: one line, please.")
    if not choice(arguments, "madeBy", among=_MADE_BY):
        raise Wrong("`madeBy` is missing.")
    text(arguments, "because")
    text(arguments, "replaces")
    return "Recorded."


_SESSION = {"type": "string", "description": "Session id; default: this folder's latest session."}
_MAX_TOKENS = {"type": "integer", "description": "Hard cap of the answer."}
_CURSOR = {"type": "string", "description": "Where the last answer said more is."}
_LIMIT = {"type": "integer"}

TOOLS = (
    Tool(
        "recap",
        "Where a session stands: what was asked, decided, done, and is open, with the turns that prove it. Use it when "
        "you come back to work or lost track.",
        {"session": _SESSION, "format": {"enum": list(_FORMATS)}, "maxTokens": _MAX_TOKENS},
        _ask_recap,
    ),
    Tool(
        "decisions",
        "What was decided in a session and by whom, what still holds, what replaced what. Check it before you change "
        "course. Ids are for `record`'s `replaces`.",
        {
            "session": _SESSION,
            "query": {"type": "string"},
            "status": {"enum": list(_STATUSES)},
            "limit": _LIMIT,
            "cursor": _CURSOR,
            "maxTokens": _MAX_TOKENS,
        },
        _ask_decisions,
    ),
    Tool(
        "context",
        "What you need to go on with a session, within a token budget: request, decisions, open items, and what was "
        "said earlier about `prompt`.",
        {
            "session": _SESSION,
            "prompt": {"type": "string", "description": "What you are about to work on."},
            "event": {"type": "string", "description": "For hooks only."},
            "maxTokens": _MAX_TOKENS,
        },
        _ask_context,
    ),
    Tool(
        "search",
        "Find words in everything that was said and done in all sessions of all agents on this machine.",
        {
            "query": {"type": "string"},
            "workspace": {"type": "string", "description": "Only sessions of this folder."},
            "limit": _LIMIT,
            "cursor": _CURSOR,
            "maxTokens": _MAX_TOKENS,
        },
        _ask_search,
        required=("query",),
    ),
    Tool(
        "files",
        "Files a session read or changed, and when. With a path: which turn wrote its lines as they are, and why.",
        {
            "session": _SESSION,
            "path": {"type": "string", "description": "A source file, from the root; then no session is needed."},
            "line": {"type": "integer", "description": "One line of it, from 1."},
            "action": {"enum": list(_ACTIONS)},
            "limit": _LIMIT,
            "cursor": _CURSOR,
            "maxTokens": _MAX_TOKENS,
        },
        _ask_files,
    ),
    Tool(
        "sessions",
        "Sessions of all agents on this machine, latest first, with how each stands.",
        {
            "workspace": {"type": "string", "description": "Only sessions of this folder."},
            "query": {"type": "string"},
            "limit": _LIMIT,
            "cursor": _CURSOR,
            "maxTokens": _MAX_TOKENS,
        },
        _ask_sessions,
    ),
    Tool(
        "transcript",
        "The conversation itself, turn by turn: words and calls with their outcome and log line. Without a turn, the "
        "last.",
        {
            "session": _SESSION,
            "turn": {"type": "integer"},
            "fromTurn": {"type": "integer"},
            "toTurn": {"type": "integer"},
            "cursor": _CURSOR,
            "maxTokens": _MAX_TOKENS,
        },
        _ask_transcript,
    ),
    Tool(
        "record",
        "Write down, once and in one line, what the user just decided or approved, or what you decided that the user "
        "would want to know; also what stays open or is done.",
        {
            "kind": {"enum": list(_KINDS)},
            "text": {"type": "string", "description": "One line that can be understood alone."},
            "madeBy": {"enum": list(_MADE_BY), "description": "Who decided: user only if their message says so."},
            "because": {"type": "string"},
            "replaces": {
                "type": "string",
                "description": "Id or words of what no longer holds; if nothing follows, text begins: Taken back",
            },
        },
        _take_record,
        required=("kind", "text", "madeBy"),
        reads_only=False,
    ),
)
_BY_NAME = {tool.name: tool for tool in TOOLS}


def tool_named(name: object) -> Tool | None:
    return _BY_NAME.get(name) if isinstance(name, str) else None


def list_tools() -> list[Json]:
    return [tool.as_json() for tool in TOOLS]


def arguments_of(params: Any) -> Arguments:
    """A client may send them as JSON in a string."""
    given = params.get("arguments") if isinstance(params, dict) else None
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            given = None
    return given if isinstance(given, dict) else {}
