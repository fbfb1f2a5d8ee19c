"""`recapd context`: what an agent would be given to go on, for a person to read or to paste."""

from __future__ import annotations

import argparse
import sys

import msgspec

from recapd.cli.answers import ask
from recapd.cli.commands import check_counts, print_json, show_page
from recapd.cli.finding import selector_of
from recapd.cli.markdown import render_markdown, without_marks
from recapd.cli.terminal import fill_lines, screen_width, tell
from recapd.wire.types import ContextAssembleParams, ContextAssembleResult


def context_command(args: argparse.Namespace) -> int:
    check_counts(args, "budget")
    params = ContextAssembleParams(
        session=selector_of(args.log, use_daemon=not args.no_daemon),
        max_tokens=args.budget,
        prompt=args.prompt,
        output=args.output,
        preset=args.preset,
        include=tuple(args.include or ()),
    )
    result = ask("context/assemble", params, ContextAssembleResult, use_daemon=not args.no_daemon)
    if args.json:
        return print_json(result)
    if result.messages is not None:
        # For a program: the array that a model's interface takes, and nothing else.
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(result.messages), indent=2) + b"\n")
        sys.stdout.flush()
        return 0
    text = result.text or ""
    if not text:
        is_cut = any(each.reason == "budget" for each in result.omitted)
        none = (
            f"Nothing of it fits into {args.budget} tokens; give more with --budget" if is_cut else "There is nothing."
        )
        tell(none)
        return 0
    if sys.stdout.isatty():
        # For people; a pipe gets what an agent would, marks and all.
        told = "\n".join(fill_lines(sys.stdout, _about(result), screen_width(), colour="2"))
        text = without_marks(text).replace("\n## ", "\n\n## ")
        text = f"{render_markdown(sys.stdout, text)}\n\n{told}"
    show_page(result.session_id, text)
    return 0


def _about(result: ContextAssembleResult) -> str:
    left_out = sorted({each.name for each in result.omitted if each.reason == "budget"})
    rest = f"; more of {', '.join(left_out)} with a larger --budget" if left_out else ""
    return f"{result.tokens} tokens of {result.coverage.messages} messages{rest}"
