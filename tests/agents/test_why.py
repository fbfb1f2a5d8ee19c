"""Why a line is there, beside what git says: real agents at work in a repository, with a commit after every turn and
changes by hand between. Every line that recapd claims for a turn is of that turn's commit."""

from __future__ import annotations

import re
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from recapd.client.call import call
from tests.agents.model import Line, Run, Say, Use, scripted_model
from tests.agents.rig import claude_print, codex_exec, daemon_of, pi_print
from tests.agents.terminal import PATIENCE_S
from tests.support.daemons import Home

pytestmark = [pytest.mark.agents, pytest.mark.timeout(900)]

SHOP = '''"""What the shop sells, and for how much."""

PRICES = {"apple": 40, "pear": 55}


def total(basket):
    result = 0
    for name in basket:
        result += PRICES[name]
    return result


def main():
    print(total(["apple", "pear"]))
'''
BASKET = '''"""A basket, which knows what is in it."""


class Basket:
    def __init__(self):
        self.names = []

    def put(self, name):
        self.names.append(name)

    def is_empty(self):
        return not self.names
'''
FREE_FRUIT = """*** Begin Patch
*** Update File: shop.py
@@
-PRICES = {"apple": 40, "pear": 55}
+PRICES = {"apple": 40, "pear": 55, "plum": 15}
+GIFTS = ("plum",)
@@
+def discounted(basket, percent):
+    result = total(basket)
+    result -= result * percent // 100
+    return result
+
+
 def main():
*** End Patch
"""
CART_KNOWS_ITS_PRICE = """*** Begin Patch
*** Update File: cart.py
@@
     def is_empty(self):
         return not self.names
+
+    def price(self):
+        return total(self.names)
*** Update File: shop.py
@@
-    result -= result * percent // 100
     return result
*** End Patch
"""


class Work:
    """The repository, and what is committed there under the request that it was done for."""

    def __init__(self, home: Home, project: Path) -> None:
        self.home = home
        self.project = project
        self.git("init", "-q")
        self.git("config", "user.email", "nobody@example.com")
        self.git("config", "user.name", "Nobody")

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.project, check=True, capture_output=True, text=True)
        return done.stdout

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def claude(self, request: str, *answers: Sequence[Line]) -> None:
        """Its turns are all of one session."""
        going_on = ("--continue",) if list(self.home.logs.parent.rglob("*.jsonl")) else ()
        with scripted_model(*answers, [Say("Done.")]) as model:
            arguments = ("--dangerously-skip-permissions", *going_on)
            claude_print(self.home, model, request, project=self.project, arguments=arguments)
        self.commit(request)

    def codex(self, request: str, patch: str) -> None:
        with (
            scripted_model([Run(f"apply_patch <<'EOF'\n{patch}EOF")], [Say("Done.")]) as model,
            codex_exec(self.home, model, request, project=self.project) as process,
        ):
            process.wait(PATIENCE_S * 2)
        self.commit(request)

    def pi(self, request: str, *answers: Sequence[Line]) -> None:
        with scripted_model(*answers, [Say("Done.")]) as model:
            pi_print(self.home, model, request, project=self.project)
        self.commit(request)

    def by_hand(self, name: str, change: Callable[[str], str]) -> None:
        path = self.project / name
        before = path.read_text()
        path.write_text(change(before))
        assert path.read_text() != before
        self.commit("by hand")

    def blamed(self, name: str) -> list[set[str]]:
        """By line: under which request it was committed. Who moves a line without a change may count as its writer or
        not: recapd says that an agent who moves it writes it, and a person does not."""
        plain, moved = (self._blame(name, *options) for options in ((), ("-M1",)))
        return [{one, other} for one, other in zip(plain, moved, strict=True)]

    def _blame(self, name: str, *options: str) -> list[str]:
        told = self.git("blame", "--line-porcelain", "--minimal", *options, "--", name)
        return re.findall(r"^summary (.*)$", told, re.MULTILINE)


