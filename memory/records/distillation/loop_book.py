"""The open loops during a run: which one a commitment repeats, and which one a statement closes."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from ingest.distillation import Closing, OpenLoop, closed_by, stems
from memory.conversations.turns.values import Turn
from memory.records.open_loops import list_open_loops
from memory.records.values import ShownOpenLoop
from memory.workspace import Workspace

_JUST_BEFORE: Final = 12
"""Turns of a session within which "done" alone closes the only loop that was opened in them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A loop; `turn_ids` opened it, `closed_by` resolved it. `number` is None in a dry run."""

    number: int | None
    topic: str
    to: str
    turn_ids: frozenset[int]
    closed_by: frozenset[int] = frozenset()
    is_open: bool = True

    @property
    def opened(self) -> int:
        return min(self.turn_ids, default=0)

    @property
    def of_turn(self) -> OpenLoop:
        """The loop as its speaker said it: in a group its topic begins with their name."""
        return OpenLoop(self.topic.partition(": ")[2] or self.topic, self.to)


class LoopBook:
    """All loops of a database, and those that the run adds, as they are at each turn."""

    def __init__(self, workspace: Workspace) -> None:
        self._entries = [_entry(one) for one in list_open_loops(workspace, resolved=True)]

    def same(self, topic: str, to: str) -> Entry | None:
        """Return the loop of that topic, else the open one of the same words."""
        key, words = topic.casefold(), stems(topic)
        for one in self._entries:
            if one.topic.casefold() == key:
                return one
        return next(
            (one for one in self._entries if one.is_open and stems(one.topic) == words and words),
            None,
        )

    def open_topics(self) -> list[str]:
        """Return the topics of the open loops, the last opened first."""
        known = sorted(self._entries, key=lambda one: one.opened, reverse=True)
        return [one.topic for one in known if one.is_open]

    def is_opened_by(self, turn: Turn, topic: str) -> bool:
        """Return whether a turn opened a loop with at least half of the words of a topic."""
        words = stems(topic)
        return any(
            turn.id in one.turn_ids and len(words & stems(one.topic)) * 2 >= len(words)
            for one in self._entries
        )

    def named(self, topic: str, turn: Turn) -> Entry | None:
        """Return the loop of that topic, opened before a turn, and open or closed by the turn."""
        found = next((one for one in self._entries if one.topic == topic), None)
        if found is None or found.opened >= turn.id:
            return None
        return found if found.is_open or turn.id in found.closed_by else None

    def note(self, entry: Entry) -> None:
        """Add a loop, or replace what is known of it."""
        others = [one for one in self._entries if one.topic.casefold() != entry.topic.casefold()]
        self._entries = [*others, entry]

    def close(self, entry: Entry, turn: Turn) -> None:
        """Note that a turn closed a loop."""
        self.note(replace(entry, is_open=False, closed_by=entry.closed_by | {turn.id}))

    def closed(self, closing: Closing, turn: Turn, before: Iterable[Turn]) -> Entry | None:
        """Return the loop that a statement of a turn closes: opened earlier, and still open then.

        One that this turn closed in a run that was killed counts as open.
        """
        known = [
            one
            for one in self._entries
            if (one.is_open or turn.id in one.closed_by) and one.opened < turn.id
        ]
        if not closing.words:
            near = {one.id for one in list(before)[-_JUST_BEFORE:]}
            known = [one for one in known if one.turn_ids & near]
        rated = [(closed_by(closing, one.of_turn), one) for one in known]
        best = max((score for score, _ in rated), default=0.0)
        fit = [one for score, one in rated if score == best and score > 0]
        return fit[0] if len(fit) == 1 else None


def _entry(loop: ShownOpenLoop) -> Entry:
    reasons: dict[str, set[int]] = {"source": set(), "resolution": set()}
    for one in loop.evidence:
        reasons[one.reason].add(one.turn_id)
    return Entry(
        loop.id,
        loop.topic,
        str(loop.metadata.get("to") or ""),
        frozenset(reasons["source"]),
        frozenset(reasons["resolution"]),
        not loop.resolved,
    )
