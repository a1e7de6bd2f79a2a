"""Ends and corrections: the new state, and the sentences that stop being true."""

from datetime import UTC, datetime

import pytest

from ingest import Candidate, Utterance, extract

NOW = datetime(2026, 5, 6, 13, tzinfo=UTC)


def told(text: str, before: str = "") -> list[Candidate]:
    return extract(Utterance(text, NOW, before=before))


ENDS = {
    "I no longer eat meat": ("User no longer eats meat", "User eats meat"),
    "I no longer eat meat, my doctor said so": ("User no longer eats meat", "User eats meat"),
    "I don't eat meat anymore": ("User no longer eats meat", "User eats meat"),
    "I quit smoking": ("User no longer smokes", "User smokes"),
    "I gave up smoking in January": ("User no longer smokes", "User smokes"),
    "I gave up sugar in January": ("User no longer eats sugar", "User eats sugar"),
    "I used to live in Rome": ("User used to live in Rome", "User lives in Rome"),
    "I'm no longer vegan": ("User is no longer vegan", "User is vegan"),
    "I don't like coffee anymore": ("User no longer likes coffee", "User likes coffee"),
    "not vegan any more": ("User is no longer vegan", "User is vegan"),
    "They tested again, I don't have asthma": ("User does not have asthma", "User has asthma"),
    "We divorced": ("User is divorced", "User is married"),
    "I was fired": ("User was fired", "User works somewhere"),
    "I left Bosch for good": ("User no longer works at Bosch", "User works at Bosch"),
    "I left Bosch for BP": ("User no longer works at Bosch", "User works at Bosch"),
    "I left Bosch last month": ("User no longer works at Bosch", "User works at Bosch"),
    "I left Shell for good last month": ("User no longer works at Shell", "User works at Shell"),
    "I left Shell at Christmas": ("User no longer works at Shell", "User works at Shell"),
    "I left Teach for America": (
        "User no longer works at Teach for America",
        "User works at Teach for America",
    ),
    "I moved away from Berlin": ("User no longer lives in Berlin", "User lives in Berlin"),
    "I moved from Boise to Oslo": ("User lives in Oslo", "User lives in Boise"),
    "The trip to Rome is cancelled": ("User's trip to Rome is cancelled", "User is flying to Rome"),
    "I'm not allergic to nuts after all": (
        "User is no longer allergic to nuts",
        "User is allergic to nuts",
    ),
    "Ida is my cousin, not my sister": (
        "User's cousin is named Ida",
        "User's sister is named Ida",
    ),
    "Sorry, I wrote that wrong: Ida is my cousin, not my sister": (
        "User's cousin is named Ida",
        "User's sister is named Ida",
    ),
    "Stop answering me in French": (
        "User asks: stop answering in French",
        "User asks: answer in French",
    ),
}


@pytest.mark.parametrize("text", ENDS)
def test_an_end_is_the_new_state_and_what_is_over(text: str) -> None:
    (found,) = told(text)
    content, over = ENDS[text]
    assert found.content == content
    assert over in found.ends


def test_a_name_alone_ends_what_was_said_of_it() -> None:
    (found,) = told("Rex died on Sunday.")
    assert found.content == ""
    assert "User's dog is named Rex" in found.ends


LOST = {
    "Today we lost our beloved cat Millie": "User lost their beloved cat Millie",
    "We had to put our cat Millie to sleep": "User lost their cat Millie",
    "My little cat Millie passed away": "User's little cat Millie died",
}


@pytest.mark.parametrize("text", LOST)
def test_a_pet_that_died_keeps_no_current_name(text: str) -> None:
    (found,) = told(text)
    assert (found.content, found.ends) == (LOST[text], ("User's cat is named Millie",))


def test_a_fond_word_is_no_part_of_who_is_named() -> None:
    assert [one.content for one in told("Is our beloved cat Millie too fat?")] == [
        "User's cat is named Millie"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "I left the office",
        "I left Anna at the station",
        "I no longer see the point",
        "I stopped the server",
        "He died in the film",
        "I don't think so anymore",
        "Can I stop smoking?",
        "If I quit smoking I would sleep",
        "I want to quit smoking",
    ],
)
def test_what_ends_nothing(text: str) -> None:
    assert [one for one in told(text) if one.ends] == []


TAKEN_BACK = """
Just kidding.
haha that was a joke
That was a joke, sorry
Oh wait, that was just a bad joke
jk
I lied to you
I was lying about that
I’m only joking, relax
lol im kidding
that was a joke btw, no cats
Forget what I just said
Scratch that.
Wait, strike that, please
Please ignore my last message
Ignore that, wrong chat
I take it back
That's not true, I made it up
No wait, that was a test
That was a joke, I do not have seventeen cats
I was kidding about the cats
I lied about having seventeen cats
I was kidding about the cats thing, it is just a hat
I was joking about that. What's the weather?
kidding, no I really don't
jk i dont have cats
I was joking, we don't have cats at all lol
Just kidding, I wish
jk. Anyway, what's the weather?
That was not true
That was wrong, sorry
That's a lie, sorry
it was all a lie
I was just joking around
just kidding thx
just kidding buddy
I was joking before
Forget what I said earlier
ignore that, typo
ignore that last message
Forget that I said anything
forget I said that
""".strip().splitlines()

