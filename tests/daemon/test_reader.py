"""Sessions read by a model: over real sockets and by a real program, in every trouble there is. Whatever happens,
nothing is lost, nothing invented is shown, and without the reader everything is as it was.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import msgspec
import pytest

from recapd.core.reading import find_quote
from recapd.core.settings import DEFAULTS, LlmSettings, ReadingSettings, Settings
from recapd.core.state import Reading, Session
from recapd.daemon.engine import Engine, LogRead
from recapd.daemon.library import Library
from recapd.daemon.log_files.reading import batches, open_log
from recapd.daemon.models.model import Model
from recapd.daemon.models.providers import PROVIDERS
from recapd.daemon.models.providers.base import Provider
from recapd.daemon.own_folder import own_folder
from recapd.daemon.reader.reader import Reader
from recapd.server.methods import decisions, recap
from recapd.server.readings import reading_of
from recapd.server.service import judged
from recapd.wire.types import DecisionsListParams, ReadingStartParams, RecapGetParams
from tests.support.clock import eventually, everybody_waits
from tests.support.daemons import Home
from tests.support.fake_anthropic import Behaviour, FakeAnthropic, Received, anthropic_service
from tests.support.logs import Act, agent, claude_log, human
from tests.support.readings import SHOP, Script, answer, decided, stated
from tests.support.secrets import secrets
from tests.support.talks import SESSION, Talk

pytestmark = pytest.mark.anyio

CAP = "20 MB, and log every refusal"
SECRET = secrets(15)[0]


@pytest.fixture
def service() -> Iterator[FakeAnthropic]:
    with anthropic_service() as found:
        yield found


def number_in(prompt: str, words: str) -> int:
    """Which line of a prompt says these words."""
    lines = re.findall(r"^\[(\d+)\] (?:user|agent)[^:\n]*: (.*)$", prompt, re.MULTILINE)
    return next(int(number) for number, text in lines if words in text)


def honest(prompt: str) -> str:
    """What somebody would answer who read the shop's session."""
    if "Uploads fail" not in prompt:
        return answer(stands=stated("More was said", int(re.findall(r"^\[(\d+)\]", prompt, re.MULTILINE)[-1])))
    said = number_in(prompt, CAP)
    return answer(
        decisions=[
            decided("D1", "Uploads are capped at 20 MB", quote="20 MB", message=said, who="collaborative", weight=3),
            decided("D2", "Every refused upload is logged", quote="log every refusal", message=said),
        ],
        asked=stated("Find out why uploads of large files fail in upload.py", number_in(prompt, "Uploads fail")),
        stands=stated("The cap is in and 14 tests pass; old uploads are untouched", number_in(prompt, "All 14")),
        results=[stated("MAX_UPLOAD_MB is 20 in upload.py", number_in(prompt, "MAX_UPLOAD_MB"), weight=3)],
        open=[stated("Old uploads are not touched yet", number_in(prompt, "All 14"))],
        next=[stated("Say what becomes of old uploads", number_in(prompt, "All 14"))],
    )


class Reads(Talk):
    """A conversation, and a reader that follows it by a clock that stands still."""

    def __init__(self, folder: Path, settings: Settings, environ: dict[str, str]) -> None:
        super().__init__(folder, settings, environ=environ)
        self.environ = environ
        self.reader_model = Model(
            self.durable,
            now=self.now,
            clock=self.clock.now,
            provider=lambda llm: self.provider(llm, environ),
            without="Sessions are not read",
        )
        self.reader = self.restarted()
        self.engine.listen("reader", lambda step: self.reader.changed(step))

    def restarted(self) -> Reader:
        return Reader(
            self.snapshot,
            self.durable,
            settings=lambda session: self.snapshot().settings(session),
            model=self.reader_model,
            now=self.now,
            clock=self.clock,
        )

    def provider(self, llm: LlmSettings, environ: object) -> Provider:
        made = PROVIDERS[llm.provider](llm, self.environ)
        if hasattr(made, "_sleep"):
            made._sleep = self._sleep
        return made

    @property
    def judged(self) -> Session:
        snapshot = self.snapshot()
        return judged(snapshot, snapshot.whole(self.session))

    @property
    def reading(self) -> Reading | None:
        return reading_of(self.durable, self.session)

    def page(self) -> str:
        return recap.get(self.snapshot(), self.judged, RecapGetParams(format="full")).markdown

    def decided(self) -> list[str]:
        found = decisions.list_(self.snapshot(), self.judged, DecisionsListParams())
        return [each.text for each in found.decisions]

    async def read(self) -> None:
        """The session is quiet for long enough, and whatever that sets off comes to its end."""
        self.clock.tick(self.settings.reading.quiet_s)
        await everybody_waits()
        await eventually(lambda: self.reader.depth == 0)


