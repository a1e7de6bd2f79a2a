"""Statements end others: what is over is archived, whatever is told first, and nothing else is."""

import pytest

from ingest import Candidate
from memory.conversations.memories.editing import MemoryChange, edit_memory, remember
from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.why import why
from memory.conversations.outcomes import outcomes_of
from memory.operations.audit import audit
from memory.storage.action_log import actions_of
from memory.workspace import Workspace
from tests.memory.conversations.memories.conversing import (
    actions,
    active,
    consolidate_turn,
    memories,
    memory,
    said,
    told,
)

NO_MEAT = "User no longer eats meat"


def test_an_end_is_stored_and_takes_the_place_of_what_it_ends(workspace: Workspace) -> None:
    told(workspace, "User has a dog named Rex", said(workspace, "my dog Rex", "2026-01-01"))
    turn = said(workspace, "Rex died", "2026-02-01")

    done = told(workspace, "User's dog Rex died", turn, ends=("User has a dog named Rex",))

    assert actions(done) == [(2, "create"), (1, "archive")]
    assert active(workspace) == ["User's dog Rex died"]
    assert memory(workspace, 1).superseded_by == 2
    explained = why(workspace, 1)
    assert explained.superseded_by is not None
    assert explained.superseded_by.id == 2
    assert explained.last_actions[0].code == "ended"
    assert explained.last_actions[0].numbers == {"turn": turn.id, "by": 2}
    assert outcomes_of(workspace, turn.id) == done
    again = told(workspace, "User's dog Rex died", turn, ends=("User has a dog named Rex",))
    assert actions(again) == [(2, "merge")]


@pytest.mark.parametrize("origin", ["rules", "llm", "import", "user"])
def test_an_end_reaches_what_anybody_has_remembered(workspace: Workspace, origin: str) -> None:
    meat = [Candidate("User eats meat", importance=1)]
    consolidate_turn(workspace, None, meat, origin=origin)  # type: ignore[arg-type]

    told(workspace, NO_MEAT, said(workspace, "no more meat"))

    assert active(workspace) == [NO_MEAT]


def test_an_end_of_any_value_empties_a_slot(workspace: Workspace) -> None:
    told(workspace, "User works at Acme", said(workspace, "at Acme", "2026-01-01"))
    turn = said(workspace, "I was fired, and start at Globex", "2026-02-01")
    fired = Candidate("User was fired", ends=("User works somewhere",))

    consolidate_turn(workspace, turn, [Candidate("User works at Globex"), fired], origin="rules")

    assert active(workspace) == ["User works at Globex", "User was fired"]
    later = said(workspace, "fired again", "2026-03-01")
    assert actions(consolidate_turn(workspace, later, [fired], origin="rules")) == [
        (3, "merge"),
        (2, "archive"),
    ]


@pytest.mark.parametrize(
    "content, ends, past",
    [
        (NO_MEAT, (), "User eats meat about once a week"),
        ("User quit smoking", ("User smokes",), "User smokes every day"),
        ("User is divorced", ("User is married",), "User is married to Anna"),
        ("User no longer works at Acme", (), "User works at Acme"),
        ("User no longer lives in Berlin", (), "User lives in Berlin, Germany"),
        ("User was fired", ("User works somewhere",), "User works at Acme"),
    ],
)
def test_what_was_said_before_its_end_is_over_when_it_comes(
    workspace: Workspace, content: str, ends: tuple[str, ...], past: str
) -> None:
    told(workspace, content, said(workspace, "it is over", "2026-02-01"), ends=ends)
    earlier = said(workspace, "how it was", "2025-01-01")

    assert actions(told(workspace, past, earlier)) == [(2, "archive")]
    assert active(workspace) == [content]
    assert memory(workspace, 2).superseded_by == 1
    assert actions(told(workspace, past, earlier)) == [(2, "archive")]


