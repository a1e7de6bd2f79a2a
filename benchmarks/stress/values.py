"""The values that the parts of the stress test exchange."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

CONFIGS: Final = ("first.json", "second.json")
"""Two configurations of one database that differ in the length of chunks."""

_SIZES: Final = (400, 700)
SERVER_AWAY: Final = "the server is not there"
TEXTS: Final = 60
"""Texts that each actor adds and removes."""

TURNS: Final = 40
"""Turns that each actor says, again and again."""


@dataclass(frozen=True, slots=True)
class Base:
    """The folder that a stress test works in."""

    folder: Path

    @property
    def docs(self) -> Path:
        return self.folder / "docs"

    @property
    def database(self) -> Path:
        return self.folder / "memory.db"

    @property
    def port_file(self) -> Path:
        """The file with the server's port while one is up."""
        return self.folder / "port"

    @property
    def backups(self) -> Path:
        return self.folder / "backups"

    def config(self, number: int) -> Path:
        return self.folder / CONFIGS[number]

    def lay_out(self) -> None:
        """Make the folders and the configurations."""
        self.docs.mkdir(parents=True)
        self.backups.mkdir()
        for name, size in zip(CONFIGS, _SIZES, strict=True):
            settings = {
                "memory": {
                    "storage_path": "memory.db",
                    "embeddings": {"upgrade": "off"},
                    "files": {"watch_directories": ["docs"]},
                    "chunking": {"chunk_size_chars": size, "chunk_overlap_chars": 60},
                }
            }
            (self.folder / name).write_text(json.dumps(settings), encoding="utf-8")


class Event(NamedTuple):
    """An actor's message: the start of an operation, or its end after some seconds.

    `text` is the text it is about, if any; `error` the class and message of an error.
    """

    what: str
    op: str
    seconds: float = 0.0
    text: str | None = None
    error: str | None = None

    def line(self) -> str:
        return json.dumps(self)

    @classmethod
    def read(cls, line: str) -> "Event | None":
        """The event of a line; None for one that a kill cut off."""
        try:
            values: list[Any] = json.loads(line)
            return cls(*values)
        except (ValueError, TypeError):
            return None


def text_of(actor: str, number: int) -> str:
    """The `number`-th text of an actor: always the same."""
    return f"Note {number} of {actor}: the ferry of {actor}x{number} leaves at {number % 24} sharp."


def said_text(actor: str, number: int) -> str:
    """The `number`-th turn of an actor, in which the rules find a fact."""
    return (
        f"I keep a {actor}x{number} barometer in room {number}. My cat is called {actor}x{number}."
    )


def kept_text(actor: str, number: int) -> str:
    """The `number`-th text that an actor asks to remember."""
    return f"The locker {actor}x{number} opens with code {number}."
