"""Weighing candidates: likelihoods are chances, follow the weights, and a bare task stays below what is shown."""

from __future__ import annotations

import pytest

from recapd.core.decisions.find.find import findings_of
from recapd.core.decisions.find.model import likelihood
from recapd.core.decisions.find.weights import agent as weights_agent
from recapd.core.decisions.find.weights import assent as weights_assent
from recapd.core.decisions.find.weights import user as weights_user
from recapd.core.log.events import Prompt, Reply
from recapd.core.settings import DEFAULTS
from recapd.core.state.memory import Memory
from tests.support.records import did, folded

WEIGHTS = {"agent": weights_agent, "user": weights_user, "assent": weights_assent}


@pytest.mark.parametrize("name", WEIGHTS)
def test_a_sign_moves_the_chance_as_its_weight_says(name: str) -> None:
    nothing = likelihood(name, {})
    for sign, slope in WEIGHTS[name].SLOPES.items():
        chance = likelihood(name, {sign: 1.0})
        assert 0 < chance < 1
        assert (chance > nothing) == (slope > 0)


def test_what_no_weight_knows_changes_nothing() -> None:
    assert likelihood("user", {"moon_phase": 3.0}) == likelihood("user", {})


@pytest.mark.parametrize("task", ["fix the importer", "add tests", "clean up the module", "update the changelog"])
def test_a_bare_task_is_not_shown_as_a_decision(task: str) -> None:
    told = findings_of(folded(Prompt(task), did("edit", "src/totals.py"), Reply("Done, the suite is green.")), Memory())
    assert not [each for each in told if each.quote == task and each.confidence >= DEFAULTS.decisions.threshold]
