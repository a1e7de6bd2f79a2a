"""Forgetting and reinforcement: FSRS through its library, written by reports of use alone."""

from datetime import UTC, datetime, timedelta

import pytest
from fsrs import Card, Rating, Scheduler

from contracts import InputError
from memory.episodes.forming import form_episodes
from memory.episodes.listing import EpisodeFilter, list_episodes, read_episode
from memory.episodes.reinforcement import UseReport, maintain_retrievability, note_used
from memory.episodes.retention import Retention, Vote, first_review, retrievability, reviewed
from memory.episodes.store import EpisodeStore
from memory.episodes.values import Episode
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.operations.manage import show
from memory.retrieval.searching import search
from memory.values.record_kinds import RecordName
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.episodes.said import BEGUN, CAKE, say
from tools.forgetting_curve import PICTURE, USED_ON, curve, picture

DAY = timedelta(days=1)
AT = datetime(2026, 3, 4, 12, tzinfo=UTC)


def first(memory: Workspace) -> Episode:
    found = EpisodeStore(memory.storage.database).get(1)
    assert found is not None
    return found


def test_it_is_the_library_that_reviews() -> None:
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    card, state = Card(card_id=7), None
    ratings: list[tuple[int, Vote]] = [(0, "used"), (3, "used"), (3, "helpful"), (40, "unhelpful")]
    for days, vote in ratings:
        at = AT + days * DAY
        rating = {"used": Rating.Good, "helpful": Rating.Easy, "unhelpful": Rating.Again}[vote]
        card, _ = scheduler.review_card(card, rating, at)
        state = first_review(at) if state is None else reviewed(state, vote, at)
        assert state == Retention(card.stability or 0, card.difficulty or 0, at)
        for later in (0.5, 1, 30, 1000):
            now = at + later * DAY
            expected = scheduler.get_card_retrievability(card, now)
            assert retrievability(state, now) == pytest.approx(expected)


def test_recall_falls_with_time_to_nine_tenths_after_the_stability() -> None:
    state = first_review(AT)
    assert retrievability(state, AT) == 1
    days = [retrievability(state, AT + number * DAY) for number in range(400)]
    assert days == sorted(days, reverse=True)
    assert 0.88 < retrievability(state, AT + round(state.stability) * DAY) < 0.92
    used = reviewed(state, "used", AT + 10 * DAY)
    assert used.stability > state.stability
    lapsed = reviewed(state, "unhelpful", AT + 10 * DAY)
    assert lapsed.stability < state.stability


def test_an_episode_begins_with_a_first_review_at_its_end(told: Workspace) -> None:
    episode = first(told)
    state = first_review(datetime.fromisoformat(episode.ended_at))
    assert (episode.stability, episode.difficulty) == (state.stability, state.difficulty)
    assert (episode.retrieval_count, episode.last_accessed_at) == (0, episode.ended_at)


def test_use_reinforces_once_a_day(told: Workspace) -> None:
    before, now = first(told), AT + 5 * DAY
    assert note_used(told, ["episode 1"], now=now) == UseReport(reinforced=["episode 1"])
    after = first(told)
    assert after.stability > before.stability
    assert (after.retrieval_count, after.last_accessed_at) == (1, "2026-03-09T12:00:00.000Z")
    assert read_episode(told, 1, now=now).retrievability == 1
    again = note_used(told, ["episode:1", "turn 3"], vote="helpful", now=now + timedelta(hours=11))
    assert again == UseReport(already=["episode 1"])
    assert first(told) == after
    assert note_used(told, ["episode 1"], now=now + DAY).reinforced == ["episode 1"]
    assert first(told).retrieval_count == 2


def test_use_on_the_day_of_the_episode_counts(told: Workspace) -> None:
    assert note_used(told, ["episode 1"], now=AT).reinforced == ["episode 1"]
    assert first(told).retrieval_count == 1


def test_the_names_of_what_was_used(told: Workspace) -> None:
    options = SearchOptions(mode="keyword", sources=["episode"])
    (hit,) = search(told, "strawberries candles", options).results
    used = ["session s1 turn 2, 2026-03-04", hit.chunk_id, "memory 4", "turn 99", "episode 9", "x"]
    report = note_used(told, used, now=AT)
    assert report.reinforced == ["episode 1", "episode 2"]
    assert report.others == ["memory 4", "turn 99", "episode 9", "x"]


