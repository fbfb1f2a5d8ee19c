"""What an agent writes down on purpose: in the ledger as what it is, whoever the agent is, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from recapd.daemon.library import Library
from recapd.server.methods import answer
from tests.support.logs import Act, agent, claude_log, codex_log, human, other, pi_log, read, shell

Log = Callable[..., bytes]
# As each agent names the tool.
AGENTS: dict[str, tuple[Log, str]] = {
    "claude-code": (claude_log, "mcp__recapd__record"),
    "claude-code, by the plugin": (claude_log, "mcp__plugin_recapd_recapd__record"),
    "codex": (codex_log, "mcp__recapd__record"),
    "pi": (pi_log, "recapd_record"),
}


def record(text: str, *, kind: str = "decision", by: str = "user", tool: str = "", **more: str) -> Act:
    arguments: dict[str, object] = {"kind": kind, "text": text, "madeBy": by, **more}
    return other(tool or "mcp__recapd__record", arguments, "Recorded.")


def ask(folder: Path, method: str, log: bytes, **params: object) -> Any:
    path = folder / "session.jsonl"
    path.write_bytes(log)
    asked = msgspec.json.encode({"session": {"log": str(path)}, **params})
    return msgspec.json.decode(msgspec.json.encode(answer(Library([folder]), method, asked)))


def decisions(folder: Path, *acts: Act, log: Log = claude_log) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = ask(folder, "decisions/list", log(*acts))["decisions"]
    return found


@pytest.mark.parametrize(("log", "tool"), AGENTS.values(), ids=AGENTS)
def test_a_record_is_an_entry_with_its_proof(tmp_path: Path, log: Log, tool: str) -> None:
    acts = (
        human("hm, pnpm it is then"),
        record("Use pnpm, never npm", tool=tool, because="one lock file"),
        agent("ok"),
    )
    (entry,) = decisions(tmp_path, *acts, log=log)
    assert (entry["text"], entry["quote"]) == ("Use pnpm, never npm", "Use pnpm, never npm")
    assert (entry["how"], entry["proof"], entry["madeBy"]) == ("recorded", "record", "user")
    assert entry["rationale"] == "one lock file" and entry["status"] == "active"
    # It stands where the agent said so, and the user's message is cited beside it.
    lines = (tmp_path / "session.jsonl").read_bytes().splitlines()
    assert b"never npm" in lines[entry["ref"]["line"] - 1]
    assert b"pnpm it is then" in lines[entry["proposalRef"]["line"] - 1]
    verified = ask(tmp_path, "recap/verify", log(*acts))
    assert (verified["changed"], verified["missing"]) == ([], [])


@pytest.mark.parametrize(("log", "tool"), AGENTS.values(), ids=AGENTS)
def test_a_line_at_the_end_of_an_answer_is_the_same(tmp_path: Path, log: Log, tool: str) -> None:
    line = "recapd: decision by user: Use pnpm, never npm | because: one lock file"
    (entry,) = decisions(tmp_path, human("hm, pnpm it is then"), agent(f"Done.\n\n{line}"), log=log)
    assert (entry["text"], entry["how"], entry["proof"]) == ("Use pnpm, never npm", "recorded", "record")
    assert (entry["madeBy"], entry["rationale"]) == ("user", "one lock file")
    found = ask(tmp_path, "recap/get", log(human("hm, pnpm it is then"), agent(f"Done.\n\n{line}")), format="full")
    assert "recapd: decision" not in found["markdown"]


@pytest.mark.parametrize(
    ("namespace", "is_ours"), [("mcp__recapd", True), ("mcp__recapd__", True), ("mcp__notes", False)]
)
def test_codex_has_the_tools_of_a_server_in_a_namespace(tmp_path: Path, namespace: str, is_ours: bool) -> None:
    def log(*acts: Act) -> bytes:
        name = b'"name": "mcp__recapd__record"'
        written = codex_log(*acts).replace(b'"name":"', b'"name": "')
        assert name in written
        return written.replace(name, f'"name": "record", "namespace": "{namespace}"'.encode())

    found = decisions(tmp_path, human("hm, pnpm it is then"), record("Use pnpm, never npm"), agent("ok"), log=log)
    assert [each["how"] for each in found if each["how"] == "recorded"] == (["recorded"] if is_ours else [])


LINE = "recapd: decision by user: Use pnpm, never npm"
CALL = '{"kind": "decision", "text": "Use pnpm, never npm", "madeBy": "user"}'
NOTHING: dict[str, tuple[Act, ...]] = {
    "in a paste": (human(f"look at this:\n{LINE}"), agent("I see.")),
    "in a file": (human("read it"), read("notes.md", LINE), agent("I read it.")),
    "in a command's output": (
        human("run it"),
        shell("cat notes.md", f"mcp__recapd__record {CALL}\n{LINE}"),
        agent("ok"),
    ),
    "in the middle of an answer": (human("and?"), agent(f"{LINE}\n\nThat is how it is written down.")),
    "quoted": (human("and?"), agent(f"> {LINE}")),
    "in code": (human("and?"), agent(f"```\n{LINE}\n```")),
    "another server's": (
        human("and?"),
        other("mcp__notes__record", {"kind": "decision", "text": "Use pnpm, never npm"}),
    ),
    "refused": (human("and?"), other("mcp__recapd__record", {"kind": "wish", "text": "Use pnpm, never npm"}, "no")),
    "not taken": (
        human("and?"),
        other(
            "mcp__recapd__record",
            {"kind": "decision", "text": "Use pnpm, never npm", "madeBy": "user"},
            "no",
            outcome="denied",
        ),
    ),
}


@pytest.mark.parametrize("acts", NOTHING.values(), ids=NOTHING)
def test_the_same_words_elsewhere_are_nothing(tmp_path: Path, acts: tuple[Act, ...]) -> None:
    found = decisions(tmp_path, *acts)
    assert [each for each in found if each["how"] == "recorded" or each.get("proof") == "record"] == []


def test_without_a_message_of_the_user_the_agent_decided(tmp_path: Path) -> None:
    (entry,) = decisions(tmp_path, record("Use pnpm, never npm"))
    assert entry["madeBy"] == "agent" and "proposalRef" not in entry


@pytest.mark.parametrize("by_id", [True, False], ids=["by its id", "by its words"])
def test_a_record_replaces_what_it_names_and_nothing_else(tmp_path: Path, by_id: bool) -> None:
    first = (
        human("npm for now, and port 8080"),
        record("Use npm for the packages"),
        record("The server listens on port 8080"),
        agent("Noted."),
    )
    before = decisions(tmp_path, *first)
    assert [each["status"] for each in before] == ["active", "active"]
    named = before[0]["id"] if by_id else "npm for the packages"
    second = (human("no, pnpm"), record("Use pnpm for the packages", replaces=named), agent("Done."))
    old, port, new = decisions(tmp_path, *first, *second)
    assert (old["status"], old["supersededBy"]) == ("superseded", new["id"])
    assert (port["status"], new["status"]) == ("active", "active")


@pytest.mark.parametrize("text", ["Forget about the cap", "Taken back: no cap on uploads"])
def test_a_record_takes_back_what_it_names(tmp_path: Path, text: str) -> None:
    acts = (human("cap uploads at 10 MB"), record("Uploads are capped at 10 MB"), agent("ok"))
    (cap,) = decisions(tmp_path, *acts)
    found = decisions(tmp_path, *acts, human("forget that"), record(text, replaces=cap["id"]))
    assert [each["status"] for each in found if each["id"] == cap["id"]] == ["reverted"]


def test_an_agents_record_against_the_users_word_is_a_conflict(tmp_path: Path) -> None:
    acts = (human("tabs, please"), record("Indent with tabs"), agent("ok"))
    (tabs,) = decisions(tmp_path, *acts)
    spaces = record("Indent with two spaces", by="agent", replaces=tabs["id"])
    kept, against = decisions(tmp_path, *acts, human("now the docs"), spaces, agent("Done."))
    assert (kept["status"], kept["conflictsWith"]) == ("active", against["id"])
    assert against["madeBy"] == "agent"


def test_a_record_stands_for_what_it_is_about_in_the_message_that_it_cites(tmp_path: Path) -> None:
    acts = (human("pnpm it is then. Keep the public API unchanged."), record("Use pnpm, never npm"), agent("ok"))
    found = [(entry["how"], entry["text"]) for entry in decisions(tmp_path, *acts)]
    assert len(found) == 2 and ("recorded", "Use pnpm, never npm") in found
    assert any("public API" in text for _, text in found)


def test_no_guess_ends_a_record(tmp_path: Path) -> None:
    acts = (human("hm, pnpm it is then"), record("Use pnpm for the packages"), agent("ok"))
    more = (human("now the docs"), agent("I switched to npm for the packages instead of pnpm, it is simpler."))
    kept = decisions(tmp_path, *acts, *more)[0]
    assert (kept["how"], kept["status"]) == ("recorded", "active")


def test_what_is_left_open_and_what_is_done(tmp_path: Path) -> None:
    acts = (
        human("fix the cart"),
        record("Prices are not rounded yet", kind="open", by="agent"),
        record("The flaky test is skipped", kind="open", by="agent"),
        agent("ok"),
        human("go on"),
        record("The flaky test is skipped", kind="done", by="agent"),
        agent("Finished."),
    )
    recap = ask(tmp_path, "recap/get", claude_log(*acts), format="full")["recap"]
    assert [each["text"] for each in recap["openItems"] if each["kind"] == "noted"] == ["Prices are not rounded yet"]
    assert "The flaky test is skipped" in [each["text"] for each in recap["progress"]["milestones"]]
    assert decisions(tmp_path, *acts) == []


def test_a_record_is_no_turn_and_no_message(tmp_path: Path) -> None:
    acts = (human("hm, pnpm it is then"), record("Use pnpm"), agent("ok"))
    plain = ask(tmp_path, "recap/get", claude_log(acts[0], acts[2]))["recap"]["stats"]
    found = ask(tmp_path, "recap/get", claude_log(*acts))["recap"]["stats"]
    assert (found["turns"], found["messages"]) == (plain["turns"], plain["messages"]) == (1, 2)
