"""Memories that say the same, or contradict each other, found without comparing all pairs.

Two sentences whose words overlap enough share one of their rarest words, so only pairs that share
one are compared (the prefix filter of set similarity joins: Chaudhuri, Ganti and
Kaushik 2006, Bayardo, Ma and Srikant 2007). A word that more than `_MOST_SHARING` memories have
among their rarest leads only to the newest of them.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from math import ceil
from typing import Final

from contracts.named_tuple import NamedTuple
from ingest import Slot, slot_of
from memory.config.sections.conversations import ExtractorConfig
from memory.conversations.memories.comparison.sentence_similarity import (
    Sentence,
    affirmed,
    is_negation_of,
    say_the_same,
    sentence,
)
from memory.conversations.memories.comparison.slot_conflict import is_within, repeats
from memory.conversations.memories.comparison.word_similarity import nearness
from memory.operations.audit.values import AuditFinding, Entry, of_memory

_MOST_SHARING: Final = 50

_PROBABLY: Final = 0.1
"""The distance below the merge thresholds at which memories probably say the same."""

_SURE, _LIKELY = "they say the same", "they probably say the same"


class _Pair(NamedTuple):
    one: int
    other: int
    is_sure: bool


def duplicates(entries: Sequence[Entry], config: ExtractorConfig) -> Iterator[AuditFinding]:
    """Find groups of active memories that say the same; each keeps its strongest memory."""
    groups = _Groups(len(entries))
    for pair in (*_equal(entries), *_near(entries, config)):
        groups.join(pair)
    for members, is_sure in groups.found():
        strongest, *others = sorted((entries[i] for i in members), key=_strength, reverse=True)
        yield of_memory("duplicate", strongest, *others, why=_SURE if is_sure else _LIKELY)


def contradictions(entries: Sequence[Entry]) -> Iterator[AuditFinding]:
    """Find active memories of one slot, or of which one denies the other; keep the newest."""
    for slot, held in _by(entries, lambda entry: entry.slot or "").items():
        newest, *others = _newest_first(held)
        against = [other for other in others if slot and not _agree(newest, other)]
        if against:
            values = ", ".join(dict.fromkeys(str(entry.value) for entry in (newest, *against)))
            why = f"only one can be true of {slot}: {values}"
            yield _against(newest, against, why)
    plain = [entry for entry in entries if entry.slot is None]
    for held in _by(plain, lambda entry: " ".join(affirmed(_read(entry)))).values():
        newest, *others = _newest_first(held)
        said = _read(newest)
        against = [other for other in others if is_negation_of(_read(other), said)]
        if against:
            yield _against(newest, against, "one denies the other")


def _agree(one: Entry, other: Entry) -> bool:
    """Return whether two values of one slot are equal, or one is more detailed."""
    pairs = ((one, other), (other, one))
    return any(is_within(Slot(a.slot or "", a.value or ""), b) for a, b in pairs)


def _against(newest: Entry, others: Sequence[Entry], why: str) -> AuditFinding:
    """Suggest to archive the others: they were true once, so they are not forgotten."""
    found = of_memory("contradiction", newest, *others, why=why)
    return replace(
        found, commands=[f"mem memories edit {one.id} --status archived" for one in others]
    )


def _by(entries: Iterable[Entry], key: Callable[[Entry], str]) -> dict[str, list[Entry]]:
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[key(entry)].append(entry)
    return groups


def _newest_first(entries: Sequence[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: (entry.occurred_at, entry.id), reverse=True)


def _strength(entry: Entry) -> tuple[int, int, int]:
    """Return a sort key: the most repeated memory is kept, among equals the oldest."""
    return entry.importance, entry.hits, -entry.id


def _read(entry: Entry) -> Sentence:
    return sentence(entry.content)


def _equal(entries: Sequence[Entry]) -> Iterator[_Pair]:
    """Find memories with the same words, and those of one slot that add nothing to another."""
    first: dict[str, int] = {}
    held: dict[tuple[str, str | None], list[int]] = defaultdict(list)
    for at, entry in enumerate(entries):
        seen = first.setdefault(entry.words, at)
        if seen != at:
            yield _Pair(seen, at, is_sure=True)
            continue
        if entry.slot is None:
            continue
        others = held[entry.slot, entry.value]
        same = (
            one for one in others if _tells(entries[one], entry) and _tells(entry, entries[one])
        )
        found = next(same, None)
        if found is None:
            others.append(at)
        else:
            yield _Pair(found, at, is_sure=True)


def _tells(one: Entry, other: Entry) -> bool:
    slot = slot_of(other.content)
    return slot is not None and repeats(slot, _read(other), one)


def _near(entries: Sequence[Entry], config: ExtractorConfig) -> Iterator[_Pair]:
    """Find memories whose words overlap enough, in the order of their number of words."""
    least = max(config.merge_jaccard - _PROBABLY, _PROBABLY)
    nearest = config.merge_cosine
    read: dict[int, Sentence] = {}

    def says(one: int, other: int, *, loosely: bool) -> bool:
        reach = (least, nearest - _PROBABLY) if loosely else (config.merge_jaccard, nearest)
        said = [
            read[at] if at in read else read.setdefault(at, _read(entries[at]))
            for at in (one, other)
        ]
        return any(
            say_the_same(old, new, least=reach[0], near=nearness, nearest=reach[1], loosely=loosely)
            for old, new in (said, said[::-1])
        )

    words = [entry.words.split() for entry in entries]
    for one, other in _candidates(words, least, otherwise=config.merge_jaccard):
        mine, its = entries[one], entries[other]
        if mine.words == its.words or (mine.slot and its.slot):
            continue
        if not says(one, other, loosely=True):
            continue
        merges = mine.slot is None and its.slot is None
        yield _Pair(one, other, merges and says(one, other, loosely=False))


def _candidates(
    words: Sequence[Sequence[str]], least: float, *, otherwise: float
) -> Iterator[tuple[int, int]]:
    """Yield pairs that share a rare word, and whose Jaccard overlap reaches a minimum: `least`
    where one has all words of the other, else `otherwise`.
    """
    distinct = [frozenset(said) for said in words]
    frequency = Counter(word for said in distinct for word in said)
    sharing: dict[str, list[int]] = defaultdict(list)
    for at in sorted(range(len(words)), key=lambda at: len(words[at])):
        mine = distinct[at]
        rarest = sorted(mine, key=lambda word: (frequency[word], word))
        seen: set[int] = set()
        for word in rarest[: len(mine) - ceil(least * len(mine)) + 1]:
            seen.update(sharing[word][-_MOST_SHARING:])
            sharing[word].append(at)
        for one in sorted(seen):
            few = len(distinct[one])
            shared = len(mine & distinct[one])
            enough = least if shared == few else otherwise
            if shared >= enough * (len(mine) + few - shared):
                yield one, at


class _Groups:
    """Groups of connected items, built step by step (union-find)."""

    def __init__(self, size: int) -> None:
        self._parents = list(range(size))
        self._doubted = set[int]()

    def join(self, pair: _Pair) -> None:
        one, other = self._root(pair.one), self._root(pair.other)
        self._parents[other] = one
        if not pair.is_sure or other in self._doubted:
            self._doubted.add(one)

    def found(self) -> Iterator[tuple[list[int], bool]]:
        """Return the groups of two and more, and whether each of their pairs is certain."""
        members: dict[int, list[int]] = defaultdict(list)
        for at in range(len(self._parents)):
            members[self._root(at)].append(at)
        for root, group in members.items():
            if len(group) > 1:
                yield group, root not in self._doubted

    def _root(self, at: int) -> int:
        while self._parents[at] != at:
            self._parents[at] = self._parents[self._parents[at]]
            at = self._parents[at]
        return at
