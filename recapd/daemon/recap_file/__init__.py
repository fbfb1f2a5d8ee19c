"""`_recap.md`: which folders have one, when it is written, and how it lies on disk."""

from recapd.daemon.recap_file.files import RecapFiles
from recapd.daemon.recap_file.workspaces import WorkspacesOn, is_any_active, workspace_at

__all__ = [
    "RecapFiles",
    "WorkspacesOn",
    "is_any_active",
    "workspace_at",
]
