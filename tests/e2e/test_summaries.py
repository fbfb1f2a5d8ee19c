"""Summaries of a real daemon: made by itself, told to clients, kept over a restart, by a model where one is on.

Also seed 001's timing: `_recap.md` at the end of a session, on Ctrl+C, and anew at the start when it is missing or old.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.support.clock import PATIENCE_S
from tests.support.daemons import Home
from tests.support.fake_anthropic import SUMMARY, anthropic_service
from tests.support.logs import Act, agent, claude_log, ended, human
from tests.support.processes import daemon_process, until
from tests.support.talks import chat

SESSION = "5e551011-c0de-4a11-8000-000000000001"
ID = f"claude-code:{SESSION}"


def write_log(home: Home, *acts: Act, cwd: str = "/work/shop") -> Path:
    """A log whose last record is of just now: nobody summarises by himself what was left long ago."""
    path = home.logs / f"{SESSION}.jsonl"
    path.write_bytes(ended(claude_log(*acts, session=SESSION, cwd=cwd), 1))
    return path


def test_a_summary_is_made_by_itself_and_survives_a_restart(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with daemon_process(home) as daemon:
        daemon.settled()
        write_log(home, *chat(60))
        daemon.settled(lambda: daemon.status()["sessions"] == 1)
        ask = {"session": {"id": ID}}
        before = daemon.ask("recap/get", ask)["revision"]
        until(lambda: daemon.ask("recap/get", ask)["summary"]["state"] == "ready")
        told = daemon.ask("recap/get", ask)
        assert told["revision"] > before
        assert told["summary"]["coversThrough"] == 39
        (listed,) = daemon.ask("summary/list", ask)["summaries"]
        assert listed["method"] == "extractive" and "recapd summarized messages 1–40" in listed["notice"]
    with daemon_process(home) as daemon:
        daemon.settled()
        assert daemon.ask("summary/list", ask)["summaries"] == [listed]
        assert "[Summary 1] messages 1–40:" in daemon.ask("history/get", ask)["text"]


def test_a_model_that_is_switched_on_writes_it_and_the_status_shows_what_it_cost(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with anthropic_service() as service:
        config = tmp_path / "config.toml"
        config.write_text(f'[llm]\nprovider = "anthropic"\nbase_url = "{service.url}"\n')
        environ = {"RECAPD_CONFIG": str(config), "ANTHROPIC_API_KEY": "test-key-of-nobody"}
        write_log(home, *chat(60))
        with daemon_process(home, environ=environ) as daemon:
            daemon.settled()
            made = daemon.ask("summary/create", {"session": {"id": ID}, "focus": "case 7"})
            assert made["summary"]["method"] == "model" and SUMMARY in made["summary"]["text"]
            budget = daemon.status()["summaryBudget"]
            assert budget["calls"] >= 1 and budget["spentTokens"] >= 1_100 and budget["limitTokens"] == 200_000
            digest = daemon.ask(
                "summary/digest", {"session": {"id": ID}, "model": "claude-haiku-4-5", "maxTokens": 300}
            )
            assert digest["method"] == "model" and digest["tokens"] <= 300


def test_without_a_switch_a_daemon_asks_nobody(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with anthropic_service() as service:
        environ = {"ANTHROPIC_BASE_URL": service.url, "ANTHROPIC_API_KEY": "test-key-of-nobody"}
        write_log(home, *chat(60))
        with daemon_process(home, environ=environ) as daemon:
            daemon.settled()
            made = daemon.ask("summary/create", {"session": {"id": ID}, "model": "claude-haiku-4-5"})
            assert made["summary"]["method"] == "extractive"
            assert made["summary"]["note"] == "No model was asked: model summaries are off."
            assert service.requests == []


# ---- seed 001: timing of `_recap.md`


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def says(shop: Path, words: str) -> bool:
    file = shop / "_recap.md"
    return file.exists() and words in file.read_text()


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl+C", "SIGTERM"])
def test_001_timing_shutdown_the_recap_is_there_when_the_process_ends(
    tmp_path: Path, shop: Path, sign: signal.Signals
) -> None:
    home = Home(tmp_path)
    with daemon_process(home, arguments=("--recap-file-in", str(shop))) as daemon:
        daemon.settled()
        write_log(home, human("Make the queue survive restarts."), agent("It does now."), cwd=str(shop))
        daemon.settled(lambda: daemon.status()["sessions"] == 1)
        daemon.process.send_signal(sign)
        daemon.process.wait(PATIENCE_S)
    assert says(shop, "Make the queue survive restarts.")


def test_001_timing_startup_a_missing_recap_is_made_from_the_latest_log(tmp_path: Path, shop: Path) -> None:
    home = Home(tmp_path)
    write_log(home, human("Make the queue survive restarts."), agent("It does now."), cwd=str(shop))
    with daemon_process(home, arguments=("--recap-file-in", str(shop))):
        until(lambda: says(shop, "Make the queue survive restarts."))


def test_001_timing_startup_3_1_j_after_a_crash_a_recap_older_than_the_log_is_made_anew(
    tmp_path: Path, shop: Path
) -> None:
    home = Home(tmp_path)
    arguments = ("--recap-file-in", str(shop))
    acts = [human("Make the queue survive restarts."), agent("It does now.")]
    write_log(home, *acts, cwd=str(shop))
    with daemon_process(home, arguments=arguments) as daemon:
        until(lambda: says(shop, "Make the queue survive restarts."))
        daemon.kill()
    write_log(home, *acts, human("And now the charts."), agent("They no longer flicker."), cwd=str(shop))
    assert not says(shop, "And now the charts.")
    with daemon_process(home, arguments=arguments):
        until(lambda: says(shop, "And now the charts."))


def test_001_timing_3_1_l_a_second_signal_loses_nothing(tmp_path: Path, shop: Path) -> None:
    home = Home(tmp_path)
    with daemon_process(home, arguments=("--recap-file-in", str(shop))) as daemon:
        daemon.settled()
        write_log(home, human("Make the queue survive restarts."), agent("It does now."), cwd=str(shop))
        until(lambda: says(shop, "Make the queue survive restarts."))
        daemon.process.send_signal(signal.SIGINT)
        daemon.process.send_signal(signal.SIGINT)
        daemon.process.wait(PATIENCE_S)
    assert says(shop, "Make the queue survive restarts.") and os.path.getsize(shop / "_recap.md") > 0
