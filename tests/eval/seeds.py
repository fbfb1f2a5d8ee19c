"""What each seed's user types and what is printed, as a table: every row is run, and fails where its words are missing.

    python -m tests.eval.seeds [--only WORDS] [--whole]

Logs are made in each seed's own format, in a folder and a home of their own. `--whole` prints all that each command
printed instead of the lines that hold what is looked for.
The figures over real logs are printed by other commands: `tests.eval.reading` (what is told again),
`tests.eval.digests`, `tests.eval.survival` (ME-3) and `tests.corpus.contexts` (holes and overruns).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from recapd.__main__ import main as recapd
from tests.cli import test_seed_000_logs as gitclaw
from tests.cli import test_seed_001_logs as mindloop
from tests.cli import test_seed_002_logs as know_thyself
from tests.cli import test_seed_003_logs as mycode
from tests.cli import test_seed_004_logs as apex
from tests.cli import test_sessions_ended as ended

_COLUMNS: Final = 150
# What a daemon is needed for.
_WITH_DAEMON: Final = ("watch", "down")


class Row(Struct, frozen=True):
    clause: str
    ids: str
    # Typed one after the other; what the last one prints is looked at. {log} is the log, {folder} where it lies.
    commands: tuple[str, ...]
    # What the log holds, and before each command but the first what it holds then.
    logs: tuple[str, ...]
    holds: tuple[str, ...]
    lacks: tuple[str, ...] = ()
    name: str = "session.jsonl"
    # Written to the user's configuration, or at a path below the folder.
    config: str = ""
    files: dict[str, str] = {}


def _call(method: str, **params: object) -> str:
    sent = (
        json.dumps({"session": {"log": "LOG"}, **params}).replace("{", "{{").replace("}", "}}").replace("LOG", "{log}")
    )
    return f"call {method} {shlex.quote(sent)}"


def _gitclaw_rows() -> Iterator[Row]:
    compressed = gitclaw.pi_log(
        ("user", gitclaw.SUMMARY), ("assistant", "Understood."), *gitclaw.talk("Add the nightly export at 2 am")
    )
    deep = gitclaw.pi_log(*gitclaw.talk(*gitclaw.TOPICS))
    changed = gitclaw.pi_log(*gitclaw.CHANGED)
    yield Row(
        "000: a compressed session is a summary, not the request",
        "IN-5, IN-8, TU-3",
        ("recap {log}",),
        (compressed,),
        ("**Started with:** Add the nightly export at 2 am", "(turn 1)"),
        ("Session Summary",),
    )
    flushed = gitclaw.pi_log(
        *gitclaw.talk("Add the nightly export"), ("user", gitclaw.FLUSH), ("assistant", "NO_REPLY")
    )
    yield Row(
        "000: what its harness asks before it forgets is nobody's request",
        "IN-5, TU-1",
        ("recap {log}",),
        (flushed,),
        ("(turn 1)",),
        ("memory flush", "NO_REPLY"),
    )
    for turns, is_shown in ((5, "false"), (6, "true")):
        yield Row(
            f"000: at turn {turns} a recap is {'' if turns > 5 else 'not '}shown unasked",
            "RF-5, TI-3",
            (_call("recap/get", force=False, currentPrompt=gitclaw.TOPICS[turns - 1]),),
            (gitclaw.pi_log(*gitclaw.talk(*gitclaw.TOPICS[:turns])),),
            (f'"shown": {is_shown}', f'"turn": {turns}'),
        )
    for method in ("orientation/get", "recap/get"):
        yield Row(
            f"000: {method} is about the prompt and its turn",
            "IJ-1, IJ-2, TU-3",
            (_call(method, currentPrompt="Tell the team on call by mail"),),
            (deep,),
            ("(turn 7)", "**Now discussing:** Tell the team on call by mail"),
        )
    yield Row(
        "000: what is replaced says so",
        "DE-6, DE-7, RF-6",
        ("decisions {log}",),
        (changed,),
        ("✗ We'll use Postgres for the job queue", "replaced in turn 4", "● Actually, use Redis"),
    )
    for form, words in (("full", "<details>"), ("decisions", "📋 Decisions made so far")):
        yield Row(
            f"000: {form}, folded",
            "RF-1, RF-3",
            (f"recap --format {form} --collapsible {{log}}",),
            (changed,),
            (words, "Redis", "</details>"),
        )
    given = json.dumps({"enabled": True, "turnThreshold": 2, "format": "full", "maxRecapTokens": 200})
    yield Row(
        "000: its recap.json is read",
        "CF-1",
        ("config --workspace {folder}",),
        (changed,),
        ("recap.turn_threshold 2 workspace", "recap.format full workspace"),
        files={".GITCLAW/recap.json": given},
    )


def _mindloop_rows() -> Iterator[Row]:
    name = "002_agent_20260203_040000.jsonl"
    garden = (mindloop.garden(),)
    yield Row(
        "001: a budget of 1,000 tokens is used; answers, memories, files and the end survive",
        "CH-1 … CH-7, CO-1, CO-2",
        ("recap --budget 1000 {log}",),
        garden,
        (
            "Millimetres, one decimal",
            "Remembered: Sensor four drifts",
            "Finished: Built the watering model",
            "Changed:",
        ),
        ("autonomously",),
        name,
    )
    yield Row(
        "001: the end outlives the beginning",
        "CH-5, CH-7",
        ("recap --budget 60 {log}",),
        garden,
        (mindloop.DONE,),
        ("Let me see",),
        name,
    )
    for rule, (tool, arguments, result, line) in mindloop.RULES.items():
        log = mindloop.Log()
        log.call(tool, arguments, result, "The garden needs a plan before anything is planted.")
        yield Row(
            f"001: {rule} collapses", "CO-1, CO-3", ("recap --budget 400 {log}",), (log.text(),), (line,), (), name
        )
    for stop, warning, state in mindloop.ENDS.values():
        yield Row(
            f"001: {warning or 'a clean end'}",
            "PR-5, IJ-3",
            ("context --preset mindloop {log}",),
            (mindloop.garden(stop),),
            ("# Previous session recap", warning),
            () if warning else ("# Warning",),
            name,
        )
        yield Row(f"001: {state}", "PR-5", ("recap --budget 300 {log}",), (mindloop.garden(stop),), (state,), (), name)
    yield Row(
        "001, small: exit status, instances and notes in sessions",
        "CL-2",
        ("sessions {folder}",),
        (ended.instance("token budget exceeded (limit 900) (912 tokens)"),),
        ("out of tokens", "note: Sow the beans in May"),
        (),
        name,
    )
    yield Row(
        "001, small: somebody's own _recap.md is left alone",
        "ST-1, TI-1",
        ("watch {folder}", "down"),
        garden,
        ("was not written by recapd, which leaves it alone",),
        (),
        name,
        files={"_recap.md": "my own notes\n"},
    )
    yield Row(
        "001, small: --budget 0 is refused",
        "CL-1",
        ("recap --budget 0 {log}",),
        garden,
        ("--budget must be at least 1",),
        (),
        name,
    )


def _know_thyself_rows() -> Iterator[Row]:
    config = 'preset = "know-thyself"\n'
    said = know_thyself.talk(45)
    yield Row(
        "002: the second summary knows who she is, where she lives, whom she named, what she promised",
        "RS-2, RS-7, RS-8",
        ("summarize {log}", "summarize {log}", "context --budget 4000 {log}"),
        (know_thyself.rows(said[:22]), know_thyself.rows(said)),
        (
            "I'm Marta, I work as a nurse",
            "My sister Lina",
            "I live in Matosinhos",
            "Commitments: I promised Lina",
            "## Earlier in this conversation",
        ),
        config=config,
    )
    yield Row(
        "002: both summaries are listed",
        "RS-3, RS-9",
        ("summarize {log}", "summarize {log}", "history {log}"),
        (know_thyself.rows(said[:22]), know_thyself.rows(said)),
        ("[Summary 1] messages 1–24", "[Summary 2] messages 25–70"),
        config=config,
    )
    talked = know_thyself.rows([*know_thyself.TOLD, *know_thyself.HEDGED, *know_thyself.SETTLED, *said[5:20]])
    yield Row(
        "002: small talk is not decided",
        "DE-5, RS-7",
        ("summarize {log}", "context --budget 4000 {log}"),
        (talked,),
        ("Decided: I've decided to tell my mother about the diagnosis; Please don't bring up my father again",),
        config=config,
    )
    more = "It goes round in my head at night and keeps me awake. " * 120
    yield Row(
        "002: ten long exchanges get their summary",
        "RS-1, CA-6",
        ("summarize {log}",),
        (know_thyself.rows([f"{each} {more}" for each in know_thyself.talk(10)]),),
        ("Session Summary", "Marta"),
        config=config,
    )


def _mycode_rows() -> Iterator[Row]:
    name = "m5x-1a2b3c4d.json"
    work = (json.dumps(mycode.session(mycode.WORK), indent=2),)
    long = (json.dumps(mycode.session(mycode.talk(30), systemPrompt=mycode.SYSTEM)),)
    tools = "Bash 2 (1 failed): npm test"
    yield Row(
        "003: its session file is read whole, tools with counts, failures, uses",
        "IN-4, AC-5, AC-6",
        ("recap --format full {log}",),
        work,
        ("**Original request:** Add login with JWT", tools, "Tests pass: 12 passed (npm test)", "Files changed (2)"),
        (),
        name,
    )
    yield Row(
        "003: … in context/summary",
        "AC-5, RF-7",
        (_call("context/summary"),),
        work,
        (f"Tools used: {tools}",),
        (),
        name,
    )
    yield Row(
        "003: … in the box", "CL-2, RF-9", ("summarize {log}",), work, (f"• {tools}", "Files Modified: 2"), (), name
    )
    yield Row(
        "003: the system prompt is in the context",
        "CA-1, CA-4",
        ("context --preset mycode --budget 300 {log}",),
        long,
        (mycode.SYSTEM,),
        (),
        name,
    )
    yield Row(
        "003: summarize without a daemon keeps what it made",
        "RS-9, ST-3",
        ("summarize {log}", "history {log}"),
        long,
        ("[Summary 1] messages 1–40", "[Recent] messages 41–60:"),
        (),
        name,
    )
    yield Row(
        "all: an unknown section of a context is an error",
        "CA-1, PT-1",
        (_call("context/assemble", maxTokens=500, include=["wishes"]),),
        work,
        ("include[0]",),
        (),
        name,
    )


def _apex_rows() -> Iterator[Row]:
    name = "task_1-1769940000000.json"
    for shape, document in (("JSON array", apex.as_list(apex.WORK)), ("checkpoint", apex.as_checkpoint(apex.WORK))):
        yield Row(
            f"004: its {shape} is read",
            "IN-4, AC-2, PR-3",
            ("recap --format full {log}",),
            (json.dumps(document),),
            ("**Original request:** Add rate limiting", "Tests pass: 42 passed (npm test)", "`old.ts` deleted"),
            (),
            name,
        )
    for case, messages, done, current in apex.STAGES:
        held = [f'"currentStage": "{current}"'] if current else []
        yield Row(
            f"004: stage, {case}",
            "PR-1",
            (_call("context/summary"),),
            (json.dumps(messages),),
            (*held, *(f'"{stage}"' for stage in done)),
            () if current else ("currentStage",),
            name,
        )
    plan = apex.said("assistant", "The plan:\n- [x] token bucket\n- [x] Redis store\n- [ ] headers\n- [ ] docs")
    yield Row(
        "004: the percentage is that of the checklist",
        "PR-2",
        (_call("context/summary"),),
        (json.dumps([apex.ASKED, plan]),),
        ('"percentage": 50',),
        (),
        name,
    )
    for case, command, returned, reached in apex.MILESTONES:
        ran = [
            apex.ASKED,
            *apex.used("Bash", returned, command=command),
            apex.said("assistant", "Deployed, tests pass."),
        ]
        yield Row(
            f"004: milestone, {case}",
            "PR-3",
            ("recap --format full {log}",),
            (json.dumps(ran),),
            (f"**Progress:** {reached}",) if reached else (),
            () if reached else ("**Progress:** Merged", "Deployed ("),
            name,
        )
    for case, messages, left in apex.LEFT:
        yield Row(
            f"open work: {case}",
            "PR-4",
            ("recap --format full {log}",),
            (json.dumps([apex.ASKED, *messages]),),
            tuple(f"- {each}" for each in left),
            () if left else ("**Open:**",),
            name,
        )
    failed = [apex.ASKED, *apex.used("Edit", "<tool_use_error>String not found</tool_use_error>", file_path="a.ts")]
    yield Row(
        "small: no <tool_use_error> in lines",
        "CO-3",
        ("recap --format full {log}",),
        (json.dumps(failed),),
        ("Tried to edit a.ts — failed",),
        ("tool_use_error",),
        name,
    )
    yield Row(
        "small: a file whose only edit failed is not read",
        "AC-2, CO-3",
        ("files --all {log}",),
        (json.dumps(failed),),
        ("a.ts",),
        ("read ",),
        name,
    )
    spaced = "[\n" + ",\n".join(json.dumps(each, separators=(" , ", " : ")) for each in apex.WORK) + "\n]"
    yield Row(
        "small: written with spaces, created and modified stay apart",
        "AC-3",
        ("files {log}",),
        (spaced,),
        ("modified  2×", "written   1×", "deleted   1×"),
        (),
        name,
    )


def rows() -> Iterator[Row]:
    for each in (_gitclaw_rows, _mindloop_rows, _know_thyself_rows, _mycode_rows, _apex_rows):
        yield from each()


@contextlib.contextmanager
def _home(folder: Path, config: str) -> Iterator[None]:
    """Nothing of the user's is read or written."""
    before = dict(os.environ)
    for name in [each for each in os.environ if each.startswith(("RECAPD_", "XDG_"))]:
        del os.environ[name]
    home = folder / "home"
    (home / ".config" / "recapd").mkdir(parents=True)
    (home / ".config" / "recapd" / "config.toml").write_text(config)
    own = {"HOME": home, "RECAPD_STATE_DIR": home / "state", "RECAPD_RUNTIME_DIR": home / "run"}
    os.environ.update({name: str(path) for name, path in own.items()})
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def printed_by(row: Row) -> str:
    """What the last command prints, on either stream."""
    with tempfile.TemporaryDirectory() as name:
        folder, found = Path(name), ""
        (work := folder / "work").mkdir()
        for path, text in row.files.items():
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            (work / path).write_text(text)
        log = work / row.name
        with _home(folder, row.config):
            for number, command in enumerate(row.commands):
                if number < len(row.logs):
                    log.write_text(row.logs[number])
                typed = shlex.split(command.format(log=log, folder=work))
                if typed[0] not in (*_WITH_DAEMON, "config", "sessions"):
                    typed.insert(1, "--no-daemon")
                out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
                with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), contextlib.suppress(SystemExit):
                    recapd(typed)
                # The daemon that a row needed is ended by its last command.
                found = found if typed[0] == "down" else out.buffer.getvalue().decode()
    return found