@pytest.mark.parametrize(
    "content, ends, again",
    [
        (NO_MEAT, (), "User eats meat"),
        ("User quit smoking", ("User smokes",), "User smokes"),
        ("User was fired from Acme", ("User works at Acme",), "User works at Acme"),
        ("User does not work at Acme", (), "User works at Acme"),
        ("User is not allergic to nuts", (), "User is allergic to nuts"),
    ],
)
def test_the_opposite_said_later_ends_an_end(
    workspace: Workspace, content: str, ends: tuple[str, ...], again: str
) -> None:
    told(workspace, content, said(workspace, "it is over", "2026-02-01"), ends=ends)

    done = told(workspace, again, said(workspace, "it began again", "2026-03-01"))

    assert actions(done) == [(2, "create"), (1, "archive")]
    assert active(workspace) == [again]


def test_what_cannot_be_undone_stays(workspace: Workspace) -> None:
    died = said(workspace, "Rex died", "2026-02-01")
    told(workspace, "User's dog Rex died", died, ends=("User has a dog named Rex",))

    told(workspace, "User has a dog named Rex", said(workspace, "my dog Rex", "2026-03-01"))

    assert active(workspace) == ["User's dog Rex died", "User has a dog named Rex"]


@pytest.mark.parametrize(
    "kept, ended",
    [
        ("User drinks oat milk", "User drinks milk"),
        ("User's sister smokes", "User smokes"),
        ("User likes tea with milk", "User likes tea with honey"),
        ("User is afraid of big spiders", "User is scared of big spiders"),
        ("User plays chess with Ida", "User plays chess with Ben"),
        ("User works as a nurse", "User works at Acme"),
        ("User lives in Rome", "User lives in Berlin"),
        ("User has a dog named Rex", "User has a cat"),
    ],
)
def test_an_end_of_something_else_archives_nothing(
    workspace: Workspace, kept: str, ended: str
) -> None:
    told(workspace, kept, said(workspace, "this is so", "2026-01-01"))

    told(workspace, "User told of an end", said(workspace, "that is over"), ends=(ended,))
    told(workspace, ended, action="archive")

    assert active(workspace) == [kept, "User told of an end"]


def test_what_is_taken_back_leaves_nothing_and_restores_what_it_had_replaced(
    workspace: Workspace,
) -> None:
    told(workspace, "User lives in Berlin", said(workspace, "in Berlin", "2026-01-01"))
    joke = said(workspace, "I live on Mars now", "2026-01-02")
    told(workspace, "User lives on Mars", joke)
    told(workspace, "User lives in Marsala", joke)
    back = said(workspace, "that was a joke", "2026-01-03")

    done = told(workspace, "", back, ends=("User lives in Marsala", "User lives on Mars"))

    assert sorted(actions(done)) == [(2, "archive"), (3, "archive")]
    assert active(workspace) == ["User lives in Berlin"]
    assert memory(workspace, 2).superseded_by is None
    links = MemoryStore(workspace.storage).links(3)
    assert [(link.turn_id, link.reason) for link in links] == [
        (joke.id, "conflict"),
        (back.id, "conflict"),
    ]
    assert told(workspace, "", back, ends=("User lives in Marsala",)) == []
    assert actions_of(workspace.storage.database, 1)[0].action == "restored"


def test_a_joke_does_not_take_back_what_was_said_in_earnest_before(workspace: Workspace) -> None:
    for text in ("my dog Rex barks", "my dog Rex is the pope"):
        told(workspace, "User has a dog named Rex", said(workspace, text, "2026-01-01"))

    back = said(workspace, "just kidding", "2026-01-02")

    assert told(workspace, "", back, ends=("User has a dog named Rex",)) == []
    assert active(workspace) == ["User has a dog named Rex"]


def test_what_is_uncertain_replaces_nothing(workspace: Workspace) -> None:
    told(workspace, "User lives in Berlin", said(workspace, "in Berlin", "2026-01-01"))
    turn = said(workspace, "the commute here in Oslo is long", "2026-02-01")

    done = told(workspace, "User lives in Oslo", turn, certain=False)

    assert actions(done) == [(2, "archive")]
    assert active(workspace) == ["User lives in Berlin"]
    assert memory(workspace, 2).tags == ("unconfirmed",)
    (finding,) = audit(workspace, kinds=["unconfirmed"]).findings
    assert finding.ids == ["memory:2", "memory:1"]
    assert "it may have replaced memory 1: User lives in Berlin;" in finding.why
    assert finding.commands == ["mem memories confirm 2"]
    edit_memory(workspace, 2, MemoryChange(status="active"))
    assert active(workspace) == ["User lives in Oslo"]
    assert memory(workspace, 2).tags == ()
    assert audit(workspace, kinds=["unconfirmed"]).clean


