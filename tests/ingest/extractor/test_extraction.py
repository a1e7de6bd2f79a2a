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


def test_a_speaker_is_the_subject() -> None:
    found = extract(Utterance("I like tea.", NOW, speaker="Caroline"))
    assert found[0].content == "Caroline likes tea"
