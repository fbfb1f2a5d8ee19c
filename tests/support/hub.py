"""A world that changes, a hub that hears of it, and a clock that stands still."""

from __future__ import annotations

from recapd.core.log.events import Reply
from recapd.daemon.engine import Engine, LogForgotten, LogRead
from recapd.daemon.hub import Hub, HubMailbox, look_at
from recapd.wire.types import (
    RecapDidChangeParams,
    RecapSubscribeParams,
    RecapSubscribeResult,
    SessionChange,
    Settle,
    SubscriptionSelector,
)
from tests.support.clock import FakeClock
from tests.support.records import Row, batch, record, tape

ALL = SubscriptionSelector(all=True)
AT_ONCE = Settle(quiet_ms=0, max_ms=0)


class Changing:
    """Sessions by name, each in a log of its own."""

    def __init__(self, *, max_remembered: int = 1_000) -> None:
        self.clock = FakeClock()
        self.engine = Engine(keeps_vanished=False)
        self.hub = Hub("i-1", self.engine, clock=self.clock, max_remembered=max_remembered)
        self.engine.listen("clients", self.hub.changed)
        self._lines: dict[str, int] = {}

    def change(self, name: str, row: Row | None = None, *, cwd: str = "/p") -> int:
        """One more record in the session's log; the revision after it."""
        line = self._lines[name] = self._lines.get(name, 0) + 1
        rows = row if isinstance(row, tuple) else (row or Reply(f"answer {line}"),)
        records = tape(record(*rows, session=name, cwd=cwd), first=line)
        return self.engine.apply(LogRead(name, (batch(records, uri=uri_of(name)),))).world.revision

    def delete(self, name: str) -> None:
        self._lines.pop(name, None)
        self.engine.apply(LogForgotten(name, uri_of(name)))

    def subscribe(
        self,
        mailbox: HubMailbox,
        selector: SubscriptionSelector = ALL,
        *,
        name: str = "a",
        since: str | None = None,
        settle: Settle | None = AT_ONCE,
    ) -> RecapSubscribeResult:
        params = RecapSubscribeParams(subscription_id=name, selector=selector, since=since, settle=settle)
        return self.hub.subscribe(mailbox, params, look_at(selector))

    def revisions(self) -> dict[str, int]:
        return {session_id: members.revision for session_id, members in self.engine.world.members.items()}


def uri_of(name: str) -> str:
    return f"file:///logs/{name}.jsonl"


def id_of(name: str) -> str:
    return f"claude-code:{name}"


def told(mailbox: HubMailbox) -> RecapDidChangeParams:
    notification = mailbox.take()
    assert isinstance(notification, RecapDidChangeParams)
    return notification


def ids(changes: tuple[SessionChange, ...]) -> list[str]:
    return [change.session_id.removeprefix("claude-code:") for change in changes]
