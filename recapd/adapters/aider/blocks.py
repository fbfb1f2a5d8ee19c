"""What a block of aider's chat history means: a prompt, an answer, or a run of lines aider wrote about its own work.

Each block tells by its first bytes what it is; a block that begins with a blank line is no prompt of the human,
whatever its marks say. aider logs outcomes, not calls: an edit that is reported was called and came back at once.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from recapd.adapters.aider.listings import without_listings
from recapd.core.log import (
    Call,
    CallKind,
    Ended,
    Event,
    Faulted,
    Interrupted,
    Note,
    Opened,
    Parsed,
    Place,
    Problem,
    Prompt,
    Record,
    Reply,
    Result,
    Thought,
    canonical,
)

CHAT = b"# aider chat started at "
_STAMP_LENGTH = len("2026-02-03 04:05:06")
_TOOL = "aider"
# Commands are shown on one line; nobody reads more of them than this.
_MAX_TARGET = 4000

# Commands that hand the words after them to the model, in one mode or another: a request like any other.
_ASKING = frozenset(("ask", "code", "architect", "context", "help"))
# Commands the human runs in a shell, through aider.
_SHELL = frozenset(("run", "test", "git"))
# Commands that set up the chat; what follows them are files, models and numbers, no words to the model.
_SETTINGS_NAMES = """
    add chat-mode clear commit copy copy-context diff drop edit editor editor-model exit lint load ls map map-refresh
    model models multiline-mode ok paste quit read-only reasoning-effort report reset save settings think-tokens tokens
    undo voice weak-model web
"""
_SETTINGS = frozenset(_SETTINGS_NAMES.split())
_LEAVING = frozenset(("exit", "quit"))
# Models that reason in their answer wrap it so; aider's own tag goes on with a fixed hash.
_THOUGHTS = (b"<thinking-content-", b"<think>", b"<thinking>")

_MODEL = ("Main model: ", "Model: ")
_FOLDER = ("Git working dir: ", "Cur working dir: ", "Git repository created in ")
_NOT_EDITED = ("Did not apply edit to ", "Skipping edits to ", "Skipping edit to ")
_NO_MATCH = " failed to exactly match lines in "
_HASH_DIGITS = frozenset("0123456789abcdef")


class _Message(Struct, gc=False):
    """One message of aider's, which may go over several lines."""

    # Number of its first line in the block, and its bytes there.
    line: int
    start: int
    stop: int
    text: str = ""


def parse(piece: bytes, place: Place) -> Parsed:
    if not piece or piece.isspace():
        return (), ()
    problems = () if _is_text(piece) else (Problem(place, "notText", "bytes that are no UTF-8 shown as U+FFFD"),)
    if piece.startswith(CHAT):
        return (_chat(piece, place),), problems
    if piece.startswith((b"> ", b">\n", b">\r")) or piece == b">":
        return _status_records(piece, place), problems
    if piece.startswith((b"#### ", b"####\n", b"####\r")) or piece == b"####":
        return (_prompt(piece, place),), problems
    body = piece.strip(b"\r\n")
    if piece.startswith((b"\n", b"\r")) and body.startswith(b"####") and _is_echo(body):
        return (Record(place, "echo", (Note("meta", _prompt_text(body)),)),), problems
    return (Record(place, "answer", _answer(body)),), problems


def chat_start(line: bytes) -> tuple[str, str]:
    """The time a chat began and the id that comes of it; both empty where the line names no time."""
    at = canonical(line[len(CHAT) :].strip()[:_STAMP_LENGTH].decode("ascii", "replace"))
    return at, at[:19].replace("-", "").replace(":", "")


def prompt_lines(lines: Sequence[bytes]) -> list[bytes]:
    """The words of a prompt, without the mark before each line and the hard break behind it."""
    return [line[5:].rstrip() if line.startswith(b"#### ") else line.removeprefix(b"####").rstrip() for line in lines]


def answer_without_thoughts(answer: bytes) -> bytes:
    body = answer.lstrip()
    if not body.startswith(_THOUGHTS):
        return answer
    closing = body.find(b"</think")
    end = body.find(b">", closing)
    return body[end + 1 :] if closing >= 0 and end >= 0 else b""


def _is_text(piece: bytes) -> bool:
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True


def _chat(piece: bytes, place: Place) -> Record:
    at, session = chat_start(piece.partition(b"\n")[0])
    return Record(place, "chat", (Opened(),), at=at, session=session)


def _is_echo(body: bytes) -> bool:
    return all(line.startswith(b"####") for line in body.split(b"\n"))


def _prompt_text(piece: bytes) -> str:
    return b"\n".join(prompt_lines(piece.split(b"\n"))).strip().decode("utf-8", "replace")


def _prompt(piece: bytes, place: Place) -> Record:
    text = _prompt_text(piece)
    if not text or text == "<blank>":
        return Record(place, "prompt/blank")
    if "(Y)es/(N)o" in text and "]: " in text:
        # The human answered for a whole group of questions; aider repeats it for each.
        return Record(place, "prompt/confirm", (Note("meta", text),))
    if text.startswith("# Question: ") and "# Relevant docs:" in text:
        # What /help hands to the model: pages of aider's manual.
        return Record(place, "prompt/help", (Note("meta", text),))
    if text[0] == "!":
        return Record(place, "prompt/shell", (Note("shell", text[1:].strip()),))
    name = text.split(None, 1)[0]
    if text[0] != "/" or not name[1:].replace("-", "").isalnum():
        return Record(place, "prompt", (Prompt(text),))
    return Record(place, "prompt/command", _command(name[1:].lower(), text, text[len(name) :].strip()))


