"""Wire types of `hook/answer`: what an agent is told unasked."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from recapd.wire.types.base import PathParam, SessionSelector, Wire

HookMoment: TypeAlias = Literal["started", "resumed", "prompt", "compacting", "compacted"]


class HookAnswerParams(Wire, frozen=True, kw_only=True):
    """Params of `hook/answer`. The session must be named; its log need not exist yet."""

    session: SessionSelector
    """The agent's session."""
    moment: HookMoment
    """When: a session was started anew, gone on with, the user writes, the agent is about to replace its memory by a
    summary, or has done so."""
    workspace: PathParam | None = None
    """The folder it works in, as path or file URI; with `started`, whose last session is told of."""
    prompt: Annotated[str, Meta(max_length=100_000)] | None = None
    """With `prompt`: what the user writes."""


class HookAnswerResult(Wire, frozen=True, kw_only=True):
    """What to tell the agent. Log text in it is marked as past data, not as instructions."""

    text: str
    """The text; empty where nothing is to say."""
    tokens: int
    """Estimated tokens, never above the moment's budget."""
    session_id: str | None = None
    """The session it tells of, where there is one."""
