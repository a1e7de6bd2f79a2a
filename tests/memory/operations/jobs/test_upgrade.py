"""The change from the static model to the better one, while nobody is waiting."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from contracts import BusyError, UnavailableError
from memory.config.settings import EmbeddingsConfig
from memory.conversations.turns.adding import NewTurn, add_turns
from memory.files.ingestion import sync_files
from memory.index.spaces.listing import read_spaces, remove_spaces
from memory.index.spaces.pausing import is_anybody_waiting, open_requests_of
from memory.index.spaces.reindex import reindex
from memory.index.spaces.separate_model import SeparateProvider
from memory.index.spaces.upgrade import better_model, offer_upgrade
from memory.index.spaces.upgrade_state import read_upgrade
from memory.operations.jobs.manual_runs import maintain_all, maintain_one
from memory.operations.jobs.reindexing import ReindexRequests, ReindexWork
from memory.operations.jobs.running import run_work
from memory.operations.jobs.scheduler import Scheduler
from memory.operations.jobs.vectors import UpgradeWork
from memory.operations.status import read_status
from memory.retrieval.searching import search
from memory.storage.process_locks import UPGRADE_LOCK, reindex_lock, work_lock
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.children import end, kill, lines, start
from tests.memory.databases import document, opened, write
from tests.memory.operations.jobs.probe import bench_of
from tests.waiting import DEADLINE_S, wait_until

SAID = "the zeppelin lands on a roof in Ghent"
AUTO = EmbeddingsConfig()
VECTOR = SearchOptions(mode="vector", max_results=20, min_score=0.0, all_chunks=True, fold="none")


@pytest.fixture
def memory(tmp_path: Path, docs: Path) -> Iterator[Workspace]:
    """A database on the static model, with twelve chunks."""
    write(docs, {f"{n}.md": document(*range(4 * n, 4 * n + 4)) for n in range(3)})
    with opened(tmp_path, embeddings=AUTO) as workspace:
        sync_files(workspace, [docs])
        yield workspace


@pytest.fixture
def changed(memory: Workspace) -> Workspace:
    """Such a database after the change, which takes a process of low priority."""
    done = maintain_one(memory, "upgrade").message
    assert done == "changed to minilm, chunks embedded: 12"
    return memory


def providers(memory: Workspace) -> dict[str, str]:
    return {space.provider: space.state for space in read_spaces(memory)}


def upgraded(memory: Workspace) -> str:
    """What a run of the job says that it did."""
    outcome = run_work(UpgradeWork(memory), threading.Event())
    assert outcome.error is None
    return outcome.done


def test_the_change_waits_to_be_made(memory: Workspace) -> None:
    waiting = read_upgrade(memory)
    assert waiting is not None
    assert (waiting.state, waiting.chunks_done, waiting.chunks_total) == ("waiting", 0, 12)
    assert UpgradeWork(memory).is_due()


def test_the_better_model_takes_over(changed: Workspace) -> None:
    assert providers(changed) == {"minilm": "active", "static": "retired"}
    found = search(changed, "water pump", VECTOR)
    assert (found.mode_used, found.warnings, found.weak) == ("vector", [], False)
    done = read_upgrade(changed)
    assert done is not None
    assert done.state == "done"
    assert done.removal_at is not None
    assert not UpgradeWork(changed).is_due()


def test_a_new_chunk_is_found_by_its_words_until_the_active_model_has_embedded_it(
    changed: Workspace,
) -> None:
    add_turns(changed, [NewTurn("trip", SAID)])
    found = search(changed, "zeppelin")
    assert found.results[0].text == SAID
    assert "some chunks have no vectors yet" in found.warnings[0]
    status = read_status(changed)
    n_chunks = sum(status.chunks.values())
    assert status.vectors == 12 < n_chunks
    maintain_one(changed, "vectors")
    assert read_status(changed).vectors == n_chunks
    assert SAID in [hit.text for hit in search(changed, "an airship", VECTOR).results[:2]]
    assert {space.vectors for space in read_spaces(changed) if space.state == "retired"} == {12}


def test_the_static_space_is_removed_a_day_later(changed: Workspace) -> None:
    now = datetime.now(UTC)
    early = UpgradeWork(changed, now=lambda: now + timedelta(hours=23))
    assert not early.is_due()
    late = UpgradeWork(changed, now=lambda: now + timedelta(hours=25))
    assert late.is_due()
    configured = changed.config
    changed.config = replace(configured, embeddings=replace(AUTO, fallback_provider="static"))
    assert not late.is_due()
    changed.config = configured
    assert run_work(late, threading.Event()).done == "former spaces removed: 1"
    assert providers(changed) == {"minilm": "active"}
    assert read_upgrade(changed) is None
    assert not late.is_due()


def test_a_space_that_answers_again_stays(changed: Workspace) -> None:
    reindex(changed, provider="static")
    late = UpgradeWork(changed, now=lambda: datetime.now(UTC) + timedelta(days=9))
    assert not late.is_due()  # and the model chosen by hand is not replaced either
    assert providers(changed) == {"static": "active", "minilm": "retired"}
    assert read_upgrade(changed) is None


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"upgrade": "off"}, id="off"),
        pytest.param({"provider": "static"}, id="a provider that is set"),
        pytest.param({"provider": "fake"}, id="another provider"),
    ],
)
def test_a_configuration_that_does_not_want_it(memory: Workspace, settings: dict[str, str]) -> None:
    memory.config = replace(memory.config, embeddings=replace(AUTO, **settings))  # type: ignore[arg-type]
    assert not UpgradeWork(memory).is_due()
    assert read_upgrade(memory) is None
    assert offer_upgrade(memory) is None
    assert upgraded(memory) == "stopped between two batches, chunks embedded: 0"
    assert providers(memory) == {"static": "active"}


def test_a_database_of_another_model_is_left_alone(tmp_path: Path, docs: Path) -> None:
    write(docs, {"a.md": document(1, 2)})
    with opened(tmp_path) as memory:
        sync_files(memory, [docs])
    with opened(tmp_path, embeddings=AUTO) as memory:
        assert not UpgradeWork(memory).is_due()
        assert read_upgrade(memory) is None


def test_the_model_that_somebody_named_stays(memory: Workspace) -> None:
    assert not reindex(memory, provider="static").swapped
    assert not UpgradeWork(memory).is_due()


def test_an_abort_cancels_it(memory: Workspace) -> None:
    def end(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reindex(memory, provider="minilm", progress=end)
    assert providers(memory)["minilm"] == "filling"
    assert UpgradeWork(memory).is_due()
    remove_spaces(memory, ["filling"])
    assert not UpgradeWork(memory).is_due()


def test_it_waits_while_somebody_waits_and_for_a_sync_of_any_process(
    memory: Workspace, tmp_path: Path
) -> None:
    holder = start("hold_lock", tmp_path)
    assert next(lines(holder)) == "ready"
    with bench_of(memory) as bench:
        with open_requests_of(memory):
            assert is_anybody_waiting(memory)
            bench.scheduler.start(UpgradeWork(memory))
            wait_until(lambda: bench.scheduler.is_running("upgrade"))
            assert providers(memory) == {"static": "active"}
        assert is_anybody_waiting(memory)  # the sync of the other process
        assert providers(memory) == {"static": "active"}
        kill(holder)
        wait_until(lambda: providers(memory).get("minilm") == "active")
    assert not is_anybody_waiting(memory)


def test_another_process_computes_the_same_at_the_lowest_priority(memory: Workspace) -> None:
    model = better_model(memory)
    texts = ["the pump in the cellar", "", "bitter oranges"]
    with SeparateProvider(model) as separate:
        assert separate.card == model.provider.card
        rows = [list(row) for row in separate.embed(texts, kind="document")]
        (pid,) = children()
        assert os.getpriority(os.PRIO_PROCESS, pid) == 19
    assert rows == [list(row) for row in model.provider.embed(texts, kind="document")]
    assert children() == []


@pytest.mark.slow
def test_a_process_that_was_killed_is_replaced_by_the_next_run(memory: Workspace) -> None:
    with SeparateProvider(better_model(memory)) as separate:
        _ = separate.card
        (pid,) = children()
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(UnavailableError, match="the process that computes minilm has ended"):
            separate.embed(["a"], kind="document")
    assert upgraded(memory) == "changed to minilm, chunks embedded: 12"


def children() -> list[int]:
    """The processes that this one has started."""
    found = subprocess.run(
        ["pgrep", "-P", str(os.getpid()), "-f", "ingest.workers"],
        capture_output=True,
        text=True,
        check=False,
    )
    return [int(line) for line in found.stdout.split()]


def test_it_begins_later(memory: Workspace) -> None:
    assert not UpgradeWork(memory, after_s=3600.0).is_due()


def test_one_process_does_it(memory: Workspace) -> None:
    with work_lock(UPGRADE_LOCK, memory.storage.database, memory.path):
        outcome = run_work(UpgradeWork(memory), threading.Event())
        assert (outcome.kind, providers(memory)) == ("skipped", {"static": "active"})
        state = read_upgrade(memory)
        assert state is not None
        assert state.state == "filling"
        assert state.holder is not None


def test_a_reindex_by_hand_takes_turns_with_it(memory: Workspace) -> None:
    """It is not refused: the step that runs is waited for."""
    database = memory.storage.database
    taken, given_back = threading.Event(), threading.Event()

    def step() -> None:
        with work_lock(UPGRADE_LOCK, database, memory.path), reindex_lock(database, memory.path):
            taken.set()
            given_back.wait(DEADLINE_S)

    thread = threading.Thread(target=step)
    thread.start()
    assert taken.wait(DEADLINE_S)
    scheduler, work = Scheduler(memory), ReindexWork(memory)
    requests = ReindexRequests(memory, scheduler, work)
    scheduler.start(work)
    try:
        requests.start(provider="fake")  # over HTTP
        given_back.set()
        wait_until(lambda: providers(memory).get("fake") == "active")
    finally:
        given_back.set()
        thread.join()
        scheduler.stop()


def test_a_reindex_that_runs_is_not_waited_for(memory: Workspace) -> None:
    with reindex_lock(memory.storage.database, memory.path):
        outcome = run_work(UpgradeWork(memory), threading.Event())
    assert isinstance(outcome.error, BusyError)
    assert providers(memory) == {"static": "active"}


def test_maintenance_of_everything_leaves_it_out(memory: Workspace) -> None:
    runs, failure = maintain_all(memory)
    assert failure is None
    assert "upgrade" not in {run.job for run in runs}


def test_it_is_offered_once(memory: Workspace) -> None:
    offered = offer_upgrade(memory)
    assert offered is not None
    assert "mem reindex --provider minilm (about 1 minute)" in offered
    assert offer_upgrade(memory) is None


def test_in_memory(docs: Path, tmp_path: Path) -> None:
    write(docs, {"a.md": document(1, 2)})
    with opened(tmp_path, embeddings=AUTO, backend="memory") as memory:
        sync_files(memory, [docs])
        assert offer_upgrade(memory) is None  # another command would not find it
        assert upgraded(memory) == "changed to minilm, chunks embedded: 2"
        assert providers(memory) == {"minilm": "active", "static": "retired"}


@pytest.mark.slow
def test_kills_lose_nothing_and_searches_answer_all_along(tmp_path: Path, docs: Path) -> None:
    write(docs, {f"{n}.md": document(*range(8 * n, 8 * n + 8), filler=40) for n in range(20)})
    with opened(tmp_path, embeddings=AUTO) as memory:
        sync_files(memory, [docs])
        total = read_spaces(memory)[0].chunks
        kept = 0
        for _ in range(2):
            before = kept
            process = start("upgrade_telling", tmp_path)
            assert next(lines(process)) == "ready"
            deadline = time.monotonic() + DEADLINE_S
            while kept <= before and time.monotonic() < deadline:
                found = search(memory, "cellar pump", VECTOR)
                assert (len(found.results), found.mode_used) == (20, "vector")
                state = read_upgrade(memory)
                assert state is not None
                kept = state.chunks_done if state.state != "done" else total
                time.sleep(0.1)  # between two searches; others need the processor as well
            kill(process)
            assert kept > before
            if kept == total:
                break
        process = start("upgrade_telling", tmp_path)
        assert list(lines(process))[-1] == "done"
        assert end(process) == 0
        active = read_spaces(memory)[0]
        assert (active.provider, active.chunks, active.vectors) == ("minilm", total, total)
        assert len(search(memory, "cellar pump", VECTOR).results) == 20
