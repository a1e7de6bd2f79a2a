"""The contract of a storage backend: chunks, keyword entries, vectors, spaces, change log."""

import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from contracts import InputError, KeywordFields, KeywordQuery, Scope, StorageError
from memory.storage import CodeBatch, Space, Storage, StoredVector, content_hash
from memory.storage.portable.vector_steps import joined
from memory.storage.sqlite.vectors import CODES_AT_ONCE
from memory.storage.vectors import STEPS, code_scale, stored_vectors
from search import analyse, keyword_fields
from search.identifiers.identifier_search import COMMON_COUNT, find_identifier_matches
from tests.memory.storage.engine_errors import CONSTRAINT_ERRORS, PROGRAM_ERRORS
from tests.memory.storage.oracle import (
    DIMENSIONS,
    EAST,
    EVERYTHING,
    GENERATION,
    NORTH,
    NOW,
    SPACE,
    World,
    add_file,
    new_chunk,
    unit,
)


def coded(*vectors: list[float]) -> list[StoredVector]:
    return [row for row in stored_vectors(vectors) if row is not None]


# Chunks and their owners


def test_replacing_keeps_rows_and_vectors_of_equal_chunks(world: World) -> None:
    world.add_file("f1", "/notes/a.md")
    world.add_space()
    a, b, c = world.put_texts("f1", "alpha one", "beta two", "gamma three")
    world.put_vectors({a: EAST, b: NORTH, c: [1.0] * DIMENSIONS})
    later = "2025-01-01T00:00:00.000Z"
    moved = new_chunk("gamma three")._replace(
        gap="\n\n",
        start_char=5,
        end_char=16,
        start_line=3,
        end_line=3,
        occurred_at=later,
        recorded_at=later,
        tags=("x", "ü"),
        metadata={"k": [1, None, "😀"]},
    )
    changes = world.put("f1", [moved, new_chunk("delta four"), new_chunk("alpha one")])
    assert (changes.kept, changes.removed) == (2, 1)
    world.check_rows()
    row = world.storage.chunk_rows([c])[c]
    assert (row.start_char, row.end_char, row.start_line, row.occurred_at) == (5, 16, 3, later)
    assert row.recorded_at == NOW
    assert world.check_vector([1.0] * DIMENSIONS).keys() == {a, c}
    world.check_keyword(KeywordQuery(words=("alpha", "beta", "gamma", "delta")))
    rows = world.storage.database.read(
        "SELECT ordinal, gap FROM chunks WHERE owner_id = 'f1' ORDER BY ordinal"
    )
    assert rows == [(0, "\n\n"), (1, ""), (2, "")]


def test_an_unchanged_owner_is_not_written_again(world: World) -> None:
    chunks = [new_chunk("alpha"), new_chunk("alpha", n=1)]
    world.put("f1", chunks)
    before = world.storage.sequence()
    assert world.put("f1", chunks).kept == 2
    assert world.storage.sequence() == before


def test_ids_are_never_used_again(world: World) -> None:
    first = world.put_texts("f1", "alpha", "beta")
    world.remove("f1")
    assert min(world.put_texts("f1", "alpha", "beta")) > max(first)


def test_removing_an_owner_leaves_nothing_of_it(world: World) -> None:
    world.add_space()
    gone = world.put_texts("7", "alpha beta", source="turn")
    stays = world.put_texts("7", "alpha gamma", source="memory")
    world.put("7", [new_chunk("alpha delta", "7", source="turn")], source="turn", generation="g2")
    world.put_vectors({gone[0]: EAST, stays[0]: NORTH})
    world.remove("7", source="turn")
    world.remove("nobody")
    world.check_rows()
    assert world.check_keyword(KeywordQuery(words=("alpha",))).keys() == set(stays)
    assert world.check_vector(EAST).keys() == set(stays)
    assert world.storage.document_frequencies(["beta", "alpha"]) == {"beta": 0, "alpha": 1}
    assert world.storage.cosines(EAST, gone) == {}


