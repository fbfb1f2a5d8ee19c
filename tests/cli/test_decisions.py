"""`recapd decisions` as a person reads it: who, when, whether it holds, what replaced it, where to look."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from recapd.__main__ import main
from recapd.cli.commands import DEMO_LOG
from recapd.cli.decisions import Style, write_listing
from recapd.cli.table import MAKERS, STATUSES
from recapd.cli.terminal import wrap
from recapd.wire.types import Decision
from recapd.wire.types.base import LogRef
from tests.support.logs import agent, claude_log, human

REF = LogRef(source="file:///logs/a.jsonl", generation="g", line=14, byte_offset=0, byte_length=9)
PLAIN = Style(None)
COLOURED = Style(60, dim="<dim>", struck="<struck>", end="</>")


def decision(id: str, text: str, **fields: object) -> Decision:
    blank = Decision(
        id=id,
        turn=2,
        message_index=0,
        timestamp=None,
        text=text,
        type="constraint",
        made_by="user",
        how="stated",
        confidence=0.9,
        status="active",
        alternatives=(),
        quote=text,
        ref=REF,
        proof="statement",
    )
    return msgspec.structs.replace(blank, **fields)


CAPPED = decision("a", "Uploads are capped at 25 MB", status="superseded", superseded_by="b", made_by="agent")
RAISED = decision("b", "Uploads may have 80 MB", turn=11, supersedes="a")
RULE = decision("c", "No new dependencies", conflicts_with="b", rationale="The image is large", restated=(REF, REF))
GUESS = decision("d", "Sort by date", status="tentative", made_by="collaborative")
LEFT = decision("e", "Try Rust", status="abandoned")
DISMISSED = decision("f", "Sell socks", status="dismissed", verdict="dismissed", superseded_by="b")
LIKELY = decision("h", "Keep it short", proof=None)
UNDONE = decision("g", "Cache it", status="reverted", superseded_by="b")
ALL = (CAPPED, RAISED, RULE, GUESS, LEFT, DISMISSED, UNDONE, LIKELY)

PLAINLY = """\
8 decisions: 2 hold, 1 less certain, 1 replaced, 1 taken back, \
1 on a branch that was left, 1 perhaps, 1 dismissed by you
turn  2  agent  ✗ Uploads are capped at 25 MB
                  → replaced in turn 11: Uploads may have 80 MB
                  line 14, id a
turn 11  you    ● Uploads may have 80 MB
                  line 14, id b
turn  2  you    ● No new dependencies
                  ! the agent did otherwise in turn 11: Uploads may have 80 MB
                  because: The image is large
                  line 14, id c, said again 2×
turn  2  both   ? Sort by date
                  perhaps, line 14, id d
turn  2  you    ⑂ Try Rust
                  on a branch that was left, line 14, id e
turn  2  you    – Sell socks
                  dismissed by you, line 14, id f
turn  2  you    ↩ Cache it
                  → taken back in turn 11: Uploads may have 80 MB
                  line 14, id g