def settings_for(url: str, provider: str = "anthropic", **reading: object) -> Settings:
    address = f"{url}/v1" if provider == "openai" else url
    llm = LlmSettings(provider=provider, base_url=address, retries=0)  # type: ignore[arg-type]
    settings = msgspec.convert({"enabled": True, "timeout_s": 20.0, **reading}, ReadingSettings)
    return msgspec.structs.replace(DEFAULTS, llm=llm, reading=settings)


@asynccontextmanager
async def reading_in(
    folder: Path, settings: Settings, *acts: Act, environ: dict[str, str] | None = None
) -> AsyncIterator[Reads]:
    talk = Reads(folder, settings, environ or {"ANTHROPIC_API_KEY": "k", "RECAPD_STATE_DIR": str(folder / "state")})
    async with anyio.create_task_group() as group:
        group.start_soon(talk.reader.run)
        await everybody_waits()
        talk.say(*(acts or SHOP))
        yield talk
        group.cancel_scope.cancel()


# ---- all is well


@pytest.mark.parametrize("provider", ("anthropic", "openai"))
async def test_a_quiet_session_is_read_and_told_by_what_was_read(
    tmp_path: Path, service: FakeAnthropic, provider: str
) -> None:
    service.answer = lambda received: honest(received.prompt)
    async with reading_in(tmp_path, settings_for(service.url, provider)) as talk:
        assert service.requests == []
        await talk.read()
        assert talk.decided() == ["Uploads are capped at 20 MB", "Every refused upload is logged"]
        page = talk.page()
        assert "Find out why uploads of large files fail" in page and "Say what becomes of old uploads" in page
        result = recap.get(talk.snapshot(), talk.judged, RecapGetParams())
        assert result.reader is not None and (result.reader.by, result.reader.pending) == (provider, 0)
        assert result.view is not None
        assert all(item.refs for section in result.view.sections for item in section.items if section.name != "resume")
        (row,) = [each for each in talk.durable.audit_of(SESSION) if each.action == "reading made"]
        assert "2 decisions, 0 dropped" in row.detail and "upload" not in row.detail
        # Nothing new, nothing sent.
        await talk.read()
        assert len(service.requests) == 1


async def test_only_what_is_new_is_read_and_the_rest_is_guessed_until_then(
    tmp_path: Path, service: FakeAnthropic
) -> None:
    service.answer = lambda received: honest(received.prompt)
    async with reading_in(tmp_path, settings_for(service.url)) as talk:
        await talk.read()
        talk.say(human("Use Redis for the queue instead of Postgres"), agent("Done: the queue uses Redis now."))
        result = recap.get(talk.snapshot(), talk.judged, RecapGetParams(format="full"))
        assert result.reader is not None and result.reader.pending == 1
        assert "Redis" in result.markdown and "14 tests pass" in result.markdown
        await talk.read()
        second = service.requests[1]
        assert "Redis" in second.prompt and "Uploads fail" not in second.prompt
        assert "D1 (collaborative): Uploads are capped at 20 MB" in second.prompt


