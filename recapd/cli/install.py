"""`recapd install` and `recapd uninstall`: recapd in the programs people already use."""

from __future__ import annotations

import argparse
import os

from recapd.bridges.install import CannotPlan, Wanted, carry_out, read_notes, target_named, with_notes
from recapd.wire.errors import request_failed


def install_command(args: argparse.Namespace) -> int:
    return _change(args, is_wanted=True)


def uninstall_command(args: argparse.Namespace) -> int:
    return _change(args, is_wanted=False)


def _change(args: argparse.Namespace, *, is_wanted: bool) -> int:
    target = target_named(args.target)
    assert target is not None, "argparse takes no other"
    project = os.path.abspath(args.project) if args.project is not None else None
    if project is not None and not os.path.isdir(project):
        raise request_failed(f"{project} is no folder; name the project's folder.")
    make_plan = target.plan_install if is_wanted else target.plan_uninstall
    try:
        wanted = Wanted(project=project, environ=os.environ, made=read_notes(os.environ))
        plan = with_notes(make_plan(wanted), wanted, is_wanted=is_wanted)
    except CannotPlan as error:
        raise request_failed(str(error)) from None
    return carry_out(plan, is_sure=args.yes)
