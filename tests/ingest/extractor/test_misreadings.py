"""Sentences that tell of somebody else or of nothing, each beside one that is like it and true."""

from datetime import UTC, datetime

import pytest

from ingest import Utterance, extract

NOW = datetime(2026, 5, 6, 13, tzinfo=UTC)


def contents(text: str, speaker: str | None = None) -> list[str]:
    return [one.content for one in extract(Utterance(text, NOW, speaker=speaker))]


WHOSE = {
    "My sister in law, Marije, has breast cancer.": [
        "User's sister-in-law has breast cancer",
        "User's sister-in-law is named Marije",
    ],
    "my mother in law, Ann, is a nurse": [
        "User's mother-in-law is a nurse",
        "User's mother-in-law is named Ann",
    ],
    "My father in law is diabetic": ["User's father-in-law is diabetic"],
    "My parents in law live in Rome": ["User's parents-in-law live in Rome"],
    "My step mother is a nurse": ["User's step-mother is a nurse"],
    "My son in law school is a vegan": [],
    "I have a degree in law": ["User has a degree in law"],
    "My dog walker, Ann, has breast cancer": [],
    "My cat sitter, Bob, is vegan": [],
    "My brother Tom's wife, Ann, has asthma": ["User's brother is named Tom"],
    "My sister lives in Rome and works at Bosch": [
        "User's sister lives in Rome",
        "User's sister works at Bosch",
    ],
    "My mom teaches maths and works at Lidl": [
        "User's mom teaches maths",
        "User's mom works at Lidl",
    ],
    "My wife's sister, Marije, is a doctor and lives in Ghent": [],
    "My sister in law and her husband, Piet, have two cats": [],
    "My sister, Ida, lives in Rome": ["User's sister lives in Rome", "User's sister is named Ida"],
    "My wife just moved to Oslo and works at Lidl": [
        "User's wife lives in Oslo",
        "User's wife works at Lidl",
    ],
}

REPORTED = {
    "He texted me I'm in Paris with my new girlfriend Chloe": [],
    "He wrote my wife Ann lives in Rome": [],
    "Bob texted me, I'm allergic to bees": [],
    "She said my husband Tom is cute": [],
    "Someone posted my cat Millie died": [],
    "a stranger wrote me my son Leo is ill": [],
    "He told my wife Ann a lie": ["User's wife is named Ann"],
    "I texted my wife Ann about dinner": ["User's wife is named Ann"],
    "I told him my sister Ida is a nurse": ["User's sister is named Ida"],
    "The vet says my dog Rex needs surgery": ["User's dog is named Rex"],
    "my boss says my wife Ann can come": ["User's wife is named Ann"],
    "I texted her, I'm allergic to bees": ["User is allergic to bees"],
}

AT_THE_KEYBOARD = {
    "hi this is Loretta, I'm his wife and I'm allergic to bees": [],
    "This is Loretta, John's wife. I'm allergic to bees.": [],
    "this is loretta, i'm his wife, i'm allergic to bees": [],
    "His wife here. I live in Oslo.": [],
    "hello, it's her son Tom, I'm vegan": [],
    "I'm his carer, I live in Oslo": [],
    "It's me, Loretta, his wife. I'm allergic to bees": [],
    "Good morning, this is Mrs. Smith, Leo's teacher. I live in Leeds": [],
    "Anna's brother typing for her, I'm a nurse": [],
    "I'm on my phone, I live in Rome": ["User lives in Rome"],
    "I'm using my husband's account, I'm allergic to nuts": [],
    "hi this is Loretta, I'm Bob's biggest fan and I'm allergic to bees": [
        "User is allergic to bees"
    ],
    "My name is Loretta, I'm Bob's wife, and I'm allergic to bees": [
        "User's name is Loretta",
        "User is allergic to bees",
    ],
    "My brother is ill. His wife is a nurse. I'm allergic to bees": ["User is allergic to bees"],
    "I'm using my account at work, I'm allergic to nuts": ["User is allergic to nuts"],
}

JESTS = {
    "yes I'm a doctor. of procrastination.": [],
    "I'm a teacher. in my dreams.": [],
    "I'm a nurse. of course I know": ["User is a nurse"],
    "I'm a doctor. Of course I know.": ["User is a doctor"],
    "I'm 100 years old in IT years": [],
    "I'm 12 years old in cat years": [],
    "I'm 45 years old. In two years I retire": ["User is 45 years old", "User retires in 2028"],
    "For the sake of argument: I quit my job tomorrow.": [],
    "Let's say for argument's sake I live in Rome": [],
    "last night I dreamt I was married to a seal and we lived in Perth": [],
    "Yesterday I had a weird dream that I lived in Oslo": [],
    "I have always dreamed of Rome. I live in Oslo.": ["User lives in Oslo"],
}

WHOLE_NAMES = {
    "I love Wendy's. they love Ben & Jerry's": ["User loves Wendy's"],
    "I like McDonald's. we live in Leeds": ["User likes McDonald's", "User lives in Leeds"],
    "I know Mr. Smith. I live in Leeds": ["User lives in Leeds"],
    "My cat Chairman Meow is 5 years old": [
        "User's cat Chairman Meow is 5 years old",
        "User's cat is named Chairman Meow",
    ],
    "My wife Anna Smith is a nurse": [
        "User's wife Anna Smith is a nurse",
        "User's wife is named Anna Smith",
    ],
    "my dog Rex and I live in Leeds": ["User lives in Leeds", "User's dog is named Rex"],
}

EVERY = {**WHOSE, **REPORTED, **AT_THE_KEYBOARD, **JESTS, **WHOLE_NAMES}


@pytest.mark.parametrize("text", EVERY)
def test_only_what_is_meant_of_the_one_who_is_named_is_told(text: str) -> None:
    assert contents(text) == EVERY[text]


def test_a_speaker_with_a_name_is_nobody_else() -> None:
    said = "this is Loretta, I'm his wife and I'm allergic to bees"
    assert contents(said, speaker="Loretta") == ["Loretta is allergic to bees"]
