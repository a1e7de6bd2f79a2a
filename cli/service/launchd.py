"""The service as a launch agent of macOS."""

import os
import plistlib
import re
from pathlib import Path
from typing import Final

from cli.service.commands import ServiceManager, State, run, shown_output
from cli.service.description import ServiceDescription
from contracts import UnavailableError

LABEL: Final = "local.symbiosis-memory"

_WITH_VARIABLES: Final = 'if [ -r "$0" ]; then set -a; . "$0"; set +a; fi; exec "$@"'
"""launchd reads no file of variables, and the agent's own file may be read by every program."""


class Launchd(ServiceManager):
    """The user's launchd. An agent runs while the user is logged in."""

    def __init__(self, home: Path) -> None:
        super().__init__(home / "Library" / "LaunchAgents" / f"{LABEL}.plist")
        self._log = home / "Library" / "Logs" / "symbiosis-memory.log"

    def written(self, service: ServiceDescription) -> str:
        shell = ["/bin/sh", "-c", _WITH_VARIABLES, str(service.variables_file)]
        agent = {
            "Label": LABEL,
            "ProgramArguments": [*shell, *service.command],
            "WorkingDirectory": str(service.home),
            "EnvironmentVariables": dict(service.variables),
            "RunAtLoad": True,
            "KeepAlive": {"SuccessfulExit": False},
            "ThrottleInterval": 10,
            "ProcessType": "Background",
            "Umask": 0o077,
            "StandardOutPath": str(self._log),
            "StandardErrorPath": str(self._log),
        }
        return plistlib.dumps(agent).decode()

    def check(self) -> None:
        code, _, err = run("launchctl", "print", self._domain)
        if code:
            raise UnavailableError(
                f"launchd does not answer: {err.strip() or code}",
                hint="log in at the screen of this machine; agents run in that session",
            )

    def start(self) -> None:
        self._log.parent.mkdir(parents=True, exist_ok=True)
        run("launchctl", "bootout", self._target)  # the former one, if any
        shown_output("launchctl", "enable", self._target)
        shown_output("launchctl", "bootstrap", self._domain, str(self.file))

    def stop(self) -> None:
        run("launchctl", "bootout", self._target)

    def removed(self) -> None:
        """Nothing is kept of an agent that was booted out."""

    def state(self) -> State:
        code, out, _ = run("launchctl", "print", self._target)
        if code:
            return State(is_running=False, pid=None, detail="not loaded")
        found = dict(re.findall(r"^\s*(state|pid|last exit code) = (.+)$", out, re.MULTILINE))
        pid = found.get("pid", "")
        return State(
            is_running=found.get("state") == "running",
            pid=int(pid) if pid.isdecimal() else None,
            detail=f"{found.get('state', '?')}, last exit code {found.get('last exit code', '-')}",
        )

    def log_command(self, lines: int, *, follow: bool) -> list[str]:
        return ["tail", "-n", str(lines), *(["-F"] if follow else []), str(self._log)]

    def note(self) -> str | None:
        return None

    @property
    def _domain(self) -> str:
        return f"gui/{os.getuid()}"

    @property
    def _target(self) -> str:
        return f"{self._domain}/{LABEL}"
