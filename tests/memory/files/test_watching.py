"""A watcher beside real folders, in a thread of the test's; see tests/cli for whole processes."""

import os
import random
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from contracts import BusyError, NotFoundError
from ingest.watching import EventSource, Hints
from memory.config.settings import EmbeddingsConfig, FilesConfig, OpenAIConfig
from memory.files.ingestion import sync_files
from memory.files.roots import drop_root
from memory.files.watching.watcher import Watcher, open_events, remember
from memory.operations.status import read_status
from memory.retrieval.searching import search
from memory.storage import Storage
from memory.storage.meta import WATCHER, read_meta, write_meta
from memory.values.backoff import Backoff
from memory.values.reports import WatchBatch, WatchTrouble
from memory.workspace import Workspace
from tests.memory.databases import document, opened, write
from tests.memory.files.lossy_hints import LossyEvents
from tests.memory.files.watcher_thread import Watching, finds, watcher_of, watching
from tests.memory.folder_changes import CHANGES, compare, hide
from tests.providers.wire import openai as wire
from tests.providers.wire.server import Answer, Request, WireServer, serving
from tests.waiting import DEADLINE_S, wait_until


@pytest.fixture
def known(memory: Workspace, docs: Path) -> Workspace:
    """The database, with `docs` as a remembered root of one file."""
    write(docs, {"first.md": "The first file tells of marmalade.\n"})
    remember(memory, [docs])
    return memory


def test_what_is_written_moved_and_deleted_is_followed(known: Workspace, docs: Path) -> None:
    with watching(known):
        assert finds(known, "marmalade") == {"first.md"}
        write(docs, {"new/deep/second.md": "The second file tells of zeppelins.\n"})
        wait_until(lambda: finds(known, "zeppelins") == {"second.md"})
        (docs / "new").rename(docs / "old")
        moved = [str(docs / "first.md"), str(docs / "old/deep/second.md")]
        wait_until(lambda: paths(known) == moved)
        (docs / "first.md").write_text("It tells of something else.\n")
        wait_until(lambda: not finds(known, "marmalade"))
        (docs / "old/deep/second.md").unlink()
        wait_until(lambda: not finds(known, "zeppelins"))


def paths(memory: Workspace) -> list[str]:
    sql = "SELECT path FROM files WHERE state = 'indexed' ORDER BY path"
    return [row[0] for row in memory.storage.database.read(sql)]


def test_only_what_was_hinted_at_is_looked_at(known: Workspace, docs: Path) -> None:
    write(docs, {f"{number}.md": f"Number {number}.\n" for number in range(20)})
    with watching(known) as at_work:
        write(docs, {"7.md": "Number seven.\n"})
        at_work.wait_for(lambda: len(at_work.batches) > 1)
    first, second = at_work.batches
    assert (first.kind, first.paths, first.stats.added) == ("scan", 0, 21)
    assert (second.kind, second.paths, second.stats.updated) == ("changes", 1, 1)
    assert second.stats.unchanged == 0


def test_an_ignore_file_takes_out_and_brings_back(known: Workspace, docs: Path) -> None:
    write(docs, {"drafts/a.md": "A draft about quinces.\n"})
    with watching(known):
        assert finds(known, "quinces") == {"a.md"}
        (docs / ".memignore").write_text("drafts/\n")
        wait_until(lambda: not finds(known, "quinces"))
        (docs / ".memignore").unlink()
        wait_until(lambda: finds(known, "quinces"))


class _Overflowing:
    """A source whose queue has run over once: it names nothing that has changed."""

    def __init__(self, source: EventSource) -> None:
        self._source = source
        self.method, self.reason, self.watched = source.method, source.reason, source.watched
        self.wake, self.close, self.renew = source.wake, source.close, source.renew

    def wait(self, timeout_s: float) -> Hints:
        hints = self._source.wait(timeout_s)
        return Hints(frozenset(), overflow=bool(hints.paths or hints.overflow))


def test_an_overflow_is_answered_with_a_scan_of_everything(known: Workspace, docs: Path) -> None:
    def opener(*arguments: object, **options: object) -> EventSource:
        return _Overflowing(open_events(*arguments, **options))  # type: ignore[arg-type]

    with watching(known, opener=opener) as at_work:
        write(docs, {"second.md": "The second file tells of zeppelins.\n"})
        wait_until(lambda: finds(known, "zeppelins"))
        assert {batch.kind for batch in at_work.batches} == {"scan"}


MOST_ROUNDS = 10
"""Rounds until an event is lost: on a busy machine a round may have few events."""


