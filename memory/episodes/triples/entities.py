"""The names of those who are known by a role: `User's sister` is Ida if one memory says so.

Never by similarity, and only where nothing contradicts it: one active memory names the role, no
other one gives it another name, none gives the name to another role, and none speaks of several.
"""

from collections.abc import Collection, Iterable

from contracts.named_tuple import NamedTuple
from memory.conversations.memories.comparison.sentence_similarity import sentence
from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import Memory
from memory.episodes.triples.statements import naming_of, role_of


class Entity(NamedTuple):
    """An entity by its name, and the memory that tells it, if it is known by a role."""

    name: str
    named_by: int | None = None


class Entities:
    """Names of entities by the active memories; those in `without` are about to be removed."""

    def __init__(self, memories: MemoryStore, without: Collection[int] = ()) -> None:
        self._memories = memories
        self._without = without
        self._known: dict[str, Entity] = {}

    def named(self, entity: str) -> Entity:
        """Return an entity by its name."""
        if entity not in self._known:
            self._known[entity] = self._look_up(entity) or Entity(entity)
        return self._known[entity]

    def _look_up(self, entity: str) -> Entity | None:
        role = role_of(entity)
        if role is None:
            return None
        owner, noun = role
        about = self._with_words([noun])
        if any(_tells_of_several(memory, owner, noun) for memory in about):
            return None
        named = {memory.id: naming for memory in about if (naming := naming_of(memory.content))}
        ours = {key: naming.name for key, naming in named.items() if naming.role == entity}
        if len(set(ours.values())) != 1:
            return None
        memory_id, name = next(iter(sorted(ours.items())))
        others = (naming_of(memory.content) for memory in self._with_words([name]))
        if any(one and one.name == name and one.role != entity for one in others):
            return None
        return Entity(name, memory_id)

    def roles_in(self, memories: Iterable[Memory]) -> set[str]:
        """Return the roles whose name these memories may change: those that they name or count,
        and those to which others give the same name.
        """
        found: set[str] = set()
        for memory in memories:
            words = memory.content.replace("’", "'").split()
            owner = words[0].removesuffix("'s") if words else ""
            counted = (word.strip(".,") for word in words if word.strip(".,").endswith("s"))
            found |= {f"{owner}'s {word[:-1]}" for word in counted}
            if (naming := naming_of(memory.content)) is not None:
                others = (naming_of(one.content) for one in self._with_words([naming.name]))
                found |= {naming.role, *(one.role for one in others if one)}
        return found

    def _with_words(self, texts: Iterable[str]) -> list[Memory]:
        words = [word for text in texts for word in sentence(text).words]
        found = self._memories.with_any_word(words)
        return [memory for memory in found if memory.id not in self._without]


def _tells_of_several(memory: Memory, owner: str, noun: str) -> bool:
    words = memory.content.replace("’", "'").strip(". ").split()
    is_owner = bool(words) and words[0].removesuffix("'s") == owner
    return is_owner and f"{noun}s" in words
