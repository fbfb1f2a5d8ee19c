"""Where the socket is when the system has no folder for it: below the home, or where a file below the home says."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from recapd.client import own_folder, paths
from recapd.client import start as start_module
from recapd.client.errors import NotPrivate
from recapd.client.find import find
from recapd.client.holder import holder_of
from recapd.client.paths import MAX_SOCKET_BYTES, Places, places
from recapd.client.start import connect_to, environment_for_daemon
from tests.client.fake_daemon import ARGV
from tests.client.hostile import give_away

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A user for whom the system has no folder; the home's path is short, as most are."""
    folder = Path(tempfile.mkdtemp(prefix="rt-", dir="/tmp"))
    (folder / "tmp").mkdir()
    monkeypatch.setattr(own_folder, "SHORT_FOLDER", str(folder / "tmp"))
    monkeypatch.setattr(start_module, "_FORMER", str(folder / "tmp" / "former"))
    monkeypatch.setattr(paths, "_is_ours", lambda _: False)
    monkeypatch.setattr("recapd.client.paths.sys.platform", "linux")
    yield folder
    for lock in folder.rglob("recapd.lock"):
        if (pid := holder_of(str(lock))) and pid != os.getpid():
            os.kill(pid, signal.SIGKILL)
    shutil.rmtree(folder)


def here(home: Path) -> Places:
    return places({"HOME": str(home)})


def long_home(home: Path) -> Path:
    longer = home / ("h" * 60) / ("h" * 60)
    longer.mkdir(parents=True, exist_ok=True)
    return longer


def is_private(folder: str) -> bool:
    return stat.S_IMODE(os.lstat(folder).st_mode) == 0o700


def test_it_is_below_the_home_and_looking_makes_nothing(home: Path) -> None:
    where = here(home)
    assert where.runtime_dir.startswith(f"{home}/.local/state/recapd/run/")
    assert find(where) is None and os.listdir(home) == ["tmp"]
    where.prepare()
    assert is_private(where.runtime_dir) and os.listdir(where.runtime_dir) == []
    assert here(home).runtime_dir == where.runtime_dir
    assert os.listdir(home / "tmp") == []