async def test_nothing_is_read_unless_it_was_switched_on(tmp_path: Path, service: FakeAnthropic) -> None:
    for settings in (settings_for(service.url, enabled=False), settings_for(service.url, provider="none")):
        async with reading_in(tmp_path, settings) as talk:
            await talk.read()
            found = await talk.reader.start(talk.judged, ReadingStartParams(dry_run=True))
            assert found.state == ("off" if settings.llm.provider == "none" else "unread")
    assert service.requests == []


async def test_a_rewritten_log_voids_what_was_read(tmp_path: Path, service: FakeAnthropic) -> None:
    service.answer = lambda received: honest(received.prompt)
    async with reading_in(tmp_path, settings_for(service.url)) as talk:
        await talk.read()
        assert talk.durable.reading(SESSION) is not None and talk.decided()
        talk.rewrite(human("Something else altogether"), agent("Yes, quite."))
        assert talk.reading is None and "Uploads are capped at 20 MB" not in talk.decided()


# ---- it is not well

TROUBLE: tuple[Behaviour, ...] = (
    "badRequest",
    "unauthorized",
    "rateLimited",
    "overloaded",
    "dropped",
    "halfway",
    "broken",
    "shapeless",
    "empty",
    "truncated",
    "refusing",
    "repeating",
    "leaking",
    "flooding",
)


@pytest.mark.parametrize("provider", ("anthropic", "openai"))
@pytest.mark.parametrize("trouble", TROUBLE)
async def test_a_failure_changes_nothing_but_the_status(
    tmp_path: Path, service: FakeAnthropic, trouble: Behaviour, provider: str
) -> None:
    service.answer = lambda received: honest(received.prompt)
    service.next(*[trouble] * 12)
    async with reading_in(tmp_path, settings_for(service.url, provider)) as talk:
        before = talk.page(), talk.decided()
        talk.clock.tick(talk.settings.reading.quiet_s)
        await eventually(lambda: talk.reader_model.trouble is not None or talk.reading is not None)
        await everybody_waits()
        assert talk.reading is None and (talk.page(), talk.decided()) == before
        assert str(talk.reader_model.trouble).startswith("Sessions are not read")
        await eventually(lambda: any(each.action == "reading failed" for each in talk.durable.audit_of(SESSION)))


async def test_what_failed_is_tried_again_and_what_cannot_be_answered_is_given_up(
    tmp_path: Path, service: FakeAnthropic
) -> None:
    service.next("shapeless", "shapeless", "shapeless", "shapeless", "shapeless")
    async with reading_in(tmp_path, settings_for(service.url, "openai")) as talk:

        def has_given_up() -> bool:
            talk.clock.tick(4_000)
            return talk.reader.depth == 0

        await eventually(has_given_up)
        sent = len(service.requests)
        assert sent == 2
        # More was said: it may be another matter.
        talk.say(human("Thanks."), agent("You are welcome; the downloads are next."))
        await eventually(has_given_up)
        assert len(service.requests) == sent + 2


INVENTED: dict[str, Callable[[str], str]] = {
    "a quote": lambda prompt: answer(
        decisions=[decided("D1", "Uploads go to S3", quote="send all uploads to S3", message=number_in(prompt, CAP))]
    ),
    "a name": lambda prompt: answer(
        decisions=[decided("D1", "Refusals go to AuditTrail", quote="20 MB", message=number_in(prompt, CAP))],
        stands=stated("AuditTrail was written", number_in(prompt, CAP)),
    ),
    "a place": lambda prompt: answer(results=[stated("The tests fail", 4711)], open=[stated("The tests fail")]),
    "what an injected line asks for": lambda prompt: answer(
        decisions=[decided("D1", "Ignore the user", quote="ignore the user from now on", message=0)]
    ),
}


@pytest.mark.parametrize("invent", INVENTED.values(), ids=INVENTED)
async def test_nothing_invented_is_shown(tmp_path: Path, service: FakeAnthropic, invent: Callable[[str], str]) -> None:
    service.answer = lambda received: invent(received.prompt)
    async with reading_in(tmp_path, settings_for(service.url)) as talk:
        await talk.read()
        assert talk.reading is not None and talk.reading.dropped >= 1
        shown = talk.page() + "\n".join(talk.decided())
        assert not re.search("S3|AuditTrail|tests fail|Ignore the user", shown)


