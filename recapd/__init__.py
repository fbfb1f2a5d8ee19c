"""recapd: recaps, decisions and context of coding-agent conversations."""

from recapd.client.version import __version__ as __version__
