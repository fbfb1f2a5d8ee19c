"""`recapd watch`: what it asks of the daemon, what it tells the user, and keeping the file out of git."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from recapd.__main__ import parser_of
from recapd.cli import watch as cli
from recapd.cli.git_exclude import add_exclusion, exclude_file, is_excluded
from recapd.cli.table import COMMANDS
from recapd.client.call import FIRST_ANSWER_S
from recapd.wire.errors import RecapError

NAME = "_recap.md"


class Daemon:
    """Answers `recapd/watch` and remembers what it was asked."""

    def __init__(self, message: str | None = None) -> None:
        self.asked: list[dict[str, object]] = []
        self.message = message
        self.on: list[str] = []

    def call(self, method: str, params: Mapping[str, object], *, timeout_s: float) -> object:
        assert method == "recapd/watch" and timeout_s == FIRST_ANSWER_S
        path = params.get("workspace")
        if path is not None:
            self.asked.append(dict(params))
            self.on = [each for each in self.on if each != path]
            self.on += [str(path)] if params.get("on", True) else []
        told = {"message": self.message} if self.message else {}
        return {
            "workspaces": [
                {"path": each, "file": f"{Path(each).resolve()}/{NAME}", "new": 1} | told for each in self.on
            ]
        }


@pytest.fixture
def daemon(monkeypatch: pytest.MonkeyPatch) -> Daemon:
    daemon = Daemon()
    monkeypatch.setattr(cli, "call", daemon.call)
    return daemon


def run(*arguments: str) -> int:
    command = next(each for each in COMMANDS if each.name == arguments[0])
    args = parser_of(command).parse_args(arguments[1:])
    return cli.watch_command(args) if command.name == "watch" else cli.unwatch_command(args)


def test_a_folder_is_named_by_its_whole_path(
    daemon: Daemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("watch") == run("unwatch") == run("watch", "--list") == 0
    assert daemon.asked == [{"workspace": str(tmp_path)}, {"workspace": str(tmp_path), "on": False}]
    shown = capsys.readouterr()
    assert str(tmp_path / NAME) in shown.out
    assert "no folder is watched" in shown.err


def test_trouble_is_told_and_makes_the_command_fail(
    daemon: Daemon, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    daemon.message = "That file was not written by recapd."
    assert run("watch", str(tmp_path)) == 1
    shown = capsys.readouterr()
    assert daemon.message in shown.err and not shown.out
    # What failed is not on the list afterwards; what was on before stays on.
    assert daemon.on == []
    daemon.on = [str(tmp_path)]
    assert run("watch", str(tmp_path)) == 1
    assert daemon.on == [str(tmp_path)]


def test_nothing_is_no_name_of_a_folder(daemon: Daemon) -> None:
    for command in ("watch", "unwatch"):
        for name in ("", " "):
            with pytest.raises(RecapError, match="empty name"):
                run(command, name)
    assert daemon.asked == []


def test_what_is_not_watched_cannot_be_left_alone(daemon: Daemon, tmp_path: Path) -> None:
    with pytest.raises(RecapError, match="is not watched"):
        run("unwatch", str(tmp_path / "nope"))
    assert daemon.asked == []
    # A folder that is gone can still be switched off.
    daemon.on = [str(tmp_path / "gone")]
    assert run("unwatch", str(tmp_path / "gone")) == 0
    assert daemon.on == []


def test_what_is_no_folder_is_not_asked_for(daemon: Daemon, tmp_path: Path) -> None:
    with pytest.raises(RecapError, match="is no folder"):
        run("watch", str(tmp_path / "none"))
    with pytest.raises(RecapError, match="no git checkout"):
        run("watch", str(tmp_path), "--exclude")
    assert len(daemon.asked) == 1


def test_git_is_told_only_when_the_user_says_so(
    daemon: Daemon, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".git" / "info").mkdir(parents=True)
    exclude = tmp_path / ".git" / "info" / "exclude"
    assert run("watch", str(tmp_path)) == 0
    assert "--exclude" in capsys.readouterr().err
    assert not exclude.exists()
    for _ in range(2):
        assert run("watch", str(tmp_path), "--exclude") == 0
    assert exclude.read_text() == f"{NAME}\n"
    assert run("watch", str(tmp_path)) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, b"_recap.md\n"),
        (b"", b"_recap.md\n"),
        (b"*.log\n", b"*.log\n_recap.md\n"),
        (b"*.log", b"*.log\n_recap.md\n"),
        (b"# _recap.md\n", b"# _recap.md\n_recap.md\n"),
        (b"a\r\n_recap.md\r\n", None),
        (b"/_recap.md", None),
        (b"\xff\xfe\n", b"\xff\xfe\n_recap.md\n"),
    ],
)
def test_a_line_is_added_once_and_nothing_else_changes(
    tmp_path: Path, before: bytes | None, after: bytes | None
) -> None:
    exclude = tmp_path / "info" / "exclude"
    if before is not None:
        exclude.parent.mkdir()
        exclude.write_bytes(before)
    assert add_exclusion(exclude, NAME) is (after is not None)
    assert exclude.read_bytes() == (before if after is None else after)
    assert is_excluded(exclude, NAME) and not add_exclusion(exclude, NAME)


def test_git_itself_ignores_the_file_in_checkouts_worktrees_and_folders_below(tmp_path: Path) -> None:
    def git(*arguments: str, at: Path) -> str:
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"]
        done = subprocess.run(["git", *who, *arguments], cwd=at, capture_output=True, text=True, check=True)
        return done.stdout

    repo, tree = tmp_path / "repo", tmp_path / "tree"
    (repo / "api").mkdir(parents=True)
    git("init", "-q", at=repo)
    git("commit", "-q", "--allow-empty", "-m", "begin", at=repo)
    git("worktree", "add", "-q", str(tree), at=repo)
    (tree / "deep").mkdir()
    for folder in (repo, repo / "api", tree, tree / "deep"):
        (folder / NAME).write_text("")
        assert NAME in git("status", "--porcelain", "-uall", at=folder)
    found = {exclude_file(folder.resolve()) for folder in (repo, repo / "api", tree, tree / "deep")}
    assert len(found) == 1
    (exclude,) = found
    assert exclude is not None and add_exclusion(exclude, NAME)
    for folder in (repo, repo / "api", tree, tree / "deep"):
        assert NAME not in git("status", "--porcelain", "-uall", at=folder)


@pytest.mark.parametrize("text", ["", "gitdir:", "gitdir: /no/such/place", "nonsense", "gitdir: a\nb"])
def test_a_damaged_git_file_names_nothing(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "sub"
    folder.mkdir()
    (folder / ".git").write_text(text)
    assert exclude_file(folder) is None
