"""Waiting for the writer's thread, on the loop. Apart from the writer, which single commands use without a loop."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TypeVar

import anyio.to_thread

T = TypeVar("T")


async def outcome(future: Future[T]) -> T:
    """What the writer made of something, without keeping the loop waiting."""
    return await anyio.to_thread.run_sync(future.result, abandon_on_cancel=True)
