"""Episodes and triples as parts of a context, on request."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts import InputError
from memory.context.building import build_context
from memory.context.request import ContextRequest
from memory.context.values import Context
from memory.workspace import Workspace
from tests.memory.databases import opened
from tests.memory.episodes.facts import HERS, HOME, SISTER, WORK, learn, tell

QUERY = "where does my sister Ida live, in Oslo?"


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder: Path = tmp_path_factory.mktemp("lived")
    with opened(folder) as workspace:
        tell(workspace, HERS, SISTER, HOME, WORK)
        learn(workspace)
        yield workspace


def built(workspace: Workspace, *include: str, **more: object) -> Context:
    request = ContextRequest("new", QUERY, include=include, **more)  # type: ignore[arg-type]  # as tests give them
    return build_context(workspace, request)


def kinds(context: Context) -> list[str]:
    return list(dict.fromkeys(part.kind for part in context.parts))


def test_they_are_not_there_unasked(lived: Workspace) -> None:
    assert {"episode", "triple"}.isdisjoint(kinds(built(lived)))


def test_an_episode_stands_before_turns_with_its_citation(lived: Workspace) -> None:
    context = built(lived, "episodes")
    assert kinds(context) == ["episode", "turn"]
    episode = context.parts[0]
    assert (episode.citation, episode.session_id, episode.turn_id) == ("episode 1", "s1", None)
    recalled = context.markdown.partition("```")[2]
    assert "[episode 1] 2026-03-04\n  User: My sister" in recalled


def test_a_triple_is_there_where_no_turn_or_fact_tells_it(lived: Workspace) -> None:
    assert "triple" not in kinds(built(lived, "triples"))
    seen = built(lived, "triples", "episodes", seen_turn_ids=[2, 3, 4])
    assert "triple" not in kinds(seen)
    with lived.storage.database.transaction() as tx:
        tx.run("UPDATE turns SET tags = '[\"hidden\"]'")
    hidden = built(lived, "triples", without_tags=["hidden"])
    assert [part.text for part in hidden.parts if part.kind == "triple"] == ["Ida lives in Oslo"]
    assert "[triple 1] Ida lives in Oslo" in hidden.markdown
    with lived.storage.database.transaction() as tx:
        tx.run("UPDATE turns SET tags = '[]'")


@pytest.mark.parametrize("max_tokens", [1, 20, 60, 100, 400])
def test_the_budget_binds_them(lived: Workspace, max_tokens: int) -> None:
    context = built(lived, "episodes", "triples", max_tokens=max_tokens)
    assert context.tokens <= max_tokens
    assert len(context.markdown) <= 4 * max_tokens


@pytest.mark.parametrize("include", ["episodes", ["facts"], [1]], ids=str)
def test_what_cannot_be_included_is_refused(include: object) -> None:
    with pytest.raises(InputError, match="include is"):
        ContextRequest("s1", include=include)  # type: ignore[arg-type]  # that is the test
