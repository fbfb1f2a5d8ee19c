"""A recap written down for people: short (a few lines) and full (a page), never above its token budget.

All text that comes from a log is escaped: it can neither break the page nor pass for part of it.
"""

from __future__ import annotations

from recapd.core.collapse import Style, describe, relative
from recapd.core.excerpt import excerpt, presentable
from recapd.core.hygiene import code_span, escape_html, escape_markdown
from recapd.core.state import Turn
from recapd.core.text import first_sentence, one_line
from recapd.core.tokens import count_for_budget, fit_tokens
from recapd.core.views.recap import Recap, is_changed

MARKDOWN = Style(code=code_span, words=escape_markdown)
SHORT_TOKENS = 200
FULL_TOKENS = 1000

_SHORT_CHARS = 140
_LINE_CHARS = 220
_TIMELINE_TURNS = 12
_FILES = 12
_ITEMS = 8
_LEAST_OUTCOME = 25


def short_markdown(recap: Recap, *, max_tokens: int = SHORT_TOKENS, collapsible: bool = False) -> str:
    """Header and three to five lines."""
    head = f"📍 **Where we are** (turn {recap.turn}):"
    lines: list[tuple[int, str]] = []
    if recap.original:
        lines.append((1, f"- **Started with:** {_said(recap.original.text, _SHORT_CHARS)}"))
    if recap.steps:
        recent = "; ".join(describe(each.fact, _root(recap), MARKDOWN) for each in recap.steps[-2:])
        lines.append((3, f"- **Recent:** {recent}"))
    if outcome := _last_outcome(recap):
        lines.append((4, f"- **Outcome:** {outcome}"))
    focus = _said(recap.focus.text, _SHORT_CHARS) if recap.focus else "nothing yet"
    lines.append((0, f"- **Now discussing:** {focus}"))
    lines.append((2, f"- **State:** {recap.standing.status} — {_said(recap.standing.detail, _SHORT_CHARS)}"))
    return _page(head, lines, separator="\n", max_tokens=max_tokens, collapsible=collapsible)


def full_markdown(recap: Recap, *, max_tokens: int = FULL_TOKENS, collapsible: bool = False) -> str:
    """Request, timeline, what was done, files, open items, state. The least needed goes first when room is short."""
    head = f"📍 **Conversation recap** (turn {recap.turn})"
    blocks: list[tuple[int, str]] = []
    if recap.original:
        blocks.append((0, f"**Original request:** {_said(recap.original.text, _LINE_CHARS)}"))
    if len(recap.turns) > 1:
        blocks.append((5, _timeline(recap.turns)))
    if recap.steps:
        done = [f"- {describe(each.fact, _root(recap), MARKDOWN)}" for each in recap.steps]
        blocks.append((3, "**Recent actions:**\n" + "\n".join(done)))
    if progress := _progress(recap):
        blocks.append((4, progress))
    if files := _files(recap):
        blocks.append((6, files))
    if recap.items:
        items = [f"- {_said(item.text, _LINE_CHARS)}" for item in recap.items[:_ITEMS]]
        more = len(recap.items) - _ITEMS
        blocks.append((2, "**Open:**\n" + "\n".join(items + ([f"- … and {more} more"] if more > 0 else []))))
    focus = _said(recap.focus.text, _LINE_CHARS) if recap.focus else "nothing yet"
    blocks.append((1, f"**Current focus:** {focus}"))
    if outcome := _last_outcome(recap):
        blocks.append((1, f"**Last answer:** {outcome}"))
    blocks.append((1, f"**State:** {recap.standing.status} — {_said(recap.standing.detail, _LINE_CHARS)}"))
    return _page(head, blocks, separator="\n\n", max_tokens=max_tokens, collapsible=collapsible)


