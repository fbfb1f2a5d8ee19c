"""Files and folders whose names are not UTF-8, and URIs that are none, as arguments: an answer or a sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from recapd.client.paths import Places
from recapd.client.start import environment_for_daemon
from tests.client.folders import own_folders

DEMO = Path(__file__).parent.parent.parent / "recapd" / "demo" / "session.jsonl"
LOG, FOLDER = b"caf\xe9.jsonl", b"caf\xe9"


@pytest.fixture(scope="module", params=["alone", "with a daemon"])
def where(request: pytest.FixtureRequest) -> Iterator[Places]:
    with own_folders() as folders:
        home = Path(folders.state_dir).parent
        (home / os.fsdecode(LOG)).write_bytes(DEMO.read_bytes())
        (home / os.fsdecode(FOLDER)).mkdir()
        (home / os.fsdecode(FOLDER) / "here.jsonl").write_bytes(DEMO.read_bytes())
        if request.param == "with a daemon":
            assert run(folders, "sockname", "--start").returncode == 0
        yield folders
        run(folders, "down")


def run(where: Places, *arguments: str | bytes, cwd: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    home = str(Path(where.state_dir).parent)
    folders = {"RECAPD_RUNTIME_DIR": where.runtime_dir, "RECAPD_STATE_DIR": where.state_dir, "HOME": home}
    done = subprocess.run(
        [sys.executable, "-m", "recapd", *arguments],
        env=environment_for_daemon({"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}) | folders,
        cwd=os.path.join(os.fsencode(home), cwd),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert b"Traceback" not in done.stderr and b"its own log" not in done.stderr, done.stderr
    return done


@pytest.mark.parametrize(
    ("arguments", "cwd"),
    [
        (("recap", LOG), b""),
        (("recap", b"here.jsonl"), FOLDER),
        (("files", LOG, "--json"), b""),
        (("context", LOG), b""),
        (("history", LOG), b""),
        (("sessions", FOLDER), b""),
        (("sessions", "."), FOLDER),
    ],
)
def test_a_log_is_read_whatever_its_name(arguments: tuple[str | bytes, ...], cwd: bytes, where: Places) -> None:
    done = run(where, *arguments, cwd=cwd)
    assert done.returncode == 0 and len(done.stdout) > 100, done


@pytest.mark.parametrize(
    ("arguments", "cwd", "told"),
    [
        (("recap", b"none-\xff.jsonl"), b"", b"does not exist"),
        (("recap", FOLDER), b"", b"is a directory"),
        (("config", "--workspace", FOLDER), b"", b"not UTF-8"),
        (("config",), FOLDER, b"not UTF-8"),
        (("watch", FOLDER), b"", b"not UTF-8"),
        (("unwatch",), FOLDER, b"not UTF-8"),
        (("overview",), FOLDER, b"not UTF-8"),
        (("sessions", "--query", b"\xff"), b"", b"no valid text"),
        (("recap", "file://[::1"), b"", b"file:///folder/name"),
        (("recap", "file:///nowhere/%FF"), b"", b"does not exist"),
        (("call", "recap/get", '{"cwd":"file://"}'), b"", b""),
        (("call", "config/get", '{"workspace":"file://["}'), b"", b"file:///folder/name"),
    ],
)
def test_what_cannot_be_done_is_said(
    arguments: tuple[str | bytes, ...], cwd: bytes, told: bytes, where: Places
) -> None:
    done = run(where, *arguments, cwd=cwd)
    assert done.returncode == 1 and told in done.stderr and done.stderr.count(b"\n") == 1, done


def test_a_home_whose_name_is_not_utf_8(tmp_path: Path) -> None:
    home = tmp_path / os.fsdecode(b"ad\xe8le")
    home.mkdir()
    environ = environment_for_daemon({"PATH": os.environ["PATH"]}) | {"HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-m", "recapd", "connect"],
        env=environ,
        input=b"",
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 3 and b"is not UTF-8; set RECAPD_STATE_DIR" in done.stderr
