"""`recapd serve`: from arguments to options, and from there to the app. Tells the starter how it went."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import threading
import time
from pathlib import Path

from recapd.client.errors import ClientError
from recapd.client.find import find
from recapd.client.paths import Places, places
from recapd.daemon.lifecycle import (
    AlreadyServed,
    Readiness,
    ServeOptions,
    Stdio,
    Tcp,
    UnixSocket,
    detach,
    inherited_readiness,
)

# What threads are left have this long to end: what they did was waited for, or given up.
_LAST_S = 2.0


def serve_command(args: argparse.Namespace) -> int:
    readiness = inherited_readiness()
    where = places()
    try:
        if not args.stdio:
            # Which folder it is may be settled only now.
            where.prepare()
        options = options_from(args, where, is_started_by_client=readiness.is_awaited)
        if readiness.is_awaited and not options.is_foreground:
            detach()
        return _serve(options, where, readiness)
    except AlreadyServed as other:
        # To whoever waits for a daemon this is as good as our own.
        if not readiness.is_awaited:
            sys.stderr.write(f"recapd: {other}\n")
        readiness.ready()
        return 0
    except ClientError as error:
        sys.stderr.write(f"recapd: {error}\n")
        readiness.failed(str(error))
        return 1
    except Exception as error:
        # The traceback goes to the log; the starter gets what fits on a line.
        readiness.failed(f"recapd failed while it started ({type(error).__name__}); its log {where.log} says why.")
        raise


def options_from(args: argparse.Namespace, where: Places, *, is_started_by_client: bool) -> ServeOptions:
    transport: Stdio | UnixSocket | Tcp
    if args.stdio:
        transport = Stdio()
    elif args.tcp is not None:
        transport = Tcp(args.tcp)
    else:
        transport = UnixSocket(str(Path(args.socket).absolute()) if args.socket else where.socket)
    return ServeOptions(
        transport=transport,
        runtime_dir=where.runtime_dir,
        state_dir=where.state_dir,
        idle_s=args.idle or None,
        # Who starts it by hand, or by a service manager, also decides when it ends.
        is_idle_configured=args.idle is None and is_started_by_client and not args.foreground,
        roots=tuple(Path(root).absolute() for root in args.root),
        recap_files_in=tuple(Path(folder).absolute() for folder in args.recap_file_in),
        is_foreground=args.foreground or not is_started_by_client,
    )


def _serve(options: ServeOptions, where: Places, readiness: Readiness) -> int:
    if not isinstance(options.transport, Stdio) and (other := find(where)) is not None:
        # Known before the costly imports: several editors that start at once start several of us.
        raise AlreadyServed(f"recapd runs already (pid {other.pid}, version {other.version}).")

    # Nothing that is imported is garbage, and looking for some takes a tenth of the time; see interpreter.begin.
    gc.disable()
    import anyio

    from recapd.daemon.app import run

    code = anyio.run(run, options, readiness.ready, backend="asyncio")
    _leave_stuck_threads(code)
    return code


def _leave_stuck_threads(code: int) -> None:
    """End here where threads are left that wait for a disk which does not answer: Python would wait for them."""
    others = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    end = time.monotonic() + _LAST_S
    for thread in others:
        if not thread.daemon:
            thread.join(max(end - time.monotonic(), 0))
    if any(thread.is_alive() and not thread.daemon for thread in others):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
