"""`recapd` on a machine of which one folder lies on a disk that does not answer: whoever looks at it waits for ever, in
the system, as on a mount whose server is gone.

    RECAPD_TEST_DEAD=FOLDER RECAPD_TEST_PIPE=FIFO python -m tests.attack.dead_disk serve …
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import msgspec

DEAD = "RECAPD_TEST_DEAD"
PIPE = "RECAPD_TEST_PIPE"
ANSWER_S = 2.0


def make_dead(folder: str, pipe: str) -> None:
    opened = os.open

    def waiting(call: Callable[..., Any]) -> Callable[..., Any]:
        def wait_or_call(path: Any, *arguments: Any, **more: Any) -> Any:
            if not isinstance(path, int) and os.fsdecode(path).startswith(folder):
                # Nobody ever writes into it.
                opened(pipe, os.O_RDONLY)
            return call(path, *arguments, **more)

        return wait_or_call

    for name in ("open", "stat", "lstat", "scandir", "readlink", "access"):
        setattr(os, name, waiting(getattr(os, name)))


def main() -> int:
    from recapd.__main__ import main as recapd_main
    from recapd.daemon import app
    from recapd.daemon.following import tailer, watch

    app.DEFAULT_LIMITS = msgspec.structs.replace(app.DEFAULT_LIMITS, answer_s=ANSWER_S)  # type: ignore[attr-defined]
    watch.ANSWER_S = tailer.READ_S = tailer.SCAN_S = ANSWER_S
    make_dead(os.environ[DEAD], os.environ[PIPE])
    return recapd_main()


if __name__ == "__main__":
    sys.exit(main())
