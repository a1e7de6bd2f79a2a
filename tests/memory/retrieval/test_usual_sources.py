"""Which kinds of records answer a search that names none."""

from datetime import timedelta

import pytest

from contracts import KeywordQuery, Scope
from memory.episodes.forming import form_episodes
from memory.retrieval.searching import search
from memory.retrieval.usual_sources import usual_candidates
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.episodes.said import BEGUN, BOAT, LATER, say


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


def test_the_candidates_are_those_of_a_scope_without_episodes(memory: Workspace) -> None:
    """As many as there are, however many episodes are better."""
    for number in range(60):
        say(memory, [f"{BOAT[7]} Sail number {number}."], begin=BEGUN + timedelta(days=number))
    form_episodes(memory)
    storage, query = memory.storage, KeywordQuery(words=("rudder", "sail", "ana"))
    vector = [1.0] * 64
    usual = usual_candidates(storage, Scope(), storage.database)
    turns = Scope(sources=("turn",))
    for limit in (1, 7, 59, 60, 500):
        found = usual.keyword_candidates(query, Scope(), limit=limit)
        assert found == storage.keyword_candidates(query, turns, limit=limit)
        near = usual.vector_candidates(vector, Scope(), limit=limit)
        assert near == storage.vector_candidates(vector, turns, limit=limit)
        assert len(found) == len(near) == min(limit, 60)


def test_without_episodes_or_for_files_the_index_is_asked_itself(memory: Workspace) -> None:
    storage = memory.storage
    say(memory, BOAT)
    assert usual_candidates(storage, Scope(), storage.database) is storage
    form_episodes(memory, now=LATER)
    assert usual_candidates(storage, Scope(), storage.database) is not storage
    for scope in (Scope(sources=("episode",)), Scope(paths=("/docs",)), Scope(globs=("*.md",))):
        assert usual_candidates(storage, scope, storage.database) is storage
