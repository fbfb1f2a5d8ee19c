"""The panel as it ships: built from the sources beside it, small, and packed without Node."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import recapd.bridges.panel
from recapd.bridges.install import Wanted, target_named
from recapd.bridges.panel import extension_version, pack_extension
from tests.support.daemons import ROOT, Home

BUILT = Path(recapd.bridges.panel.__file__).parent / "built"
CLIENTS = ROOT / "clients"
MOST_BYTES = 150_000


def digest_of_sources() -> str:
    """As `clients/build.mjs` makes it."""
    folders = [CLIENTS / "typescript/src", CLIENTS / "vscode/src", CLIENTS / "vscode/media"]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file() and path.name != "protocol.ts"]
    files += [CLIENTS / name for name in ("vscode/package.json", "vscode/README.md", "package-lock.json", "build.mjs")]
    digest = hashlib.sha256()
    for path in sorted(files, key=str):
        digest.update(path.relative_to(CLIENTS).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def test_the_bundles_were_made_from_these_sources() -> None:
    told = (BUILT / "sources.sha256").read_text().strip()
    assert told == digest_of_sources(), "run: npm ci --prefix clients --ignore-scripts; npm run build --prefix clients"


def test_the_lock_names_no_registry() -> None:
    assert "https://" not in "".join(
        line for line in (CLIENTS / "package-lock.json").read_text().splitlines() if '"resolved"' in line
    )


def test_the_extension_is_small_and_whole() -> None:
    packed = pack_extension()
    assert len(packed) <= MOST_BYTES and packed == pack_extension()
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        names = set(archive.namelist())
        about = json.loads(archive.read("extension/package.json"))
        assert about["version"] == extension_version() and about["extensionKind"] == ["workspace"]
        named = {about["main"].removeprefix("./"), about["icon"], "media/webview.js", "media/panel.css", "README.md"}
        assert {f"extension/{name}" for name in named} <= names
        assert {"extension.vsixmanifest", "[Content_Types].xml"} <= names
        # A command that the palette shows and nobody registered would be an error on a click.
        code = archive.read("extension/extension.js").decode()
        assert [row["command"] for row in about["contributes"]["commands"] if row["command"] not in code] == []


def test_nothing_remote_is_loaded() -> None:
    page = (BUILT / "media" / "index.html").read_text()
    assert "://" not in page
    assert "url(" not in (BUILT / "media" / "panel.css").read_text()


def editor(folder: Path, name: str) -> Path:
    """A command that writes down how it was called."""
    told = folder / f"{name}.told"
    path = folder / name
    path.write_text(f'#!/bin/sh\necho "$@" >> {told}\n')
    path.chmod(0o755)
    return told


def test_install_puts_it_into_every_editor_that_is_there_and_takes_it_out_again(tmp_path: Path) -> None:
    home = Home(tmp_path)
    commands = tmp_path / "bin"
    commands.mkdir()
    told = [editor(commands, name) for name in ("codium", "code-server")]
    environ = home.environ | {"PATH": str(commands)}
    command = [sys.executable, "-m", "recapd"]
    subprocess.run([*command, "install", "vscode", "--yes"], env=environ, check=True, capture_output=True)
    packed = home.state / "recapd.vsix"
    assert packed.read_bytes() == pack_extension() and packed.stat().st_mode & 0o777 == 0o600
    for each in told:
        assert each.read_text() == f"--install-extension {packed} --force\n"
        each.unlink()
    subprocess.run([*command, "uninstall", "vscode", "--yes"], env=environ, check=True, capture_output=True)
    assert not packed.exists()
    assert [each.read_text() for each in told] == ["--uninstall-extension recapd.recapd\n"] * 2


def test_where_there_is_no_editor_it_says_what_else_to_do(tmp_path: Path) -> None:
    home = Home(tmp_path)
    command = [sys.executable, "-m", "recapd", "install", "vscode", "--yes"]
    environ = home.environ | {"PATH": str(tmp_path)}
    done = subprocess.run(command, env=environ, check=False, capture_output=True, text=True)
    assert done.returncode == 1 and "recapd panel" in done.stderr
    assert target_named("vscode") is not None and Wanted(None, environ, made={}).home == str(tmp_path)
