"""What a state depends on besides the log: the code that made it, and the formats the user described."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

import recapd
from recapd.daemon.config import config_path, usable_dialects
from recapd.daemon.log_files import known_formats


def fingerprint() -> str:
    """Another one means that the same log may give another state. Reading all of that code takes 5 ms."""
    digest = blake2b(digest_size=16)
    digest.update("\n".join((recapd.__version__, *known_formats())).encode())
    package = Path(recapd.__file__).parent
    for folder in ("core", "adapters"):
        for path in sorted((package / folder).rglob("*.py")):
            digest.update(str(path.relative_to(package)).encode())
            digest.update(path.read_bytes())
    digest.update(repr(usable_dialects(config_path())).encode())
    return digest.hexdigest()
