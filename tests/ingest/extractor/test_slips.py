"""Slips of the tongue that the same turn corrects, and sentences that correct nothing."""

from datetime import UTC, datetime

import pytest

from ingest import Utterance, extract

NOW = datetime(2026, 5, 4, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    "text, contents",
    [
        ("I live in Cork. Sorry, I mean Kerry.", ["User lives in Kerry"]),
        ("I'm allergic to penicillin. wait no, ibuprofen", ["User is allergic to ibuprofen"]),
        ("I'm 34, no wait, 35", ["User is 35 years old"]),
        ("My name is Jon. No wait, it's John.", ["User's name is John"]),
        ("I live in Bergen, I mean Oslo.", ["User lives in Oslo"]),
        ("I work at Bosch. Correction: Siemens.", ["User works at Siemens"]),
        ("My e-mail is a@b.org - sorry, I meant b@b.org", ["User's e-mail is b@b.org"]),
        (
            "I'm 34 and I live in Cork. Sorry, I mean Kerry.",
            ["User is 34 years old", "User lives in Kerry"],
        ),
        (
            "I live in Cork, no sorry, Kerry. I have two cats.",
            ["User has two cats", "User lives in Kerry"],
        ),
        ("I'm a nurse. Sorry, I meant a midwife", ["User is a midwife"]),
        ("I live in Oslo. Sorry, Anna called.", ["User lives in Oslo"]),
        ("I'm Anna. Sorry, Mark, I'm late", ["User's name is Anna"]),
        ("I live in Oslo. Wait, no, I have a question about Rome.", ["User lives in Oslo"]),
        ("I'm 34. I mean, 35 people came to my party", ["User is 34 years old"]),
        ("I live in Oslo. I mean, Norway is great.", ["User lives in Oslo"]),
        ("I live in Oslo. Actually, Bergen is nicer.", ["User lives in Oslo"]),
        ("I'm allergic to penicillin. No, seriously.", ["User is allergic to penicillin"]),
        (
            "I'm allergic to penicillin. Wait, no antibiotics please",
            ["User is allergic to penicillin"],
        ),
        ("I live in Rome. Wait, no, never mind.", ["User lives in Rome"]),
        ("I'm allergic to nuts. I mean really allergic.", ["User is allergic to nuts"]),
        ("I'm allergic to nuts. I mean it.", ["User is allergic to nuts"]),
        ("I'm allergic to nuts, I mean seriously", ["User is allergic to nuts"]),
        ("I work at Bosch, I mean, who doesn't?", ["User works at Bosch"]),
        ("I'm allergic to peanuts. Sorry, I mean tree nuts.", ["User is allergic to tree nuts"]),
        ("I'm allergic to cats, I mean they make me sneeze", ["User is allergic to cats"]),
        (
            "I'm allergic to cats. No wait, dogs! I live in Rome.",
            ["User is allergic to dogs", "User lives in Rome"],
        ),
        ("Hi, I'm Sam. No wait, Pam!", ["User's name is Pam"]),
        ("I live in Turin — sorry, I mean Milan", ["User lives in Milan"]),
        ("I'm allergic to shellfish, sorry, I meant gluten.", ["User is allergic to gluten"]),
        ("My birthday is May 3. Oops, I mean May 4.", ["User's birthday is May 4"]),
        ("I'm 40. Wait, no, that's my brother.", ["User is 40 years old"]),
        ("I live in Leeds. I mean it's fine.", ["User lives in Leeds"]),
        ("I'm allergic to eggs. No wait. What else?", ["User is allergic to eggs"]),
        ("My name is Ann. I mean what I say.", ["User's name is Ann"]),
        ("My name is Ann. Sorry, no, Rome is not in Spain.", ["User's name is Ann"]),
        ("I live in Oslo. Wait, no, Bergen is where my mum lives.", ["User lives in Oslo"]),
        ("I'm allergic to dogs. I mean cats are fine.", ["User is allergic to dogs"]),
        ("I am allergic to nuts, I mean peanuts.", ["User is allergic to peanuts"]),
        ("we moved to Porto last year, no, wait, Lisbon", ["User lives in Lisbon"]),
    ],
)
def test_a_slip_is_corrected_within_a_turn(text: str, contents: list[str]) -> None:
    found = extract(Utterance(text, NOW))
    assert sorted(one.content for one in found) == sorted(contents)


def test_a_correction_within_a_turn_ends_nothing_of_another() -> None:
    (found,) = extract(Utterance("I live in Cork. Sorry, I mean Kerry.", NOW))
    assert (found.rule, found.ends) == ("correction", ())
    assert (found.start, found.end) == (16, 36)
