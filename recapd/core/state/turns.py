"""Turns: what the human asked, what the agent answered, and which of it still belongs to the conversation.

turn      one message of the human and everything until the next
exchange  a turn that the agent answered in words
message   one prompt, or one message of the agent that says something
"""

from __future__ import annotations

import msgspec

from recapd.core.log import (
    Place,
    Prompt,
    Queued,
    Record,
    Reply,
    Rewound,
    recorded_in,
    seconds_between,
    without_recorded,
)
from recapd.core.state.answers import without_answer
from recapd.core.state.draft import (
    LAST_WORDS_CHARS,
    MAX_REQUESTS,
    Draft,
    count_of,
    last_record,
    latest,
    note_own_words,
    note_words,
    position_of,
)
from recapd.core.state.growing import Chunked, Growing
from recapd.core.state.progress import note_checklist, note_recorded
from recapd.core.state.revival import revive, row_to_revive
from recapd.core.state.transcript import Request, Turn, Utterance
from recapd.core.text import (
    RAW_CHARS,
    READ_CHARS,
    beginning,
    is_substantive,
    narrates,
    sentences_of,
    strip_quoted_reply,
    without_own_text,
)


def on_prompt(draft: Draft, record: Record, prompt: Prompt) -> None:
    if prompt.weak and draft.totals.turns and not draft.turns_are_weak:
        return
    if (words := without_own_text(prompt.text)) is not prompt.text:
        if not words.strip():
            # All of it came from us: nobody said anything.
            return
        prompt = msgspec.structs.replace(prompt, text=words)
    if draft.ending[0] not in ("nothing", "prompt"):
        # The agent may have asked for it.
        prompt = without_answer(draft, record, prompt)
    if draft.turns_are_weak and not prompt.weak:
        _forget_weak_turns(draft)
    if draft.queued:
        draft.queued = tuple(each for each in draft.queued if not _is_same_text(each.text, prompt.text))
    if prompt.kind == "command":
        _take_command(draft, record, prompt)
        return
    if _is_delivered_already(draft, prompt.text):
        return
    close_turn(draft)
    _revive_for(draft, record)
    if prompt.is_first and draft.is_chained:
        _abandon(draft, _rows_of(draft, record.session))
    elif record.parent and record.parent != last_record(draft) and not draft.is_shared:
        _abandon_after(draft, record)
    _count_words(draft, prompt.text)
    _begin_turn(draft, record, Request(_own(prompt.text), draft.turn_number, record.at, record.place, prompt.kind))
    _note_prompt(draft, record, record.place, chars=len(prompt.text))
    note_own_words(draft, record, "prompt", text=prompt.text)
    draft.said.append((record, prompt.text[:READ_CHARS]))
    draft.turns_are_weak = prompt.weak


def _take_command(draft: Draft, record: Record, prompt: Prompt) -> None:
    """What is asked by a command of the program counts as asked, and begins no turn."""
    request = Request(_own(prompt.typed), draft.turn_number, record.at, record.place, prompt.kind)
    _count_words(draft, prompt.text)
    draft.commands_given = latest(draft.commands_given, request, most=MAX_REQUESTS)
    _note_original(draft, request)
    draft.ending = ("prompt", "", record.place, record.at)
    note_own_words(draft, record, "command", text=prompt.text)


def on_queued(draft: Draft, record: Record, queued: Queued) -> None:
    """Words typed while the agent works wait until they come back as a prompt, are delivered, or are taken back."""
    if queued.delivered:
        waiting = next(
            (each for each in draft.queued if not queued.text or _is_same_text(each.text, queued.text)), None
        )
        if waiting is not None:
            draft.queued = tuple(each for each in draft.queued if each is not waiting)
            close_turn(draft)
            _count_words(draft, waiting.text)
            _begin_turn(draft, record, waiting)
            _note_prompt(draft, record, waiting.place, chars=len(waiting.text))
        return
    if not queued.taken_back:
        request = Request(_own(queued.text), draft.turn_number, record.at, record.place, "queued")
        draft.queued = latest(draft.queued, request, most=MAX_REQUESTS)
        note_words(draft, record, "queued", text=queued.text)
        return
    note_words(draft, record, "unqueued", text=queued.text)
    draft.queued = tuple(each for each in draft.queued if queued.text and not _is_same_text(each.text, queued.text))