def test_rows_show_what_a_hit_needs_of_the_owner(storage: Storage) -> None:
    add_file(storage, "f1", "/notes/é.md", metadata='{"author": "Zoë"}')
    with storage.database.transaction() as tx:
        storage.replace_chunks(
            tx, "file", "f1", generation=GENERATION, chunks=[new_chunk("from a file")]
        )
        storage.replace_chunks(
            tx,
            "turn",
            "f1",
            generation=GENERATION,
            chunks=[
                new_chunk(
                    "nul \0 and \r\n\tkept",
                    source="turn",
                    session_id="s1",
                    metadata={"turn_id": 4},
                    heading="h",
                    body_offset=3,
                )
            ],
        )
    of_file, of_turn = storage.chunk_rows([1, 2, 2]).values()
    assert (of_file.path, of_file.metadata) == ("/notes/é.md", {"author": "Zoë"})
    assert (of_turn.path, of_turn.metadata, of_turn.session_id) == (None, {"turn_id": 4}, "s1")
    assert (of_turn.text, of_turn.heading, of_turn.body_offset) == (
        "nul \0 and \r\n\tkept",
        "h",
        3,
    )
    assert storage.chunk_rows([]) == {}


def test_text_that_utf8_cannot_hold_is_refused_and_nothing_written(storage: Storage) -> None:
    chunks = [new_chunk("fine"), new_chunk("half \ud800 pair")]
    with (
        pytest.raises(InputError, match="surrogates not allowed at character 5"),
        storage.database.transaction() as tx,
    ):
        storage.replace_chunks(tx, "file", "f1", generation=GENERATION, chunks=chunks)
    assert storage.count_chunks() == 0
    assert storage.keyword_candidates(KeywordQuery(words=("fine",)), EVERYTHING, limit=9) == []


# Vectors and spaces


def test_cosines_are_exact_to_half_precision(world: World) -> None:
    random = Random(3)
    world.add_space()
    ids = world.put_texts("f1", *(f"text {number}" for number in range(50)))
    vectors = {key: [random.gauss(0, 1) for _ in range(DIMENSIONS)] for key in ids[:40]}
    world.put_vectors(vectors)
    world.put_vectors({ids[0]: [0.0] * DIMENSIONS, ids[1]: [float("nan")] * DIMENSIONS})
    query = [random.gauss(0, 1) for _ in range(DIMENSIONS)]
    expected = world.check_vector(query)
    assert expected.keys() == vectors.keys()
    asked = [*ids, ids[0], 0, 10**9, 2**70]
    assert world.storage.cosines(unit(query), asked) == pytest.approx(expected, abs=1e-3)
    assert world.storage.cosines(unit(query), []) == {}


def test_embeddings_are_those_that_were_stored(world: World) -> None:
    assert world.storage.embeddings([1]) == {}
    world.add_space()
    a, b, bare = world.put_texts("t1", "alpha", "beta", "gamma")
    world.put_vectors({a: EAST, b: [3.0] * DIMENSIONS})
    found = world.storage.embeddings([b, a, bare, 99])
    assert found.keys() == {a, b}
    assert list(found[a]) == pytest.approx(EAST, abs=1e-3)
    assert list(found[b]) == pytest.approx(unit([3.0] * DIMENSIONS), abs=1e-3)
    assert world.storage.embeddings([]) == {}


def add_turns(world: World, *places: tuple[str, str]) -> None:
    """Rows of `turns`, as their store would write them: sessions and times."""
    with world.storage.database.transaction() as tx:
        for session, ts in places:
            values = {"session": session, "ts": ts, "digest": b""}
            tx.run("INSERT INTO sessions VALUES (:session, 1, '') ON CONFLICT DO NOTHING", values)
            tx.run(
                "INSERT INTO turns (session_id, ts, role, text, digest, recorded_at) "
                "VALUES (:session, :ts, 'user', '', :digest, '')",
                values,
            )


