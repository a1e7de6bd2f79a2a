"""The decay of facts: a function of stored times and settings, whatever runs happen or do not."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.config.settings import FtsConfig, RecordsConfig
from memory.operations.jobs.registry import DECAY, open_work
from memory.records.decay import effective_confidence, hidden_from, renew_moments, standing
from memory.records.facts import NewFact, list_facts, read_fact, write_fact
from memory.records.topics import read_topic
from memory.records.values import Fact
from memory.retrieval.query_cache import QueryCache
from memory.retrieval.searching import search
from memory.storage import utc_text
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import opened
from tests.memory.engines import outside
from tests.memory.records.stated import COFFEE, NOW

DAY = timedelta(days=1)
USUAL = RecordsConfig()
AT = utc_text(NOW)

shares = st.floats(0, 1)
configs = st.builds(
    RecordsConfig,
    decay_after_days=st.integers(0, 1000).map(float),
    decay_per_week=st.one_of(st.sampled_from([0.0, 0.1, 1.0]), shares),
    archive_below=st.one_of(st.sampled_from([0.0, 0.2, 1.0]), shares),
)
ages = st.timedeltas(timedelta(0), timedelta(days=3000)).map(
    lambda age: timedelta(milliseconds=age // timedelta(milliseconds=1))
)


def fact(confidence: float, expires_at: str | None = None) -> Fact:
    return Fact(1, "a", "b", "c", confidence, expires_at, "api", AT, AT)


@pytest.mark.parametrize(
    "days, weeks",
    [(0, 0), (90, 0), (96.999, 0), (97, 1), (103.9, 1), (104, 2), (90 + 7 * 20, 20)],
)
def test_confidence_falls_by_a_tenth_each_whole_week_beyond_90_days(
    days: float, weeks: int
) -> None:
    found = effective_confidence(0.9, AT, NOW + timedelta(days=days), USUAL)
    assert found == pytest.approx(0.9 * 0.9**weeks)


@pytest.mark.parametrize("confidence, days", [(0.9, 195), (0.6, 167), (0.5, 153), (0.2, 97)])
def test_a_fact_is_archived_below_a_fifth(confidence: float, days: int) -> None:
    assert hidden_from(confidence, AT, None, USUAL) == utc_text(NOW + days * DAY)


@given(shares, ages, configs)
def test_the_moment_is_when_the_confidence_falls_below(
    confidence: float, age: timedelta, config: RecordsConfig
) -> None:
    """Against the definition: a fact is hidden at a time if and only if it is archived then."""
    moment, now = hidden_from(confidence, AT, None, config), NOW + age
    present = effective_confidence(confidence, AT, now, config)
    below = present < config.archive_below or confidence == 0
    assert below == (moment is not None and moment <= utc_text(now))
    assert (standing(fact(confidence), now, config) == "archived") == below


@given(shares, ages, ages)
def test_an_expiry_hides_from_its_second_on(
    confidence: float, until: timedelta, age: timedelta
) -> None:
    expires_at, now = utc_text(NOW + until), NOW + age
    moment = hidden_from(confidence, AT, expires_at, USUAL)
    state = standing(fact(confidence, expires_at), now, USUAL)
    assert (state == "expired") == (expires_at <= utc_text(now))
    assert (state != "current") == (moment is not None and moment <= utc_text(now))


@given(st.lists(st.tuples(shares, ages, st.one_of(st.none(), ages)), max_size=6), ages)
def test_confidence_never_rises_by_waiting(
    facts: list[tuple[float, timedelta, timedelta | None]], more: timedelta
) -> None:
    for confidence, age, _ in facts:
        sooner = effective_confidence(confidence, AT, NOW + age, USUAL)
        later = effective_confidence(confidence, AT, NOW + age + more, USUAL)
        assert later <= sooner <= confidence


def found(workspace: Workspace, at: datetime, *, archived: bool = False) -> set[str]:
    options = SearchOptions(now=at, archived=archived, max_results=50, fold="none", min_score=0)
    return {hit.citation for hit in search(workspace, "latte", options).results}


@pytest.fixture(scope="module")
def many() -> Iterator[Workspace]:
    """Ten facts of the same words; those with an expiry end on different days."""
    with TemporaryDirectory() as folder, opened(Path(folder)) as workspace:
        for number in range(10):
            expiry = utc_text(NOW + number * 20 * DAY) if number % 2 else None
            write_fact(
                workspace,
                replace(COFFEE, key=f"coffee {number}", confidence=number / 10, expires_at=expiry),
            )
        yield workspace


@given(runs=st.lists(ages, max_size=4), age=ages)
def test_whatever_runs_nothing_hidden_is_found(
    many: Workspace, runs: list[timedelta], age: timedelta
) -> None:
    """Missed, repeated and late runs of the decay change nothing."""
    for _ in runs:
        renew_moments(many)
    now = NOW + age
    holding = {one.citation for one in list_facts(many, now=now)}
    assert found(many, now) == holding
    every = {one.citation for one in list_facts(many, now=now, archived=True)}
    assert found(many, now, archived=True) == every
    assert len(every) == 10


@pytest.mark.parametrize("mode", ["keyword", "vector", "hybrid"])
@pytest.mark.parametrize("fts", [True, False])
def test_every_leg_leaves_hidden_facts_out(tmp_path: Path, mode: str, fts: bool) -> None:
    with opened(tmp_path, fts=FtsConfig(enabled=fts)) as memory:
        write_fact(memory, replace(COFFEE, value="order ERR_1234", expires_at=AT))
        write_fact(memory, replace(COFFEE, key="tea", value="order ERR_1234"))
        for query in ("ERR_1234", "order", '"order ERR_1234"'):
            options = SearchOptions(mode=mode, min_score=0)  # type: ignore[arg-type]  # one of them
            late = replace(options, now=NOW)
            soon = replace(options, now=NOW - timedelta(milliseconds=1), fold="none")
            assert [hit.citation for hit in search(memory, query, late).results] == [
                "fact preference/tea"
            ]
            assert len(search(memory, query, soon).results) == 2


def test_a_narrow_scope_is_filled_up(memory: Workspace) -> None:
    """However many hidden facts are better."""
    for number in range(40):
        write_fact(memory, replace(COFFEE, key=f"latte {number}", value="latte", expires_at=AT))
    write_fact(memory, replace(COFFEE, key="tea", value="no coffee or latte on any day but Sunday"))
    options = SearchOptions(now=NOW, max_results=1, depth=1, sources=["fact"], mode="keyword")
    assert [hit.citation for hit in search(memory, "latte", options).results] == [
        "fact preference/tea"
    ]


def test_stating_it_again_restores_a_fact(memory: Workspace) -> None:
    write_fact(memory, COFFEE)
    late = NOW + 400 * DAY
    assert read_fact(memory, "preference/coffee_order", now=late).state == "archived"
    assert found(memory, late) == set()
    assert list_facts(memory, now=late) == []
    again = write_fact(memory, replace(COFFEE, now=late))
    assert (again.state, again.effective_confidence) == ("current", 0.6)
    assert found(memory, late) == {"fact preference/coffee_order"}


def test_a_cached_answer_ends_with_a_fact_in_it(memory: Workspace) -> None:
    """The present time is not part of a question, so the revision has to show it."""
    present = datetime.now(UTC)
    expires_at = utc_text(present + timedelta(seconds=1.5))
    write_fact(memory, replace(COFFEE, expires_at=expires_at, now=present))
    cache, options = QueryCache(memory.storage), SearchOptions()
    before = cache.ask("latte", options).revision
    while datetime.now(UTC) < datetime.fromisoformat(expires_at):
        Event().wait(0.05)
    Event().wait(0.002)
    assert cache.ask("latte", options).revision != before
    assert search(memory, "latte", options).results == []
    assert search(memory, "latte", replace(options, archived=True)).results != []


def test_changed_settings_reach_the_facts_that_are_there(tmp_path: Path) -> None:
    late = NOW + 120 * DAY
    with opened(tmp_path) as memory:
        work = open_work(DECAY, memory)
        assert work.is_due(), "another program may have written while this one did not run"
        work.run(Event())
        assert not work.is_due()
        write_fact(memory, COFFEE)
        assert work.run(Event()).message == "facts with another moment: 0, records indexed: 0"
        assert not work.is_due()
        assert found(memory, late) != set()
    with opened(tmp_path, records=RecordsConfig(decay_after_days=10.0)) as memory:
        work = open_work(DECAY, memory)
        assert work.is_due()
        stopped = Event()
        stopped.set()
        assert work.run(stopped).message == "facts with another moment: 0, records indexed: 0"
        assert work.is_due()
        assert work.run(Event()).message == "facts with another moment: 1, records indexed: 0"
        assert not work.is_due()
        assert found(memory, late) == set()
        assert work.run(Event()).message == "facts with another moment: 0, records indexed: 0"


def test_times_that_another_program_wrote_are_understood(memory: Workspace) -> None:
    """In SQLite's own spelling, too: `datetime('now', '-400 days')`."""
    said = {"a": "alpha", "b": "beta", "c": "gamma"}
    for key, value in said.items():
        write_fact(memory, NewFact(category="t", key=key, value=value, confidence=0.5))
    change = "UPDATE facts SET {} = :time WHERE key = :key"
    with memory.storage.database.transaction() as tx:
        tx.run(change.format("updated_at"), {"time": "2020-01-01 10:00:00", "key": "a"})
        tx.run(change.format("expires_at"), {"time": "2020-01-02 10:00:00", "key": "b"})
    assert [one.state for one in list_facts(memory, archived=True)] == [
        "archived",
        "expired",
        "current",
    ]
    assert [one.key for one in list_facts(memory)] == ["c"]
    assert read_topic(memory, "alpha").facts == []
    assert (
        open_work(DECAY, memory).run(Event()).message
        == "facts with another moment: 2, records indexed: 0"
    )
    assert (
        open_work(DECAY, memory).run(Event()).message
        == "facts with another moment: 0, records indexed: 0"
    )
    assert read_fact(memory, "t/a").updated_at == "2020-01-01T10:00:00.000Z"
    texts = [hit.text for hit in search(memory, "alpha beta gamma", SearchOptions()).results]
    assert texts == ["c: gamma"]
    write_fact(memory, NewFact(category="t", key="a", value="alpha"))
    assert [one.key for one in read_topic(memory, "alpha").facts][:1] == ["a"]


