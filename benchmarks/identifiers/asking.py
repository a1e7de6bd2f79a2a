"""Ask the questions of a test set, and count the hits."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from benchmarks.harness.bench import Bench
from benchmarks.harness.serving import running_server
from benchmarks.identifiers.questions import Question

Key = TypeVar("Key")

Ask: TypeAlias = Callable[[str], Sequence[str]]
"""Returns the first hits of a query, best first: the text of each, below its path."""

_AT = 3


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the rank of the first right hit, from 1; 0 if none is among the first."""

    question: Question
    rank: int

    @property
    def is_found(self) -> bool:
        """Return whether it is at rank 1, or for a typo among the first three."""
        return 1 <= self.rank <= (_AT if self.question.form == "with a typo" else 1)


def asked(questions: Iterable[Question], ask: Ask) -> Iterator[Asked]:
    """Ask each question."""
    for question in questions:
        right = [question.is_answered_by(text) for text in ask(question.query)[:_AT]]
        yield Asked(question, right.index(True) + 1 if True in right else 0)


def ask_all(bench: Bench, questions: Iterable[Question], files: Path) -> Iterator[Asked]:
    """Index `files` by an ordinary sync, and ask a server each question over HTTP."""
    database = bench.work / "identifiers.db"
    bench.fresh_sync(files, database)
    with running_server(bench, database) as server, server.client() as client:
        yield from asked(questions, lambda query: texts(client.search(query)["results"], files))


def texts(results: Iterable[Mapping[str, Any]], files: Path) -> list[str]:
    """The visible text of each hit: its path below `files`, and its text."""
    return [f"{Path(hit['file_path']).relative_to(files)}\n{hit['text']}" for hit in results]


def shares(outcome: Iterable[Asked], by: Callable[[Question], Key]) -> dict[Key, tuple[int, int]]:
    """The numbers found and asked, for each value of `by`."""
    counted: dict[Key, list[bool]] = defaultdict(list)
    for item in outcome:
        counted[by(item.question)].append(item.is_found)
    return {key: (sum(found), len(found)) for key, found in counted.items()}