def test_neighbours_of_a_turn_are_those_of_its_session(world: World) -> None:
    add_turns(world, ("a", "3"), ("a", "1"), ("b", "2"), ("a", "2"), ("a", "2"))
    texts = {"1": ["third"], "2": ["first"], "3": ["elsewhere"], "4": ["second", "its end"]}
    texts["5"] = ["another of that time"]
    ids = {
        text: key
        for owner, of_owner in texts.items()
        for text, key in zip(
            of_owner, world.put_texts(owner, *of_owner, source="turn"), strict=True
        )
    }
    (file,) = world.put_texts("4", "a file of that name")

    def beside(text: str, count: int) -> tuple[list[str], list[str]]:
        found = world.storage.neighbours([ids[text], file], count=count)[ids[text]]
        return [row.text for row in found.before], [row.text for row in found.after]

    assert beside("second", 1) == (["first"], ["its end"])
    assert beside("its end", 2) == (["first", "second"], ["another of that time", "third"])
    assert beside("third", 9) == (["first", "second", "its end", "another of that time"], [])
    found = world.storage.neighbours([ids["elsewhere"], file], count=3)
    assert found == {}


def test_rows_of_conversations_are_those_of_turns_and_memories(world: World) -> None:
    (file,) = world.put_texts("f1", "alpha")
    (turn,) = world.put("1", [new_chunk("beta", "1", source="turn")], source="turn").added
    (memory,) = world.put("1", [new_chunk("beta", "1", source="memory")], source="memory").added
    every = [memory, turn, file, 99]
    assert world.storage.conversation_rows(every) == {}  # nobody has said anything yet
    add_turns(world, ("s", "t"))
    said = {key: world.chunk_row(key) for key in (turn, memory)}
    assert world.storage.conversation_rows(every) == said
    assert world.storage.conversation_rows([]) == {}


def test_neighbours_are_of_the_same_record_and_generation(world: World) -> None:
    world.add_file("f1", "/notes/a.md")
    a, b, c, d = world.put_texts("f1", "alpha", "beta", "gamma", "delta")
    (alone,) = world.put_texts("f2", "alpha")
    found = world.storage.neighbours([c, a, alone, 99], count=2)
    assert found.keys() == {a, c}
    ids = {
        key: ([row.chunk_id for row in beside.before], [row.chunk_id for row in beside.after])
        for key, beside in found.items()
    }
    assert ids == {a: ([], [b, c]), c: ([a, b], [d])}
    assert found[c].after[0] == world.storage.chunk_rows([d])[d]
    with world.storage.database.transaction() as tx:
        world.storage.replace_chunks(
            tx, "file", "f1", generation="another", chunks=[new_chunk("epsilon")]
        )
    assert world.storage.neighbours([a], count=1)[a].after[0].chunk_id == b
    assert len(world.storage.neighbours([a], count=9)[a].after) == 3


