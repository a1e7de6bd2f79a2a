"""Build the context of a session: what an agent should know before it answers.

Reading a context strengthens no memory: otherwise memories would survive because they are shown.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from time import perf_counter
from typing import Final

from memory.context.excerpts import excerpt, key_words
from memory.context.gathering import Found, FoundTurns, find
from memory.context.parts import (
    episode_part,
    file_part,
    loop_part,
    memories_of,
    memory_id_of,
    memory_part,
    record_part,
    triple_part,
    turn_id_of,
    turn_part,
)
from memory.context.rendering import markdown_of, messages_of
from memory.context.request import ContextRequest
from memory.context.selection import Offer, Selection
from memory.context.session_memories import HINTS, UNCONFIRMED, LayeredMemories, short_term
from memory.context.token_counting import counter_for, whole_tokens
from memory.context.turn_ranking import shown_score
from memory.context.values import KINDS, Context, Part
from memory.conversations.memories.gc_policy import Policy, weights_of
from memory.conversations.memories.slots.current_values import Replacement, current_values
from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import INSTRUCTION, Memory
from memory.conversations.turns.values import Turn
from memory.retrieval.replica_reads import lag_warnings, read_from_any
from memory.workspace import Workspace

_MOST_INSTRUCTIONS: Final = 50
_MOST_FACTS: Final = 10
_RELEVANT: Final = 0.7
"""The least score of a fact that belongs to the question; the best one has about 1."""


def build_context(workspace: Workspace, request: ContextRequest) -> Context:
    """Return the context of a session, which may not exist yet, for a question.

    Raises InputError for a system message that alone is too long.
    """
    read = _Builder(workspace, request).context
    context, lag = read_from_any(workspace.storage, read)
    return replace(context, warnings=[*context.warnings, *lag_warnings(lag)]) if lag else context


class _Builder:
    """The steps of one context; each writes its milliseconds to `timings`."""

    def __init__(self, workspace: Workspace, request: ContextRequest) -> None:
        self._workspace = workspace
        self._request = request
        self._timings: dict[str, float] = {}
        self._memories = MemoryStore(workspace.storage)
        config = workspace.config
        self._policy = Policy(config.mid, weights_of(config.scoring), datetime.now(UTC))
        self._hidden = (*request.without_tags, UNCONFIRMED)
        self._replaced: dict[int, Replacement] = {}

    def context(self) -> Context:
        request = self._request
        started = perf_counter()
        with self._timed("recent"):
            window = self._window()
        last = next((turn for turn in reversed(window) if turn.role == "user"), None)
        query = request.query or (last.body if last else None)
        with self._timed("search"):
            found = Found()
            if query is not None:
                found = find(
                    self._workspace,
                    query,
                    max_tokens=request.max_tokens,
                    without_tags=request.without_tags,
                    include=request.include,
                )
        with self._workspace.storage.database.snapshot():
            with self._timed("memories"):
                relevant = self._relevant(found)
                mid, long = self._by_layer(relevant if request.query else {})
                self._replaced = self._over([*relevant, *(one.id for one in (*mid, *long))], found)
                mid, long = self._current(mid), self._current(long)
            with self._timed("ranking"):
                if last is not None and not request.query:  # the question is not an answer
                    found.turns = [one for one in found.turns if turn_id_of(one.hit) != last.id]
                offer = self._offer(window, query, found, relevant, [*long, *mid])
        with self._timed("filling"):
            context = self._filled(offer, asked=query is not None, matched=found.matched)
        self._timings["total"] = _ms(started)
        return replace(
            context,
            short_term=window,
            mid_term=mid,
            long_term_hint=long,
            warnings=found.warnings,
            query=query,
            timings=self._timings,
        )

    def _window(self) -> list[Turn]:
        session_id = str(self._request.session_id)
        turns = short_term(self._workspace, session_id, now=self._policy.now)
        unwanted = set(self._request.without_tags)
        return [turn for turn in turns if not set(turn.tags) & unwanted]

    def _relevant(self, found: Found) -> dict[int, Memory]:
        """Return the memories that were found, in their order."""
        ids = list(map(memory_id_of, found.memories))
        stored = self._memories.get_many(ids)
        return {
            memory_id: stored[memory_id]
            for memory_id in ids
            if memory_id in stored and not set(stored[memory_id].tags) & set(self._hidden)
        }

    def _by_layer(self, relevant: dict[int, Memory]) -> tuple[list[Memory], list[Memory]]:
        """Return the mid-term memories and the long-term ones."""
        known = [*relevant.values()]
        layers = LayeredMemories(self._workspace, self._policy, self._hidden)
        return layers.first("mid", self._request.k, known), layers.first("long", HINTS, known)

    def _over(self, memory_ids: Sequence[int], found: Found) -> dict[int, Replacement]:
        """Return those of these memories, and of those of triples, that a fact has replaced."""
        ids = {*memory_ids, *(key for hit in found.triples for key in memories_of(hit))}
        replaced = current_values(self._workspace.storage.database, memories=ids)
        return {int(name.record_id): one for name, one in replaced.items()}

    def _current(self, memories: Sequence[Memory]) -> list[Memory]:
        return [one for one in memories if one.id not in self._replaced]

    def _offer(
        self,
        window: Sequence[Turn],
        query: str | None,
        found: Found,
        relevant: dict[int, Memory],
        strong: Sequence[Memory],
    ) -> Offer:
        request = self._request
        asked = key_words(query or "")
        important = self._memories.important(INSTRUCTION, limit=_MOST_INSTRUCTIONS)
        instructions = [one for one in important if not set(one.tags) & set(self._hidden)]
        facts = self._facts(found, relevant, strong)
        kinds = self._workspace.kinds
        triples = [
            triple_part(kinds, hit)
            for hit in found.triples
            if shown_score(hit) >= _RELEVANT and self._replaced.keys().isdisjoint(memories_of(hit))
        ]
        loops = [loop_part(one) for one in found.loops]
        shown = {part.citation for part in loops}
        hidden = frozenset(request.without_tags)
        turns = FoundTurns(self._workspace, query or "", found.turns, hidden=hidden)
        return Offer(
            system=None if request.system is None else Part("system", request.system),
            instructions=[memory_part("instruction", one) for one in instructions],
            facts=facts,
            records=[
                *loops,
                *(
                    part
                    for hit in found.records
                    if shown_score(hit) >= _RELEVANT
                    and (part := record_part(kinds, hit, asked)).citation not in shown
                ),
            ],
            triples=triples,
            episodes=[episode_part(kinds, hit) for hit in found.episodes],
            turns=self._unseen(turns.parts(request.seen_turn_ids)),
            files=[file_part(kinds, hit, asked) for hit in found.files],
            recent=[*self._unseen(_recent(turn, asked) for turn in reversed(window))],
            sources=self._memories.turns_of(part.memory_id or 0 for part in (*facts, *triples)),
            seen=request.seen_turn_ids,
        )

    def _unseen(self, turns: Iterable[Part]) -> Iterator[Part]:
        """Yield those of the turns that are not of the caller's own session, if it has them."""
        own = str(self._request.session_id) if self._request.without_own else None
        yield from (turn for turn in turns if str(turn.session_id) != own)

    def _facts(
        self, found: Found, relevant: dict[int, Memory], strong: Sequence[Memory]
    ) -> list[Part]:
        """Return the facts that belong to the question; the strongest if nothing matches it."""
        if not found.matched:
            return [memory_part("fact", one) for one in strong if _is_fact(one)][:_MOST_FACTS]
        scores = {memory_id_of(hit): shown_score(hit) for hit in found.memories}
        best = [(key, score) for key, score in scores.items() if score >= _RELEVANT][:_MOST_FACTS]
        pairs = [(relevant.get(key), score) for key, score in best]
        return [self._fact(one, score) for one, score in pairs if one and _is_fact(one)]

    def _fact(self, memory: Memory, score: float) -> Part:
        """Return a memory as a part, or what is current in its place."""
        found = self._replaced.get(memory.id)
        if found is None:
            return memory_part("fact", memory, score)
        by = found.current
        return Part("fact", by.text, by.citation, occurred_at=by.said_at, score=score)

    def _filled(self, offer: Offer, *, asked: bool, matched: bool) -> Context:
        """Return the chosen parts as text that is surely within the budget."""
        limit = self._request.max_tokens
        count = counter_for(self._workspace.config.llm.model)
        chosen = Selection(limit, count)
        chosen.choose(offer, notice=asked and not matched)
        while True:
            parts = sorted(chosen.parts, key=_place)
            markdown = markdown_of(parts, matched=matched, asked=asked)
            tokens = whole_tokens(count(markdown))
            if tokens <= limit:
                break
            if chosen.parts and chosen.parts[-1].kind != "system":
                chosen.drop_last()
            else:  # not even the notice has room
                asked = False
        return Context(
            [],
            [],
            [],
            matched=matched,
            parts=parts,
            messages=messages_of(parts, matched=matched, asked=asked),
            markdown=markdown,
            tokens=tokens,
            max_tokens=limit,
            left_out=chosen.left_out,
        )

    @contextmanager
    def _timed(self, step: str) -> Iterator[None]:
        started = perf_counter()
        yield
        self._timings[step] = _ms(started)


def _place(part: Part) -> tuple[int, str, str, str, int]:
    """Return the place of a part: by kind, then by day and session; others as they were chosen."""
    kind = KINDS.index(part.kind)
    if part.turn_id is None:
        return kind, "", "", "", 0
    said = part.occurred_at or ""
    return kind, said[:10], str(part.session_id or ""), said, part.turn_id


def _recent(turn: Turn, asked: Sequence[str]) -> Part:
    text, is_excerpt = excerpt(turn.text, asked)
    return turn_part("recent", turn, text, is_excerpt=is_excerpt)


def _is_fact(memory: Memory) -> bool:
    return memory.status == "active" and INSTRUCTION not in memory.tags


def _ms(started: float) -> float:
    return round((perf_counter() - started) * 1000, 3)
