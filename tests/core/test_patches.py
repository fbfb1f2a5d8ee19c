"""Which files a patch names, in both formats agents log."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.commands.patches import patch_files

ENVELOPE = """*** Begin Patch
*** Add File: new.py
+import os
+*** not a header
*** Update File: old name.py
@@ def f():
-a
+b
*** Update File: from.py
*** Move to: to/there.py
@@
-a
+b
*** Delete File: gone.py
*** End Patch"""

ENVELOPE_FILES = ["created new.py", "modified old name.py", "renamed from.py to/there.py", "deleted gone.py"]

DIFF = """diff --git a/x.py b/x.py
--- a/x.py
+++ b/x.py
@@ -1,3 +1,3 @@
 keep
--- a/minus.py
+++ b/plus.py
 keep
diff --git a/n.py b/n.py
new file mode 100644
--- /dev/null
+++ b/n.py
@@ -0,0 +1 @@
+new
diff --git a/g.py b/g.py
--- a/g.py
+++ /dev/null
@@ -1 +0,0 @@
-old
diff --git a/o.py b/p.py
similarity index 90%
rename from o.py
rename to p.py
--- a/o.py
+++ b/p.py
@@ -1 +1 @@
-a
+b
"""


def shown(text: str) -> list[str]:
    return [f"{effect.action} {effect.path} {effect.to}".rstrip() for effect in patch_files(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ENVELOPE, ENVELOPE_FILES),
        (ENVELOPE.replace("\n", "\r\n"), ENVELOPE_FILES),
        (f"apply_patch <<'EOF'\n{ENVELOPE}\nEOF\n", ENVELOPE_FILES),
        (ENVELOPE.removesuffix("*** End Patch"), ENVELOPE_FILES),
        ("*** Begin Patch\n*** End Patch", []),
        ("*** Begin Patch\n*** Move to: x\n*** Update File: \n*** End Patch", []),
        (DIFF, ["modified x.py", "created n.py", "deleted g.py", "renamed o.py p.py"]),
        ("--- a.txt\t2024-01-01\n+++ a.txt\t2024-01-02\n@@ -1 +1 @@\n-a\n+b\n", ["modified a.txt"]),
        ('--- "a/b c.py"\n+++ "b/b c.py"\n', ["modified b c.py"]),
        ("rename from a\nrename to b\n", ["renamed a b"]),
        ("+++ b/lonely.py", []),
        ("see *** Update File: x in the manual", []),
        ("", []),
    ],
    ids=[
        "envelope",
        "crlf",
        "here-document",
        "torn",
        "empty",
        "no path",
        "git diff",
        "plain diff",
        "quoted",
        "pure rename",
        "half a header",
        "prose",
        "nothing",
    ],
)
def test_files_of_a_patch(text: str, expected: list[str]) -> None:
    assert shown(text) == expected


HUNKS = ["@@ -1,99999 +1 @@", f"@@ -1,{'9' * 5000} +1 @@"]


@given(st.lists(st.sampled_from([*ENVELOPE.split("\n"), *DIFF.split("\n"), *HUNKS])).map("\n".join))
def test_shuffled_patches_never_raise_and_name_real_paths(text: str) -> None:
    assert all(effect.path and effect.path != "/dev/null" for effect in patch_files(text))