def test_cosines_stay_within_one(world: World) -> None:
    world.add_space()
    (key,) = world.put_texts("f1", "alpha")
    for vector in ([1.0] * DIMENSIONS, [0.3, -0.7] * (DIMENSIONS // 2)):
        world.put_vectors({key: vector})
        assert -1 <= world.storage.cosines(unit([-x for x in vector]), [key])[key] < -0.999
        assert 1 >= world.storage.cosines(unit(vector), [key])[key] > 0.999


def test_the_nearest_of_many_are_found(world: World) -> None:
    random = Random(11)
    world.add_space()
    ids = world.put_texts("f1", *(f"text {number}" for number in range(1500)))
    world.put_vectors({key: [random.gauss(0, 1) for _ in range(DIMENSIONS)] for key in ids})
    for _ in range(5):
        query = [random.gauss(0, 1) for _ in range(DIMENSIONS)]
        exact = world.cosines(query)
        best = sorted(exact.values(), reverse=True)[:20]
        found = world.storage.vector_candidates(unit(query), EVERYTHING, limit=20)
        assert [hit.score for hit in found] == pytest.approx(best, abs=1e-3)
    assert len(world.storage.vector_candidates(unit(query), EVERYTHING, limit=700)) == 700


def test_the_last_of_many_are_the_nearest_as_well(world: World) -> None:
    """Though their codes are not the nearest codes."""
    random = Random(12)
    world.add_space()
    ids = world.put_texts("f1", *(f"text {number}" for number in range(1000)))
    world.put_vectors({key: [random.gauss(0, 1) for _ in range(DIMENSIONS)] for key in ids})
    for _ in range(5):
        query = unit([random.gauss(0, 1) for _ in range(DIMENSIONS)])
        exact = sorted(world.storage.cosines(query, ids).items(), key=lambda kv: (-kv[1], kv[0]))
        found = world.storage.vector_candidates(query, EVERYTHING, limit=400)
        assert [(hit.chunk_id, hit.score) for hit in found] == exact[:400]


def test_vectors_too_near_for_int8_are_told_apart(world: World) -> None:
    """They differ by less than the steps of the int8 rows, and by more than those of float16."""
    random = Random(2)
    world.add_space()
    ids = world.put_texts("f1", *(f"text {number}" for number in range(150)))
    world.put_vectors({key: [random.gauss(1, 0.004) for _ in range(DIMENSIONS)] for key in ids})
    for _ in range(10):
        query = unit([random.gauss(0, 1) for _ in range(DIMENSIONS)])
        (found,) = world.storage.vector_candidates(query, EVERYTHING, limit=1)
        assert found.score == max(world.storage.cosines(query, ids).values())


def test_without_a_space_there_are_no_vector_candidates(world: World) -> None:
    world.put_texts("f1", "alpha")
    assert world.storage.active_space() is None
    assert world.storage.vector_candidates(EAST, EVERYTHING, limit=5) == []
    assert world.storage.cosines(EAST, [1]) == {}


def test_vectors_are_replaced_and_gone_chunks_passed_over(world: World) -> None:
    world.add_space()
    first, second = world.put_texts("f1", "alpha", "beta")
    world.put_vectors({first: EAST, second: EAST})
    before = world.storage.sequence()
    world.put_vectors({second: NORTH, 10**9: EAST})
    assert world.storage.sequence() == before + 1
    assert world.check_vector(EAST) == {first: 1.0, second: 0.0}


def test_vectors_of_two_spaces_never_meet(world: World) -> None:
    active = world.add_space()
    filling = world.add_space(SPACE._replace(embedder="other:m:r1", dimensions=2, state="filling"))
    assert world.storage.active_space() == active
    first, second = world.put_texts("f1", "alpha", "beta")
    world.put_vectors({first: EAST})
    with world.storage.database.transaction() as tx:
        world.storage.put_vectors(tx, filling, {second: coded([1.0, 0.0])[0]})
    assert world.check_vector(EAST).keys() == {first}
    assert world.storage.chunks_without_vector(active, after=0, limit=9) == [second]
    assert world.storage.chunks_without_vector(filling, after=0, limit=9) == [first]


def test_only_one_space_is_active(world: World) -> None:
    world.add_space()
    other = SPACE._replace(embedder="other")
    with pytest.raises(CONSTRAINT_ERRORS, match=r"(?s)spaces.*state"):
        world.add_space(other)
    world.add_space(other._replace(state="retired"))
    world.add_space(other._replace(state="retired", generation="g2"))
    with pytest.raises(CONSTRAINT_ERRORS, match=r"(?s)spaces.*embedder.*generation"):
        world.add_space(other._replace(state="filling"))


def test_nobody_goes_by_the_change_log_across_a_swap(world: World) -> None:
    world.add_space()
    world.put_texts("f1", "alpha")
    other = world.add_space(SPACE._replace(embedder="other", state="filling"))
    before, revision = world.storage.sequence(), world.storage.revision()
    for space in (other, SPACE._replace(id=1)):
        with world.storage.database.transaction() as tx:
            world.storage.spaces().activate(tx, space)
    assert world.storage.changed_since(before) is None
    assert world.storage.revision() != revision
    since = world.storage.sequence()
    assert world.storage.changed_since(since) == frozenset()
    (added,) = world.put_texts("f2", "beta")
    assert world.storage.changed_since(since) == {added}


def test_chunks_without_vector_come_in_pages(world: World) -> None:
    space = world.add_space()
    ids = world.put_texts("f1", *(f"text {number}" for number in range(9)))
    world.put("f2", [new_chunk("other chunker", "f2")], generation="g2")
    world.put_vectors({ids[2]: EAST, ids[4]: EAST})
    without = world.storage.chunks_without_vector
    left = [key for key in ids if key not in (ids[2], ids[4])]
    assert without(space, after=0, limit=4) == left[:4]
    assert without(space, after=left[3], limit=99) == left[4:]
    assert without(space, after=0, limit=0) == []


def test_known_vectors_come_from_live_chunks_and_the_cache(world: World) -> None:
    space = world.add_space()
    (live,) = world.put_texts("f1", "alpha")
    world.put_vectors({live: EAST})
    hashes = [content_hash(text) for text in ("alpha", "beta", "gamma")]
    row = coded([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, -0.8])[0]
    with world.storage.database.transaction() as tx:
        for _ in range(2):
            world.storage.cache.put(
                tx, space, {hashes[1]: row.v}, kind="document", most_bytes=10_000
            )
    known = {hashes[0]: coded(EAST)[0], hashes[1]: row}
    assert world.storage.known_vectors(space, hashes) == known
    assert world.storage.known_vectors(space, []) == {}
    elsewhere = world.add_space(SPACE._replace(embedder="other", state="filling"))
    assert world.storage.known_vectors(elsewhere, hashes) == {}


def test_another_chunker_knows_the_vectors_of_the_same_model(world: World) -> None:
    world.add_space()
    (live,) = world.put_texts("f1", "alpha")
    world.put_vectors({live: EAST})
    rechunked = world.add_space(SPACE._replace(generation="g2", state="filling"))
    content = content_hash("alpha")
    assert world.storage.known_vectors(rechunked, [content]) == {content: coded(EAST)[0]}


def test_counts_by_source_and_of_vectors(world: World) -> None:
    assert world.storage.chunks_by_source() == {}
    assert world.storage.count_vectors() == 0
    world.add_space()
    first, _ = world.put_texts("1", "alpha", "beta", source="turn")
    world.put_texts("1", "gamma", source="file")
    world.put_vectors({first: EAST})
    assert world.storage.chunks_by_source() == {"turn": 2, "file": 1}
    assert world.storage.count_vectors() == 1


# Generations


def test_a_name_stands_out_as_ever_while_a_rechunking_is_built(world: World) -> None:
    """Its chunks of the other generation make it no more common."""
    world.add_space()
    texts = [f"otter number {n} has the key otter_key_7" for n in range(COMMON_COUNT)]
    chunks = [new_chunk(text, fields=keyword_fields(text)) for text in texts]
    world.put("f1", chunks)
    asked = analyse("which badger eats the fish of otter_key_7")
    before = find_identifier_matches(world.asked, asked, EVERYTHING, found=(), n_chunks=len(texts))
    assert len(before.matches) == len(texts)
    world.add_space(SPACE._replace(generation="g2", state="filling"))
    world.put("f1", chunks, generation="g2")
    assert (
        find_identifier_matches(world.asked, asked, EVERYTHING, found=(), n_chunks=len(texts))
        == before
    )


def test_while_a_rechunking_is_built_only_the_active_generation_answers(world: World) -> None:
    world.add_space()
    world.put_texts("f1", "alpha beta", "alpha gamma", "delta")
    both = KeywordQuery(words=("alpha",))
    assert len(world.check_keyword(both)) == 2
    world.add_space(SPACE._replace(generation="g2", state="filling"))
    world.divided = True
    world.put("f1", [new_chunk("alpha beta alpha gamma")], generation="g2")
    assert len(world.check_keyword(both)) == 2
    world.check_keyword(both, Scope(sources=("file",)))
    assert len(world.check_keyword(KeywordQuery(required=(("gamma",),)))) == 1
    world.check_rows()
    assert world.storage.count_chunks() == 3
    assert world.storage.chunks_by_source() == {"file": 3}


@dataclass
class _Sides:
    """The space that answers and the one that is to, of two generations."""

    world: World
    active: Space
    other: Space

    def swap(self) -> None:
        """Let the other one answer as a reindex does, and look at every step between."""
        spaces = self.world.storage.spaces()
        with self.world.storage.database.transaction() as tx:
            self.other = spaces.fill(tx, self.other)
        after = 0
        while ids := spaces.chunks_without_keywords(self.other, after=after, limit=3):
            after = ids[-1]
            self.world.add_keywords(self.other, ids)
            self.check(self.active)
            # It is being made, and not left over.
            assert not spaces.has_keywords_beside(["retired"])
            assert self.world.remove_keywords("retired", after=0, limit=9) == []
        assert spaces.chunks_without_keywords(self.other, after=0, limit=9) == []
        with self.world.storage.database.transaction() as tx:
            spaces.activate(tx, self.other)
        self.active, self.other = self.other, self.active
        self.world.space = self.active
        self.check(self.active)
        while spaces.has_keywords_beside(["retired"]):
            removed = self.world.remove_keywords("retired", after=0, limit=2)
            assert len(removed) <= 2
            self.check(self.active)
        assert all(
            row.is_indexed == self.world.is_answering(row) for row in self.world.rows.values()
        )

    def check(self, active: Space) -> None:
        """The active generation answers, and all that has an entry counts in how rare a word is."""
        rows = self.world.rows.values()
        own = [row for row in rows if row.generation == active.generation]
        self.world.check_keyword(KeywordQuery(words=("alpha", "gamma")))
        self.world.check_keyword(KeywordQuery(words=("beta",)), Scope(sources=("file",)))
        assert self.world.storage.count_chunks() == len(own)
        assert self.world.storage.chunks_by_source() == {"file": len(own)}


def test_keyword_entries_change_hands_step_by_step(world: World) -> None:
    active = world.add_space()
    world.put_texts("f1", "alpha beta", "alpha gamma", "delta")
    other = world.add_space(SPACE._replace(generation="g2", state="filling"))
    world.divided = True
    texts = ("beta gamma", "gamma gamma", "delta", "epsilon")
    world.put("f1", [new_chunk(f"alpha {text}") for text in texts], generation="g2")
    sides = _Sides(world, active, other)
    sides.check(active)
    for _ in range(3):
        sides.swap()
    world.put("f1", [new_chunk("alpha zeta")], generation="g2")
    world.rewrite({key: KeywordFields("alpha beta") for key in world.rows if key % 2})
    sides.check(sides.active)
    world.check_rows()


def test_entries_of_what_is_dropped_are_nobody_s(world: World) -> None:
    """A space that was given up when it had its first keyword entries leaves none."""
    world.add_space()
    other = world.add_space(SPACE._replace(generation="g2", state="filling"))
    world.divided = True
    world.put("f1", [new_chunk("alpha")], generation="g2")
    world.put_texts("f2", "alpha beta")
    spaces = world.storage.spaces()
    world.add_keywords(other, spaces.chunks_without_keywords(other, after=0, limit=9))
    assert spaces.has_keywords_beside(["filling"])
    with world.storage.database.transaction() as tx:
        assert spaces.remove_chunks(tx, other, limit=9) == 1
        spaces.drop(tx, other)
    world.rows = {key: row for key, row in world.rows.items() if row.generation != "g2"}
    assert not spaces.has_keywords_beside(["filling", "retired"])
    assert len(world.check_keyword(KeywordQuery(words=("alpha",)))) == 1
    world.check_rows()


# The change log


def test_every_change_raises_the_sequence(world: World) -> None:
    storage = world.storage
    world.add_space()
    seen = [storage.sequence()]

    def note() -> None:
        seen.append(storage.sequence())

    first, second = world.put_texts("f1", "alpha", "beta")
    note()
    world.put_vectors({first: EAST, second: EAST})
    note()
    world.put_vectors({first: NORTH})
    note()
    world.put_texts("f1", "beta", "alpha")
    note()
    world.rewrite({first: KeywordFields("gamma")})
    note()
    world.put_texts("f1", "beta")
    note()
    world.remove("f1")
    note()
    assert seen[0] == 0
    assert all(later > earlier for earlier, later in pairwise(seen))


def test_trimming_the_change_log_keeps_the_newest(world: World) -> None:
    storage = world.storage
    ids = world.put_texts("f1", *(f"text {number}" for number in range(10)))
    last = storage.sequence()
    with storage.database.transaction() as tx:
        storage.trim_changes(tx, keep=3)
    rows = storage.database.read("SELECT seq, chunk_id FROM changes ORDER BY seq")
    assert rows == [(last - 2, ids[7]), (last - 1, ids[8]), (last, ids[9])]
    with storage.database.transaction() as tx:
        storage.trim_changes(tx, keep=0)
        storage.trim_changes(tx, keep=5)
    assert storage.database.read("SELECT * FROM changes") == []
    assert storage.sequence() == last
    world.remove("f1")
    assert storage.sequence() == last + 10


def test_the_chunks_that_changed_since(world: World) -> None:
    storage = world.storage
    world.add_space()
    assert storage.changed_since(0) == frozenset()
    first, second, third = world.put_texts("f1", "alpha", "beta", "gamma")
    before = storage.sequence()
    world.put_vectors({second: EAST})
    assert storage.changed_since(0) == {first, second, third}
    assert storage.changed_since(before) == {second}
    between = storage.sequence()
    world.remove("f1")
    assert storage.changed_since(between) == {first, second, third}
    last = storage.sequence()
    assert storage.changed_since(last) == frozenset()
    with storage.database.transaction() as tx:
        storage.trim_changes(tx, keep=2)
    assert storage.changed_since(last - 2) == {second, third}
    assert storage.changed_since(last - 3) is None
    with storage.database.transaction() as tx:
        storage.trim_changes(tx, keep=0)
    assert storage.changed_since(last) == frozenset()
    assert storage.changed_since(last - 1) is None


def test_codes_come_in_batches(world: World) -> None:
    storage, space = world.storage, world.add_space()
    ids = world.put_texts("f1", *(f"text {number}" for number in range(CODES_AT_ONCE + 3)))
    assert list(storage.codes(space)) == []
    chance = Random(4)
    vectors = {key: [chance.gauss() for _ in range(DIMENSIONS)] for key in ids[1:]}
    vectors[ids[1]] = [1.0, *[0.0] * (DIMENSIONS - 1)]  # too large for a code
    world.put_vectors(vectors)
    expected = dict(zip(vectors, coded(*vectors.values()), strict=True))

    def read(batches: Iterable[CodeBatch]) -> dict[int, StoredVector]:
        found: dict[int, StoredVector] = {}
        for ids, q, rests, large in batches:
            blocks = (np.frombuffer(part, np.int8).reshape(len(ids), -1) for part in (q, rests))
            beyond = {place: large[key] for place, key in enumerate(ids) if key in large}
            rows = joined(*blocks, beyond) / (STEPS * code_scale(DIMENSIONS))
            halves = [row.tobytes() for row in rows.astype("<f2")]
            codes = [q[place : place + DIMENSIONS] for place in range(0, len(q), DIMENSIONS)]
            found |= dict(zip(ids, map(StoredVector, codes, halves), strict=True))
        return found

    assert [len(batch.ids) for batch in storage.codes(space)] == [CODES_AT_ONCE, 2]
    assert read(storage.codes(space)) == expected
    some = {ids[0], *chance.sample(ids[1:], 50), -5}
    wanted = {key: row for key, row in expected.items() if key in some}
    assert read(storage.codes(space, some)) == wanted
    assert list(storage.codes(space, [])) == []
    assert list(storage.codes(space, [ids[0]])) == []


# The database beneath


def test_a_failed_transaction_leaves_no_trace(world: World) -> None:
    world.add_space()
    ids = world.put_texts("f1", "alpha")
    before = world.storage.sequence()

    def fail_late() -> None:
        with world.storage.database.transaction() as tx:
            world.storage.remove_owner(tx, "file", "f1")
            chunks = [new_chunk("beta", "f2")]
            world.storage.replace_chunks(tx, "file", "f2", generation=GENERATION, chunks=chunks)
            world.storage.create_space(tx, SPACE._replace(embedder="other", state="filling"))
            assert world.storage.count_chunks() == 1
            raise KeyError("late")

    with pytest.raises(KeyError, match="late"):
        fail_late()
    assert world.storage.sequence() == before
    world.check_rows()
    assert world.check_keyword(KeywordQuery(words=("alpha", "beta"))).keys() == set(ids)
    world.add_space(SPACE._replace(embedder="other", state="filling"))


def test_transactions_do_not_nest(storage: Storage) -> None:
    with storage.database.transaction() as tx:
        tx.run("INSERT INTO meta VALUES ('a', '1')")
        with (
            pytest.raises(PROGRAM_ERRORS, match="within a transaction"),
            storage.database.transaction(),
        ):
            pass
    assert storage.database.read("SELECT key FROM meta") == [("a",)]


def test_threads_read_while_one_writes(storage: Storage) -> None:
    """Every reader sees both halves of a transaction or neither."""
    finished = threading.Event()

    def write() -> None:
        for number in range(60):
            with storage.database.transaction() as tx:
                for owner_id in ("left", "right"):
                    chunk = new_chunk(f"alpha n{number}", owner_id)
                    storage.replace_chunks(
                        tx, "file", owner_id, generation=GENERATION, chunks=[chunk]
                    )
        finished.set()

    def read() -> set[int]:
        seen = set()
        while not finished.is_set():
            query = KeywordQuery(words=("alpha",))
            seen.add(len(storage.keyword_candidates(query, EVERYTHING, limit=9)))
            seen.add(storage.count_chunks())
        return seen

    with ThreadPoolExecutor(9) as pool:
        readers = [pool.submit(read) for _ in range(8)]
        pool.submit(write).result()
        seen = set().union(*(reader.result() for reader in readers))
    assert seen <= {0, 2}
    assert storage.count_chunks() == 2


def test_a_closed_backend_says_so(storage: Storage) -> None:
    storage.close()
    storage.close()
    with pytest.raises(StorageError, match="has been closed"):
        storage.count_chunks()


def test_its_size_grows_with_what_it_holds(world: World) -> None:
    before = world.storage.size_bytes()
    world.put_texts("f1", " ".join(map(str, range(50_000))))
    assert world.storage.size_bytes() > before + 250_000


# Definitions


def test_chunks_are_found_by_the_definitions_that_begin_in_them(world: World) -> None:
    storage = world.storage
    for owner, path in (("f1", "/a/one.py"), ("f2", "/a/two.py")):
        world.add_file(owner, path)
    (one, two, _) = world.put(
        "f1",
        [
            new_chunk("a", defines=("A", "A.send")),
            new_chunk("b", defines=("B.Inner.send", "SEND_ALL")),
            new_chunk("c"),
        ],
    ).added
    (three,) = world.put("f2", [new_chunk("d", "f2", defines=("send", "Ünder.x_y"))]).added
    defining = storage.defining
    assert defining(["A.send"], EVERYTHING, limit=9) == [one, two, three]
    assert defining(["inner.SEND"], EVERYTHING, limit=9) == [two, one, three]
    assert defining(["pkg.mod.B.Inner.send"], EVERYTHING, limit=1) == [two]
    assert defining(["x_y", "A"], EVERYTHING, limit=9) == [three, one]
    assert defining(["xzy", "end", "", "%", "B", "Inner.", "d"], EVERYTHING, limit=9) == []
    assert defining(["send"], Scope(paths=("/a/two.py",)), limit=9) == [three]
    rows = storage.chunk_rows([one, three])
    assert [row.defines for row in rows.values()] == [("A", "A.send"), ("send", "Ünder.x_y")]
    with storage.database.transaction() as tx:
        storage.name_definitions(tx, {one: ("New",), two: ()})
    assert defining(["send"], EVERYTHING, limit=9) == [three]
    assert defining(["new"], EVERYTHING, limit=9) == [one]
    with storage.database.transaction() as tx:
        storage.remove_owner(tx, "file", "f1")
    assert defining(["new", "send"], EVERYTHING, limit=9) == [three]
