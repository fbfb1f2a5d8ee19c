"""Who wrote what stands in the human's place: rows for single records of Claude Code."""

from __future__ import annotations

import pytest

from recapd.core.log.events import Event, Interrupted, Note, Prompt, Queued
from tests.adapters.claude_records import line_of, parse, user


def texts(*parts: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": part} for part in parts]


IDE = "<ide_opened_file>The user opened the file /a/b.py in the IDE.</ide_opened_file>"
SELECTION = "<ide_selection>The user selected lines 1 to 2:\nx</ide_selection>"
REMINDER = "<system-reminder>\nNever mention this.\n</system-reminder>"

USER_TEXTS: list[tuple[object, dict[str, object], Event]] = [
    ("fix the bug\n", {}, Prompt("fix the bug")),
    ("fix the bug", {"parentUuid": None}, Prompt("fix the bug", is_first=True)),
    ("go on", {"parentUuid": None, "logicalParentUuid": "u7"}, Prompt("go on")),
    (
        "<command-name>/x</command-name><command-args>y</command-args>",
        {"parentUuid": None},
        Prompt("y", "command", command="/x"),
    ),
    (texts("one", "two"), {}, Prompt("one\ntwo")),
    ([{"type": "image", "source": {}}, *texts("see picture")], {}, Prompt("see picture")),
    (texts(IDE, SELECTION, "fix  this"), {}, Prompt("fix  this")),
    (IDE + "\nfix this", {}, Prompt("fix this")),
    (texts(IDE), {}, Note("meta", IDE)),
    ("<ide_ is how tags begin", {}, Prompt("<ide_ is how tags begin")),
    (texts(REMINDER, "fix this"), {}, Prompt("fix this")),
    (f"before\n{REMINDER}\nafter", {}, Prompt("before\nafter")),
    (REMINDER, {}, Note("meta", REMINDER)),
    ("<PA>is a keyword of ours", {}, Prompt("<PA>is a keyword of ours")),
    ("This session is slow", {}, Prompt("This session is slow")),
    ("Tool loaded.", {}, Note("meta", "Tool loaded.")),
    ("Tool loaded.\n[id:a1]", {}, Note("meta", "Tool loaded.\n[id:a1]")),
    (texts("Tool loaded.", "fix this"), {}, Prompt("fix this")),
    ("Tool loaded. Use it now", {}, Prompt("Tool loaded. Use it now")),
    ("skill text", {"isMeta": True}, Note("meta", "skill text")),
    ("sum", {"isCompactSummary": True}, Note("compaction", "sum")),
    ("your limit was reset", {"promptSource": "system"}, Note("meta", "your limit was reset")),
    ("done?", {"origin": {"kind": "peer"}}, Note("teammate", "done?")),
    ("done?", {"origin": {"kind": "human"}}, Prompt("done?")),
    ("do the task", {"isSidechain": True}, Note("task", "do the task")),
    ("[Request interrupted by user]", {}, Interrupted()),
    (texts("[Request interrupted by user for tool use]"), {}, Interrupted(during_tool=True)),
    (
        "<command-name>/plan</command-name>\n<command-args>a <b> c\nd</command-args>",
        {},
        Prompt("a <b> c\nd", "command", command="/plan"),
    ),
    # What stands for a prompt is logged with what it says first, what the program does itself with its name.
    (
        "<command-message>tidy is running…</command-message>\n<command-name>/tidy</command-name>",
        {},
        Prompt("/tidy", "command"),
    ),
    (
        "<command-message>init is analyzing…</command-message>\n<command-name>init</command-name>",
        {},
        Prompt("/init", "command"),
    ),
    (
        "<command-name>/tidy</command-name>\n<command-message>tidy</command-message>\n<command-args></command-args>",
        {},
        Note("command", "/tidy"),
    ),
    (
        "<command-name>/compact</command-name><command-args>keep the plan</command-args>",
        {},
        Note("command", "/compact keep the plan"),
    ),
    ("<command-name>/clear</command-name><command-args></command-args>", {}, Note("command", "/clear")),
    (
        "<command-name>/plugin</command-name><command-args>install x</command-args>",
        {},
        Note("command", "/plugin install x"),
    ),
    ("<user-memory-input>be brief</user-memory-input>", {}, Prompt("be brief", "command")),
    ("<bash-input>ls</bash-input>", {}, Note("shell", "ls")),
    (
        '<teammate-message teammate_id="a">hi</teammate-message>',
        {},
        Note("teammate", '<teammate-message teammate_id="a">hi</teammate-message>'),
    ),
    ("Caveat: The messages below were generated", {}, Note("meta", "Caveat: The messages below were generated")),
    (
        "Implement the following plan:\n\n# P",
        {"planContent": "# P"},
        Prompt("Implement the following plan:\n\n# P"),
    ),
]


@pytest.mark.parametrize(("content", "fields", "expected"), USER_TEXTS)
def test_who_wrote_it(content: object, fields: dict[str, object], expected: Event) -> None:
    assert parse(user(content, **fields)).events == (expected,)


@pytest.mark.parametrize("content", ["", "  \n", [], None, [{"type": "image"}]])
def test_no_words(content: object) -> None:
    assert parse(user(content)).events == ()


QUEUE: list[tuple[str, object, tuple[Event, ...]]] = [
    ("enqueue", "also the docs", (Queued("also the docs"),)),
    ("enqueue", texts("also the docs"), (Queued("also the docs"),)),
    ("enqueue", "/home/dev/x is wrong", (Queued("/home/dev/x is wrong"),)),
    ("enqueue", "/ide", (Note("command", "/ide"),)),
    ("enqueue", "<task-notification>\n…", ()),
    ("enqueue", '{"task_id":"b1","description":"Install"}', ()),
    ("enqueue", None, ()),
    ("dequeue", None, ()),
    # Handed to the agent in mid-turn, not taken back: the words stay the human's.
    ("remove", None, (Queued("", delivered=True),)),
    ("popAll", "also the docs", (Queued("also the docs", taken_back=True),)),
]


@pytest.mark.parametrize(("operation", "content", "expected"), QUEUE)
def test_prompts_that_wait(operation: str, content: object, expected: tuple[Event, ...]) -> None:
    assert parse(line_of("queue-operation", operation=operation, content=content)).events == expected


ATTACHED: list[tuple[dict[str, object], tuple[Event, ...]]] = [
    ({"prompt": "also the docs", "commandMode": "prompt"}, (Prompt("also the docs", "queued"),)),
    ({"prompt": texts("see", "this"), "commandMode": "prompt"}, (Prompt("see\nthis", "queued"),)),
    ({"prompt": "b1 is done", "commandMode": "task-notification"}, (Note("meta", "b1 is done"),)),
    ({"prompt": "ls", "commandMode": "bash"}, (Note("shell", "ls"),)),
    ({"prompt": "hi", "commandMode": "prompt", "origin": {"kind": "peer"}}, (Note("teammate", "hi"),)),
    ({}, ()),
]


@pytest.mark.parametrize(("attachment", "expected"), ATTACHED)
def test_prompts_handed_over_in_mid_turn(attachment: dict[str, object], expected: tuple[Event, ...]) -> None:
    line = line_of("attachment", attachment={"type": "queued_command", **attachment})
    assert parse(line).events == expected