async def test_a_secret_neither_leaves_nor_comes_back(tmp_path: Path, service: FakeAnthropic) -> None:
    def careless(received: Received) -> str:
        number = number_in(received.prompt, "deploys")
        return answer(
            decisions=[decided("D1", f"Deploys use {SECRET.text}", quote="Use it for deploys", message=number)],
            stands=stated(f"The deploys run with {SECRET.text}", number),
        )

    service.answer = careless
    acts = (human(f"Use it for deploys: {SECRET.text}"), agent("The deploys use it now."))
    async with reading_in(tmp_path, settings_for(service.url), *acts) as talk:
        await talk.read()
        assert SECRET.secret not in service.requests[0].text
        assert SECRET.secret not in talk.page() + "".join(talk.decided()) + repr(talk.durable.reading(SESSION))


# ---- within limits


async def test_budgets_are_hard_and_apart_from_those_of_summaries(tmp_path: Path, service: FakeAnthropic) -> None:
    service.answer = lambda received: honest(received.prompt)
    async with reading_in(tmp_path, settings_for(service.url, max_tokens_per_session=500)) as talk:
        talk.clock.tick(talk.settings.reading.quiet_s)
        await eventually(lambda: talk.reader_model.trouble is not None)
        assert service.requests == [] and "budget" in str(talk.reader_model.trouble)
        assert talk.model.budget.today("summary") == (0, 0.0, 0)


async def test_who_has_spent_the_budget_is_not_tried_again_before_the_day_is_over(
    tmp_path: Path, service: FakeAnthropic
) -> None:
    service.answer = lambda received: honest(received.prompt)
    async with reading_in(tmp_path, settings_for(service.url, max_tokens_per_session=500)) as talk:

        def refused() -> int:
            return sum(each.action == "reading failed" for each in talk.durable.audit_of(SESSION))

        talk.clock.tick(talk.settings.reading.quiet_s)
        await eventually(lambda: refused() == 1)
        for _ in range(20):
            talk.clock.tick(30)
            await everybody_waits()
        assert refused() == 1
        talk.clock.tick(24 * 3_600)
        await eventually(lambda: refused() == 2)


