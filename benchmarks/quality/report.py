"""The results as tables: a row for each collection, a column for each way of ranking."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.harness.report import markdown_rows
from benchmarks.quality.measures import AT

NAME = "quality"
"""The name of the marks between which the documentation has the results."""

_SYSTEMS = ("BM25", "keyword", "model alone", "vector", "hybrid")
_WITH_MODEL = ("model alone", "vector", "hybrid")
_NUMBERS = (("nDCG", "ndcg"), ("recall", "recall"), ("MRR", "mrr"))


@dataclass(frozen=True, slots=True)
class Result:
    """Means over the questions of a collection. `about` is the model, or BM25's tokeniser."""

    collection: str
    system: str
    about: str
    documents: int
    questions: int
    ndcg: float
    recall: float
    mrr: float

    @property
    def place(self) -> tuple[str, str, str]:
        """The key that a later measurement replaces."""
        model = self.about if self.system in _WITH_MODEL else ""
        return self.collection, self.system, model

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def results_of(path: Path) -> list[Result]:
    """The results in a written file."""
    document = json.loads(path.read_text(encoding="utf-8"))
    return [Result(**one) for one in document["results"]]


def markdown(document: Mapping[str, Any], results: Sequence[Result]) -> str:
    """One table for each measure."""
    results = sorted(results, key=lambda one: one.collection)
    parts = [f"Measured on {document['date'][:10]} at commit {document['commit']}."]
    for title, field in _NUMBERS:
        parts += [f"**{title}@{AT}**", table(results, field)]
    parts.append(_collections(results))
    return "\n\n".join(parts)


def table(results: Sequence[Result], field: str) -> str:
    """The numbers of that name; the best of each row is bold."""
    columns = _columns(results)
    found = {one.place: getattr(one, field) for one in results}
    rows = [("", *map(_heading, columns)), ("---", *("---:" for _ in columns))]
    for collection in dict.fromkeys(one.collection for one in results):
        values = [found.get((collection, *column)) for column in columns]
        best = f"{max(value for value in values if value is not None):.3f}"
        rows.append((collection, *(_cell(value, best) for value in values)))
    return markdown_rows(rows)


def _columns(results: Sequence[Result]) -> list[tuple[str, str]]:
    """System and model: first those without a model, then each model's."""
    models = dict.fromkeys(one.about for one in results if one.system in _WITH_MODEL)
    bare = [(system, "") for system in _SYSTEMS if system not in _WITH_MODEL]
    columns = bare + [(system, model) for model in models for system in _WITH_MODEL]
    there = {(one.system, one.place[2]) for one in results}
    return [column for column in columns if column in there]


def _heading(column: tuple[str, str]) -> str:
    system, model = column
    return f"{system}, {model}" if model else system


def _cell(value: float | None, best: str) -> str:
    if value is None:
        return "—"
    shown = f"{value:.3f}"
    return f"**{shown}**" if shown == best else shown


def _collections(results: Sequence[Result]) -> str:
    """The size of each collection, and BM25's tokeniser."""
    lines = []
    for collection in dict.fromkeys(one.collection for one in results):
        own = [one for one in results if one.collection == collection]
        words = [f"; BM25: {one.about}" for one in own if one.system == "BM25"]
        size = f"{own[0].documents:,} documents, {own[0].questions:,} questions"
        lines.append(f"- {collection}: {size}{''.join(words)}.")
    return "\n".join(lines)
