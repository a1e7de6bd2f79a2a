"""A candidate index that does everything the slow and obvious way."""

import fnmatch
import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import pytest

from contracts import ChunkRow, KeywordQuery, QueryVector, Scope, Scored
from search import keyword_fields

WEIGHTS = (1.0, 2.0, 0.3, 0.5)
K1, B = 1.2, 0.75


class BruteIndex:
    """Real BM25 over lower-case words, and cosines in plain Python; nothing is cached."""

    def __init__(self) -> None:
        self.rows: dict[int, ChunkRow] = {}
        self.columns: dict[int, tuple[list[str], ...]] = {}
        self.vectors: dict[int, tuple[float, ...]] = {}
        self.rows_read: list[int] = []

    def add(
        self,
        body: str,
        *,
        title: str = "",
        owner: str | None = None,
        source: str = "file",
        path: str | None = None,
        occurred_at: str = "2026-01-01T00:00:00Z",
        vector: Sequence[float] | None = None,
        session: str | None = None,
        defines: tuple[str, ...] = (),
        **metadata: str,
    ) -> int:
        chunk_id = len(self.rows) + 1
        name = path.rpartition("/")[2] if path else ""
        fields = keyword_fields(body, title, name=name)
        columns = (fields.text, fields.title, fields.neighbours, fields.identifiers)
        self.columns[chunk_id] = tuple(words_of(column) for column in columns)
        self.rows[chunk_id] = ChunkRow(
            chunk_id=chunk_id,
            uid=f"uid-{chunk_id}",
            source=source,
            owner_id=owner or f"owner-{chunk_id}",
            text=body,
            heading=title,
            occurred_at=occurred_at,
            recorded_at=occurred_at,
            path=path,
            session_id=session,
            metadata=metadata,
            defines=defines,
        )
        if vector is not None:
            norm = math.hypot(*vector)
            self.vectors[chunk_id] = tuple(value / norm for value in vector)
        return chunk_id

    def count_chunks(self) -> int:
        return len(self.rows)

    def document_frequencies(
        self, words: Iterable[str], *, most: int | None = None
    ) -> dict[str, int]:
        found = {word: len(self._holding(tuple(words_of(word)))) for word in words}
        return {word: min(count, most or count) for word, count in found.items()}

    def words_in(self, chunk_ids: Sequence[int], words: Iterable[str]) -> dict[int, frozenset[str]]:
        phrases = {word: tuple(words_of(word)) for word in words}
        return {
            chunk_id: frozenset(word for word in phrases if self._count(chunk_id, phrases[word]))
            for chunk_id in chunk_ids
        }

    def keyword_candidates(self, query: KeywordQuery, scope: Scope, *, limit: int) -> list[Scored]:
        wanted = [tuple(words_of(word)) for word in (*query.words, *query.stems)]
        wanted += list(query.phrases)
        prefixes = [word.lower() for word in query.prefixes]
        scores: Counter[int] = Counter()
        for phrase in [*wanted, *query.required]:
            self._score(scores, phrase, prefix=None)
        for prefix in prefixes:
            self._score(scores, (), prefix=prefix)
        for chunk_id in list(scores):
            required = all(self._count(chunk_id, phrase) for phrase in query.required)
            any_of = [p for p in wanted if self._count(chunk_id, p)] or [
                p for p in prefixes if self._count(chunk_id, (), prefix=p)
            ]
            banned = any(self._count(chunk_id, phrase) for phrase in query.excluded)
            lacking = (wanted or prefixes) and not any_of
            if not required or banned or lacking or not self._inside(chunk_id, scope):
                del scores[chunk_id]
        return top(scores, limit)

    def vector_candidates(self, vector: QueryVector, scope: Scope, *, limit: int) -> list[Scored]:
        inside = [chunk_id for chunk_id in self.vectors if self._inside(chunk_id, scope)]
        return top(self.cosines(vector, inside), limit)

    def cosines(self, vector: QueryVector, chunk_ids: Sequence[int]) -> dict[int, float]:
        return {
            chunk_id: sum(a * b for a, b in zip(vector, self.vectors[chunk_id], strict=True))
            for chunk_id in chunk_ids
            if chunk_id in self.vectors
        }

    def chunk_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        self.rows_read.extend(chunk_ids)
        return {chunk_id: self.rows[chunk_id] for chunk_id in chunk_ids if chunk_id in self.rows}

    def conversation_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        said = ("turn", "memory")
        return {key: self.rows[key] for key in chunk_ids if self.rows[key].source in said}

    def defining(self, names: Sequence[str], scope: Scope, *, limit: int) -> list[int]:
        lengths: Counter[int] = Counter()
        for chunk_id, row in self.rows.items():
            for own, name in itertools.product(row.defines, names):
                parts = name.lower().split(".")
                tails = [".".join(parts[start:]) for start in range(len(parts))]
                held = [tail for tail in tails if f".{own.lower()}".endswith(f".{tail}")]
                if held and self._inside(chunk_id, scope):
                    lengths[chunk_id] = max(lengths[chunk_id], len(held[0]))
        return sorted(lengths, key=lambda chunk_id: (-lengths[chunk_id], chunk_id))[:limit]

    def embeddings(self, chunk_ids: Sequence[int]) -> dict[int, Sequence[float]]:
        return {key: self.vectors[key] for key in chunk_ids if key in self.vectors}

    def _inside(self, chunk_id: int, scope: Scope) -> bool:
        row = self.rows[chunk_id]
        if scope.sources and row.source not in scope.sources:
            return False
        if not (scope.paths or scope.globs):
            return True
        path = row.path or ""
        return any(path == p or path.startswith(f"{p}/") for p in scope.paths) or any(
            fnmatch.fnmatchcase(path, pattern) for pattern in scope.globs
        )

    def _holding(self, phrase: tuple[str, ...], prefix: str | None = None) -> list[int]:
        return [c for c in self.rows if self._count(c, phrase, prefix=prefix)]

    def _count(self, chunk_id: int, phrase: tuple[str, ...], prefix: str | None = None) -> float:
        """The number of its occurrences, each column by its weight."""
        total = 0.0
        for weight, column in zip(WEIGHTS, self.columns[chunk_id], strict=True):
            if prefix is not None:
                total += weight * sum(word.startswith(prefix) for word in column)
            elif len(phrase) == 1:
                total += weight * column.count(phrase[0].lower())
            elif phrase:
                words = [word.lower() for word in phrase]
                starts = range(len(column) - len(words) + 1)
                total += weight * sum(column[at : at + len(words)] == words for at in starts)
        return total

    def _score(self, scores: Counter[int], phrase: tuple[str, ...], prefix: str | None) -> None:
        holding = self._holding(phrase, prefix)
        count = len(self.rows)
        idf = max(math.log((count - len(holding) + 0.5) / (len(holding) + 0.5)), 1e-6)
        lengths = {c: sum(map(len, columns)) for c, columns in self.columns.items()}
        mean = sum(lengths.values()) / max(count, 1)
        for chunk_id in holding:
            times = self._count(chunk_id, phrase, prefix)
            norm = K1 * (1 - B + B * lengths[chunk_id] / mean)
            scores[chunk_id] += idf * times * (K1 + 1) / (times + norm)  # type: ignore[assignment]


def words_of(text: str) -> list[str]:
    return re.findall(r"(?:[^\W_]|[\ue000-\uf8ff\U000f0000-\U000ffffd])+", text.lower())


def top(scores: dict[int, float], limit: int) -> list[Scored]:
    order = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return [Scored(chunk_id, score) for chunk_id, score in order[:limit]]


@pytest.fixture
def index() -> BruteIndex:
    return BruteIndex()


@pytest.fixture
def new_index() -> Callable[[], BruteIndex]:
    return BruteIndex