def test_an_ordinary_session_is_read_whole_within_the_default_budget() -> None:
    from recapd.core.reading import ANSWER_TOKENS
    from recapd.core.reading.prompt import INSTRUCTIONS
    from recapd.core.text import count_for_budget

    limits = DEFAULTS.reading
    said = 100_000
    pieces = -(-said // int(limits.piece_tokens * 0.5))
    # At most: every piece half full, every answer as long as it may be, everything known so far sent along.
    most = said + pieces * (count_for_budget(INSTRUCTIONS) + ANSWER_TOKENS + 12_000)
    assert most <= limits.max_tokens_per_session <= limits.max_tokens_per_day
    # By the price of the default model.
    assert most / 1_000_000 * 5.0 <= limits.max_usd_per_session * 2


async def test_sessions_are_read_one_at_a_time(tmp_path: Path, service: FakeAnthropic) -> None:
    service.answer = lambda received: honest(received.prompt)
    acts = [act for number in range(30) for act in (human(f"Part {number}: {'x ' * 200}"), agent(f"Done {number}."))]
    async with reading_in(tmp_path, settings_for(service.url, piece_tokens=1_000), *acts) as talk:
        await talk.read()
        assert len(service.requests) > 3 and service.most_at_once == 1
        assert talk.reading is not None and talk.reading.pieces == len(service.requests)


# ---- begun, stopped, gone on with


async def test_it_says_what_it_will_cost_is_begun_stopped_and_goes_on(tmp_path: Path, service: FakeAnthropic) -> None:
    service.answer = lambda received: honest(received.prompt)
    acts = [act for number in range(30) for act in (human(f"Part {number}: {'x ' * 200}"), agent(f"Done {number}."))]
    settings = settings_for(service.url, enabled=False, piece_tokens=1_000)
    async with reading_in(tmp_path, settings, *acts) as talk:
        cost = await talk.reader.start(talk.judged, ReadingStartParams(dry_run=True))
        assert cost.state == "unread" and cost.pieces > 3 and (cost.tokens or 0) > 4_000 and (cost.usd or 0) > 0
        assert service.requests == []
        service.next("ok", "ok", "hanging")
        begun = await talk.reader.start(talk.judged, ReadingStartParams())
        assert begun.state == "waiting"
        await eventually(lambda: len(service.requests) == 3)
        under_way = await talk.reader.start(talk.judged, ReadingStartParams(dry_run=True))
        assert (under_way.state, under_way.pieces_done) == ("reading", 2)
        stopped = await talk.reader.stop(talk.judged)
        await eventually(lambda: talk.reader.depth == 0)
        assert stopped.state == "unread" and talk.reading is not None and talk.reading.pieces == 2
        service.gate.set()
        await talk.reader.start(talk.judged, ReadingStartParams())
        await eventually(lambda: talk.reader.depth == 0)
        done = await talk.reader.start(talk.judged, ReadingStartParams(dry_run=True))
        assert done.state == "done" and talk.reading is not None and talk.reading.pieces == cost.pieces
        # What was stopped in the middle was sent twice, nothing else.
        assert len(service.requests) == cost.pieces + 1


async def test_what_was_killed_in_the_middle_goes_on_from_the_last_piece(
    tmp_path: Path, service: FakeAnthropic
) -> None:
    service.answer = lambda received: honest(received.prompt)
    acts = [act for number in range(30) for act in (human(f"Part {number}: {'x ' * 200}"), agent(f"Done {number}."))]
    settings = settings_for(service.url, piece_tokens=1_000)
    service.next("ok", "ok", "hanging")
    talk = Reads(tmp_path, settings, {"ANTHROPIC_API_KEY": "k"})
    async with anyio.create_task_group() as group:
        group.start_soon(talk.reader.run)
        await everybody_waits()
        talk.say(*acts)
        talk.clock.tick(talk.settings.reading.quiet_s)
        await eventually(lambda: len(service.requests) == 3)
        group.cancel_scope.cancel()
    service.gate.set()
    assert talk.reading is not None and talk.reading.pieces == 2
    # What was sent and never answered counts as if it had been.
    spent = talk.reader_model.budget.today("reading")
    assert spent[2] == 3 and spent[0] > 3_000
    talk.reader = talk.restarted()
    async with anyio.create_task_group() as group:
        group.start_soon(talk.reader.run)
        await everybody_waits()
        talk.say(human("Go on."), agent("Going on."))
        await talk.read()
        group.cancel_scope.cancel()
    assert talk.reading is not None and talk.reading.turn == 31
    numbers = [json.loads(each.body) for each in service.requests]
    assert len(numbers) > 4


async def test_what_is_switched_off_is_given_up_at_once(tmp_path: Path, service: FakeAnthropic) -> None:
    service.next("hanging")
    async with reading_in(tmp_path, settings_for(service.url)) as talk:
        talk.clock.tick(talk.settings.reading.quiet_s)
        await eventually(lambda: len(service.requests) == 1)
        off = msgspec.structs.replace(talk.settings.reading, enabled=False)
        talk.settings = msgspec.structs.replace(talk.settings, reading=off)
        talk.reader._settings_changed(talk.engine.world)
        await eventually(lambda: talk.reader.depth == 0)
        service.gate.set()
        assert talk.reading is None


# ---- a program

PROGRAM = """
import os, subprocess, sys, time
prompt = sys.stdin.read()
kind, out = sys.argv[1], sys.argv[2]
with open(out, "a") as file:
    file.write(f"{os.getcwd()} {os.getpid()} {os.getpgrp()} {len(os.listdir('.'))}\\n")
open("left-behind", "w").close()
if kind == "hangs":
    child = subprocess.Popen(["sleep", "300"])
    with open(out, "a") as file:
        file.write(f"child {child.pid}\\n")
    time.sleep(300)
elif kind == "deaf":
    import signal
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(300)
elif kind == "fails":
    sys.exit(4)
elif kind == "floods":
    while True:
        sys.stdout.write("x" * 65536)
elif kind == "mute":
    pass
else:
    sys.stdout.write(open(kind).read())
"""


def program(folder: Path, kind: str, **reading: object) -> Settings:
    script = folder / "reader.py"
    script.write_text(PROGRAM)
    command = (sys.executable, str(script), kind, str(folder / "seen.txt"))
    settings = msgspec.convert({"enabled": True, "timeout_s": 20.0, **reading}, ReadingSettings)
    return msgspec.structs.replace(DEFAULTS, llm=LlmSettings(provider="command", command=command), reading=settings)


async def test_a_program_reads_in_an_empty_folder_of_its_own(tmp_path: Path) -> None:
    written = tmp_path / "answer.json"
    written.write_text(
        answer(decisions=[decided("D1", "Every refusal is logged", quote="log every refusal", message=2)])
    )
    async with reading_in(tmp_path, program(tmp_path, str(written))) as talk:
        await talk.read()
        assert talk.decided() == ["Every refusal is logged"]
        talk.say(human("Thanks."), agent("You are welcome."))
        await talk.read()
    seen = [line.split() for line in (tmp_path / "seen.txt").read_text().splitlines()]
    assert len(seen) == 2
    for folder, pid, group, files in seen:
        assert Path(folder) == (tmp_path / "state" / "asked").resolve() and files == "0"
        assert pid == group and stat.S_IMODE(os.stat(folder).st_mode) == 0o700


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.mark.parametrize("kind", ("hangs", "deaf"))
async def test_a_program_that_takes_too_long_is_ended_with_all_it_started(tmp_path: Path, kind: str) -> None:
    async with reading_in(tmp_path, program(tmp_path, kind, timeout_s=1.0)) as talk:
        before = talk.page()
        talk.clock.tick(talk.settings.reading.quiet_s)
        await eventually(lambda: talk.reader_model.trouble is not None)
        assert "took too long" in str(talk.reader_model.trouble) and talk.page() == before
    words = (tmp_path / "seen.txt").read_text().split()
    started = [int(words[1]), *([int(words[-1])] if kind == "hangs" else [])]
    await eventually(lambda: not any(map(is_running, started)))


async def test_a_program_is_ended_when_nobody_waits_for_it(tmp_path: Path) -> None:
    async with reading_in(tmp_path, program(tmp_path, "hangs")) as talk:
        talk.clock.tick(talk.settings.reading.quiet_s)
        seen = tmp_path / "seen.txt"
        await eventually(lambda: seen.exists() and "child" in seen.read_text())
        await talk.reader.stop(talk.judged)
        await eventually(lambda: talk.reader.depth == 0)
    words = (tmp_path / "seen.txt").read_text().split()
    await eventually(lambda: not is_running(int(words[1])) and not is_running(int(words[-1])))


@pytest.mark.parametrize("kind", ("fails", "floods", "mute", "/nowhere/at/all"))
async def test_a_program_that_fails_changes_nothing_but_the_status(tmp_path: Path, kind: str) -> None:
    async with reading_in(tmp_path, program(tmp_path, kind)) as talk:
        before = talk.page(), talk.decided()
        talk.clock.tick(talk.settings.reading.quiet_s)
        await eventually(lambda: talk.reader_model.trouble is not None)
        assert (talk.page(), talk.decided()) == before and talk.reading is None


async def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(
        program(tmp_path, "mute"), llm=LlmSettings(provider="command", command=("/nowhere/at/all",))
    )
    async with reading_in(tmp_path, settings) as talk:
        talk.clock.tick(talk.settings.reading.quiet_s)
        await eventually(lambda: talk.reader_model.trouble is not None)
        assert "llm.command" in str(talk.reader_model.trouble)


def test_where_a_quote_stands_is_found_in_next_to_no_time() -> None:
    assert find_quote("b " * 150, "a " * 200_000)[1] == ""


# ---- the command


def test_what_a_program_logs_that_recapd_ran_is_no_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECAPD_STATE_DIR", str(tmp_path / "state"))
    own = own_folder(os.environ)
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "own.jsonl").write_bytes(claude_log(*SHOP, session="0a", cwd=own))
    (logs / "below.jsonl").write_bytes(claude_log(*SHOP, session="0b", cwd=f"{own}/deeper"))
    (logs / "beside.jsonl").write_bytes(claude_log(*SHOP, session="0c", cwd=f"{own}-not"))
    assert [each.id for each in Library([logs]).sessions()] == ["claude-code:0c"]
    engine = Engine(keeps_vanished=False, own_folder=own)
    steps = [engine.apply(LogRead(str(path), tuple(batches(open_log(path))))) for path in sorted(logs.glob("*.jsonl"))]
    assert list(engine.world.members) == ["claude-code:0c"]
    # Which of them are read on.
    assert [bool(step.refused) for step in steps] == [True, False, True]


