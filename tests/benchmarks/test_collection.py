"""The generated texts are the same each time, and hold what the questions ask for."""

import re
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from benchmarks.harness.values import Effort
from benchmarks.inputs.collection import Collection, large_file, make_collection, small_files
from benchmarks.inputs.planted import make_identifiers
from benchmarks.inputs.topics import read_topics
from benchmarks.inputs.writing import Writer
from ingest import ChunkSettings, LoadedText, chunk, load_bytes

pytestmark = pytest.mark.slow
FEW = Effort(identifiers_of_a_kind=1)
CHUNKS = 400


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    return make_collection(tmp_path_factory.mktemp("made"), chunks=CHUNKS, effort=FEW)


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.slow
def test_the_same_documents_are_made_elsewhere(collection: Collection, tmp_path: Path) -> None:
    other = make_collection(tmp_path, chunks=CHUNKS, effort=FEW)
    assert contents(other.folder) == contents(collection.folder)
    assert other.questions == collection.questions
    assert other.planted == collection.planted


def test_what_was_made_is_kept(collection: Collection) -> None:
    path = next(collection.folder.rglob("*.md"))
    before = path.stat().st_mtime_ns
    work = collection.folder.parent.parent
    assert make_collection(work, chunks=CHUNKS, effort=FEW) == collection
    assert path.stat().st_mtime_ns == before


def test_there_are_about_as_many_chunks_as_asked_for(collection: Collection) -> None:
    pieces = [
        piece
        for name, text in contents(collection.folder).items()
        for piece in chunk(_loaded(text, name), ChunkSettings())
    ]
    assert 0.9 * CHUNKS < len(pieces) < 1.1 * CHUNKS
    mean = sum(len(piece.text) for piece in pieces) / len(pieces)
    assert 700 < mean < 900


def _loaded(text: str, name: str) -> LoadedText:
    loaded = load_bytes(text.encode(), name)
    assert isinstance(loaded, LoadedText)
    return loaded


def test_an_identifier_stands_in_its_file_only(collection: Collection) -> None:
    texts = contents(collection.folder)
    for planted in collection.planted:
        name = planted.identifier.name
        whole = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)")
        assert [file for file, text in texts.items() if whole.search(text)] == [planted.file]


def test_look_alikes_stand_in_other_files(collection: Collection) -> None:
    texts = contents(collection.folder)
    for planted in collection.planted:
        for look_alike in planted.identifier.look_alikes:
            holding = {file for file, text in texts.items() if look_alike in text}
            assert holding
            assert planted.file not in holding


def test_questions_differ_and_their_words_stand_in_one_document(collection: Collection) -> None:
    texts = list(contents(collection.folder).values())
    assert len(set(collection.questions)) > 0.95 * len(collection.questions)
    for question in collection.questions[:20]:
        words = re.sub(r"^(how does|what is|where to find) ", "", question).split()
        assert any(all(word in text for word in words) for text in texts), question


def test_identifiers_are_all_different() -> None:
    words = [f"word{chr(97 + a)}{chr(97 + b)}" for a, b in combinations(range(26), 2)]
    made = make_identifiers(Random(1), words, of_a_kind=5)
    names = [name for item in made for name in (item.name, *item.look_alikes)]
    assert len(set(names)) == len(names)
    assert len(made) == 5 * len({item.kind for item in made})


def test_topics_are_real_sentences() -> None:
    topics = read_topics()
    assert len(topics) > 100
    sentences = [sentence for topic in topics for sentence in topic.sentences]
    assert len(sentences) > 10_000
    assert all(len(sentence.split()) >= 6 for sentence in sentences)


def test_words_are_spread_as_words_are() -> None:
    """Few words make up much of a text, and half of its words come once or twice."""
    writer = Writer(7)
    words = " ".join(writer.sentence(writer.topic()) for _ in range(3000)).lower().split()
    counts = sorted((words.count(word) for word in set(words[:4000])), reverse=True)
    assert sum(counts[:50]) > 0.3 * sum(counts)
    assert len({word for word in words if len(word) > 3}) > 3000


@pytest.mark.parametrize("kind", ["md", "txt"])
def test_a_planted_word_is_in_the_document(kind: str) -> None:
    writer = Writer(3)
    for _ in range(30):
        assert "PlantedWord" in writer.document(kind, writer.topic(), "PlantedWord").split()


def test_small_files_are_as_many_as_asked_for(tmp_path: Path) -> None:
    folder = small_files(tmp_path, files=120)
    assert len(contents(folder)) == 120
    assert small_files(tmp_path, files=120) == folder


def test_a_large_file_has_its_size_and_its_last_word(tmp_path: Path) -> None:
    path = large_file(tmp_path, megabytes=1, last="TheEnd")
    text = path.read_text(encoding="utf-8")
    assert 1_000_000 < len(text) < 1_010_000
    assert text.count("TheEnd") == 1
    assert "TheEnd" in text[-1500:]
