"""The interface of a manager of services: one file, and programs that act on it."""

import subprocess
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from cli.service.description import ServiceDescription
from contracts import UnavailableError

_SECONDS = 60


@dataclass(frozen=True, slots=True)
class State:
    """The state of the service: its process, and its manager's own words."""

    is_running: bool
    pid: int | None
    detail: str


class ServiceManager(ABC):
    """A system's manager of services, which reads `file`."""

    def __init__(self, file: Path) -> None:
        self.file = file

    @abstractmethod
    def written(self, service: ServiceDescription) -> str:
        """Return the text of the file."""

    @abstractmethod
    def check(self) -> None:
        """Raise UnavailableError where the manager does not answer."""

    @abstractmethod
    def start(self) -> None:
        """Start the service from its file, now and at each login; again if it runs."""

    @abstractmethod
    def stop(self) -> None:
        """Stop the service, and do not start it at a login."""

    @abstractmethod
    def removed(self) -> None:
        """Take note that the file is gone."""

    @abstractmethod
    def state(self) -> State:
        """Return the state of the installed service."""

    @abstractmethod
    def log_command(self, lines: int, *, follow: bool) -> list[str]:
        """Return the command that prints the newest lines of the log."""

    @abstractmethod
    def note(self) -> str | None:
        """Return what a user should know of its running, if anything."""


def run(*command: str) -> tuple[int, str, str]:
    """Run a program of the system; return its exit code and output.

    Raises UnavailableError if it is missing or takes more than a minute.
    """
    hint = "run `mem serve` from what starts programs here"
    try:
        done = subprocess.run(  # noqa: S603  # fixed names, no shell
            command, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except FileNotFoundError as error:
        raise UnavailableError(f"{command[0]} is not installed here", hint=hint) from error
    except subprocess.TimeoutExpired as error:
        raise UnavailableError(f"{command[0]} does not answer", hint=hint) from error
    return done.returncode, done.stdout, done.stderr


def shown_output(*command: str) -> str:
    """Run a program that must succeed and return its output. Raises UnavailableError."""
    code, out, err = run(*command)
    if code:
        raise UnavailableError(
            f"`{' '.join(command)}` failed: {err.strip() or f'exit code {code}'}",
            hint="see `mem service status`, and `mem service logs`",
        )
    return out