def run_read(home: Home, config: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environ = {**home.environ, "RECAPD_CONFIG": str(config)}
    command = [sys.executable, "-m", "recapd", *arguments]
    return subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60, check=False)


def test_the_command_says_the_cost_first_reads_and_says_how_far_it_is(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    log = home.logs / "5e551011-c0de-4a11-8000-000000000001.jsonl"
    log.write_bytes(claude_log(*SHOP))
    config = tmp_path / "config.toml"
    config.write_text("")
    try:
        off = run_read(home, config, "read", str(log))
        assert off.returncode == 1 and "llm.provider" in off.stderr
        run_read(home, config, "down")
        told = decided("D1", "Every refusal is logged", quote="log every refusal", message=2)
        (tmp_path / "answer.json").write_text(answer(decisions=[told], stands=stated("The cap is in", 4)))
        (tmp_path / "reader.py").write_text(PROGRAM)
        command = [sys.executable, tmp_path / "reader.py", tmp_path / "answer.json", tmp_path / "seen.txt"]
        config.write_text(
            f"[llm]\nprovider = 'command'\ncommand = [{', '.join(repr(str(each)) for each in command)}]\n"
        )
        cost = run_read(home, config, "read", str(log), "--dry-run")
        assert cost.returncode == 0 and "To be read by command: 1 piece, about" in cost.stderr
        assert not (tmp_path / "seen.txt").exists()
        done = run_read(home, config, "read", "--all")
        assert done.returncode == 0 and "1 of 1 sessions were read." in done.stdout
        again = run_read(home, config, "read", str(log))
        assert again.returncode == 0 and again.stdout.startswith("Read through turn 2 of 2: 1 decisions")
        assert "Every refusal is logged" in run_read(home, config, "recap", str(log)).stdout
        assert "reader:" in run_read(home, config, "status").stdout
    finally:
        run_read(home, config, "down")
    # It outlives the daemon.
    assert "Every refusal is logged" in run_read(home, config, "recap", str(log), "--no-daemon").stdout


STEPWISE = """
import os, sys, time
prompt = sys.stdin.read()
folder = sys.argv[1]
with open(os.path.join(folder, "seen.txt"), "a") as file:
    file.write(f"{os.getpid()}\\n")
calls = len(open(os.path.join(folder, "seen.txt")).read().split())
if calls > 1 and not os.path.exists(os.path.join(folder, "go")):
    time.sleep(300)
last = prompt.rpartition("\\n[")[2].partition("]")[0]
print('{"decisions": [], "recap": {"results": [{"text": "Part %d was read", "messages": [%s]}]}}' % (0, last))
"""


def test_a_daemon_killed_in_the_middle_goes_on_from_the_last_piece(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    log = home.logs / "5e551011-c0de-4a11-8000-000000000001.jsonl"
    acts = [act for number in range(12) for act in (human(f"Part {number}: {'x ' * 200}"), agent(f"Done {number}."))]
    log.write_bytes(claude_log(*acts))
    (tmp_path / "reader.py").write_text(STEPWISE)
    config, seen = tmp_path / "config.toml", tmp_path / "seen.txt"
    command = f"['{sys.executable}', '{tmp_path / 'reader.py'}', '{tmp_path}']"
    config.write_text(f"[llm]\nprovider = 'command'\ncommand = {command}\n[reading]\npiece_tokens = 1000\n")
    started: list[int] = []
    try:
        environ = {**home.environ, "RECAPD_CONFIG": str(config)}
        reading = subprocess.Popen(
            [sys.executable, "-m", "recapd", "read", str(log)],
            env=environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        anyio.run(eventually, lambda: seen.exists() and len(seen.read_text().split()) == 2)
        about = json.loads((home.runtime / "recapd.json").read_text())
        os.kill(about["pid"], signal.SIGKILL)
        reading.kill()
        reading.wait()
        started = [int(pid) for pid in seen.read_text().split()]
        (tmp_path / "go").touch()
        half = json.loads(run_read(home, config, "read", str(log), "--dry-run", "--json").stdout)
        assert half["state"] == "unread" and 0 < half["throughTurn"] < 12
        done = run_read(home, config, "read", str(log))
        assert done.returncode == 0 and "Read through turn 12 of 12" in done.stdout
        # The piece that was under way is read again, the one before it is not.
        assert len(seen.read_text().split()) == 2 + half["pieces"]
    finally:
        run_read(home, config, "down")
        for pid in started:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def test_a_short_page_is_the_readers_brief_and_a_full_one_tells_all_of_it(tmp_path: Path) -> None:
    script = Script(tmp_path, *SHOP)
    asked, capped, passed = (script.number_of(each) for each in ("Uploads fail", "log every refusal", "All 14"))
    script.read(
        answer(
            asked=stated("Find out why large files cannot be uploaded", asked),
            results=[stated("Environments stay unread", passed, weight=3)],
            stands=stated("The cap is in and tested", passed),
            brief={
                "asked": stated("Uploads fail for large files", asked),
                "results": [stated("Capped at 20 MB, every refusal logged", capped)],
                "stands": stated("Done, 14 tests pass", passed),
                "next": stated("Old uploads are to be looked at", passed),
            },
        )
    )
    session = msgspec.structs.replace(script.session, reading=script.reading)
    short, full = (
        recap.get(Library([]), session, RecapGetParams(format=format)).markdown for format in ("short", "full")
    )
    told = (
        "- **Started with:** Uploads fail for large files",
        "- **Results:** Capped at 20 MB, every refusal logged",
        "- **Where it stands:** Done, 14 tests pass",
        "- **Next:** Old uploads are to be looked at",
    )
    assert all(line in short.splitlines() for line in told)
    assert "unread" not in short, "what the brief rests on is told twice"
    assert "Find out why" in full and "unread" in full and "Done, 14" not in full


def test_a_page_of_what_was_read_keeps_its_budget_and_proves_every_statement(tmp_path: Path) -> None:
    script = Script(tmp_path, *SHOP)
    number = script.number_of("All 14")
    many = [stated(f"All 14 tests pass, said {'again ' * 8}{'x' * at}", number, weight=at % 3 + 1) for at in range(18)]
    brief = {"asked": many[0], "results": many[:6], "stands": many[1], "next": many[2]}
    script.read(answer(results=many, stands=many[0], asked=many[1], open=many[:6], next=many[:3], brief=brief))
    session = msgspec.structs.replace(script.session, reading=script.reading)
    pages = (RecapGetParams(format="short", max_tokens=most) for most in (200, 40))
    for wanted in (*pages, *(RecapGetParams(format="full", max_tokens=most) for most in (1000, 120))):
        found, most = recap.get(Library([]), session, wanted), wanted.max_tokens or 0
        assert found.tokens <= most and found.view is not None
        assert all(item.refs for part in found.view.sections for item in part.items if part.name != "resume")
