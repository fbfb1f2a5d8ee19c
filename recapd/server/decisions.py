"""Handlers of `decisions/*`. The ledger is empty: nothing finds decisions yet."""

from __future__ import annotations

from recapd.core.world import Session
from recapd.server.service import Service
from recapd.wire.errors import RecapError, invalid_params
from recapd.wire.types import (
    DecisionsConfirmParams,
    DecisionsConfirmResult,
    DecisionsDismissParams,
    DecisionsDismissResult,
    DecisionsListParams,
    DecisionsListResult,
)


def list_(service: Service, session: Session, params: DecisionsListParams) -> DecisionsListResult:
    return DecisionsListResult(session_id=session.id, revision=session.revision, total=0, decisions=())


def dismiss(service: Service, session: Session, params: DecisionsDismissParams) -> DecisionsDismissResult:
    raise _unknown()


def confirm(service: Service, session: Session, params: DecisionsConfirmParams) -> DecisionsConfirmResult:
    raise _unknown()


def _unknown() -> RecapError:
    return invalid_params("id", "the id of a decision that `decisions/list` shows")