def test_a_forgotten_episode_is_not_reinforced(told: Workspace) -> None:
    forget(told, ForgetRequest(records=(RecordName("episode", "1"),)))
    assert note_used(told, ["turn 1", "episode 3", "episode 2"], now=AT).reinforced == ["episode 2"]


def test_an_unhelpful_one_is_remembered_less(told: Workspace) -> None:
    note_used(told, ["episode 1"], vote="unhelpful", now=AT + 20 * DAY)
    note_used(told, ["episode 2"], vote="helpful", now=AT + 20 * DAY)
    later = AT + 60 * DAY
    assert read_episode(told, 1, now=later).retrievability < 0.8
    assert read_episode(told, 2, now=later).retrievability > 0.9


@pytest.mark.parametrize(
    "used, vote, told_",
    [
        ("episode 1", "used", "what was used is 'episode 1'"),
        ([1], "used", "what was used is"),
        (["episode 1"], "great", "the vote is 'great'"),
        (["x"] * 1001, "used", "1,001 records are named"),
    ],
    ids=["text", "number", "vote", "many"],
)
def test_invalid_reports(told: Workspace, used: object, vote: object, told_: str) -> None:
    with pytest.raises(InputError, match=told_):
        note_used(told, used, vote=vote)  # type: ignore[arg-type]  # what callers may send


def test_reading_writes_nothing(told: Workspace) -> None:
    before = told.storage.database.read("SELECT * FROM episodic_memory")
    search(told, "rudder", SearchOptions(sources=["episode"]))
    show(told, "episode 1")
    list_episodes(told)
    assert told.storage.database.read("SELECT * FROM episodic_memory") == before


def test_the_upkeep_stores_the_present_probabilities(told: Workspace) -> None:
    now = AT + 30 * DAY
    note_used(told, ["episode 2"], now=now)
    assert [one.retrievability for one in list_episodes(told, now=now).episodes] == [
        1.0,
        read_episode(told, 1, now=now).retrievability,
    ]
    assert first(told).retrievability == 1
    assert maintain_retrievability(told, now=now) == (2, 0, 1)
    assert first(told).retrievability == read_episode(told, 1, now=now).retrievability < 0.8
    assert maintain_retrievability(told, now=now) == (2, 0, 0)
    assert maintain_retrievability(told, now=now + DAY, is_ended=lambda: True) == (0, 0, 0)


def test_lists_are_filtered_and_paged(told: Workspace) -> None:
    say(told, CAKE, session="7", begin=BEGUN + 3 * DAY)
    form_episodes(told)

    def ids(**wanted: object) -> list[int]:
        filter_ = EpisodeFilter(**wanted)  # type: ignore[arg-type]  # fields of the filter
        return [one.id for one in list_episodes(told, filter_).episodes]

    assert ids() == [3, 2, 1]
    assert ids(session_id=7) == [3]
    assert ids(since="2026-03-05") == [3]
    assert ids(until="2026-03-04") == [2, 1]
    assert ids(min_importance=0.9) == []
    page = list_episodes(told, limit=2)
    assert [one.id for one in page.episodes] == [3, 2]
    rest = list_episodes(told, limit=2, cursor=page.next_cursor)
    assert ([one.id for one in rest.episodes], rest.next_cursor) == ([1], None)


@pytest.mark.parametrize(
    "arguments, told_",
    [
        ({"limit": 0}, "the limit is 0"),
        ({"cursor": "3"}, "the cursor is '3'"),
        ({"wanted": EpisodeFilter(min_importance=2)}, "min_importance is 2"),
        ({"wanted": EpisodeFilter(since="soon")}, "soon"),
    ],
    ids=["limit", "cursor", "importance", "time"],
)
def test_invalid_lists(told: Workspace, arguments: dict[str, object], told_: str) -> None:
    with pytest.raises(InputError, match=told_):
        list_episodes(told, **arguments)  # type: ignore[arg-type]  # what callers may give


def test_the_picture_of_the_page_is_what_the_library_says() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture()
    never, used = curve(()), curve(USED_ON)
    assert never[:3] == used[:3]
    assert all(mine > other for mine, other in zip(used[3:], never[3:], strict=True))
