"""Wishes that a person says in a turn: nothing is made of it, and what it names is forgotten.

The memories are archived, as what is over; what was distilled of the same words goes, and nothing
more is made of the turns that said it. The turns stay: removing words is the work of `forget`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ingest import Candidate, Wish, extract, kinds_named, things_named, wishes_in, words_of
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
"""The most memories of a kind, such as health, that one wish ends."""


def wishes_of(workspace: Workspace, turn: Turn) -> list[Wish]:
    """Return the wishes of a stored turn."""
    if not wishes_in(utterance_of(turn)):
        return []
    return wishes_in(in_session(TurnStore(workspace.storage.database), turn))


def beside(candidates: Sequence[Candidate], wishes: Sequence[Wish]) -> list[Candidate]:
    """Return what a turn says beside its wishes: nothing where it asks that nothing is kept."""
    if any(wish.kind in ("turn", "before") for wish in wishes):
        return []
    return [
        one
        for one in candidates
        if all(one.end <= wish.start or wish.end <= one.start for wish in wishes)
    ]


def forgotten(workspace: Workspace, turn: Turn, wishes: Iterable[Wish]) -> list[Candidate]:
    """Return the ends of the memories that a turn asks to forget, each once."""
    selection = _Selection(workspace, turn)
    ends = {
        content: Candidate(content, action="archive", rule=RULE, start=wish.start, end=wish.end)
        for wish in wishes
        for content in selection.contents(wish)
    }
    return list(ends.values())


class _Selection:
    """The active memories of the person who said a turn, by what a wish names."""

    def __init__(self, workspace: Workspace, turn: Turn) -> None:
        self._turns = TurnStore(workspace.storage.database)
        self._store = MemoryStore(workspace.storage)
        self._turn = turn
        self._subject = (turn.speaker or "").strip() or "User"

    def contents(self, wish: Wish) -> list[str]:
        """Return the sentences that are to end."""
        if wish.kind == "said":
            return self._stated(wish.of)
        found = {memory.id: memory for memory in self._memories(wish)}
        own = [one for one in found.values() if self._is_own(one)]
        return [one.content for one in own if one.occurred_at <= self._turn.ts]

    def _stated(self, said: str) -> list[str]:
        """Return a statement as the rules remember it, asked to if need be."""
        about = utterance_of(self._turn)._replace(own=False)
        for text in (said, f"Remember that {said}"):
            if found := [one.content for one in extract(about._replace(text=text)) if one.content]:
                return found
        return []

    def _memories(self, wish: Wish) -> Iterator[Memory]:
        if wish.kind == "before":
            last = previous(self._turns, self._turn)
            linked = self._store.of_turn(last.id) if last else []
            yield from (memory for memory in linked if memory.status == "active")
        if wish.kind not in ("topic", "thing"):
            return
        slots = things_named(wish.of)
        for slot in slots:
            yield from self._store.of_slot(f"{self._subject.casefold()}/{slot}")
        begun = f"{self._subject}'s {wish.of} ".casefold()
        for memory in self._holding(wish.of):
            if wish.kind == "topic" or not slots or memory.content.casefold().startswith(begun):
                yield memory
        for kind in kinds_named(wish.of) if wish.kind == "topic" else ():
            is_of_kind = Condition("list_holds(tags_json, :tag)", {"tag": kind})
            is_active = Condition("status = 'active'", {})
            yield from self._store.page([is_active, is_of_kind], order="id", limit=_MOST)

    def _holding(self, topic: str) -> list[Memory]:
        """Return the memories that hold all words of a topic, beside their subject."""
        wanted = words_of(topic)
        near = self._store.with_any_word(sentence(topic).telling) if wanted else []
        return [one for one in near if wanted <= words_of(self._predicate(one.content))]

    def _predicate(self, content: str) -> str:
        return content.removeprefix(self._subject)

    def _is_own(self, memory: Memory) -> bool:
        """Return whether a memory is about the person, or a note that they asked for."""
        if memory.content.startswith((f"{self._subject} ", f"{self._subject}'s ")):
            return True
        turns = self._turns.many(link.turn_id for link in self._store.links(memory.id))
        return all(one.speaker == self._turn.speaker for one in turns)


def keep_forgotten(
    workspace: Workspace, tx: Transaction, turn: Turn, wishes: Sequence[Wish]
) -> None:
    """Let nothing more be made of the turns that said what a turn has ended, and remove what was
    distilled in its words alone. An agent only ends memories.
    """
    store, turns = MemoryStore(workspace.storage), TurnStore(workspace.storage.database)
    ended = [memory for memory in store.of_turn(turn.id) if memory.status == "archived"]
    said = {key for those in store.turns_of(one.id for one in ended).values() for key in those}
    last = previous(turns, turn) if any(wish.kind == "before" for wish in wishes) else None
    said |= {last.id} if last else set()
    turns.read_no_more(tx, [str(key) for key in said - {turn.id}])
    if calling_agent() is not None:
        return
    named = [words_of(wish.of) for wish in wishes if wish.kind in ("topic", "said")]
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
    """Yield the records with all words of a wish, and those that an ended memory tells whole."""
    for words in (*named, *told):
        near = {key for word in words for key in hooks.holding(word)}
        for key in near:
            held = words_of(" ".join(hooks.texts([key])))
            if (words <= held and words in named) or held <= words:
                yield key


def _is_of(hooks: RecordHooks, record_id: str, turn: Turn, turns: TurnStore) -> bool:
    """Return whether a record was distilled of turns of the same person, and of nothing else."""
    sources = hooks.sources([record_id]).get("turn", ())
    said_by = {one.speaker for one in turns.many(map(int, sources))}
    is_distilled = record_id in hooks.made_of_nothing_else({"turn": sources})
    return is_distilled and said_by == {turn.speaker}
