"""The configuration: read from its places, checked, put in order, followed while the daemon runs."""

from recapd.daemon.config.configuration import (
    Configuration,
    concerned,
    configured,
    read_workspace_of,
    unconfigured,
    with_folders,
    workspace_file,
    workspace_of,
)
from recapd.daemon.config.dialects import BadConfiguration, config_path, read_dialects, usable_dialects
from recapd.daemon.config.docs import doc_of, written
from recapd.daemon.config.layers import Layer, read_user, stamp_of
from recapd.daemon.config.setting_keys import accepted, closest, keys, sections

__all__ = [
    "BadConfiguration",
    "Configuration",
    "Layer",
    "accepted",
    "closest",
    "concerned",
    "config_path",
    "configured",
    "doc_of",
    "keys",
    "read_dialects",
    "read_user",
    "read_workspace_of",
    "sections",
    "stamp_of",
    "unconfigured",
    "usable_dialects",
    "with_folders",
    "workspace_file",
    "workspace_of",
    "written",
]
