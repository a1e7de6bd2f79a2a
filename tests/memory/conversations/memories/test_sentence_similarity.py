"""Which sentences say the same, which deny each other, and which only look alike."""

import pytest

from memory.conversations.memories.comparison.sentence_similarity import (
    is_ended_by,
    is_negation_of,
    say_the_same,
    sentence,
)
from memory.conversations.memories.comparison.word_similarity import nearness

SAME = (
    ("User likes tea", "user likes tea."),
    ("User likes JRPGs", "User really likes JRPGs"),
    ("User’s sister loves opera", "User's sister loves the opera"),
    ("User has two dogs", "User has two dogs"),
    ("User is afraid of big spiders", "User is scared of big spiders"),
    ("User wants to buy a flat in Lyon", "User wants to purchase a flat in Lyon"),
    ("User plays tennis on Sundays at the club", "User plays tennis on Sundays"),
    ("User rides a bike to work every day", "User rides a bicycle to work every day"),
    ("User works in the garden on weekends", "User works in the garden at weekends"),
)
"""What was there first, and what is said again."""

DIFFERENT = (
    ("User likes tea", "User likes coffee"),
    ("User likes tea", "User dislikes tea"),
    ("User eats meat", "User does not eat meat"),
    ("User went to Bern with the whole family", "User went to Berlin with the whole family"),
    ("User has three dogs and a very old cat", "User has four dogs and a very old cat"),
    ("User has 3 dogs and a very old cat", "User has 4 dogs and a very old cat"),
    (
        "User swims at the pool every Tuesday evening",
        "User swims at the pool every Thursday evening",
    ),
    ("User swims at the old pool every morning", "User swims at the old pool every evening"),
    ("User's brother is a chef in a hotel", "User's sister is a chef in a hotel"),
    ("User's wife works at the city hospital", "User's husband works at the city hospital"),
    ("User is a strict vegan these days", "User is a strict vegetarian these days"),
    ("User's dog bit the neighbour's cat", "User's cat bit the neighbour's dog"),
    ("User drove from Rome to Paris in a day", "User drove from Paris to Rome in a day"),
    ("User has a dog, a cat and a parrot", "User has a dog, a cat, a parrot and a snake"),
    ("User plays piano with the old band", "User plays violin with the old band"),
    ("User is allergic to peanuts and shrimps", "User is allergic to almonds and shrimps"),
    ("User used to smoke a pipe after dinner", "User smokes a pipe after dinner"),
    ("User teaches maths at the school", "User learns maths at the school"),
    ("User's tenant is a nice old man", "User's landlord is a nice old man"),
    ("User takes the bus with sugar", "User takes the bus without sugar"),
    ("User met Anna at the station", "User met Hannah at the station"),
    ("User starts work at 9 in the morning", "User starts work at 10 in the morning"),
    ("User uses C", "User uses C++"),
    ("User uses C#", "User uses C++"),
    ("User scored -5 in the quiz", "User scored 5 in the quiz"),
    ("User gave 5% of it away", "User gave 5 of it away"),
    ("User paid $5 for the tea", "User paid €5 for the tea"),
    ("User drinks almond milk", "User drinks milk"),
    ("User plays table tennis", "User plays tennis"),
    ("User rents out a flat", "User rents a flat"),
    ("User loves hiking", "🐙 loves hiking"),
    ("🦄's sister Ida is a painter", "🐙's sister Ida is a painter"),
    ("🦄 🐙", "🦄 🦑"),
    ("User knows how to ski jump", "User knows how to ski"),
    ("사용자는 서울에 산다", "사용자는 부산에 산다"),
    ("المستخدم يحب الشاي", "المستخدم يحب القهوة"),
    ("المستخدم لا يحب الشاي", "المستخدم يحب الشاي"),
    ("Пользователь не ест мясо", "Пользователь ест мясо"),
    ("Benutzer mag keine Hunde", "Benutzer mag Hunde"),
    ("Benutzer isst Fleisch nicht", "Benutzer isst Fleisch"),
    ("Użytkownik nie lubi psów", "Użytkownik lubi psy"),
)


@pytest.mark.parametrize("old, new", SAME)
def test_says_the_same(old: str, new: str) -> None:
    assert say_the_same(sentence(old), sentence(new), least=0.6, near=nearness, nearest=0.7)


@pytest.mark.parametrize("old, new", DIFFERENT)
def test_keeps_apart_what_differs(old: str, new: str) -> None:
    for one, other in ((old, new), (new, old)):
        first, second = sentence(one), sentence(other)
        if (one, other) == ("User has a dog, a cat, a parrot and a snake", old):
            continue  # the longer one says what the shorter one does
        assert not say_the_same(first, second, least=0.6, near=nearness, nearest=0.7)


def test_a_sentence_that_tells_more_is_another_memory() -> None:
    short, long = sentence("User plays tennis"), sentence("User plays tennis with a friend")

    assert not say_the_same(short, long, least=0.1, near=nearness, nearest=0.7)
    assert say_the_same(long, short, least=0.5, near=None, nearest=1)


@pytest.mark.parametrize(
    "one, other",
    [
        ("User eats meat", "User does not eat meat"),
        ("User doesn't eat meat", "User eats meat"),
        ("User never drinks wine", "User drinks wine"),
        ("User can swim", "User can't swim"),
    ],
)
def test_denies(one: str, other: str) -> None:
    assert is_negation_of(sentence(one), sentence(other))
    assert is_negation_of(sentence(other), sentence(one))


@pytest.mark.parametrize(
    "one, other",
    [
        ("User eats meat", "User eats meat"),
        ("User does not eat meat", "User never eats meat"),
        ("User eats meat", "User does not eat fish"),
        ("User does not eat meat", "User does not eat meat or fish"),
    ],
)
def test_denies_nothing(one: str, other: str) -> None:
    assert not is_negation_of(sentence(one), sentence(other))


@pytest.mark.parametrize("content", ["User", "...", "私は寿司が好き", "User is", "🍕", " a "])
def test_every_content_has_words(content: str) -> None:
    made = sentence(content)

    assert made.key
    assert made.telling


@pytest.mark.parametrize(
    "ended, memory, over",
    [
        ("User runs", "User runs every morning", True),
        ("User plays tennis", "User plays tennis on Sundays", True),
        ("User has a dog", "User has a dog named Rex", True),
        ("User plays tennis", "User plays tennis", True),
        ("User drinks milk", "User drinks oat milk", False),
        ("User plays tennis", "User plays table tennis", False),
        ("User has a dog", "User has a dog trainer named Rex", False),
        ("User runs", "User runs a company", False),
        ("User runs every morning", "User runs", False),
        ("User has a dog", "User feeds a dog", False),
        ("User runs", "User runs in Berlin every day", False),
    ],
)
def test_what_is_over_with_something_else(ended: str, memory: str, over: bool) -> None:
    assert is_ended_by(sentence(memory), sentence(ended)) is over
