"""What was found in the scenes of a source as rows for the store, each with a mark of the scene it was found in.

No secret enters: what holds one is not written down, and found again after a restart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from recapd.daemon.encoding.states import without_secrets

if TYPE_CHECKING:
    from recapd.core.decisions import Finding, Scene

_STAMP_BYTES = 12


class JudgedRow(Struct, frozen=True):
    """One scene: its number, what it was, and what was found in it."""

    number: int
    stamp: bytes
    body: bytes


def judged_row(scene: Scene, findings: tuple[Finding, ...]) -> JudgedRow | None:
    """None where something in it is a secret."""
    if without_secrets(findings) is not findings:
        return None
    try:
        return JudgedRow(scene.number, _stamp_of(scene), msgspec.msgpack.encode(findings))
    except ValueError:
        # Half a character somewhere in it.
        return None


def findings_in(rows: Mapping[int, JudgedRow], scene: Scene) -> tuple[Finding, ...] | None:
    """What was found in the scene, where that is known and the scene is the same."""
    row = rows.get(scene.number)
    try:
        return _decoder()(row.body) if row is not None and row.stamp == _stamp_of(scene) else None
    except ValueError:
        # Damaged, or half a character somewhere in the scene.
        return None


@cache
def _decoder() -> Callable[[bytes], tuple[Finding, ...]]:
    # What decisions are takes a while to import, and who makes rows of sources has no need of it.
    from recapd.core.decisions import Finding

    return msgspec.msgpack.Decoder(tuple[Finding, ...]).decode


def _stamp_of(scene: Scene) -> bytes:
    return blake2b(msgspec.msgpack.encode(scene), digest_size=_STAMP_BYTES).digest()
