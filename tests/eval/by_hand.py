"""Sessions read by hand: the prompts that recapd would send, to the letter, and the answers somebody gave to them.

    python -m tests.eval.by_hand FOLDER LOG…

Each run reads every log as far as there are answers, and leaves the next prompt of each in `FOLDER/prompts/NAME/`. An
answer is put beside its prompt (`NN-DIGEST.answer.json`); run again until nothing waits. A later prompt depends on the
answers before it.
What was read is kept in FOLDER as recapd keeps it: with the environment that is printed at the end, any command of
recapd tells the sessions as they were read, and so does whoever scores them.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from time import monotonic

import anyio

ANSWERING = Path(__file__).with_name("answering.py")


def _tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def environment_of(folder: Path) -> dict[str, str]:
    return {
        "RECAPD_STATE_DIR": str(folder / "state"),
        "RECAPD_RUNTIME_DIR": str(folder / "run"),
        "RECAPD_CONFIG": str(folder / "config.toml"),
    }


def configure(folder: Path, name: str) -> None:
    """The reader is the program that looks for an answer in the folder of this session."""
    command = [sys.executable, str(ANSWERING), str(folder / "prompts" / name)]
    listed = ", ".join(f"'{part}'" for part in command)
    (folder / "config.toml").write_text(f"[llm]\nprovider = 'command'\ncommand = [{listed}]\n")


async def read(folder: Path, log: Path) -> bool:
    """Whether it is read to its end."""
    # What is read and where it is kept goes by the environment, which is set by now.
    from recapd.daemon.library import Library
    from recapd.daemon.models import Model, ModelFailure
    from recapd.daemon.reader import read_session
    from recapd.server.readings import reading_of

    configure(folder, log.stem)
    library = Library()
    session = library.complete(library.load(log))
    model = Model(library.durable, now=library.now, clock=monotonic)
    waits = ""
    try:
        await read_session(library, library.durable, model, session, on_piece=lambda done, pieces: None)
    except ModelFailure as failure:
        waiting = [
            path
            for path in sorted((folder / "prompts" / log.stem).glob("*.prompt.txt"))
            if not path.with_name(path.name.replace(".prompt.txt", ".answer.json")).exists()
        ]
        waits = f"waits for an answer to {waiting[-1]}" if waiting else f"failed: {failure}"
    reading = reading_of(library.durable, session)
    if reading is None:
        _tell(f"{log.stem}: {waits or 'nothing to read'}")
        return not waits
    _tell(
        f"{log.stem}: through turn {reading.turn} of {session.main.transcript.totals.turns}, "
        f"{reading.pieces} pieces, {reading.input_tokens:,} tokens in, {reading.output_tokens:,} out, "
        f"{len(reading.decisions)} decisions, {reading.dropped} dropped{'; ' + waits if waits else ''}"
    )
    return not waits


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("logs", type=Path, nargs="+")
    args = parser.parse_args()
    folder = args.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    environment = environment_of(folder)
    os.environ.update(environment)
    waiting = [log for log in args.logs if not anyio.run(read, folder, log.resolve())]
    _tell(f"{len(args.logs) - len(waiting)} read, {len(waiting)} wait. To look at them as they were read:")
    _tell("  env " + " ".join(f"{name}={value}" for name, value in environment.items()) + " recapd recap LOG")
    return 3 if waiting else 0


if __name__ == "__main__":
    sys.exit(main())
