"""Freezes what recapd says to the outside, and compares two checkouts byte for byte.

    python -m tests.frozen OLD NEW [--corpus FOLDER] [--keep FOLDER] [--only NAME]   record both, and compare
    python -m tests.frozen record CHECKOUT OUT [--corpus FOLDER] [--only NAME]       keep a recording for later
    python -m tests.frozen compare OUT_OLD OUT_NEW [--only NAME]

It uses only what users and editors use: commands, frames of the protocol, and files. Inputs are taken from the
checkout that this script stands in, and laid out in one folder (`stage.py`). One recording runs at a time, with one
daemon at a time. The exit code is 1 where anything differs.

    recap-file   `_recap.md` while a conversation goes on, and the commands that switch it on and off
    restart      what is kept: marks, verdicts, summaries, a log that grew, a log that was deleted
    summaries    those that the daemon makes by itself
    connection   scripted clients, frame by frame, while a log grows: plain and LSP, by socket, stdio, connect, TCP
    commands     help texts, answers, mistakes, what a terminal gets
    world        a daemon that follows all logs at once: lists, overviews, status, each session by its id
    logs         every log by itself, and every question about it (`questions.py`)

What is fixed, by `site/sitecustomize.py` in every process: the time of day, `secrets`. Files have a fixed age. Sets are
walked in the same order (PYTHONHASHSEED), for a few answers depend on it: two recordings with different --hash-seed
tell which.

What cannot be fixed is replaced in the recording, and nothing else is:

    revision, also inside `cursor`      in world and logs: which log is read first, and in how many pieces, is up to the
                                        scheduler, and --only reads fewer; the other parts keep them
    memoryBytes, residentBytes,         what the process takes, and how far it is with writing: of the machine
    sessionsWhole, sessionsOnDisk,
    pending, depth
    sizeBytes of the store, writtenAt   size and age of SQLite's files
    pid                                 given by the system
    <size> of memory, on disk           the same in the status for people
    <limit> allowed                     the machine's own limit of watched folders, told by `doctor`
    <checkout>                          the folder of the checkout, where a command names it

Left out: `recapd/didChangeStatus`, which comes whenever the index moves on, in connections.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from tests.frozen.compare import compare
from tests.frozen.output import write
from tests.frozen.parts import PARTS, record
from tests.frozen.stage import DEFAULT_STAGE, ROOT


def main(arguments: list[str]) -> int:
    command = arguments[0] if arguments and arguments[0] in ("record", "compare") else ""
    args = _parser(command).parse_args(arguments[1:] if command else arguments)
    if command == "compare":
        return 0 if compare(args.old, args.new, args.only) else 1
    if command == "record":
        _record(args.checkout, args.out, args)
        return 0
    keep = args.keep or Path(tempfile.mkdtemp(prefix="recapd-frozen-kept-"))
    try:
        for name, checkout in (("old", args.old), ("new", args.new)):
            _record(checkout, keep / name, args)
        return 0 if compare(keep / "old", keep / "new", args.only) else 1
    finally:
        if args.keep is None:
            shutil.rmtree(keep)


def _record(checkout: Path, out: Path, args: argparse.Namespace) -> None:
    if out.resolve().is_relative_to(ROOT) or out.resolve().is_relative_to(checkout.resolve()):
        raise SystemExit(f"{out} is inside a checkout; recordings hold what logs say, and are kept elsewhere")
    began = time.monotonic()
    for part, count, took_s in record(
        checkout, out, stage_folder=args.stage, corpus=args.corpus, only=args.only, hash_seed=args.hash_seed
    ):
        write(f"{part:<12} {count:>7} answers {took_s:>7.1f} s")
    write(f"{checkout} is recorded in {out} after {time.monotonic() - began:.0f} s")


def _parser(command: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m tests.frozen {command}".strip(),
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if command == "record":
        parser.add_argument("checkout", type=Path, help="folder with recapd in it")
        parser.add_argument("out", type=Path, help="folder to keep the recording in, outside of any checkout")
    else:
        parser.add_argument("old", type=Path)
        parser.add_argument("new", type=Path)
    parts = ", ".join(PARTS)
    parser.add_argument("--only", metavar="NAME", help=f"a part ({parts}), or part of names of logs")
    if command != "compare":
        parser.add_argument("--corpus", type=Path, metavar="FOLDER", help="real session logs to read as well")
        parser.add_argument(
            "--stage",
            type=Path,
            default=DEFAULT_STAGE,
            metavar="FOLDER",
            help=f"where to read them (default: {DEFAULT_STAGE})",
        )
        parser.add_argument("--hash-seed", type=int, default=0, metavar="N", help="PYTHONHASHSEED (default: 0)")
    if not command:
        parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep both recordings here")
    return parser


if __name__ == "__main__":
    # Whoever ends the script also ends what it started.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    sys.exit(main(sys.argv[1:]))
