"""The daemon as a service of the user's own: a systemd unit on Linux, a launchd agent on macOS.

Nobody needs it, since whoever connects starts the daemon; with it `_recap.md` files are kept from the log-in on.
"""

from __future__ import annotations

import os
import shutil
import sys
from xml.sax.saxutils import escape

from recapd.bridges.install.plan import CannotPlan, Edit, Plan, Wanted, read_configuration
from recapd.client.start import daemon_command

_LABEL = "dev.recapd.recapd"
_UNIT = """\
[Unit]
Description=recapd: where conversations with coding agents stand
Documentation=man:recapd(1)

[Service]
ExecStart={command}
Restart=on-failure
RestartSec=5
Nice=5
UMask=0077

[Install]
WantedBy=default.target
"""
_AGENT = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>{label}</string>
  <key>ProgramArguments</key>
  <array>
{arguments}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ProcessType</key>
  <string>Background</string>
</dict>
</plist>
"""


def plan_install(wanted: Wanted) -> Plan:
    path = _path(wanted)
    after = _agent() if _is_mac() else _unit()
    before = read_configuration(path)
    edit = Edit(path, before, after.encode())
    if before == edit.after:
        return Plan(edits=(edit,))
    return Plan(edits=(edit,), commands=_switched_on(wanted, path), notes=_notes(wanted))


def plan_uninstall(wanted: Wanted) -> Plan:
    path = _path(wanted)
    before = read_configuration(path)
    if before is None:
        return Plan()
    off = (("launchctl", "unload", path),) if _is_mac() else (("systemctl", "--user", "disable", "--now", "recapd"),)
    return Plan(edits=(Edit(path, before, None),), commands_before=off if _has_manager(wanted) else ())


def _path(wanted: Wanted) -> str:
    if wanted.project is not None:
        raise CannotPlan("The service is the user's, for all projects; leave --project out.")
    if _is_mac():
        return os.path.join(wanted.home, "Library", "LaunchAgents", f"{_LABEL}.plist")
    base = wanted.environ.get("XDG_CONFIG_HOME") or os.path.join(wanted.home, ".config")
    return os.path.join(base, "systemd", "user", "recapd.service")


def _unit() -> str:
    return _UNIT.format(command=" ".join(map(_quoted, _command())))


def _agent() -> str:
    arguments = "\n".join(f"    <string>{escape(each)}</string>" for each in _command())
    return _AGENT.format(label=_LABEL, arguments=arguments)


def _command() -> list[str]:
    """In the foreground, for as long as the user is logged in."""
    return [*daemon_command(), "--idle", "0", "--foreground"]


def _quoted(word: str) -> str:
    """As systemd reads it: a percent sign means something, and so does a backslash."""
    word = word.replace("\\", "\\\\").replace("%", "%%").replace('"', '\\"')
    return f'"{word}"' if any(each in word for each in " \t\"'\\") else word


def _switched_on(wanted: Wanted, path: str) -> tuple[tuple[str, ...], ...]:
    if not _has_manager(wanted):
        return ()
    if _is_mac():
        return (("launchctl", "load", path),)
    return (("systemctl", "--user", "daemon-reload"), ("systemctl", "--user", "enable", "--now", "recapd"))


def _notes(wanted: Wanted) -> tuple[str, ...]:
    if _has_manager(wanted):
        return ()
    by_hand = f"launchctl load {_path(wanted)}" if _is_mac() else "systemctl --user enable --now recapd"
    return (f"No service manager answers here; where one does: {by_hand}",)


def _has_manager(wanted: Wanted) -> bool:
    """Whether the user's own service manager can be asked: in containers and over su there is none."""
    if _is_mac():
        return shutil.which("launchctl") is not None
    return shutil.which("systemctl") is not None and "XDG_RUNTIME_DIR" in wanted.environ


def _is_mac() -> bool:
    return sys.platform == "darwin"
