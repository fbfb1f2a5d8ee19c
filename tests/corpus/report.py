"""Tables of what recapd makes of a folder of real logs.

    python -m tests.corpus.report FOLDER [--reference SCRIPT]

Per format: files, records, unknown record types, problems with their line numbers. With a reference (a script that
offers facts(path)): turns, calls, failed calls and written files beside its own, and every difference by kind.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from tests.corpus.survey import Survey, compare, load_reference, logs_in, rows_by_agent, survey


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.report", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--reference", type=Path, help="a script that offers facts(path)")
    args = parser.parse_args(argv)
    read: list[Survey] = []
    refused: Counter[tuple[str, str]] = Counter()
    for path in logs_in(args.folder):
        found = survey(path)
        if isinstance(found, str):
            refused[path.parent.name, found.partition(str(path))[2].partition(";")[0].strip()] += 1
        else:
            read.append(found)
    _print_read(read)
    _print_problems(read)
    _print_refused(refused)
    if args.reference:
        _print_compared(read, args.reference)
    return 0


def _print_read(read: list[Survey]) -> None:
    _row("format", "files", "lines", "records", "unaccounted", "unknown", "problems")
    for agent, surveys in rows_by_agent(read):
        totals = [each.transcript.totals for each in surveys]
        unknown: Counter[str] = Counter()
        for each in surveys:
            unknown.update(each.transcript.unknown_types)
        _row(
            agent,
            len(surveys),
            sum(each.lines for each in surveys),
            sum(total.records for total in totals),
            sum(each.unaccounted for each in surveys),
            sum(unknown.values()),
            sum(total.problems for total in totals),
        )
        for name, count in unknown.most_common():
            _write(f"    unknown: {name} × {count}")


def _print_problems(read: list[Survey]) -> None:
    _write("\nproblems, by line")
    for each in read:
        for problem in each.transcript.problems:
            _write(f"  {each.path.name}:{problem.place.line}  {problem.kind}  {problem.detail}")


def _print_refused(refused: Counter[tuple[str, str]]) -> None:
    _write("\nrefused")
    for (folder, reason), count in sorted(refused.items()):
        _write(f"  {folder}: {count} × {reason}")


def _print_compared(read: list[Survey], script: Path) -> None:
    reference = load_reference(script)
    _write("\nbeside the reference reading (here/there)")
    _row("format", "files", "turns", "calls", "failed", "written", "unexplained")
    for agent, surveys in rows_by_agent(read):
        if agent not in ("claude-code", "codex", "codex-bare", "pi"):
            continue
        here: Counter[str] = Counter()
        there: Counter[str] = Counter()
        kinds: Counter[str] = Counter()
        unexplained: list[str] = []
        for each in surveys:
            facts = reference.facts(str(each.path))
            result = compare(each, facts, getattr(reference, "WRITE", ()))
            kinds.update(result.kinds)
            unexplained += [f"{each.path.name}: {text}" for text in result.unexplained]
            totals = each.transcript.totals
            changed = sum(fact.action != "read" and not fact.via for fact in each.transcript.files)
            here.update(turns=totals.turns, calls=totals.calls, failed=totals.failed_calls, written=changed)
            there.update(turns=len(facts["turns"]), calls=facts["calls"], failed=facts["failed"])
            there.update(written=len(facts["written"]))
        pairs = [f"{here[name]}/{there[name]}" for name in ("turns", "calls", "failed", "written")]
        _row(agent, len(surveys), *pairs, len(unexplained))
        _write(f"    differences by kind: {dict(kinds)}")
        for text in unexplained:
            _write(f"    unexplained: {text}")


def _row(first: str, *cells: object) -> None:
    _write(f"{first:<22}" + "".join(f"{cell!s:>14}" for cell in cells))


def _write(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
