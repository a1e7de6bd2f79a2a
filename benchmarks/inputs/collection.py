"""A folder of documents on disk, with questions for it and the identifiers planted in it."""

import json
import platform
import shutil
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from benchmarks.harness.values import Effort
from benchmarks.inputs.planted import Identifier, make_identifiers
from benchmarks.inputs.topics import read_topics
from benchmarks.inputs.writing import Writer

_SEED = 20_240_229
_FORMAT = 1
"""Raise it when the same seed gives other documents: folders of another format are rebuilt."""

_CHUNKS_A_FILE = 5.2
"""Measured; the figures give the actual number of chunks."""

_FILES_A_FOLDER = 100
_QUESTIONS = 1500
_QUESTIONS_FROM_ONE_FILE = 4
_IDENTIFIER_WORDS = slice(200, 1500)
"""Ranks by frequency of the words that identifiers are made of: neither `the` nor hapaxes."""


@dataclass(frozen=True, slots=True)
class Planted:
    """An identifier and the one file, relative to the collection's folder, that holds it."""

    identifier: Identifier
    file: str


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents, questions in their words, and identifiers that are in one file each."""

    folder: Path
    files: int
    questions: tuple[str, ...]
    planted: tuple[Planted, ...]


def make_collection(work: Path, *, chunks: int, effort: Effort) -> Collection:
    """About this many chunks of text below `work`; an earlier folder is reused."""
    signature = f"{_FORMAT} {platform.python_version()} {effort.identifiers_of_a_kind}"
    base = work / f"collection-{chunks}"
    made = base / "made.json"
    if not made.exists() or json.loads(made.read_text(encoding="utf-8"))["made"] != signature:
        shutil.rmtree(base, ignore_errors=True)
        _write(base, round(chunks / _CHUNKS_A_FILE), effort=effort, signature=signature)
    told = json.loads(made.read_text(encoding="utf-8"))
    planted = [
        Planted(Identifier(kind, name, tuple(others)), file)
        for kind, name, others, file in told["planted"]
    ]
    return Collection(base / "files", told["files"], tuple(told["questions"]), tuple(planted))


def _write(base: Path, files: int, *, effort: Effort, signature: str) -> None:
    writer = Writer(_SEED + files)
    random = Random(_SEED + files)
    identifiers = make_identifiers(
        random, _identifier_words(), of_a_kind=effort.identifiers_of_a_kind
    )
    names = [name for item in identifiers for name in (item.name, *item.look_alikes)]
    plants = dict(zip(random.sample(range(files), len(names)), names, strict=True))
    questions: list[str] = []
    where: dict[str, str] = {}
    for number in range(files):
        plant = plants.get(number)
        kind = writer.kind() if plant is None else "md"
        topic = writer.topic(with_functions=kind == "py")
        text = writer.program(topic) if kind == "py" else writer.document(kind, topic, plant)
        file = f"part-{number // _FILES_A_FOLDER:04}/{topic.name}-{number:06}.{kind}"
        path = base / "files" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if plant is not None:
            where[plant] = file
        if kind != "py":
            questions += (writer.question(text) for _ in range(_QUESTIONS_FROM_ONE_FILE))
    told = {
        "made": signature,
        "files": files,
        "questions": random.sample(questions, min(_QUESTIONS, len(questions))),
        "planted": [(*asdict(item).values(), where[item.name]) for item in identifiers],
    }
    (base / "made.json").write_text(json.dumps(told), encoding="utf-8")


def _identifier_words() -> list[str]:
    counts: Counter[str] = Counter()
    for topic in read_topics():
        for sentence in topic.sentences:
            counts.update(
                word
                for word in sentence.split()
                if word.isascii() and word.islower() and word.isalpha() and len(word) > 3
            )
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    return ranked[_IDENTIFIER_WORDS]


def small_files(work: Path, *, files: int) -> Path:
    """A folder of this many files of one paragraph each."""
    folder = work / f"small-{files}"
    if (folder / "complete").exists():
        return folder / "files"
    shutil.rmtree(folder, ignore_errors=True)
    writer = Writer(_SEED)
    for number in range(files):
        path = folder / "files" / f"{number // _FILES_A_FOLDER:03}" / f"note-{number:05}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{writer.sentence(writer.topic())}\n", encoding="utf-8")
    (folder / "complete").touch()
    return folder / "files"


def large_file(work: Path, *, megabytes: int, last: str) -> Path:
    """One Markdown file of that size (of 10^6 bytes) that ends with a paragraph holding `last`."""
    path = work / f"large-{megabytes}" / "large.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = Writer(_SEED)
    left = megabytes * 1_000_000
    with path.open("w", encoding="utf-8") as file:
        while left > 0:
            left -= file.write(f"{writer.document('md', writer.topic())}\n")
        file.write(f"{writer.paragraph(writer.topic(), last)}\n")
    return path
