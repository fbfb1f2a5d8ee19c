"""recapd: recaps, decisions and context of coding-agent conversations."""

__version__ = "0.1.0"
