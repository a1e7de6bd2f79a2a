"""Which kinds of records answer a search that names none."""

import pytest

from contracts import Scope
from memory.episodes.forming import form_episodes
from memory.retrieval.searching import search
from memory.retrieval.usual_sources import usual_scope
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.episodes.said import BOAT, LATER, say


@pytest.mark.parametrize(
    "options, sources",
    [
        (None, {"turn"}),
        (SearchOptions(scope=Scope(session_id="s1")), {"turn"}),
        (SearchOptions(sources=["episode"]), {"episode"}),
        (SearchOptions(sources=["episode", "turn"]), {"episode", "turn"}),
        (SearchOptions(sources=["./docs"]), set()),
    ],
    ids=["nothing asked", "of a session", "episodes", "both", "files"],
)
def test_episodes_answer_when_they_are_asked_for(
    memory: Workspace, options: SearchOptions | None, sources: set[str]
) -> None:
    say(memory, BOAT)
    form_episodes(memory, now=LATER)
    found = search(memory, "who ordered the new rudder with the sail", options)
    assert {hit.source for hit in found.results} == sources


def test_a_scope_stays_open_without_them(memory: Workspace) -> None:
    say(memory, BOAT)
    assert usual_scope(memory.storage.database, Scope()) == Scope()
    form_episodes(memory, now=LATER)
    assert "turn" in usual_scope(memory.storage.database, Scope()).sources