def replaced(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert text.count(old) == 1, (old, text)
        return text.replace(old, new)

    return change


def main_first(text: str) -> str:
    """The last function becomes the first."""
    begins = text.index("def main():")
    main = text[begins:]
    return text[:begins].rstrip("\n").replace("def total", f"{main}\n\ndef total") + "\n"


def do_the_work(work: Work) -> None:
    shop, basket, cart = (str(work.project / name) for name in ("shop.py", "basket.py", "cart.py"))
    work.claude("Open the shop", [Use("Write", {"file_path": shop, "content": SHOP})])
    work.by_hand("shop.py", replaced("def main():", 'def main():\n    """Try it."""'))
    work.codex("Plums are free", FREE_FRUIT)
    work.by_hand(
        "shop.py", replaced("    for name in basket:\n", "    # Sold by the piece.\n    for name in basket:\n")
    )
    work.claude(
        "Count fruit that is unknown as nothing",
        [Use("Read", {"file_path": shop})],
        [
            Use(
                "Edit",
                {
                    "file_path": shop,
                    "old_string": "        result += PRICES[name]\n",
                    "new_string": "        result += PRICES.get(name, 0)\n        # Nobody pays for what is unknown.\n",
                },
            )
        ],
    )
    work.by_hand("shop.py", main_first)
    work.pi(
        "Add a basket",
        [Use("write", {"path": "basket.py", "content": BASKET})],
        [
            Use(
                "edit",
                {
                    "path": "shop.py",
                    "edits": [
                        {"oldText": '    print(total(["apple", "pear"]))', "newText": '    print(total(["apple"]))'},
                        {"oldText": "def discounted(basket", "newText": "def reduced(basket"},
                    ],
                },
            )
        ],
    )
    work.by_hand("shop.py", replaced("PRICES.get(name, 0)", "PRICES[name]"))
    work.claude(
        "Call the basket a cart",
        [Run("git mv basket.py cart.py && sed -i 's/GIFTS/FREE/' shop.py")],
        [Use("Read", {"file_path": cart})],
        [
            Use(
                "Edit",
                {
                    "file_path": cart,
                    "old_string": '"""A basket, which knows what is in it."""\n\n\nclass Basket:',
                    "new_string": '"""A cart, which knows what is in it."""\n\nfrom shop import total\n\n\nclass Cart:',
                },
            )
        ],
    )
    work.codex("A cart knows its price", CART_KNOWS_ITS_PRICE)
    work.by_hand("cart.py", replaced("        return not self.names\n", "        return len(self.names) == 0\n"))
    assert not Path(basket).exists()


def wait_until_read(home: Home) -> None:
    ends = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends:
        status: Any = call("recapd/status", {"limit": 1}, where=home.places, start_if_missing=False)
        if status["quiescent"]:
            return
        time.sleep(0.1)
    raise AssertionError("never read")


def claims(home: Home, path: Path) -> dict[int, tuple[str, str]]:
    """By line, from 1: the agent and the request that it is said to be there for."""
    found: Any = call("why/get", {"path": str(path)}, where=home.places, start_if_missing=False)
    return {
        number: (each["agent"], each["request"])
        for each in found["lines"]
        for number in range(each["from"], each["to"] + 1)
    }


def test_every_claim_agrees_with_git(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home, project = Home(tmp_path / "home"), tmp_path / "shop"
    project.mkdir()
    work = Work(home, project)
    do_the_work(work)
    wrong: list[str] = []
    # Of lines that say something: those of agents, and by agent those that are claimed for it.
    written: Counter[str] = Counter()
    claimed: Counter[str] = Counter()
    with daemon_of(home):
        wait_until_read(home)
        for name in ("shop.py", "cart.py"):
            found = claims(home, project / name)
            texts = (project / name).read_text().splitlines()
            for number, (text, blamed) in enumerate(zip(texts, work.blamed(name), strict=True), 1):
                agent, request = found.get(number, ("", ""))
                if request and request not in blamed:
                    wrong.append(f"{name}:{number} {text!r} is of {blamed}, not of {request!r}")
                if text.strip():
                    written["by hand" if blamed == {"by hand"} else "by agents"] += 1
                    claimed[agent or "nobody"] += 1
    with capsys.disabled():
        print(f"\n  lines written {dict(written)}, claimed {dict(claimed)}")  # noqa: T201
    assert not wrong, "\n".join(wrong)
    assert all(claimed[agent] for agent in ("claude-code", "codex", "pi"))
    # What is left out is what the logs do not prove; but who claims nothing is never wrong either.
    assert claimed.total() - claimed["nobody"] >= written["by agents"] / 2
