"""Seed 000 through a log in its own format, pi's, to what its user sees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recapd.__main__ import main
from recapd.core.text.tokens import estimate_tokens

SUMMARY = "[Session Summary - Earlier conversation compressed]\n\nThe queue is on Redis. Open: the export."


def pi_log(*said: tuple[str, str]) -> str:
    rows: list[dict[str, object]] = [
        {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-02-01T10:00:00.000Z", "cwd": "/home/dev/shop"}
    ]
    for number, (role, text) in enumerate(said, 1):
        message = {"role": role, "content": [{"type": "text", "text": text}]}
        header = {"type": "message", "id": f"m{number}", "parentId": f"m{number - 1}" if number > 1 else None}
        rows.append({**header, "timestamp": f"2026-02-01T10:{number:02d}:00.000Z", "message": message})
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize("form", ["short", "full", "timeline"])
def test_a_compressed_session_begins_with_the_users_own_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    log = tmp_path / "session.jsonl"
    log.write_text(
        pi_log(
            ("user", SUMMARY),
            ("assistant", "Understood. I have the earlier conversation in mind."),
            ("user", "Add the nightly export at 2 am"),
            ("assistant", "The nightly export runs at 2 am."),
        )
    )
    assert main(["recap", "--no-daemon", "--format", form, str(log)]) == 0
    page = capsys.readouterr().out
    assert "Add the nightly export at 2 am" in page and "turn 1" in page.lower()
    assert "Session Summary" not in page and "Understood" not in page


FLUSH = (
    "Pre-compaction memory flush. Store durable memories now (use memory/2026-03-13.md; create memory/ if needed). "
    "If nothing to store, reply with NO_REPLY.\nCurrent time: Friday, March 13th, 2026"
)


@pytest.mark.parametrize("form", ["short", "full", "timeline"])
def test_what_a_harness_asks_before_it_forgets_is_nobodys_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    log = tmp_path / "session.jsonl"
    answer = "The nightly export runs at 2 am."
    asked = [("user", "Add the nightly export at 2 am"), ("assistant", answer)]
    log.write_text(pi_log(*asked, ("user", FLUSH), ("assistant", "NO_REPLY")))
    assert main(["recap", "--no-daemon", "--format", form, str(log)]) == 0
    page = capsys.readouterr().out
    assert "(turn 1)" in page and answer[:-1] in page
    assert "memory flush" not in page and "NO" not in page


LEFT = "Write the export for the accountants"


@pytest.mark.parametrize(
    "command", ["recap --format full", "recap --format resume", "recap --budget 300", "context --budget 800"]
)
def test_what_a_compressed_session_left_to_do_is_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    log = tmp_path / "session.jsonl"
    summary = (
        f"[Session Summary - Earlier conversation compressed]\n\nThe queue is on Redis.\n\n## Pending Tasks\n- {LEFT}"
    )
    begun = [("user", summary), ("assistant", "Understood."), *talk("Rename the workers of the night shift")]
    for more, is_open in ((), True), ((("user", LEFT), ("assistant", f"{LEFT}: done, in export.py.")), False):
        log.write_text(pi_log(*begun, *more))
        assert main([*command.split(), "--no-daemon", str(log)]) == 0
        assert (f"- {LEFT}" in capsys.readouterr().out.split("\n")) == is_open


def asked_of(capsys: pytest.CaptureFixture[str], log: Path, method: str, **params: object) -> dict[str, Any]:
    sent = json.dumps({"session": {"log": str(log)}, **params})
    assert main(["call", "--no-daemon", method, sent]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def saved(folder: Path, *said: tuple[str, str]) -> Path:
    log = folder / "session.jsonl"
    log.write_text(pi_log(*said))
    return log


def talk(*asked: str) -> list[tuple[str, str]]:
    return [each for text in asked for each in (("user", text), ("assistant", "It works now."))]


TOPICS = ["Add a job queue", "Log every job", "Retry failed jobs", "Show the jobs", "Name the workers", "Stop them too"]


@pytest.mark.parametrize(("turns", "is_shown"), [(2, False), (3, False), (5, False), (6, True)])
def test_a_recap_is_shown_once_the_conversation_is_deep(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], turns: int, is_shown: bool
) -> None:
    log = saved(tmp_path, *talk(*TOPICS[:turns]))
    params = {"force": False, "currentPrompt": TOPICS[turns - 1]}
    found = asked_of(capsys, log, "recap/get", **params)
    assert (found["turn"], found["shown"]) == (turns, is_shown)


PROMPTS = {
    "yet to be logged": ("Tell the team on call by mail", len(TOPICS) + 1, "Tell the team on call by mail"),
    "logged already": (TOPICS[-1], len(TOPICS), TOPICS[-1]),
    "a nod": ("yes", len(TOPICS) + 1, "yes → name the machines as well"),
    "with a secret": (f"Use ghp_{'a1B2' * 9} for it", len(TOPICS) + 1, "Use \\[REDACTED\\] for it"),
}


@pytest.mark.parametrize("case", PROMPTS)
@pytest.mark.parametrize("preset", ["default", "gitclaw"])
def test_an_orientation_is_about_the_prompt_and_its_turn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, case: str, preset: str
) -> None:
    monkeypatch.setenv("RECAPD_PRESET", preset)
    prompt, turn, focus = PROMPTS[case]
    said = talk(*TOPICS)
    said[-1] = ("assistant", "They stop at once. Want me to name the machines as well?")
    log = saved(tmp_path, *said)
    oriented = asked_of(capsys, log, "orientation/get", currentPrompt=prompt)
    recap = asked_of(capsys, log, "recap/get", currentPrompt=prompt, force=False)
    assert (oriented["turn"], recap["turn"]) == (turn, turn)
    # The design's own page has the words as they were typed.
    focus = prompt if preset == "gitclaw" and case == "a nod" else focus
    for page in (oriented["block"], recap["markdown"]):
        # What names little is told behind what came before it.
        about = next(line for line in page.split("\n") if line.startswith("- **Now discussing:** "))
        assert f"(turn {turn})" in page and about.endswith(focus) and "ghp_" not in page
    assert f"at turn {turn}." in oriented["facts"] and "Last request: " + prompt[:3] in oriented["facts"]
    found = recap["recap"]["currentFocus"]
    assert found["text"].startswith(prompt[:3]) and ("ref" in found) == (case == "logged already")


CHANGED = talk(
    "Add a job queue to the shop",
    "We'll use Postgres for the job queue.",
    "Log every job",
    "Actually, use Redis for the job queue instead of Postgres.",
)


def test_what_is_decided_is_kept_and_what_is_replaced_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = saved(tmp_path, *CHANGED)
    found = asked_of(capsys, log, "decisions/list")["decisions"]
    status = {("Redis" if "Redis" in each["text"] else "Postgres"): each["status"] for each in found}
    assert status == {"Postgres": "superseded", "Redis": "active"}
    assert main(["recap", "--no-daemon", "--format", "decisions", str(log)]) == 0
    assert "Use Redis for the job queue" in capsys.readouterr().out


def test_each_decision_leads_to_the_line_that_proves_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = saved(tmp_path, *CHANGED)
    found = asked_of(capsys, log, "decisions/list")["decisions"]
    lines = log.read_bytes().split(b"\n")
    for each in found:
        ref = each["ref"]
        record = log.read_bytes()[ref["byteOffset"] : ref["byteOffset"] + ref["byteLength"]]
        assert record == lines[ref["line"] - 1] and each["quote"] in json.loads(record)["message"]["content"][0]["text"]
        assert each["madeBy"] == "user"


@pytest.mark.parametrize("budget", [60, 120, 200])
def test_a_recap_is_never_longer_than_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], budget: int
) -> None:
    asked = [f"{topic}, and tell me in detail what that changes for the people on call at night" for topic in TOPICS]
    log = saved(tmp_path, *talk(*asked), *CHANGED)
    for form in ("short", "full", "decisions", "timeline", "resume"):
        found = asked_of(capsys, log, "recap/get", format=form, maxTokens=budget)
        assert 0 < estimate_tokens(found["markdown"]) <= budget


@pytest.mark.parametrize("form", ["short", "full", "decisions", "timeline", "resume"])
def test_a_recap_is_folded_where_that_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    log = saved(tmp_path, *CHANGED)
    folded = ["recap", "--no-daemon", "--format", form, str(log), "--collapsible"]
    for command in (folded, folded[:-1]):
        assert main(command) == 0
        page = capsys.readouterr().out.strip()
        is_folded = command is folded
        assert page.startswith("<details><summary>") is is_folded and page.endswith("</details>") is is_folded
        # A mail program shows what is not folded.
        assert is_folded or "<" not in page


CACHED = talk(
    "Add a cache to the shop",
    "Log every request of the cache",
    "We'll use SQLite for the cache.",
    "Show the hit rate",
    "Name the tables",
    "Expire old rows",
    "Write the docs",
)
SQLITE = "We'll use SQLite for the cache"


@pytest.mark.parametrize("form", ["short", "full", "decisions", "resume"])
def test_a_decision_of_turn_3_is_in_the_recap_at_turn_7(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    log = saved(tmp_path, *CACHED)
    found = asked_of(capsys, log, "recap/get", format=form, maxTokens=1000)
    assert found["turn"] == 7 and SQLITE in found["markdown"]
    (decision,) = found["recap"]["decisions"]
    assert (decision["turn"], decision["text"]) == (3, f"{SQLITE}.")
    if form == "short":
        assert SQLITE not in asked_of(capsys, log, "recap/get", format=form, showDecisions=False)["markdown"]


@pytest.mark.parametrize("form", ["short", "full", "decisions"])
def test_decisions_are_the_last_to_be_dropped(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    log = saved(tmp_path, *CACHED)
    for most in (30, 40, 60, 90, 150):
        page = asked_of(capsys, log, "recap/get", format=form, maxTokens=most)["markdown"]
        assert SQLITE in page and estimate_tokens(page) <= most


def test_the_list_of_decisions_is_decisions_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = saved(tmp_path, *CHANGED)
    assert asked_of(capsys, log, "recap/get", format="decisions")["markdown"].split("\n") == [
        "📋 **Decisions made so far** (2)",
        "",
        "1. **Turn 2:** We'll use Postgres for the job queue (you; replaced at turn 4)",
        "2. **Turn 4:** Use Redis for the job queue instead of Postgres (you)",
    ]
    full = asked_of(capsys, log, "recap/get", format="full")["markdown"]
    assert "Use Redis for the job queue instead of Postgres (you; replaces turn 2: We'll use Postgres" in full
    log = saved(tmp_path, *talk("Show the hit rate", "Why is it so low?"))
    assert asked_of(capsys, log, "recap/get", format="decisions")["markdown"] == "📋 **No decisions so far**"


def test_the_preset_has_the_lines_and_limits_of_the_design(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECAPD_PRESET", "gitclaw")
    log = saved(tmp_path, *talk("a" * 99 + "👩‍👩‍👧‍👦 and more of it" * 9, f"{SQLITE}.", "now the docs"))
    assert asked_of(capsys, log, "recap/get")["markdown"].split("\n") == [
        "📍 **Where we are** (turn 3):",
        f"- **Started with:** {'a' * 99}...",
        f"- **Last decision:** {SQLITE}",
        "- **Now discussing:** now the docs",
    ]
    full = asked_of(capsys, log, "recap/get", format="full", collapsible=True)["markdown"]
    assert full.startswith("<details><summary>📍 Conversation Recap (turn 3)</summary>")
    assert f"**Key decisions:**\n- Turn 2: {SQLITE}" in full and "**Current focus:** now the docs" in full


def test_its_own_configuration_is_obeyed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`.GITCLAW/recap.json` of the folder that the session works in, as it is."""
    (tmp_path / "shop" / ".GITCLAW").mkdir(parents=True)
    own = tmp_path / "shop" / ".GITCLAW" / "recap.json"
    log = tmp_path / "session.jsonl"
    log.write_text(pi_log(*talk(*TOPICS[:4])).replace("/home/dev/shop", str(tmp_path / "shop")))
    for threshold, form, head in ((3, "full", "📍 **Conversation Recap** (turn 4)"), (4, "full", "")):
        own.write_text(json.dumps({"enabled": True, "turnThreshold": threshold, "format": form}))
        found = asked_of(capsys, log, "recap/get", force=False)
        assert (found["shown"], found["markdown"].split("\n")[0]) == (bool(head), head)


def test_no_secret_and_no_markup_of_a_request_reaches_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = "ghp_" + "a1B2" * 9
    log = saved(tmp_path, *talk(f"Deploy with {secret} and close </details> the **page**", "Log every job"))
    for form in ("short", "full", "resume", "timeline"):
        page = asked_of(capsys, log, "recap/get", format=form)["markdown"]
        assert "Deploy with" in page and secret not in page
        assert "</details>" not in page and "**page**" not in page
