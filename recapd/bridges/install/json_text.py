"""Changing a JSON file as a careful person would: what is put in is put in, and every other byte stays as it is.

Comments, odd indentation, trailing commas, line ends and byte order marks are other people's business and are kept;
what was put in is taken out so that the very bytes from before are left. Values are found by a small scanner, as no
parser tells where things stand.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from recapd.bridges.install.plan import CannotPlan

Path = tuple[str, ...]

# No configuration is; the scanner goes down by calling itself, and each level takes two of Python's thousand calls.
_DEEPEST = 200


class Member(NamedTuple):
    """A member of an object, or an element of an array: where it begins (its key), its value, and its end."""

    key: str
    start: int
    value: int
    end: int


class Container(NamedTuple):
    """An object or an array: where its bracket opens and closes, and what is in it."""

    open: int
    close: int
    members: tuple[Member, ...]
    # Behind the last comma, where one stands behind the last member.
    trailing: int | None

    def named(self, name: str) -> Member | None:
        """The member of this name; of two the last, as whoever reads the file has it."""
        return next((each for each in reversed(self.members) if each.key == name), None)


class Document:
    """A text, and where everything in it stands. CannotPlan where it is no JSON."""

    def __init__(self, text: str, *, path: str) -> None:
        self.text = text
        self._path = path

    def find(self, names: Path, *, below: Member | None = None) -> Container | None:
        """The container at a path of keys, from the root or from a member; None where something on the way is not
        there."""
        at = below.value if below is not None else self._root()
        for name in names:
            container = self._container(at)
            if container is None:
                return None
            member = container.named(name)
            if member is None:
                return None
            at = member.value
        return self._container(at)

    def value_of(self, member: Member) -> Any:
        """The value, as far as it can be read: comments in it are left out."""
        return _loads(_without_comments(self.text[member.value : member.end]), self._path)

    def put(self, names: Path, value: object) -> Document:
        """With a member at this path, which is not there yet; what is above it is made where it is missing."""
        for depth in range(len(names)):
            above = self.find(names[:depth])
            if above is None:
                raise self._wrong(f"{'.'.join(names[:depth])} is no object")
            if above.named(names[depth]) is None:
                for name in reversed(names[depth + 1 :]):
                    value = {name: value}
                return self._insert(above, f"{json.dumps(names[depth])}: ", value, depth=depth)
        raise self._wrong(f"{'.'.join(names)} is there already")

    def append(self, names: Path, value: object) -> Document:
        """With one more element in the array at this path, which is made where it is missing."""
        array = self.find(names)
        if array is None:
            return self.put(names, [value])
        return self._insert(array, "", value, depth=len(names))

    def remove(self, container: Container, member: Member) -> Document:
        """Without a member, and as if it had never been there; comments around it are somebody else's and stay."""
        text, row = self.text, container.members.index(member)
        if len(container.members) == 1:
            return self._with(self._without_only(container, member))
        if row == len(container.members) - 1:
            before = container.members[row - 1]
            start = _trivia_end(text, before.end, member.start)
            if container.trailing is not None:
                return self._with(text[:start] + text[container.trailing :])
            comma = _skip(text, before.end)
            return self._with(text[:comma] + text[comma + 1 : start] + text[member.end :])
        following = container.members[row + 1]
        comma = _skip(text, member.end)
        between = text[member.end : comma] + text[comma + 1 : following.start]
        return self._with(text[: member.start] + between.lstrip() + text[following.start :])

    def _without_only(self, container: Container, member: Member) -> str:
        """What `_insert` put behind the opening bracket goes as a whole."""
        text = self.text
        end = container.trailing or member.end
        inner = self._indent_of(container)
        line_end = "\r\n" if text.startswith("\r\n", end) else "\n"
        if inner and text.startswith(line_end, end):
            outer = inner[: len(inner) - len(self._indent())]
            end += len(line_end) + (len(outer) if text.startswith(outer, end + len(line_end)) else 0)
        return text[: _trivia_end(text, container.open + 1, member.start)] + text[end:]

    # ---- writing

    def _insert(self, container: Container, key: str, value: object, *, depth: int) -> Document:
        text = self.text
        newline = "\r\n" if "\r\n" in text else "\n"
        unit = self._indent()
        inner = self._indent_of(container) or unit * (depth + 1)
        written = json.dumps(value, indent=unit or None, ensure_ascii=False)
        if not unit:
            newline, inner = "", ""
        written = key + written.replace("\n", newline + inner)
        if not container.members:
            outer = inner[: len(inner) - len(unit)] if unit else ""
            made = f"{newline}{inner}{written}{newline}{outer}"
            return self._with(text[: container.open + 1] + made + text[container.open + 1 :])
        last = container.members[-1]
        # Behind comments on the last line, which are about what stands there; on one line a comment would swallow ours.
        start = container.trailing or last.end
        at = _trivia_end(text, start, container.close) if newline else start
        made = f"{newline or ' '}{inner}{written}"
        if container.trailing is not None:
            return self._with(f"{text[:at]}{made},{text[at:]}")
        return self._with(f"{text[: last.end]},{text[last.end : at]}{made}{text[at:]}")

    def _with(self, text: str) -> Document:
        return Document(text, path=self._path)

    def _indent(self) -> str:
        """What one level is indented by; two spaces where nothing tells, nothing where all is on one line."""
        root = self.find(())
        if root is None or not root.members:
            return "  "
        return self._indent_of(root)

    def _indent_of(self, container: Container) -> str:
        if not container.members:
            return ""
        start = container.members[0].start
        line = self.text.rfind("\n", container.open, start)
        before = self.text[line + 1 : start] if line >= 0 else ""
        return before if not before.strip() else ""

    # ---- reading

    def _root(self) -> int:
        return self._skip(1 if self.text.startswith("\ufeff") else 0)

    def _container(self, at: int, depth: int = 1) -> Container | None:
        if at >= len(self.text) or self.text[at] not in "{[":
            return None
        if depth > _DEEPEST:
            raise self._wrong(f"it is nested more than {_DEEPEST} deep")
        is_object = self.text[at] == "{"
        closing = "}" if is_object else "]"
        members: list[Member] = []
        trailing = None
        opened, at = at, self._skip(at + 1)
        while self._at(at) != closing:
            start, key = at, ""
            if is_object:
                at = self._string_end(at)
                key = str(_loads(self.text[start:at], self._path))
                at = self._skip(at)
                if self._at(at) != ":":
                    raise self._wrong("a colon is missing")
                at = self._skip(at + 1)
            end = self._value_end(at, depth)
            members.append(Member(key, start, at, end))
            trailing, at = None, self._skip(end)
            if self._at(at) == ",":
                trailing = at + 1
                at = self._skip(at + 1)
            elif self._at(at) != closing:
                raise self._wrong("a comma is missing")
        return Container(opened, at, tuple(members), trailing)

    def _value_end(self, at: int, depth: int) -> int:
        first = self._at(at)
        if first == '"':
            return self._string_end(at)
        if first in "{[":
            container = self._container(at, depth + 1)
            assert container is not None
            return container.close + 1
        end = at
        while end < len(self.text) and self.text[end] not in ",]}/ \t\r\n":
            end += 1
        if end == at:
            raise self._wrong("a value is missing")
        return end

    def _string_end(self, at: int) -> int:
        if self._at(at) != '"':
            raise self._wrong("a name is missing")
        end = at + 1
        while self._at(end) != '"':
            end += 2 if self.text[end] == "\\" else 1
        return end + 1

    def _skip(self, at: int) -> int:
        return _skip(self.text, at)

    def _at(self, at: int) -> str:
        if at >= len(self.text):
            raise self._wrong("it ends too early")
        return self.text[at]

    def _wrong(self, why: str) -> CannotPlan:
        return CannotPlan(f"{self._path} cannot be read as JSON ({why}); mend it first, nothing was changed.")


