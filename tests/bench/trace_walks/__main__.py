"""What one appended line and one request walk through in a live daemon, for each checkout, side by side.

    python -m tests.bench.trace_walks CHECKOUT [CHECKOUT ...] [--lists] [--edges] [--rounds N]

    append               a line at the end of a followed log, from the tail noticing it to the notification to a
                         subscriber of all sessions that waits for nothing to settle
    recap/get, changed   the first request after that, from the bytes of it to the bytes of the answer
    recap/get, again     the same once more

Each daemon runs in its checkout's own environment, with folders of its own, over a made-up session. All three are done
once before any is recorded, so that imports and first times are not counted, and then several times; what counts is
what all of these have. A walk holds the callbacks of the loop and the jobs of threads that led to the bytes being sent,
each because the one before it woke or started it, with every call made in them. Left out are whatever else ran
meanwhile and what was woken besides (writing to the store, say; its modules are counted as `besides`), the processes
that read large logs, and the passing of news from one task to another by an event or a queue, which is no call.

    modules        files of the package with a function that ran, also one that was only resumed
    hops           calls from a function of one module to one of another, through other libraries or a thread or not:
                   as calls made, as pairs of functions, as pairs of modules
    pass-through   hops from a function whose whole body is this one call
    thin           functions besides whose body is one statement with one hop in it
    A → B → A      hops from B back into A, where B was called by A; through more modules: the same with several between
    resolved       how often a session is looked up by what the request names
    snapshots      how often one is asked for, and how often one is made
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias, TypeVar

from tests.bench.output import write
from tests.bench.trace_walks.daemon import PACKAGE, Message, Traced, traced_daemon
from tests.bench.trace_walks.walks import Names, Walk, in_all, walk_of

# By plain or qualified name; of calls within each other only the outermost counts. Names that no checkout has yet are
# harmless: whoever gives these functions other names adds them here.
NAMES = Names(
    resolving=frozenset({"Snapshot._found", "session_of", "session_at", "find_session", "resolve_session"}),
    asking=frozenset({"snapshot", "take_snapshot", "Snapshots.take"}),
    making=frozenset({"Snapshot.__init__", "make_snapshot"}),
)
WALKS = ("append", "recap/get, changed", "recap/get, again")
ROUNDS = 4

Measured: TypeAlias = dict[str, Walk]
T = TypeVar("T", bound=tuple[str, ...])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.trace_walks")
    parser.add_argument("checkouts", nargs="+", type=Path, metavar="CHECKOUT")
    parser.add_argument("--lists", action="store_true", help="also the modules, pass-throughs and loops of each walk")
    parser.add_argument("--edges", action="store_true", help="also every hop")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    args = parser.parse_args()
    measured = {str(each): measure(each.resolve(), args.rounds) for each in args.checkouts}
    write_table(measured)
    for name, walks in measured.items():
        if args.lists:
            write_lists(name, walks)
        if args.edges:
            write_edges(name, walks)


def measure(checkout: Path, rounds: int) -> Measured:
    found: dict[str, list[Walk]] = {name: [] for name in WALKS}
    with traced_daemon(checkout) as daemon:
        daemon.until_at_rest()
        at_once = {"selector": {"all": True}, "settle": {"quietMs": 0, "maxMs": 0}}
        daemon.subscriber.request("recap/subscribe", {"subscriptionId": "walks", **at_once})
        listed = daemon.asker.request("session/list", {"limit": 1})
        params: Message = {"session": {"id": listed["sessions"][0]["id"]}, "format": "full"}
        for is_warm in (False, *[True] * rounds):
            for name in WALKS:
                work = append_one if name == "append" else lambda daemon: ask_for_recap(daemon, params)
                walk = recorded(daemon, work, checkout)
                if is_warm:
                    found[name].append(walk)
    return {name: in_all(walks) for name, walks in found.items()}


def recorded(daemon: Traced, work: Callable[[Traced], None], checkout: Path) -> Walk:
    daemon.until_at_rest()
    daemon.begin()
    work(daemon)
    return walk_of(daemon.end(), checkout / PACKAGE, NAMES)


def append_one(daemon: Traced) -> None:
    daemon.append()
    said = daemon.subscriber.next_notification()
    assert said == "recap/didChange", said


def ask_for_recap(daemon: Traced, params: Message) -> None:
    assert daemon.asker.request("recap/get", params)["markdown"]


# ---- the table


ROWS: dict[str, Callable[[Walk], str]] = {
    "modules": lambda walk: f"{len(walk.modules)}",
    "modules besides": lambda walk: f"{len(walk.besides)}",
    "functions called": lambda walk: f"{walk.modules.total()}",
    "tasks and threads on the way": lambda walk: f"{walk.starts.total()}",
    "hops, calls": lambda walk: f"{walk.hops.total()}",
    "hops, pairs of functions": lambda walk: f"{len(walk.hops)}",
    "hops, pairs of modules": lambda walk: f"{len(walk.edges)}",
    "pass-through, calls": lambda walk: f"{walk.pass_throughs.total()}",
    "pass-through, functions": lambda walk: f"{len({caller for caller, _ in walk.pass_throughs})}",
    "thin, functions": lambda walk: f"{len({caller for caller, _ in walk.thin})}",
    "A → B → A, calls": lambda walk: f"{walk.ping_pongs.total()}",
    "A → B → A, paths": lambda walk: f"{len(walk.ping_pongs)}",
    "through more modules, calls": lambda walk: f"{walk.detours.total()}",
    "through more modules, paths": lambda walk: f"{len(walk.detours)}",
    "sessions resolved": lambda walk: f"{walk.resolutions.total()}",
    "snapshots asked for": lambda walk: f"{walk.snapshots.total()}",
    "snapshots made": lambda walk: f"{walk.snapshots_made.total()}",
}


def write_table(measured: Mapping[str, Measured]) -> None:
    width = max(16, *(len(name) + 2 for name in measured))
    write(f"{'':<32}" + "".join(f"{name:>{width}}" for name in measured))
    for walk_name in WALKS:
        write(walk_name)
        for row, figure in ROWS.items():
            write(f"  {row:<30}" + "".join(f"{figure(walks[walk_name]):>{width}}" for walks in measured.values()))
        for package in sorted({package_of(name) for each in measured.values() for name in each[walk_name].modules}):
            counts = [
                sum(package_of(name) == package for name in each[walk_name].modules) for each in measured.values()
            ]
            write(f"  {'modules in ' + package:<30}" + "".join(f"{count:>{width}}" for count in counts))


def package_of(module: str) -> str:
    return ".".join(module.split(".")[:2])


def write_lists(name: str, walks: Measured) -> None:
    for walk_name, walk in walks.items():
        write(f"\n{name}, {walk_name}")
        write_counted("modules, and functions called in each", {(module,): n for module, n in walk.modules.items()})
        write_counted("modules that ran only besides", {(module,): n for module, n in walk.besides.items()})
        write_counted(
            "tasks and threads on the way, by what ran first", {(start,): n for start, n in walk.starts.items()}
        )
        write_counted("pass-through", walk.pass_throughs)
        write_counted("thin", walk.thin)
        write_counted("A → B → A", walk.ping_pongs)
        write_counted("back through more modules", walk.detours)
        named: Counter[str] = walk.resolutions + walk.snapshots + walk.snapshots_made
        write_counted("sessions resolved, snapshots", {(each,): n for each, n in named.items()})


def write_edges(name: str, walks: Measured) -> None:
    for walk_name, walk in walks.items():
        write(f"\n{name}, {walk_name}")
        write_counted("hops by module", walk.edges)
        write_counted("hops by function", walk.hops)


def write_counted(title: str, counted: Mapping[T, int]) -> None:
    write(f"  {title}: {len(counted)}")
    for path, count in sorted(counted.items()):
        write(f"    {count:>5}  {' → '.join(path)}")


if __name__ == "__main__":
    main()
