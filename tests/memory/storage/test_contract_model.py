"""Any order of operations leaves every backend equal to a plain dictionary."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from contracts import KeywordFields, KeywordQuery, Scope
from memory.storage import NewChunk
from memory.storage.sqlite import SqliteStorage
from tests.examples import examples
from tests.memory.storage.oracle import DIMENSIONS, World, new_chunk

OWNERS = st.sampled_from(["1", "2", "ä"])
SOURCES = st.sampled_from(["file", "turn"])
WORDS = st.sampled_from(
    [
        *("alpha", "beta", "Alphas", "running", "run", "café", "cafe\u0301", "foo_bar", "東京"),
        *("x", "", "!", "😀", "\0", "\u0301", '"', "a\0b"),
    ]
)
PHRASES = st.lists(WORDS, max_size=2).map(tuple)
TEXTS = st.lists(WORDS, max_size=6).map(" ".join)
FIELDS = st.builds(KeywordFields, TEXTS, TEXTS, TEXTS, TEXTS)
TIMES = st.sampled_from([f"2024-0{month}-01T00:00:00.000Z" for month in (1, 2, 3)])
TAGS = st.lists(st.sampled_from(["red", "ünï"]), unique=True).map(tuple)
SMALL = st.integers(-3, 3).map(float)
VECTORS = st.lists(SMALL, min_size=DIMENSIONS, max_size=DIMENSIONS).filter(any)
QUERIES = st.builds(
    KeywordQuery,
    words=st.lists(WORDS, max_size=3).map(tuple),
    prefixes=st.lists(WORDS, max_size=2).map(tuple),
    stems=st.lists(WORDS, max_size=2).map(tuple),
    phrases=st.lists(PHRASES, max_size=2).map(tuple),
    required=st.lists(PHRASES, max_size=2).map(tuple),
    excluded=st.lists(PHRASES, max_size=2).map(tuple),
)
SCOPES = st.builds(
    Scope,
    sources=st.sampled_from([(), ("file",), ("turn", "file")]),
    paths=st.sampled_from([(), ("/docs",), ("/docs/1.md", "/other")]),
    globs=st.sampled_from([(), ("*.md",), ("/*/ä.*",)]),
    since=st.none() | TIMES,
    until=st.none() | TIMES,
    tags=TAGS,
    without_tags=TAGS,
)


@st.composite
def chunk_lists(draw: st.DrawFn) -> list[NewChunk]:
    """Chunks of an owner that is not known yet, equal texts among them."""
    seen: list[str] = []
    chunks = []
    for text in draw(st.lists(TEXTS, max_size=5)):
        chunk = new_chunk(
            text,
            n=seen.count(text),
            fields=draw(st.just(KeywordFields(text)) | FIELDS),
            occurred_at=draw(TIMES),
            tags=draw(TAGS),
            start_line=draw(st.integers(1, 3)),
        )
        chunks.append(chunk)
        seen.append(text)
    return chunks


def owned(chunks: Sequence[NewChunk], source: str, owner_id: str) -> list[NewChunk]:
    return [chunk._replace(uid=f"{source} {owner_id} {chunk.uid}") for chunk in chunks]


class Backend(RuleBasedStateMachine):
    """Operations on a database in memory; `FileBackend` runs the same on one in a file."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World(self.open())

    def open(self) -> SqliteStorage:
        return SqliteStorage.in_memory()

    def teardown(self) -> None:
        self.world.storage.close()

    @initialize()
    def begin(self) -> None:
        self.world.add_space()
        for owner_id in ("1", "2", "ä"):
            self.world.add_file(owner_id, f"/{'docs' if owner_id != '2' else 'more'}/{owner_id}.md")

    @rule(source=SOURCES, owner_id=OWNERS, chunks=chunk_lists())
    def replace_chunks(self, source: str, owner_id: str, chunks: list[NewChunk]) -> None:
        self.world.put(owner_id, owned(chunks, source, owner_id), source=source)

    @rule(source=SOURCES, owner_id=OWNERS)
    def remove(self, source: str, owner_id: str) -> None:
        self.world.remove(owner_id, source=source)

    @rule(data=st.data())
    def put_vectors(self, data: st.DataObject) -> None:
        keys = st.sampled_from([*self.world.rows, 10**9])
        self.world.put_vectors(data.draw(st.dictionaries(keys, VECTORS, max_size=4)))

    @rule(data=st.data())
    def rewrite(self, data: st.DataObject) -> None:
        keys = st.sampled_from([*self.world.rows, 10**9])
        self.world.rewrite(data.draw(st.dictionaries(keys, FIELDS, max_size=3)))

    @rule(query=QUERIES, scope=st.just(Scope()) | SCOPES)
    def search_words(self, query: KeywordQuery, scope: Scope) -> None:
        self.world.check_keyword(query, scope)

    @rule(query=VECTORS, scope=st.just(Scope()) | SCOPES)
    def search_vectors(self, query: list[float], scope: Scope) -> None:
        self.world.check_vector(query, scope)

    @invariant()
    def rows_are_equal(self) -> None:
        self.world.check_rows()


class FileBackend(Backend):
    """The same on a file, which is closed and opened again in between."""

    def open(self) -> SqliteStorage:
        self.folder = TemporaryDirectory()
        return SqliteStorage.open(Path(self.folder.name) / "memory.db", create=True)

    @rule()
    def reopen(self) -> None:
        self.world.storage.close()
        path = Path(self.folder.name) / "memory.db"
        self.world.storage = SqliteStorage.open(path, create=False)

    def teardown(self) -> None:
        super().teardown()
        self.folder.cleanup()


TestBackend = Backend.TestCase
TestFileBackend = FileBackend.TestCase
TestBackend.settings = settings(max_examples=examples(30), stateful_step_count=20, deadline=None)
TestFileBackend.settings = TestBackend.settings
