"""Words found by LIKE, on every backend, against loops over the texts."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from contracts import KeywordQuery, Scope, Scored
from memory.storage import Storage
from tests.memory.storage.conftest import ON_POSTGRES, open_backend
from tests.memory.storage.oracle import EAST, GENERATION, World, new_chunk

TEXTS = (
    "The cats were running through the café",
    "A cat runs; a dog ran",
    "100% of it, snake_case and back\\slash",
    "1000 of it, snakeXcase",
    "ÉTÉ à Paris",
    "dog cat bird",
    "",
)
QUERIES = {
    "one word": KeywordQuery(words=("cat",)),
    "capitals": KeywordQuery(words=("CAT", "Dog")),
    "several": KeywordQuery(words=("dog", "bird", "cat")),
    "a word twice": KeywordQuery(words=("cat", "cat")),
    "prefixes and stems": KeywordQuery(prefixes=("ca",), stems=("runs",)),
    "percent": KeywordQuery(words=("100%",)),
    "underscore": KeywordQuery(words=("snake_case",)),
    "backslash": KeywordQuery(words=("back\\slash",)),
    "beyond ASCII": KeywordQuery(words=("été",)),
    "phrase": KeywordQuery(phrases=(("dog", "cat"),)),
    "required": KeywordQuery(words=("bird", "ran"), required=(("dog",), ("cat",))),
    "required alone": KeywordQuery(required=(("a", "cat"),)),
    "excluded": KeywordQuery(words=("cat",), excluded=(("bird",), ("were", "running"))),
    "unknown": KeywordQuery(words=("zebra",)),
    "nothing": KeywordQuery(),
    "empty words": KeywordQuery(words=("",)),
    "half a surrogate pair": KeywordQuery(words=("cat\ud800", "dog")),
    "very long": KeywordQuery(words=("%" * 1_000_000, "cat"), required=(("\\" * 9_999,),)),
}


def stands(phrase: tuple[str, ...], text: str) -> bool:
    wanted = " ".join(filter(None, phrase))[:4_000].lower()
    return bool(wanted) and wanted in text.lower()


def naive(query: KeywordQuery, texts: dict[int, str]) -> list[Scored]:
    asked = [(word,) for word in (*query.words, *query.stems, *query.prefixes)]
    asked += list(query.phrases)
    found = []
    for key, text in texts.items():
        score = sum(stands(phrase, text) for phrase in asked) if any(map(any, asked)) else 1
        needed = all(stands(phrase, text) for phrase in query.required)
        banned = any(stands(phrase, text) for phrase in query.excluded)
        if score and needed and not banned and query:
            found.append(Scored(key, score))
    return sorted(found, key=lambda item: (-item.score, item.chunk_id))


@pytest.fixture(params=["file", "memory", ON_POSTGRES])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    with closing(open_backend(request.param, tmp_path, request)) as opened:
        yield opened


@pytest.fixture
def texts(storage: Storage) -> World:
    world = World(storage)
    world.put("f1", [new_chunk(text, n=number) for number, text in enumerate(TEXTS)])
    return world


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_chunks_are_ranked_by_how_many_words_they_hold(texts: World, query: KeywordQuery) -> None:
    index = texts.storage.without_keywords(texts.storage)
    expected = naive(query, {key: row.chunk.text for key, row in texts.rows.items()})
    expected = [] if query == QUERIES["empty words"] else expected
    assert index.keyword_candidates(query, Scope(), limit=100) == expected
    assert index.keyword_candidates(query, Scope(), limit=1) == expected[:1]


def test_a_scope_narrows_and_headings_and_speakers_count(storage: Storage) -> None:
    world = World(storage)
    heading = new_chunk("nothing", heading="Boats > Sails")
    (in_file,) = world.put("f1", [heading]).added
    said = new_chunk("nothing", "1", source="turn", metadata={"speaker": "Ana"}, session_id="s")
    (in_turn,) = world.put("1", [said], source="turn").added
    index = storage.without_keywords(storage)

    def found(word: str, scope: Scope) -> list[int]:
        query = KeywordQuery(words=(word, "nothing"))
        return [hit.chunk_id for hit in index.keyword_candidates(query, scope, limit=9)]

    assert found("sails", Scope()) == [in_file, in_turn]
    assert found("ana", Scope()) == [in_turn, in_file]
    assert found("ana", Scope(sources=("file",))) == [in_file]
    assert found("ana", Scope(session_id="s")) == [in_turn]


def test_words_are_counted_and_found(texts: World) -> None:
    index = texts.storage.without_keywords(texts.storage)
    words = ["cat", "zebra", "100%"]
    assert index.document_frequencies(words) == {"cat": 3, "zebra": 0, "100%": 1}
    assert index.document_frequencies(words, most=2) == {"cat": 2, "zebra": 0, "100%": 1}
    first = min(texts.rows)
    assert index.words_in([first], ["CATS", "dog"]) == {first: frozenset(["CATS"])}


def test_only_the_active_generation_answers(storage: Storage) -> None:
    world = World(storage)
    (here,) = world.put_texts("f1", "cat")
    world.add_space()
    world.put_vectors({here: EAST})
    assert world.space is not None
    other = world.space._replace(generation=f"{GENERATION}-2", state="filling")
    with storage.database.transaction() as tx:
        storage.create_space(tx, other)
        storage.replace_chunks(
            tx, "file", "f1", generation=other.generation, chunks=[new_chunk("cat", n=1)]
        )
    index = storage.without_keywords(storage)
    query = KeywordQuery(words=("cat",))
    assert index.keyword_candidates(query, Scope(), limit=9) == [Scored(here, 1)]
    assert index.document_frequencies(["cat"]) == {"cat": 1}
    assert index.cosines(EAST, [here]) == storage.cosines(EAST, [here])
    assert index.vector_candidates(EAST, Scope(), limit=1) == [Scored(here, pytest.approx(1))]
    assert index.chunk_rows([here]) == storage.chunk_rows([here])
    assert index.embeddings([here]) == storage.embeddings([here])
    assert index.conversation_rows([here]) == {}
    assert index.count_chunks() == storage.count_chunks()