NOT_TAKEN_BACK = """
Just kidding, that is nine months
Just kidding around with the kids
This is a joke, the service is awful
That was a joke my uncle told
It's a test that I must take
JK Rowling wrote it
I lied down
I was lying by the pool
I was lying about my age
Forget it, I will ask my doctor
Forget that recipe, it has eggs
Forget what I said about Tom
Forget what I said about the food for cats
I was kidding about the boat thing, we have no boat
Ignore what I said yesterday
Scratch that, write it in French
Scratch that itch
Scratch that, I do not want cats
Scratch that, no cats
I take it back to the shop tomorrow
It is made up of five islands
That's wrong, Paris is the capital
Joking aside, what now?
No kidding
I lied
I made it up
I just made it up
I lied about us
I was kidding about Eve
I was kidding about the user
That's not true
That's wrong
Scratch that, I have to go
That's a joke, I have been waiting for weeks
That's a joke! The service is awful
Forget that. Write it in French
""".strip().splitlines()


@pytest.mark.parametrize("text", TAKEN_BACK)
def test_a_joke_takes_back_what_was_said_before(text: str) -> None:
    (found,) = told(text, before="I have seventeen cats")
    assert (found.content, found.ends) == ("", ("User has seventeen cats",))
    assert told(text) == []
    assert told(text, before="The weather is fine") == []


@pytest.mark.parametrize("text", NOT_TAKEN_BACK)
def test_words_about_something_else_take_nothing_back(text: str) -> None:
    assert told(text, before="I have seventeen cats") == []


ALONE_OR_NOT = {
    "Just kidding, can you find me a hotel there?": True,
    "haha jk, please add it to the list": True,
    "Forget what I said, what's on TV tonight?": True,
    "Ignore that, I'm really drunk": True,
    "forget that, how about dinner?": False,
    "Ignore that, I'm busy": False,
    "Forget that I'm drunk, what can I eat?": False,
    "Just kidding, they are angels, but what can I cook for them?": False,
}


@pytest.mark.parametrize("text", ALONE_OR_NOT)
def test_what_goes_on_with_something_else_takes_back_a_turn_of_facts_alone(text: str) -> None:
    ends = [one.ends for one in told(text, before="Hi! I live in Oslo")]
    assert ends == [("User lives in Oslo",)] * ALONE_OR_NOT[text]
    for before in ("I live in Oslo. Find me a gym.", "I live in Oslo and need a gym"):
        assert told(text, before=before) == []


NAMED_BY_SLOT = """
I was kidding about my diet | I'm vegan | User is vegan
sorry, I lied about my age | I live in Oslo and I'm 34 | User is 34 years old
I was joking about my name lol | My name is Bruno | User's name is Bruno
just kidding about my job | I'm a nurse and my wife is a pilot | User is a nurse
""".strip().splitlines()


@pytest.mark.parametrize("turns", NAMED_BY_SLOT)
def test_a_slot_names_what_is_taken_back(turns: str) -> None:
    text, before, over = turns.split(" | ")
    assert [one.ends for one in told(text, before=before)] == [(over,)]
    assert told(text, before="My brother is a vegan of 34, and a nurse") == []


REPLACED = """
I'm a nurse | jk, I'm a teacher | User is a nurse
I have two cats and live in Oslo | Scratch that, I have three cats | User has two cats
I'm vegan | lol jk I eat meat | User is vegan
I'm allergic to nuts | Wait, that's wrong, I'm allergic to eggs | User is allergic to nuts
My name is Bob | Just kidding, it's Rob | User's name is Bob
I live in Oslo | Scratch that, Bergen | User lives in Oslo
I live in Oslo and have a dog | That was a joke, I don't live there | User lives in Oslo
I'm a doctor, my wife is a nurse | jk, I'm not a doctor, but a nurse | User is a doctor
""".strip().splitlines()


@pytest.mark.parametrize("turns", REPLACED)
def test_the_right_value_takes_back_the_wrong_one(turns: str) -> None:
    before, text, over = turns.split(" | ")
    found = told(text, before=before)
    assert [one.ends for one in found if one.ends] == [(over,)]
    assert found[-1].content == (told(text) or found)[-1].content


def test_a_topic_is_a_whole_word() -> None:
    assert told("I lied about my age", before="I work at Volkswagen") == []


def test_only_what_names_the_topic_is_taken_back() -> None:
    before = "I have seventeen cats and my brother Tom lives in Oslo"
    (found,) = told("Forget what I said about Tom", before=before)
    assert found.ends == ("User's brother Tom lives in Oslo", "User's brother is named Tom")


CORRECTED = {
    "No wait, it's John": ("My name is Jon", "User's name is John", "User's name is Jon"),
    "sorry, I meant Oslo": ("I live in Bergen", "User lives in Oslo", "User lives in Bergen"),
    "no, in Essex": ("I live in Kent", "User lives in Essex", "User lives in Kent"),
    "No wait, it's John. With an h.": (
        "My name is Jon and I build boats",
        "User's name is John",
        "User's name is Jon",
    ),
    "actually it's May 3, no idea why I wrote March": (
        "My birthday is March 3",
        "User's birthday is May 3",
        "User's birthday is March 3",
    ),
    "correction, it's b@fjord.example, the other one bounces": (
        "my e-mail is a@fjord.example",
        "User's e-mail is b@fjord.example",
        "User's e-mail is a@fjord.example",
    ),
    "actually, it's 35": ("I'm 34", "User is 35 years old", "User is 34 years old"),
}


@pytest.mark.parametrize("text", CORRECTED)
def test_a_correction_replaces_the_value_said_before(text: str) -> None:
    before, content, over = CORRECTED[text]
    (found,) = told(text, before=before)
    assert (found.content, found.ends) == (content, (over,))


@pytest.mark.parametrize(
    "text", ["No wait, it's raining", "Sorry, I meant tomorrow", "Actually no"]
)
def test_no_correction_of_another_kind(text: str) -> None:
    assert told(text, before="My name is Jon") == []


def test_an_exclamation_is_no_correction() -> None:
    assert told("oh yeah he's great!", before="I love brass music") == []
    assert told("no problem", before="I love brass music") == []