def test_what_another_program_inserts_is_found(memory: Workspace) -> None:
    """A fact by the columns of the Memory Engine's table alone."""
    sql = """INSERT INTO facts (category, key, value, confidence, source, created_at, updated_at)
        VALUES ('preference', 'tea', 'Oolong', 0.9, 'user', ?, ?)"""
    with outside(memory) as run:
        run(sql, AT, AT)
    assert search(memory, "oolong").results == []
    work = open_work(DECAY, memory)
    stopped = Event()
    stopped.set()
    assert work.run(stopped).message.endswith("records indexed: 0")
    assert work.is_due()
    assert work.run(Event()).message == "facts with another moment: 0, records indexed: 1"
    assert not work.is_due()
    assert [
        hit.citation for hit in search(memory, "oolong", SearchOptions(archived=True)).results
    ] == ["fact preference/tea"]


def test_a_run_that_changes_nothing_locks_nothing(
    memory: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tenant can be dropped meanwhile, for one."""
    write_fact(memory, NewFact(category="t", key="a", value="alpha"))
    work = open_work(DECAY, memory)
    work.run(Event())
    monkeypatch.setattr(type(memory.storage.database), "transaction", None)
    assert work.run(Event()).message == "facts with another moment: 0, records indexed: 0"


@pytest.mark.parametrize("until", ["next year", "1893456000", "", "31.12.2030"])
def test_an_expiry_that_is_not_understood_ends_nothing(memory: Workspace, until: str) -> None:
    write_fact(memory, NewFact(category="t", key="a", value="alpha", expires_at="2090-01-01"))
    with memory.storage.database.transaction() as tx:
        tx.run("UPDATE facts SET expires_at = :until", {"until": until})
    renew_moments(memory)
    assert [(one.state, one.expires_at) for one in list_facts(memory)] == [("current", None)]
    assert [hit.text for hit in search(memory, "alpha", SearchOptions()).results] == ["a: alpha"]
    ((kept,),) = memory.storage.database.read("SELECT expires_at FROM facts")
    assert kept == until
