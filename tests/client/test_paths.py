"""Where recapd's folders are, and which it refuses."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from recapd.client import paths
from recapd.client.errors import NotPrivate
from recapd.client.paths import check_socket_path, places
from recapd.client.private import make_private

UID = os.geteuid()


@pytest.mark.parametrize(
    ("environ", "runtime_dir", "state_dir"),
    [
        ({"RECAPD_RUNTIME_DIR": "/r", "RECAPD_STATE_DIR": "/s", "HOME": "/h"}, "/r", "/s"),
        ({"XDG_RUNTIME_DIR": "OURS", "XDG_STATE_HOME": "/x", "HOME": "/h"}, "OURS/recapd", "/x/recapd"),
        # As after sudo: the variable names a folder of somebody else, or one that is gone.
        ({"XDG_RUNTIME_DIR": "/no/such", "HOME": "/h"}, "/h/.local/state/recapd/run/host-1", "/h/.local/state/recapd"),
        ({"HOME": "/h"}, "/h/.local/state/recapd/run/host-1", "/h/.local/state/recapd"),
        ({"XDG_STATE_HOME": "/x", "HOME": "/h"}, "/x/recapd/run/host-1", "/x/recapd"),
        ({"RECAPD_STATE_DIR": "/s", "HOME": "/h"}, "/s/run/host-1", "/s"),
        # A user without a home.
        ({"HOME": "~"}, "/.local/state/recapd/run/host-1", "/.local/state/recapd"),
    ],
)
def test_places(
    environ: dict[str, str], runtime_dir: str, state_dir: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recapd.client.paths.sys.platform", "linux")
    monkeypatch.setattr("recapd.client.paths.os.uname", lambda: SimpleNamespace(nodename="host/1.example.org"))
    ours = paths._is_ours
    monkeypatch.setattr(paths, "_is_ours", lambda folder: ours(folder) and not folder.startswith("/run/user"))
    found = places({name: value.replace("OURS", str(tmp_path)) for name, value in environ.items()})
    assert (found.runtime_dir, found.state_dir) == (runtime_dir.replace("OURS", str(tmp_path)), state_dir)
    assert found.socket == f"{found.runtime_dir}/recapd.sock"


def test_a_mac_keeps_state_where_macs_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recapd.client.paths.sys.platform", "darwin")
    assert places({"HOME": "/h"}).state_dir == "/h/Library/Application Support/recapd"


def test_a_new_folder_is_private_and_an_open_one_is_closed(tmp_path: Path) -> None:
    (tmp_path / "readable").mkdir(mode=0o755)
    for name in ("new/deep", "readable"):
        path = make_private(str(tmp_path / name))
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o700


def world_writable(path: Path) -> None:
    path.mkdir()
    path.chmod(0o777)


def linked(path: Path) -> None:
    (path.parent / "elsewhere").mkdir(mode=0o700)
    path.symlink_to(path.parent / "elsewhere")


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (world_writable, "chmod 700"),
        (linked, "a link or a file"),
        (Path.touch, "File exists"),
    ],
)
def test_what_is_not_private_is_refused(spoil: Callable[[Path], None], expected: str, tmp_path: Path) -> None:
    spoil(tmp_path / "run")
    with pytest.raises(NotPrivate, match=expected) as refused:
        make_private(str(tmp_path / "run"))
    assert str(tmp_path / "run") in str(refused.value)


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    foreign = "/usr"
    if UID == 0:
        foreign = str(tmp_path / "run")
        os.mkdir(foreign, 0o700)
        os.chown(foreign, 65534, 65534)
    with pytest.raises(NotPrivate, match="belongs to another user"):
        make_private(foreign)


def test_a_path_too_long_for_a_socket_is_told_before_the_kernel_does() -> None:
    assert check_socket_path("/tmp/recapd/recapd.sock")
    with pytest.raises(NotPrivate, match="RECAPD_RUNTIME_DIR"):
        check_socket_path("/" + "x" * 103)
