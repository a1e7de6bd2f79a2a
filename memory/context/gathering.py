"""What may become part of a context: the answers of the searches, and turns as parts."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from contracts import Scope, Source
from ingest.pii import without_secrets
from memory.context.excerpts import asking_share, excerpt, key_words, last_question
from memory.context.turn_ranking import Candidate, RankedTurn, rank_turns, score_of
from memory.context.values import Part, PartKind
from memory.conversations.memories.kind import cite_memory
from memory.conversations.memories.values import Memory
from memory.conversations.turns.kind import cite_turn
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.retrieval.searching import default_options, search
from memory.values.results import SearchResponse, SearchResult
from memory.workspace import Workspace

MOST_TURNS: Final = 80
MOST_FILES: Final = 5
DEPTH: Final = 150
"""Candidates of each leg. More change no figure, and reading them would take most of the time."""

LEAST: Final = 0.3
_QUESTIONS: Final = 10
"""The best turns of which a question brings its answer, even if that is no hit."""

_MOSTLY: Final = 0.5
"""The share of a turn that asks, from which it is a question."""


@dataclass(slots=True)
class Found:
    """The answers of the searches for one question, best first; `matched`: one of them is good."""

    turns: list[SearchResult] = field(default_factory=list)
    memories: list[SearchResult] = field(default_factory=list)
    files: list[SearchResult] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    matched: bool = False


def find(workspace: Workspace, query: str, *, memories: int, hidden: Sequence[str]) -> Found:
    """Search turns, memories and files for a question, each alone: none displaces another."""
    turns = _search(workspace, query, ("turn",), MOST_TURNS, hidden)
    facts = _search(workspace, query, ("memory",), memories, hidden)
    answers = [turns, facts]
    found = Found(turns.results, facts.results)
    if workspace.storage.database.read_once("SELECT 1 FROM files LIMIT 1"):
        files = _search(workspace, query, ("file", "text"), MOST_FILES, hidden)
        found.files = [] if files.weak else files.results
        answers.append(files)
    found.matched = any(not answer.weak for answer in answers)
    found.warnings = list(dict.fromkeys(text for one in answers for text in _failures(one)))
    return found


def _failures(answer: SearchResponse) -> list[str]:
    """Return the warnings of a search without that of a weak answer."""
    return answer.warnings[:-1] if answer.weak and answer.results else answer.warnings


def _search(
    workspace: Workspace,
    query: str,
    sources: tuple[Source, ...],
    limit: int,
    without_tags: Sequence[str],
) -> SearchResponse:
    options = replace(
        default_options(workspace.config.search),
        max_results=limit,
        scope=Scope(sources=sources, without_tags=tuple(without_tags)),
        depth=max(DEPTH, limit),
        explain="turn" in sources,
        fold="none",
        min_score=LEAST,
    )
    return search(workspace, query, options)


class FoundTurns:
    """The turns that were found for a question, best first, as parts of a context."""

    def __init__(self, workspace: Workspace, query: str, hits: Sequence[SearchResult]) -> None:
        self._asked = key_words(query)
        self._store = TurnStore(workspace.storage.database)
        self._hits = {hit.metadata["turn_id"]: hit for hit in hits}
        beside = self._store.beside(self._hits)
        self._before = {key: before for key, (before, _) in beside.items() if before}
        after = {key: turn_id for key, (_, turn_id) in beside.items() if turn_id}
        candidates = {
            turn_id: Candidate(
                turn_id, hit.metadata["session_id"], score_of(hit), asking_share(hit.text)
            )
            for turn_id, hit in self._hits.items()
        }
        for turn_id in list(candidates)[:_QUESTIONS]:
            answer = after.get(turn_id)
            if answer and answer not in candidates and candidates[turn_id].asking >= _MOSTLY:
                self._before[answer] = turn_id
                session_id = candidates[turn_id].session_id
                candidates[answer] = Candidate(answer, session_id, 0.0, 0.0)
        self.ranked = rank_turns([*candidates.values()], self._before)
        self._turns = {turn.id: turn for turn in self._store.many(candidates)}

    def turn(self, turn_id: int) -> Turn | None:
        """Return a turn; None if it is gone."""
        return self._turns.get(turn_id)

    def part(self, ranked: RankedTurn) -> Part | None:
        """Return a turn with its sentences that matter; None if it is gone."""
        turn, hit = self._turns.get(ranked.turn_id), self._hits.get(ranked.turn_id)
        if turn is None:
            return None
        found = None
        if hit is not None and hit.start_char is not None and hit.end_char is not None:
            found = hit.start_char, hit.end_char
        text, is_excerpt = excerpt(turn.text, self._asked, found=found)
        part = turn_part("turn", turn, text, is_excerpt=is_excerpt)
        is_outdated = hit is not None and bool(hit.superseded)
        return replace(part, score=round(ranked.score, 4), is_outdated=is_outdated)

    def question_of(self, turn_id: int) -> Part | None:
        """Return the question that a turn answers, cut to its last sentence that asks."""
        earlier = self._store.get(self._before.get(turn_id, 0))
        text = last_question(earlier.text) if earlier else ""
        if earlier is None or not text:
            return None
        return turn_part("turn", earlier, text, is_excerpt=text != earlier.text)


def turn_part(kind: PartKind, turn: Turn, text: str, *, is_excerpt: bool = False) -> Part:
    """Return a turn, or some of its text, as a part of a context."""
    return Part(
        kind,
        text,
        citation=cite_turn(turn.session_id, turn.id, turn.ts),
        speaker=turn.speaker,
        occurred_at=turn.ts,
        session_id=turn.session_id,
        turn_id=turn.id,
        role=turn.role,
        is_excerpt=is_excerpt,
    )


def memory_part(kind: PartKind, memory: Memory, score: float | None = None) -> Part:
    """Return a memory as a part of a context."""
    return Part(
        kind,
        memory.content,
        citation=cite_memory(memory.id),
        occurred_at=memory.occurred_at,
        memory_id=memory.id,
        score=score,
    )


def file_part(hit: SearchResult, asked: Sequence[str]) -> Part:
    """Return a passage of a file or an ingested text, with its secrets masked."""
    text, is_excerpt = excerpt(without_secrets(hit.text), asked)
    return Part("file", text, citation=hit.citation, score=hit.score, is_excerpt=is_excerpt)
