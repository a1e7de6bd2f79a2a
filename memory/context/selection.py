"""Choose the parts of a context by relevance, under a hard budget of tokens."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from contracts import InputError
from memory.context.excerpts import same_words
from memory.context.rendering import NOTHING, frame_of, head_of, line_of, section_of
from memory.context.token_counting import TokenCounter, whole_tokens
from memory.context.values import LeftOut, Part

INSTRUCTIONS_SHARE: Final = 0.25
RECENT_SHARE: Final = 0.25
FILES_SHARE: Final = 0.25
EPISODES_SHARE: Final = 0.25
FACTS_SHARE: Final = 0.06
"""The share of the budget that each kind can take from the turns that were found."""

_MOST_MISSES: Final = 25
"""Parts without room after which no others are tried."""


@dataclass(slots=True)
class Offer:
    """The parts to choose from, each list best first; `recent` newest first.

    `sources` names the turns from which each memory was derived; `seen` turns and memories derived
    from them are not shown again.
    """

    system: Part | None = None
    instructions: Sequence[Part] = ()
    facts: Sequence[Part] = ()
    records: Sequence[Part] = ()
    triples: Sequence[Part] = ()
    episodes: Sequence[Part] = ()
    turns: Iterable[Part] = ()
    files: Sequence[Part] = ()
    recent: Sequence[Part] = ()
    sources: Mapping[int, Collection[int]] = field(default_factory=dict)
    seen: Collection[int] = ()


class Selection:
    """The chosen parts, and the tokens that are left."""

    def __init__(self, max_tokens: int, count: TokenCounter) -> None:
        self.parts: list[Part] = []
        self._max_tokens = max_tokens
        self._left = float(max_tokens)
        self._count = count
        self._sections: set[str] = set()
        self._heads: set[tuple[str, ...]] = set()
        self._texts: set[str] = set()
        self._turns: set[int] = set()
        self._memories: set[int] = set()
        self._missing: dict[str, float] = {}

    @property
    def left_out(self) -> LeftOut:
        """The number of parts without room, and their tokens."""
        return LeftOut(len(self._missing), whole_tokens(sum(self._missing.values())))

    def choose(self, offer: Offer, *, notice: bool) -> None:
        """Choose from all kinds: what is always there first, then the rest by relevance."""
        if offer.system is not None:
            self._add_system(offer.system)
        if notice and self._count(NOTHING) + 1 <= self._left:
            self._left -= self._count(NOTHING) + 1
        self._turns |= set(offer.seen)
        self._fill(offer.instructions, share=INSTRUCTIONS_SHARE)
        asked = (part.text for part in self.parts if part.kind == "instruction")
        self._texts |= {same_words(text.partition(": ")[2]) for text in asked}
        kept = self._fill(offer.recent, share=RECENT_SHARE, in_order=True)
        facts = [*offer.facts, *offer.records, *offer.triples]
        reserve = self._needed(facts, FACTS_SHARE) + self._needed(offer.files, FILES_SHARE)
        self._fill(offer.episodes, share=EPISODES_SHARE)
        self._left -= reserve
        turns = self._fill(offer.turns)
        self._left += reserve
        self._fill(offer.files, share=FILES_SHARE)
        facts = [part for part in facts if not self._is_told(part, offer.sources)]
        self._fill(facts, share=FACTS_SHARE if "recalled" in self._sections else 1.0)
        self._fill(turns)
        self._fill(kept, in_order=True)

    def drop_last(self) -> None:
        """Remove the part chosen last, but never the system message."""
        part = self.parts.pop()
        self._miss(part)

    def _add_system(self, part: Part) -> None:
        cost = self._count(part.text + "\n\n")
        if self._count(part.text) > self._max_tokens:
            raise InputError(
                f"the system message has {whole_tokens(self._count(part.text)):,} tokens, and "
                f"max_tokens is {self._max_tokens:,}",
                hint="raise max_tokens, or shorten the system message",
            )
        self.parts.append(part)
        self._left -= cost

    def _fill(
        self, parts: Iterable[Part], *, share: float = 1.0, in_order: bool = False
    ) -> list[Part]:
        """Add the parts that have room in a share of the budget; return those without.

        `in_order`: none is added after the first without room.
        """
        room = min(self._left, share * self._max_tokens)
        missing: list[Part] = []
        for part in parts:
            if len(missing) > _MOST_MISSES:
                break
            text = same_words(part.text)
            if part.turn_id in self._turns or (text in self._texts and part.kind != "recent"):
                continue
            if part.memory_id in self._memories:
                continue
            cost = self._cost(part)
            if cost > room or (in_order and missing):
                missing.append(part)
                self._miss(part)
                continue
            room -= cost
            self._left -= cost
            self._add(part, text)
        return missing

    def _add(self, part: Part, text: str) -> None:
        self.parts.append(part)
        self._missing.pop(str(part.citation), None)
        self._texts.add(text)
        self._sections.add(section_of(part))
        self._heads |= set(_heads(part))
        if part.turn_id is not None:
            self._turns.add(part.turn_id)
        if part.memory_id is not None:
            self._memories.add(part.memory_id)

    def _miss(self, part: Part) -> None:
        self._missing[str(part.citation)] = self._count(part.text)

    def _cost(self, part: Part) -> float:
        """Return the tokens of a part with the lines around it that it needs."""
        section = section_of(part)
        frame = "" if section in self._sections else frame_of(section)
        day, session = _heads(part)
        head = "" if session in self._heads else "\n" if day in self._heads else head_of(part, None)
        return self._count(f"{frame}{head}{line_of(part)}\n")

    def _needed(self, parts: Iterable[Part], share: float) -> float:
        """Return the tokens of these parts, or those of their share if that is less."""
        return min(sum(map(self._cost, parts)), share * self._max_tokens, self._left)

    def _is_told(self, part: Part, sources: Mapping[int, Collection[int]]) -> bool:
        """Return whether a turn that a fact was derived from is shown, or was seen."""
        return not self._turns.isdisjoint(sources.get(part.memory_id or 0, ()))


def _heads(part: Part) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the day and the session under which a part is shown, in its section."""
    day = part.kind, (part.occurred_at or "")[:10]
    return day, (*day, str(part.session_id or ""))
