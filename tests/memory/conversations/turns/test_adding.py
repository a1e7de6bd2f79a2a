"""Turns: stored word for word, indexed at once with what was said before them, each only once."""

from pathlib import Path

import pytest

from contracts import InputError, Scope
from memory.config.settings import ChunkingConfig
from memory.conversations.pipeline import (
    extract_unprocessed,
    extract_waiting_turns,
    process_turns,
)
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import NewTurn, Turn
from memory.index.record_chunks import LONGEST_WHOLE
from memory.index.spaces.reindex import reindex
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import opened
from tests.memory.engines import keyword_places


def words_beside(workspace: Workspace, turn_id: int) -> set[str]:
    """The words of the neighbours' column of a turn's first chunk."""
    sql = "SELECT id FROM chunks WHERE owner_id = :id AND source = 'turn'"
    keys = [key for (key,) in workspace.storage.database.read(sql, {"id": str(turn_id)})]
    beside = {(key, "neighbours") for key in keys}
    return {word for word, places in keyword_places(workspace).items() if beside & set(places)}


def added(workspace: Workspace, *turns: NewTurn) -> list[Turn]:
    return [item.turn for item in add_turns(workspace, turns)]


def said(text: str, **more: object) -> NewTurn:
    return NewTurn("s1", text, **more)  # type: ignore[arg-type]  # fields of NewTurn


def found(workspace: Workspace, query: str, **scope: str) -> list[str]:
    options = SearchOptions(mode="keyword", scope=Scope(**scope))  # type: ignore[arg-type]
    return [hit.text for hit in search(workspace, query, options).results]


def test_a_turn_is_kept_with_all_that_came_with_it(memory: Workspace) -> None:
    (turn,) = added(
        memory,
        said(
            "look at this",
            ts="2023-05-08T13:56:00+02:00",
            speaker="Ann",
            image_paths=("a.png",),
            metadata={"place": 1},
            client_id="c1",
        ),
    )
    assert TurnStore(memory.storage.database).get(turn.id) == turn
    assert (turn.session_id, turn.role, turn.speaker) == ("s1", "user", "Ann")
    assert turn.ts == "2023-05-08T11:56:00.000Z"
    assert turn.recorded_at > "2026"
    assert turn.image_paths == ("a.png",)
    assert turn.metadata == {"place": 1}
    (hit,) = search(memory, "look").results
    assert hit.source == "turn"
    assert hit.occurred_at == turn.ts
    about = {"turn_id": turn.id, "session_id": "s1", "role": "user", "speaker": "Ann"}
    assert hit.metadata == {"place": 1, **about}


def test_a_number_names_a_session_too(memory: Workspace) -> None:
    (turn,) = added(memory, NewTurn(7, "hello"))
    assert turn.session_id == "7"


