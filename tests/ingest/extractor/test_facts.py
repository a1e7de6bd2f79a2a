"""Slots: what a sentence is about, when only one such sentence can be true at a time."""

import pytest

from ingest import Slot, slot_of


@pytest.mark.parametrize(
    "content, name, value",
    [
        ("User's name is Alex", "user/name", "alex"),
        ("The user's name is Alex.", "user/name", "alex"),
        ("User is called Alex", "user/name", "alex"),
        ("User goes by MJ", "user/nickname", "mj"),
        ("User is 34 years old", "user/age", "34"),
        ("User's shoe size is 42", "user/shoe size", "42"),
        ("User's birthday is on 3 May", "user/birthday", "3 may"),
        ("User lives in Berlin", "user/home", "berlin"),
        ("The user lives in Berlin.", "user/home", "berlin"),
        ("Lives in Berlin", "user/home", "berlin"),
        ("User moved to Oslo in 2026-05", "user/home", "oslo"),
        ("User moved from Berlin to Oslo", "user/home", "oslo"),
        ("User lives somewhere", "user/home", ""),
        ("User works as a nurse", "user/job/role", "nurse"),
        ("User works as a nurse at Charité", "user/job/role", "nurse"),
        ("User works at the Charité", "user/job/employer", "charité"),
        ("User works somewhere", "user/job/employer", ""),
        ("User is a software engineer at Acme", "user/job/employer", "acme"),
        ("User works at a bakery", "user/job/employer", "bakery"),
        ("User lives in a flat in Berlin", "user/home", "berlin"),
        ("User lives in the Netherlands", "user/home", "netherlands"),
        ("User lives in berlin", "user/home", "berlin"),
        ("User lives in 北京", "user/home", "北京"),
        ("User lives at 12 Elm Street", "user/address", "12 elm street"),
        ("User's last name is Smith", "user/last name", "smith"),
        ("User was born in 1990", "user/year of birth", "1990"),
        ("User was born on 3 May 1990", "user/birthday", "3 may 1990"),
        ("User studies physics at Stanford", "user/school", "stanford"),
        ("User's favorite color is blue", "user/favourite/colour", "blue"),
        ("User's favourite colour is Blue!", "user/favourite/colour", "blue"),
        ("User likes tea", "user/opinion/tea", "+"),
        ("User really loves the tea", "user/opinion/tea", "+"),
        ("User hates tea", "user/opinion/tea", "-"),
        ("User does not like tea", "user/opinion/tea", "-"),
        ("User doesn’t like tea", "user/opinion/tea", "-"),
        ("User prefers tea", "user/opinion/tea", "+"),
        ("User prefers tea to coffee", "user/preference/coffee|tea", "tea"),
        ("User prefers coffee over tea", "user/preference/coffee|tea", "coffee"),
        ("User is allergic to peanuts", "user/allergy/peanuts", "+"),
        ("User is vegetarian", "user/diet", "vegetarian"),
        ("User is a vegan", "user/diet", "vegan"),
        ("User is married to Anna", "user/relationship", "married"),
        ("User lives near Berlin", "user/home", "berlin"),
        ("User lives with their mom in Tampa", "user/home", "tampa"),
        ("User's husband is named Will", "user/husband/name", "will"),
        ("User has two kids", "user/children", "two"),
        ("User's wife's name is Anna", "user/wife/name", "anna"),
        ("User's wife loves opera", "user/wife/opinion/opera", "+"),
        ("User's sister Eva lives in Rome", "user/sister eva/home", "rome"),
        ("Caroline lives in Oslo", "caroline/home", "oslo"),
        ("用户 likes 茶", "用户/opinion/茶", "+"),
    ],
)
def test_a_sentence_with_one_value_at_a_time_has_a_slot(
    content: str, name: str, value: str
) -> None:
    slot = slot_of(content)
    assert slot is not None
    assert slot[:2] == (name, value)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "   ",
        "User has a dog named Rex",
        "User speaks German",
        "User's sister lives in Oslo",
        "User's sister is called Anna",
        "User went to Rome on 2026-05-03",
        "User is moving to Oslo in 2026-05",
        "User lives in a small flat",
        "User lives in fear of dogs",
        "User lives in the city centre",
        "User lives near the river",
        "User lives at home",
        "User moved to the second floor",
        "User moved in with Anna",
        "User is from Brazil",
        "User grew up in poverty",
        "User was born in Rome",
        "User works at night",
        "User works at home",
        "User works at the Zurich office",
        "User works with Python",
        "User works for a living",
        "User works like a dog",
        "User works as a volunteer",
        "User is a retired nurse",
        "User is a teacher and a nurse",
        "User is a doctor of physics",
        "User is a painter",
        "User is a nurse",
        "User is a student at MIT",
        "User is a nurse at a hospital",
        "User is a regular at Lou's",
        "User's sister is a nurse",
        "User no longer lives in Berlin",
        "User used to live in Berlin",
        "User also works at Lidl",
        "User will move to Oslo",
        "User asks: always answer in German",
        "User is 180",
        "User does not want children",
        "User likes " + "very " * 100 + "long stories",
        "We lost the war when nobody of them likes tea",
    ],
)
def test_what_can_be_true_many_times_has_none(content: str) -> None:
    assert slot_of(content) is None


def test_what_is_told_besides_is_known() -> None:
    assert slot_of("User works as a nurse at Charité") == Slot(
        "user/job/role", "nurse", "at Charité"
    )
    assert slot_of("User is married to Anna") == Slot("user/relationship", "married", "to Anna")
    assert slot_of("User is married") == Slot("user/relationship", "married")
