"""The benches of two checkouts side by side: run by turns in one go, every figure of both with the ratio new to old.

    python -m tests.bench.compare OLD NEW --corpus FOLDER [--rounds 3] [--only bench_fold,bench_idle] [--timeout 600]

Each bench runs in its own checkout and with its checkout's own environment. Figures are read from what the benches
print, whatever it is: a row is the same in both where it has the same words under the same heading and as many figures.
Of each figure the medians over the rounds are shown, and the median, the least and the most of the rounds' ratios.
Lines whose figures never differ are shown as they are. Rows that only one side has follow, one side under the other.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from tests.bench.output import write

SIDES = ("old", "new")
LABEL_WIDTH = 64
# What a bench that took too long gets to clean up after itself.
ENDING_S = 15.0
# How far a figure may end from the end of its column's title.
ALIGNED_WITHIN = 3
# A number that is no part of a name, such as the 95 of p95.
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?")
_UNIT = re.compile(r" ?(?:%|x|s|ms|µs|[kKMG]?i?B|MB/s)(?![\w/])")
_GAP = re.compile(r"\s{2,}")
# What stands before a figure may begin with what belongs to the one before it.
_TITLE = re.compile(r"(?:.*[,;:] |.*\()?(.*?)\W*$")


class Row(NamedTuple):
    """One printed line, as far as it can be held against another."""

    text: str
    titles: tuple[str, ...]
    figures: tuple[float, ...]
    shown: tuple[str, ...]


# What makes a row the same in two outputs: its heading, its words, and which of those it is.
Key: TypeAlias = tuple[str, str, int]
Output: TypeAlias = dict[Key, Row]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.compare")
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--corpus", type=Path, required=True, help="folder of real logs")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="names of benches, with commas between")
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds that one run of a bench may take")
    args = parser.parse_args()
    checkouts = {"old": args.old.resolve(), "new": args.new.resolve()}
    known = {side: benches_in(checkout) for side, checkout in checkouts.items()}
    wanted = args.only.split(",") if args.only else sorted(known["old"] & known["new"])
    has_failed = False
    for bench in wanted:
        runs: dict[str, list[str]] = {side: [] for side in SIDES}
        try:
            for _ in range(args.rounds):
                for side in SIDES:
                    output = run(bench, checkouts[side], args.corpus.resolve(), timeout_s=args.timeout)
                    runs[side].append(output)
        except BenchFailed as failed:
            has_failed = True
            write(f"\n== {bench}: {failed}")
            continue
        write(f"\n== {bench}, {args.rounds} rounds")
        write_comparison(runs["old"], runs["new"])
    for side, other in (("old", "new"), ("new", "old")):
        if not args.only and (alone := known[side] - known[other]):
            write(f"\nonly in {side}: {', '.join(sorted(alone))}")
    return int(has_failed)


# ---- running


class BenchFailed(Exception):
    """A bench ended with an error, or not in time."""


def benches_in(checkout: Path) -> set[str]:
    return {path.stem for path in (checkout / "tests" / "bench").glob("bench_*.py")}


def run(bench: str, checkout: Path, corpus: Path, *, timeout_s: float) -> str:
    """What a bench prints."""
    command = [str(checkout / ".venv" / "bin" / "python"), "-m", f"tests.bench.{bench}", *arguments_of(bench, corpus)]
    # In a session of its own, so that what it started can be ended with it.
    with subprocess.Popen(
        command, cwd=checkout, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            output, errors = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            end_session(process)
            raise BenchFailed(f"{checkout} did not finish within {timeout_s:.0f} s") from None
        except BaseException:
            end_session(process)
            raise
    if process.returncode != 0:
        raise BenchFailed(f"{checkout} ended with {process.returncode}\n{errors[-2000:]}")
    return output


def end_session(process: subprocess.Popen[str]) -> None:
    """Let a bench end the daemons it started, which may have left its session; then whatever is still there."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(ENDING_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def arguments_of(bench: str, corpus: Path) -> list[str]:
    return _ARGUMENTS.get(bench, _whole)(corpus)


def _whole(corpus: Path) -> list[str]:
    return [str(corpus)]


def _nothing(corpus: Path) -> list[str]:
    return []


def _lines_of_one_agent(corpus: Path) -> list[str]:
    return [str(_claude_code(corpus))]


def _each_agent(corpus: Path) -> list[str]:
    return [str(folder) for folder in sorted(_claude_code(corpus).parent.iterdir()) if folder.is_dir()]


def _claude_code(corpus: Path) -> Path:
    found = next((folder for folder in sorted(corpus.rglob("claude-code")) if folder.is_dir()), None)
    return found or corpus


# As .ci/run calls them; any other bench gets the whole folder.
_ARGUMENTS: dict[str, Callable[[Path], list[str]]] = {
    **dict.fromkeys(("bench_answers", "bench_connect", "bench_hook", "bench_idle", "bench_initialize"), _nothing),
    **dict.fromkeys(("bench_many_logs", "bench_outline", "bench_panel", "bench_terminal"), _nothing),
    "bench_fold": _each_agent,
    "bench_reading": _lines_of_one_agent,
    "bench_redact": _lines_of_one_agent,
}


