"""Our entries in a JSON configuration: put in where they are missing, known again by what they run, taken out.

What was made to hold them (a file, a list of hooks) is noted in a small file of recapd's own, without any content, so
that taking them out leaves what was there: an empty list stays an empty list.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable

from recapd.bridges.install.json_text import Container, Document, Member, Path
from recapd.bridges.install.plan import CannotPlan, Edit, Wanted, read_configuration

# A file without anything in it is as good as an object without anything in it.
_OBJECT = "{}\n"
_EMPTY: Path = ("(empty)",)


class Configuration:
    """A JSON file while it is planned what becomes of it."""

    def __init__(self, path: str, wanted: Wanted) -> None:
        self.path = path
        self.before = read_configuration(path)
        try:
            text = (self.before or b"").decode()
        except UnicodeDecodeError:
            raise CannotPlan(f"{path} is no UTF-8 text; nothing was changed.") from None
        self._document = Document(text if text.strip() else text + _OBJECT, path=path)
        self._is_new = not text.strip()
        # By where it really is: a folder has several names where there are links.
        self._noted_as = os.path.realpath(path)
        self._made = wanted.made

    def has(self, names: Path) -> bool:
        above = self._document.find(names[:-1])
        return above is not None and above.named(names[-1]) is not None

    def get(self, names: Path) -> object:
        above = self._document.find(names[:-1])
        member = above.named(names[-1]) if above is not None else None
        return self._document.value_of(member) if member is not None else None

    def put(self, names: Path, value: object) -> None:
        self._note_made(names[:-1])
        self._document = self._document.put(names, value)

    def append(self, names: Path, value: object) -> None:
        self._note_made(names)
        self._document = self._document.append(names, value)

    def remove(self, names: Path) -> None:
        """The member, and what was made to hold it and is empty now."""
        above = self._document.find(names[:-1])
        member = above.named(names[-1]) if above is not None else None
        if above is not None and member is not None:
            self._document = self._document.remove(above, member)
            self._tidy(names[:-1])

    def elements(self, names: Path) -> list[object]:
        """The values of the elements of a list; none where it is not there."""
        array = self._document.find(names)
        return [self._document.value_of(each) for each in array.members] if array is not None else []

    def remove_elements(self, names: Path, *, of: str, is_ours: Callable[[object], bool]) -> None:
        """Of the lists named `of` in the elements of a list, what is ours; an element with nothing else goes whole."""
        while (found := self._last_of_ours(names, of, is_ours)) is not None:
            self._document = self._document.remove(*found)
            self._tidy(names)

    def _last_of_ours(self, names: Path, of: str, is_ours: Callable[[object], bool]) -> tuple[Container, Member] | None:
        array = self._document.find(names)
        for element in reversed(array.members if array is not None else ()):
            inner = self._document.find((of,), below=element)
            members = inner.members if inner is not None else ()
            ours = [each for each in members if is_ours(self._document.value_of(each))]
            if array is not None and inner is not None and ours:
                return (array, element) if len(ours) == len(members) else (inner, ours[-1])
        return None

    def edit(self) -> Edit:
        after: bytes | None = self._document.text.encode()
        is_empty = not getattr(self._document.find(()), "members", ())
        if is_empty and self._was_made(None):
            after = None
        elif is_empty and _name(_EMPTY) in self._made.get(self._noted_as, ()):
            after = self._document.text.removesuffix(_OBJECT).encode()
        return Edit(self.path, self.before, after if after is None or self._changed(after) else self.before)

    def _changed(self, after: bytes) -> bool:
        return not (self._is_new and after.decode().strip() == "{}")

    def _note_made(self, names: Path) -> None:
        self._made.setdefault(self._noted_as, [])
        if self.before is None:
            self._note(None)
        elif self._is_new:
            self._note(_EMPTY)
        for depth in range(1, len(names) + 1):
            if self._document.find(names[:depth]) is None:
                self._note(names[:depth])

    def _note(self, names: Path | None) -> None:
        made = self._made.setdefault(self._noted_as, [])
        if (name := _name(names)) not in made:
            made.append(name)

    def _was_made(self, names: Path | None) -> bool:
        """Where nothing is noted of a file, everything in it that holds nothing else was."""
        return self._noted_as not in self._made or _name(names) in self._made[self._noted_as]

    def _tidy(self, names: Path) -> None:
        for depth in range(len(names), 0, -1):
            found = self._document.find(names[:depth])
            if found is None or found.members or not self._was_made(names[:depth]):
                return
            above = self._document.find(names[: depth - 1])
            member = above.named(names[depth - 1]) if above is not None else None
            assert above is not None and member is not None
            self._document = self._document.remove(above, member)


def _name(names: Path | None) -> str:
    return "" if names is None else "/".join(names)


def own_command(wanted: Wanted, *arguments: str) -> list[str]:
    """How the program is to start recapd: by name for a project that others share, else by where it is."""
    if wanted.project is not None:
        return ["recapd", *arguments]
    found = sys.argv[0] if os.path.basename(sys.argv[0]) == "recapd" else shutil.which("recapd")
    if found and os.access(found, os.X_OK):
        return [os.path.abspath(found), *arguments]
    return [sys.executable, "-m", "recapd", *arguments]


def shell_line(command: list[str]) -> str:
    return shlex.join(command)


def runs_recapd(command: object, *arguments: str) -> bool:
    """Whether a line for a shell, or the words of a command, start recapd so, for whichever agent, and nothing else."""
    words = _words_of(command)
    if words[1:3] == ["-m", "recapd"]:
        words = words[2:]
    if words[-2:-1] == ["--agent"]:
        words = words[:-2]
    return os.path.basename(words[0] if words else "") == "recapd" and tuple(words[1:]) == arguments


def is_gone(command: object) -> bool:
    """Whether the program that a command names by its place is no longer there: recapd was installed anew elsewhere."""
    words = _words_of(command)
    return bool(words) and os.path.isabs(words[0]) and not os.access(words[0], os.X_OK)


def _words_of(command: object) -> list[str]:
    if isinstance(command, list):
        return [each for each in command if isinstance(each, str)]
    try:
        return shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return []
