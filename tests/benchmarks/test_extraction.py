"""The judge of extracted memories, and the labelled turns that it judges by."""

import re
from collections import Counter

import pytest

from benchmarks.extraction.__main__ import failure, table
from benchmarks.extraction.judging import judge, lacks, states
from benchmarks.extraction.labelled import FILES, SAID_AT, Fact, Turn, read_labelled
from benchmarks.extraction.measuring import Measured, count
from ingest import Candidate, Utterance

EVERY = [turn for name in FILES for turn in read_labelled(name)]
LEAST_TURNS = 240


def turn_of(text: str, *facts: Fact, speaker: str | None = None) -> Turn:
    return Turn(Utterance(text=text, said_at=SAID_AT, speaker=speaker), facts, "en", "")


JRPGS = Fact("preference", "User likes JRPGs", ("jrpg",))
SPAM = Fact("preference", "User dislikes spam", ("spam",))
SISTER = Fact("relation", "User's sister loves opera", ("opera",))
OSLO = Fact("plan", "User is moving to Oslo in May", ("oslo",), dates=("2026-05",))
RACE = Fact("event", "User ran a marathon", ("marathon",), dates=("2026-03-09",))
SMOKING = Fact("end", "User smokes", ("smok",), or_create=("User quit smoking",), action="archive")
GAMER = "I love JRPGs because the stories are great, and pizza"


@pytest.mark.parametrize(
    "fact, said, content, right",
    [
        (JRPGS, GAMER, "User loves JRPGs", True),
        (JRPGS, GAMER, "User loves JRPGs because the stories are great", True),
        (JRPGS, GAMER, "User is a fan of JRPGs", True),
        (JRPGS, GAMER, "User likes pizza", False),
        (JRPGS, GAMER, "User does not like JRPGs", False),
        (JRPGS, GAMER, "User likes Japanese JRPGs", False),
        (JRPGS, GAMER, "I love JRPGs", False),
        (JRPGS, GAMER, "User's sister likes JRPGs", False),
        (JRPGS, GAMER, "JRPGs", False),
        (SPAM, "i dont like spam", "User does not like spam", True),
        (SPAM, "i dont like spam", "User doesn’t like spam", True),
        (SPAM, "i dont like spam", "User hates spam", True),
        (SPAM, "i dont like spam", "User can't stand spam", True),
        (SPAM, "i dont like spam", "User likes spam", False),
        (SPAM, "i dont like spam", "User does not hate spam", False),
        (SISTER, "my sister loves opera", "User's sister likes opera", True),
        (SISTER, "my sister loves opera", "User loves opera", False),
        (SISTER, "my sister loves opera", "User's brother loves opera", False),
        (OSLO, "I'm moving to Oslo in May", "User is moving to Oslo in 2026-05", True),
        (OSLO, "I'm moving to Oslo in May", "User plans to move to Oslo", True),
        (OSLO, "I'm moving to Oslo in May", "User is moving to Oslo on 2026-05-01", True),
        (OSLO, "I'm moving to Oslo in May", "User is moving to Oslo in 2027-05", False),
        (OSLO, "I'm moving to Oslo in May", "User lives in Oslo", False),
        (RACE, "I ran a marathon yesterday", "User ran a marathon on 2026-03-09", True),
        (RACE, "I ran a marathon yesterday", "User ran a marathon on 2026-03-08", False),
        (RACE, "I ran a marathon yesterday", "User ran a marathon in 2026", True),
        (RACE, "I ran a marathon yesterday", "User ran a marathon in 2025", False),
        (RACE, "I ran the 2019 marathon yesterday", "User ran the 2019 marathon", True),
    ],
)
def test_a_memory_is_right_when_it_states_the_fact(
    fact: Fact, said: str, content: str, *, right: bool
) -> None:
    assert states(Candidate(content), fact, turn=turn_of(said, fact)) is right