@pytest.mark.parametrize("share, rounds", [(0.3, 2), (1.0, 1)])
def test_whatever_events_are_lost_the_index_is_that_of_a_fresh_sync(
    tmp_path: Path, docs: Path, share: float, rounds: int
) -> None:
    """The complete scan is the truth; here it is made every second."""
    chance = random.Random(17)
    lossy: list[LossyEvents] = []

    def opener(*arguments: object, **options: object) -> EventSource:
        source = open_events(*arguments, **options)  # type: ignore[arg-type]
        lossy.append(LossyEvents(source, chance, share=share))
        return lossy[-1]

    files = FilesConfig(sync_interval_seconds=1)
    with opened(tmp_path, files=files) as memory:
        remember(memory, [docs])
        with watching(memory, opener=opener) as at_work:
            for done in range(1, MOST_ROUNDS + 1):
                for _change in range(40):
                    chance.choice(CHANGES)(docs, chance)
                scans = at_work.scans()
                at_work.wait_for(lambda scans=scans: at_work.scans() > scans + 1)  # type: ignore[misc]
                compare(memory, docs, tmp_path)
                if done >= rounds and any(source.lost for source in lossy):
                    break
        assert sum(source.lost for source in lossy) > 0


def test_a_folder_that_only_a_scan_can_find_is_watched_from_then_on(
    tmp_path: Path, docs: Path
) -> None:
    write(docs, {"cache/CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55"})
    with opened(tmp_path, files=FilesConfig(sync_interval_seconds=1)) as memory:
        remember(memory, [docs])
        with watching(memory) as at_work:
            (docs / "cache" / "CACHEDIR.TAG").unlink()
            for number in range(60):
                write(docs, {f"cache/{number}.md": f"No cache any more, {number}.\n"})
                at_work.wait_for(lambda number=number: added(at_work) > number)  # type: ignore[misc]
                if any(batch.kind == "changes" for batch in at_work.batches):
                    break
            assert at_work.batches[-1].kind == "changes"


def added(at_work: Watching) -> int:
    return sum(batch.stats.added for batch in at_work.batches[1:])


def test_without_lost_events_nothing_but_they_are_needed(tmp_path: Path, docs: Path) -> None:
    chance = random.Random(18)
    changes = [change for change in CHANGES if change is not hide]  # which hints at everything
    with opened(tmp_path) as memory:
        remember(memory, [docs])
        with watching(memory) as at_work:
            for number in range(4):
                for _change in range(20):
                    chance.choice(changes)(docs, chance)
                last = f"The last of {number} is a kumquat{number}.\n"
                write(docs, {f"last{number}.txt": last})
                wait_until(lambda number=number: finds(memory, f"kumquat{number}"))  # type: ignore[misc]
            assert at_work.scans() == 1
        sync_files(memory)  # the last batch may have been interrupted
        compare(memory, docs, tmp_path)


def test_a_file_that_cannot_be_read_is_tried_again_soon(known: Workspace, docs: Path) -> None:
    """Rules behind a link: they change without an event at the link."""
    rules = docs.parent / "rules"
    rules.mkdir()
    write(docs, {"inner/later.md": "It is here now, with cardamom.\n"})
    (docs / "inner/.gitignore").symlink_to(rules)
    with watching(known):
        assert [problem.path for problem in read_status(known).problems] == [str(docs / "inner")]
        wait_until(lambda: watcher_of(known).queue == 1)
        rules.rmdir()
        rules.write_text("*.tmp\n")
        wait_until(lambda: not read_status(known).problems)
        assert finds(known, "cardamom") == {"later.md"}


def test_hints_wait_for_another_sync(known: Workspace, docs: Path) -> None:
    with watching(known) as at_work:
        with known.sync_lock():
            write(docs, {"second.md": "The second file tells of zeppelins.\n"})
            wait_until(lambda: watcher_of(known).state == "waiting")
            assert watcher_of(known).queue == 1
            assert not finds(known, "zeppelins")
        wait_until(lambda: finds(known, "zeppelins"))
        assert at_work.troubles == []
        wait_until(lambda: watcher_of(known).state == "watching")


