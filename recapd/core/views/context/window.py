"""The end of a conversation word for word: whole exchanges, as many as the window asks for and the budget holds.

`exchanges_in` says what to read (from the state alone), `window_of` writes down what fits once it is read.
A call is never parted from its result: both are told in one line, or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from recapd.core.log import Place
from recapd.core.retrieval import Unit
from recapd.core.settings import WindowSettings
from recapd.core.state import Session, Sourced, Step, Transcript, Utterance, category, describe, shown_step, steps_of
from recapd.core.summaries import live_utterances, verbatim_from
from recapd.core.text import fit_tokens, take_until_full
from recapd.core.views.context.lines import Section, cost, flat, said, said_in_line
from recapd.core.views.context.presets import Preset

# No token is longer than this on average, whatever the script: more characters cannot fit.
_MOST_CHARS_PER_TOKEN: Final = 8
_STEPS: Final = 5
_STEP_CHARS: Final = 160
# Where not even the last exchange fits, its beginning and its end are shown; below this neither says anything.
_LEAST_ROOM: Final = 60


class Exchange(Struct, frozen=True):
    """A turn's messages: what the human said, and all the agent said to it."""

    turn_row: int
    first: int
    last: int
    units: tuple[Unit, ...]


class Message(Struct, frozen=True):
    """One message word for word, fit to be shown."""

    speaker: str
    text: str
    turn: int
    place: Place


class Window(Struct, frozen=True):
    """What is given word for word; `is_whole` is False where even the last exchange had to be shortened."""

    messages: tuple[Message, ...]
    first: int
    last: int
    is_whole: bool
    # What was done in these turns, by number of the turn.
    done: Mapping[int, str]
    # Messages of a shortened exchange that are not there, and how many stand before them.
    left_out: int = 0
    kept_before: int = 0


def exchanges_in(transcript: Transcript, window: WindowSettings, max_tokens: int) -> tuple[Exchange, ...]:
    """The exchanges of the window, oldest first, but none that cannot fit; the last one always."""
    spoken = live_utterances(transcript)
    start = verbatim_from(transcript, window)
    room = max_tokens * _MOST_CHARS_PER_TOKEN
    exchanges: list[Exchange] = []
    for group in _backwards(spoken):
        # A number of messages may be overrun by the rest of an exchange, a number of tokens may not.
        edge = group[0] if window.unit == "tokens" else group[-1]
        if exchanges and (edge.message < start or sum(each.chars for each in group) > room):
            break
        room -= sum(each.chars for each in group)
        exchanges.append(_exchange(group))
    return tuple(reversed(exchanges))


def _backwards(spoken: Sequence[Utterance]) -> list[list[Utterance]]:
    """What was said, by turn, the last turn first."""
    groups: list[list[Utterance]] = []
    for each in reversed(spoken):
        if not groups or groups[-1][-1].turn_row != each.turn_row:
            groups.append([])
        groups[-1].append(each)
    for group in groups:
        group.reverse()
    return groups


def _exchange(group: Sequence[Utterance]) -> Exchange:
    units: list[Unit] = []
    for each in group:
        is_next = units and units[-1].place == each.place and units[-1].speaker == each.speaker
        units.append(
            Unit(each.speaker, each.message, each.turn_row, each.place, units[-1].ordinal + 1 if is_next else 0)
        )
    return Exchange(group[0].turn_row, group[0].message, group[-1].message, tuple(units))


def window_of(
    session: Session, exchanges: Sequence[Exchange], texts: Sequence[Sequence[str]], *, preset: Preset, room: int
) -> Window | None:
    """As many whole exchanges as fit, from the end; where none does, the last one shortened; else None."""
    room -= cost(preset.headings.get("recent", "")) + (cost(preset.closing) if preset.closing else 0)
    done = _done(session, {_turn(session, each.turn_row) for each in exchanges})
    chosen: list[Message] = []
    first = last = -1
    told: dict[int, str] = {}
    for exchange, its_texts in zip(reversed(exchanges), reversed(texts), strict=True):
        messages = _messages(session, exchange, its_texts)
        turn = _turn(session, exchange.turn_row)
        price = sum(cost(message_line(message, preset)) for message in messages)
        if price > room:
            break
        room -= price
        if (line := done.get(turn)) and (price := cost(line)) * 4 <= room:
            told[turn] = line
            room -= price
        chosen = [*messages, *chosen]
        first, last = exchange.first, max(last, exchange.last)
    if chosen:
        return Window(tuple(chosen), first, last, is_whole=True, done=told)
    return _shortened(session, exchanges, texts, preset=preset, room=room)


