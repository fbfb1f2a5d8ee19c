"""What hooks of agents tell: taken in at once, and over when the process that was named is gone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import msgspec

from recapd.core.presence import Signal
from recapd.daemon.clock import WallClock
from recapd.daemon.engine import Engine, EngineElsewhere, SignalCame
from recapd.daemon.presence import began, is_running
from recapd.server.threads import in_thread

# An agent that is killed calls no hook; so late it is known that it is gone.
LOOK_S: Final = 30.0


class Signals:
    """`run` it in a task."""

    def __init__(self, engine: Engine, elsewhere: EngineElsewhere, *, clock: WallClock, now: Callable[[], str]) -> None:
        self._engine = engine
        self._elsewhere = elsewhere
        self._clock = clock
        self._now = now

    def take(self, session_id: str, signal: Signal) -> None:
        """In a thread. A process that is gone already was not the agent's."""
        started = began(signal.pid) if signal.pid else ""
        is_there = bool(signal.pid) and is_running(signal.pid, started)
        signal = msgspec.structs.replace(signal, pid=signal.pid if is_there else 0, pid_started=started)
        self._elsewhere.apply(SignalCame(session_id, signal))

    async def run(self) -> None:
        while True:
            await self._clock.sleep(LOOK_S)
            named = {each: its for each, its in self._engine.world.signals.items() if its.pid and its.kind != "ended"}
            for session_id in await in_thread(partial(_find_gone, named)) if named else ():
                # Another may have gone on with the session while the processes were looked at.
                if self._engine.world.signals.get(session_id) is named[session_id]:
                    self._engine.apply(SignalCame(session_id, Signal("ended", self._now())))


def _find_gone(named: Mapping[str, Signal]) -> list[str]:
    return [each for each, its in named.items() if not is_running(its.pid, its.pid_started)]
