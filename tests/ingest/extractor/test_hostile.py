"""Text made to break patterns: the extractor ends, raises nothing, and knows its places."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest import Utterance, extract, slot_of
from tests.examples import examples

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
LARGE = 40_000
REPEATED = (
    *(
        "a",
        " ",
        "\n",
        "I like ",
        "I like tea and ",
        '"',
        "'",
        "I am a nurse, ",
        "my ",
        "my old dog ",
    ),
    *("translate ", "*a ", "[", "<a ", "I!", "very ", ".", "- ", "(", "on 3 May ", "-", "A: b\n"),
    *("hey ", "😀", "I really really ", "lol ", "if ", "my name is ", "Ab", "A. ", "1 ", "`", "我"),
    *(
        "私は",
        "I have a ",
        "I used to ",
        "not ",
        "remember that ",
        "\x00",
        "dear a,\n",
        "hi\n\nbest\n",
    ),
    *(
        "hey: my x. ",
        "Tom 10:20\nI x\n",
        "BEGIN A\n",
        "[begin a] ",
        "my zed: I x. ",
        "is this right? ",
    ),
    *("a\u0301\u0316", "\u0316\u0301"),
    *("I went to ", "ich ", "me ", "{};\n", "I'm ", "\t", "1:1:1 ", "email ", "I am from ", "was "),
)


@pytest.mark.parametrize("unit", REPEATED)
@pytest.mark.parametrize("head", ["", "I am "])
@pytest.mark.parametrize("size", [LARGE // 10, pytest.param(LARGE, marks=pytest.mark.slow)])
def test_it_ends_on_what_repeats(head: str, unit: str, size: int) -> None:
    text = head + unit * (size // len(unit))
    for found in extract(Utterance(text, NOW)):
        assert found.content
    slot_of(text)


SAID = (
    "I i'm im my am not is like love have a an the dog wife Anna Rex Berlin in to from and but , "
    ". ? ! \n live work as nurse no longer used quit went yesterday on 3 May next Friday remember "
    "that said she if would favourite colour blue name Alex 25 years old \" ' ` ``` > : ; ( ) * "
    "don't anymore we our call me you your ich heiße 我叫 私 é 😀 \x00 since for 2019 every "
    "morning kids two with at Google"
)
WORDS = st.sampled_from(SAID.split(" "))


@settings(max_examples=examples(150), deadline=None)
@given(words=st.lists(WORDS, max_size=40), speaker=st.sampled_from([None, "Anna", "I", "*(", ""]))
def test_words_in_any_order(words: list[str], speaker: str | None) -> None:
    text = " ".join(words)
    for found in extract(Utterance(text, NOW, speaker=speaker)):
        assert 0 <= found.start < found.end <= len(text)
        assert found.content.strip() == found.content != ""
        assert "\x00" not in found.content
        assert found.tags
        assert found.rule
        slot_of(found.content)


@settings(max_examples=examples(100), deadline=None)
@given(text=st.text(max_size=200))
def test_any_text(text: str) -> None:
    for found in extract(Utterance(text, NOW)):
        assert 0 <= found.start < found.end <= len(text)
    slot_of(text)