def test_each_machine_of_a_shared_home_has_its_own(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = set()
    for host in ("one.example.org", "two.example.org", "one.local", "", "../../x", "h" * 300):
        monkeypatch.setattr("recapd.client.paths.os.uname", lambda host=host: SimpleNamespace(nodename=host))
        where = here(home)
        where.prepare()
        found.add(where.runtime_dir.removeprefix(f"{home}/.local/state/recapd/run/"))
    assert found == {"one", "two", "-", "h" * 32}


def test_where_the_home_is_too_long_a_file_in_it_names_the_folder(home: Path) -> None:
    where = here(long_home(home))
    assert find(where) is None
    where.prepare()
    assert where.runtime_dir.startswith(f"{home}/tmp/recapd-{os.geteuid()}-") and is_private(where.runtime_dir)
    assert len(os.fsencode(where.socket)) <= MAX_SOCKET_BYTES
    # Whoever comes next finds the same, also when old files were cleaned up in between.
    assert here(long_home(home)).runtime_dir == where.runtime_dir
    os.rmdir(where.runtime_dir)
    again = here(long_home(home))
    assert find(again) is None
    again.prepare()
    assert again.runtime_dir == where.runtime_dir and is_private(again.runtime_dir)
    run = Path(where.state_dir, "run")
    assert [stat.S_IMODE(path.stat().st_mode) for path in run.iterdir()] == [0o600]


@pytest.mark.parametrize("lacking", ["sockets", "locks"])
def test_where_the_file_system_lacks_something_it_is_elsewhere_too(
    lacking: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("socket.socket.bind" if lacking == "sockets" else "fcntl.flock", refuse)
    where = here(home)
    where.prepare()
    assert where.runtime_dir.startswith(f"{home}/tmp/recapd-")
    assert here(home).runtime_dir == where.runtime_dir
    monkeypatch.undo()
    assert not list(home.rglob("*~"))


def test_a_name_that_somebody_took_is_given_up(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = here(long_home(home))
    first.prepare()
    give_away(first.runtime_dir, monkeypatch)
    second = here(long_home(home))
    assert find(second) is None
    second.prepare()
    assert second.runtime_dir not in ("", first.runtime_dir) and is_private(second.runtime_dir)
    assert here(long_home(home)).runtime_dir == second.runtime_dir


@pytest.mark.parametrize("said", ["", "relative/path", "/a\nb", "linked", "foreign", "folder"])
def test_a_record_that_is_none_is_replaced(said: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = here(long_home(home))
    record = Path(where.below_home + ".path")
    record.parent.mkdir(parents=True, mode=0o700)
    Path(where.state_dir).chmod(0o700)
    evil = home / "evil"
    evil.mkdir()
    if said == "linked":
        (home / "record").write_text(str(evil))
        record.symlink_to(home / "record")
    elif said == "folder":
        record.mkdir()
    else:
        record.write_text(str(evil) if said == "foreign" else said)
    if said == "foreign":
        give_away(record, monkeypatch)
    where = here(long_home(home))
    assert where.runtime_dir == where.below_home
    if said == "folder":
        with pytest.raises(NotPrivate, match="set RECAPD_RUNTIME_DIR"):
            where.prepare()
        return
    where.prepare()
    assert here(long_home(home)).runtime_dir == where.runtime_dir != where.below_home
    assert list(evil.iterdir()) == []


def test_no_place_at_all_is_one_sentence(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_folder, "SHORT_FOLDER", str(home / "none"))
    with pytest.raises(NotPrivate, match=r"^There is no place for recapd's socket: .*; set RECAPD_RUNTIME_DIR"):
        here(long_home(home)).prepare()


SETTLE = """
import sys
from recapd.client import own_folder, paths
own_folder.SHORT_FOLDER = sys.argv[2]
paths._is_ours = lambda _: False
where = paths.places({"HOME": sys.argv[1]})
sys.stdin.read()
where.prepare()
print(where.runtime_dir)
"""


def test_several_that_start_at_once_settle_on_one_folder(home: Path) -> None:
    command = [sys.executable, "-c", SETTLE, str(long_home(home)), str(home / "tmp")]
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    starters = [
        subprocess.Popen(command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    for starter in starters:
        assert starter.stdin is not None
        starter.stdin.close()
    found = set()
    for starter in starters:
        assert starter.stdout is not None
        with starter.stdout as said:
            found.add(said.read().strip())
        assert starter.wait() == 0
    (folder,) = found
    assert [str(path) for path in (home / "tmp").iterdir()] == [folder]


@pytest.mark.parametrize("is_long", [False, True])
def test_a_daemon_is_found_there(is_long: bool, home: Path) -> None:
    own = long_home(home) if is_long else home
    address, connection = connect_to(here(own), argv=ARGV)
    connection.close()
    found = find(here(own))
    assert found is not None and found.pid == address.pid
    assert find(Places(here(own).runtime_dir, "/nowhere")) is not None


def test_a_state_folder_of_somebody_else_says_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = here(home)
    where.prepare()
    give_away(where.state_dir, monkeypatch)
    with pytest.raises(NotPrivate, match="RECAPD_STATE_DIR"):
        find(here(home))


@pytest.mark.parametrize("is_ours", [True, False])
def test_a_daemon_at_the_former_place_makes_way_if_it_is_ours(
    is_ours: bool, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    former = Places(f"{home}/tmp/former-{os.geteuid()}", str(home / "state"))
    old, connection = connect_to(former, argv=ARGV)
    connection.close()
    if not is_ours:
        os.chmod(former.runtime_dir, 0o777)
    new, connection = connect_to(here(home), argv=ARGV)
    connection.close()
    assert new.pid != old.pid
    assert holder_of(former.lock) == (None if is_ours else old.pid)


def test_a_daemon_started_by_hand_settles_the_same(home: Path) -> None:
    environ = environment_for_daemon({"PATH": os.environ["PATH"]}) | {"HOME": str(home)}
    code = (
        "import sys; from recapd.client import own_folder, paths; "
        f"own_folder.SHORT_FOLDER = {str(home / 'tmp')!r}; own_folder._can_serve_from = lambda _: False; "
        "paths._is_ours = lambda _: False; from recapd.__main__ import main; sys.exit(main())"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, "serve", "--socket"], env=environ, stderr=subprocess.PIPE
    ) as served:
        try:
            from tests.support.processes import until

            until(lambda: find(here(home)) is not None)
            assert here(home).runtime_dir.startswith(f"{home}/tmp/recapd-")
        finally:
            served.terminate()