def _begin_turn(draft: Draft, record: Record, request: Request) -> None:
    draft.totals.turns += 1
    draft.totals.messages += 1
    draft.turn_number += 1
    draft.turn_row += 1
    request = Request(request.text, draft.turn_number, request.at, request.place, request.kind)
    # Since anybody last did something: bookkeeping is written whenever an agent is opened or closed.
    gap = seconds_between(draft.ending[3], record.at) if record.at else None
    draft.turns.append(
        Turn(
            draft.turn_number,
            request,
            record.session,
            count_of(draft),
            max(gap, 0.0) if gap is not None else 0.0,
            messages=0,
        )
    )
    draft.turn_messages = 1
    draft.last_message = ""
    _note_original(draft, request)
    draft.ending = ("prompt", "", request.place, record.at)


def _is_delivered_already(draft: Draft, text: str) -> bool:
    """Whether the turn that has just begun is this prompt, from the queue: some versions log a delivery twice."""
    if draft.ending[0] != "prompt" or draft.turn_row < 0:
        return False
    request = draft.turns.tail[-1].request
    return request.kind == "queued" and _is_same_text(request.text, text)


def _count_words(draft: Draft, text: str) -> None:
    gauge = draft.human
    gauge.chars += len(text)
    if gauge.chars >= gauge.next_sample:
        gauge.sample(text)


def on_reply(draft: Draft, record: Record, reply: Reply) -> None:
    _revive_for(draft, record)
    text = reply.text
    gauge = draft.agent
    gauge.chars += len(text)
    if gauge.chars >= gauge.next_sample:
        gauge.sample(text)
    if not reply.message_id or reply.message_id != draft.last_message:
        draft.last_message = reply.message_id
        # What the agent still says in a turn that was given up is no message of the conversation.
        if draft.turn_row < 0 or not draft.turns.tail[-1].abandoned:
            draft.totals.messages += 1
            draft.turn_messages += 1
    place, at = record.place, record.at
    draft.utterances.append(
        Utterance("agent", draft.totals.messages - 1, draft.turn_row, place, at, record.id, len(text))
    )
    # An orientation that the agent wrote from our facts is no news, and no outcome.
    text = without_own_text(text)
    recorded = recorded_in(text)
    if recorded:
        text = without_recorded(text)
    note_own_words(draft, record, "reply", text=text)
    draft.said.append((record, text[:READ_CHARS]))
    note_checklist(draft, record, text)
    for each in recorded:
        note_recorded(draft, record, each, place)
    draft.reply_place = place
    draft.replies.append((text, draft.turn_deeds))
    if record.parent and not draft.is_chained:
        draft.is_chained = True
    draft.ending = ("words" if reply.goes_on or draft.is_turn_open else "reply", "", place, at)


def _revive_for(draft: Draft, record: Record) -> None:
    """What hangs on a turn that was given up says that nobody went back: somebody else went on."""
    if not draft.totals.abandoned_turns or not record.parent or record.parent == last_record(draft):
        return
    row = row_to_revive(draft, record)
    if row >= 0:
        close_turn(draft)
        revive(draft, row)
        _note_first_request(draft, row)


def _note_first_request(draft: Draft, row: int) -> None:
    """A request that counts again may be the first."""
    request = draft.turns[row].request
    if draft.original is not None and request.place.offset < draft.original.place.offset:
        draft.original = None
        for turn in (draft.turns[each] for each in range(len(draft.turns))):
            if not turn.abandoned:
                _note_original(draft, turn.request)


def _note_prompt(draft: Draft, record: Record, place: Place, *, chars: int) -> None:
    draft.utterances.append(
        Utterance("user", draft.totals.messages - 1, draft.turn_row, place, record.at, record.id, chars)
    )


def on_rewound(draft: Draft, record: Record, rewound: Rewound) -> None:
    close_turn(draft)
    alive = [row for row in range(len(draft.turns)) if not draft.turns[row].abandoned]
    _abandon(draft, alive[max(0, len(alive) - rewound.turns) :])
    draft.ending = ("interrupted", "rewound", record.place, record.at)


def on_branch_left(draft: Draft, record: Record) -> None:
    """The human went back to an earlier record; what was said since is told in a summary that hangs on it."""
    close_turn(draft)
    if record.parent and record.parent != last_record(draft):
        _abandon_after(draft, record)


