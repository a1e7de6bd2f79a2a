"""The service as a systemd user unit."""

import os
import re
from pathlib import Path
from typing import Final

from cli.service.commands import ServiceManager, State, run, shown_output
from cli.service.description import NAME, ServiceDescription, config_home
from contracts import UnavailableError

UNIT: Final = f"{NAME}.service"

_UNIT: Final = """\
[Unit]
Description=Symbiosis Memory (mem serve)
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
Type=exec
ExecStart={command}
WorkingDirectory={home}
{variables}EnvironmentFile=-{variables_file}
Restart=on-failure
RestartSec=2
TimeoutStopSec=30

# None of these needs a namespace, which some systems deny to users' services.
UMask=0077
NoNewPrivileges=yes
LockPersonality=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=default.target
"""


class Systemd(ServiceManager):
    """The user's own systemd. A unit runs while the user is logged in, or lingers."""

    def __init__(self, home: Path) -> None:
        super().__init__(config_home(home) / "systemd" / "user" / UNIT)

    def written(self, service: ServiceDescription) -> str:
        variables = "".join(
            f"Environment={_quoted(f'{name}={value}')}\n" for name, value in service.variables
        )
        return _UNIT.format(
            command=" ".join(_quoted(word) for word in _escaped(service.command)),
            home=_path(service.home),
            variables=variables,
            variables_file=_path(service.variables_file),
        )

    def check(self) -> None:
        code, _, err = run("systemctl", "--user", "show-environment")
        if code:
            raise UnavailableError(
                f"the user's systemd does not answer: {err.strip() or code}",
                hint="run `mem serve` from what starts programs here; `mem service install "
                "--print` shows the unit",
            )

    def start(self) -> None:
        self._do("daemon-reload")
        self._do("enable", UNIT)
        self._do("restart", UNIT)

    def stop(self) -> None:
        self._do("disable", "--now", UNIT)

    def removed(self) -> None:
        self._do("daemon-reload")

    def state(self) -> State:
        names = ("ActiveState", "SubState", "MainPID", "UnitFileState", "Result")
        wanted = f"--property={','.join(names)}"
        out = self._do("show", UNIT, wanted)
        found = dict(line.split("=", 1) for line in out.splitlines() if "=" in line)
        pid = int(found.get("MainPID", "0"))
        detail = f"{found.get('SubState', '?')}, {found.get('UnitFileState', '?')}"
        result = found.get("Result", "success")
        return State(
            is_running=found.get("ActiveState") == "active",
            pid=pid or None,
            detail=detail if result == "success" else f"{detail}, {result}",
        )

    def log_command(self, lines: int, *, follow: bool) -> list[str]:
        command = ["journalctl", "--user", "--unit", UNIT, "--lines", str(lines), "--no-pager"]
        return command + (["--follow"] if follow else [])

    def note(self) -> str | None:
        user = os.environ.get("USER", "")
        lingering = Path("/var/lib/systemd/linger", user)
        if user and lingering.exists():
            return None
        return "it ends when you log out, unless: loginctl enable-linger"

    def _do(self, *words: str) -> str:
        return shown_output("systemctl", "--user", *words)


def _escaped(command: tuple[str, ...]) -> list[str]:
    """A command line, in whose arguments `$` begins a variable."""
    program, *arguments = command
    return [program, *(word.replace("$", "$$") for word in arguments)]


def _quoted(word: str) -> str:
    """Quote a word of a unit file: C escapes inside double quotes, `%` begins a specifier."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"' if re.search(r"[^\w@%+=:,./-]", escaped) else escaped


def _path(path: Path) -> str:
    """A path without other words; it is not unquoted, but specifiers are expanded."""
    return str(path).replace("%", "%%")
