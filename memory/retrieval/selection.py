"""Selection of the episodes and the facts that belong to a question.

Both are searches of the one index; a search that names no source has neither. So ranking, scopes
and warnings are those of every search. Facts of equal relevance are ordered by their confidence.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from contracts import InputError, Scope, Source
from memory.retrieval.searching import default_options, search
from memory.values.results import SearchResponse, SearchResult
from memory.workspace import Workspace
from search.options import MOST_RESULTS

USUAL_EPISODES: Final = 8
USUAL_FACTS: Final = 15


@dataclass(frozen=True, slots=True)
class Selected:
    """The episodes and the current facts for a question, each the most relevant first.

    `matched`: one of them seems to answer it. `warnings` name what was unavailable.
    """

    episodes: list[SearchResult] = field(default_factory=list)
    facts: list[SearchResult] = field(default_factory=list)
    matched: bool = False
    warnings: list[str] = field(default_factory=list)


def select(
    workspace: Workspace,
    query: str,
    *,
    episodes: int = USUAL_EPISODES,
    facts: int = USUAL_FACTS,
    without_tags: Sequence[str] = (),
) -> Selected:
    """Return at most that many episodes and facts, 0 to 1000 each; nothing is written.

    Those with one of the tags are left out. Raises InputError for other numbers, and for a query
    that is not a text.
    """
    asked: dict[Source, int] = {"episode": episodes, "triple": facts}
    answers = {
        source: _answer(workspace, query, source, limit, without_tags)
        for source, limit in asked.items()
        if _checked(limit)
    }
    found = {source: answer.results for source, answer in answers.items()}
    ranked = sorted(
        found.get("triple", []), key=lambda hit: (-hit.score, -hit.metadata["confidence"])
    )
    return Selected(
        episodes=found.get("episode", []),
        facts=ranked,
        matched=any(not answer.weak for answer in answers.values()),
        warnings=list(dict.fromkeys(text for one in answers.values() for text in one.warnings)),
    )


def select_episodes(
    workspace: Workspace, query: str, k: int = USUAL_EPISODES
) -> list[SearchResult]:
    """Return the best `k` episodes for a question."""
    return select(workspace, query, episodes=k, facts=0).episodes


def select_facts(workspace: Workspace, query: str, k: int = USUAL_FACTS) -> list[SearchResult]:
    """Return the best `k` current facts for a question."""
    return select(workspace, query, episodes=0, facts=k).facts


def _checked(limit: int) -> int:
    if type(limit) is not int or not 0 <= limit <= MOST_RESULTS:
        raise InputError(
            f"the number of results is {limit!r}",
            hint=f"give a whole number from 0 to {MOST_RESULTS}",
        )
    return limit


def _answer(
    workspace: Workspace, query: str, source: Source, limit: int, without_tags: Sequence[str]
) -> SearchResponse:
    options = replace(
        default_options(workspace.config.search),
        max_results=limit,
        scope=Scope(sources=(source,), without_tags=tuple(without_tags)),
        fold="none",
    )
    return search(workspace, query, options)
