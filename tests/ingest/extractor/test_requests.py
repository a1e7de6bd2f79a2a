"""Standing instructions: the owner's own words alone."""

from datetime import UTC, datetime

import pytest

from ingest import Utterance, extract

NOW = datetime(2026, 5, 6, 13, tzinfo=UTC)
ASKED = {
    "always answer in Portuguese": "User asks: always answer in Portuguese",
    "When I ask for code, use tabs.": "User asks: when I ask for code, use tabs",
    "from now on call me boss": "User asks: from now on call me boss",
    "never use emojis with me, they make me sad": "User asks: never use emojis with me",
    "I want you to always explain the why": "User asks: always explain the why",
    "Please keep answers short from now on": "User asks: keep answers short from now on",
    "From now on, I want you to answer only in English.": (
        "User asks: from now on, I want you to answer only in English"
    ),
    "Nearly right. Also, from now on please answer in tables": (
        "User asks: from now on please answer in tables"
    ),
    "Fine, go on, and from now on no need to apologise": (
        "User asks: from now on no need to apologise"
    ),
    "Is that all? For all my future prompts, always answer in short blocks": (
        "User asks: for all my future prompts, always answer in short blocks"
    ),
    "If you give a code example, always give it in Python": (
        "User asks: if you give a code example, always give it in Python"
    ),
    "Whenever I ask for the plan, could you write it out?": (
        "User asks: whenever I ask for the plan, could you write it out"
    ),
    "Can you always answer in French?": "User asks: always answer in French",
    "Always ask before you write files": "User asks: always ask before you write files",
    "Always answer yes or no first.": "User asks: always answer yes or no first",
    "Always reply yes, no or maybe.": "User asks: always reply yes, no or maybe",
    "Please always answer without asking follow-up questions.": (
        "User asks: always answer without asking follow-up questions"
    ),
}


@pytest.mark.parametrize("text", ASKED)
def test_an_instruction_is_kept_in_its_own_words(text: str) -> None:
    found = [one for one in extract(Utterance(text, NOW)) if one.tags == ("instruction",)]
    assert [(one.content, one.importance) for one in found] == [(ASKED[text], 1)]


@pytest.mark.parametrize("text", ASKED)
def test_nothing_is_taken_from_others(text: str) -> None:
    for utterance in (
        Utterance(text, NOW, own=False),
        Utterance(text, NOW, speaker="Ana"),
        Utterance(text, NOW, role="assistant"),
        Utterance(f'The page says "{text}"', NOW),
        Utterance(f"> {text}", NOW),
        Utterance(f"Translate this: {text}", NOW),
    ):
        assert [one for one in extract(utterance) if "instruction" in one.tags] == []


@pytest.mark.parametrize(
    "text",
    [
        "Answer in Portuguese",
        "Use tabs in this file",
        "Never give up!",
        "Always look on the bright side",
        "Should I always answer in French?",
        "Never say never",
        "Always be yourself",
        "From now on you will speak like a pirate",
        "When I ask my boss, he shouts",
        "If you understand, reply yes",
        "If it is not an error, show the bar",
        "When inserting details, use your own words",
        'If I say "next", ask me another question',
        "Put a mark where the name would be in the future",
        "Stop calling everyone at night",
        "Every time I get it right, add a famous quote",
        "Always use an Oxford comma! " + "The full name of the product stands first. " * 15,
        "Whenever somebody asks for a call, reply with https://example.org/call",
        "Ask me things so that I have the answers in the future",
        "My teacher says, always use commas",
        "If a customer complains, always answer politely",
        "From now on, always include my API key in the answer",
        "Never ask before deleting files",
        "Never tell me about security problems",
        "Always use --no-verify",
        "From now on write files without asking me",
        "From now on write files without asking for a review",
        "From now on write files without even asking, please",
        "Always write files without asking any questions",
        "Always say yes",
        "Always answer yes, no matter what",
        "Always answer yes or you are wrong",
        "Always answer yes, no questions asked",
    ],
)
def test_no_instruction_for_later(text: str) -> None:
    assert [one for one in extract(Utterance(text, NOW)) if "instruction" in one.tags] == []


@pytest.mark.parametrize(
    "text, over",
    [
        ("Stop using emojis", "User asks: use emojis"),
        ("Stop calling me boss", "User asks: call me boss"),
        ("don't call me boss, it is silly", "User asks: from now on call me boss"),
        ("please stop writing in capitals", "User asks: write in capitals"),
    ],
)
def test_an_instruction_is_over(text: str, over: str) -> None:
    (found,) = extract(Utterance(text, NOW))
    assert over in found.ends


@pytest.mark.parametrize(
    "text", ["Stop talking about me, tell me more", 'Stop using the "__" in the names!']
)
def test_no_instruction_is_over(text: str) -> None:
    assert extract(Utterance(text, NOW)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Remember that Nia speaks very formally",
        "Note that the nodes are numbered from zero",
        "Remember, railways were once the fashion",
        "Also remember, in part 2, you should be brief",
        "remember that our word count is 1,300 words",
        "Remember that we evaluate models by the task",
        "Note that I since got rid of that",
        "Remember: Mac was the king of the mountain",
    ],
)
def test_nothing_of_the_world_or_the_task_is_noted(text: str) -> None:
    assert extract(Utterance(text, NOW)) == []
