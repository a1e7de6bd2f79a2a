"""Read a judged collection in BEIR layout (https://github.com/beir-cellar/beir)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Document:
    """A document of a collection; the title may be empty."""

    id: str
    title: str
    text: str

    @property
    def whole(self) -> str:
        """The text under its title, as one text to embed or to look for words in."""
        return f"{self.title}\n\n{self.text}" if self.title else self.text


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the grade (1 or more) of every document that answers it."""

    text: str
    relevant: Mapping[str, int]
    id: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Judged:
    """A collection by the name of its folder, with the questions that have an answer in it."""

    name: str
    documents: Sequence[Document]
    questions: Sequence[Question]


def read_judged(folder: Path) -> Judged:
    """`corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv` of a folder.

    Raises ValueError for conversations (rows with a `group`), which are not documents.
    """
    corpus = rows(folder / "corpus.jsonl")
    if any("group" in row for row in corpus):
        raise ValueError(
            f"{folder} holds conversations; judge it by benchmarks.quality.conversations"
        )
    relevant = read_judgements(folder)
    return Judged(
        folder.name,
        [Document(row["_id"], row.get("title") or "", row.get("text") or "") for row in corpus],
        [
            Question(row["text"], relevant[row["_id"]], row["_id"])
            for row in rows(folder / "queries.jsonl")
            if row["_id"] in relevant
        ],
    )


def read_judgements(folder: Path) -> dict[str, dict[str, int]]:
    """The grade (1 or more) of every document that answers a question, by the question's id."""
    relevant: dict[str, dict[str, int]] = {}
    judgements = (folder / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]
    for line in judgements:
        query, document, grade = line.split("\t")
        if int(grade) > 0:
            relevant.setdefault(query, {})[document] = int(grade)
    return relevant


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON Lines."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
