"""A sync of a tree that is looked at in many parts: it begins at once and forgets nothing."""

import itertools
from pathlib import Path

import pytest

from ingest import FileEntry
from memory.files.ingestion import sync_files
from memory.files.roots import remember_roots
from memory.files.sync import WORKED_AT_ONCE
from memory.files.sync_plan import FOUND_AT_ONCE
from memory.files.work_queue import WorkQueue
from memory.index.document_store import documents_of
from memory.values.reports import SyncProgress
from memory.workspace import Workspace
from tests.memory.children import kill, lines, start
from tests.memory.databases import contents, counts, opened, write

FILES = 2 * FOUND_AT_ONCE + 100


def fill(docs: Path) -> None:
    write(docs, {f"{n % 7}/{n:04}.txt": f"lighthouse number{n}\n" for n in range(FILES)})


def test_the_work_begins_while_the_scan_goes_on(memory: Workspace, docs: Path) -> None:
    fill(docs)
    seen: list[SyncProgress] = []
    sync_files(memory, [docs], progress=seen.append)
    assert list(dict.fromkeys(step.files_done for step in seen)) == list(range(FILES + 1))
    assert [step.files_total for step in seen] == [
        *[FOUND_AT_ONCE] * WORKED_AT_ONCE,
        *[2 * FOUND_AT_ONCE] * WORKED_AT_ONCE,
        *[FILES] * (FILES + 1 - 2 * WORKED_AT_ONCE),
    ]
    assert all(step.files_found == step.files_total for step in seen)
    assert [step.all_found for step in seen] == [step.files_total == FILES for step in seen]
    seen.clear()
    assert counts(sync_files(memory, progress=seen.append)) == {"unchanged": FILES}
    assert [step.files_found for step in seen] == [FOUND_AT_ONCE, 2 * FOUND_AT_ONCE, FILES, FILES]
    for path in docs.rglob("*9.txt"):
        path.unlink()
    seen.clear()
    gone = FILES // 10
    assert counts(sync_files(memory, progress=seen.append)) == {
        "unchanged": FILES - gone,
        "deleted": gone,
    }
    assert [step.step for step in seen[-1:]] == ["removing"]


@pytest.mark.slow
def test_files_move_from_where_the_scan_comes_late(memory: Workspace, docs: Path) -> None:
    """Into the first folder and into the last, and as many copies as originals at most."""
    fill(docs)
    sync_files(memory, [docs])
    before = {name: known.id for name, known in documents_of(memory).below([str(docs)]).items()}
    (docs / "6").rename(docs / "0/moved")
    (docs / "0/moved/0006.txt").with_name("copy.txt").write_text("lighthouse number6\n")
    (docs / "0/0000.txt").rename(docs / "zzz.txt")
    moved = len(list((docs / "0/moved").iterdir())) - 1
    foretold = counts(sync_files(memory, dry_run=True))
    assert foretold == {
        **{"added": 1, "unchanged": FILES - moved - 1, "renamed": moved + 1},
        **{"chunks": 1, "cached": 1},
    }
    assert counts(sync_files(memory)) == foretold
    after = {name: known.id for name, known in documents_of(memory).below([str(docs)]).items()}
    assert after[str(docs / "zzz.txt")] == before[str(docs / "0/0000.txt")]
    assert after[str(docs / "0/moved/0013.txt")] == before[str(docs / "6/0013.txt")]
    assert counts(sync_files(memory)) == {"unchanged": FILES + 1}


@pytest.mark.slow
def test_what_a_killed_sync_has_done_is_not_done_again(tmp_path: Path, docs: Path) -> None:
    fill(docs)
    with opened(tmp_path) as memory:
        sync_files(memory, [docs], dry_run=True)
        remember_roots(memory, [docs])
    process = start("sync_telling", tmp_path)
    told = list(itertools.islice(lines(process), FOUND_AT_ONCE + WORKED_AT_ONCE * 3))
    assert "done" not in told
    kill(process)
    with opened(tmp_path) as memory, opened(tmp_path / "fresh") as fresh:
        done = {
            known.path: (known.id, known.updated_at)
            for known in documents_of(memory).below([str(docs)]).values()
            if known.state == "indexed"
        }
        assert 0 < len(done) < FILES
        rest = FILES - len(done)
        assert counts(sync_files(memory)) == {
            **{"added": rest, "unchanged": len(done)},
            **{"chunks": rest, "embedded": rest},
        }
        now = documents_of(memory).below([str(docs)])
        assert done == {path: (now[path].id, now[path].updated_at) for path in done}
        sync_files(fresh, [docs])
        assert contents(memory) == contents(fresh)


def test_the_queue_gives_back_what_it_got() -> None:
    entries = [FileEntry(f"/Füße/\n{n}.md", n, -n) for n in range(25)]
    queue = WorkQueue()
    assert queue.take(5) == []
    queue.put(entries[:10])
    taken = queue.take(3)
    queue.put([])
    queue.put(entries[10:])
    while more := queue.take(4):
        assert len(more) <= 4
        taken += more
    assert taken == entries
    assert (queue.files_put, queue.bytes_put) == (25, sum(range(25)))
