"""The triple of a memory's sentence, and whose name a memory tells."""

import pytest

from ingest import slot_of
from memory.episodes.triples.statements import Fact, fact_of, naming_of

FACTS = {
    "User lives in Berlin": ("User", "lives in", "Berlin"),
    "User moved to New York": ("User", "lives in", "New York"),
    "User works for Bosch": ("User", "works at", "Bosch"),
    "User works as a cook": ("User", "works as", "cook"),
    "User's name is Ana Ruiz": ("User", "is named", "Ana Ruiz"),
    "User loves sushi": ("User", "likes", "sushi"),
    "User does not like opera": ("User", "dislikes", "opera"),
    "User is not allergic to cats": ("User", "is not allergic to", "cats"),
    "User prefers tea to coffee": ("User", "prefers", "tea to coffee"),
    "User's favourite band is Muse": ("User", "has favourite band", "Muse"),
    "User is in a relationship": ("User", "is", "in a relationship"),
    "User is married to Tom": ("User", "is", "married to Tom"),
    "User's sister is named Ida": ("User", "has sister", "Ida"),
    "User's husband is named Tom": ("User", "has husband", "Tom"),
    "User's sister Ida lives in Rome": ("Ida", "lives in", "Rome"),
    "User's brother lives in Rome": ("User's brother", "lives in", "Rome"),
    "User's sister's birthday is June 9": ("User's sister", "has birthday", "June 9"),
    "User's dog is 3 years old": ("User's dog", "has age", "3 years old"),
    "User speaks German and Thai": ("User", "speaks", "German and Thai"),
    "User does not eat meat": ("User", "does not eat", "meat"),
    "User is a nurse.": ("User", "is", "a nurse"),
    "User enjoys dramas and comedies": ("User", "likes", "dramas and comedies"),
    "Caroline lives in Oslo": ("Caroline", "lives in", "Oslo"),
    "User’s hobbies are chess and birdwatching": ("User", "has hobbies", "chess and birdwatching"),
}
NO_FACTS = (
    "User no longer works at Bosch",
    "User was fired",
    "User's wife is expecting twins",
    "User's kids are 3 and 6 years old",
    "User is flying to Rome",
    "User has loved trains",
    "User has been into dancing",
    "Berlin",
    "",
    "User lives in " + "Berlin " * 40,
)


def fact(content: str, *tags: str) -> Fact | None:
    slot = slot_of(content)
    has_value = slot is not None and slot.value != ""
    return fact_of(
        content,
        slot=slot.name if slot and has_value else None,
        value=slot.value if slot and has_value else None,
        tags=tags,
    )


@pytest.mark.parametrize("content", FACTS)
def test_a_plain_sentence_is_a_triple(content: str) -> None:
    assert fact(content) == FACTS[content]


@pytest.mark.parametrize("content", NO_FACTS)
def test_what_is_no_lasting_fact_is_none(content: str) -> None:
    assert fact(content) is None


@pytest.mark.parametrize("tag", ["plan", "event", "instruction", "secret"])
def test_a_plan_or_an_instruction_is_none(tag: str) -> None:
    assert fact("User speaks German", tag) is None


def test_equal_facts_have_one_key() -> None:
    one, other = fact("User works at the Bosch"), fact("User works for bosch.")
    assert one is not None
    assert other is not None
    assert one.key == other.key


def test_a_name_is_told_of_a_role() -> None:
    assert naming_of("User's sister is named Ida.") == ("User's sister", "Ida")
    assert naming_of("User's sons are named Tom and Max") is None
    assert naming_of("User is named Ida") is None
