"""Scopes are filters before ranking, in every leg of every backend."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from contracts import KeywordQuery, Scope
from memory.storage import Storage
from memory.storage.sqlite import SqliteStorage
from memory.storage.sqlite.scope import scope_sql
from tests.memory.storage.conftest import ON_POSTGRES, open_backend, opened_world
from tests.memory.storage.oracle import DIMENSIONS, EAST, EVERYTHING, World, new_chunk

ALPHA = KeywordQuery(words=("alpha",))

PATHS = (
    *("/a/b/one.md", "/a/b/deep/er/two.md", "/a/bc/three.md", "/a/b.md", "/a/b"),
    *("/a/B/four.md", "/a/b0/five.py", "/a/b-c/six.md", "/ä/ö/sieben.md", "/ä/öp/acht.md"),
    *("/w/[x]*?/nine.md", "/w/x/ten.md", "/w/100%_/eleven.py", "/😀/zwölf.txt", "/w/x/10.md"),
)
TIMES = tuple(f"2024-0{month}-15T08:30:00.000Z" for month in (1, 2, 3, 4))
TAGS: tuple[tuple[str, ...], ...] = ((), ("red",), ("red", "blue"), ("blue", "ünï", "a b"))

SCOPES = {
    "everything": EVERYTHING,
    "a source": Scope(sources=("turn",)),
    "two sources": Scope(sources=("turn", "text", "nothing")),
    "no such source": Scope(sources=("fil",)),
    "a folder": Scope(paths=("/a/b",)),
    "a folder with a slash": Scope(paths=("/a/b/",)),
    "a file": Scope(paths=("/a/bc/three.md",)),
    "two folders": Scope(paths=("/a/bc", "/ä/ö")),
    "the root": Scope(paths=("/",)),
    "beyond ASCII": Scope(paths=("/ä",)),
    "beyond the basic plane": Scope(paths=("/😀",)),
    "no globs in paths": Scope(paths=("/w/[x]*?", "/w/*", "/w/%", "/w/100%_")),
    "a relative path": Scope(paths=("a/b", "b", "")),
    "half a surrogate pair": Scope(paths=("/a/\ud800",), globs=("*\ud800",), tags=("\udfff",)),
    "a glob": Scope(globs=("*.py",)),
    "a glob across folders": Scope(globs=("/a/*.md",)),
    "a glob for one character": Scope(globs=("/a/b?/*",)),
    "a glob with a class": Scope(globs=("/w/[a-x]/*", "/w/x/[0-9][0-9].md")),
    "a glob with a negated class": Scope(globs=("/a/b/[!d]*.md",)),
    "globs or paths": Scope(paths=("/a/bc",), globs=("*/ten.md",)),
    "a glob too long for SQLite": Scope(globs=("*" + "é" * 30_000,)),
    "a long glob and a short one": Scope(globs=("x" * 60_000, "*.py")),
    "within a folder": Scope(within=("/a/b",)),
    "within two": Scope(within=("/a/b/", "/w/x/ten.md")),
    "a glob within a folder": Scope(globs=("*.md",), within=("/a/b",)),
    "a folder within another": Scope(paths=("/a/b",), within=("/a/b/deep",)),
    "nothing in common": Scope(paths=("/a/b",), within=("/w",)),
    "a session": Scope(session_id="s1"),
    "a speaker": Scope(speaker="Ana"),
    "a role": Scope(speaker="user"),
    "a role in a session": Scope(speaker="user", session_id="s1"),
    "a nameless session": Scope(session_id=""),
    "since": Scope(since=TIMES[2]),
    "until": Scope(until=TIMES[1]),
    "since and until": Scope(since=TIMES[1], until=TIMES[2]),
    "one moment": Scope(since=TIMES[1], until=TIMES[1]),
    "no time": Scope(since=TIMES[2], until=TIMES[1]),
    "a tag": Scope(tags=("red",)),
    "all of several tags": Scope(tags=("blue", "red")),
    "odd tags": Scope(tags=("ünï", "a b")),
    "an unknown tag": Scope(tags=("red", "re")),
    "without a tag": Scope(without_tags=("red",)),
    "without any of several tags": Scope(without_tags=("blue", "ünï")),
    "with one tag and without another": Scope(tags=("red",), without_tags=("blue",)),
    "without an unknown tag": Scope(without_tags=("re", "\udfff")),
    "without a source": Scope(without_sources=("turn",)),
    "without two sources": Scope(without_sources=("text", "file", "nothing")),
    "without any source": Scope(without_sources=("text", "file", "turn")),
    "without an unknown source": Scope(without_sources=("fil", "\udfff")),
    "a session without a source": Scope(session_id="s1", without_sources=("text",)),
    "a source and without it": Scope(sources=("turn",), without_sources=("turn",)),
    "a folder and a source that has none": Scope(paths=("/a",), sources=("turn",)),
    "all at once": Scope(
        sources=("file", "turn"),
        paths=("/a",),
        globs=("*.txt",),
        since=TIMES[0],
        until=TIMES[2],
        tags=("red",),
    ),
    "a session and its times": Scope(session_id="s2", since=TIMES[1], tags=("blue",)),
}


@pytest.fixture(scope="module", params=["storage", "derived"])
def shelves(
    request: pytest.FixtureRequest, shelved: str, new_folder: Callable[[str], Path]
) -> Iterator[World]:
    """Files, texts and turns; some turns have the owner id of a file."""
    storage = open_backend(shelved, new_folder("shelves"), request)
    with opened_world(storage, derived=request.param == "derived") as world:
        fill_shelves(world)
        yield world
    storage.close()


@pytest.fixture(scope="module", params=["file", "memory", ON_POSTGRES])
def shelved(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def fill_shelves(world: World) -> None:
    world.add_space()
    vectors = {}
    for number, path in enumerate(PATHS):
        world.add_file(f"{number}", path)
        for source in ("file", "turn", "text"):
            session = ("s1", "s2", "", None)[number % 4] if source == "turn" else None
            chunk = new_chunk(
                f"alpha {'beta ' * (number % 5)} {source}",
                f"{number}",
                source=source,
                session_id=session,
                occurred_at=TIMES[number % len(TIMES)],
                tags=TAGS[number % 3 + (number % 5 == 0)],
                metadata={"role": "user"} | ({"speaker": "Ana"} if number % 2 else {}),
            )
            for key in world.put(f"{number}", [chunk], source=source).added:
                vectors[key] = [(key * factor) % 13 - 6.5 for factor in range(1, DIMENSIONS + 1)]
    world.put_vectors(vectors)


@pytest.mark.parametrize("scope", SCOPES.values(), ids=SCOPES)
def test_every_leg_answers_from_the_scope_alone(shelves: World, scope: Scope) -> None:
    shelves.check_keyword(ALPHA, scope)
    shelves.check_keyword(KeywordQuery(words=("beta",), excluded=(("turn",),)), scope)
    shelves.check_vector([1.0, -2.0, 3.0, 0.5, 0.0, 1.0, 1.0, -1.0], scope)


def test_most_scopes_of_the_table_hold_something(shelves: World) -> None:
    empty = {name for name, scope in SCOPES.items() if not shelves.answering(scope)}
    assert empty == {
        *("no such source", "a relative path", "half a surrogate pair", "no time"),
        *(
            "nothing in common",
            "a glob too long for SQLite",
            "an unknown tag",
            "without any source",
            "a source and without it",
            "a folder and a source that has none",
        ),
    }


ODD_METADATA = {
    "NUL": {"speaker": "Ana", "note": "a\0b"},
    "NUL in the name": {"speaker": "A\0na"},
    "an escape": {"speaker": "\\u0000 \\\\"},
    "half a surrogate pair": {"speaker": "Ana", "note": "\ud800", "after": "\udfff"},
    "a pair": {"speaker": "Ana 😀"},
    "no number": {"speaker": "Ana", "note": [float("nan"), -float("inf")]},
    "no character": {"speaker": "\ufffe0 \uffff"},
}


@pytest.mark.parametrize("metadata", ODD_METADATA.values(), ids=ODD_METADATA)
def test_a_speaker_is_found_whatever_the_metadata_hold(
    storage: Storage, metadata: dict[str, object]
) -> None:
    said = new_chunk("alpha", "1", source="turn", metadata=metadata)
    (key,) = World(storage).put("1", [said], source="turn").added
    scope = Scope(speaker=str(metadata["speaker"]))
    for index in (storage, storage.without_keywords(storage)):
        assert [hit.chunk_id for hit in index.keyword_candidates(ALPHA, scope, limit=9)] == [key]
        assert index.keyword_candidates(ALPHA, Scope(speaker="Bo"), limit=9) == []


ODD_TAGS = (
    *('"', "\\", '\\"', '", "', ", ", "a\0b", "ab", "\\u0000", "u0000", "\ufffe0", "q", "\uffffq"),
    *("e", "[]", "\n", "😀", "ünï", "\ud800", "", " "),
)


def test_a_tag_is_whole_whatever_it_holds(storage: Storage) -> None:
    world = World(storage)
    world.add_space()
    keys = {
        tag: world.put(f"f{number}", [new_chunk("alpha", f"f{number}", tags=("red", tag))]).added
        for number, tag in enumerate(ODD_TAGS)
    }
    world.put("f", [new_chunk("alpha", "f")])
    world.put_vectors({key: EAST for added in keys.values() for key in added})
    for tag, (key,) in keys.items():
        with_it = Scope(tags=(tag, "red"))
        words = storage.keyword_candidates(ALPHA, with_it, limit=99)
        near = storage.vector_candidates(EAST, with_it, limit=99)
        assert [hit.chunk_id for hit in words] == [hit.chunk_id for hit in near] == [key], tag
        without_it = storage.keyword_candidates(ALPHA, Scope(without_tags=(tag,)), limit=99)
        assert len(without_it) == len(ODD_TAGS), tag
        assert key not in {hit.chunk_id for hit in without_it}, tag


def test_folders_end_at_their_slash(shelves: World) -> None:
    found = shelves.storage.keyword_candidates(ALPHA, Scope(paths=("/a/b",)), limit=99)
    rows = shelves.storage.chunk_rows([hit.chunk_id for hit in found])
    inside = {"/a/b", "/a/b/one.md", "/a/b/deep/er/two.md"}
    assert {row.path for row in rows.values()} == inside


def test_a_narrow_scope_is_never_emptied_by_the_limit(world: World) -> None:
    """The one chunk in scope is the worst of a thousand that match."""
    world.add_space()
    crowd = world.put_texts("1", *(f"alpha {number}" for number in range(1000)), source="turn")
    (last,) = world.put_texts("2", "alpha " + "filler " * 300, source="memory")
    world.put_vectors({**dict.fromkeys(crowd, EAST), last: [-x for x in EAST]})
    scope = Scope(sources=("memory",))
    words = world.storage.keyword_candidates(ALPHA, scope, limit=1)
    near = world.storage.vector_candidates(EAST, scope, limit=1)
    assert [hit.chunk_id for hit in (*words, *near)] == [last, last]


def test_equal_chunks_in_a_scope_are_cut_by_rising_id(world: World) -> None:
    """Owners come in the opposite order of their chunks, and are more than a refined batch."""
    world.add_space()
    keys = []
    for number in range(500):
        owner = f"f{999 - number}"
        world.add_file(owner, f"/docs/{number}.md")
        keys += world.put_texts(owner, "alpha")
    world.put_vectors(dict.fromkeys(keys, EAST))
    scope = Scope(paths=("/docs",))
    words = world.storage.keyword_candidates(ALPHA, scope, limit=5)
    near = world.storage.vector_candidates(EAST, scope, limit=5)
    assert [hit.chunk_id for hit in words] == keys[:5]
    assert [hit.chunk_id for hit in near] == keys[:5]


def test_a_session_is_looked_up() -> None:
    conditions, values = scope_sql(Scope(session_id="s1"))
    sql = f"EXPLAIN QUERY PLAN SELECT c.id FROM chunks AS c WHERE {' AND '.join(conditions)}"
    with closing(SqliteStorage.in_memory()) as storage:
        (step,) = storage.database.read(sql, values)
    assert "USING COVERING INDEX chunks_session" in step[-1]
