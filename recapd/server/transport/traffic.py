"""What all connections together make recapd hold, in bytes: frames that are not whole yet, requests that wait, answers
that nobody has taken.

Where it is too much, whoever holds most is let go: a client that sends halves or does not read costs itself its
connection, and the others nothing.
"""

from __future__ import annotations

from collections.abc import Callable

# Hundreds of times what fifty busy editors hold, and still less than recapd itself takes with a year of logs.
MOST_BYTES = 64 << 20


class Account:
    """What one connection holds."""

    def __init__(self, traffic: Traffic, let_go: Callable[[], None]) -> None:
        self._traffic = traffic
        self.let_go = let_go
        self.held = 0

    def change(self, by: int) -> None:
        """More or less is held; whoever holds most may be let go for it."""
        self.held += by
        self._traffic.changed(self, by)

    def close(self) -> None:
        self._traffic.close(self)


class Traffic:
    """The accounts of all connections of one daemon. Lives on the loop."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self._accounts: set[Account] = set()
        self.held = 0

    def open(self, let_go: Callable[[], None]) -> Account:
        """`let_go` is called at most once; what is held is held no longer after that."""
        account = Account(self, let_go)
        self._accounts.add(account)
        return account

    def close(self, account: Account) -> None:
        if account in self._accounts:
            self._accounts.remove(account)
            self.held -= account.held

    def changed(self, account: Account, by: int) -> None:
        if account not in self._accounts:
            return
        self.held += by
        while self.held > self.most_bytes:
            largest = max(self._accounts, key=lambda each: each.held)
            self.close(largest)
            largest.let_go()
