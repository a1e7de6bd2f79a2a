"""Forming of episodes from turns that have none; repeating it changes nothing.

A turn without an episode waits, whenever it arrived: the end of a running conversation waits until
it is certain where its episode ends; a late turn joins the episode it falls into. Each episode is
one transaction, which does nothing if its turns are not as they were read.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import groupby, pairwise
from math import inf
from typing import Final

from contracts.named_tuple import NamedTuple
from memory.config.sections.conversations import EpisodesConfig
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.episodes.building import EpisodeWriter, built, record_text
from memory.episodes.cohesion import prepared
from memory.episodes.segmentation import LONG_PAUSE_S, SEEN_BEFORE, Limits, Spoken, ends
from memory.episodes.segmentation import window_ends as fixed_ends
from memory.episodes.store import EpisodeStore, Place
from memory.episodes.summaries.word_counts import WordCounts
from memory.index.embedding.built_in import built_in_model
from memory.index.record_chunks import RecordVectors, record_vectors
from memory.workspace import Workspace

_AT_ONCE: Final = 2000
"""Messages of a session that are divided together, so that a long one takes little memory."""


class FormingReport(NamedTuple):
    """The numbers of new episodes, of those that late turns have joined, and of turns waiting."""

    formed: int
    joined: int
    waiting: int


class _Stretch(NamedTuple):
    """Neighbouring turns without an episode, and the turns around them."""

    before: Sequence[Place]
    turns: Sequence[Place]
    after: Place | None


def limits_of(config: EpisodesConfig) -> Limits:
    """Return the bounds that the configuration gives."""
    least = min(config.least_messages, config.most_messages // 2)
    return Limits(max(1, least), config.most_messages, config.pause_minutes * 60)


def is_due(workspace: Workspace, *, left: int, now: datetime | None = None) -> bool:
    """Return whether there may be episodes to form, besides `left` turns that were left waiting.

    So it is after a number of new turns, or when nobody has spoken in a session for a pause.
    """
    config = workspace.config.episodes
    waiting = EpisodeStore(workspace.storage.database).waiting() if config.enabled else []
    if sum(each.number for each in waiting) - left >= config.after_messages:
        return True
    limits, now_s = limits_of(config), (now or datetime.now(UTC)).timestamp()
    return any(
        now_s - _seconds(each.last_at)
        > (limits.pause_s if each.number >= limits.least else max(LONG_PAUSE_S, limits.pause_s))
        for each in waiting
    )


def form_episodes(
    workspace: Workspace,
    *,
    now: datetime | None = None,
    is_ended: Callable[[], bool] = lambda: False,
) -> FormingReport:
    """Form every episode that is complete, the earliest session first.

    `is_ended` stops it between two transactions; the next run does the rest.
    """
    store = EpisodeStore(workspace.storage.database)
    former = _Former(workspace, (now or datetime.now(UTC)).timestamp(), is_ended)
    for session in store.waiting():
        former.session(session.session_id)
    waiting = sum(each.number for each in store.waiting())
    return FormingReport(former.formed, former.joined, waiting)


class _Former:
    """One run over the turns that wait."""

    def __init__(self, workspace: Workspace, now_s: float, is_ended: Callable[[], bool]) -> None:
        self._workspace = workspace
        self._now_s = now_s
        self._is_ended = is_ended
        self._store = EpisodeStore(workspace.storage.database)
        self._turns = TurnStore(workspace.storage.database)
        self._limits = limits_of(workspace.config.episodes)
        self._counts = WordCounts(workspace.storage)
        self.formed = self.joined = 0

    def session(self, session_id: str) -> None:
        """Form the episodes of a session; one that late turns made too long is divided again."""
        grown = True
        while grown and not self._is_ended():
            grown = False
            for stretch in _stretches(self._store.places(session_id, before=SEEN_BEFORE)):
                if self._is_ended():
                    return
                joins = self._joins(stretch)
                if joins is None:
                    self._divide(stretch)
                else:
                    grown = self._join(stretch, joins) or grown

    def _joins(self, stretch: _Stretch) -> int | None:
        """Return the episode that turns fall into, or that a few between two are close to."""
        last = stretch.before[-1] if stretch.before else None
        around = [place for place in (last, stretch.after) if place is not None]
        episodes = {place.episode_id for place in around}
        if len(around) == 2 and len(episodes) == 1:
            return around[0].episode_id
        if stretch.after is None or not self._is_small(stretch.turns):
            return None
        gap_s, nearest = min(
            (abs(_seconds(place.ts) - _seconds(own.ts)), place.episode_id)
            for place, own in zip(
                around, (stretch.turns[0], stretch.turns[-1])[-len(around) :], strict=True
            )
        )
        return nearest if gap_s <= self._limits.pause_s else None

    def _is_small(self, turns: Sequence[Place]) -> bool:
        """Return whether turns are too few for an episode, with no pause between them."""
        moments = [_seconds(place.ts) for place in turns]
        gaps = (later - before for before, later in pairwise(moments))
        return len(turns) < self._limits.least and max(gaps, default=0) <= self._limits.pause_s

    def _divide(self, stretch: _Stretch) -> None:
        before, turns, begin = list(stretch.before[-SEEN_BEFORE:]), list(stretch.turns), 0
        while begin < len(turns) and not self._is_ended():
            part = turns[begin : begin + _AT_ONCE]
            is_last = begin + len(part) == len(turns)
            read = self._turns.many(place.turn_id for place in (*before, *part))
            known = len(before)
            until_s = self._until_s(stretch) if is_last else _seconds(turns[begin + len(part)].ts)
            found = self._ends(read, known, until_s)
            for first, end in zip((known, *found), found, strict=False):
                if self._is_ended():
                    return
                self._form(read[first:end])
            if not found or is_last:
                return
            begin += found[-1] - known
            before = [*before, *part[: found[-1] - known]][-SEEN_BEFORE:]

    def _until_s(self, stretch: _Stretch) -> float:
        return self._now_s if stretch.after is None else inf

    def _ends(self, turns: Sequence[Turn], begin: int, until_s: float) -> list[int]:
        messages = [Spoken(turn.body, _seconds(turn.ts)) for turn in turns]
        config = self._workspace.config.episodes
        if config.boundaries == "window":
            size = config.window_messages
            return fixed_ends(
                messages, begin=begin, until_s=until_s, size=size, limits=self._limits
            )
        prepare = partial(prepared, model=built_in_model())
        return ends(messages, prepare, begin=begin, until_s=until_s, limits=self._limits)

    def _form(self, turns: Sequence[Turn]) -> None:
        episode = built(self._workspace, turns, counts=self._counts)
        known = record_vectors(self._workspace, [record_text(episode)])
        turn_ids = [turn.id for turn in turns]
        with self._workspace.storage.database.transaction() as tx:
            if self._store.are_free(turn_ids):
                EpisodeWriter(self._workspace, tx, known).insert(episode, turn_ids)
                self.formed += 1

    def _join(self, stretch: _Stretch, episode_id: int) -> bool:
        """Put turns into an episode; return whether it was too long and its turns wait again."""
        late = [place.turn_id for place in stretch.turns]
        with self._workspace.storage.database.transaction() as tx:
            before = self._store.get(episode_id)
            if before is None or not self._store.are_free(late):
                return False
            writer = EpisodeWriter(self._workspace, tx, RecordVectors())
            self._store.assign(tx, late, episode_id)
            turns = self._store.turns([episode_id])
            if len(turns) > 2 * self._limits.most:
                writer.remove(episode_id)
                return True
            if before.summary:
                writer.rewrite(built(self._workspace, turns, before))
            self.joined += 1
        return False


def _stretches(places: Sequence[Place]) -> Iterator[_Stretch]:
    """Yield the neighbouring turns that have no episode, with the turns around them."""
    number = 0
    for waits, group in groupby(places, key=lambda place: place.episode_id is None):
        size = len(list(group))
        if waits:
            after = places[number + size] if number + size < len(places) else None
            yield _Stretch(places[:number], places[number : number + size], after)
        number += size


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()
