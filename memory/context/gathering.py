"""The searches for a context, and the turns that they find, in the order of their worth."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final

from contracts import Scope, Source
from memory.context.excerpts import asking_share, excerpt, key_words, last_question
from memory.context.parts import turn_id_of, turn_part
from memory.context.turn_ranking import Candidate, RankedTurn, rank_turns, score_of
from memory.context.values import Part
from memory.conversations.turns.store import TurnStore
from memory.index.neighbours import word_count
from memory.records.questions.loops import AskedLoop, asked_loops
from memory.retrieval.answers.conversation_order import ArrangedHit
from memory.retrieval.searching import Answer, default_options, found_hits
from memory.retrieval.selection import USUAL_EPISODES, USUAL_FACTS
from memory.workspace import Workspace
from search import RankedHit

FEWEST_SAID: Final = 50
MOST_SAID: Final = 300
TOKENS_A_HIT: Final = 60
"""One more turn or memory is looked for with each such part of the budget."""

MOST_FILES: Final = 5
MOST_RECORDS: Final = 10
_ON_REQUEST: Final = (
    ("triple", "triples", USUAL_FACTS),
    ("episode", "episodes", USUAL_EPISODES),
)
"""The kinds that are looked for if a request includes them, by which name, and how many."""

DEPTH: Final = 1.5
"""Candidates of each leg for each hit. More change no figure, and reading them takes time."""

_SAID: Final[tuple[Source, ...]] = ("turn", "memory")
_FILES: Final[tuple[Source, ...]] = ("file", "text")
_RECORDS: Final[tuple[Source, ...]] = ("fact", "person", "pattern", "open_loop")
_QUESTIONS: Final = 10
"""The best turns of which a question brings its answer, even if that is not a hit."""

_ANSWERS: Final = 10
_SHORT_ANSWER: Final = 15
"""The best turns, and their most words, of which the question is shown too."""

_MOSTLY: Final = 0.5
"""The share of a turn that asks, from which it is a question."""


@dataclass(slots=True)
class Found:
    """The answers of the searches for one question, best first; `matched`: one of them is good.

    `loops` are those that the question asks for, whatever the searches found.
    """

    turns: list[ArrangedHit] = field(default_factory=list)
    memories: list[RankedHit] = field(default_factory=list)
    files: list[RankedHit] = field(default_factory=list)
    records: list[RankedHit] = field(default_factory=list)
    triples: list[RankedHit] = field(default_factory=list)
    episodes: list[RankedHit] = field(default_factory=list)
    loops: list[AskedLoop] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    matched: bool = False


def find(
    workspace: Workspace,
    query: str,
    *,
    max_tokens: int,
    without_tags: Sequence[str],
    include: Collection[str] = (),
) -> Found:
    """Search what was said and remembered, the files and the records, for a question.

    Turns and memories, with whatever tags, are found by one search, which is quicker than two, but
    files and records by their own: a large folder must not displace a conversation.
    """
    there = [name for name in workspace.storage.sources() if name not in _SAID]
    has_more = any(not workspace.kinds[name].on_request for name in there)
    scope = Scope(sources=_SAID if has_more else ())  # all of it is quicker than a part
    most = min(FEWEST_SAID + max_tokens // TOKENS_A_HIT, MOST_SAID)
    answers = [_search(workspace, query, scope, most)]
    hits = answers[0].arranged or [ArrangedHit(hit) for hit in answers[0].hits]
    found = Found(
        [one for one in hits if one.hit.row.source == "turn"],
        [one.hit for one in hits if one.hit.row.source == "memory"],
    )
    for name, sources, most in (
        ("files", _FILES, MOST_FILES),
        ("records", _RECORDS, MOST_RECORDS),
    ):
        if not set(sources).isdisjoint(there):
            scope = Scope(sources=sources, without_tags=tuple(without_tags))
            answers.append(_search(workspace, query, scope, most))
            setattr(found, name, [] if answers[-1].is_weak else answers[-1].hits)
    for source, wanted, most in _ON_REQUEST:
        if wanted in include:
            scope = Scope(sources=(source,), without_tags=tuple(without_tags))
            answers.append(_search(workspace, query, scope, most))
            setattr(found, wanted, answers[-1].hits)
    if "open_loop" in there:
        found.loops = asked_loops(workspace, query)
    found.matched = bool(found.loops) or any(not answer.is_weak for answer in answers)
    found.warnings = list(dict.fromkeys(text for one in answers for text in _failures(one)))
    return found


def _failures(answer: Answer) -> list[str]:
    """Return the warnings of a search without that of a weak answer."""
    return answer.warnings[:-1] if answer.is_weak and answer.hits else answer.warnings


def _search(workspace: Workspace, query: str, scope: Scope, limit: int) -> Answer:
    options = replace(
        default_options(workspace.config.search),
        max_results=limit,
        scope=scope,
        depth=max(100, round(DEPTH * limit)),
        explain=True,
        fold="none",
        min_score=0.0,
    )
    return found_hits(workspace, query, options)


class FoundTurns:
    """The turns that were found for a question, best first, as parts of a context."""

    def __init__(
        self,
        workspace: Workspace,
        query: str,
        hits: Sequence[ArrangedHit],
        *,
        hidden: Set[str],
    ) -> None:
        """`hidden` are the tags of turns that are not shown."""
        self._asked = key_words(query)
        self._hidden = hidden
        self._store = TurnStore(workspace.storage.database)
        self._hits = {turn_id_of(one.hit): one for one in hits}
        candidates = {
            turn_id: Candidate(
                turn_id,
                one.hit.row.metadata["session_id"],
                score_of(one.hit),
                asking_share(one.hit.row.text),
            )
            for turn_id, one in self._hits.items()
        }
        self._before: dict[int, int] = {}
        best = [*candidates][:_QUESTIONS]
        after = self._look_beside({*best, *_with_company([*candidates.values()])})
        for turn_id in best:
            answer = after.get(turn_id)
            if answer and answer not in candidates and candidates[turn_id].asking >= _MOSTLY:
                self._before[answer] = turn_id
                session_id = candidates[turn_id].session_id
                candidates[answer] = Candidate(answer, session_id, 0.0, 0.0)
        self.ranked = rank_turns([*candidates.values()], self._before)
        first = [one.turn_id for one in self.ranked[:_ANSWERS]]
        self._look_beside(set(first) - self._before.keys())
        questions = {self._before[one] for one in first if one in self._before}
        read = {turn.id: turn for turn in self._store.many({*candidates, *questions})}
        self._turns = {key: turn for key, turn in read.items() if key in candidates}
        self._questions = {key: turn for key, turn in read.items() if key not in candidates}

    def _look_beside(self, turn_ids: Collection[int]) -> dict[int, int]:
        """Note the turn before each of these, and return the one after each, if there is one."""
        beside = self._store.beside(turn_ids)
        self._before |= {key: before for key, (before, _) in beside.items() if before}
        return {key: after for key, (_, after) in beside.items() if after}

    def parts(self, seen: Collection[int]) -> Iterator[Part]:
        """Yield the turns that were not seen, best first; a short answer, then its question."""
        for rank, one in enumerate(self.ranked):
            part = None if one.turn_id in seen else self.part(one)
            if part is None:
                continue
            yield part
            if rank < _ANSWERS and word_count(part.text) <= _SHORT_ANSWER:
                question = self.question_of(one.turn_id)
                if question is not None:
                    yield question

    def part(self, ranked: RankedTurn) -> Part | None:
        """Return a turn with its sentences that matter; None if it is hidden or gone."""
        turn, one = self._turns.get(ranked.turn_id), self._hits.get(ranked.turn_id)
        if turn is None or not self._hidden.isdisjoint(turn.tags):
            return None
        found = None
        row = one.hit.row if one else None
        if row is not None and row.start_char is not None and row.end_char is not None:
            found = row.start_char, row.end_char
        text, is_excerpt = excerpt(turn.text, self._asked, found=found)
        part = turn_part("turn", turn, text, is_excerpt=is_excerpt, score=round(ranked.score, 4))
        outdated = tuple(past.statement for past in one.past) if one else ()
        return replace(part, outdated=outdated) if outdated else part

    def question_of(self, turn_id: int) -> Part | None:
        """Return the question that a turn answers, cut to its last sentence that asks.

        None if the turn before does not ask, or was found itself.
        """
        earlier = self._questions.get(self._before.get(turn_id, 0))
        text = last_question(earlier.text) if earlier else ""
        if earlier is None or not text or not self._hidden.isdisjoint(earlier.tags):
            return None
        return turn_part("turn", earlier, text, is_excerpt=text != earlier.text)


def _with_company(candidates: Sequence[Candidate]) -> set[int]:
    """Return the turns that are not the only candidates of their session."""
    counts = Counter(one.session_id for one in candidates)
    return {one.turn_id for one in candidates if counts[one.session_id] > 1}
