"""What a model's vectors are worth is measured where its card does not say."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from contracts import UnavailableError
from ingest import ChunkSettings, LoadedText
from memory.config.settings import ChunkingConfig
from memory.files.ingestion import sync_files
from memory.index.documents import Document
from memory.index.embedding.active_model import embedder_of
from memory.index.embedding.calibration import (
    ASKED,
    FEWEST_ASKED,
    FEWEST_CHUNKS,
    LARGEST,
    MEASURED_AGAIN_AT,
    WEIGHTS,
    best_weight,
    calibrate,
)
from memory.index.embedding.embedder import UNMEASURED_WEIGHT, Embedder, measured_weight
from memory.index.indexing import Indexer
from memory.index.indexing_settings import IndexingSettings
from memory.operations.status import read_status
from memory.storage.sqlite import SqliteStorage
from providers.base import EmbeddingProvider, Kind, ModelCard, Rows
from providers.fake import FakeProvider
from tests.memory.databases import opened, use, write

DIMENSIONS = 64
SYLLABLES = [first + second for first in "bdfgklmnprst" for second in "aeiou"]


class Seeing(EmbeddingProvider):
    """Places a text by what `of` says it is about: equal things are one point."""

    def __init__(self, of: Callable[[str], str], **card: Any) -> None:
        self._of = of
        self._card = replace(ModelCard("seeing", "seeing", "1", DIMENSIONS), **card)
        self.asked: list[str] = []
        self.calls = 0

    @property
    def card(self) -> ModelCard:
        return self._card

    def embed(self, texts: Sequence[str], *, kind: Kind) -> list[list[float]]:
        self.asked += texts
        self.calls += 1
        return [_point(self._of(text)) for text in texts]


class Tiring(FakeProvider):
    """The fake model, out of reach after so many texts."""

    def __init__(self, texts: int) -> None:
        super().__init__(batch_size=4)
        self._left = texts

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Rows:
        self._left -= len(texts)
        if self._left < 0:
            raise UnavailableError("the model is tired", hint="wait for it")
        return super().embed(texts, kind=kind)


def _point(name: str) -> list[float]:
    chance = random.Random(blake2b(name.encode()).digest())
    return [chance.gauss(0, 1) for _ in range(DIMENSIONS)]


def word(*numbers: int) -> str:
    """A word of its own for these numbers."""
    return "".join(SYLLABLES[number % 60] + SYLLABLES[number // 60] for number in numbers)


def of_words(number: int) -> str:
    """A text that says the same dozen words again and again; three others say eight of them."""
    chance = random.Random(number)
    own = [word(number, place) for place in range(4)]
    own += [word(number // 4, place) for place in range(4, 12)]
    return " ".join(f"The {' '.join(chance.choices(own, k=6))} of it." for _ in range(8))


def of_meaning(number: int) -> str:
    """A text of which no two sentences share a word; the first half of each is its subject's."""
    words = (word(number, place) for place in range(60))
    return " ".join(f"The {' '.join(next(words) for _ in range(6))} of it." for _ in range(8))


def subject(text: str) -> str:
    """What the words of a text begin with."""
    return next((part[:4].lower() for part in text.split() if len(part) > 6), "")


@pytest.fixture
def storage() -> Iterator[SqliteStorage]:
    found = SqliteStorage.in_memory()
    yield found
    found.close()


def fill(
    storage: SqliteStorage,
    provider: EmbeddingProvider,
    texts: Sequence[str],
    *,
    first: int = 0,
) -> Embedder:
    embedder = Embedder(storage, provider)

    def settings() -> IndexingSettings:
        return IndexingSettings(storage.active_space(), ChunkSettings(), embedder)

    indexer = Indexer(storage, settings, cache_bytes=0)
    for number, text in enumerate(texts, start=first):
        path = f"/docs/{number}.txt"
        document = Document(f"{number:04d}", "file", path, "0", len(text), 0, "indexed")
        indexer.add(document, LoadedText(text, "text", "utf-8"))
    indexer.flush()
    return embedder


def test_a_model_of_chance_is_worth_nothing(storage: SqliteStorage) -> None:
    embedder = fill(storage, Seeing(lambda text: text), [of_words(n) for n in range(FEWEST_CHUNKS)])
    measured = calibrate(storage, embedder)
    assert measured is not None
    assert (measured.questions, measured.chunks) == (2 * ASKED, FEWEST_CHUNKS)
    assert measured.weight < 0.3
    assert embedder.weight == measured.weight


def test_a_model_that_alone_knows_what_belongs_together_is_worth_most(
    storage: SqliteStorage,
) -> None:
    embedder = fill(storage, Seeing(subject), [of_meaning(n) for n in range(FEWEST_CHUNKS)])
    measured = calibrate(storage, embedder)
    assert measured is not None
    assert measured.weight > 0.5
    assert embedder.weight == measured.weight


def test_the_weight_of_a_known_model_is_not_measured(storage: SqliteStorage) -> None:
    provider = Seeing(subject, fusion_weight=0.42)
    embedder = fill(storage, provider, [of_words(n) for n in range(FEWEST_CHUNKS)])
    provider.asked.clear()
    assert calibrate(storage, embedder) is None
    assert (embedder.weight, provider.asked) == (0.42, [])


def test_little_text_measures_nothing(storage: SqliteStorage) -> None:
    embedder = fill(storage, Seeing(subject), [of_words(n) for n in range(FEWEST_CHUNKS - 1)])
    assert calibrate(storage, embedder) is None
    assert embedder.weight == UNMEASURED_WEIGHT


