"""What the user is told when a summary was made, and the topics that head it."""

from __future__ import annotations

from typing import Final

from recapd.core.summaries.record import RollingSummary
from recapd.core.text import is_substantive, one_line

MAX_TOPICS: Final = 5
_TOPIC_CHARS: Final = 72
_NAMED: Final = 3
# Of what was cut at a clause.
_DANGLING: Final = " ,;:，；：、"


def headlines(summary: RollingSummary) -> list[str]:
    """The requests of the episodes in which most happened, in order of time; without any, the requests themselves."""
    asked = [each for each in summary.episodes if is_substantive(each.request)]
    telling = sorted(range(len(asked)), key=lambda at: (-asked[at].consequences, -asked[at].chars, at))[:MAX_TOPICS]
    lines = [asked[at].request for at in sorted(telling)] or [each.text for each in summary.facts.topics[:MAX_TOPICS]]
    return list(dict.fromkeys(one_line(line.rstrip(_DANGLING), _TOPIC_CHARS) for line in lines))


def notice_of(summary: RollingSummary) -> str:
    """recapd's own words, not the agent's: it says who made it, of what, and that nothing was taken away."""
    coverage, facts = summary.coverage, summary.facts
    by = f"by {summary.model}" if summary.model else "from the log's own sentences"
    lines = [f"recapd summarized messages {coverage.first + 1}–{coverage.last + 1} ({by}):"]
    lines += [f"- Discussed: {each}" for each in headlines(summary)[:_NAMED]]
    if facts.files:
        names = ", ".join(each.path.rpartition("/")[2] for each in facts.files[-_NAMED:])
        more = ", …" if len(facts.files) > _NAMED else ""
        lines.append(f"- Modified {_counted(len(facts.files), 'file')} ({names}{more})")
    lines += [f"- Decided: {each.text}" for each in facts.decisions[-_NAMED:] if each.status == "active"]
    if facts.commands_run:
        failed = sum(not each.ok for each in facts.commands)
        lines.append(f"- Ran {_counted(facts.commands_run, 'command')}" + (f", {failed} failed" if failed else ""))
    lines.append("Recent conversation preserved; the log is as it was.")
    return "\n".join(lines)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
