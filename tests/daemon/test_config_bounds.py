"""A configuration that came with somebody's checkout takes neither time nor memory, whatever is in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.daemon.config import toml
from recapd.daemon.config.dialects import BadConfiguration, read_dialects, usable_dialects
from recapd.daemon.config.layers import MAX_WORKSPACE_BYTES, read_user, read_workspace
from recapd.daemon.config.toml import MAX_BYTES

ROOT = Path(__file__).parent.parent.parent
# A tenth of what the first row took before there were bounds, and many times what a reading needs.
READ = """
import json, resource, sys
from recapd.daemon.config.layers import read_workspace
resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
layer = read_workspace(sys.argv[1], "")
print(json.dumps([[str(problem) for problem in layer.troubles], layer.values, layer.is_broken]))
"""


def lines_of(each: str, size: int) -> str:
    return "\n".join(each.format(number) for number in range(size // (len(each) + 2)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("a." * 30_000 + "a = 1", "line 1 is longer than 10000 characters", id="dotted key"),
        pytest.param(lines_of("k{}." + "a." * 4_000 + "a = 1", 60_000), "nested too deep", id="dotted keys"),
        pytest.param("# x\n\n[" + "a . " * 2_000 + "a]", "too deep: line 3 has a key of more than 16", id="heading"),
        pytest.param("[[" + '"a".' * 2_000 + "a]]", "a key of more than 16 parts", id="quoted parts"),
        pytest.param("x = {" + "'a=,#'." * 1_000 + "a = 1}", "a key of more than 16 parts", id="inline key"),
        pytest.param("x = " + "[" * 4_900 + "]" * 4_900, "more than 16 open brackets", id="lists"),
        pytest.param("x = " + "\n".join("[" * 30_000), "more than 16 open brackets", id="lists on many lines"),
        pytest.param("x = " + "{a=" * 2_000 + "1" + "}" * 2_000, "more than 16 open brackets", id="inline tables"),
        pytest.param("x = " + "9" * 9_000, "a number that is too long", id="number"),
        # What opens the string is a mistake, is dropped, and bares what was in it.
        pytest.param('x y = """\n' + "a." * 4_000 + 'a = 1\n"""', "nested too deep", id="hidden in a string"),
        pytest.param("#" * MAX_WORKSPACE_BYTES + "#", "it is larger than 65536 bytes", id="size"),
        pytest.param(lines_of("k{} = 1", 50_000), "k0: there is no such setting", id="unknown keys"),
        pytest.param(
            "[recap]\n" + lines_of("min_turnz{} = 1", 60_000), "did you mean recap.min_turns", id="misspelled"
        ),
    ],
)
def test_no_file_of_a_checkout_is_too_much(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / ".recapd.toml"
    path.write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", READ, path],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        # A machine may be busy; without bounds the first rows take longer than anybody waits.
        timeout=60,
    )
    assert done.returncode == 0, done.stderr[-500:]
    problems, values, _ = json.loads(done.stdout)
    assert told in problems[0] and problems[0].startswith(str(path)) and values == {}
    assert len(problems) <= 21 and sum(map(len, problems)) < 10_000


def test_what_was_meant_is_not_looked_for_thousands_of_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("recapd.daemon.config.layers.find_closest", lambda name, _: asked.append(name))
    path = tmp_path / ".recapd.toml"
    path.write_text(lines_of("k{} = 1", 50_000))
    problems = tuple(map(str, read_workspace(str(path), "").troubles))
    assert len(asked) == 20 and problems[-1].startswith("… and ") and len(problems) == 21


@pytest.mark.parametrize(
    "text",
    [
        "[recap]\nmin_turns = 7 # a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t [[[[[[[[[[[[[[[[[[[[[[[[",
        '[recap]\nmin_turns = 7\nformat = "' + "." * 99 + "[" * 99 + '"',
        "[recap]\nmin_turns = 7\nformat = '''\n" + "a.\n" * 99 + "{{{{{{{{{{{{{{{{{{{{{{'''''",
        '[recap]\nmin_turns = 7\nformat = """\\"""' + "a." * 99 + '"""""',
        "[recap]\nmin_turns = 7\nformat = [" + "1.5, " * 99 + "]",
        "[recap]\nmin_turns = 7\nformat = [\n" + '  "a.b",\n' * 500 + "]",
        "\n".join(f"[recap{number}]" for number in range(99)) + "\n[recap]\nmin_turns = 7",
    ],
)
def test_only_keys_and_brackets_count(text: str, tmp_path: Path) -> None:
    path = tmp_path / ".recapd.toml"
    path.write_text(text)
    layer = read_workspace(str(path), "")
    assert layer.values == {"recap.min_turns": 7} and not layer.is_broken


def test_a_users_own_file_may_be_longer(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("#" * 79 + "\n" + "# a long remark\n" * 10_000 + "[recap]\nmin_turns = 7")
    assert path.stat().st_size > MAX_WORKSPACE_BYTES
    assert read_user(str(path)).values == {"recap.min_turns": 7}
    path.write_text("#" + "\n" * MAX_BYTES)
    assert "it is larger than 1048576 bytes" in str(read_user(str(path)).troubles[0])


@pytest.mark.parametrize("name", ["large", "deep", "pipe"])
def test_dialects_are_read_within_the_same_bounds(name: str, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    if name == "pipe":
        os.mkfifo(path)
    else:
        path.write_text("#" + "\n" * MAX_BYTES if name == "large" else "a." * 4_000 + "a = 1")
    told = {"large": "it is larger than 1048576 bytes", "deep": "a key of more than 16", "pipe": "not a plain file"}
    assert usable_dialects(path) == ()
    with pytest.raises(BadConfiguration, match=told[name]):
        read_dialects(path)


def depth_of(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth_of, value.values()), default=0)
    return 1 + max(map(depth_of, value), default=0) if isinstance(value, list) else 0


PIECES = ["a", "b", ".", "=", "[", "]", "{", "}", ",", '"', '""', '"""', "'", "''", "'''", "\\", "#", "\n", " ", "1"]
LINES = ["a=1", 'a="""', "a='''", '"""', "'''", 'b="', "c.c.c.c.c=1", "[d.d.d.d.d]", "e={f.f.f.f.f=1}", "g=[[[[1]]]]"]


@given(st.lists(st.sampled_from(PIECES), max_size=25) | st.lists(st.sampled_from([*PIECES, *LINES, "\n", "\n"])))
def test_nothing_deep_hides_from_the_check(pieces: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(toml, "_DEEPEST", 3)
        text = "".join(pieces)
        if toml._excess_in(text):
            return
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    # A heading of three parts, a key of three, and in each of three brackets a key of three again.
    assert depth_of(document) <= 3 + 3 + 3 * (1 + 3)
