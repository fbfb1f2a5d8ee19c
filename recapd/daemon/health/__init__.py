"""Whether recapd does its work: judged by progress, and told in sentences that say what to do."""

from recapd.daemon.health.oversight import Oversight, Parts

__all__ = [
    "Oversight",
    "Parts",
]