def is_told(row: Row, text: str) -> bool:
    """However it is spaced."""
    flat = " ".join(text.split())
    holds, lacks = ([" ".join(each.split()) for each in words] for words in (row.holds, row.lacks))
    return all(each in flat for each in holds) and not any(each in flat for each in lacks)


def _cell(text: str) -> str:
    flat = " ".join(text.replace("|", "\\|").split())
    return flat if len(flat) <= _COLUMNS else f"{flat[: _COLUMNS - 1]}…"


def _lines_with(row: Row, text: str) -> str:
    lines = [line.strip() for line in text.replace("\\n", "\n").split("\n")]
    told = [" ".join(each.split()) for each in row.holds if each]
    lines = [" ".join(line.split()) for line in lines]
    return " ⏎ ".join(dict.fromkeys(line for line in lines if any(each in line for each in told)))


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="rows whose first cell holds this")
    parser.add_argument("--whole", action="store_true", help="print all that each command printed")
    args = parser.parse_args(arguments)
    sys.stdout.write("| for the seed's user | asked by | typed | printed | as asked |\n|---|---|---|---|---|\n")
    count = failed = 0
    for row in rows():
        if args.only not in row.clause:
            continue
        text = printed_by(row)
        is_right = is_told(row, text)
        count, failed = count + 1, failed + (not is_right)
        typed = " && ".join(f"recapd {each.format(log='LOG', folder='FOLDER')}" for each in row.commands)
        shown = _lines_with(row, text) or f"(nothing of {', '.join(row.lacks)})"
        sys.stdout.write(
            f"| {_cell(row.clause)} | {row.ids} | `{_cell(typed)}` | {_cell(shown)} | {'yes' if is_right else 'NO'} |\n"
        )
        if args.whole or not is_right:
            sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{count} rows, {count - failed} as asked\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