def test_text_without_sentences_to_spare_measures_nothing(storage: SqliteStorage) -> None:
    texts = [f"{word(n)} is {word(n, n)}" for n in range(FEWEST_CHUNKS)]
    texts += [of_words(n) for n in range(FEWEST_ASKED - 1)]
    assert calibrate(storage, fill(storage, Seeing(subject), texts)) is None


def test_an_empty_database_measures_nothing(storage: SqliteStorage) -> None:
    assert calibrate(storage, Embedder(storage, FakeProvider())) is None


@pytest.mark.slow
def test_it_is_measured_again_when_there_is_ten_times_as_much(storage: SqliteStorage) -> None:
    provider = Seeing(subject)
    embedder = fill(storage, provider, [of_words(n) for n in range(FEWEST_CHUNKS)])
    first = calibrate(storage, embedder)
    provider.asked.clear()
    assert first is not None
    assert calibrate(storage, embedder) is None
    assert provider.asked == []
    many = [of_words(n) for n in range(FEWEST_CHUNKS, MEASURED_AGAIN_AT * FEWEST_CHUNKS)]
    fill(storage, provider, many, first=FEWEST_CHUNKS)
    second = calibrate(storage, embedder)
    assert second is not None
    assert second.chunks == MEASURED_AGAIN_AT * FEWEST_CHUNKS


def test_stored_vectors_are_not_made_again(storage: SqliteStorage) -> None:
    provider = Seeing(subject)
    embedder = fill(storage, provider, [of_words(n) for n in range(300)])
    provider.asked.clear()
    provider.calls = 0
    calibrate(storage, embedder)
    assert len(provider.asked) == 3 * ASKED  # two questions, and what is left of the chunk
    assert provider.calls == -(-2 * ASKED // 32) + -(-ASKED // 32)  # as many as a call takes


def test_measuring_leaves_the_database_as_it_was(storage: SqliteStorage) -> None:
    embedder = fill(storage, Seeing(subject), [of_words(n) for n in range(FEWEST_CHUNKS)])
    before = (storage.sequence(), storage.count_chunks(), storage.count_vectors())
    assert calibrate(storage, embedder) is not None
    assert (storage.sequence(), storage.count_chunks(), storage.count_vectors()) == before


def test_another_model_has_a_weight_of_its_own(storage: SqliteStorage) -> None:
    embedder = fill(storage, Seeing(subject), [of_words(n) for n in range(FEWEST_CHUNKS)])
    calibrate(storage, embedder)
    assert Embedder(storage, Seeing(subject, revision="2")).weight == UNMEASURED_WEIGHT


@pytest.mark.slow
def test_the_same_chunks_give_the_same_weight() -> None:
    found = []
    for _ in range(2):
        storage = SqliteStorage.in_memory()
        texts = [of_words(n) for n in range(FEWEST_CHUNKS)]
        found.append(calibrate(storage, fill(storage, FakeProvider(), texts)))
        storage.close()
    assert found[0] == found[1] is not None


ROWS = {
    "words alone": ([[1.0] + [0.0] * 20] * 40, 0.0),
    "meaning alone": ([[0.0] * 20 + [1.0]] * 40, LARGEST),
    "all the same": ([[1.0] * 21] * 40, 0.5),
    "both": ([[0.0] * 8 + [1.0] * 5 + [0.0] * 8] * 40, 0.5),
}


@pytest.mark.parametrize("gains, weight", ROWS.values(), ids=ROWS.keys())
def test_best_weight(gains: list[list[float]], weight: float) -> None:
    assert len(gains[0]) == len(WEIGHTS)
    assert best_weight(gains) == weight


def test_a_sync_measures_and_the_status_says_so(tmp_path: Path, docs: Path) -> None:
    write(docs, {f"{n}.md": of_words(n) for n in range(FEWEST_CHUNKS)})
    with opened(tmp_path, chunking=ChunkingConfig()) as memory:
        dry = sync_files(memory, [docs], dry_run=True)
        assert dry.chunks == FEWEST_CHUNKS
        stats = sync_files(memory, [docs])
        space = memory.storage.active_space()
        assert space is not None
        measured = measured_weight(memory.storage.database, space.embedder)
        model = read_status(memory).model
        assert measured is not None
        assert model is not None
        assert model.measured_weight == measured.weight == embedder_of(memory).weight
        assert (stats.chunks, stats.warnings) == (FEWEST_CHUNKS, [])


def test_a_model_that_cannot_be_reached_is_measured_by_a_later_sync(
    tmp_path: Path, docs: Path
) -> None:
    write(docs, {f"{n}.md": of_words(n) for n in range(FEWEST_CHUNKS)})
    with opened(tmp_path, chunking=ChunkingConfig()) as memory:
        use(memory, Tiring(texts=FEWEST_CHUNKS))
        stats = sync_files(memory, [docs])
        assert stats.chunks == stats.embedded == FEWEST_CHUNKS
        (warning,) = stats.warnings
        assert warning.startswith("what the model's vectors are worth could not be measured: the ")
        assert embedder_of(memory).weight == UNMEASURED_WEIGHT
        use(memory, Tiring(texts=10_000))
        write(docs, {"one more.md": of_words(FEWEST_CHUNKS)})
        assert sync_files(memory).warnings == []
        model = read_status(memory).model
        assert model is not None
        assert model.measured_weight is not None
