"""Turns: what the human asked, what the agent answered, and which of it still belongs to the conversation.

turn      one message of the human and everything until the next
exchange  a turn that the agent answered in words
message   one prompt, or one message of the agent that says something
"""

from __future__ import annotations

from operator import indexOf, itemgetter

import msgspec

from recapd.core.beginnings import beginning
from recapd.core.chunked import Chunked, Growing
from recapd.core.draft import MAX_REQUESTS, Draft
from recapd.core.events import Prompt, Queued, Record, Reply, Rewound
from recapd.core.state import Request, Turn
from recapd.core.times import seconds_between

# The end of the last answer, in which a question to the human is looked for.
LAST_WORDS_CHARS = 600
# Record ids are told apart by their last characters, kept packed: a session has tens of thousands.
ID_CHARS = 8
IDS_PER_CHUNK = 512

# Ids that agents make by the clock begin alike; their ends differ.
_last_chars = itemgetter(slice(-ID_CHARS, None))

# Prompts that carry no request of their own.
_SMALL_TALK = frozenset(
    (
        "hi hello hey yo test testing ping yes no y n ok okay sure thanks thx thank you go on ahead continue proceed "
        "next resume retry again try it that this do so good great nice cool done stop wait please help start begin "
        "hallo hola salut bonjour ciao ja nein si oui 你好 继续 好的 好 是 是的 はい 続けて"
    ).split()
)


def on_prompt(draft: Draft, record: Record, prompt: Prompt) -> None:
    if prompt.weak and draft.n_turns and not draft.turns_are_weak:
        return
    if draft.turns_are_weak and not prompt.weak:
        _forget_weak_turns(draft)
    if draft.queued:
        draft.queued = [waiting for waiting in draft.queued if not _is_same_text(waiting.text, prompt.text)]
    request = Request(beginning(prompt.text), draft.turn_number, record.at, record.place, prompt.kind)
    if prompt.kind == "command":
        _count_words(draft, prompt.text)
        draft.commands_given.append(request)
        _note_original(draft, request)
        draft.ending = ("prompt", "", record.place, record.at)
        return
    if _is_delivered_already(draft, prompt.text):
        return
    close_turn(draft)
    if record.parent and record.parent != _last_record(draft):
        _abandon_after(draft, record)
    _count_words(draft, prompt.text)
    _begin_turn(draft, record, request)
    draft.turns_are_weak = prompt.weak


def on_queued(draft: Draft, record: Record, queued: Queued) -> None:
    """Words typed while the agent works wait until they come back as a prompt, are delivered, or are taken back."""
    if queued.delivered:
        waiting = next(
            (each for each in draft.queued if not queued.text or _is_same_text(each.text, queued.text)), None
        )
        if waiting is not None:
            draft.queued.remove(waiting)
            close_turn(draft)
            _count_words(draft, waiting.text)
            _begin_turn(draft, record, waiting)
        return
    if not queued.taken_back:
        request = Request(beginning(queued.text), draft.turn_number, record.at, record.place, "queued")
        draft.queued = [*draft.queued, request][-MAX_REQUESTS:]
        return
    draft.queued = [each for each in draft.queued if queued.text and not _is_same_text(each.text, queued.text)]


def _begin_turn(draft: Draft, record: Record, request: Request) -> None:
    draft.n_turns += 1
    draft.n_messages += 1
    draft.turn_number += 1
    request = Request(request.text, draft.turn_number, request.at, request.place, request.kind)
    # Since anybody last did something: bookkeeping is written whenever an agent is opened or closed.
    gap = seconds_between(draft.ending[3], record.at) if record.at else None
    draft.turns.append(
        Turn(
            number=draft.turn_number,
            request=request,
            session=record.session,
            first_record=draft.base.record_count + len(draft.record_ids),
            gap_s=max(gap, 0.0) if gap is not None else 0.0,
            messages=0,
        )
    )
    draft.turn_messages = 1
    draft.last_message = ""
    _note_original(draft, request)
    draft.ending = ("prompt", "", request.place, record.at)


def _is_delivered_already(draft: Draft, text: str) -> bool:
    """Whether the turn that has just begun is this prompt, from the queue: some versions log a delivery twice."""
    if draft.ending[0] != "prompt" or not len(draft.turns):
        return False
    request = draft.turns[-1].request
    return request.kind == "queued" and _is_same_text(request.text, text)


def _count_words(draft: Draft, text: str) -> None:
    gauge = draft.human
    gauge.chars += len(text)
    if gauge.chars >= gauge.next_sample:
        gauge.sample(text)


def on_reply(draft: Draft, record: Record, reply: Reply) -> None:
    text = reply.text
    gauge = draft.agent
    gauge.chars += len(text)
    if gauge.chars >= gauge.next_sample:
        gauge.sample(text)
    if not reply.message_id or reply.message_id != draft.last_message:
        draft.n_messages += 1
        draft.turn_messages += 1
        draft.last_message = reply.message_id
    draft.reply_text = text
    draft.reply_place = record.place
    draft.ending = ("reply", "", record.place, record.at)


def on_rewound(draft: Draft, record: Record, rewound: Rewound) -> None:
    close_turn(draft)
    alive = [row for row in range(len(draft.turns)) if not draft.turns[row].abandoned]
    _abandon(draft, alive[max(0, len(alive) - rewound.turns) :])
    draft.ending = ("interrupted", "rewound", record.place, record.at)


