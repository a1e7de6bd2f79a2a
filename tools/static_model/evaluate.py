"""Measure the built-in model alone: `python -m tools.static_model.evaluate COLLECTION...`.

A collection is a folder in BEIR layout (`corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv`). A
document is cut into chunks of at most 1,000 characters, its title is put before each, and its best
chunk by cosine counts. nDCG@10 has linear gain and a discount of log2(rank + 1), as in trec_eval.
"""

import argparse
import json
import re
import statistics
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from providers.static_model.provider import StaticProvider

CHUNK_CHARS = 1000
CUTOFF = 10
Relevance = dict[str, dict[str, int]]


def main() -> None:
    """Print nDCG@10 of every collection and their mean."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.static_model.evaluate", description=__doc__
    )
    parser.add_argument("collections", type=Path, nargs="+", help="folders in BEIR layout")
    parser.add_argument("--split", default="test", help="qrels/SPLIT.tsv is used")
    parser.add_argument("--model", type=Path, help="folder of another model than the built-in one")
    options = parser.parse_args()
    provider = StaticProvider(options.model) if options.model else StaticProvider()
    figures = []
    for folder in options.collections:
        figures.append(collection_ndcg(provider, folder, options.split))
        print(f"{folder.name:20} {figures[-1]:.4f}")
    print(f"{'mean':20} {statistics.fmean(figures):.4f}")


def collection_ndcg(provider: StaticProvider, folder: Path, split: str) -> float:
    """Mean nDCG@10 over the queries that have a relevant document."""
    relevance = _relevance(folder / "qrels" / f"{split}.tsv")
    queries = [row for row in _queries(folder, split) if row["_id"] in relevance]
    owners: list[int] = []
    chunks: list[str] = []
    corpus = _rows(folder / "corpus.jsonl")
    for number, row in enumerate(corpus):
        pieces = document_chunks(row.get("title", ""), row["text"])
        chunks += pieces
        owners += [number] * len(pieces)
    rows = np.asarray(provider.embed(chunks, kind="document"), np.float32)
    asked = np.asarray(provider.embed([row["text"] for row in queries], kind="query"), np.float32)
    names = [str(row["_id"]) for row in corpus]
    firsts = np.flatnonzero(np.diff(owners, prepend=-1))
    return statistics.fmean(
        ndcg(_best(rows @ vector, firsts, names), relevance[query["_id"]])
        for query, vector in zip(queries, asked, strict=True)
    )


def document_chunks(title: str, text: str) -> list[str]:
    """Paragraphs, or sentences where a paragraph is too long, filled up to 1,000 characters."""
    chunks: list[str] = []
    filled = ""
    for part in _parts(text):
        if filled and len(filled) + len(part) > CHUNK_CHARS:
            chunks.append(filled)
            filled = ""
        filled += part
    chunks.append(filled)
    return [f"{title}\n\n{chunk.strip()}" if title else chunk.strip() for chunk in chunks]


def ndcg(ranked: list[str], relevant: dict[str, int]) -> float:
    """nDCG@10 of one ranking, in [0, 1]; the ideal is over all relevant documents."""
    gains = [relevant.get(name, 0) for name in ranked[:CUTOFF]]
    ideal = sorted(relevant.values(), reverse=True)[:CUTOFF]
    return _discounted(gains) / _discounted(ideal)


def _discounted(gains: list[int]) -> float:
    return float(sum(gain / np.log2(rank + 2) for rank, gain in enumerate(gains)))


def _best(scores: NDArray[np.float32], firsts: NDArray[np.int64], names: list[str]) -> list[str]:
    """Names of the documents whose best chunks score highest; `firsts` are their first chunks."""
    best = np.maximum.reduceat(scores, firsts)
    return [names[index] for index in np.argsort(-best, kind="stable")[:CUTOFF]]


def _parts(text: str) -> list[str]:
    parts: list[str] = []
    for paragraph in re.split(r"(?<=\n)(?=\n)", text):
        fits = len(paragraph) <= CHUNK_CHARS
        sentences = [paragraph] if fits else re.split(r"(?<=[.!?])(?=\s)", paragraph)
        for sentence in sentences:
            parts += [
                sentence[start : start + CHUNK_CHARS]
                for start in range(0, len(sentence), CHUNK_CHARS)
            ]
    return parts


def _queries(folder: Path, split: str) -> list[dict[str, Any]]:
    apart = folder / f"queries-{split}.jsonl"
    return _rows(apart if apart.exists() else folder / "queries.jsonl")


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def _relevance(path: Path) -> Relevance:
    relevance: Relevance = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        if int(grade) > 0:
            relevance.setdefault(query, {})[document] = int(grade)
    return relevance


if __name__ == "__main__":
    main()
