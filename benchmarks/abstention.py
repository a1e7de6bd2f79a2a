"""Does an answer say that it is weak? `python -m benchmarks.abstention DATA... --work DIR`.

Every question is asked with its relevant documents present and removed, and each collection is
asked some questions of all the others. An answer, even an empty one, is either weak or not.
"""

import argparse
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.harness.report import markdown_rows
from benchmarks.quality.beir import Judged, Question, read_judged
from benchmarks.quality.ours import Indexed
from memory.index.embedding.active_model import embedder_of
from memory.retrieval.query_embedding import query_vector_info
from memory.retrieval.searching import default_options
from memory.workspace import Workspace
from search import HybridSearch, Ranking, analyse

FOREIGN = 60
"""Questions of each other collection."""

MOST = 500
"""Questions of a collection, evenly spaced."""

NOTHING = -1.0
"""The evidence of an empty answer."""


class _Undone(Exception):  # noqa: N818  # nothing went wrong
    """Ends a transaction so that nothing of it is kept."""


@dataclass(slots=True)
class Answers:
    """The evidence of every answer and whether it was marked weak, by kind of question."""

    evidence: list[float] = field(default_factory=list)
    weak: list[bool] = field(default_factory=list)

    def add(self, ranking: Ranking) -> None:
        """Count one answer."""
        self.evidence.append(ranking.evidence if ranking.hits else NOTHING)
        self.weak.append(ranking.weak)

    @property
    def share_weak(self) -> float:
        return sum(self.weak) / len(self.weak) if self.weak else float("nan")


@dataclass(slots=True)
class Measured:
    """The answers on one collection; `right` have a relevant document in their first three hits."""

    right: Answers = field(default_factory=Answers)
    removed: Answers = field(default_factory=Answers)
    foreign: Answers = field(default_factory=Answers)


def auc(higher: Sequence[float], lower: Sequence[float]) -> float:
    """The chance that one of `higher` exceeds one of `lower`, a tie counting half."""
    order = sorted(lower)
    wins = sum((bisect_left(order, x) + bisect_right(order, x)) / 2 for x in higher)
    return wins / (len(higher) * len(lower)) if higher and lower else float("nan")


def ask(workspace: Workspace, text: str) -> Ranking:
    """One question with default settings, read in this thread only."""
    analysis = analyse(text)
    embedder = embedder_of(workspace)
    with workspace.storage.database.snapshot():
        return HybridSearch(workspace.storage).search(
            analysis,
            default_options(workspace.config.search),
            query_vector_info(
                embedder, embedder.query_vector(analysis.plain) if analysis else None
            ),
        )


@contextmanager
def without(workspace: Workspace, owners: Sequence[str]) -> Iterator[None]:
    """Remove these files, for this thread and the duration of the block."""
    try:
        with workspace.storage.database.transaction() as tx:
            for owner in owners:
                workspace.storage.remove_owner(tx, "file", owner)
            yield
            raise _Undone
    except _Undone:
        pass


def measure(judged: Judged, indexed: Indexed, *, odd: bool, others: Sequence[Judged]) -> Measured:
    """All answers on one collection; with `odd` only the held-out questions."""
    found, workspace, owners = Measured(), indexed.workspace, indexed.owners()
    for question in some([one for one in judged.questions if not odd or is_odd(one)], MOST):
        right = {owners[name] for name in question.relevant if name in owners}
        ranking = ask(workspace, question.text)
        if right & {hit.row.owner_id for hit in ranking.hits[:3]}:
            found.right.add(ranking)
        with without(workspace, sorted(right)):
            found.removed.add(ask(workspace, question.text))
    for other in others:
        for question in some(other.questions, FOREIGN):
            found.foreign.add(ask(workspace, question.text))
    return found


def is_odd(question: Question) -> bool:
    """Return whether a question is in the half that the constants were not chosen on."""
    return sum(map(ord, question.id)) % 2 == 1


def some(questions: Sequence[Question], most: int) -> Sequence[Question]:
    """At most this many, evenly spaced."""
    return questions[:: max(1, -(-len(questions) // most))]


def row(name: str, found: Measured) -> tuple[str, ...]:
    """A row of the table."""
    return (
        name,
        str(len(found.right.weak)),
        f"{found.right.share_weak:.1%}",
        f"{1 - found.removed.share_weak:.1%}",
        f"{1 - found.foreign.share_weak:.1%}",
        f"{auc(found.right.evidence, found.removed.evidence):.3f}",
        f"{auc(found.right.evidence, found.foreign.evidence):.3f}",
    )


_HEAD = (
    *("collection", "right answers", "of them weak", "removed, not weak", "foreign, not weak"),
    *("AUC removed", "AUC foreign"),
)


def main(given: Sequence[str]) -> None:
    """Measure every collection named and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.abstention", description=__doc__)
    parser.add_argument("data", nargs="+", type=Path, metavar="DATA", help="folders to judge")
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="keep all there")
    parser.add_argument("--provider", default="static", help="embedding model")
    parser.add_argument(
        *("--odd", "-o"), action="append", default=[], metavar="NAME", help="half of it held out"
    )
    options = parser.parse_args(given)
    collections = [read_judged(folder) for folder in options.data]
    rows = [_HEAD, ("---", *("---:" for _ in _HEAD[1:]))]
    for judged in collections:
        folder = options.work.resolve() / judged.name / options.provider
        folder.mkdir(parents=True, exist_ok=True)
        indexed = Indexed(judged, folder, provider=options.provider)
        others = [other for other in collections if other is not judged]
        found = measure(judged, indexed, odd=judged.name in options.odd, others=others)
        indexed.close()
        rows.append(row(judged.name, found))
        print(*rows[-1], file=sys.stderr, flush=True)
    print(markdown_rows(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