# ---- reading


def rows_of(text: str) -> Output:
    """The lines of a bench's output, by what they say."""
    found: Output = {}
    heading, titles = "", ""
    is_beginning = True
    for line in text.splitlines():
        if not line.strip():
            is_beginning = True
            continue
        row = row_of(line, titles)
        words = label_of(line)
        if is_beginning:
            heading, is_beginning = words, False
        if is_title_line(line):
            titles = line
        number = sum(key[:2] == (heading, words) for key in found)
        found[heading, words, number] = row
    return found


def is_title_line(line: str) -> bool:
    """Whether a line names the columns of those below it: several words far apart, and no figure by itself."""
    cells = _GAP.split(line.strip())
    return len(cells) > 1 and not any(_NUMBER.fullmatch(cell.split()[0]) for cell in cells)


def label_of(line: str) -> str:
    """A line's words: of a row of a table its first column, of a sentence all but the figures."""
    first, *others = _GAP.split(line.strip(), maxsplit=1)
    return first if others else " ".join(_NUMBER.sub("#", line).split())


def row_of(line: str, titles: str) -> Row:
    begin = first_column_end(line)
    names: list[str] = []
    figures: list[float] = []
    shown: list[str] = []
    before = begin
    for match in _NUMBER.finditer(line, begin):
        unit = _UNIT.match(line, match.end())
        end = unit.end() if unit else match.end()
        names.append(title_over(titles, end) if begin else title_before(line[before : match.start()]))
        figures.append(float(match.group()))
        shown.append(line[match.start() : end])
        before = end
    return Row(line, tuple(names), tuple(figures), tuple(shown))


def first_column_end(line: str) -> int:
    """Where the figures of a row of a table begin; 0 for a sentence."""
    gap = _GAP.search(line, len(line) - len(line.lstrip()))
    return gap.end() if gap is not None else 0


def title_over(titles: str, end: int) -> str:
    """The title of the column in which a figure ends there; "" where it stands under none."""
    found = [(abs(cell.end() - end), cell.group()) for cell in re.finditer(r"\S+(?: \S+)*", titles)]
    distance, title = min(found, default=(ALIGNED_WITHIN + 1, ""))
    return title if distance <= ALIGNED_WITHIN else ""


def title_before(text: str) -> str:
    match = _TITLE.match(text.strip())
    return match.group(1).strip() if match is not None else ""


# ---- writing


def write_comparison(old_runs: Sequence[str], new_runs: Sequence[str]) -> None:
    old = [rows_of(text) for text in old_runs]
    new = [rows_of(text) for text in new_runs]
    write(f"{'':<{LABEL_WIDTH}}{'old':>12}{'new':>12}{'new/old':>9}   least to most")
    for key in old[0]:
        if not is_in_all(key, [*old, *new]):
            continue
        pairs = [(one[key], other[key]) for one, other in zip(old, new, strict=True)]
        if all(row.figures == pairs[0][0].figures for pair in pairs for row in pair):
            write(pairs[0][0].text)
            continue
        text = pairs[0][0].text
        is_sentence = not first_column_end(text)
        if is_sentence:
            write(text)
        for line in figures_side_by_side("" if is_sentence else label_of(text), pairs):
            write(line)
    for side, outputs, all_outputs in (("old", old, [*old, *new]), ("new", new, [*old, *new])):
        alone = [row.text for key, row in outputs[-1].items() if not is_in_all(key, all_outputs)]
        if alone:
            write(f"-- not to be matched, as {side} printed it last")
            for text in alone:
                write(text)


def is_in_all(key: Key, outputs: Sequence[Output]) -> bool:
    return len({len(output[key].figures) if key in output else -1 for output in outputs}) == 1 and key in outputs[0]


def figures_side_by_side(label: str, pairs: Sequence[tuple[Row, Row]]) -> Iterator[str]:
    """A line for each figure of a row that differs between any two runs."""
    for place, title in enumerate(pairs[0][0].titles):
        olds = [old.figures[place] for old, _ in pairs]
        news = [new.figures[place] for _, new in pairs]
        if len({*olds, *news}) == 1:
            continue
        ratios = [one / other for one, other in zip(news, olds, strict=True) if other]
        name = f"{label or ' '} · {title or f'figure {place + 1}'}"
        compared = f"{statistics.median(ratios):>9.2f}   {min(ratios):.2f} to {max(ratios):.2f}" if ratios else ""
        unit = pairs[0][0].shown[place].lstrip("-.0123456789").strip()
        yield f"{cut(name):<{LABEL_WIDTH}}{median(olds, unit):>12}{median(news, unit):>12}{compared}"


def median(figures: Sequence[float], unit: str) -> str:
    return f"{statistics.median(figures):g} {unit}".strip()


def cut(name: str) -> str:
    return name if len(name) < LABEL_WIDTH else f"{name[: LABEL_WIDTH - 2]}…"


if __name__ == "__main__":
    sys.exit(main())