turn  2  you    ○ Keep it short
                  less certain, line 14, id h"""


def test_plain_in_a_pipe() -> None:
    assert write_listing(ALL, known=ALL, style=PLAIN) == PLAINLY


def test_what_no_longer_holds_is_struck_on_a_terminal() -> None:
    lines = write_listing(ALL, known=ALL, style=COLOURED).split("\n")
    struck = [line for line in lines if "<struck>" in line]
    assert [line.split("<struck>")[1].removesuffix("</>") for line in struck] == [
        each.text for each in (CAPPED, LEFT, DISMISSED, UNDONE)
    ]


@pytest.mark.parametrize("text", ["word " * 60, "部署脚本改成英文" * 12, "a/very/long/path" * 12])
@pytest.mark.parametrize("width", [30, 40, 80])
def test_nothing_is_wider_than_the_terminal(text: str, width: int) -> None:
    shown = write_listing((decision("a", text),), known=(), style=Style(width))
    wide = str.maketrans(dict.fromkeys("部署脚本改成英文", "xx"))
    assert max(len(line.translate(wide)) for line in shown.split("\n")[1:]) <= width
    assert "".join(wrap(text, width)).replace(" ", "") == text.replace(" ", "")


def test_what_the_user_confirmed_is_certain() -> None:
    shown = write_listing((msgspec.structs.replace(LIKELY, verdict="confirmed"),), known=(), style=PLAIN)
    assert shown.startswith("1 decision: 1 holds\nturn 2  you    ● Keep it short")


def test_a_reason_that_says_because_is_not_told_so_twice() -> None:
    kept = decision("a", "Keep it", rationale="because it is small")
    assert "\n                 because it is small\n" in write_listing((kept,), known=(), style=PLAIN)


@pytest.mark.parametrize("rationale", ["because it is small", "Because it is …"])
def test_a_reason_that_the_text_says_is_not_told_again(rationale: str) -> None:
    kept = decision("a", "Keep it because it is small and plain", rationale=rationale)
    assert write_listing((kept,), known=(), style=PLAIN).casefold().count("because") == 1


def test_marks_of_code_are_for_pipes() -> None:
    ticked = decision("a", "Use `pnpm` here")
    assert "● Use `pnpm` here" in write_listing((ticked,), known=(), style=PLAIN)
    assert "● Use pnpm here" in write_listing((ticked,), known=(), style=Style(60))


def test_the_head_is_no_wider_than_the_terminal() -> None:
    head = write_listing(ALL, known=ALL, style=Style(40)).split("\nturn")[0]
    assert len(head.split("\n")) > 1 and max(map(len, head.split("\n"))) <= 40


def test_nothing_decided_is_said() -> None:
    assert write_listing((), known=(), style=PLAIN) == "No decisions were found."


@pytest.mark.parametrize("option", ["--open", "--dismiss", "--confirm", "--take-back"])
def test_an_id_that_no_decision_has_is_told_with_where_to_look(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decisions", "--no-daemon", str(DEMO_LOG), option, "zzz"]) == 1
    assert "No decision of this session has the id zzz; see them with: recapd decisions" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "option", "called"),
    [
        *((word, "--by", called) for word, called in MAKERS.items()),
        *((word, "--status", called) for word, called in STATUSES.items() if called != "active"),
        ("taken back", "--status", "reverted"),
    ],
)
def test_decisions_are_asked_for_in_the_words_they_are_told_in(
    word: str, option: str, called: str, capsys: pytest.CaptureFixture[str]
) -> None:
    listings = []
    for value in (word, called):
        assert main(["decisions", "--no-daemon", str(DEMO_LOG), option, value]) == 0
        listings.append(capsys.readouterr().out)
    assert listings[0] == listings[1]


def test_what_holds_and_what_is_less_certain_are_asked_for_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "a.jsonl"
    log.write_bytes(claude_log(human("Use Postgres for the orders. Never log addresses."), agent("I'll use Postgres.")))
    counts = {}
    for word in ("active", "holds", "less-certain"):
        assert main(["decisions", "--no-daemon", str(log), "--json", "--status", word]) == 0
        found = json.loads(capsys.readouterr().out)["decisions"]
        counts[word] = len(found)
        if word != "active":
            assert {each.get("proof") is None for each in found} <= {word == "less-certain"}
    assert counts["active"] == counts["holds"] + counts["less-certain"] > 0


def test_what_replaced_a_decision_is_told_where_only_replaced_ones_are_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "a.jsonl"
    acts = (human("Name the module spool"), agent("I named it spool."), human("rather queue"))
    log.write_bytes(claude_log(*acts, agent("The module is called queue now.")))
    assert main(["decisions", "--no-daemon", str(log), "--status", "replaced"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("1 decision: 1 replaced\n") and "→ replaced in turn 2: rather queue" in told


def test_help_names_the_words_that_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["decisions", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "only decisions of you, agent or both" in told
    assert "holds, less-certain, replaced, taken-back, left, perhaps or dismissed" in told
