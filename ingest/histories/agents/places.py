"""The agents whose transcripts are read, the places where they keep them, and their files.

docs/import.md says of each what this rests on.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, get_args

from contracts.errors import InputError, NotFoundError
from contracts.named_tuple import NamedTuple

Agent = Literal["claude-code", "codex", "cursor", "gemini-cli", "opencode", "aider", "openclaw"]
AGENTS: Final[tuple[Agent, ...]] = get_args(Agent)

Storing = Literal["lines", "whole", "store"]
"""The ways to keep a transcript: lines that are appended, a file that is written again as a whole,
or a SQLite database with many conversations.
"""

MOST_ENTRIES: Final = 200_000
"""Entries of folders that one look at a place lists."""


class AgentFiles(NamedTuple):
    """The transcripts of an agent below its place: their names, and folders between, at most."""

    names: re.Pattern[str]
    depth: int
    patterns: tuple[str, ...]


_FILES: Final[Mapping[Agent, AgentFiles]] = {
    "claude-code": AgentFiles(re.compile(r"(?!agent-).+\.jsonl"), 1, ("*.jsonl",)),
    "codex": AgentFiles(re.compile(r"rollout-.+\.jsonl"), 3, ("rollout-*.jsonl",)),
    "cursor": AgentFiles(re.compile(r"state\.vscdb"), 2, ("state.vscdb*",)),
    "gemini-cli": AgentFiles(
        re.compile(r"session-.+\.jsonl?"), 2, ("session-*.json", "session-*.jsonl")
    ),
    "opencode": AgentFiles(re.compile(r"opencode(?:-[\w.]+)?\.db"), 0, ("opencode*.db*",)),
    "aider": AgentFiles(re.compile(r"\.aider\.chat\.history\.md"), 1, (".aider.chat.history.md",)),
    "openclaw": AgentFiles(re.compile(r".+\.jsonl"), 2, ("*.jsonl",)),
}


class Transcripts(NamedTuple):
    """The transcripts found at a place, and the entries that are not read, with the reasons."""

    paths: list[Path]
    refused: list[tuple[Path, str]]


def default_place(
    agent: Agent, home: Path | None = None, variables: Mapping[str, str] = os.environ
) -> Path:
    """The place where an agent keeps its transcripts. Raises InputError for one without."""
    home = home or Path.home()
    if agent == "claude-code":
        return Path(variables.get("CLAUDE_CONFIG_DIR") or home / ".claude") / "projects"
    if agent == "codex":
        return Path(variables.get("CODEX_HOME") or home / ".codex") / "sessions"
    if agent == "gemini-cli":
        return home / ".gemini" / "tmp"
    if agent == "opencode":
        return Path(variables.get("XDG_DATA_HOME") or home / ".local" / "share") / "opencode"
    if agent == "openclaw":
        return Path(variables.get("OPENCLAW_STATE_DIR") or home / ".openclaw") / "agents"
    if agent == "cursor":
        return _cursor_settings(home, variables) / "User" / "globalStorage"
    raise InputError(
        "aider keeps its history in the folder of each project",
        hint="name that folder, or the file .aider.chat.history.md in it",
    )


def _cursor_settings(home: Path, variables: Mapping[str, str]) -> Path:
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Cursor"
    if sys.platform == "win32":
        return Path(variables.get("APPDATA") or home / "AppData" / "Roaming") / "Cursor"
    return Path(variables.get("XDG_CONFIG_HOME") or home / ".config") / "Cursor"


def storing_of(agent: Agent, path: Path) -> Storing:
    """Return how a transcript of this agent is kept."""
    if agent in ("cursor", "opencode"):
        return "store"
    return "whole" if agent == "aider" or path.suffix == ".json" else "lines"


def kept_in(agent: Agent, transcript: Path) -> Path:
    """Return the file to read where an agent names a transcript to its hooks.

    Cursor names a copy without ids and times; the messages are in its database.
    """
    if agent != "cursor" or transcript.suffix == ".vscdb":
        return transcript
    return default_place(agent) / "state.vscdb"


def patterns_of(agents: Sequence[Agent]) -> tuple[str, ...]:
    """The patterns of the files whose changes matter."""
    return tuple(dict.fromkeys(one for agent in agents for one in _FILES[agent].patterns))


def transcripts_at(agent: Agent, place: Path) -> Transcripts:
    """The transcripts of an agent at a place, in the order of their names.

    A place that is a file is a transcript whatever its name. A symbolic link below the place counts
    only if it leads to a file below the place; linked folders are not entered. Raises NotFoundError
    for a missing place.
    """
    if place.is_file():
        return Transcripts([place], [])
    if not place.is_dir():
        raise NotFoundError(f"there is no {place}", hint="check its spelling, or name the place")
    files = _FILES[agent]
    found = Transcripts([], [])
    real = os.path.realpath(place)
    left = MOST_ENTRIES
    for entry in _entries(str(place), files.depth):
        left -= 1
        if left < 0:
            found.refused.append((place, f"only its first {MOST_ENTRIES:,} entries are looked at"))
            break
        if not files.names.fullmatch(entry.name):
            continue
        path = Path(entry.path)
        if entry.is_symlink() and not _is_below(os.path.realpath(entry.path), real):
            found.refused.append((path, "it is a link that leads out of its folder"))
        elif entry.is_file():
            found.paths.append(path)
    found.paths.sort()
    return found


def is_transcript(agent: Agent, place: Path, path: Path) -> bool:
    """Return whether a path names a transcript of an agent at this place, by its name alone."""
    if path == place:
        return True
    try:
        between = path.relative_to(place).parent.parts
    except ValueError:
        return False
    files = _FILES[agent]
    return len(between) <= files.depth and files.names.fullmatch(path.name) is not None


def _entries(folder: str, depth: int) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as listed:
            entries = sorted(listed, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        try:
            is_folder = entry.is_dir(follow_symlinks=False)
        except OSError:
            continue
        if not is_folder:
            yield entry
        elif depth:
            yield from _entries(entry.path, depth - 1)


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
