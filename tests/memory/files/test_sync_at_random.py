"""Whatever happens to a folder, after a sync the index is that of a new database."""

import random
from pathlib import Path

import pytest

from memory.config.settings import ChunkingConfig
from memory.files.ingestion import ingest_text, sync_files, sync_scope
from memory.files.roots import SyncScope
from memory.operations.manage import get_file, list_records
from tests.memory.databases import contents, counts, fake, opened
from tests.memory.folder_changes import CHANGES, compare, copy, delete, files, put, rename


def slow(*seeds: int) -> list[object]:
    return [pytest.param(seed, marks=pytest.mark.slow) for seed in seeds]


@pytest.mark.parametrize("seed", [0, *slow(1, 2, 3)])
def test_any_changes_between_syncs(tmp_path: Path, docs: Path, seed: int) -> None:
    chance = random.Random(seed)
    with opened(tmp_path) as memory:
        for _ in range(12):
            for _change in range(chance.randrange(1, 6)):
                chance.choice(CHANGES)(docs, chance)
            foretold = sync_files(memory, [docs], dry_run=True)
            done = sync_files(memory, [docs])
            assert counts(foretold) == counts(done)
            assert done.chunks == done.embedded + done.cached
            compare(memory, docs, tmp_path)
            for record in list_records(memory).records:
                if record.state == "indexed":
                    content = get_file(memory, record.id)
                    assert content.text == Path(record.path or "").read_text("utf-8")
                    assert content.stale is False
            again = sync_files(memory)
            assert (again.added, again.updated, again.renamed, again.deleted) == (0, 0, 0, 0)
            assert (again.chunks, again.embedded) == (0, 0)


def snapshot(folder: Path) -> set[tuple[str, int, int, int]]:
    """What a watcher sees of every file."""
    seen = ((str(path), path.lstat()) for path in files(folder))
    return {(path, found.st_mtime_ns, found.st_size, found.st_ino) for path, found in seen}


@pytest.mark.parametrize("seed", [10, *slow(11, 12)])
def test_any_changes_are_seen_by_looking_where_something_changed(
    tmp_path: Path, docs: Path, seed: int
) -> None:
    chance = random.Random(seed)
    with opened(tmp_path) as memory:
        sync_files(memory, [docs])
        for _ in range(12):
            before = snapshot(docs)
            for _change in range(chance.randrange(1, 6)):
                chance.choice(CHANGES)(docs, chance)
            changed = {path for path, *_ in before ^ snapshot(docs)}
            if f"{docs}/.gitignore" in changed:
                changed.add(str(docs))
            foretold = sync_scope(memory, SyncScope([docs], sorted(changed)), dry_run=True)
            assert counts(foretold) == counts(
                sync_scope(memory, SyncScope([docs], sorted(changed)))
            )
            compare(memory, docs, tmp_path)


def test_a_provider_that_fails_now_and_then(tmp_path: Path, docs: Path) -> None:
    """In the end no chunk is without the vector that it would have had."""
    chance = random.Random(99)
    with opened(tmp_path, chunking=ChunkingConfig(300, 60)) as memory:
        for number in range(15):
            for _change in range(3):
                chance.choice((put, delete, rename, copy))(docs, chance)
            fake(memory).fail_times = chance.choice([0, 1, 2])
            sync_files(memory, [docs])
            if number % 4 == 0:
                ingest_text(memory, f"note {number}")
        fake(memory).fail_times = 0
        sync_files(memory)
        found = contents(memory)
        assert all(chunk.vector for chunks in found.values() for chunk in chunks)
        with opened(tmp_path, backend="memory") as fresh:
            sync_files(fresh, [docs])
            files_only = {path: chunks for path, chunks in found.items() if path[0] == "/"}
            assert files_only == contents(fresh)
