"""A made-up afternoon of one developer, as its agents would have logged it: what the pictures of the panel show."""

from __future__ import annotations

from pathlib import Path

from tests.support.logs import (
    Act,
    agent,
    claude_log,
    codex_log,
    edit,
    ended,
    human,
    pause,
    pi_log,
    read,
    shell,
    title,
    todo,
)
from tests.support.logs import write as create

LIMITS = "5e551011-c0de-4a11-8000-0000000000a1"
LIMITS_ID = f"claude-code:{LIMITS}"


def limits(shop: str) -> list[Act]:
    """Rate limiting: a choice, a constraint, a reversal, red tests that become green, a commit, and a question."""
    return [
        title("Rate limiting per API key"),
        human("Checkout falls over when a client retries in a loop; add rate limiting per API key."),
        read(f"{shop}/server.py", "def handle(request): ..."),
        read(f"{shop}/settings.py", "REDIS = ..."),
        agent(
            "There are two ways:\n\n1. Limit by IP address: simple, but shared offices suffer.\n"
            "2. A token bucket in Redis per API key: exact across workers.\n\nWhich one shall it be?"
        ),
        human("Let's limit by IP address for now."),
        create(f"{shop}/limits.py"),
        edit(f"{shop}/server.py"),
        shell("pytest -q", "12 passed in 1.10s"),
        agent("Requests are limited by IP address now. All 12 tests pass."),
        pause(1500),
        human("No, that hits whole offices. Use the token bucket in Redis per API key instead of the IP address."),
        edit(f"{shop}/limits.py"),
        edit(f"{shop}/limits.py"),
        create(f"{shop}/tests/test_limits.py"),
        shell("pytest -q", "FAILED tests/test_limits.py::test_redis_down\n2 failed, 45 passed in 2.31s", exit_code=1),
        agent("The bucket works per API key. Two tests fail when Redis is down."),
        human("Never block checkout when Redis is down: let requests through and log it."),
        edit(f"{shop}/limits.py"),
        todo({"Token bucket": "completed", "Let through without Redis": "completed", "Document header": "pending"}),
        shell("pytest -q", "48 passed in 2.40s"),
        shell('git commit -am "Limit requests per API key"', "[rate-limit 3f2c91a] Limit requests per API key"),
        agent("Requests go through when Redis is down. All 48 tests pass; committed 3f2c91a."),
        pause(5400),
        human("Which default did you choose?"),
        read(f"{shop}/limits.py", "RATE = 20"),
        agent(
            "I chose 20 requests a second by default, which is twice what your busiest client sends today.\n\n"
            "Should the limit be configurable per customer?"
        ),
    ]


def release(shop: str) -> list[Act]:
    return [
        title("Release notes for 2.4"),
        human("Write the release notes for 2.4 from the commits since 2.3."),
        shell("git log --oneline v2.3..", "3f2c91a Limit requests per API key"),
        create(f"{shop}/CHANGELOG.md"),
        shell("npm run docs", outcome="open"),
    ]


def flaky(shop: str) -> list[Act]:
    return [
        human("The checkout test is flaky, find out why."),
        shell("pytest -q tests/test_checkout.py", "1 failed, 3 passed", exit_code=1),
        agent("It depends on the order of two timers. I fixed the clock in the test; it passed 200 times in a row."),
    ]


def write_story(home: Path, shop: str) -> None:
    """The logs of three agents below a home, the last words of the first two minutes old."""
    _put(home / ".claude/projects/-shop" / f"{LIMITS}.jsonl", claude_log(*limits(shop), session=LIMITS, cwd=shop), 2)
    _put(home / ".codex/sessions/2026/03/01/rollout-a.jsonl", codex_log(*release(shop), cwd=shop), 0)
    _put(home / ".pi/agent/sessions/shop/a.jsonl", pi_log(*flaky(shop), cwd=shop), 190)


def _put(path: Path, log: bytes, minutes_ago: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(ended(log, minutes_ago))
