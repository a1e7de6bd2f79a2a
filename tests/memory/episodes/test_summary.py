"""Which sentences an episode's summary holds."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from ingest.threads.summary import Said
from memory.episodes.summaries.sentences import telling_sentences
from tests.memory.episodes.said import BOAT, CAKE


def alike(words: Iterable[str]) -> dict[str, float]:
    return dict.fromkeys(words, 1.0)


def summary(*texts: str, chars: int = 60, speaker: str = "Ana") -> str:
    return telling_sentences([Said(speaker, text) for text in texts], alike, max_chars=chars)


def test_what_a_person_tells_of_themselves_comes_first() -> None:
    assert summary("The harbour crane lifts boats.", "My harbour crane lifts boats.", chars=40) == (
        "Ana: My harbour crane lifts boats."
    )


def test_names_and_numbers_come_first_and_questions_last() -> None:
    assert summary("The crane lifts boats.", "The crane lifts 40 boats.", chars=35) == (
        "Ana: The crane lifts 40 boats."
    )
    assert summary("Then the crane meets Teodor.", "Then the crane meets people.", chars=36) == (
        "Ana: Then the crane meets Teodor."
    )
    assert summary("The crane lifts boats, right?", "The crane lifts boats alright.", chars=38) == (
        "Ana: The crane lifts boats alright."
    )


def test_rare_words_are_worth_more() -> None:
    said = [Said("Ana", "They bought bread."), Said("Bo", "They bought quinces.")]

    def rarity(words: Iterable[str]) -> dict[str, float]:
        return {word: 9.0 if word == "quinces" else 1.0 for word in words}

    assert telling_sentences(said, rarity, max_chars=30) == "Bo: They bought quinces."


def test_nothing_is_said_twice() -> None:
    told = summary(
        "The mast needs varnish.",
        "Varnish, the mast needs it.",
        "The rope is worn.",
        chars=55,
    )
    assert "rope" in told
    assert told.lower().count("varnish") == 1


def test_the_names_of_the_speakers_are_no_topic() -> None:
    said = [Said("Teodor", "You too, Mirela!"), Said("Mirela", "Teodor, take care!")]
    assert telling_sentences(said, lambda words: dict.fromkeys(words, 1.0), max_chars=200) == (
        "Mirela: Teodor, take care!"
    )
    assert telling_sentences([], alike, max_chars=200) == ""


@given(st.lists(st.sampled_from([*BOAT, *CAKE, "Ok", "Hi!"])), st.integers(80, 600))
def test_it_is_short_and_has_only_what_was_said_in_its_order(texts: list[str], chars: int) -> None:
    said = [Said(("Ana", "Bo")[number % 2], text) for number, text in enumerate(texts)]
    lines = telling_sentences(said, alike, max_chars=chars).splitlines()
    assert sum(map(len, lines)) + len(lines) <= chars + 1
    whole = [f"{speaker}: {text}" for speaker, text in said]
    places = [whole.index(line) for line in lines]
    first = {line: whole.index(line) for line in lines}
    assert places == sorted(first.values())
