"""What a storage backend must answer, worked out the slow and obvious way.

A `World` gives every change to a real backend and to a plain dictionary, and compares the answers
of the backend with sums and loops over that dictionary.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from math import log, sqrt
from operator import mul

import apsw
import pytest

from contracts import CandidateIndex, ChunkRow, KeywordFields, KeywordQuery, Scope, Scored
from memory.retrieval.memory_index import MemoryIndex
from memory.storage import (
    ChunkChanges,
    NewChunk,
    Space,
    SpaceState,
    Storage,
    chunk_uid,
    content_hash,
)
from memory.storage.vectors import stored_vectors

NOW = "2024-06-01T12:00:00.000Z"
GENERATION = "g1"
DIMENSIONS = 8
EAST = [1.0] + [0.0] * (DIMENSIONS - 1)
NORTH = [0.0, 1.0] + [0.0] * (DIMENSIONS - 2)
EVERYTHING = Scope()
ALL = 1_000_000
"""A limit that cuts nothing off."""

K1, B = 1.2, 0.75
COLUMN_WEIGHTS = (1.0, 2.0, 0.3, 0.5)
LEAST_IDF = 1e-6

SPACE = Space(0, "fake", "m", "r1", DIMENSIONS, "fake:m:r1", GENERATION, "{}", "active")

_tokenize = apsw.Connection(":memory:").fts5_tokenizer(
    "porter", ["unicode61", "remove_diacritics", "2", "categories", "L* N* Co Mn Mc"]
)


@lru_cache(maxsize=20_000)
def tokens_of(text: str) -> Sequence[str]:
    """The words of a text as the index holds them."""
    reason = apsw.FTS5_TOKENIZE_DOCUMENT
    found: list[str] = _tokenize(
        text.encode("utf-8", "replace"),
        reason,
        None,
        include_offsets=False,
        include_colocated=False,
    )
    return found


def lies_below(path: str | None, folder: str) -> bool:
    """Whether a path is that folder or file, or lies in it."""
    start = folder.rstrip("/")
    return bool(folder) and path is not None and (path == start or path.startswith(f"{start}/"))


def new_chunk(text: str, owner_id: str = "f1", *, n: int = 0, **given: object) -> NewChunk:
    """A chunk of that text; the `n`-th equal one of its owner."""
    source = str(given.pop("source", "file"))
    fields = given.pop("fields", KeywordFields(text))
    assert isinstance(fields, KeywordFields)
    content = content_hash(text)
    chunk = NewChunk(
        uid=chunk_uid(source, owner_id, content, n),
        text=text,
        hash=content,
        fields=fields,
        occurred_at=NOW,
        recorded_at=NOW,
    )
    return chunk._replace(**given)  # type: ignore[arg-type]


def add_file(storage: Storage, owner_id: str, path: str, *, metadata: str = "{}") -> None:
    """A row of `files`, as the store of documents would write it."""
    with storage.database.transaction() as tx:
        tx.run(
            "INSERT INTO files (id, path, hash, size, mtime, mtime_ns, state, metadata, "
            "created_at, updated_at) "
            "VALUES (:id, :path, 'h', 1, :now, 1, 'indexed', :metadata, :now, :now)",
            {"id": owner_id, "path": path, "now": NOW, "metadata": metadata},
        )


@dataclass
class Stored:
    """One chunk of the dictionary."""

    chunk: NewChunk
    source: str
    owner_id: str
    generation: str
    fields: KeywordFields
    vector: Sequence[float] | None = None
    is_indexed: bool = True

    @property
    def columns(self) -> list[Sequence[str]]:
        entry = self.fields
        texts = (entry.text, entry.title, entry.neighbours, entry.identifiers)
        return [tokens_of(text) for text in texts]


@dataclass(frozen=True)
class Term:
    """A word, a prefix or a phrase of a query, as tokens."""

    tokens: tuple[str, ...]
    is_prefix: bool = False

    @classmethod
    def some(cls, phrases: Iterable[Sequence[str]], *, is_prefix: bool = False) -> list["Term"]:
        """The terms of those phrases in which there is a word at all."""
        terms = [cls(tuple(tokens_of(" ".join(words))), is_prefix) for words in phrases]
        return [term for term in terms if any(term.tokens)]

    def stands_at(self, tokens: Sequence[str], start: int) -> bool:
        run = tokens[start : start + len(self.tokens)]
        if len(run) < len(self.tokens) or tuple(run[:-1]) != self.tokens[:-1]:
            return False
        last, wanted = run[-1], self.tokens[-1]
        return last.startswith(wanted) if self.is_prefix else last == wanted

    def weight_in(self, row: Stored) -> float:
        """Its weighted number of places in a chunk."""
        if len(self.tokens) == 1 and not self.is_prefix:
            counts = (tokens.count(self.tokens[0]) for tokens in row.columns)
            return sum(map(mul, COLUMN_WEIGHTS, counts))
        return sum(
            weight
            for weight, tokens in zip(COLUMN_WEIGHTS, row.columns, strict=True)
            for start in range(len(tokens))
            if self.stands_at(tokens, start)
        )


@dataclass
class World:
    """A backend and the dictionary that it is compared with."""

    storage: Storage
    rows: dict[int, Stored] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)
    space: Space | None = None
    divided: bool = False
    derived: MemoryIndex | None = None
    """What is asked in the backend's stead, and has to answer as it does."""

    @property
    def asked(self) -> CandidateIndex:
        return self.derived or self.storage

    def add_file(self, owner_id: str, path: str) -> None:
        add_file(self.storage, owner_id, path)
        self.paths[owner_id] = path

    def add_space(self, space: Space = SPACE) -> Space:
        with self.storage.database.transaction() as tx:
            made = self.storage.create_space(tx, space)
        if made.state == "active":
            self.space = made
        return made

    def put(
        self,
        owner_id: str,
        chunks: Sequence[NewChunk],
        *,
        source: str = "file",
        generation: str = GENERATION,
    ) -> ChunkChanges:
        """Replace an owner's chunks on both sides."""
        with self.storage.database.transaction() as tx:
            changes = self.storage.replace_chunks(
                tx, source, owner_id, generation=generation, chunks=chunks
            )
        old = {
            key: row
            for key, row in self.rows.items()
            if (row.source, row.owner_id, row.generation) == (source, owner_id, generation)
        }
        wanted = {chunk.uid: chunk for chunk in chunks}
        for key, row in old.items():
            if row.chunk.uid in wanted:
                moved = wanted.pop(row.chunk.uid)
                row.chunk = moved._replace(recorded_at=row.chunk.recorded_at)
            else:
                del self.rows[key]
        new = list(wanted.values())
        assert list(changes.added.values()) == [chunk.hash for chunk in new]
        assert (changes.kept, changes.removed) == (
            len(chunks) - len(new),
            len(old) - len(chunks) + len(new),
        )
        for key, chunk in zip(changes.added, new, strict=True):
            assert key not in old
            stored = Stored(chunk, source, owner_id, generation, chunk.fields)
            stored.is_indexed = self.is_answering(stored)
            self.rows[key] = stored
        return changes

    def put_texts(self, owner_id: str, *texts: str, source: str = "file") -> list[int]:
        """Replace an owner's chunks by these texts; the ids of the new ones."""
        seen: Counter[str] = Counter()
        chunks = []
        for text in texts:
            chunks.append(new_chunk(text, owner_id, n=seen[text], source=source))
            seen[text] += 1
        return list(self.put(owner_id, chunks, source=source).added)

    def put_vectors(self, vectors: Mapping[int, Sequence[float]]) -> None:
        assert self.space is not None
        coded = stored_vectors([list(vector) for vector in vectors.values()])
        rows = {key: row for key, row in zip(vectors, coded, strict=True) if row is not None}
        with self.storage.database.transaction() as tx:
            self.storage.put_vectors(tx, self.space, rows)
        for key in rows:
            if key in self.rows:
                self.rows[key].vector = vectors[key]

    def rewrite(self, fields: Mapping[int, KeywordFields]) -> None:
        with self.storage.database.transaction() as tx:
            self.storage.rewrite_keywords(tx, fields)
        for key, entry in fields.items():
            if key in self.rows:
                self.rows[key].fields = entry

    def add_keywords(self, space: Space, keys: Iterable[int]) -> None:
        """Give chunks of another generation than the active one their keyword entries."""
        fields = {key: self.rows[key].fields for key in keys}
        with self.storage.database.transaction() as tx:
            self.storage.spaces().add_keywords(tx, space, fields)
        for key in fields:
            self.rows[key].is_indexed = True

    def remove_keywords(self, *states: SpaceState, after: int, limit: int) -> list[int]:
        """Remove keyword entries that no search needs; their ids."""
        with self.storage.database.transaction() as tx:
            ids = self.storage.spaces().remove_keywords(tx, states, after=after, limit=limit)
            self.storage.spaces().forget_keywords(tx, states)
        for key in ids:
            self.rows[key].is_indexed = False
        return ids

    def remove(self, owner_id: str, *, source: str = "file") -> None:
        with self.storage.database.transaction() as tx:
            count = self.storage.remove_owner(tx, source, owner_id)
        gone = [
            key
            for key, row in self.rows.items()
            if (row.source, row.owner_id) == (source, owner_id)
        ]
        assert count == len(gone)
        for key in gone:
            del self.rows[key]

    def is_answering(self, row: Stored) -> bool:
        """Whether it belongs to the active generation."""
        return not self.divided or self.space is None or row.generation == self.space.generation

    def in_scope(self, row: Stored, scope: Scope) -> bool:
        path = self.paths.get(row.owner_id) if row.source == "file" else None
        return (
            (not scope.sources or row.source in scope.sources)
            and (
                not (scope.paths or scope.globs)
                or any(lies_below(path, folder) for folder in scope.paths)
                or any(path is not None and fnmatchcase(path, glob) for glob in scope.globs)
            )
            and (not scope.within or any(lies_below(path, folder) for folder in scope.within))
            and (scope.session_id is None or row.chunk.session_id == scope.session_id)
            and (scope.speaker is None or _said_by(row) == scope.speaker)
            and (scope.since is None or row.chunk.occurred_at >= scope.since)
            and (scope.until is None or row.chunk.occurred_at <= scope.until)
            and set(scope.tags) <= set(row.chunk.tags)
            and not set(scope.without_tags) & set(row.chunk.tags)
            and row.source not in scope.without_sources
        )

    def answering(self, scope: Scope) -> dict[int, Stored]:
        return {
            key: row
            for key, row in self.rows.items()
            if self.is_answering(row) and self.in_scope(row, scope)
        }

    def bm25(self, query: KeywordQuery, scope: Scope = EVERYTHING) -> dict[int, float]:
        """The score of every chunk that answers; the statistics are those of all entries."""
        any_of = Term.some((word,) for word in (*query.words, *query.stems))
        any_of += Term.some(((prefix,) for prefix in query.prefixes), is_prefix=True)
        any_of += Term.some(query.phrases)
        all_of, none_of = Term.some(query.required), Term.some(query.excluded)
        if not any_of and not all_of:
            return {}
        terms = any_of + all_of
        rows = {key: row for key, row in self.rows.items() if row.is_indexed}
        lengths = {key: sum(map(len, row.columns)) for key, row in rows.items()}
        weights = [{key: term.weight_in(row) for key, row in rows.items()} for term in terms]
        mean_length = sum(lengths.values()) / max(1, len(lengths))
        scores = {}
        for key, row in self.answering(scope).items():
            if (
                (any_of and not any(term.weight_in(row) for term in any_of))
                or not all(term.weight_in(row) for term in all_of)
                or any(term.weight_in(row) for term in none_of)
            ):
                continue
            scores[key] = 0.0
            for in_chunk in weights:
                hits = sum(1 for weight in in_chunk.values() if weight)
                idf = log((len(rows) - hits + 0.5) / (hits + 0.5))
                frequency = in_chunk[key]
                length = 1 - B + B * lengths[key] / mean_length
                saturated = frequency * (K1 + 1) / (frequency + K1 * length)
                scores[key] += (idf if idf > 0 else LEAST_IDF) * saturated
        return scores

    def cosines(self, query: Sequence[float], scope: Scope = EVERYTHING) -> dict[int, float]:
        def length(vector: Sequence[float]) -> float:
            return sqrt(sum(x * x for x in vector))

        return {
            key: sum(a * b for a, b in zip(query, row.vector, strict=True))
            / (length(query) * length(row.vector))
            for key, row in self.answering(scope).items()
            if row.vector is not None
        }

    def check_keyword(self, query: KeywordQuery, scope: Scope = EVERYTHING) -> dict[int, float]:
        """Compare the keyword leg at several limits; the scores of the whole answer."""
        expected = self.bm25(query, scope)
        for limit in (ALL, 3, 1, 0):
            found = self.asked.keyword_candidates(query, scope, limit=limit)
            assert found == self.storage.keyword_candidates(query, scope, limit=limit)
            assert_ranked(found, expected, limit=limit, rel=1e-9)
        return expected

    def check_vector(self, query: Sequence[float], scope: Scope = EVERYTHING) -> dict[int, float]:
        """Compare the vector leg at several limits; float16 keeps three digits."""
        expected = self.cosines(query, scope)
        for limit in (ALL, 3, 1, 0):
            found = self.asked.vector_candidates(unit(query), scope, limit=limit)
            assert_ranked(found, expected, limit=limit, rel=0, tolerance=1e-3)
        return expected

    def check_rows(self) -> None:
        """Compare every stored chunk, the counts, and that nothing derived is left over."""
        found = self.storage.chunk_rows([*self.rows, 0, -1, 10**9, 2**63, 2**70])
        assert found == {key: self.chunk_row(key) for key in self.rows}
        answering = [row for row in self.rows.values() if self.is_answering(row)]
        assert self.storage.count_chunks() == len(answering)

    def chunk_row(self, key: int) -> ChunkRow:
        row = self.rows[key]
        chunk = row.chunk
        return ChunkRow(
            chunk_id=key,
            uid=chunk.uid,
            source=row.source,
            owner_id=row.owner_id,
            text=chunk.text,
            heading=chunk.heading,
            occurred_at=chunk.occurred_at,
            recorded_at=chunk.recorded_at,
            path=self.paths.get(row.owner_id) if row.source == "file" else None,
            start_char=chunk.start_char,
            end_char=chunk.end_char,
            start_line=chunk.start_line,
            end_line=chunk.end_line,
            session_id=chunk.session_id,
            tags=chunk.tags,
            metadata=dict(chunk.metadata or {}),
            body_offset=chunk.body_offset,
        )


def _said_by(row: Stored) -> str | None:
    about = row.chunk.metadata or {}
    said_by = about.get("speaker") or about.get("role")
    return str(said_by) if row.source == "turn" and said_by else None


def unit(vector: Sequence[float]) -> list[float]:
    length = sqrt(sum(x * x for x in vector))
    return [x / length for x in vector]


def assert_ranked(
    found: Sequence[Scored],
    expected: Mapping[int, float],
    *,
    limit: int,
    rel: float,
    tolerance: float = 0,
) -> None:
    """The right scores of the best `limit`, falling, and ties by rising id."""
    assert found == sorted(found, key=lambda hit: (-hit.score, hit.chunk_id))
    assert [hit.score for hit in found] == pytest.approx(
        sorted(expected.values(), reverse=True)[:limit], rel=rel, abs=tolerance
    )
    scores = {hit.chunk_id: hit.score for hit in found}
    assert len(scores) == len(found)
    assert scores == pytest.approx({key: expected[key] for key in scores}, rel=rel, abs=tolerance)
