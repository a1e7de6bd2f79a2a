"""What stands behind a label is believed where the label names a topic, and nobody."""

from datetime import UTC, datetime

import pytest

from ingest import Utterance, extract

NOW = datetime(2026, 5, 4, 10, tzinfo=UTC)

OWN = """
    Important, IMPORTANT, Very important, Heads up, Warning, Allergies, Diet, Dietary
    restrictions, Health, Diagnosis, Job, Home, Location, Age, Family, Kids, Pets, Hobbies,
    Languages, Occupation, Role, Current job, Status, From now on, My preference, My
    preferences, Preference, Instruction, Instructions, Language, Style, Clarification,
    Small correction, Status update, Life update, Exciting news, Announcement, Recap, Bottom
    line, A bit about me, Additional info, Extra context, Another thing, Random fact,
    Follow-up, Another question, Requirements, Constraints, Task, Request, First, Second, 1,
    Full disclosure, Confession, IMO, Unpopular opinion, PPS, N.B., Dear diary, 2026-05-01,
    May 1, 3 June, Step 2, TL;DR, Edit, Long story short, Job update, Plot twist, Medical
    history, **Diet**, Baby news, Food allergies, On a personal note, Side note, For your
    information, Living situation, Where I am now, My only problem is, Hi Ben, In a
    nutshell, Update from work, On Friday, Dinner 19:30, However, Worth mentioning, Edit 2,
    What matters, Most importantly, Jan 3
"""

THEIRS = """
    my mate, my roommate Zed, My ex, my pal Xander, And then Rosa goes, Some guy on the bus,
    Anna K., Rosa 10:31, The user is asking, The customer has, His status was, Radio host
    Lindgren, On the forum, Her update, Rosa's question, my sister's news, The client's
    request, Zed, Zed from work, Then he goes, so she was like, A woman at work, Their
    location, In the letter, From the website, Ticket 5, The log, As my doctor says, My
    classmate, Our host, My coworker's problem, Your job, Note from Rosa, Customer 12, User
    story, our tour guide, Support agent, System note
"""


def labels(listed: str) -> list[str]:
    return [" ".join(label.split()) for label in listed.split(",")]


@pytest.mark.parametrize("label", labels(OWN))
def test_notes_and_topics_are_labels_of_ones_own_words(label: str) -> None:
    found = extract(Utterance(f"{label}: always answer in German", NOW))
    assert [each.content for each in found] == ["User asks: always answer in German"]


@pytest.mark.parametrize("label", labels(THEIRS))
@pytest.mark.parametrize("said", ["I live in Oslo", "my name is Ida", "always answer in German"])
def test_who_and_what_is_named_by_a_label_speaks_behind_it(label: str, said: str) -> None:
    assert extract(Utterance(f"{label}: {said}", NOW)) == []


@pytest.mark.parametrize(
    "text, content",
    [
        ("Important: I'm allergic to peanuts", "User is allergic to peanuts"),
        ("Dietary restrictions: I'm vegan", "User is vegan"),
        ("Age: I'm 34", "User is 34 years old"),
        ("TL;DR: I moved to Oslo", "User lives in Oslo"),
        ("Edit: I live in Bergen", "User lives in Bergen"),
        ("Side note: I'm vegan", "User is vegan"),
        ("Here's what happened. I moved to Oslo.", "User lives in Oslo"),
        ("Here's what changed: I moved to Oslo", "User lives in Oslo"),
        ("Here is a letter for my landlord. I live in Oslo.", "User lives in Oslo"),
        ("Here's an email I need help with. I work at Acme.", "User works at Acme"),
        ("Here's a song for you. I love jazz.", "User loves jazz"),
        ("Rosa sent me this recipe. I'm vegan, can I eat it?", "User is vegan"),
        ("My sister shared this with me! I'm vegan too.", "User is vegan"),
        ("Is this correct? I'm vegan so no honey.", "User is vegan"),
        ("We are in the play together. I live in Oslo.", "User lives in Oslo"),
        ("Chapter 3 done\nI'm vegan", "User is vegan"),
        ("Ada's CV is great.\nI'm a nurse", "User is a nurse"),
        ("I have diabetes, they said.", "User has diabetes"),
        ("The plan is as follows\nI live in Oslo", "User lives in Oslo"),
        ("Here's the photo my mom sent. I live in Oslo.", "User lives in Oslo"),
        ("My boss told me\nto relax. I live in Oslo", "User lives in Oslo"),
        ("Great - I live in Oslo too", "User lives in Oslo"),
    ],
)
def test_what_only_looks_like_the_words_of_another_is_believed(text: str, content: str) -> None:
    assert [each.content for each in extract(Utterance(text, NOW))] == [content]


@pytest.mark.parametrize(
    "text",
    [
        "Breakfast 08:00\nI'm vegan\nLunch 12:00\nI live in Oslo",
        "Monday 10:00\nI'm vegan\nMonday 14:00\nI live in Oslo",
        "Gym 10:00\nI'm vegan\nOffice 12:00\nI live in Oslo",
        "- Diet: I'm vegan\n- Home: I live in Oslo",
        "**Diet:** I'm vegan\n**Home:** I live in Oslo",
    ],
)
def test_plans_of_a_day_and_lists_of_topics_are_no_chats(text: str) -> None:
    found = [each.content for each in extract(Utterance(text, NOW))]
    assert found == ["User is vegan", "User lives in Oslo"]


@pytest.mark.parametrize(
    "text",
    [
        "Tom — I live in Oslo",
        "She told me\nI live in Oslo",
        "My boss said\nI live in Oslo",
        "Reporter: Jonas\nI live in Norway",
        "Author: Anna Berg\n\nI live in Norway",
        "Zed 10:00\nI live in Oslo\nKim 10:01\nnice\nZed 10:02\nI'm vegan",
        "Here's what Rosa wrote: I live in Oslo",
        "Here's what my doctor said.\nI have asthma",
        "Here is his letter. I live in Oslo.",
        "He sent me this yesterday\nI live in Oslo",
        "Rosa sent me this poem: I live in Oslo",
        "Kim wrote\nI live in Oslo",
        "Here's what Kim sent. I live in Oslo.",
        "In my play I live in Rome",
    ],
)
def test_what_is_introduced_as_anothers_is_not_believed(text: str) -> None:
    assert extract(Utterance(text, NOW)) == []
