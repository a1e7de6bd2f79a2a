"""The proof of a forgetting: it finds what is left in any part, and nothing where nothing is."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from contracts import KeywordFields
from memory.conversations.memories.editing import remember
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.operations.forget.removal import forget
from memory.operations.forget.selection import choose, made_of_nothing_else
from memory.operations.forget.traces import Traces, traces_of
from memory.operations.forget.values import ForgetRequest
from memory.operations.forget.verification import verify
from memory.storage import Storage, Transaction
from memory.workspace import Workspace
from tests.memory.databases import opened
from tests.memory.engines import residue

BEFORE, AFTER = "I live in Bergen by the harbour", "The harbour was full of boats"
SAID = "I like quixotic windmills and tea"
WANTED = ForgetRequest(turn_ids=(2,))


def traces(workspace: Workspace) -> Traces:
    chosen = choose(workspace, WANTED)
    return traces_of(workspace, chosen.joined(made_of_nothing_else(workspace, chosen)))


def entry(storage: Storage, tx: Transaction, left: Traces) -> None:
    sql = "INSERT INTO chunks_fts (rowid, text) VALUES (:id, 'quixotic')"
    tx.run(sql, {"id": left.chunk_ids[0]})


def neighbours(storage: Storage, tx: Transaction, left: Traces) -> None:
    ((key,),) = tx.run("SELECT id FROM chunks WHERE owner_id = '3' AND source = 'turn'")
    storage.rewrite_keywords(tx, {key: KeywordFields(AFTER, neighbours=SAID)})


def cached(storage: Storage, tx: Transaction, left: Traces) -> None:
    sql = """INSERT INTO embedding_cache
        (hash, embedder, kind, provider, model, embedding, created_at, used_at)
        VALUES (:hash, 'e', 'document', 'p', 'm', :v, 't', 't')"""
    tx.run(sql, {"hash": left.hashes[0], "v": b"\0"})


def refused(storage: Storage, tx: Transaction, left: Traces) -> None:
    sql = "INSERT INTO refused_texts VALUES (:hash, 'e', 'r', 't')"
    tx.run(sql, {"hash": left.hashes[0]})


def note(storage: Storage, tx: Transaction, left: Traces) -> None:
    tx.run("INSERT INTO meta VALUES ('x', :said)", {"said": f'"what {SAID}"'})


def reason(storage: Storage, tx: Transaction, left: Traces) -> None:
    sql = "INSERT INTO tallies (name, number, reason) VALUES ('x', 1, 'the word quixotic')"
    tx.run(sql, {})


def escaped(storage: Storage, tx: Transaction, left: Traces) -> None:
    sql = "INSERT INTO tallies (name, number, reason) VALUES ('x', 1, :reason)"
    tx.run(sql, {"reason": json.dumps(["Ärgernis"])})


def number(storage: Storage, tx: Transaction, left: Traces) -> None:
    tx.run("INSERT INTO tallies (name, number, reason) VALUES ('x', 1, '[pin:4711]')")


def session(storage: Storage, tx: Transaction, left: Traces) -> None:
    tx.run("INSERT INTO sessions VALUES ('s2', 1, 't')")


@pytest.mark.parametrize(
    "said, leave, check",
    [
        pytest.param(
            *(SAID, entry, "keywords"),
            marks=pytest.mark.sqlite_only(reason="makes an entry of a chunk that is not there"),
            id="entry",
        ),
        (SAID, neighbours, "keywords"),
        (SAID, cached, "cache"),
        (SAID, refused, "cache"),
        (SAID, note, "records"),
        (SAID, session, "records"),
        (SAID, reason, "bytes"),
        ("Ärgernis", escaped, "bytes"),
        ("pin:4711", number, "bytes"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_is_left_is_found(
    tmp_path: Path, said: str, leave: Callable[[Storage, Transaction, Traces], None], check: str
) -> None:
    with opened(tmp_path) as workspace:
        process_turns(workspace, [NewTurn("s1", BEFORE), NewTurn("s2", said), NewTurn("s1", AFTER)])
        left = traces(workspace)
        assert forget(workspace, WANTED, proven=True).ok
        with workspace.storage.database.transaction() as tx:
            leave(workspace.storage, tx, left)
        assert [found.name for found in verify(workspace, left) if not found.ok] == [check]


@pytest.mark.parametrize(
    "said",
    [
        "All candidates were forgotten",
        "Great capacity for embedding and fusion",
        "Ärger in the São Paulo metro",
        "我住在东京",
        "हिन्दी में बात करते हैं",
        "assistant extractor user rules",
        "a-b getUserById snake_case_name",
        "my pin is 4711",
        "ok",
    ],
)
def test_what_others_say_or_the_program_itself_is_nothing_left(tmp_path: Path, said: str) -> None:
    others = ["b", "I like Ärger in 住在东京, and ab to get a user हिन्दी", "no. 4711"]
    with opened(tmp_path) as workspace:
        process_turns(workspace, [NewTurn("s1", text) for text in (BEFORE, said, *others)])
        report = forget(workspace, WANTED, proven=True)
        assert [found for found in report.checks if not found.ok] == []


def test_a_memory_that_gave_way_may_hold_the_words_still(tmp_path: Path) -> None:
    """It has no chunk, so that the keyword index does not tell of it."""
    with opened(tmp_path) as workspace:
        remember(workspace, "User lives in Ålesund")
        process_turns(
            workspace, [NewTurn("s1", text) for text in ("Hm", "Ålesund!", "I live in Oslo")]
        )
        report = forget(workspace, WANTED, proven=True)
        assert [found for found in report.checks if not found.ok] == []
        assert residue(workspace, "Ålesund") != {}