def test_new_and_dropped_roots_are_noticed(known: Workspace, docs: Path) -> None:
    more = docs.parent / "more"
    write(more, {"a.md": "A folder of its own about quinces.\n"})
    with watching(known):
        remember(known, [more])
        wait_until(lambda: finds(known, "quinces"))
        write(more, {"b.md": "And one about figs.\n"})
        wait_until(lambda: finds(known, "figs"))
        assert watcher_of(known).folders == 2
        while True:  # the watcher may just be at a sync
            try:
                drop_root(known, more)
                break
            except BusyError:
                continue
        wait_until(lambda: watcher_of(known).folders == 1)
        write(more, {"b.md": "And one about dates.\n"})
        write(docs, {"c.md": "And one about plums.\n"})
        wait_until(lambda: finds(known, "plums"))
        assert finds(known, "figs")


def test_the_only_root_is_looked_at_as_soon_as_it_is_back(known: Workspace, docs: Path) -> None:
    """However long the pause is before what went wrong would be tried again."""
    with watching(known) as at_work:
        at_work.watcher._backoff = Backoff(3600.0, 3600.0)
        docs.rename(docs.with_name("away"))
        at_work.wait_for(lambda: at_work.troubles)
        assert at_work.troubles[0].retry_in_s == 3600
        assert f"mem files --drop-root {docs}" in at_work.troubles[0].hint
        write(docs.with_name("away"), {"second.md": "It tells of zeppelins.\n"})
        docs.with_name("away").rename(docs)
        wait_until(lambda: finds(known, "zeppelins"))


def test_a_root_that_vanishes_is_reported_and_its_files_stay(known: Workspace, docs: Path) -> None:
    other = docs.parent / "other"
    write(other, {"a.md": "A folder of its own about quinces.\n"})
    remember(known, [other])
    with watching(known) as at_work:
        docs.rename(docs.parent / "away")
        at_work.wait_for(lambda: at_work.batches[-1].stats.failed)
        problem = at_work.batches[-1].stats.errors[0]
        assert (problem.path, problem.state) == (str(docs), "failed")
        assert "missing" in problem.reason
        assert finds(known, "marmalade") == {"first.md"}
        write(docs.parent / "away", {"second.md": "Meanwhile came zeppelins.\n"})
        (docs.parent / "away").rename(docs)
        wait_until(lambda: finds(known, "zeppelins"))


def test_a_folder_that_is_emptied_is_emptied_in_the_index(known: Workspace, docs: Path) -> None:
    with watching(known):
        (docs / "first.md").unlink()
        wait_until(lambda: not paths(known))


def test_status_tells_who_watches_how_and_since_when(known: Workspace, docs: Path) -> None:
    assert read_status(known).watcher is None
    with watching(known):
        wait_until(lambda: watcher_of(known).folders)
        found = watcher_of(known)
        assert (found.state, found.folders, found.queue) == ("watching", 1, 0)
        assert found.holder.startswith(f"process {os.getpid()} ")
        assert found.method in ("inotify", "watchdog", "polling")
        assert found.last_scan is not None
        assert found.next_scan is not None
        assert found.last_scan < found.next_scan
        assert found.last_event is None
        assert found.since <= found.last_scan <= found.heartbeat
        write(docs, {"second.md": "The second file tells of zeppelins.\n"})
        wait_until(lambda: watcher_of(known).last_event)
    assert read_status(known).watcher is None


def test_a_heartbeat_that_is_missing_is_told(known: Workspace) -> None:
    with watching(known):
        wait_until(lambda: watcher_of(known).folders)
        with known.storage.database.transaction() as tx:
            written = read_meta(known.storage.database, WATCHER)
            write_meta(tx, WATCHER, written | {"heartbeat": "2026-01-01T00:00:00.000Z"})
        assert watcher_of(known).state == "not answering"


def test_what_a_watcher_that_was_killed_leaves_is_told(known: Workspace) -> None:
    with watching(known):
        written = read_meta(known.storage.database, WATCHER)
    with known.storage.database.transaction() as tx:
        write_meta(tx, WATCHER, written)
    assert watcher_of(known).state == "ended"


def test_a_sign_of_life_leaves_kept_answers_valid(known: Workspace) -> None:
    revision: Callable[[], object] = _storage(known).revision
    with watching(known):
        wait_until(lambda: watcher_of(known).folders)
        before = revision()
        with known.storage.database.transaction() as tx:
            written = read_meta(known.storage.database, WATCHER)
            write_meta(tx, WATCHER, written | {"heartbeat": "2026-01-01T00:00:00.000Z"})
        assert revision() == before


def _storage(memory: Workspace) -> Storage:
    return memory.storage


