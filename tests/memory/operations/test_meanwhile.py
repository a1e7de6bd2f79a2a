"""Records that another thread changes or removes while one is read or written."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from contracts import BusyError, NotFoundError
from memory.conversations.memories import editing
from memory.conversations.memories.editing import (
    MemoryChange,
    confirm_memory,
    edit_memory,
    remember,
)
from memory.conversations.memories.store import MemoryStore
from memory.conversations.outcomes import outcomes_of
from memory.conversations.turns.store import TurnStore
from memory.files.ingestion import ingest_text, sync_files
from memory.index import numbered_records
from memory.index.document_store import DocumentStore
from memory.index.record_hooks import hooks_of
from memory.index.spaces.listing import read_spaces
from memory.index.spaces.upgrade_state import BETTER, filled
from memory.operations.doctor import checkup
from memory.operations.forget.traces import Traces
from memory.operations.forget.verification import verify
from memory.operations.manage import get_record, list_records, show, update_record
from memory.records import writing
from memory.records.distillation.running import distil
from memory.records.facts import NewFact, list_facts, write_fact
from memory.records.open_loops import list_open_loops
from memory.records.people import NewPerson, get_person, list_people, merge_people, write_person
from memory.storage import Space
from memory.workspace import Workspace
from tests.memory.conversations.memories.conversing import actions, said, told
from tests.memory.databases import write
from tests.memory.episodes.facts import HOME, WORK, learn, tell, triples
from tests.memory.records.distillation.conversation import BEGUN, DONE, PROMISE, say

Meanwhile = Callable[[Any, str, Callable[[], object]], None]


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """Has another thread do something once, after the first call of a function."""

    def arrange(owner: Any, name: str, action: Callable[[], object]) -> None:
        function, waiting = getattr(owner, name), [action]

        def then(*given: Any, **named: Any) -> Any:
            found = function(*given, **named)
            if waiting:
                with ThreadPoolExecutor(1) as elsewhere:
                    elsewhere.submit(waiting.pop()).result()
            return found

        monkeypatch.setattr(owner, name, then)

    return arrange


def remover(memory: Workspace, kind: str, record_id: str = "1") -> Callable[[], None]:
    """Removes a record, of its kind the first unless it is named."""

    def remove() -> None:
        with memory.storage.database.transaction() as tx:
            hooks_of(memory, kind).remove(tx, [record_id])

    return remove


def described_spaces(memory: Workspace, _active: Space) -> object:
    return read_spaces(memory)


def proof(memory: Workspace, _active: Space) -> object:
    (vectors,) = [
        one for one in verify(memory, Traces((), (1,), *[()] * 6)) if one.name == "vectors"
    ]
    return vectors


@pytest.mark.parametrize(
    "read",
    [
        lambda memory: list_records(memory, source="triple").records[0],
        lambda memory: get_record(memory, "triple:1"),
    ],
    ids=["page", "one"],
)
def test_a_fact_whose_memories_go(
    memory: Workspace, meanwhile: Meanwhile, read: Callable[[Workspace], Any]
) -> None:
    tell(memory, HOME, WORK)
    learn(memory)
    before = read(memory)
    meanwhile(type(hooks_of(memory, "triple")), "rows", remover(memory, "memory"))
    meanwhile(type(hooks_of(memory, "triple")), "row", remover(memory, "memory"))
    assert read(memory) == before
    assert 1 not in {triple.id for triple in triples(memory)}


def test_a_file_that_is_cut_again(memory: Workspace, docs: Any, meanwhile: Meanwhile) -> None:
    path = docs / "long.md"
    write(docs, {"long.md": "first\nsecond\nthird\n"})
    sync_files(memory, [docs])

    def cut() -> None:
        path.write_text("other\n")
        sync_files(memory, [docs])

    meanwhile(DocumentStore, "at_path", cut)
    shown: Any = show(memory, f"{path}:3")
    assert (shown.text, shown.stale) == ("third", True)


@pytest.mark.parametrize(
    "metadata", [{"title": "Keys"}, {"timestamp": "2026-03-04T12:00:00Z"}], ids=["title", "time"]
)
def test_a_text_that_is_forgotten_while_it_is_changed(
    memory: Workspace, meanwhile: Meanwhile, metadata: dict[str, str]
) -> None:
    text_id = ingest_text(memory, "The spare key hangs behind the boiler.").id
    meanwhile(DocumentStore, "get", remover(memory, "text", text_id))
    with pytest.raises(NotFoundError, match=text_id):
        hooks_of(memory, "text").update(text_id, metadata=metadata, tags=None)
    assert list_records(memory).records == []


def test_a_memory_that_goes_while_it_is_indexed(memory: Workspace, meanwhile: Meanwhile) -> None:
    for text in ("User likes tea", "User likes figs"):
        remember(memory, text)
    meanwhile(numbered_records, "record_vectors", remover(memory, "memory"))
    hooks: Any = hooks_of(memory, "memory")
    hooks.index([1, 2])
    assert [record.id for record in list_records(memory, source="memory").records] == ["memory:2"]
    assert checkup(memory).healthy


def test_a_record_that_is_forgotten_while_it_is_changed(
    memory: Workspace, meanwhile: Meanwhile
) -> None:
    write_person(memory, NewPerson(name="Ida"))
    meanwhile(writing, "record_vectors", remover(memory, "person"))
    with pytest.raises(NotFoundError, match="there is no person 1"):
        update_record(memory, "person:1", tags=["family"])
    assert list_people(memory) == []


@pytest.mark.parametrize("gone", ["Ida", "Ida Lund"])
def test_a_person_who_is_forgotten_while_two_are_made_one(
    memory: Workspace, meanwhile: Meanwhile, gone: str
) -> None:
    people = {name: write_person(memory, NewPerson(name=name)).id for name in ("Ida", "Ida Lund")}

    def remove() -> None:
        with memory.storage.database.transaction() as tx:
            hooks_of(memory, "person").remove(tx, [str(people[gone])])

    meanwhile(writing, "record_vectors", remove)
    with pytest.raises(NotFoundError, match=f"there is no person {gone}"):
        merge_people(memory, "Ida", "Ida Lund")
    (left,) = list_people(memory)
    assert (left.name, left.aliases) == (({"Ida", "Ida Lund"} - {gone}).pop(), ())


def test_a_person_who_changes_while_two_are_made_one(
    memory: Workspace, meanwhile: Meanwhile
) -> None:
    for name in ("Ida", "Ida Lund"):
        write_person(memory, NewPerson(name=name))
    change = NewPerson(name="Ida", notes="Paints.")
    meanwhile(writing, "record_vectors", lambda: write_person(memory, change))
    merge_people(memory, "Ida", "Ida Lund")
    assert get_person(memory, "Ida").notes == "Paints."


def test_evidence_that_is_forgotten_while_it_is_given(
    memory: Workspace, meanwhile: Meanwhile
) -> None:
    say(memory, PROMISE)
    meanwhile(writing, "record_vectors", remover(memory, "turn"))
    given = NewFact(category="work", key="slides", value="For Marc", evidence=[1])
    with pytest.raises(NotFoundError, match="there is no turn 1"):
        write_fact(memory, given)
    assert list_facts(memory) == []


def test_a_turn_that_is_forgotten_while_it_is_distilled(
    memory: Workspace, meanwhile: Meanwhile
) -> None:
    say(memory, PROMISE)
    meanwhile(TurnStore, "before", remover(memory, "turn"))
    assert (distil(memory).written, distil(memory).turns) == ([], 0)
    assert list_open_loops(memory) == []


def test_a_loop_that_is_forgotten_while_a_turn_closes_it(
    memory: Workspace, meanwhile: Meanwhile
) -> None:
    say(memory, PROMISE)
    assert [one.action for one in distil(memory).written] == ["open"]
    say(memory, DONE, begin=BEGUN + timedelta(hours=1))
    meanwhile(TurnStore, "before", remover(memory, "open_loop"))
    assert (distil(memory).written, distil(memory).turns) == ([], 0)
    assert list_open_loops(memory, resolved=True) == []


@pytest.mark.parametrize(
    "read",
    [
        pytest.param(filled, id="progress"),
        pytest.param(described_spaces, id="list"),
        pytest.param(
            proof, id="proof", marks=pytest.mark.sqlite_only(reason="the removal waits on a server")
        ),
    ],
)
def test_a_model_whose_vectors_are_removed(
    memory: Workspace, meanwhile: Meanwhile, read: Callable[[Workspace, Space], object]
) -> None:
    ingest_text(memory, "The spare key hangs behind the boiler.")
    storage = memory.storage
    active = storage.active_space()
    assert active is not None
    with storage.database.transaction() as tx:
        other = active._replace(provider=BETTER, embedder="other", state="filling")
        other = storage.spaces().create(tx, other)

    def prune() -> None:
        with storage.database.transaction() as tx:
            storage.spaces().drop(tx, other)

    before = read(memory, active)
    meanwhile(type(storage.spaces()), "all", prune)
    if storage.engine == "postgres":  # which keeps no dropped table for a snapshot
        with pytest.raises(BusyError, match="a table is missing") as error:
            read(memory, active)
        assert "try again" in error.value.hint
        assert len(storage.spaces().all()) == 1
    else:
        assert read(memory, active) == before


def test_outcomes_of_a_turn_that_is_read_meanwhile(memory: Workspace, meanwhile: Meanwhile) -> None:
    turn = said(memory, "one")
    meanwhile(MemoryStore, "links_of_turn", lambda: told(memory, "User likes tea", turn))

    assert outcomes_of(memory, turn.id) == []
    assert actions(outcomes_of(memory, turn.id)) == [(1, "create")]


def test_a_memory_that_is_edited_while_it_is_confirmed(
    memory: Workspace, meanwhile: Meanwhile
) -> None:
    remember(memory, "User sings", tags=["agent"])
    change = MemoryChange(tags=["agent", "music"], metadata={"from": "a choir"})
    meanwhile(editing, "vectors_of", lambda: edit_memory(memory, 1, change))

    mine = confirm_memory(memory, 1)

    assert (mine.tags, mine.metadata) == (("music",), {"from": "a choir"})
