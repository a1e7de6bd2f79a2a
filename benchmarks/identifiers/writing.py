"""Write a test set as a folder, in BEIR layout, for any search engine."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path

from benchmarks.identifiers.questions import TestSet


def write(test_set: TestSet, folder: Path) -> Path:
    """Write `corpus.jsonl`, `questions.jsonl`, and below `files/`, which is returned, each document
    as a file.
    """
    files = folder / "files"
    for document in test_set.documents:
        path = files / document.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(document.text, encoding="utf-8")
    corpus = ({"_id": item.path, "text": item.text} for item in test_set.documents)
    _write_lines(folder / "corpus.jsonl", corpus)
    _write_lines(folder / "questions.jsonl", map(asdict, test_set.questions))
    return files


def _write_lines(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def digest(test_set: TestSet) -> str:
    """16 hexadecimal digits of BLAKE2b over all documents and questions: equal for equal sets."""
    hashed = blake2b(digest_size=8)
    for document in test_set.documents:
        hashed.update(f"{document.path}\0{document.text}\0".encode())
    for question in test_set.questions:
        hashed.update(json.dumps(asdict(question)).encode())
    return hashed.hexdigest()
