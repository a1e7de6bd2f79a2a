"""Questions find the facts that answer them in other words, and are confident of it."""

from collections.abc import Iterator

import pytest

from contracts import Scope
from ingest import slot_of, topic_of
from memory.config.loading import load_config
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions

SAID = (
    "I moved to Oslo in May, and my sister Ida is a painter",
    "I work as a nurse at Ullevål hospital",
    "I am 42 years old",
    "I was born on 3 March 1984",
    "I'm allergic to nuts",
    "I am a vegetarian",
    "I bought a red bicycle, and it squeaks",
)
ASKED = {
    "where do I live": "User lives in Oslo",
    "Where does the user live?": "User lives in Oslo",
    "what city am I in": "User lives in Oslo",
    "what is my job": "User works as a nurse",
    "where do I work?": "User works as a nurse",
    "my profession": "User works as a nurse",
    "how old am I": "User is 42",
    "when was I born": "User was born on",
    "which allergies do I have": "User is allergic to nuts",
    "what do I eat": "User is a vegetarian",
    "who is a painter": "User's sister Ida is a painter",
}


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    loaded = load_config(database=tmp_path_factory.mktemp("topics") / "m.db")
    with Workspace(loaded) as workspace:
        process_turns(workspace, [NewTurn("s1", text) for text in SAID])
        yield workspace


@pytest.mark.parametrize("question", ASKED)
def test_the_fact_that_answers_is_first(talked: Workspace, question: str) -> None:
    answer = search(talked, question, SearchOptions(scope=Scope(sources=("memory", "turn"))))
    assert answer.results[0].text.startswith(ASKED[question])
    assert not answer.weak


def test_a_question_about_nothing_said_is_weak(talked: Workspace) -> None:
    assert search(talked, "which mountain did the caravan cross").weak


@pytest.mark.parametrize(
    "fact, topic",
    [
        ("User lives in Berlin", "home: where User lives, residence, city"),
        ("User's sister Ida lives in Rome", "home: where user sister ida lives, residence, city"),
        ("User is allergic to nuts", "allergy: what User is allergic to, health"),
        ("User likes tea", ""),
        ("User's favourite colour is blue", ""),
    ],
)
def test_a_topic_is_of_a_slot_and_its_subject(fact: str, topic: str) -> None:
    slot = slot_of(fact)
    assert slot is not None
    assert topic_of(slot.name) == topic
