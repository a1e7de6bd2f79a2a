"""Building of an episode from its turns: summary, scores, row and chunk."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from ingest.pii import privacy_tags, without_secrets
from ingest.threads.summary import Said
from memory.conversations.turns.values import Turn
from memory.episodes import scoring
from memory.episodes.retention import first_review
from memory.episodes.store import EpisodeStore
from memory.episodes.summaries.sentences import Rarity, telling_sentences
from memory.episodes.summaries.word_counts import WordCounts
from memory.episodes.values import Episode
from memory.index.record_chunks import RecordText, RecordVectors, put_records, remove_record
from memory.index.record_hooks import renew_derived, withdraw_derived
from memory.storage import Transaction, utc_now
from memory.workspace import Workspace

_DAY = len("2026-03-04")
_SMALL_TALK_CHARS = 100


def built(
    workspace: Workspace,
    turns: Sequence[Turn],
    before: Episode | None = None,
    *,
    counts: WordCounts | None = None,
) -> Episode:
    """Return the episode of these turns, which are in their order; its id may be 0.

    With `before`, the same episode with other turns, it keeps its state in FSRS and its history.
    `counts` are those of a run over many.
    """
    most = workspace.config.episodes.summary_chars
    counts = counts or WordCounts(workspace.storage)
    summary = summary_of_turns(turns, counts.rarity, max_chars=most)
    first, last, now = turns[0], turns[-1], utc_now()
    without = None if before is None else before.id
    known = scoring.known_before(workspace, counts, summary, until=first.ts, without=without)
    found = scoring.found_in(workspace, [turn.id for turn in turns])
    state = first_review(datetime.fromisoformat(last.ts))
    new = Episode(
        id=0,
        session_id=first.session_id,
        start_message_id=first.id,
        end_message_id=last.id,
        summary=summary,
        importance_score=scoring.importance([turn.body for turn in turns], found),
        surprise_score=scoring.surprise(known, summary),
        stability=state.stability,
        difficulty=state.difficulty,
        retrievability=1.0,
        retrieval_count=0,
        last_accessed_at=last.ts,
        created_at=now,
        updated_at=now,
        started_at=first.ts,
        ended_at=last.ts,
        message_count=len(turns),
    )
    return new if before is None else _continued(new, before)


def _continued(new: Episode, before: Episode) -> Episode:
    """Return an episode that other turns now belong to, with the history that it has."""
    is_used = before.retrieval_count > 0
    return replace(
        new,
        id=before.id,
        stability=before.stability,
        difficulty=before.difficulty,
        retrievability=before.retrievability,
        retrieval_count=before.retrieval_count,
        last_accessed_at=before.last_accessed_at if is_used else new.ended_at,
        created_at=before.created_at,
    )


def summary_of_turns(turns: Sequence[Turn], rarity: Rarity, *, max_chars: int) -> str:
    """Return the most telling sentences of turns below the day, or each with its day.

    Secrets are masked. Turns that only greet give the beginning of the first one.
    """
    days = list(dict.fromkeys(turn.ts[:_DAY] for turn in turns))
    head = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    said = [
        Said(_label(turn, is_dated=len(days) > 1), without_secrets(turn.body)) for turn in turns
    ]
    room = max_chars - len(head) - 1
    spoken = [one for one, turn in zip(said, turns, strict=True) if turn.role in _SPEAKING]
    told = telling_sentences(spoken, rarity, max_chars=room)
    if not told:
        text = " ".join(said[0].text.split())[:_SMALL_TALK_CHARS]
        told = f"{said[0].speaker}: {text}"
    return f"{head}\n{told}"


_SPEAKING = ("user", "assistant")


def _label(turn: Turn, *, is_dated: bool) -> str:
    who = turn.speaker or turn.role.capitalize()
    return f"{turn.ts[:_DAY]} {who}" if is_dated else who


def record_text(episode: Episode) -> RecordText:
    """Return the searchable text of an episode; its `id` may still be 0."""
    return RecordText(
        source="episode",
        owner_id=str(episode.id),
        text=episode.summary,
        occurred_at=episode.started_at,
        recorded_at=episode.created_at,
        session_id=str(episode.session_id),
        tags=privacy_tags(episode.summary),
        metadata={
            "episode_id": episode.id,
            "session_id": episode.session_id,
            "start_message_id": episode.start_message_id,
            "end_message_id": episode.end_message_id,
            "messages": episode.message_count,
            "ended_at": episode.ended_at,
        },
    )


class EpisodeWriter:
    """Writes episodes with their chunks in an open transaction."""

    def __init__(self, workspace: Workspace, tx: Transaction, known: RecordVectors) -> None:
        self._workspace = workspace
        self._tx = tx
        self._known = known
        self.store = EpisodeStore(workspace.storage.database)

    def insert(self, episode: Episode, turn_ids: Sequence[int]) -> Episode:
        """Store a new episode of these turns and return it with its id."""
        stored = replace(episode, id=self.store.insert(self._tx, episode))
        self.store.assign(self._tx, turn_ids, stored.id)
        self._index(stored)
        return stored

    def rewrite(self, episode: Episode) -> None:
        """Write an episode that has another summary; nothing of the old one remains."""
        remove_record(self._workspace, self._tx, "episode", str(episode.id))
        self.store.update(self._tx, episode)
        self._index(episode)
        renew_derived(self._workspace, self._tx, "episode", [episode.id])

    def remove(self, episode_id: int) -> None:
        """Remove an episode with its chunk; its turns have none then."""
        withdraw_derived(self._workspace, self._tx, "episode", [episode_id])
        remove_record(self._workspace, self._tx, "episode", str(episode_id))
        self.store.delete(self._tx, episode_id)

    def dismiss(self, episode: Episode) -> None:
        """Remove an episode so that its turns are not summarised again."""
        turn_ids = [turn.id for turn in self.store.turns([episode.id])]
        self.remove(episode.id)
        if turn_ids:
            silent = replace(episode, id=0, summary="", updated_at=utc_now())
            self.store.assign(self._tx, turn_ids, self.store.insert(self._tx, silent))

    def _index(self, episode: Episode) -> None:
        if episode.summary:
            put_records(self._workspace, self._tx, [record_text(episode)], self._known)
