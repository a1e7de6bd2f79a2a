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
        ("User's birthday is on 3 May", "user/birthday", "3 may"),
        ("User lives in Berlin", "user/home", "berlin"),
        ("The user lives in Berlin.", "user/home", "berlin"),
        ("Lives in Berlin", "user/home", "berlin"),
        ("User moved to Oslo in 2026-05", "user/home", "oslo"),
        ("User moved from Berlin to Oslo", "user/home", "oslo"),
        ("User lives somewhere", "user/home", ""),
        ("User is from Brazil", "user/origin", "brazil"),
        ("User works as a nurse", "user/job/role", "nurse"),
        ("User works as a nurse at Charité", "user/job/role", "nurse"),
        ("User works at the Charité", "user/job/employer", "charité"),
        ("User works somewhere", "user/job/employer", ""),
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
    assert slot_of(content) == Slot(name, value)


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
        "User likes " + "very " * 100 + "long stories",
        "We lost the war when nobody of them likes tea",
    ],
)
def test_what_can_be_true_many_times_has_none(content: str) -> None:
    assert slot_of(content) is None
