"""One line for each call, with its outcome: what a person would say was done.

Numbers are shown only where the log proves them; what failed, was refused or never came back says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct

from recapd.core.log import Call, CallKind
from recapd.core.state.transcript import Category, OpenCall, Step
from recapd.core.text import one_line

_PATH_CHARS = 80
# Servers of tools put their own name, a scope and a version before the tool's.
_TOOL_CHARS = 80
_COMMAND_CHARS = 100
_WORDS_CHARS = 100
# What the agent wrote down for later or asked for is told whole: one sentence, as a rule.
_WRITTEN_CHARS = 300
_OUTCOME_CHARS = 160

# What was done, what was tried, and what is being done.
_VERBS: dict[CallKind, tuple[str, str, str]] = {
    "read": ("Read", "read", "Reading"),
    "list": ("Listed", "list", "Listing"),
    "search": ("Searched for", "search for", "Searching for"),
    "recall": ("Recalled memories about", "recall memories about", "Recalling memories about"),
    "retrieve": (
        "Retrieved the full text of memory",
        "retrieve the full text of memory",
        "Retrieving the full text of memory",
    ),
    "fetch": ("Fetched", "fetch", "Fetching"),
    "edit": ("Edited", "edit", "Editing"),
    "write": ("Wrote", "write", "Writing"),
    "patch": ("Patched", "patch", "Patching"),
    "delete": ("Deleted", "delete", "Deleting"),
    "shell": ("Ran", "run", "Running"),
    "remember": ("Remembered:", "remember", "Remembering:"),
    "record": ("Recorded:", "record", "Recording:"),
    "ask": ("Asked the user:", "ask the user", "Asking:"),
    "plan": ("Proposed a plan:", "propose a plan:", "Proposing a plan:"),
    "todo": ("Updated the task list", "update the task list", "Updating the task list"),
    "delegate": ("Delegated:", "delegate", "Delegating:"),
    "status": ("Checked", "check", "Checking"),
    "done": ("Finished:", "finish", "Finishing:"),
    "other": ("Called", "call", "Calling"),
}
# A search of the web is asked for words, not for an address.
_SEARCHING_THE_WEB = ("Searched the web for", "search the web for", "Searching the web for")
_PLURALS: dict[CallKind, str] = {
    "read": "files",
    "list": "directories",
    "search": "patterns",
    "recall": "memories",
    "retrieve": "memories",
    "fetch": "pages",
}
# The folder that all work is in, as a listing names it.
_HERE = frozenset((".", "./"))
# Kinds whose targets are words that the agent chose to leave behind.
_WRITTEN: frozenset[CallKind] = frozenset(("remember", "record", "ask", "done"))
# Kinds whose targets stand in folders; what is searched for or recalled stands nowhere, whatever it is spelled like.
_IN_FOLDERS: frozenset[CallKind] = frozenset(("read", "list", "fetch"))

_CATEGORIES: dict[CallKind, Category] = {
    "read": "observational",
    "list": "observational",
    "search": "observational",
    "recall": "observational",
    "retrieve": "observational",
    "fetch": "observational",
    "record": "meta",
    "todo": "meta",
    "status": "meta",
    "done": "meta",
}


def category(kind: CallKind) -> Category:
    return _CATEGORIES.get(kind, "consequential")


def is_telling(kind: CallKind) -> bool:
    """Whether a call tells of the work: it changed something, or says what was done."""
    return kind == "done" or category(kind) == "consequential"


def fold_repeats(steps: Sequence[Step]) -> list[Step]:
    """The steps with runs of the same sort told as one: twelve reads in a row are one line."""
    folded: list[Step] = []
    targets: set[str] = set()
    for step in steps:
        if not folded or not _continues(folded[-1], step):
            folded.append(step)
            targets = {step.target}
            continue
        last = folded[-1]
        targets.add(step.target)
        folded[-1] = msgspec.structs.replace(
            step, count=last.count + 1, targets=len(targets), lines=-1, target=_shared(step.kind, last, step)
        )
    return folded


class Style(Struct, frozen=True):
    """How the parts of a line are written down: names of files and commands, and words of the log."""

    code: Callable[[str], str]
    words: Callable[[str], str]


PLAIN = Style(code=lambda text: f"`{text}`", words=lambda text: text)


def describe(step: Step, root: str = "", style: Style = PLAIN) -> str:
    """The line for a finished call; paths below `root` are shown relative to it."""
    object_ = _object(step, root, style)
    if step.outcome:
        step = msgspec.structs.replace(step, outcome=style.words(one_line(step.outcome, _OUTCOME_CHARS)))
    if not step.ok and step.kind == "plan":
        return f"Plan rejected: {object_}" + (f" — “{step.outcome}”" if step.outcome else "")
    if step.denied:
        said = f": “{step.outcome}”" if step.outcome else ""
        return f"Was refused to {_verbs(step.kind, step.tool)[1]} {object_}".rstrip() + said
    if not step.ok:
        if step.kind == "shell":
            code = f" (exit {step.exit_code})" if step.exit_code else ""
            return f"Ran {object_} — failed{code}" + (f": {step.outcome}" if step.outcome else "")
        return f"Tried to {_verbs(step.kind, step.tool)[1]} {object_} — failed" + (
            f": {step.outcome}" if step.outcome else ""
        )
    return _repeated(step, object_, root) if step.count > 1 else _success(step, object_, style)


def describe_running(opened: OpenCall, root: str = "") -> str:
    """The line for a call that is under way."""
    return f"{_verbs(opened.call.kind, opened.call.tool)[2]} {_object(_as_step(opened), root, PLAIN)}".rstrip()


def describe_wanted(opened: OpenCall, root: str = "") -> str:
    """What a call that was not begun would do."""
    return f"{_verbs(opened.call.kind, opened.call.tool)[1]} {_object(_as_step(opened), root, PLAIN)}".rstrip()


def describe_open(opened: OpenCall, root: str = "", *, more: int = 0) -> str:
    """The line for a call that has not come back, nor so many behind it."""
    return f"Started to {describe_wanted(opened, root)}{f' and {more} more' if more else ''} — no result"


def _success(step: Step, object_: str, style: Style) -> str:
    kind = step.kind
    verb = _verbs(kind, step.tool)[0]
    if kind == "read" and step.lines >= 0:
        return f"Read {object_} ({_lines(step.lines)})"
    if kind == "write":
        verb = "Created" if step.created else "Rewrote" if step.created is False else verb
        return f"{verb} {object_}" + (f" ({_lines(step.lines)})" if step.lines >= 0 else "")
    if kind == "ask":
        return f"Asked the user: {object_}" + (f" — answer: “{step.outcome}”" if step.outcome else "")
    if kind == "list" and step.outcome:
        return f"Listed {'directory' if step.target in _HERE else object_}: {step.outcome}"
    if kind == "recall" and step.lines >= 0:
        number = "no memories" if not step.lines else "1 memory" if step.lines == 1 else f"{step.lines} memories"
        return f"Recalled {number} about {object_}"
    if kind == "plan":
        return f"Plan {step.outcome or 'proposed'}: {object_}"
    if kind == "shell" and step.detail and len(step.target) > _COMMAND_CHARS:
        return f"Ran {object_} ({style.words(one_line(step.detail, _WORDS_CHARS))})"
    return f"{verb} {object_}".rstrip()


def _repeated(step: Step, object_: str, root: str) -> str:
    verb = _verbs(step.kind, step.tool)[0]
    plural = _PLURALS.get(step.kind)
    if plural is None:
        return f"{verb} {object_}".rstrip(" :") + f" × {step.count}"
    if step.targets == 1 and step.target:
        return f"{verb} {object_} {step.count} times"
    if _searches_the_web(step.kind, step.tool):
        return f"Searched the web {step.count} times"
    # The folder that all of them share is worth naming, unless it is the one all work is in.
    where = f" in {object_}" if relative(step.target, root) else ""
    verb = "Searched for" if step.kind == "search" else verb.partition(" ")[0]
    # Calls that name no target may each have had one of their own.
    number = step.targets if step.targets > 1 else step.count
    return f"{verb} {number} {plural}{where}"


def _object(step: Step, root: str, style: Style) -> str:
    kind, target = step.kind, step.target
    if kind == "other":
        name = _tool_name(step.tool)
        return style.words(f"{name}({one_line(step.detail, _OUTCOME_CHARS)})" if step.detail else name)
    if kind in ("read", "list", "edit", "write", "patch", "delete"):
        return style.words(one_line(relative(target, root), _PATH_CHARS)) or "a file"
    if kind == "shell":
        return style.code(one_line(target, _COMMAND_CHARS)) if target else "a command"
    if kind == "search" or _searches_the_web(kind, step.tool):
        return style.words(f"“{one_line(target, _WORDS_CHARS)}”")
    if kind == "todo":
        return ""
    if kind == "status":
        return style.words(one_line(target, _WORDS_CHARS) or _tool_name(step.tool))
    return style.words(one_line(target, _WRITTEN_CHARS if kind in _WRITTEN else _WORDS_CHARS))


def _verbs(kind: CallKind, tool: str) -> tuple[str, str, str]:
    return _SEARCHING_THE_WEB if _searches_the_web(kind, tool) else _VERBS[kind]


def _searches_the_web(kind: CallKind, tool: str) -> bool:
    return kind == "fetch" and "search" in tool.lower()


def relative(path: str, root: str) -> str:
    """The path as seen from the root; paths elsewhere stay whole."""
    if root and path.startswith(root) and path[len(root) : len(root) + 1] in ("/", "\\"):
        return path[len(root) + 1 :]
    return path


def _tool_name(tool: str) -> str:
    """`mcp__server__tool` reads as `server tool`."""
    name = tool[5:].replace("__", " ", 1) if tool.startswith("mcp__") else tool
    return one_line(name, _TOOL_CHARS)


def _lines(count: int) -> str:
    return f"{count} line" if count == 1 else f"{count} lines"


def _as_step(opened: OpenCall) -> Step:
    call: Call = opened.call
    return Step(call.kind, call.tool, call.target, False, opened.place, opened.turn, opened.at, call.detail)


def _continues(last: Step, step: Step) -> bool:
    """Whether two steps are of one sort and tell better as one: successes that only looked at things."""
    return (
        last.kind == step.kind
        and last.ok
        and step.ok
        and last.turn == step.turn
        and last.via == step.via
        and last.tool == step.tool
        and category(step.kind) != "consequential"
    )


def _shared(kind: CallKind, last: Step, step: Step) -> str:
    """What a run that goes on with this step is about: the one target of all of them, or the folder they share."""
    if last.targets == 1 and last.target == step.target:
        return step.target
    return _common(last.target, step.target) if kind in _IN_FOLDERS else ""


def _common(one: str, other: str) -> str:
    """The directory two paths share, with its slash; "" where they share none."""
    end = min(len(one), len(other))
    same = next((i for i in range(end) if one[i] != other[i]), end)
    return one[: one.rfind("/", 0, same) + 1]