def test_polling_when_the_configuration_says_so(tmp_path: Path, docs: Path) -> None:
    files = FilesConfig(watch_method="polling", polling_seconds=0.1)
    with opened(tmp_path, files=files) as memory:
        remember(memory, [docs])
        with watching(memory):
            write(docs, {"new/a.md": "A page about zeppelins.\n"})
            wait_until(lambda: finds(memory, "zeppelins"))
            wait_until(lambda: watcher_of(memory).method == "polling")
            assert "configured" in (watcher_of(memory).reason or "")
            (docs / "new/a.md").unlink()
            wait_until(lambda: not finds(memory, "zeppelins"))


def test_its_own_database_is_no_hint(docs: Path) -> None:
    """It lies in the folder that it is watched for, and every kind of file is wanted."""
    write(docs, {"a.md": "A page about zeppelins.\n"})
    with opened(docs, files=FilesConfig(file_patterns=("*",))) as memory:
        remember(memory, [docs])
        with watching(memory) as at_work:
            for number in range(5):
                write(docs, {f"{number}.md": f"A page about a quince{number}.\n"})
                wait_until(lambda number=number: finds(memory, f"quince{number}"))  # type: ignore[misc]
        changes = [batch for batch in at_work.batches if batch.kind == "changes"]
        assert len(changes) == 5
        assert [batch.stats.added for batch in changes] == [1] * 5


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for children")
def test_a_worker_is_kept_for_the_next_file(known: Workspace, docs: Path) -> None:
    """Reading a format with limits begins with a new process; the second time it is there."""
    seen: list[set[str]] = []
    elders = _children()  # of tests before
    with watching(known) as at_work:
        for number in range(2):
            page = f"<html><title>T</title><p>A page about a quince{number}.</html>"
            write(docs, {"page.html": page})
            wait_until(lambda number=number: finds(known, f"quince{number}"))  # type: ignore[misc]
            at_work.wait_for(lambda number=number: len(at_work.batches) == number + 2)  # type: ignore[misc]
            seen.append(_children() - elders)
    assert len(seen[0]) == 1
    assert seen[0] == seen[1]
    assert _children() - elders == set()


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for children")
def test_a_worker_is_there_before_the_first_save(tmp_path: Path, docs: Path) -> None:
    """As soon as a scan has seen that files are known that only a worker reads."""
    elders = _children()
    write(docs, {"first.md": "The first file tells of marmalade.\n"})
    with opened(tmp_path, files=FilesConfig(workers=0)) as memory:
        remember(memory, [docs])
        with watching(memory):
            assert _children() - elders == set()
        write(docs, {"page.html": "<html><title>T</title><p>A page about a quince.</html>"})
        sync_files(memory)
        with watching(memory) as at_work:
            wait_until(lambda: _children() - elders)
            ahead = _children() - elders
            write(docs, {"page.html": "<html><title>T</title><p>A page about a medlar.</html>"})
            at_work.wait_for(lambda: len(at_work.batches) == 2)
            assert finds(memory, "medlar")
            assert _children() - elders == ahead
        assert _children() - elders == set()


def _children() -> set[str]:
    """The processes that this one has started and that are there."""
    found: set[str] = set()
    for task in Path("/proc/self/task").iterdir():
        with suppress(OSError):  # a thread that has ended since
            found.update((task / "children").read_text().split())
    return found


@pytest.mark.sqlite_only(reason="moves the file")
@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be moved there")
def test_a_database_that_is_moved_away_is_missed(known: Workspace, docs: Path) -> None:
    """SQLite goes on in the file, wherever it is; those who look for it here see nothing of it."""
    assert known.path is not None
    away = known.path.with_name("away.db")
    with watching(known) as at_work:
        known.path.rename(away)
        at_work.wait_for(lambda: at_work.troubles)
        assert "is no longer the file that was opened" in at_work.troubles[0].message
        write(docs, {"second.md": "It tells of zeppelins.\n"})
        away.rename(known.path)
        wait_until(lambda: finds(known, "zeppelins"))


def test_one_watcher_a_database(known: Workspace) -> None:
    with watching(known), pytest.raises(BusyError, match=f"a watch of .*process {os.getpid()}"):
        Watcher(known).run()


def test_nothing_to_watch(memory: Workspace) -> None:
    with pytest.raises(NotFoundError, match="there is no folder to watch"):
        Watcher(memory).run()


def test_what_goes_wrong_is_told_and_tried_again(known: Workspace, docs: Path) -> None:
    """No folder is there at all: no scan can be made until one is back."""
    away = docs.rename(docs.parent / "away")
    found = Watching(known)
    found.thread.start()
    try:
        found.wait_for(lambda: found.troubles)
        assert found.troubles[0].error == "not-found"
        assert "cannot be reached" in found.troubles[0].message
        wait_until(lambda: watcher_of(known).last_error)
        away.rename(docs)
        found.wait_for(lambda: found.batches)
        assert watcher_of(known).last_error is None
    finally:
        found.watcher.stop()
        found.thread.join(DEADLINE_S)


