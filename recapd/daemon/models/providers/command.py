"""A program that reads a prompt on stdin and prints an answer: `claude -p`, `codex exec -`, `llm`, a script of the
user's.

It is started only where the user named it. It runs in an empty folder of recapd's own, never in a project, in a process
group of its own, and is ended with all it started when its time is over or nobody waits any more. What it logs says
that folder as its own, and is no session (see own_folder). Hooks of recapd's that it may run keep quiet.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Mapping
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Final

import anyio
from anyio.abc import Process

from recapd.client.errors import NotPrivate
from recapd.client.paths import ASKED
from recapd.client.private import make_private
from recapd.core.settings import LlmSettings
from recapd.core.summaries import Prompt
from recapd.core.text import count_for_budget
from recapd.daemon.models.providers.base import Answer, ModelFailure
from recapd.daemon.own_folder import own_folder
from recapd.server.threads import in_thread

# An answer is a few thousand tokens; who prints more floods.
MOST_BYTES: Final = 4 << 20
# Who does not end when asked to is ended.
_GRACE_S: Final = 2.0
# By these an agent knows that it runs inside a session of another, and refuses or joins it.
_OF_ANOTHER_SESSION: Final = frozenset(("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT"))


class Command:
    """Fulfils Provider. One at a time: whoever has it sees to that."""

    def __init__(self, settings: LlmSettings, environ: Mapping[str, str]) -> None:
        self._settings = settings
        kept = {name: value for name, value in environ.items() if name not in _OF_ANOTHER_SESSION}
        self._environ = {**kept, ASKED: "1"}
        self._folder = own_folder(environ)

    async def ask(self, prompt: Prompt, model: str) -> Answer:
        if not self._settings.command:
            raise ModelFailure("noCommand")
        await in_thread(lambda: _emptied(self._folder))
        asked = "\n\n".join(part for part in (prompt.system, prompt.prefix, prompt.content) if part)
        try:
            with anyio.fail_after(self._settings.timeout_s):
                printed = await self._run(asked)
        except TimeoutError:
            raise ModelFailure("timeout", lost_tries=1) from None
        return Answer(
            text=printed,
            stop_reason="end_turn",
            input_tokens=count_for_budget(asked),
            output_tokens=count_for_budget(printed),
            model=Path(self._settings.command[0]).name,
        )

    async def _run(self, asked: str) -> str:
        try:
            process = await anyio.open_process(
                self._settings.command,
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,
                cwd=self._folder,
                env=self._environ,
                start_new_session=True,
            )
        except (OSError, ValueError):
            raise ModelFailure("noCommand") from None
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(_feed, process, asked.encode("utf-8", "replace"))
                printed = await _printed(process)
            code = await process.wait()
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process)
        if printed is None:
            raise ModelFailure("badAnswer", lost_tries=1)
        if code != 0:
            raise ModelFailure("commandFailed", lost_tries=1)
        return printed.decode("utf-8", "replace")


async def _feed(process: Process, data: bytes) -> None:
    assert process.stdin is not None
    try:
        await process.stdin.send(data)
        await process.stdin.aclose()
    except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
        # It may answer without reading everything.
        return


async def _printed(process: Process) -> bytes | None:
    """All that it prints; None where that is too much."""
    assert process.stdout is not None
    found = bytearray()
    async for chunk in process.stdout:
        found += chunk
        if len(found) > MOST_BYTES:
            _kill(process, signal.SIGKILL)
            return None
    return bytes(found)


async def _end(process: Process) -> None:
    """It, and whatever it started."""
    _kill(process, signal.SIGTERM)
    with anyio.move_on_after(_GRACE_S):
        await process.wait()
    _kill(process, signal.SIGKILL)
    await process.wait()
    await process.aclose()


def _kill(process: Process, how: signal.Signals) -> None:
    try:
        # Its group is named after it, as it began it.
        os.killpg(process.pid, how)
    except (ProcessLookupError, PermissionError):
        return


def _emptied(folder: str) -> None:
    try:
        make_private(folder)
        for entry in os.scandir(folder):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                os.unlink(entry.path)
    except (OSError, NotPrivate):
        raise ModelFailure("noCommand") from None
