"""Import of episodes whose turns are here and belong to none yet."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final, get_args

from memory.episodes.building import record_text
from memory.episodes.store import EpisodeStore
from memory.episodes.values import Author, Episode
from memory.index.record_chunks import put_records
from memory.index.record_exchange import RecordImport
from memory.values.line_values import (
    check_ranges,
    checked,
    checked_moment,
    integers_of,
    one_of,
)

_FIELDS: Final = tuple(item.name for item in fields(Episode))
_RANGES: Final = {
    "importance_score": (0.0, 1.0),
    "surprise_score": (0.0, 1.0),
    "stability": (0.0, 1e6),
    "difficulty": (1.0, 10.0),
    "retrievability": (0.0, 1.0),
}


class EpisodeImporter:
    """The importer of episodes.

    An episode is known here if one of its turns belongs to an episode; it is left out, for its
    turns to be divided here, if one of them is missing. One without turns, which another program
    inserted, is known by its session and summary. A new one keeps its number where that is free.
    """

    types = ("episode",)

    def __init__(self, work: RecordImport) -> None:
        self._work = work
        self._store = EpisodeStore(work.workspace.storage.database)
        self._turns = work.numbers.setdefault("turn", {})
        self._waiting: list[tuple[Episode, list[int]]] = []

    def take(self, line_type: str, values: Mapping[str, Any]) -> int:
        """Keep a line until `store`; return the number of episodes kept."""
        item = episode_of_line(values)
        self._work.take_vectors(values)
        self._waiting.append(item)
        return len(self._waiting)

    def store(self) -> None:
        """Store the waiting episodes, after the turns that they consist of."""
        waiting, self._waiting = self._waiting, []
        here = [
            (one, [self._turns[key] for key in ids if key in self._turns], len(ids))
            for one, ids in waiting
        ]
        known = self._work.known(record_text(one) for one, _, _ in here if one.summary)
        records = []
        with self._work.workspace.storage.database.transaction() as tx:
            for episode, turn_ids, number in here:
                is_known = bool(self._known(episode, turn_ids))
                if is_known or len(turn_ids) < number or not self._store.are_free(turn_ids):
                    self._work.unchanged += is_known
                    continue
                ends = episode.start_message_id, episode.end_message_id
                first, last = (turn_ids[0], turn_ids[-1]) if turn_ids else map(self._here, ends)
                new = replace(episode, start_message_id=first, end_message_id=last)
                new = replace(new, id=self._store.insert(tx, new, keeps_id=True))
                self._store.assign(tx, turn_ids, new.id)
                self._work.numbers.setdefault("episode", {})[episode.id] = new.id
                self._work.added["episode"] += 1
                if new.summary:
                    records.append(record_text(new))
            put_records(self._work.workspace, tx, records, known)

    def _known(self, episode: Episode, turn_ids: list[int]) -> list[int]:
        return self._store.of_turns(turn_ids) if turn_ids else self._store.without_turns(episode)

    def _here(self, turn_id: int) -> int:
        return self._turns.get(turn_id, turn_id)

    def finish(self) -> None:
        """Nothing depends on all episodes."""


def episode_of_line(values: Mapping[str, Any]) -> tuple[Episode, list[int]]:
    """Return the episode of a line, and the numbers of its turns there. Raises LineError."""
    given: dict[str, Any] = {name: values.get(name) for name in _FIELDS}
    for name in ("session_id", "summary"):
        checked(given, name, str)
    for name in ("id", "start_message_id", "end_message_id", "retrieval_count"):
        checked(given, name, int)
    for name in ("message_count", "model_tries"):
        checked(given, name, int)
    for name in ("last_accessed_at", "created_at", "updated_at", "started_at", "ended_at"):
        checked_moment(given, name)
    check_ranges(given, _RANGES)
    one_of(given, "written_by", get_args(Author))
    return Episode(**given), integers_of(values, "turn_ids")
