"""Is a strong hit an answer? `python -m benchmarks.confidence DATA... --work DIR`.

Each collection is asked its own questions and some of all others, which have no answer in it. Every
hit holds the answer or does not, by the judgements. On one half of the questions a logistic
regression is fitted to the share of words, the nearness and the lead; the table counts the words
(strong, fair, weak) that the program gave on the other half.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.abstention import some
from benchmarks.harness.report import markdown_rows
from benchmarks.quality.beir import Judged, read_judged
from benchmarks.quality.ours import Indexed
from memory.index.embedding.active_model import embedder_of
from memory.retrieval.query_embedding import query_vector_info
from memory.retrieval.searching import default_options
from memory.workspace import Workspace
from search import HybridSearch, analyse
from search.ranking.confidence import FARTHEST, Judge, leads

if TYPE_CHECKING:
    import numpy as np

OWN, FOREIGN = 400, 60
"""Questions of a collection, and of each other one."""

STEPS = 60
WORDS = ("strong", "fair", "weak")


class JudgedHit(NamedTuple):
    """A hit: what is known of it, the word that it got, and whether it holds the answer."""

    share: float
    nearness: float
    lead: float
    word: str
    is_answer: bool
    is_fitted: bool


def hits_of(
    workspace: Workspace, text: str, answers: frozenset[str], *, is_fitted: bool
) -> Iterator[JudgedHit]:
    """The hits of a question with default settings."""
    analysis, embedder = analyse(text), embedder_of(workspace)
    vector = embedder.query_vector(analysis.plain) if analysis else None
    with workspace.storage.database.snapshot():
        search = HybridSearch(workspace.storage)
        options = default_options(workspace.config.search)
        ranking = search.ranked(analysis, options, query_vector_info(embedder, vector))
        if ranking.confidence_input is None:
            return
        judge = Judge(workspace.storage, *ranking.confidence_input)
        hits = search.judged(ranking).hits
        for hit, lead in zip(hits, leads(hits), strict=True):
            trust = judge.measured(hit.row)
            yield JudgedHit(
                trust.share,
                max(FARTHEST, trust.nearness),
                lead,
                hit.confidence,
                hit.row.owner_id in answers,
                is_fitted,
            )


def asked(judged: Judged, others: Sequence[Judged], indexed: Indexed) -> Iterator[JudgedHit]:
    """The hits of all questions; the halves are chosen by the questions' ids."""
    owners, workspace = indexed.owners(), indexed.workspace
    for question in some(judged.questions, OWN):
        answers = frozenset(owners[name] for name in question.relevant if name in owners)
        yield from hits_of(workspace, question.text, answers, is_fitted=is_even(question.id))
    for other in others:
        for question in some(other.questions, FOREIGN):
            half = is_even(question.id)
            yield from hits_of(workspace, question.text, frozenset(), is_fitted=half)


def is_even(question_id: str) -> bool:
    """Return whether a question is in the half that is fitted."""
    return sum(map(ord, question_id)) % 2 == 0


def fitted(hits: Sequence[JudgedHit]) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """The weights of a logistic regression by Newton's method: bias, share, nearness, lead."""
    import numpy as np

    known = np.array([(1.0, hit.share, hit.nearness, hit.lead) for hit in hits])
    right = np.array([float(hit.is_answer) for hit in hits])
    weights = np.zeros(known.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-known @ weights))
        slope = known.T @ (chance - right) + 1e-3 * weights
        bend = (known.T * (chance * (1 - chance))) @ known + 1e-3 * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    return weights


def row(name: str, hits: Sequence[JudgedHit]) -> tuple[str, ...]:
    """The number of hits with each word, and the share of them that hold the answer."""
    cells = [name]
    for word in WORDS:
        with_word = [hit.is_answer for hit in hits if hit.word == word]
        share = f"{sum(with_word) / len(with_word):.3f}" if with_word else "-"
        cells += [str(len(with_word)), share]
    return tuple(cells)


def found_by(
    provider: str, collections: Sequence[Judged], work: Path
) -> Iterator[tuple[str, list[JudgedHit]]]:
    """The hits in each collection with this model."""
    for judged in collections:
        folder = work / judged.name / provider
        folder.mkdir(parents=True, exist_ok=True)
        indexed = Indexed(judged, folder, provider=provider)
        others = [other for other in collections if other is not judged]
        yield judged.name, list(asked(judged, others, indexed))
        indexed.close()


def main(given: Sequence[str]) -> None:
    """Measure every collection named with every model; print the weights fitted to all of them, and
    for each model the table of the other half.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks.confidence", description=__doc__)
    parser.add_argument("data", nargs="+", type=Path, metavar="DATA", help="folders to judge")
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="keep all there")
    parser.add_argument("--provider", action="append", help="embedding model; repeatable")
    options = parser.parse_args(given)
    collections = [read_judged(folder) for folder in options.data]
    head = ("collection", *(cell for word in WORDS for cell in (word, "hold the answer")))
    fit: list[JudgedHit] = []
    for provider in options.provider or ["static"]:
        rows, held = [head, ("---", *["---:"] * 6)], list[JudgedHit]()
        for name, found in found_by(provider, collections, options.work.resolve()):
            fit += [hit for hit in found if hit.is_fitted]
            rows.append(row(name, [hit for hit in found if not hit.is_fitted]))
            held += [hit for hit in found if not hit.is_fitted]
            print(*rows[-1], file=sys.stderr, flush=True)
        rows.append(row("all", held))
        print(f"{provider}\n\n{markdown_rows(rows)}\n")
    print("bias, share, nearness, lead:", *(f"{weight:.2f}" for weight in fitted(fit)))


if __name__ == "__main__":
    main(sys.argv[1:])
