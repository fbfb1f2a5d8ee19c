"""Wire types of `recapd/watch`: folders whose `_recap.md` recapd keeps up to date."""

from recapd.wire.types.base import PathParam, Time, Wire


class RecapdWatchParams(Wire, frozen=True, kw_only=True):
    """Params of `recapd/watch`."""

    workspace: PathParam | None = None
    """Absolute path or file URI of a folder; absent: nothing is switched, only told."""
    on: bool = True
    """Whether recapd shall keep a `_recap.md` in the folder. Switching off leaves the file as it is."""


class WatchedWorkspace(Wire, frozen=True, kw_only=True):
    """A folder that is switched on; it stays so over restarts."""

    path: str
    """The folder, as it was named."""
    file: str
    """Path of its `_recap.md`."""
    written_at: Time | None = None
    """When this recapd last wrote it; absent: it found nothing new to write."""
    message: str | None = None
    """Why it cannot be written and what to do, in one sentence."""


class RecapdWatchResult(Wire, frozen=True, kw_only=True):
    """What is switched on now."""

    workspaces: tuple[WatchedWorkspace, ...]
    """All folders that are switched on."""
