"""The structured context summary: what an agent that resumes wants as fields and as text."""

from __future__ import annotations

from recapd.core.hygiene import clean_line
from recapd.core.state import is_changed, relative
from recapd.core.text import excerpt, one_line
from recapd.core.views.recap.recap import Recap

_REQUEST_CHARS = 150
_FILES = 20
_DECISIONS = 10


def tools_used(recap: Recap) -> tuple[str, ...]:
    """Tool names, most used first, the sub-agents' among them."""
    counts: dict[str, int] = {}
    for source in (recap.session.main, *recap.session.children):
        for tool, count in source.transcript.tools.items():
            counts[tool] = counts.get(tool, 0) + count
    return tuple(sorted(counts, key=lambda tool: (-counts[tool], tool)))


def formatted(recap: Recap) -> str:
    """The summary as plain text: one fact a line, nothing a model could take for an instruction of ours."""
    root = next(iter(recap.session.main.transcript.cwds), "")
    stats = recap.stats
    calls = f"{stats.tool_calls} tool calls ({stats.failed_tool_calls} failed)"
    lines = [f"Messages: {stats.messages} in {stats.turns} turns, {calls}"]
    if recap.original:
        lines.append(f"Original request: {one_line(recap.original.text, _REQUEST_CHARS)}")
    if tools := tools_used(recap):
        lines.append(f"Tools used: {', '.join(clean_line(tool) for tool in tools)}")
    changed = [each.fact for each in recap.files if is_changed(each.fact)]
    # A file that was only tried is in the ledger too, without a touch.
    read = [each.fact for each in recap.files if each.fact.touches and not is_changed(each.fact)]
    if changed:
        lines.append("Files changed: " + _listed([f"{relative(f.path, root)} ({f.action})" for f in changed]))
    if read:
        lines.append("Files read: " + _listed([relative(f.path, root) for f in read]))
    if counted := recap.progress.counted:
        lines.append(f"Tasks: {len(recap.progress.done)} of {len(counted)} done")
        lines += [
            f"- [{'x' if item.status == 'done' else ' '}] {one_line(item.text, _REQUEST_CHARS)}" for item in counted
        ]
    if recap.progress.milestones:
        lines.append("Reached: " + "; ".join(each.text for each in recap.progress.milestones[-3:]))
    if holding := [entry for entry in recap.decisions if entry.status == "active"][-_DECISIONS:]:
        lines.append("Key decisions:")
        lines += [f"- {excerpt(entry.finding.text, _REQUEST_CHARS)}" for entry in holding]
    if recap.requests:
        lines.append("Recent requests:")
        lines += [f"- {one_line(request.text, _REQUEST_CHARS)}" for request in recap.requests[-3:]]
    lines.append(f"State: {recap.standing.status} — {recap.standing.detail}")
    return "\n".join(lines)


def _listed(names: list[str]) -> str:
    shown = ", ".join(one_line(name, 120) for name in names[:_FILES])
    more = len(names) - _FILES
    return f"{shown}, … and {more} more" if more > 0 else shown