def on_branch_left(draft: Draft, record: Record) -> None:
    """The human went back to an earlier record; what was said since is told in a summary that hangs on it."""
    close_turn(draft)
    if record.parent and record.parent != _last_record(draft):
        _abandon_after(draft, record)


def close_turn(draft: Draft) -> None:
    """Write what was counted since the turn began, or since the last batch, into the turn's row."""
    text, place = draft.reply_text, draft.reply_place
    messages, calls, failed = draft.turn_messages, draft.turn_calls, draft.turn_failed
    draft.reply_text, draft.reply_place = "", None
    draft.turn_messages = draft.turn_calls = draft.turn_failed = 0
    if place is not None:
        draft.last_words = text[-LAST_WORDS_CHARS:]
    if not len(draft.turns):
        return
    turn = draft.turns[-1]
    if turn.abandoned or not (messages or calls or failed or place):
        return
    if place is not None and turn.replied is None:
        draft.n_exchanges += 1
    draft.turns[-1] = Turn(
        number=turn.number,
        request=turn.request,
        session=turn.session,
        first_record=turn.first_record,
        gap_s=turn.gap_s,
        messages=turn.messages + messages,
        calls=turn.calls + calls,
        failed=turn.failed + failed,
        outcome=beginning(text) if place is not None else turn.outcome,
        replied=place or turn.replied,
    )


def is_substantive(text: str) -> bool:
    """Whether a prompt asks for something, rather than greeting, nodding or nudging."""
    words = text.lower().strip(" .!?,。！？…").split()
    if not words:
        return False
    if all(word.strip(".,!?:;。！？") in _SMALL_TALK for word in words):
        return False
    return len(words) >= 2 or len(words[0]) >= 4


def pack_ids(known: Chunked[bytes], ids: list[str]) -> Chunked[bytes]:
    """Known record ids and more, packed into pieces of a fixed size, so that equal histories have equal pieces."""
    joined = "".join(map(_last_chars, ids))
    if joined.isascii() and len(joined) == len(ids) * ID_CHARS:
        packed = joined.encode()
    else:
        packed = b"".join([_packed_id(text) for text in ids])
    size = IDS_PER_CHUNK * ID_CHARS
    pieces = Growing(known)
    start = 0
    if len(pieces) and len(pieces[-1]) < size:
        start = size - len(pieces[-1])
        pieces[-1] += packed[:start]
    for begin in range(start, len(packed), size):
        pieces.append(packed[begin : begin + size])
    return pieces.freeze()


def _note_original(draft: Draft, request: Request) -> None:
    """The first request that asks for something; while there is none, the first of all."""
    if draft.original is None:
        draft.original = request
        draft.original_counts = is_substantive(request.text)
    elif not draft.original_counts and is_substantive(request.text):
        draft.original = request
        draft.original_counts = True


def _is_same_text(known: str, text: str) -> bool:
    return beginning(text).strip() == known.strip()


def _forget_weak_turns(draft: Draft) -> None:
    """The format does state prompts plainly: those read from the weaker records were the same, or no prompts."""
    close_turn(draft)
    for turn in (draft.turns[row] for row in range(len(draft.turns))):
        if not turn.abandoned:
            draft.n_messages -= turn.messages
            draft.n_exchanges -= turn.replied is not None
    draft.turns = Growing(Chunked())
    draft.n_turns = draft.n_abandoned = draft.turn_number = 0
    draft.original = None
    draft.turns_are_weak = False


def _abandon_after(draft: Draft, record: Record) -> None:
    """A prompt that hangs on an earlier record replaces the turns since: the human went back and said it otherwise."""
    landing = _position(draft, record.parent)
    if landing < 0:
        return
    later: list[int] = []
    for row in range(len(draft.turns) - 1, -1, -1):
        turn = draft.turns[row]
        if turn.first_record <= landing:
            break
        if not turn.abandoned and turn.session == record.session:
            later.append(row)
    _abandon(draft, later)


def _abandon(draft: Draft, rows: list[int]) -> None:
    for row in rows:
        turn = draft.turns[row]
        draft.turns[row] = msgspec.structs.replace(turn, abandoned=True)
        draft.n_turns -= 1
        draft.n_abandoned += 1
        draft.n_messages -= turn.messages
        draft.n_exchanges -= turn.replied is not None
        if draft.original is not None and draft.original.place == turn.request.place:
            draft.original = None
    if rows:
        backwards = (draft.turns[row] for row in range(len(draft.turns) - 1, -1, -1))
        draft.turn_number = next((turn.number for turn in backwards if not turn.abandoned), 0)
    if rows and draft.original is None:
        for turn in (draft.turns[row] for row in range(len(draft.turns))):
            if not turn.abandoned:
                _note_original(draft, turn.request)


def _position(draft: Draft, record_id: str) -> int:
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


def _packed_id(record_id: str) -> bytes:
    return record_id[-ID_CHARS:].ljust(ID_CHARS).encode("utf-8", "replace")[:ID_CHARS]


def _last_record(draft: Draft) -> str:
    return draft.record_ids[-1] if draft.record_ids else draft.base.last_record
