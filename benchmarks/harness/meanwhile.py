"""Activity during work on a database: clients that ask, syncs, and a watch on its lock."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from http.client import HTTPException
from itertools import count, pairwise
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeAlias

from benchmarks.harness.bench import Bench
from benchmarks.harness.serving import Client, Server
from benchmarks.inputs.writing import Writer, question

AnswerProblem: TypeAlias = Literal["failed", "empty", "other mode"]
Loop: TypeAlias = Callable[[threading.Event], None]

MODES = ("hybrid", "keyword", "vector")
_SEED = 7
_LEAST_WORDS = 3
_AFTER_FAILURE_S = 0.1
_FILES_A_SYNC = 3
_SYNC_EVERY_S = 1.0
_LOOK_EVERY_S = 0.005
_TRY_EVERY_S = 0.001


@contextlib.contextmanager
def alongside(*loops: Loop) -> Iterator[None]:
    """Run each loop in its own thread during the block; raise the error of any of them."""
    ended = threading.Event()
    with ThreadPoolExecutor(len(loops)) as pool:
        running = [pool.submit(loop, ended) for loop in loops]
        try:
            yield
        finally:
            ended.set()
    for one in running:
        one.result()


@dataclass(frozen=True, slots=True)
class Answer:
    """One question: when it was asked and answered, by `time.perf_counter`, and its error.

    `said` has the reason of a failure.
    """

    asked_s: float
    answered_s: float
    problem: AnswerProblem | None = None
    said: str = ""

    @property
    def ms(self) -> float:
        """The client's waiting time."""
        return (self.answered_s - self.asked_s) * 1000


class Questions:
    """Questions about the texts of a folder, no two alike; any thread may take one."""

    def __init__(self, folder: Path) -> None:
        self._paths = sorted(path for path in folder.rglob("*") if path.suffix in (".md", ".txt"))
        self._choice, self._random = Random(_SEED), Random(_SEED)
        self._lock = threading.Lock()
        self._taken: set[str] = set()

    def take(self) -> str:
        """Some words of a text that have not been asked for in this order."""
        with self._lock:
            while True:
                text = self._choice.choice(self._paths).read_text(encoding="utf-8")
                taken = question(self._random, text)
                if len(taken.split()) >= _LEAST_WORDS and taken not in self._taken:
                    self._taken.add(taken)
                    return taken


@dataclass
class Clients:
    """Clients that ask without pause, each in the three modes in turn; `answers` grows."""

    server: Server
    questions: Questions
    answers: list[Answer] = field(default_factory=list)

    def loop(self, number: int) -> Loop:
        """The loop of one client."""

        def ask(ended: threading.Event) -> None:
            with self.server.client() as client:
                for turn in count(number):
                    if ended.is_set():
                        return
                    answer = asked(client, self.questions.take(), mode=MODES[turn % len(MODES)])
                    self.answers.append(answer)
                    if answer.problem == "failed":
                        client.close()  # the next request opens it again
                        ended.wait(_AFTER_FAILURE_S)

        return ask

    def between(self, began_s: float, ended_s: float) -> list[Answer]:
        """The answers that a client waited for in that time."""
        return [
            one
            for one in list(self.answers)
            if one.asked_s <= ended_s and one.answered_s >= began_s
        ]


def asked(client: Client, question: str, *, mode: str) -> Answer:
    """Ask one question with words of a text: no hit counts as an error."""
    started = time.perf_counter()
    try:
        answer = client.search(question, mode=mode, min_score=0)
    except (OSError, HTTPException, RuntimeError, ValueError) as error:
        return Answer(started, time.perf_counter(), "failed", f"{mode}, {question!r}: {error!r}")
    problem: AnswerProblem | None = None
    if not answer["results"]:
        problem = "empty"
    elif answer["mode_used"] != mode:
        problem = "other mode"
    said = f"{mode}, {question!r}: {answer['warnings']}" if problem else ""
    return Answer(started, time.perf_counter(), problem, said)


class Writing:
    """Files of a folder that are added and changed, each time with a unique name.

    `names` are those whose sync has ended, `seconds` the duration of each sync, `errors` the
    messages of failed ones.
    """

    def __init__(self, bench: Bench, folder: Path, database: Path) -> None:
        own = database.parent / "syncing"
        own.mkdir(exist_ok=True)
        self._bench = replace(bench, work=own)  # others run commands in the bench's own folder
        self._folder, self._database = folder, database
        self._writer = Writer(_SEED)
        self._paths = sorted(folder.rglob("*.md"))
        self.names: list[str] = []
        self.seconds: list[float] = []
        self.errors: list[str] = []

    def loop(self, ended: threading.Event) -> None:
        """Write and sync, one second from start to start unless it takes longer."""
        for turn in count():
            if ended.is_set():
                return
            names = [name for number in range(_FILES_A_SYNC) for name in self._write(turn, number)]
            started = time.perf_counter()
            try:
                self._bench.sync(self._folder, self._database)
            except RuntimeError as error:
                self.errors.append(str(error))
            else:
                self.names += names
            self.seconds.append(time.perf_counter() - started)
            ended.wait(max(0.0, _SYNC_EVERY_S - self.seconds[-1]))

    def _write(self, turn: int, number: int) -> tuple[str, str]:
        added, changed = f"added_{turn:04}_{number}", f"changed_{turn:04}_{number}"
        text = self._writer.document("md", self._writer.topic(), added)
        new = self._folder / f"new-{turn}-{number}.md"  # without the name, which paths are found by
        new.write_text(text, encoding="utf-8")
        path = self._paths[(turn * _FILES_A_SYNC + number) % len(self._paths)]
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n{self._writer.sentence(self._writer.topic())} {changed}\n")
        return added, changed


@dataclass(frozen=True, slots=True)
class Look:
    """A moment at which this process held the write lock, and the active space then.

    It tried from `began_s` on; `last_s` is the moment of the previous look.
    """

    last_s: float
    began_s: float
    got_s: float
    space: int


class Watch:
    """Takes a database's write lock some 200 times a second and releases it unused.

    It shows from outside when another space becomes active, and how long other writers are blocked.
    """

    def __init__(self, database: Path) -> None:
        self._database = database
        self.looks: list[Look] = []

    def loop(self, ended: threading.Event) -> None:
        """Look until stopped."""
        import apsw

        with contextlib.closing(apsw.Connection(str(self._database))) as connection:
            began = last = time.perf_counter()
            while not ended.is_set():
                try:
                    connection.execute("BEGIN IMMEDIATE")
                except apsw.BusyError:
                    ended.wait(_TRY_EVERY_S)
                    continue
                sql = "SELECT id FROM spaces WHERE state = 'active'"
                space: Any = connection.execute(sql).fetchall()[0][0]
                got = time.perf_counter()
                connection.execute("ROLLBACK")
                self.looks.append(Look(last, began, got, space))
                ended.wait(_LOOK_EVERY_S)
                last, began = got, time.perf_counter()

    def swap(self, began_s: float) -> Look:
        """The first look since then that found another space than the previous one.

        Raises RuntimeError if there was none.
        """
        looks = list(self.looks)
        for before, look in pairwise(looks):
            if look.got_s >= began_s and look.space != before.space:
                return look
        raise RuntimeError("no other space became active")

    def longest_wait_ms(self, began_s: float, ended_s: float) -> float:
        """The longest wait for the lock, in looks made in that time."""
        return max(
            (look.got_s - look.began_s) * 1000
            for look in list(self.looks)
            if began_s <= look.got_s <= ended_s
        )
