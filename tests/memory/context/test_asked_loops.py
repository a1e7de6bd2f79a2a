"""Questions for promises and tasks: answered by the loops of the person whom they name."""

from datetime import UTC, datetime, timedelta

import pytest

from memory.context.building import build_context
from memory.context.request import ContextRequest
from memory.context.values import Context
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.records.distillation.running import distil
from memory.records.open_loops import list_open_loops
from memory.records.people import NewPerson, write_person
from memory.records.questions.loops import asked_loops
from memory.records.topics import read_topic
from memory.workspace import Workspace

BEGUN = datetime(2026, 3, 2, 9, tzinfo=UTC)
SAID = (
    "I told my wife Dana I'd fix the gutter before the next storm",
    "I told Marc I'd send the onboarding slides tomorrow",
    "I told Marc I'd book the ferry by Friday",
    "Dana and Marc are coming for dinner, Marc brings the wine",
    "I need to renew my passport",
    "The onboarding slides are sent",
)


@pytest.fixture
def told(memory: Workspace) -> Workspace:
    turns = [
        NewTurn("s1", text, ts=(BEGUN + timedelta(hours=number)).isoformat())
        for number, text in enumerate(SAID)
    ]
    add_turns(memory, turns)
    distil(memory)
    return memory


def asked(memory: Workspace, query: str) -> Context:
    return build_context(memory, ContextRequest("s2", query))


def topics(memory: Workspace, question: str) -> list[str]:
    return [one.loop.topic for one in asked_loops(memory, question)]


def test_what_i_promised_somebody_is_answered_with_the_turns(told: Workspace) -> None:
    context = asked(told, "what did I promise Marc?")
    loops = [one for one in context.parts if (one.citation or "").startswith("loop")]
    opened, closed = (one.text for one in loops)
    assert opened == (
        "book the ferry (to Marc, due 2026-03-06, open); opened in session s1 turn 3, 2026-03-02: "
        f'"{SAID[2]}"'
    )
    assert closed == (
        "send the onboarding slides (to Marc, due 2026-03-03, done); "
        f'opened in session s1 turn 2, 2026-03-02: "{SAID[1]}"; '
        f'closed in session s1 turn 6, 2026-03-02: "{SAID[5]}"'
    )
    assert context.matched


def test_the_words_of_the_question_need_not_be_in_the_loop(told: Workspace) -> None:
    """The topic is "fix the gutter": nothing of it, nor a search of it, says Dana."""
    write_person(told, NewPerson(name="Dana", aliases=["Danchen"]))
    for question in ("what did I promise Dana?", "do I still owe Danchen anything?"):
        (found,) = read_topic(told, question).open_loops[:1]
        assert found.topic.startswith("fix the gutter")
        (first, *_) = read_topic(told, question).results
        assert first.citation == found.citation
        assert "fix the gutter" in asked(told, question).markdown


@pytest.mark.parametrize(
    "question, expected",
    [
        ("what did I promise?", 4),
        ("what are my open loops?", 4),
        ("What do I still have to do?", 4),
        ("show me all my to-dos", 4),
        ("what did I promise about the ferry?", 1),
        ("what did I promise Ludmilla?", 0),
        ("what did Marc promise me?", 0),
        ("where does Marc live?", 0),
        ("how do I renew a passport?", 0),
    ],
)
def test_only_such_questions_get_loops(told: Workspace, question: str, expected: int) -> None:
    assert len(topics(told, question)) == expected


def test_open_ones_come_first_and_no_loop_twice(told: Workspace) -> None:
    found = topics(told, "what did I promise?")
    assert found[-1] == "send the onboarding slides"
    assert len(list_open_loops(told, resolved=True)) == len(found)
    answer = read_topic(told, "what did I promise Marc about the ferry?")
    cited = [one.citation for one in answer.results]
    assert len(cited) == len(set(cited))
    assert len({one.id for one in answer.open_loops}) == len(answer.open_loops)
