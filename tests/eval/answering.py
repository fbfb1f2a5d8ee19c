"""A reader by hand, for the provider `command`: writes the prompt into a folder, and prints the answer that lies beside
it.

    answering.py FOLDER < prompt

A prompt is `NN-DIGEST.prompt.txt`, its answer `NN-DIGEST.answer.json`: an answer belongs to one prompt, to the letter.
Ends with 3 where there is none yet.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path


def main() -> int:
    folder = Path(sys.argv[1])
    prompt = sys.stdin.buffer.read()
    folder.mkdir(parents=True, exist_ok=True)
    digest = hashlib.blake2b(prompt, digest_size=4).hexdigest()
    known = sorted(folder.glob("*.prompt.txt"))
    number = next((path.name.partition("-")[0] for path in known if digest in path.name), f"{len(known) + 1:02}")
    (folder / f"{number}-{digest}.prompt.txt").write_bytes(prompt)
    answer = folder / f"{number}-{digest}.answer.json"
    if not answer.exists():
        return 3
    sys.stdout.buffer.write(answer.read_bytes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