def _command(name: str, text: str, words: str) -> tuple[Event, ...]:
    if name in _LEAVING:
        return (Note("command", text), Ended("session", text))
    if not words or name in _SETTINGS:
        return (Note("command", text),)
    if name in _SHELL:
        return (Note("shell", f"git {words}" if name == "git" else words),)
    return (Prompt(words, "typed" if name in _ASKING else "command"),)


def _answer(body: bytes) -> tuple[Event, ...]:
    said = answer_without_thoughts(body)
    text = without_listings(said.decode("utf-8", "replace")).strip()
    events: list[Event] = []
    if said is not body:
        events.append(Thought(len(body) - len(said)))
    if text:
        events.append(Reply(text))
    return tuple(events)


def _status_records(piece: bytes, place: Place) -> tuple[Record, ...]:
    messages = _messages(piece)
    created: set[str] = set()
    records: list[Record] = []
    before = ""
    for message in messages:
        text = message.text
        if text.startswith("Create new file?") and text.endswith(": y"):
            created.add(_slashes(before))
        where = Place(place.line + message.line, place.offset + message.start, message.stop - message.start)
        records.append(_status(text, where, created, is_first=not before))
        before = text or before
    if any(isinstance(event, Call) for record in records for event in record.events):
        # Edits, commits and commands come last: after them it is the human's turn, or the model's with a new answer.
        last = records[-1]
        records[-1] = msgspec.structs.replace(last, events=(*last.events, Ended("turn")))
    return tuple(records)


def _messages(piece: bytes) -> list[_Message]:
    messages: list[_Message] = []
    offset = 0
    for number, raw in enumerate(piece.split(b"\n")):
        if raw.startswith(b">") or not messages:
            messages.append(_Message(number, offset, offset))
        messages[-1].stop = offset + len(raw.rstrip(b"\r"))
        offset += len(raw) + 1
    for message in messages:
        text = piece[message.start : message.stop].removeprefix(b">").strip()
        message.text = text.decode("utf-8", "replace")
    return messages


def _status(text: str, place: Place, created: set[str], *, is_first: bool) -> Record:
    if text.startswith("Applied edit to "):
        path = text.removeprefix("Applied edit to ")
        if _slashes(path) in created:
            return Record(place, "status/edit", _done("write", path, place, created=True))
        return Record(place, "status/edit", _done("edit", path, place))
    if text.startswith("Creating empty file "):
        path = text.removeprefix("Creating empty file ")
        return Record(place, "status/edit", _done("write", path, place, created=True))
    if text.startswith(_NOT_EDITED) or _NO_MATCH in text:
        return Record(place, "status/edit", _failed(text, place))
    if text.startswith("Commit ") and (found := _commit(text)):
        # aider runs git itself and reports only what git has accepted.
        return Record(place, "status/commit", _done("shell", f"git commit -m {shlex.quote(found)}", place, exit_code=0))
    if text.startswith("Removed: ") and _commit(text):
        # What /undo did, in git's words: the files as before the last commit, and the branch as well.
        return Record(place, "status/undo", _done("shell", "git reset --hard HEAD~1", place, exit_code=0))
    if text.startswith("Running "):
        return Record(place, "status/run", _done("shell", text.removeprefix("Running "), place))
    if text.startswith(_MODEL):
        name = text.partition(": ")[2].partition(" with ")[0].partition(" using ")[0]
        return Record(place, "status/model", model=name.strip())
    if text.startswith("Aider v"):
        return Record(place, "status/version", version=text.removeprefix("Aider v"))
    if text.startswith(_FOLDER):
        return Record(
            place, "status/folder", cwd=next(text.removeprefix(start) for start in _FOLDER if text.startswith(start))
        )
    if text.startswith("litellm.") and "rror" in text:
        return Record(place, "status/fault", (Faulted(text),))
    if text == "^C KeyboardInterrupt":
        return Record(place, "status/interrupt", (Ended("session", text),))
    if text == "^C again to exit":
        # Said before anything else came of a prompt, it stopped the model; later it is a slip at an idle prompt.
        return Record(place, "status/interrupt", (Interrupted(),) if is_first else ())
    return Record(place, "status")


def _done(
    kind: CallKind, target: str, place: Place, *, created: bool | None = None, exit_code: int | None = None
) -> tuple[Event, ...]:
    call_id = f"{place.offset}"
    return (
        Call(call_id, _TOOL, kind, target=target[:_MAX_TARGET]),
        Result(call_id, created=created, exit_code=exit_code),
    )


def _failed(text: str, place: Place) -> tuple[Event, ...]:
    if _NO_MATCH in text:
        path = text.partition(_NO_MATCH)[2]
    else:
        start = next(start for start in _NOT_EDITED if text.startswith(start))
        path = text.removeprefix(start).partition(" (--dry-run)")[0].partition(" that matches ")[0]
    call_id = f"{place.offset}"
    return (
        Call(call_id, _TOOL, "edit", target=path[:_MAX_TARGET]),
        Result(call_id, failed=True, payload=msgspec.json.encode(text)),
    )


def _commit(text: str) -> str:
    """The message of a commit, where the line has the form `Commit 1a2b3c4 message`."""
    _, _, rest = text.partition(" ")
    digest, _, message = rest.partition(" ")
    return message.strip() if len(digest) >= 7 and _HASH_DIGITS.issuperset(digest) else ""


def _slashes(path: str) -> str:
    """aider asks about a file in the system's spelling and reports it in the model's."""
    return path.replace("\\", "/")