def _page(head: str, parts: list[tuple[int, str]], *, separator: str, max_tokens: int, collapsible: bool) -> str:
    """The head and as many of the parts as there is room for; folded only where the whole fold has room."""
    if collapsible:
        # Lines add up (see tokens), and 1 is for rounding: what is made to fit inside fits when it is folded.
        room = max_tokens - count_for_budget(_folded(head, "")) - 1
        if room >= 0:
            return _folded(head, _within(parts, room, separator=separator))
    body = _within(parts, max_tokens - count_for_budget(f"{head}\n\n") - 1, separator=separator)
    return fit_tokens(f"{head}\n{body}" if body.startswith("- ") else f"{head}\n\n{body}", max_tokens)


def _folded(head: str, body: str) -> str:
    summary = escape_html(head.replace("**", "").rstrip(":"))
    return f"<details><summary>{summary}</summary>\n\n{body}\n\n</details>"


def _within(parts: list[tuple[int, str]], room: int, *, separator: str) -> str:
    """The parts in their order, without those of highest rank number that do not fit."""
    kept = list(parts)
    while kept and count_for_budget(separator.join(text for _, text in kept)) > room:
        if len(kept) == 1:
            return fit_tokens(kept[0][1], max(room, 0))
        kept.remove(max(kept, key=lambda part: part[0]))
    return separator.join(text for _, text in kept)


def _timeline(turns: tuple[Turn, ...]) -> str:
    lines = []
    skipped = len(turns) - _TIMELINE_TURNS
    # The first turn sets the scene; of the rest the latest count.
    shown = turns if skipped <= 0 else (turns[0], *turns[-_TIMELINE_TURNS + 1 :])
    for turn in shown:
        # No ordered list: a reader would number it anew from its first item.
        line = f"- Turn {turn.number}: {escape_markdown(excerpt(turn.request.text, 110))}"
        if turn.outcome:
            line += f" → {_said(_outcome(turn), 110)}"
        elif not turn.calls:
            line += " → no answer"
        lines.append(line)
        if skipped > 0 and turn is turns[0]:
            lines.append(f"- … {skipped} turns …")
    return "**Timeline:**\n" + "\n".join(lines)


def _progress(recap: Recap) -> str:
    lines = []
    counted = recap.progress.counted
    if counted:
        now = f", now: {_said(recap.progress.current.text, 100)}" if recap.progress.current else ""
        lines.append(f"- Tasks: {len(recap.progress.done)} of {len(counted)} done{now}")
    lines += [f"- {_said(milestone.text, 140)}" for milestone in recap.progress.milestones[-3:]]
    if recap.tests and recap.tests[-1].fact.ok is False:
        run = recap.tests[-1].fact
        counted_text = f"{run.failed} failed" if run.failed else "failed"
        lines.append(f"- Last test run {counted_text}: {code_span(one_line(run.command, 80))}")
    return "**Progress:**\n" + "\n".join(lines) if lines else ""


def _files(recap: Recap) -> str:
    changed = [each for each in recap.files if is_changed(each.fact)]
    if not changed:
        return ""
    lines = [
        f"- {code_span(relative(each.fact.path, _root(recap)))} {each.fact.action}"
        + (f" (by {escape_markdown(each.via)})" if each.via else "")
        for each in changed[:_FILES]
    ]
    more = len(changed) - _FILES
    return f"**Files changed ({len(changed)}):**\n" + "\n".join(lines + ([f"- … and {more} more"] if more > 0 else []))


def _last_outcome(recap: Recap) -> str:
    if not recap.turns or not recap.turns[-1].outcome:
        return ""
    return _said(_outcome(recap.turns[-1]), _SHORT_CHARS)


def _outcome(turn: Turn) -> str:
    """What the agent's last words begin with; a line that only announces a list is no outcome."""
    text = presentable(turn.outcome)
    sentence = first_sentence(text)
    return text if len(sentence) < _LEAST_OUTCOME or sentence.rstrip("*_ ").endswith(":") else sentence


def _said(text: str, limit: int) -> str:
    return escape_markdown(one_line(text, limit))


def _root(recap: Recap) -> str:
    cwds = recap.session.main.transcript.cwds
    return cwds[0] if cwds else ""
