"""The structured context summary: what an agent that resumes wants as fields and as text."""

from __future__ import annotations

from collections import Counter

from recapd.core.hygiene import clean_line
from recapd.core.state import Step, is_changed, relative
from recapd.core.text import excerpt, one_line
from recapd.core.tool_use import ToolUse, describe_uses, tool_uses
from recapd.core.views.recap.produced import milestone_words
from recapd.core.views.recap.recap import Recap
from recapd.core.views.state_words import standing_word

_REQUEST_CHARS = 150
_FILES = 20
_DECISIONS = 10


def tools_used(recap: Recap) -> tuple[ToolUse, ...]:
    """Most used first, the sub-agents' calls among them; what they were used on is the main log's."""
    calls: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for source in (recap.session.main, *recap.session.children):
        calls.update(source.transcript.tools)
        failed.update(source.transcript.failed_tools)
    main = recap.session.main.transcript
    return recap.session.memory.recall(_tools_used, (calls, failed, main.steps, next(iter(main.cwds), "")), "tools")


def _tools_used(found: tuple[Counter[str], Counter[str], tuple[Step, ...], str]) -> tuple[ToolUse, ...]:
    return tool_uses(*found)


def formatted(recap: Recap) -> str:
    """The summary as plain text: one fact a line, nothing a model could take for an instruction of ours."""
    root = next(iter(recap.session.main.transcript.cwds), "")
    stats = recap.stats
    calls = f"{counted(stats.tool_calls, 'tool call')} ({stats.failed_tool_calls} failed)"
    lines = [f"Messages: {stats.messages} in {counted(stats.turns, 'turn')}, {calls}"]
    if recap.original:
        lines.append(f"Original request: {one_line(recap.original.text, _REQUEST_CHARS)}")
    if tools := tools_used(recap):
        lines.append("Tools used: " + "; ".join(f"{clean_line(each.tool)} {describe_uses(each)}" for each in tools))
    changed = [each.fact for each in recap.files if is_changed(each.fact)]
    # A file that was only tried is in the ledger too, without a touch.
    read = [each.fact for each in recap.files if each.fact.touches and not is_changed(each.fact)]
    if changed:
        lines.append("Files changed: " + _listed([f"{relative(f.path, root)} ({f.action})" for f in changed]))
    if read:
        lines.append("Files read: " + _listed([relative(f.path, root) for f in read]))
    if tasks := recap.progress.counted:
        lines.append(f"Tasks: {len(recap.progress.done)} of {len(tasks)} done")
        lines += [
            f"- [{'x' if item.status == 'done' else ' '}] {one_line(item.text, _REQUEST_CHARS)}" for item in tasks
        ]
    if recap.progress.named_stages:
        lines.append(recap.progress.named_stages.capitalize())
    if recap.progress.milestones:
        lines.append("Reached: " + "; ".join(milestone_words(recap, each) for each in recap.progress.milestones[-3:]))
    if holding := [entry for entry in recap.decisions if entry.status == "active"][-_DECISIONS:]:
        lines.append("Key decisions:")
        lines += [f"- {excerpt(entry.finding.text, _REQUEST_CHARS)}" for entry in holding]
    if recap.requests:
        lines.append("Recent requests:")
        lines += [f"- {one_line(request.text, _REQUEST_CHARS)}" for request in recap.requests[-3:]]
    lines.append(f"State: {standing_word(recap.standing)} — {recap.standing.detail}")
    return "\n".join(lines)


def _listed(names: list[str]) -> str:
    shown = ", ".join(one_line(name, 120) for name in names[:_FILES])
    more = len(names) - _FILES
    return f"{shown}, … and {more} more" if more > 0 else shown


def counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
