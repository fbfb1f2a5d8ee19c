"""Every method that is served has one handler, where its name says, and there is no handler that nobody can ask for."""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module
from typing import get_type_hints

import pytest

from recapd.server import methods
from recapd.server.methods.dispatch import place_of_handler
from recapd.wire.methods import METHODS, Method

SERVED = [row for row in METHODS if row.is_served]
ARGUMENTS = {
    "session": ["service", "session", "params"],
    "all": ["service", "params"],
    "connection": ["service", "client", "params"],
}


def handlers() -> set[tuple[str, str]]:
    """The public functions of each family's module, by where they are."""
    names = [f"{methods.__name__}.{found.name}" for found in pkgutil.iter_modules(methods.__path__)]
    return {
        (name, function)
        for name in names
        if name != "recapd.server.methods.dispatch"
        for function, value in vars(import_module(name)).items()
        if inspect.isfunction(value) and value.__module__ == name and not function.startswith("_")
    }


def test_there_is_one_handler_for_each_row_and_none_besides() -> None:
    assert handlers() == {place_of_handler(row.name) for row in SERVED}


@pytest.mark.parametrize("row", SERVED, ids=lambda row: row.name)
def test_a_handler_takes_and_gives_what_its_row_says(row: Method) -> None:
    module, function = place_of_handler(row.name)
    handler = getattr(import_module(module), function)
    hints = get_type_hints(handler)
    assert list(inspect.signature(handler).parameters) == ARGUMENTS[row.scope]
    assert (hints["params"], hints["return"]) == (row.params, row.result or type(None))
    assert inspect.iscoroutinefunction(handler) is (row.cost == "waits")


@pytest.mark.parametrize(
    ("method", "place"),
    [
        ("recap/get", ("recapd.server.methods.recap", "get")),
        ("files/list", ("recapd.server.methods.files", "list_")),
        ("recap/import", ("recapd.server.methods.recap", "import_")),
    ],
)
def test_a_handler_is_where_the_method_is_named_after(method: str, place: tuple[str, str]) -> None:
    assert place_of_handler(method) == place
