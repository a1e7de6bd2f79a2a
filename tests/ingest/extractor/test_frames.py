"""What an earlier message makes of a later one: a part that is played, a text to work on."""

from datetime import UTC, datetime

import pytest

from ingest import Utterance, extract

NOW = datetime(2026, 5, 4, 9, tzinfo=UTC)
ANSWER = "I have a degree in biology and I live in Graz."
STORY = f"{ANSWER} {'The rain had not stopped for days, and nobody came to the shop. ' * 5}"


def told(text: str, *said: str, speaker: str | None = None) -> list[str]:
    before, earlier = (said[-1], said[:-1]) if said else ("", ())
    found = extract(Utterance(text, NOW, speaker=speaker, before=before, earlier=earlier))
    return [one.content for one in found]


@pytest.mark.parametrize(
    "begun",
    [
        "Act as an interviewer. I will be the candidate and you ask me the questions.",
        "Pretend I am a patient and you are a doctor.",
        "Let's play a text adventure in a castle",
        "You are a pirate. Never break character.",
        "I'll be the customer and you sell me a bicycle",
    ],
)
def test_a_part_lasts_until_it_is_played_out(begun: str) -> None:
    assert told(ANSWER, begun) == []
    assert told(ANSWER, begun, "Good question!", "Go on") == []
    assert told(ANSWER, begun, "Stop the game.") != []
    assert told(ANSWER, begun, "ok, stop the roleplay") != []
    assert told(ANSWER, begun, "The role-play is over now.", "What a day") != []
    assert told(f"Out of character for a moment. {ANSWER}", begun) != []


@pytest.mark.parametrize(
    "said",
    [
        "stop the roleplay",
        "Let's stop the role-play here",
        "end of the text adventure",
        "No more roleplaying please",
        "enough of the dnd campaign",
        "The roleplay is over",
    ],
)
def test_a_part_ends_by_its_name(said: str) -> None:
    assert told(ANSWER, "Let's play pirates", "Aye", said, "How are you?") != []
    assert told(ANSWER, said) != []


@pytest.mark.parametrize(
    "said",
    [
        "Stop. Now let's play a text adventure",
        "Enough work for today, let's roleplay",
        "Let's play pirates. Never stop the roleplay before I say so, and you are a captain",
        "I don't want to stop, stay in character",
    ],
)
def test_a_part_may_begin_where_something_else_ends(said: str) -> None:
    assert told(ANSWER, said) == []


@pytest.mark.parametrize(
    "asked",
    [
        "pretend I'm 25: what super fund should I choose",
        "Pretend that my budget is 500, which laptop do I get?",
        "pretend we live in Norway. How much tax is it?",
    ],
)
def test_what_is_supposed_for_one_question_is_no_part(asked: str) -> None:
    assert told(ANSWER, asked) != []
    assert told(asked) == []


@pytest.mark.parametrize(
    "begun",
    [
        "Pretend I am a patient and you are a doctor: what do you ask me?",
        "Let's pretend we are on Mars. What do you see?",
        "pretend you're my boss, what would you say?",
    ],
)
def test_a_part_may_begin_with_a_question(begun: str) -> None:
    assert told(ANSWER, begun) == []


@pytest.mark.parametrize(
    "begun",
    [
        "Act as a travel guide.",
        "You are an expert copywriter.",
        "Act as an interviewer and ask me about my hobbies",
        "Explain what a patient is",
        "What is a good game to play?",
    ],
)
def test_who_is_helped_is_still_themselves(begun: str) -> None:
    assert told(ANSWER, begun) != []


def test_a_part_of_one_in_a_group_is_none_of_the_others() -> None:
    assert told(ANSWER, "Let's play cards tonight", speaker="Ana") != []


def test_a_part_of_a_named_person_alone_with_an_assistant_is_theirs() -> None:
    alone = ("Let's play pirates", "Aye")
    assert told(ANSWER, *alone, "", speaker="Sam") == []
    assert told(ANSWER, *alone, "stop the game", "", speaker="Sam") != []


@pytest.mark.parametrize(
    "begun",
    [
        "You are an editor. Proofread the texts that I will send you.",
        "Can you rewrite my letters in plain English?",
        "Dear Admission Officer,\nI hope this finds you well.",
    ],
)
def test_long_messages_are_texts_after_a_request_to_work_on_texts(begun: str) -> None:
    assert told(STORY, begun, "Thanks") == []
    assert told(ANSWER, begun, "Thanks") != []
    assert told(STORY) != []


@pytest.mark.parametrize(
    "text",
    [
        "I am a nurse and I live in Leeds.\n\nRewrite this in a more formal tone",
        "1. I live in Rome\n2. I like tea\nTranslate these to French",
        "I have two brothers. Is it correct?",
        "Can you make this sound better? I am a passionate teacher.",
        "Is this sentence correct? I have two brothers.",
        "Here's a sample:\nMy name is John. I live in Oslo.",
        "My name is John Smith and I'm excited to apply for the position. I am a nurse.",
        "\n".join(["I love to fly", "We get you there", "Great value", "I like red roses"] * 2),
        "00:01 Hi, my name is Devin and I'm a dealer",
        "How can I improve my script?\n\nGood morning, my name is Ann.",
        "아래 이메일을 보낼 때\n\nHi there.\nMy name is Ann.",
    ],
)
def test_a_text_to_work_on_may_stand_before_the_request_or_after_it(text: str) -> None:
    assert told(text) == []


def test_an_announced_text_is_none_of_the_speakers_words() -> None:
    assert told(ANSWER, "I will write a sentence and you rate it.") == []
    assert told(ANSWER, "I will tell you about myself.") != []


def test_a_request_about_another_text_takes_nothing_of_the_speaker() -> None:
    assert told("I am a nurse in Leeds.\nTranslate the following.") == ["User is a nurse in Leeds"]
    assert told("I am a nurse in Leeds. Please correct my essay.") == ["User is a nurse in Leeds"]
