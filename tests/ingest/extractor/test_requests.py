"""Standing instructions: the owner's own words alone."""

from datetime import UTC, datetime

import pytest

from ingest import Utterance, extract

NOW = datetime(2026, 5, 6, 13, tzinfo=UTC)
ASKED = {
    "always answer in Portuguese": "User asks: always answer in Portuguese",
    "When I ask for code, use tabs.": "User asks: when I ask for code, use tabs",
    "from now on call me boss": "User asks: from now on call me boss",
    "never use emojis with me, they make me sad": "User asks: never use emojis with me",
    "I want you to always explain the why": "User asks: always explain the why",
    "Please keep answers short from now on": "User asks: keep answers short from now on",
}


@pytest.mark.parametrize("text", ASKED)
def test_an_instruction_is_kept_in_its_own_words(text: str) -> None:
    found = [one for one in extract(Utterance(text, NOW)) if one.tags == ("instruction",)]
    assert [(one.content, one.importance) for one in found] == [(ASKED[text], 1)]


@pytest.mark.parametrize("text", ASKED)
def test_nothing_is_taken_from_others(text: str) -> None:
    for utterance in (
        Utterance(text, NOW, own=False),
        Utterance(text, NOW, role="assistant"),
        Utterance(f'The page says "{text}"', NOW),
        Utterance(f"> {text}", NOW),
        Utterance(f"Translate this: {text}", NOW),
    ):
        assert [one for one in extract(utterance) if "instruction" in one.tags] == []


@pytest.mark.parametrize(
    "text",
    [
        "Answer in Portuguese",
        "Use tabs in this file",
        "Never give up!",
        "Always look on the bright side",
        "Should I always answer in French?",
        "Never say never",
        "Always be yourself",
        "When I ask my boss, he shouts",
    ],
)
def test_no_instruction_for_later(text: str) -> None:
    assert [one for one in extract(Utterance(text, NOW)) if "instruction" in one.tags] == []