def test_what_is_uncertain_holds_while_nothing_else_is_known(workspace: Workspace) -> None:
    late = said(workspace, "here in Oslo", "2026-02-01")
    assert actions(told(workspace, "User lives in Oslo", late, certain=False)) == [(1, "create")]

    told(workspace, "User lives in Berlin", said(workspace, "in Berlin", "2026-01-01"))

    assert active(workspace) == ["User lives in Berlin"]
    assert memory(workspace, 1).tags == ("unconfirmed",)


def test_a_certain_statement_settles_what_was_unconfirmed(workspace: Workspace) -> None:
    told(workspace, "User lives in Berlin", said(workspace, "in Berlin", "2026-01-01"))
    oslo = said(workspace, "here in Oslo", "2026-02-01")
    told(workspace, "User lives in Oslo", oslo, certain=False)

    told(workspace, "User lives in Oslo", said(workspace, "I moved to Oslo", "2026-03-01"))

    assert active(workspace) == ["User lives in Oslo"]
    assert memory(workspace, 2).tags == ()
    assert [one.superseded_by for one in memories(workspace)] == [3, 3, None]


def test_a_person_writes_of_an_end(workspace: Workspace) -> None:
    told(workspace, "User works at Acme", said(workspace, "at Acme", "2026-01-01"))

    made = remember(workspace, "User no longer works at Acme")

    assert (made.action, made.replaced) == ("create", [1])
    assert made.metadata == {"ends": ["User works at Acme"]}
    changed = edit_memory(workspace, made.id, MemoryChange(content="User is a free man"))
    assert changed.metadata == {}


def test_no_secret_is_kept_among_the_ends(workspace: Workspace) -> None:
    turn = said(workspace, "my pin is no longer 4921")

    assert told(workspace, "User has a new pin", turn, ends=("User's PIN is 4921",)) == []
    assert memories(workspace) == []


FORMS = {
    "User's wife whatsoever": (
        ["User's wife Aoife is a vet", "User's wife is named Aoife", "User's wife lives in Cork"],
        ["User has a wife", "User's sister is a vet", "User's wife died"],
    ),
    "User's dog Rex whatsoever": (
        ["User's dog Rex is 5 years old"],
        ["User's dog Max is 5 years old", "User's dog Rex died", "User's dog is named Max"],
    ),
    "User teaches whatsoever": (
        ["User teaches maths at a secondary school"],
        ["User teaches", "User likes to teach"],
    ),
    "User works as whatsoever at Klarna": (
        ["User works as an engineer at Klarna"],
        ["User's wife works as an engineer at Klarna", "User likes Klarna"],
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_statement_of_a_form_is_over(workspace: Workspace, form: str) -> None:
    over, kept = FORMS[form]
    for content in (*over, *kept):
        told(workspace, content, said(workspace, "this is so", "2026-01-01"))

    told(workspace, "User told of an end", said(workspace, "that is over"), ends=(form,))

    assert active(workspace) == [*kept, "User told of an end"]


def test_what_one_turn_says_of_a_form_outlasts_its_end(workspace: Workspace) -> None:
    turn = said(workspace, "we got divorced, my wife Aoife is a vet", "2026-02-01")
    divorced = Candidate("User is divorced", ends=("User's wife whatsoever",))
    vet = Candidate("User's wife Aoife is a vet")

    consolidate_turn(workspace, turn, [vet, divorced], origin="rules")
    assert active(workspace) == [vet.content, divorced.content]

    told(workspace, "User's wife Ida cooks", said(workspace, "my wife Ida cooks", "2026-03-01"))
    assert active(workspace) == [vet.content, "User's wife Ida cooks"]