@pytest.mark.parametrize(
    "turn, message",
    [
        (NewTurn("", "hi"), "session_id is ''"),
        (NewTurn(True, "hi"), "session_id is True"),
        (NewTurn("s" * 501, "hi"), "session_id is"),
        (said(" \n"), "the text is"),
        (said("hi", role="robot"), "the role is 'robot'"),
        (said("hi", ts="yesterdayish"), "'yesterdayish' is not a time"),
        (said("hi", ts=5), "ts is 5"),
        (said("hi", speaker=" "), "speaker is ' '"),
        (said("hi", client_id=3), "client_id is 3"),
        (said("hi", image_paths="a.png"), "image_paths is 'a.png'"),
        (said("hi", metadata={"x": float("nan")}), "the metadata cannot be stored"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_turn_is_refused_and_nothing_is_stored(
    memory: Workspace, turn: NewTurn, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        add_turns(memory, [said("a good one"), turn])
    assert TurnStore(memory.storage.database).count() == 0
    assert memory.storage.count_chunks() == 0


def test_the_same_client_id_stores_nothing_twice(memory: Workspace) -> None:
    turns = [said("one", client_id="a"), said("two", client_id="b")]
    first = add_turns(memory, turns)
    again = add_turns(memory, [*turns, said("three", client_id="c")])
    assert [item.repeated for item in again] == [True, True, False]
    assert [item.turn for item in again[:2]] == [item.turn for item in first]
    assert len(added(memory, NewTurn("s2", "one", client_id="a"))) == 1  # of another session
    assert TurnStore(memory.storage.database).count() == 4
    with pytest.raises(InputError, match="client_id 'a' belongs to another turn"):
        add_turns(memory, [said("another", client_id="a")])


def test_what_was_said_before_stands_beside_a_turn(memory: Workspace) -> None:
    turns = added(
        memory, said("alpha"), said("beta"), said("gamma"), said("delta"), NewTurn("s2", "omega")
    )
    beside = [words_beside(memory, turn.id) for turn in turns]
    assert beside == [set(), {"alpha"}, {"alpha", "beta"}, {"beta", "gamma"}, set()]
    assert found(memory, "alpha") == ["alpha", "beta", "gamma"]


def test_a_turn_that_comes_late_takes_its_place(memory: Workspace) -> None:
    days = [("alpha", "01"), ("beta", "02"), ("gamma", "04"), ("delta", "05"), ("eps", "06")]
    turns = added(memory, *(said(text, ts=f"2024-01-{day}") for text, day in days))
    (late,) = added(memory, said("zeta", ts="2024-01-03"))
    assert words_beside(memory, late.id) == {"alpha", "beta"}
    beside = [words_beside(memory, turn.id) for turn in turns]
    assert beside == [set(), {"alpha"}, {"beta", "zeta"}, {"gamma", "zeta"}, {"gamma", "delta"}]


def test_a_long_turn_has_no_neighbours_and_a_short_one_their_ends(memory: Workspace) -> None:
    long = " ".join(f"w{number}" for number in range(200))
    turns = added(memory, said(long), said("short one"), said(long))
    assert words_beside(memory, turns[1].id) == {f"w{number}" for number in range(122, 200)}
    assert words_beside(memory, turns[2].id) == set()


def test_a_name_before_a_text_is_its_speaker_when_the_session_knows_it(memory: Workspace) -> None:
    turns = added(
        memory,
        said("Note: buy milk"),
        said("Ann: hello"),
        said("Bo: hi"),
        said("Ann: how are you", client_id="x"),
        NewTurn("s1", "Bo: fine", speaker="Bo"),
        said("Bo: really"),
    )
    assert [turn.speaker for turn in turns] == [None, None, None, "Ann", "Bo", "Bo"]
    assert {"Bo: fine", "Bo: really"} <= {*found(memory, "bo")}
    assert (
        memory.storage.database.read(
            "SELECT value_json FROM meta WHERE key = :key", {"key": "vectors_missing"}
        )
        == []
    )


def test_a_very_long_turn_is_found_to_its_end(memory: Workspace) -> None:
    text = " ".join(f"Sentence {number} is about nothing." for number in range(400))
    assert len(text) > LONGEST_WHOLE
    (turn,) = added(memory, said(f"{text} The needle is here."))
    assert memory.storage.count_chunks() > 3
    (hit,) = search(memory, "needle", SearchOptions(mode="keyword")).results
    assert hit.metadata["turn_id"] == turn.id
    assert "needle is here" in hit.text


def test_a_batch_is_stored_whole_or_not_at_all(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        added(workspace, said("first"))
        with workspace.storage.database.transaction() as tx:
            tx.run("CREATE UNIQUE INDEX refused ON turns (substr(text, 1, 3))")
        with pytest.raises(Exception, match="refused"):
            add_turns(workspace, [said("second"), said("third"), said("thirsty")])
        assert TurnStore(workspace.storage.database).count() == 1
        assert workspace.storage.count_chunks() == 1


def test_turns_stay_found_when_files_are_cut_anew(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        added(workspace, said("the zebra crossed the river"))
        before = search(workspace, "zebra").results
    other = ChunkingConfig(chunk_size_chars=400, chunk_overlap_chars=50)
    with opened(tmp_path, chunking=other) as workspace:
        reindex(workspace)
        assert [hit.chunk_id for hit in search(workspace, "zebra").results] == [
            hit.chunk_id for hit in before
        ]
        assert search(workspace, "zebra", SearchOptions(mode="vector")).results


def test_personal_data_and_secrets_are_tagged_and_can_be_left_out(memory: Workspace) -> None:
    turns = added(
        memory,
        said("my pump is red"),
        said("mail me about the pump: a@example.org"),
        said("the pump's password is hunter2"),
    )
    assert [turn.tags for turn in turns] == [(), ("pii",), ("pii", "secret")]

    def texts(**scope: tuple[str, ...]) -> set[str]:
        options = SearchOptions(scope=Scope(sources=("turn",), **scope), max_results=9)  # type: ignore[arg-type]
        return {hit.text for hit in search(memory, "pump", options).results}

    assert texts(tags=("pii",)) == {turns[1].text, turns[2].text}
    assert texts(without_tags=("secret",)) == {turns[0].text, turns[1].text}
    assert texts(without_tags=("pii",)) == {turns[0].text}


def test_the_name_of_a_speaker_finds_what_they_said(memory: Workspace) -> None:
    first, last = added(
        memory,
        said("Ann: the boat sank", ts="2024-01-01", speaker="Ann"),
        said("a pity", ts="2024-01-02", speaker="Ann"),
    )
    assert {*found(memory, "ann")} == {first.text, last.text}
    late = said("well", ts="2024-01-01T12:00:00Z", speaker="Bo")
    added(memory, late)  # the entry of the last turn is made again
    assert "a pity" in found(memory, "ann")
    assert found(memory, "bo") == ["well"]


def test_a_repetition_after_a_kill_has_the_rules_look_that_did_not(memory: Workspace) -> None:
    turn = said("I like tea", client_id="c1")
    add_turns(memory, [turn])  # and there the process ended
    for _ in range(2):
        (results,) = process_turns(memory, [turn])
        assert results.repeated
        found = [(item.content, item.action) for item in results.extracted_memories]
        assert found == [("User likes tea", "create")]
    ((hits,),) = memory.storage.database.read("SELECT hits FROM memories")
    assert hits == 0


def test_two_turns_of_a_batch_cannot_have_one_client_id(memory: Workspace) -> None:
    turns = [said("tea", client_id="c1"), said("coffee", client_id="c1")]
    with pytest.raises(InputError, match="another turn of session 's1' of the same batch"):
        add_turns(memory, turns)
    add_turns(memory, turns[:1])
    with pytest.raises(InputError, match=r"another turn of session 's1' already, turn \d"):
        add_turns(memory, turns[1:])


def test_a_fact_is_new_though_another_process_was_quicker_to_extract_it(tmp_path: Path) -> None:
    with opened(tmp_path) as sender, opened(tmp_path) as server:
        for text, expected in (
            ("I live in Oslo.", [("User lives in Oslo", "create")]),
            (
                "I live in Bergen now.",
                [("User lives in Bergen", "create"), ("User lives in Oslo", "archive")],
            ),
        ):
            turns = added(sender, said(text))
            assert extract_unprocessed(server) == 1
            (found,) = extract_waiting_turns(sender, turns).values()
            assert [(one.content, one.action) for one in found] == expected
