"""From what somebody says to candidates."""

from datetime import UTC, datetime

import pytest

from ingest import Utterance, extract

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "text, contents",
    [
        ("I like JRPGs and my name is Alex", ["User likes JRPGs", "User's name is Alex"]),
        ("I live in Berlin.", ["User lives in Berlin"]),
        ("Would I like tea?", []),
        ("My favourite band is Muse these days.", ["User's favourite band is Muse"]),
        ("I like Jhin right now.", []),
    ],
)
def test_it_finds(text: str, contents: list[str]) -> None:
    found = extract(Utterance(text, NOW))
    assert [candidate.content for candidate in found] == contents
    assert all(text[each.start : each.end] for each in found)


def test_only_the_user_is_mined() -> None:
    assert extract(Utterance("I like tea.", NOW, role="assistant")) == []


@pytest.mark.parametrize(
    "text",
    [
        "the CEO: I live in Paris",
        "my boss: I live in Paris, so come over",
        "The doctor: I'm allergic to peanuts",
        "our new colleague: my name is Bruno",
        "Her landlord: I work at a bank",
        "The patient: I am vegan",
        "his former manager: I live in Madrid",
        "Listen to this.\nthe mayor: I live in Lisbon",
        "my neighbour: we have two dogs",
        "Their lawyer: I speak Greek",
        "I live in Berlin, not.",
        "I live in Berlin, NOT!",
        "I love opera. Not!",
        "I'm vegan, not",
        "I work at a bakery, not!!",
        "My name is Napoleon… not.",
        "I am allergic to work, not.",
        "I speak Klingon, not.",
        "I have two dogs, not.",
        "Well, I live in Monaco, not.",
    ],
)
def test_words_of_another_and_words_taken_back_are_not_believed(text: str) -> None:
    assert extract(Utterance(text, NOW)) == []


@pytest.mark.parametrize(
    "text",
    [
        "About me: I live in Paris",
        "For the record: I live in Paris",
        "My doctor knows it: I'm allergic to peanuts",
        "The boss is new: I live in Paris, by the way",
        "My boss knows that. I live in Paris",
        "I'm a nurse. I live in Paris",
        "The news: I live in Paris now",
        "My address has changed: I live in Paris",
        "I live in Paris and the boss: who knows",
        "Remember: I live in Paris",
        "I live in Berlin, not Paris.",
        "I live in Berlin, not in Munich",
        "I live in Berlin. Do you, or not?",
        "I live in Berlin, believe it or not.",
        "I live in Berlin. Not a joke!",
        "I work at a bakery, not a bank.",
        "I'm vegan, why not?",
        "I love opera. Not jazz.",
        "I live in Berlin, like it or not.",
        "I speak Greek. I hope that helps, if not tell me",
    ],
)
def test_what_only_looks_like_it_is_believed(text: str) -> None:
    assert extract(Utterance(text, NOW)) != []


def test_a_speaker_is_the_subject() -> None:
    found = extract(Utterance("I like tea.", NOW, speaker="Caroline"))
    assert found[0].content == "Caroline likes tea"