def recent_section(window: Window, preset: Preset) -> Section:
    lines = [preset.headings["recent"]]
    turn = -1
    for number, message in enumerate(window.messages):
        if window.left_out and number == window.kept_before:
            lines.append(_gap(window.left_out))
        if turn >= 0 and message.turn != turn and turn in window.done:
            lines.append(window.done[turn])
        lines.append(message_line(message, preset))
        turn = message.turn
    if window.left_out and window.kept_before == len(window.messages):
        lines.append(_gap(window.left_out))
    if turn in window.done:
        lines.append(window.done[turn])
    if preset.closing:
        lines.append(preset.closing)
    places = tuple(message.place for message in window.messages)
    return Section("recent", "\n".join(lines), places, window.first, window.last)


def message_line(message: Message, preset: Preset) -> str:
    speaker = preset.user if message.speaker == "user" else preset.agent
    number = f"[{message.turn}] " if preset.numbered and message.speaker == "user" and message.turn else ""
    return f"{number}{speaker}{message.text}"


def _messages(session: Session, exchange: Exchange, texts: Sequence[str]) -> list[Message]:
    """The exchange's messages; lines of one message are one."""
    turn = _turn(session, exchange.turn_row)
    messages: list[Message] = []
    number = -1
    for unit, text in zip(exchange.units, texts, strict=True):
        shown = said(text)
        if not shown:
            continue
        if messages and unit.message == number and messages[-1].speaker == unit.speaker:
            before = messages.pop()
            messages.append(Message(unit.speaker, f"{before.text}\n\n{shown}", turn, before.place))
        else:
            messages.append(Message(unit.speaker, shown, turn, unit.place))
        number = unit.message
    return messages


def _shortened(
    session: Session, exchanges: Sequence[Exchange], texts: Sequence[Sequence[str]], *, preset: Preset, room: int
) -> Window | None:
    """The last exchange by its first message and as many of its last as fit: what was asked, and where it ended."""
    if not exchanges or room < _LEAST_ROOM:
        return None
    messages = _messages(session, exchanges[-1], texts[-1])
    if not messages:
        return None
    first, *others = messages
    # What finds no room between them is named, so that nobody takes the rest for all there was.
    room -= cost(_gap(len(messages))) if len(others) > 1 else 0
    begun = _cut(first, preset, room // 3 if others else room)
    room -= cost(message_line(begun, preset)) if begun is not None else 0
    latest_first = reversed(range(len(others)))
    taken = take_until_full(latest_first, lambda at: cost(message_line(others[at], preset)), room)
    ended = [others[at] for at in reversed(taken.positions)]
    if others and not ended:
        last = _cut(others[-1], preset, room)
        ended = [last] if last is not None else []
    kept = [*([begun] if begun is not None else []), *ended]
    if not kept:
        return None
    return Window(
        tuple(kept),
        exchanges[-1].first,
        exchanges[-1].last,
        is_whole=False,
        done={},
        left_out=len(messages) - len(kept),
        kept_before=len(kept) - len(ended),
    )


def _gap(count: int) -> str:
    return f"({count} messages left out)" if count > 1 else "(1 message left out)"


def _cut(message: Message, preset: Preset, room: int) -> Message | None:
    """The message if it fits, else its beginning on one line; None where nothing of it does."""
    if cost(message_line(message, preset)) <= room:
        return message
    label = cost(message_line(Message(message.speaker, "", message.turn, message.place), preset))
    text = fit_tokens(flat(message.text), room - label - 1)
    return Message(message.speaker, text, message.turn, message.place) if text else None


def _done(session: Session, turns: set[int]) -> dict[int, str]:
    """What the agent did in these turns, in a line each: the latest that changed something."""
    by_turn: dict[int, list[Sourced[Step]]] = {}
    for step in steps_of(session):
        if step.turn in turns and category(step.fact.kind) == "consequential":
            by_turn.setdefault(step.turn, []).append(step)
    root = next(iter(session.main.transcript.cwds), "")
    lines = {}
    for turn, steps in by_turn.items():
        shown = [said_in_line(describe(shown_step(each.fact), root), _STEP_CHARS) for each in steps[-_STEPS:]]
        more = f" (and {len(steps) - _STEPS} before)" if len(steps) > _STEPS else ""
        lines[turn] = f"[did] {'; '.join(shown)}{more}"
    return lines


def _turn(session: Session, row: int) -> int:
    return session.main.transcript.turns[row].number if row >= 0 else 0