@pytest.mark.parametrize(
    "content, action, right",
    [
        ("User smokes", "archive", True),
        ("User smokes", "create", False),
        ("User quit smoking", "create", True),
        ("User quit smoking", "archive", False),
    ],
)
def test_the_end_of_a_fact_may_be_told_in_two_ways(
    content: str, action: str, *, right: bool
) -> None:
    candidate = Candidate(content, "archive" if action == "archive" else "create")
    assert states(candidate, SMOKING, turn=turn_of("I quit smoking", SMOKING)) is right


def test_somebody_of_a_group_is_named() -> None:
    fact = Fact("place", "Tom lives in Bristol", ("bristol",))
    turn = turn_of("I live in Bristol", fact, speaker="Tom")
    judged = judge(turn, [Candidate("Tom lives in Bristol"), Candidate("User lives in Bristol")])
    assert [one.content for one in judged.right] == ["Tom lives in Bristol"]
    assert [one.content for one in judged.wrong] == ["User lives in Bristol"]


def test_what_is_counted() -> None:
    maybe = Fact("event", "User saw Radiohead", ("radiohead",), optional=True)
    turn = turn_of(f"{GAMER}. I saw Radiohead. My sister loves opera", JRPGS, SISTER, maybe)
    contents = ("User loves JRPGs", "User likes JRPGs", "User saw Radiohead", "User is a nurse")
    judged = judge(turn, [Candidate(content) for content in contents])
    assert [one.content for one in judged.wrong] == ["User is a nurse"]
    assert judged.missed == [SISTER]
    counts = count([judged])
    assert counts == (2, 3, 1, 2)
    assert counts.precision == pytest.approx(2 / 3)
    assert counts.recall == pytest.approx(1 / 2)


def test_nothing_told_is_nothing_wrong() -> None:
    counts = count([judge(turn_of("hi"), [])])
    assert (counts.precision, counts.recall) == (1, 1)


def test_the_table_and_the_failures_name_what_was_wrong() -> None:
    turn = turn_of(GAMER, JRPGS, speaker="Ana")
    nothing = turn_of("hello there")
    judged = [judge(turn, [Candidate("Ana is a nurse", rule="work")]), judge(nothing, [])]
    text = table("dev", Measured(judged, 1000))
    assert (
        "precision 0.000 (0 of 1), recall 0.000 (0 of 1), 0 wrong ends, 0.0 wrong per 100" in text
    )
    assert "preference recall 0.00 of 1" in text
    assert failure(judged[0]).splitlines() == [
        f"Ana: {GAMER}",
        "    wrong create 'Ana is a nurse' (work)",
        "    missed create 'User likes JRPGs'",
    ]


@pytest.mark.parametrize("name", FILES)
def test_the_labelled_turns_are_many_and_mostly_hard(name: str) -> None:
    turns = read_labelled(name)
    nothing = [turn for turn in turns if not turn.required]
    assert len(turns) >= LEAST_TURNS
    assert 2 * len(nothing) >= len(turns)
    assert all(turn.why for turn in nothing if not turn.facts)


def test_no_turn_stands_there_twice() -> None:
    seen = Counter(
        " ".join(re.findall(r"\w+", turn.utterance.text.casefold())) or turn.utterance.text
        for turn in EVERY
    )
    assert [text for text, times in seen.items() if times > 1] == []


def test_every_form_of_a_label_has_what_the_label_needs() -> None:
    odd = [
        (form, fact.needs)
        for turn in EVERY
        for fact in turn.facts
        for form in (fact.content, *fact.accept, *fact.or_create)
        if lacks(form, fact) and not any(need.startswith("20") for need in fact.needs)
    ]
    assert odd == []


def test_every_label_would_be_found_in_other_words() -> None:
    """The longest way to begin: a form with something of the turn's own words behind it."""
    unheard = [
        form
        for turn in EVERY
        for fact in turn.facts
        for form in fact.forms(fact.action)
        if not states(
            Candidate(f"{form} ", "archive" if fact.action == "archive" else "create"),
            fact,
            turn=turn,
        )
        and not lacks(form, fact)
    ]
    assert unheard == []
