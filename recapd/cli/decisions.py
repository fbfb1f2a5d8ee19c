"""`recapd decisions`: what was decided in a session, by whom, whether it still holds; and the user's word on it."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections import Counter
from typing import TextIO, cast

from msgspec import Struct, structs

from recapd.cli.answers import ask
from recapd.cli.commands import print_json, show_page
from recapd.cli.finding import selector_of
from recapd.cli.ids import short_ids
from recapd.cli.table import MAKERS, STATUSES
from recapd.cli.terminal import fill, format_time, has_colours, lay_beside, margin_of, show, text_width, wrap
from recapd.core.text import one_line
from recapd.wire.errors import INVALID_PARAMS, RecapError, request_failed
from recapd.wire.types import (
    Decision,
    DecisionsJudgeParams,
    DecisionsJudgeResult,
    DecisionsListParams,
    DecisionsListResult,
    VerdictName,
)

# The protocol pages; a person wants the whole list.
_PAGE = 500
# What replaced a decision stands in full further down.
_HEIR_CHARS = 120
_WHO = {maker: word for word, maker in MAKERS.items()}
# Nothing but its words speaks for it; recaps tell it apart, too.
_LIKELY = "likely"
_MARKS = {
    "active": "●",
    _LIKELY: "○",
    "superseded": "✗",
    "reverted": "↩",
    "abandoned": "⑂",
    "tentative": "?",
    "dismissed": "–",
}
# Which of those that the protocol calls active.
_FATES = {"holds": "active", "less-certain": _LIKELY}
# Said of what nobody took back; the others are over.
_STANDING = {"active", _LIKELY, "tentative"}
_ENDS = {
    _LIKELY: "less certain",
    "superseded": "replaced",
    "reverted": "taken back",
    "abandoned": "on a branch that was left",
    "tentative": "perhaps",
    "dismissed": "dismissed by you",
}


class Style(Struct, frozen=True):
    """How a line is made to stand out; nothing in a pipe."""

    width: int | None
    strong: str = ""
    dim: str = ""
    # By what became of a decision; the others as they are.
    marks: dict[str, str] = {}
    struck: str = ""
    end: str = ""


def decisions_command(args: argparse.Namespace) -> int:
    for decision_id, verdict in ((args.dismiss, "dismissed"), (args.confirm, "confirmed"), (args.take_back, None)):
        if decision_id is not None:
            return _judge(args, decision_id, cast(VerdictName | None, verdict))
    params = DecisionsListParams(
        session=selector_of(args.log, use_daemon=not args.no_daemon),
        include_tentative=args.all or args.open is not None,
        include_dismissed=args.all or args.open is not None,
        made_by=MAKERS.get(args.by, args.by),
        status=STATUSES.get(args.status, args.status),
        query=args.query,
        limit=_PAGE,
    )
    found = _all_pages(params, use_daemon=not args.no_daemon)
    if (fate := _FATES.get(args.status)) is not None:
        found = structs.replace(found, decisions=tuple(each for each in found.decisions if _fate(each) == fate))
    if args.open is not None:
        return _open(args.open, found.decisions)
    if args.json:
        return print_json(found)
    shown = found.decisions if args.all or args.status else [each for each in found.decisions if _is_told(each)]
    known = found.decisions
    if args.by or args.status or args.query:
        # What replaced one of them may be none of them.
        whole = structs.replace(
            params, made_by=None, status=None, query=None, include_tentative=True, include_dismissed=True
        )
        known = _all_pages(whole, use_daemon=not args.no_daemon).decisions
    told = write_listing(shown, known=known, style=_style(sys.stdout))
    if not shown:
        is_narrowed = args.all or args.by or args.status or args.query
        # A file is named as before: nothing but its path may lead to it.
        is_file = params.session is not None and params.session.log is not None
        name = shlex.quote(args.log) if is_file else short_ids([found.session_id])[found.session_id]
        told = fill(
            sys.stdout, told if is_narrowed else f"{told} Also what is uncertain: recapd decisions {name} --all"
        )
    show_page(found.session_id, told)
    return 0


def _open(decision_id: str, known: tuple[Decision, ...]) -> int:
    from recapd.cli.editor import open_ref

    meant = next((each for each in known if each.id == decision_id), None)
    if meant is None:
        raise _no_decision(decision_id)
    return open_ref(meant.ref)


def _no_decision(decision_id: str) -> RecapError:
    return request_failed(
        f"No decision of this session has the id {decision_id}; see them with: recapd decisions --all"
    )


def _judge(args: argparse.Namespace, decision_id: str, verdict: VerdictName | None) -> int:
    use_daemon = not args.no_daemon
    params = DecisionsJudgeParams(
        session=selector_of(args.log, use_daemon=not args.no_daemon),
        id=decision_id,
        verdict=verdict,
        reason=args.reason,
    )
    try:
        result = ask("decisions/judge", params, DecisionsJudgeResult, use_daemon=use_daemon)
    except RecapError as error:
        raise _no_decision(decision_id) if error.code == INVALID_PARAMS else error from None
    if args.json:
        return print_json(result)
    known = (result.decision,)
    show(write_entries(known, known=known, style=_style(sys.stdout)))
    return 0


def _all_pages(params: DecisionsListParams, *, use_daemon: bool) -> DecisionsListResult:
    found = ask("decisions/list", params, DecisionsListResult, use_daemon=use_daemon)
    decisions = list(found.decisions)
    cursor = found.next_cursor
    while cursor:
        page = structs.replace(params, cursor=cursor)
        more = ask("decisions/list", page, DecisionsListResult, use_daemon=use_daemon)
        decisions += more.decisions
        cursor = more.next_cursor
    return structs.replace(found, decisions=tuple(decisions), next_cursor=None)


def _is_told(decision: Decision) -> bool:
    return decision.status != "abandoned"


def _style(stream: TextIO) -> Style:
    width = text_width(stream)
    if not has_colours(stream):
        return Style(width)
    marks = {
        "active": "\x1b[32m",
        # Those wait for somebody's word; those that are over stand back, and nothing of them failed.
        _LIKELY: "\x1b[33m",
        "tentative": "\x1b[33m",
        **dict.fromkeys(("superseded", "reverted", "abandoned", "dismissed"), "\x1b[2m"),
    }
    return Style(width, strong="\x1b[1m", dim="\x1b[2m", marks=marks, struck="\x1b[9;2m", end="\x1b[0m")


def write_listing(shown: list[Decision] | tuple[Decision, ...], *, known: tuple[Decision, ...], style: Style) -> str:
    """The decisions in the order of the log: turn, who, whether it holds, text; below it what became of it, and
    where it stands."""
    if not shown:
        return "No decisions were found."
    head = "\n".join(f"{style.strong}{line}{style.end}" for line in _fitted(_headline(shown), style, 0))
    return f"{head}\n{write_entries(shown, known=known, style=style)}"


def write_entries(shown: list[Decision] | tuple[Decision, ...], *, known: tuple[Decision, ...], style: Style) -> str:
    by_id = {decision.id: decision for decision in known}
    turns = max(len(str(decision.turn)) for decision in shown)
    lines: list[str] = []
    for decision in shown:
        lead = f"turn {decision.turn:>{turns}}  {_WHO.get(decision.made_by, decision.made_by):5}  "
        mark = _MARKS.get(_fate(decision), "?") + " "
        on, off = ("", "") if _fate(decision) in _STANDING else (style.struck, style.end)
        told_mark = f"{colour}{mark}{style.end}" if (colour := style.marks.get(_fate(decision))) else mark
        (_, first), *more = lay_beside(lead + mark, _plain(decision.text, style), style.width)
        lines.append(f"{style.dim}{lead}{style.end}{told_mark}{on}{first}{off}".rstrip())
        lines += [f"{margin}{on}{line}{off}" for margin, line in more]
        margin = margin_of(lead + mark, style.width)
        for note in _notes(decision, by_id):
            lines += [f"{margin}{style.dim}{line}{style.end}" for line in _fitted(note, style, len(margin))]
    return "\n".join(lines)


def _fate(decision: Decision) -> str:
    """What became of it; of what holds, whether it is told as decided."""
    is_likely = decision.status == "active" and decision.proof is None and decision.verdict != "confirmed"
    return _LIKELY if is_likely else decision.status


def _headline(shown: list[Decision] | tuple[Decision, ...]) -> str:
    counts = Counter(map(_fate, shown))
    holding = counts["active"]
    counted = [f"{holding} hold{'s' if holding == 1 else ''}"] if holding else []
    counted += [f"{counts[fate]} {word}" for fate, word in _ENDS.items() if counts[fate]]
    return f"{len(shown)} decision{'' if len(shown) == 1 else 's'}: {', '.join(counted)}"


def _notes(decision: Decision, by_id: dict[str, Decision]) -> list[str]:
    notes: list[str] = []
    heir = by_id.get(decision.superseded_by or "") if decision.status != "dismissed" else None
    end = _ENDS.get(_fate(decision))
    if heir is not None and end:
        notes.append(f"→ {end} in turn {heir.turn}: {one_line(heir.text, _HEIR_CHARS)}")
    if decision.conflicts_with and (other := by_id.get(decision.conflicts_with)):
        notes.append(f"! the agent did otherwise in turn {other.turn}: {one_line(other.text, _HEIR_CHARS)}")
    # Most texts say why themselves.
    if decision.rationale and decision.rationale.rstrip("… ").casefold() not in decision.text.casefold():
        # Some are kept with the word that gave them away.
        is_said = decision.rationale.casefold().startswith("because")
        notes.append(decision.rationale if is_said else f"because: {decision.rationale}")
    if decision.verdict == "confirmed":
        notes.append("confirmed by you")
    place = [end] if end and heir is None else []
    place += [f"line {decision.ref.line}", f"id {decision.id}"]
    if decision.timestamp:
        place.append(format_time(decision.timestamp))
    if decision.restated:
        place.append(f"said again {len(decision.restated)}×")
    return [*notes, ", ".join(place)]


def _fitted(text: str, style: Style, indent: int) -> list[str]:
    if style.width is None:
        return [text]
    return wrap(_plain(text, style), max(20, style.width - indent)) or [""]


def _plain(text: str, style: Style) -> str:
    """Marks of Markdown are for programs; in a pipe they stay."""
    return text if style.width is None else text.replace("`", "")
