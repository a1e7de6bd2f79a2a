"""The processes of a stress test: started, read, killed at random moments, started again."""

import re
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.harness.processes import ROOT, environment
from benchmarks.stress.values import SERVER_AWAY, Base, Event

_LOCKED = re.compile(r"database is locked|has been writing to")
_BEGUN = re.compile(r"mem serve: http|watching: ")
_COMMANDS = {"server": ("serve", "--port", "0"), "watch": ("watch",)}
"""Members that are commands, as a user runs them."""

_PORT = re.compile(r"http://127\.0\.0\.1:(\d+)")
PURPOSES = {
    "sync": "sync",
    "watch": "sync",
    "server": "http search",
    "client": "http search",
    "search": "search",
    "text": "ingest",
    "reindex": "reindex",
    "doctor": "doctor",
    "backup": "backup",
    "talk": "say",
    "gc": "gc",
    "import": "import",
}
"""An operation that shows that a process of a role has done something."""

_ACTORS = "benchmarks.stress.actors"
_END_S = 30
FEWEST_KILLS = 5
KILLED_EARLY = 0.1
"""The probability of killing a chosen process that has not begun yet. Starting takes long among so
many, and otherwise none would do any work.
"""


@dataclass
class Record:
    """The results of all operations. Only the thread that reads a process adds to it."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    well: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    locked: int = 0
    kills: Counter[str] = field(default_factory=Counter)
    texts: dict[str, str] = field(default_factory=dict)
    """The state of every text: `there`, `gone`, or `unknown` after a kill in the middle."""

    def has_done(self, operations: int, wanted: set[str]) -> bool:
        """Return whether this many operations succeeded, one of each of `wanted` among them, and
        some processes were killed meanwhile.
        """
        were_killed = self.kills.total() >= FEWEST_KILLS
        return were_killed and self.well.total() >= operations and wanted <= self.well.keys()

    def note(self, event: Event) -> None:
        if event.what == "begin":
            if event.text is not None:
                self.texts[event.text] = "unknown"
            return
        self.seconds[event.op].append(event.seconds)
        if event.error is not None:
            is_away = SERVER_AWAY in event.error
            self.errors[SERVER_AWAY if is_away else f"{event.op}: {event.error[:160]}"] += 1
            self.locked += bool(_LOCKED.search(event.error))
            return
        self.well[event.op] += 1
        if event.text is not None:
            self.texts[event.text] = "gone" if event.op.endswith("delete") else "there"


class Member:
    """One process of the crew."""

    def __init__(self, role: str, base: Base, seed: int, record: Record) -> None:
        self.role = role
        self._base = base
        self._record = record
        self.is_at_work = False
        """Return whether it has begun its main operation."""
        self.said: list[str] = []
        """The last lines of its unexpected output."""
        command = (
            [*_mem(base), *_COMMANDS[role]]
            if role in _COMMANDS
            else [sys.executable, "-m", _ACTORS, role, str(base.folder), str(seed)]
        )
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**environment(base.folder), "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._listeners = [
            threading.Thread(target=self._listen, daemon=True),
            threading.Thread(target=self._overhear, daemon=True),
        ]
        for listener in self._listeners:
            listener.start()

    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def kill(self) -> None:
        """Kill it at once, and read its remaining output."""
        self._process.kill()
        self._process.wait(_END_S)
        for listener in self._listeners:
            listener.join(_END_S)

    def _listen(self) -> None:
        for line in self._process.stdout or ():
            event = Event.read(line)
            if event is not None:
                self.is_at_work = True
                self._record.note(event)

    def _overhear(self) -> None:
        for line in self._process.stderr or ():
            if found := _PORT.search(line):
                self._base.port_file.write_text(found[1], "ascii")
            self.is_at_work = self.is_at_work or bool(_BEGUN.search(line))
            if self.role in _COMMANDS:
                self._record.locked += bool(_LOCKED.search(line))
            self.said = [*self.said[-20:], line]


def _mem(base: Base) -> list[str]:
    return [sys.executable, "-m", "cli.main", "--config", str(base.config(0))]


def run_mem(
    base: Base, *arguments: str, db: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """`mem` on the database, or on another, to its end."""
    other = ["--db", str(db)] if db else []
    return subprocess.run(
        [*_mem(base), *other, *arguments],
        cwd=base.folder,
        env={**environment(base.folder), "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


class Crew:
    """All processes. `work` kills one after the other, and starts another in its place."""

    def __init__(self, roles: list[str], base: Base, seed: int) -> None:
        self.record = Record()
        self._base = base
        self._seed = seed
        self._random = Random(f"crew {seed}")
        self._members = [Member(role, base, seed, self.record) for role in roles]
        self.failures: list[str] = []

    def work(self, seconds: float, *, pause_s: float, operations: int | None = None) -> None:
        """Let them work for this long; about every `pause_s` one is killed.

        With `operations`, that many suffice, once each kind of process has done its main operation.
        """
        ends = time.monotonic() + seconds
        wanted = {PURPOSES[member.role.rstrip("0123456789")] for member in self._members}
        while (left := ends - time.monotonic()) > 0:
            if operations is not None and self.record.has_done(operations, wanted):
                return
            time.sleep(min(left, self._random.uniform(0.2, 1.8) * pause_s))
            place = self._random.randrange(len(self._members))
            member = self._members[place]
            if not member.is_at_work and self._random.random() > KILLED_EARLY:
                continue
            self._seed += 1
            if member.has_ended():
                self._failed(member)
            member.kill()
            self.record.kills[member.role] += 1
            self._members[place] = Member(member.role, self._base, self._seed, self.record)

    def end(self) -> None:
        """Kill all."""
        for member in self._members:
            if member.has_ended():
                self._failed(member)
            member.kill()
            self.record.kills[member.role] += 1

    def _failed(self, member: Member) -> None:
        said = "".join(member.said)
        if member.role == "watch" and "a watch of" in said:
            self.record.errors["watch: the server watches already"] += 1
            return
        self.failures.append(f"{member.role} ended by itself:\n{said}")
