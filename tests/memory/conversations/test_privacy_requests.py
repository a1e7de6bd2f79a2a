"""Requests said in a conversation: what is not remembered, what is forgotten, and what stays."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from ingest import Candidate, Utterance
from memory.compat.services import Extractor
from memory.config.sections.conversations import ExtractorConfig
from memory.config.settings import LLMConfig
from memory.conversations.memories.consolidation import consolidate_turns
from memory.conversations.memories.store import SELECT_SQL, memory_of
from memory.conversations.pipeline import extract_waiting_turns, process_turns
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import NewTurn
from memory.records.distillation.running import distil
from memory.workspace import Workspace
from tests.memory.databases import opened


def say(memory: Workspace, *texts: str, session: str = "s", speaker: str | None = None) -> None:
    """Say turns one after the other, each a minute later than the last of all."""
    for text in texts:
        number = TurnStore(memory.storage.database).count()
        ts = f"2026-05-04T{10 + number // 60}:{number % 60:02}:00Z"
        process_turns(memory, [NewTurn(session, text, ts=ts, speaker=speaker)])


def kept(memory: Workspace) -> list[str]:
    rows = memory.storage.database.read(f"{SELECT_SQL} ORDER BY id")
    return [one.content for one in map(memory_of, rows) if one.status == "active"]


def states(memory: Workspace) -> list[str]:
    return [
        row[0] for row in memory.storage.database.read("SELECT extraction FROM turns ORDER BY id")
    ]


def records(memory: Workspace) -> dict[str, list[str]]:
    columns = {"people": "name", "facts": "value", "open_loops": "topic", "patterns": "description"}
    return {
        table: [row[0] for row in memory.storage.database.read(f"SELECT {name} FROM {table}")]
        for table, name in columns.items()
    }


@pytest.mark.parametrize(
    "text",
    [
        "Don't remember this: I have HIV and my sister Clémence lives in Oslo",
        "My sister Clémence and I have HIV, please don't store that. I must call her tomorrow",
        "Off the record: I have diabetes. I promised Tom to send him the slides",
    ],
)
def test_nothing_is_made_of_a_turn_that_asks_for_that(tmp_path: Path, text: str) -> None:
    with opened(tmp_path) as memory:
        say(memory, text, "I live in Bergen")
        distil(memory)
        assert kept(memory) == ["User lives in Bergen"]
        assert states(memory) == ["off", "done"]
        made = records(memory)
        assert made.pop("facts") in ([], ["Bergen"])
        assert not any(made.values())
        assert TurnStore(memory.storage.database).many([1])[0].text == text


def test_nothing_of_such_a_turn_is_corrected_into_a_memory(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        say(memory, "My name is Jon, don't store that", "No wait, it's John")
        assert kept(memory) == []


@pytest.mark.parametrize(
    "text, asked",
    [
        ("I live in Oslo", "Don't remember that"),
        ("I have diabetes", "Please forget that I have diabetes"),
        ("Remember that my address is Sleepstraat 12, Gent", "please delete my address again"),
        ("I have diabetes", "Forget what I said about my diabetes"),
        ("I'm allergic to nuts and I have asthma", "Forget everything you know about my health"),
        ("I work at Bosch as an engineer", "please forget all I told you about my job"),
        ("My sister Ida lives in Oslo", "Forget what I told you about my sister"),
        ("remember that my locker is on floor 2", "forget that my locker is on floor 2"),
        ("my e-mail is bo@example.org", "Remove my email address from your records"),
    ],
)
def test_what_somebody_asks_to_forget_ends(tmp_path: Path, text: str, asked: str) -> None:
    with opened(tmp_path) as memory:
        say(memory, "I speak Thai. I like the address book and the job market")
        before = kept(memory)
        say(memory, text)
        assert kept(memory) != before
        say(memory, asked)
        assert kept(memory) == before
        assert states(memory) == ["done", "off", "off"]


def test_it_ends_in_earlier_turns_and_sessions_however_often_it_was_said(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        say(memory, "I have diabetes", session="a")
        say(memory, "I have diabetes", "I live in Oslo", session="b")
        say(memory, "Hello", "Forget what I said about my diabetes", session="c")
        assert kept(memory) == ["User lives in Oslo"]
        assert states(memory) == ["off", "off", "done", "done", "off"]
        say(memory, "I have diabetes", session="d")
        assert kept(memory) == ["User lives in Oslo", "User has diabetes"]


def test_turns_that_arrive_together_are_read_in_their_order(tmp_path: Path) -> None:
    texts = ["I have asthma", "I live in Oslo", "please forget that I have asthma", "I am vegan"]
    with opened(tmp_path) as memory:
        moments = [f"2026-05-04T10:0{number}:00Z" for number in range(4)]
        given = [NewTurn("s", text, ts=ts) for text, ts in zip(texts, moments, strict=True)]
        results = process_turns(memory, given)
        assert kept(memory) == ["User lives in Oslo", "User is vegan"]
        actions = [[one.action for one in each.extracted_memories] for each in results]
        assert actions == [["create"], ["create"], ["archive"], ["create"]]


def test_nothing_else_ends(tmp_path: Path) -> None:
    facts = ["I live in Oslo", "I have two sisters", "my brother Tom has diabetes", "I like Ghent"]
    looks_alike = [
        "don't forget that I live in Oslo",
        "I forgot my address",
        "forget Pluto ever existed",
        "can you delete my address from the form?",
        "don't remember the name of the film",
        "I don't remember that",
        "off the record, my boss is leaving",
        "Forget what I said about the weather",
        "please delete my address",
        "Please forget that I have diabetes",
        "Delete what I told you about Tommy",
    ]
    with opened(tmp_path) as memory:
        say(memory, *facts)
        before = kept(memory)
        say(memory, *looks_alike)
        assert kept(memory) == before


def test_a_request_in_a_group_is_about_who_said_it(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        say(memory, "I have asthma. I live in Oslo", speaker="Sam")
        say(memory, "I have asthma", speaker="Ana")
        say(memory, "Forget what I said about my asthma", speaker="Sam")
        assert kept(memory) == ["Sam lives in Oslo", "Ana has asthma"]
        say(memory, "please delete where I live", "Forget everything about my home", speaker="Ana")
        assert kept(memory) == ["Sam lives in Oslo", "Ana has asthma"]


def test_what_a_turn_says_beside_a_request_is_remembered(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        say(memory, "I have asthma", "Forget what I said about my asthma. I live in Oslo")
        assert kept(memory) == ["User lives in Oslo"]
        say(memory, "Please forget that I live in Oslo. I moved to Bergen.")
        assert kept(memory) == ["User lives in Bergen"]


def test_people_and_facts_of_what_is_forgotten_go(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        say(memory, "My sister Clémence lives in Oslo", "My brother Tom lives in Rome")
        say(memory, "I live in Bergen and my friend Rita is visiting")
        distil(memory)
        assert {"Clémence", "Tom"} <= {*records(memory)["people"]}
        assert records(memory)["facts"] == ["Bergen"]
        say(memory, "Forget what I told you about my sister", "forget that I live in Bergen")
        distil(memory)
        assert "Clémence" not in records(memory)["people"]
        assert "Tom" in records(memory)["people"]
        assert records(memory)["facts"] == []


def test_nothing_is_distilled_later_of_what_is_forgotten(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        say(memory, "My sister Clémence lives in Oslo", "Please don't remember that")
        distil(memory)
        assert kept(memory) == []
        assert not any(records(memory).values())


def test_secrets_and_memories_written_by_hand_can_be_forgotten(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        found = [(None, [Candidate("User's locker has the PIN 4711")])]
        consolidate_turns(memory, found, origin="user")
        process_turns(memory, [NewTurn("s", "Forget what I said about my locker")])
        assert kept(memory) == []


def test_a_request_is_fulfilled_once_and_also_after_an_interruption(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        say(memory, "I have asthma")
        (added,) = add_turns(memory, [NewTurn("s", "Forget what I said about my asthma")])
        assert states(memory) == ["done", "rules"]
        assert kept(memory) == ["User has asthma"]
        found = extract_waiting_turns(memory, [added.turn])
        assert [one.action for one in found[added.turn.id]] == ["archive"]
        assert extract_waiting_turns(memory, [added.turn]) == found
        assert kept(memory) == []


def test_a_model_is_asked_about_neither_the_request_nor_what_is_forgotten(tmp_path: Path) -> None:
    alone = {
        "extractor": ExtractorConfig(mode="llm"),
        "llm": LLMConfig(endpoint="http://127.0.0.1:9/v1", model="m"),
    }
    with opened(tmp_path, **alone) as memory:
        say(memory, "I like Ghent", "I have asthma", "Don't remember that")
        assert states(memory) == ["llm", "off", "off"]
        say(memory, "Off the record, I smoke", "Please forget that I like Ghent")
        assert states(memory)[3:] == ["off", "off"]


def test_the_extractor_of_one_utterance_heeds_requests(tmp_path: Path) -> None:
    said_at = datetime(2026, 5, 4, 9, tzinfo=UTC)
    with opened(tmp_path) as memory:
        extractor = Extractor(memory)
        assert extractor.extract(Utterance("Off the record: I have diabetes", said_at)) == []
        assert extractor.extract(Utterance("I have diabetes", said_at)) != []


def test_a_turn_of_which_nothing_is_wanted_has_no_requests(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        say(memory, "I have asthma")
        request = NewTurn("s", "Forget what I said about my asthma", auto_extract=False)
        process_turns(memory, [request])
        assert kept(memory) == ["User has asthma"]


@pytest.mark.parametrize(
    "text, asked",
    [
        ("My sister works at Siemens", "Forget what I said about my work"),
        ("Remember that my home insurance ends in May 2026", "Forget everything about my home"),
        ("my mother Eva has asthma", "Forget what I said about my asthma"),
        ("I live in Oslo. Always call me Jo", "Delete everything you know about me"),
        ("I'm vegan and live in Oslo", "Don't save that, please"),
        ("I live in Oslo", "please delete my city"),
    ],
)
def test_the_word_of_a_topic_alone_ends_nothing(tmp_path: Path, text: str, asked: str) -> None:
    with opened(tmp_path) as memory:
        say(memory, text)
        before = kept(memory)
        assert before
        say(memory, asked)
        assert kept(memory) == before


def test_a_request_ends_nothing_of_somebody_whose_name_begins_so(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        say(memory, "I have asthma", speaker="Ann Marie")
        say(memory, "Forget what I said about my asthma", speaker="Ann")
        assert kept(memory) == ["Ann Marie has asthma"]


def test_a_request_of_the_past_removes_nothing_that_was_said_later(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        say(memory, "my sister Rita rang")
        distil(memory)
        made = records(memory)
        then = NewTurn("old", "Forget what I said about Rita", ts="2020-01-01T00:00:00Z")
        process_turns(memory, [then])
        assert records(memory) == made
        assert states(memory)[0] == "done"
