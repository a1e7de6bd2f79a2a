"""The neighbours of a turn are the same no matter who makes its keyword entry."""

from contracts import KeywordFields
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.index.documents import stored_fields
from memory.index.keyword_entries.renewal import renew_keywords
from memory.index.neighbours import MOST_WORDS, neighbours_text
from memory.storage.meta import KEYWORDS, write_meta
from memory.workspace import Workspace
from tests.memory.engines import keyword_places


def talk(workspace: Workspace) -> None:
    long = " ".join(f"Sentence {number} of a long story." for number in range(200))
    texts = ("Ann: I like tea", "Ann: and cake", long, "I live in Oslo", "Ann: fine")
    process_turns(workspace, [NewTurn("s1", text) for text in texts])
    process_turns(workspace, [NewTurn("s1", "an earlier word", ts="2024-01-01")])


def test_entries_made_anew_are_those_that_were_written(memory: Workspace) -> None:
    talk(memory)
    before = keyword_places(memory)
    ids = [row[0] for row in memory.storage.database.read("SELECT id FROM chunks ORDER BY id")]
    assert any(item.neighbours for item in stored_fields(memory.storage, ids).values())
    with memory.storage.database.transaction() as tx:
        memory.storage.rewrite_keywords(tx, dict.fromkeys(ids, KeywordFields("nothing")))
        write_meta(tx, KEYWORDS, 0)
    assert keyword_places(memory) != before
    renew_keywords(memory.storage)
    assert keyword_places(memory) == before


def test_the_nearest_words_are_taken_first_and_never_too_many() -> None:
    near, far = "near " * 50, "far " * 50
    beside = neighbours_text("three words here", [far, near]).split()
    assert beside.count("near") == 50
    assert beside.count("far") == MOST_WORDS - 3 - 50
    assert beside == ["far"] * 27 + ["near"] * 50
    assert neighbours_text("word " * MOST_WORDS, [near]) == ""
    assert neighbours_text("短い", ["長" * 2000]) == "長" * (79 * 12)