def test_a_failure_of_the_program_is_left_in_the_status(known: Workspace) -> None:
    def report(_noted: WatchBatch | WatchTrouble) -> None:
        raise ZeroDivisionError("a mistake in the report")

    with pytest.raises(ZeroDivisionError):
        Watcher(known, report=report).run()
    found = watcher_of(known)
    assert found.state == "ended"
    assert found.last_error == "ZeroDivisionError: a mistake in the report"


def test_it_stops_in_the_middle_of_a_sync(known: Workspace, docs: Path) -> None:
    write(docs, {f"{number}.md": document(number, number + 1) for number in range(50)})
    stopped = threading.Event()

    def stop(_progress: object) -> None:
        stopped.set()
        watcher.stop()

    watcher = Watcher(known, progress=stop)
    watcher.run()
    assert stopped.is_set()
    assert len(paths(known)) < 51
    assert read_status(known).watcher is None
    with watching(known):
        assert len(paths(known)) == 51


def test_a_model_elsewhere_keeps_no_word_back(tmp_path: Path, docs: Path) -> None:
    answered = threading.Event()

    def later(request: Request) -> Answer:
        assert answered.wait(DEADLINE_S)
        return wire.answer(request)

    with serving(wire.answer) as server, remote(tmp_path, server) as memory:
        remember(memory, [docs])
        server.script.append(later)
        with watching(memory) as at_work:
            write(docs, {"a.md": "A page about zeppelins.\n"})
            wait_until(lambda: finds(memory, "zeppelins"))
            wait_until(lambda: server.requests)
            write(docs, {"b.md": "A page about quinces.\n"})
            wait_until(lambda: finds(memory, "quinces"))
            assert memory.storage.count_vectors() == 0
            answered.set()
            wait_until(lambda: memory.storage.count_vectors() == 2)
            at_work.wait_for(lambda: sum(embedded(at_work)) == 2)
            write(docs, {"a.md": "A page about airships.\n"})
            at_work.wait_for(lambda: sum(embedded(at_work)) == 3)
        assert search(memory, "airships").mode_used == "hybrid"


def embedded(at_work: Watching) -> list[int]:
    return [batch.stats.embedded for batch in at_work.batches if batch.kind == "vectors"]


def test_a_model_out_of_reach_is_told_and_asked_again(tmp_path: Path, docs: Path) -> None:
    write(docs, {"a.md": "A page about zeppelins.\n"})
    with serving(wire.answer) as server, remote(tmp_path, server) as memory:
        remember(memory, [docs])
        server.script.append(wire.wrong_key())
        with watching(memory) as at_work:
            at_work.wait_for(lambda: at_work.troubles)
            assert at_work.troubles[0].error == "unavailable"
            assert "does not accept the API key" in at_work.troubles[0].message
            wait_until(lambda: watcher_of(memory).last_error)
            assert finds(memory, "zeppelins") == {"a.md"}
            at_work.wait_for(lambda: embedded(at_work) == [1])
            wait_until(lambda: watcher_of(memory).last_error is None)


def remote(base: Path, server: WireServer) -> Workspace:
    section = OpenAIConfig(api_key=wire.KEY, base_url=f"{server.url}/v1", dimensions=64)
    return opened(base, embeddings=EmbeddingsConfig(provider="openai", openai=section))


def test_after_a_sleep_everything_is_scanned(known: Workspace, docs: Path) -> None:
    """While the machine sleeps, other machines may write to what it has mounted."""
    asleep_s = [0.0]
    with watching(known, clocks_apart=lambda: asleep_s[0]) as at_work:
        assert at_work.scans() == 1
        asleep_s[0] = 3600.0
        at_work.wait_for(lambda: at_work.scans() == 2)


def test_a_root_that_is_a_file_is_looked_at_alone(known: Workspace, docs: Path) -> None:
    page = docs.parent / "page.md"
    page.write_text("A page about zeppelins.\n")
    remember(known, [page])
    with watching(known) as at_work:
        wait_until(lambda: watcher_of(known).folders)
        page.write_text("A page about quinces.\n")
        at_work.wait_for(lambda: len(at_work.batches) > 1)
        assert finds(known, "quinces")
        assert [(batch.kind, batch.paths) for batch in at_work.batches] == [
            ("scan", 0),
            ("changes", 1),
        ]
