"""Where a record stands among all records with an id: by it, a prompt that hangs on an earlier one is placed.

Record ids are told apart by their last characters, kept packed: a session has tens of thousands.
"""

from __future__ import annotations

from recapd.core.state.chunked import Chunked, Growing
from recapd.core.state.draft import Draft

# Ids that agents make by the clock begin alike; their ends differ.
ID_CHARS = 8
IDS_PER_CHUNK = 512


def pack_ids(draft: Draft) -> None:
    """Pack the ids that the draft has come by: as text they take ten times the room."""
    ids = draft.record_ids
    if ids:
        draft.packed_ids += packed(ids)
        draft.last_record = ids[-1]
        ids.clear()


def ids_with(known: Chunked[bytes], more: bytes | bytearray) -> Chunked[bytes]:
    """Known record ids and more, packed, in pieces of a fixed size, so that equal histories have equal pieces."""
    size = IDS_PER_CHUNK * ID_CHARS
    pieces = Growing(known)
    start = 0
    if len(pieces) and len(pieces[-1]) < size:
        start = size - len(pieces[-1])
        pieces[-1] += more[:start]
    for begin in range(start, len(more), size):
        pieces.append(bytes(more[begin : begin + size]))
    return pieces.freeze()


def packed(ids: list[str]) -> bytes:
    size = len(ids[0])
    if size >= ID_CHARS and set(map(len, ids)) == {size} and (joined := "".join(ids)).isascii():
        # Ids of one length, as most agents make them, are cut all at once: character by character, each of all ids.
        text = joined.encode()
        columns = bytearray(len(ids) * ID_CHARS)
        for at in range(ID_CHARS):
            columns[at::ID_CHARS] = text[size - ID_CHARS + at :: size]
        return bytes(columns)
    return b"".join([_packed_id(text) for text in ids])


def count_of(draft: Draft) -> int:
    """How many records with an id there are."""
    return draft.base.record_count + len(draft.packed_ids) // ID_CHARS + len(draft.record_ids)


def position_of(draft: Draft, record_id: str) -> int:
    """Position of a record among all records with an id, or -1. Searched from the end: rewinds are short."""
    pack_ids(draft)
    wanted = _packed_id(record_id)
    if (found := _last_in(draft.packed_ids, wanted)) >= 0:
        return draft.base.record_count + found
    chunks = draft.base.record_ids
    for number in range(len(chunks) - 1, -1, -1):
        if (found := _last_in(chunks[number], wanted)) >= 0:
            return number * IDS_PER_CHUNK + found
    return -1


def _last_in(ids: bytes | bytearray, wanted: bytes) -> int:
    """Number of the last of the packed ids that is the wanted one, or -1."""
    found = ids.rfind(wanted)
    while found >= 0 and found % ID_CHARS:
        found = ids.rfind(wanted, 0, found + ID_CHARS - 1)
    return found // ID_CHARS if found >= 0 else -1


def last_record(draft: Draft) -> str:
    return draft.record_ids[-1] if draft.record_ids else draft.last_record


def _packed_id(record_id: str) -> bytes:
    return record_id[-ID_CHARS:].ljust(ID_CHARS).encode("utf-8", "replace")[:ID_CHARS]
