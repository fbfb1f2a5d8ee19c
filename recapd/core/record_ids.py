"""Where a record stands among all records with an id: by it, a prompt that hangs on an earlier one is placed.

Record ids are told apart by their last characters, kept packed: a session has tens of thousands.
"""

from __future__ import annotations

from operator import indexOf, itemgetter

from recapd.core.chunked import Chunked, Growing
from recapd.core.draft import Draft

# Ids that agents make by the clock begin alike; their ends differ.
ID_CHARS = 8
IDS_PER_CHUNK = 512

_last_chars = itemgetter(slice(-ID_CHARS, None))


def pack_ids(known: Chunked[bytes], ids: list[str]) -> Chunked[bytes]:
    """Known record ids and more, packed into pieces of a fixed size, so that equal histories have equal pieces."""
    packed = _packed(ids)
    size = IDS_PER_CHUNK * ID_CHARS
    pieces = Growing(known)
    start = 0
    if len(pieces) and len(pieces[-1]) < size:
        start = size - len(pieces[-1])
        pieces[-1] += packed[:start]
    for begin in range(start, len(packed), size):
        pieces.append(packed[begin : begin + size])
    return pieces.freeze()


def _packed(ids: list[str]) -> bytes:
    size = len(ids[0])
    if size >= ID_CHARS and set(map(len, ids)) == {size} and (joined := "".join(ids)).isascii():
        # Ids of one length, as most agents make them, are cut all at once: character by character, each of all ids.
        text = joined.encode()
        columns = bytearray(len(ids) * ID_CHARS)
        for at in range(ID_CHARS):
            columns[at::ID_CHARS] = text[size - ID_CHARS + at :: size]
        return bytes(columns)
    return b"".join([_packed_id(text) for text in ids])


def position_of(draft: Draft, record_id: str) -> int:
    """Position of a record among all records with an id, or -1. Searched from the end: rewinds are short."""
    recent = draft.id_ends
    # A prompt may hang on a record of another file, and then all are looked through: each is cut only once.
    recent += map(_last_chars, draft.record_ids[len(recent) :])
    try:
        return draft.base.record_count + len(recent) - 1 - indexOf(reversed(recent), _last_chars(record_id))
    except ValueError:
        pass
    wanted = _packed_id(record_id)
    chunks = draft.base.record_ids
    for number in range(len(chunks) - 1, -1, -1):
        found = chunks[number].rfind(wanted)
        while found >= 0 and found % ID_CHARS:
            found = chunks[number].rfind(wanted, 0, found + ID_CHARS - 1)
        if found >= 0:
            return number * IDS_PER_CHUNK + found // ID_CHARS
    return -1


def last_record(draft: Draft) -> str:
    return draft.record_ids[-1] if draft.record_ids else draft.base.last_record


def _packed_id(record_id: str) -> bytes:
    return record_id[-ID_CHARS:].ljust(ID_CHARS).encode("utf-8", "replace")[:ID_CHARS]
