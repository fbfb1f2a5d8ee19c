"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import re

import pytest

import recapd.adapters
import recapd.core
from recapd.core import late_re


def test_a_pattern_is_compiled_when_it_is_first_used() -> None:
    late = late_re.compile(r"(?P<word>a+)b", late_re.IGNORECASE)
    assert "search" not in vars(late)
    assert [found["word"] for found in late.finditer("AAb ab")] == ["AA", "a"]
    assert "search" in vars(late)
    now = re.compile(r"(?P<word>a+)b", re.IGNORECASE)
    assert (late.pattern, late.flags, late.groups, late.groupindex) == (
        now.pattern,
        now.flags,
        now.groups,
        now.groupindex,
    )
    assert late.sub("-", "xaab") == now.sub("-", "xaab") == "x-"


def test_one_that_does_not_compile_says_so_when_it_is_used() -> None:
    late = late_re.compile("(")
    with pytest.raises(re.error):
        late.search("")


def test_every_pattern_compiles() -> None:
    for package in (recapd.core, recapd.adapters):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    patterns = [each for each in gc.get_objects() if isinstance(each, late_re._Late | late_re._Compiled)]
    assert len(patterns) > 300
    for pattern in patterns:
        # The one that the test before made.
        if vars(pattern).get("_made_of", ("",))[0] != "(":
            assert pattern.search  # type: ignore[attr-defined]
