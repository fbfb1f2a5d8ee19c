"""What each part of the digest pipeline contributes: digests of labelled sessions with one part switched off at a time.

    python -m tests.eval.ablation LABELS LOGS [--budget N] [--only NAME]

Labels and scoring are those of `recaps`: a point counts when its keywords stand near each other in the text, which is
cut to four characters for each token of the budget. Each row is a variant, with the difference to the whole pipeline.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct

from recapd.core.settings import DEFAULTS, DigestSettings
from recapd.core.summaries.digest.pipeline import Digest, digest_of
from recapd.core.summaries.digest.script import Beat
from recapd.core.summaries.digest.select import Frame
from recapd.daemon.library import Library
from recapd.server.digests import plan_of
from recapd.server.log_texts import read_all
from recapd.wire.types import SummaryDigestParams
from tests.eval.recaps import Label, judge

WHOLE = DEFAULTS.digest


class Material(Struct, frozen=True):
    name: str
    label: Label
    beats: tuple[Beat, ...]
    frame: Frame


Variant: TypeAlias = Callable[[Material, int], Digest]


def _with(**changed: float) -> Variant:
    settings = msgspec.convert(msgspec.to_builtins(WHOLE) | changed, DigestSettings)
    return lambda material, budget: digest_of(material.beats, settings, budget=budget, frame=material.frame)


def _beats_of(is_kept: Callable[[Beat], bool]) -> Variant:
    return lambda material, budget: digest_of(
        tuple(filter(is_kept, material.beats)), WHOLE, budget=budget, frame=material.frame
    )


def _frame(**changed: object) -> Variant:
    return lambda material, budget: digest_of(
        material.beats, WHOLE, budget=budget, frame=msgspec.structs.replace(material.frame, **changed)
    )


VARIANTS: dict[str, Variant] = {
    "whole pipeline": _with(),
    "without merging": _with(merge_similarity=1.0),
    "without compaction": _with(min_chunk_chars=0),
    "without recency": _with(recency=0.0),
    "without centrality": _with(centrality=0.0),
    "without consequence": _with(consequence=0.0),
    "recency only (mindloop)": _with(centrality=0.0, consequence=0.0, novelty=0.0),
    "without calls": _beats_of(lambda beat: beat.voice != "action"),
    "without the agent's words": _beats_of(lambda beat: beat.voice != "agent"),
    "without the request": _frame(request=""),
    "without decisions": _frame(decisions=()),
    "without open items": _frame(open_items=()),
}


def materials(labels: Path, logs: Path, only: str) -> list[Material]:
    found: list[Material] = []
    for path in sorted(labels.glob("*.json")):
        if only in path.stem:
            label = msgspec.json.decode(path.read_bytes(), type=Label)
            library = Library([])
            session = library.load(logs / f"{path.stem}.jsonl")
            frame = plan_of(library, session, SummaryDigestParams()).frame
            found.append(Material(path.stem, label, read_all(library, session.main).beats, frame))
    return found


def score(variant: Variant, material: Material, budget: int) -> float:
    text = variant(material, budget).text
    return judge(material.label, name=material.name, format="full", markdown=text[: budget * 4]).score


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path)
    parser.add_argument("logs", type=Path)
    parser.add_argument("--budget", type=int, default=1000)
    parser.add_argument("--only", default="")
    args = parser.parse_args(arguments)
    sessions = materials(args.labels, args.logs, args.only)
    whole = 0.0
    for name, variant in VARIANTS.items():
        mean = sum(score(variant, each, args.budget) for each in sessions) / max(len(sessions), 1)
        whole = whole or mean
        sys.stdout.write(f"{name:28} {mean:.3f}  {mean - whole:+.3f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