def close_turn(draft: Draft) -> None:
    """Write what was counted since the turn began, or since the last batch, into the turn's row."""
    place, replies = draft.reply_place, draft.replies
    text = replies[-1][0] if replies else ""
    totals = draft.totals
    messages, edits = draft.turn_messages, draft.turn_edits
    calls, failed = totals.calls - draft.calls_before, totals.failed_calls - draft.failed_before
    draft.reply_place, draft.replies = None, []
    draft.turn_edits = 0
    deeds, draft.turn_deeds = draft.turn_deeds, (0, 0)
    draft.turn_messages, draft.calls_before, draft.failed_before = 0, totals.calls, totals.failed_calls
    if place is not None:
        draft.last_words = text[-LAST_WORDS_CHARS:]
    if draft.turn_row < 0:
        return
    turn = draft.turns.tail[-1]
    if turn.abandoned or not (messages or calls or failed or edits or place):
        return
    if place is not None and turn.replied is None:
        totals.exchanges += 1
    telling, since = turn.telling, (turn.deeds_since + deeds[0], turn.edits_since + deeds[1])
    if (told := next((reply for reply in reversed(replies) if not _only_narrates(reply[0])), None)) is not None:
        telling, since = told[0][:READ_CHARS], (deeds[0] - told[1][0], deeds[1] - told[1][1])
    draft.turns[-1] = Turn(
        turn.number,
        turn.request,
        turn.session,
        turn.first_record,
        turn.gap_s,
        turn.messages + messages,
        turn.calls + calls,
        turn.failed + failed,
        beginning(text) if place is not None else turn.outcome,
        place or turn.replied,
        telling=telling,
        edits=turn.edits + edits,
        deeds_since=since[0],
        edits_since=since[1],
        # Somebody may have made the agent go on.
        ended_empty=turn.ended_empty and place is None and not calls,
    )


def _only_narrates(reply: str) -> bool:
    """Whether all that an agent says is what it is about to do: words that begin so may go on with what it found."""
    return narrates(reply) and all(map(narrates, sentences_of(reply.strip().rpartition("\n")[2])))


def _note_original(draft: Draft, request: Request) -> None:
    """The first request that asks for something; while there is none, the first of all."""
    if draft.original is None:
        draft.original = request
        draft.original_counts = is_substantive(request.text)
    elif not draft.original_counts and is_substantive(request.text):
        draft.original = request
        draft.original_counts = True


def _is_same_text(known: str, text: str) -> bool:
    return _own(text).strip() == known.strip()


def _own(text: str) -> str:
    """The beginning of the human's own words: what a reply quotes, and its signature, are not."""
    own = strip_quoted_reply(text)
    return own if len(own) <= RAW_CHARS else beginning(own)


def _forget_weak_turns(draft: Draft) -> None:
    """The format does state prompts plainly: those read from the weaker records were the same, or no prompts."""
    close_turn(draft)
    for turn in (draft.turns[row] for row in range(len(draft.turns))):
        if not turn.abandoned:
            draft.totals.messages -= turn.messages
            draft.totals.exchanges -= turn.replied is not None
    draft.turns = Growing(Chunked())
    draft.turn_row = -1
    said_before = [said for said in draft.utterances.freeze() if said.turn_row < 0]
    draft.utterances = Growing(Chunked())
    for said in said_before:
        draft.utterances.append(said)
    heard_before = [passage for passage in draft.passages.freeze() if passage.turn_row < 0]
    draft.passages = Growing(Chunked())
    for passage in heard_before:
        draft.passages.append(passage)
    draft.totals.turns = draft.totals.abandoned_turns = draft.turn_number = 0
    draft.original = None
    draft.turns_are_weak = False


def _rows_of(draft: Draft, session: str) -> list[int]:
    """The turns of a session that are alive, the latest first."""
    rows = range(len(draft.turns) - 1, -1, -1)
    return [row for row in rows if not draft.turns[row].abandoned and draft.turns[row].session == session]


def _abandon_after(draft: Draft, record: Record) -> None:
    """A prompt that hangs on an earlier record replaces the turns since: the human went back and said it otherwise."""
    landing = position_of(draft, record.parent)
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
        draft.totals.turns -= 1
        draft.totals.abandoned_turns += 1
        draft.totals.messages -= turn.messages
        draft.totals.exchanges -= turn.replied is not None
        if draft.original is not None and draft.original.place == turn.request.place:
            draft.original = None
    if rows:
        backwards = (draft.turns[row] for row in range(len(draft.turns) - 1, -1, -1))
        draft.turn_number = next((turn.number for turn in backwards if not turn.abandoned), 0)
    if rows and draft.original is None:
        for turn in (draft.turns[row] for row in range(len(draft.turns))):
            if not turn.abandoned:
                _note_original(draft, turn.request)
