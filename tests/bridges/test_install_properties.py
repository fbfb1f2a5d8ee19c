"""However a configuration looks: our entries are in it after `install`, and no byte is another after `uninstall`."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from recapd.bridges.hook import EVENTS
from recapd.bridges.install import claude_code
from recapd.bridges.install.json_text import Document, Member
from recapd.bridges.install.plan import Plan, Wanted

# Names of which some are those that recapd looks for, and texts that look like something else.
NAMES = st.sampled_from(("hooks", *EVENTS[:2], "mcpServers", "env", "a b", 'q"', "// no", "ü"))
LEAVES = st.sampled_from(
    (None, True, -3, 1.5, "", "x", "// no comment", "/* nor this */", 'a\\b"c', "{[,]}", "ü\u2028")
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=8
)
HOOKS = st.dictionaries(
    st.sampled_from(EVENTS[:3]),
    st.lists(st.fixed_dictionaries({"hooks": st.lists(VALUES, max_size=2)}), max_size=2),
    max_size=3,
)
DOCUMENTS = st.builds(
    lambda values, hooks, is_first: {"hooks": hooks, **values} if is_first else {**values, "hooks": hooks},
    st.dictionaries(NAMES.filter(lambda name: name != "hooks"), VALUES, max_size=3), HOOKS, st.booleans(),
) | st.dictionaries(NAMES.filter(lambda name: name != "hooks"), VALUES, max_size=3)  # fmt: skip
# What people put between two tokens.
GAPS = st.sampled_from(("", " ", "\n", "\n  ", "\n\t", "\r\n    ", " // why\n", "/* so */", "\n/* a\n b */\n"))


@st.composite
def written(draw: st.DrawFn) -> str:
    """A document in somebody's hand."""
    value = draw(DOCUMENTS)
    style = draw(st.sampled_from(("plain", "odd")))
    if style == "plain":
        text = json.dumps(value, indent=draw(st.sampled_from((None, 1, 2, 4, "\t"))), ensure_ascii=draw(st.booleans()))
        return (text + draw(st.sampled_from(("", "\n")))).replace("\n", draw(st.sampled_from(("\n", "\r\n"))))
    return draw(GAPS) + _write(draw, value) + draw(GAPS)


def _write(draw: st.DrawFn, value: object) -> str:
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}{draw(GAPS)}:{draw(GAPS)}{_write(draw, each)}" for key, each in value.items()]
    elif isinstance(value, list):
        parts = [_write(draw, each) for each in value]
    else:
        return json.dumps(value)
    comma = draw(st.sampled_from(("", ","))) if parts else ""
    inner = ",".join(f"{draw(GAPS)}{part}{draw(GAPS)}" for part in parts) + comma + draw(GAPS)
    return f"{{{inner}}}" if isinstance(value, dict) else f"[{inner}]"


# A hundred edits each; what is odd about a file shows in small ones.
@settings(max_examples=40)
@given(text=written())
def test_in_and_out_again(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ".claude" / "settings.json"
        path.parent.mkdir()
        path.write_bytes(text.encode())
        wanted = Wanted(project=None, environ={"HOME": folder}, made={})
        installed = _after(path, claude_code.plan_install(wanted))
        assert installed is not None
        path.write_bytes(installed)
        assert _after(path, claude_code.plan_install(wanted)) == installed
        found, theirs = _read(installed.decode()), _read(text)
        hooks = found.pop("hooks")
        theirs.pop("hooks", None)
        found.pop("statusLine")
        assert isinstance(hooks, dict) and set(EVENTS) <= set(hooks) and found == theirs
        assert _after(path, claude_code.plan_uninstall(wanted)) == text.encode()


def _after(path: Path, plan: Plan) -> bytes | None:
    return next(each.after for each in plan.edits if each.path == str(path))


def _read(text: str) -> dict[str, object]:
    document = Document(text, path="x")
    root = document.find(())
    assert root is not None
    found: dict[str, object] = document.value_of(Member(key="", start=0, value=root.open, end=root.close + 1))
    return found
