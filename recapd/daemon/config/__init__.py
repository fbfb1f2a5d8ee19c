"""The configuration: read from its places, checked, put in order, followed while the daemon runs."""

from recapd.daemon.config.configuration import (
    Configuration,
    default_configuration,
    find_concerned_sessions,
    read_configuration,
    read_workspace_of,
    resolve_folders,
    workspace_file,
    workspace_of,
)
from recapd.daemon.config.dialects import BadConfiguration, config_path, read_dialects, usable_dialects
from recapd.daemon.config.docs import doc_of, write_toml_value
from recapd.daemon.config.layers import Layer, read_user, stamp_of
from recapd.daemon.config.setting_keys import describe_accepted, find_closest, keys, sections

__all__ = [
    "BadConfiguration",
    "Configuration",
    "Layer",
    "config_path",
    "default_configuration",
    "describe_accepted",
    "doc_of",
    "find_closest",
    "find_concerned_sessions",
    "keys",
    "read_configuration",
    "read_dialects",
    "read_user",
    "read_workspace_of",
    "resolve_folders",
    "sections",
    "stamp_of",
    "usable_dialects",
    "workspace_file",
    "workspace_of",
    "write_toml_value",
]
