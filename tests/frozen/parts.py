"""The parts of a recording, and making one."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from tests.frozen import (
    part_commands,
    part_connection,
    part_logs,
    part_recap_file,
    part_restart,
    part_summaries,
    part_world,
)
from tests.frozen.checkouts import Checkout, checkout_at
from tests.frozen.recording import REVISION_NORMALISATIONS, Normalisation, Recorder, Wanted, wanted_of
from tests.frozen.stage import staged

# What is recorded is asked of the checkout; the last says which logs or connections are wanted, where some may not be.
Record: TypeAlias = Callable[[Checkout, Recorder, Wanted], None]


class Part(Struct, frozen=True):
    """What is recorded together, in new folders of its own."""

    record: Record
    normalisations: tuple[Normalisation, ...] = ()


# The quick ones first: what is wrong with them is known sooner.
PARTS: dict[str, Part] = {
    "recap-file": Part(part_recap_file.record_recap_file),
    "restart": Part(part_restart.record_restart),
    "summaries": Part(part_summaries.record_summaries),
    "connection": Part(part_connection.record_connections),
    "commands": Part(part_commands.record_commands),
    "world": Part(part_world.record_world, part_world.NORMALISATIONS),
    "logs": Part(part_logs.record_logs, REVISION_NORMALISATIONS),
}


def record(
    folder: Path, out: Path, *, stage_folder: Path, corpus: Path | None, only: str | None, hash_seed: int = 0
) -> Iterator[tuple[str, int, float]]:
    """Record a checkout, part by part; each part's name, its number of answers, and the seconds it took.

    `only` names a part, else it is part of the names of the logs and connections that are wanted.
    """
    shutil.rmtree(out, ignore_errors=True)
    with staged(stage_folder, corpus) as stage:
        checkout = checkout_at(folder, stage, hash_seed=hash_seed)
        for name, part in PARTS.items():
            if (is_wanted := wanted_of(name, only, PARTS)) is None:
                continue
            began = time.monotonic()
            stage.clear()
            with Recorder(out, name, part.normalisations) as recorder:
                part.record(checkout, recorder, is_wanted)
            yield name, recorder.count, time.monotonic() - began