def _skip(text: str, at: int) -> int:
    """Behind white space and comments."""
    while at < len(text):
        if text[at] in " \t\r\n":
            at += 1
        elif text.startswith("//", at):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif text.startswith("/*", at):
            end = text.find("*/", at)
            at = len(text) if end < 0 else end + 2
        else:
            return at
    return at


def _trivia_end(text: str, start: int, stop: int) -> int:
    """Behind the last comment before `stop`; `start` where there is none (a comma may stand between)."""
    at = last = start
    while at < stop:
        if text[at] in " \t\r\n":
            at += 1
        elif text[at] == ",":
            at += 1
            last = max(last, at)
        else:
            following = _skip(text, at)
            if following == at:
                break
            comment_end = len(text[:following].rstrip(" \t\r\n"))
            last, at = min(comment_end, stop), following
    return last


def _without_comments(text: str) -> str:
    parts: list[str] = []
    at, in_string = 0, False
    while at < len(text):
        if in_string and text[at] == "\\":
            parts.append(text[at : at + 2])
            at += 2
            continue
        if text[at] == '"':
            in_string = not in_string
        elif not in_string and text.startswith(("//", "/*"), at):
            at = _skip(text, at)
            continue
        elif (
            not in_string and text[at] == "," and _skip(text, at + 1) < len(text) and text[_skip(text, at + 1)] in "]}"
        ):
            at += 1
            continue
        parts.append(text[at])
        at += 1
    return "".join(parts)


def _loads(text: str, path: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise CannotPlan(f"{path} cannot be read as JSON; mend it first, nothing was changed.") from None
