"""The privacy requests of a turn: nothing is made of it, and what it names is forgotten.

The memories are archived, as what is over; what was distilled of the same words goes, and nothing
more is made of the turns that said it. The turns stay: removing words is the work of `forget`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ingest import (
    Candidate,
    PrivacyRequest,
    extract,
    kinds_named,
    privacy_requests_in,
    things_named,
    words_of,
)
from memory.conversations.memories.comparison.sentence_similarity import sentence
from memory.conversations.memories.store import Condition, MemoryStore
from memory.conversations.memories.values import Memory
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.utterances import in_session, previous, utterance_of
from memory.conversations.turns.values import Turn
from memory.index.record_hooks import RecordHooks, hooks_resting_on
from memory.storage import Transaction
from memory.storage.action_log import calling_agent
from memory.workspace import Workspace

RULE: Final = "asked to forget"
"""Stands for the name of a rule in the link of a memory to the turn that asked."""

_DISTILLED: Final = ("fact", "person", "pattern", "open_loop", "signal")
_MOST: Final = 10_000
"""The most memories of a kind, such as health, that one request ends."""


def privacy_requests_of(workspace: Workspace, turn: Turn) -> list[PrivacyRequest]:
    """Return the requests of a stored turn."""
    if not privacy_requests_in(utterance_of(turn)):
        return []
    return privacy_requests_in(in_session(TurnStore(workspace.storage.database), turn))


def beside(candidates: Sequence[Candidate], requests: Sequence[PrivacyRequest]) -> list[Candidate]:
    """Return what a turn says beside its requests: nothing where it asks that nothing is kept."""
    if any(request.kind in ("turn", "before") for request in requests):
        return []
    return [
        one
        for one in candidates
        if all(one.end <= request.start or request.end <= one.start for request in requests)
    ]


def forgotten(
    workspace: Workspace, turn: Turn, requests: Iterable[PrivacyRequest]
) -> list[Candidate]:
    """Return the ends of the memories that a turn asks to forget, each once."""
    selection = _Selection(workspace, turn)
    ends = {
        content: Candidate(
            content, action="archive", rule=RULE, start=request.start, end=request.end
        )
        for request in requests
        for content in selection.contents(request)
    }
    return list(ends.values())


class _Selection:
    """The active memories of the person who said a turn, by what a request names."""

    def __init__(self, workspace: Workspace, turn: Turn) -> None:
        self._turns = TurnStore(workspace.storage.database)
        self._store = MemoryStore(workspace.storage)
        self._turn = turn
        self._subject = (turn.speaker or "").strip() or "User"

    def contents(self, request: PrivacyRequest) -> list[str]:
        """Return the sentences that are to end."""
        if request.kind == "said":
            return self._stated(request.of)
        found = {memory.id: memory for memory in self._memories(request)}
        own = [one for one in found.values() if self._is_own(one)]
        return [one.content for one in own if one.occurred_at <= self._turn.ts]

    def _stated(self, said: str) -> list[str]:
        """Return a statement as the rules remember it, asked to if need be."""
        about = utterance_of(self._turn)._replace(own=False)
        for text in (said, f"Remember that {said}"):
            if found := [one.content for one in extract(about._replace(text=text)) if one.content]:
                return found
        return []

    def _memories(self, request: PrivacyRequest) -> Iterator[Memory]:
        if request.kind == "before":
            last = previous(self._turns, self._turn)
            linked = self._store.of_turn(last.id) if last else []
            yield from (memory for memory in linked if memory.status == "active")
        if request.kind not in ("topic", "thing"):
            return
        slots = things_named(request.of)
        for slot in slots:
            yield from self._store.of_slot(f"{self._subject.casefold()}/{slot}")
        kinds = kinds_named(request.of) if request.kind == "topic" else ()
        begun = f"{self._subject}'s {request.of} is ".casefold()
        for memory in self._holding(request.of):
            if not (slots or kinds) or memory.content.casefold().startswith(begun):
                yield memory
        for kind in kinds:
            is_of_kind = Condition("list_holds(tags_json, :tag)", {"tag": kind})
            is_active = Condition("status = 'active'", {})
            for memory in self._store.page([is_active, is_of_kind], order="id", limit=_MOST):
                if kind == "relation" or memory.content.startswith(f"{self._subject} "):
                    yield memory

    def _holding(self, topic: str) -> list[Memory]:
        """Return the memories that hold all words of a topic, beside their subject."""
        wanted = words_of(topic)
        near = self._store.with_any_word(sentence(topic).telling) if wanted else []
        return [one for one in near if wanted <= words_of(self._told(one.content))]

    def _told(self, content: str) -> str:
        """Return the words by which a memory is named; of a relative or a thing who or what it is:
        "my asthma" is not that of "User's mother Eva has asthma".
        """
        if content.startswith(f"{self._subject}'s ") and " is named " not in content:
            return " ".join(content.split(" ", 4)[1:4])
        return content.removeprefix(self._subject)

    def _is_own(self, memory: Memory) -> bool:
        """Return whether a memory is of what the person said."""
        turns = self._turns.many(link.turn_id for link in self._store.links(memory.id))
        if not turns:
            return memory.content.startswith((f"{self._subject} ", f"{self._subject}'s "))
        return all(one.speaker == self._turn.speaker for one in turns)


def keep_forgotten(
    workspace: Workspace, tx: Transaction, turn: Turn, requests: Sequence[PrivacyRequest]
) -> None:
    """Let nothing more be made of the turns that said what a turn has ended, and remove what was
    distilled in its words alone. An agent only ends memories.
    """
    store, turns = MemoryStore(workspace.storage), TurnStore(workspace.storage.database)
    ended = [memory for memory in store.of_turn(turn.id) if memory.status == "archived"]
    said = {key for those in store.turns_of(one.id for one in ended).values() for key in those}
    last = previous(turns, turn) if any(request.kind == "before" for request in requests) else None
    said |= {last.id} if last else set()
    earlier = [one.id for one in turns.many(said - {turn.id}) if one.ts <= turn.ts]
    turns.read_no_more(tx, [str(key) for key in earlier])
    if calling_agent() is not None:
        return
    named = [words_of(request.of) for request in requests if request.kind in ("topic", "said")]
    told = [words_of(one.content.partition(" ")[2]) for one in ended]
    for hooks in hooks_resting_on(workspace, "turn"):
        if hooks.kind.name not in _DISTILLED:
            continue
        ids = {*_stating(hooks, named, told)}
        ids |= {*hooks.made_of_nothing_else({"turn": [str(last.id)]})} if last else set()
        if own := [key for key in ids if _is_of(hooks, key, turn, turns)]:
            hooks.stay_forgotten(tx, own)
            hooks.remove(tx, own)


def _stating(
    hooks: RecordHooks, named: Sequence[frozenset[str]], told: Sequence[frozenset[str]]
) -> Iterator[str]:
    """Yield the records with all words of a request, and those that an ended memory tells whole."""
    for words in (*named, *told):
        near = {key for word in words for key in hooks.holding(word)}
        for key in near:
            held = words_of(" ".join(hooks.texts([key])))
            if (words <= held and words in named) or held <= words:
                yield key


def _is_of(hooks: RecordHooks, record_id: str, turn: Turn, turns: TurnStore) -> bool:
    """Return whether a record was distilled of earlier turns of the same person, and of nothing
    else.
    """
    sources = hooks.sources([record_id]).get("turn", ())
    said = turns.many(map(int, sources))
    is_theirs = all(one.speaker == turn.speaker and one.ts <= turn.ts for one in said)
    return bool(said) and is_theirs and record_id in hooks.made_of_nothing_else({"turn": sources})
