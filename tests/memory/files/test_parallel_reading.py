"""Files read in worker processes: the same index, and no more than the limits allow."""

import random
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from ingest import LoadedText, LoadLimits
from memory.config.settings import FilesConfig
from memory.files.ingestion import ingest_path, sync_files
from memory.files.parallel_reading import KeptWorkers
from memory.index.document_store import documents_of
from memory.index.indexing import Indexer
from memory.index.indexing_settings import current_indexing_settings
from memory.index.preparation import PreparedDocument
from memory.values.reports import FileProblem
from memory.workspace import Workspace
from tests.ingest.pdfs import bomb
from tests.memory.databases import contents, counts, document, opened, write


def make_some(docs: Path, *, number: int) -> None:
    chance = random.Random(7)
    for name in range(number):
        sections = chance.sample(range(100), chance.randrange(1, 12))
        write(docs, {f"{name % 5}/{name}.md": document(*sections)})
    write(
        docs, {"empty.md": "", "binary.md": b"\0\0\0", "same.md": document(1), "as.md": document(1)}
    )


@pytest.mark.slow
def test_workers_make_the_same_index(tmp_path: Path, docs: Path) -> None:
    make_some(docs, number=24)
    with (
        opened(tmp_path / "a", files=FilesConfig(workers=2)) as many,
        opened(tmp_path / "b", files=FilesConfig(workers=0)) as one,
    ):
        assert counts(sync_files(many, [docs])) == counts(sync_files(one, [docs]))
        assert contents(many) == contents(one)
        for path in sorted(docs.rglob("*.md"))[::3]:
            path.rename(path.with_name(f"moved {path.name}"))
        for path in sorted(docs.rglob("*.md"))[::4]:
            path.write_text(document(*range(len(path.name))), "utf-8")
        (docs / "same.md").unlink(missing_ok=True)
        done = counts(sync_files(many))
        assert done == counts(sync_files(one))
        assert done.keys() >= {"updated", "renamed", "deleted"}
        assert contents(many) == contents(one)
        assert counts(sync_files(many, force=True)) == counts(sync_files(one, force=True))
        assert contents(many) == contents(one)


def test_one_bad_file_costs_no_other(tmp_path: Path, docs: Path) -> None:
    make_some(docs, number=10)
    write(docs, {"4/bomb.pdf": bomb(100)})
    with opened(tmp_path, files=FilesConfig(max_load_seconds=0.3, workers=0)) as memory:
        stats = sync_files(memory, [docs])
        reason = "over-limit: took more than 0.3 s of processor time to read"
        assert FileProblem(str(docs / "4/bomb.pdf"), "skipped", reason) in stats.errors
        assert (stats.added, stats.skipped) == (12, 3)
        (problem,) = ingest_path(memory, docs / "4/bomb.pdf").failed
        assert problem.reason == reason
        assert counts(sync_files(memory)) == {"unchanged": 12, "skipped": 3}
    with opened(tmp_path, files=FilesConfig(max_load_memory_mb=100)) as memory:
        tried_again = sync_files(memory).errors
        assert "over-limit: its reader gave up with 100 MiB of memory" in {
            problem.reason for problem in tried_again
        }


def test_what_was_cut_for_another_space_is_cut_anew(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(1)})
    sync_files(memory, [docs])
    (known,) = documents_of(memory).below([str(docs)]).values()
    loaded = LoadedText(document(2, 3), "markdown", "utf-8")
    indexer = Indexer(memory.storage, partial(current_indexing_settings, memory), cache_bytes=0)
    indexer.take(PreparedDocument(replace(known, generation="another"), [], loaded))
    indexer.flush()
    assert [chunk.heading for chunk in contents(memory)[str(docs / "a.md")]] == [
        "Manual > Section 2",
        "Manual > Section 3",
    ]


def test_kept_workers_end_when_they_rest_unless_they_wait_for_the_first_file() -> None:
    now_s = 100.0
    kept, limits = KeptWorkers(now_s=lambda: now_s), LoadLimits()
    pool = kept.take(1, limits)
    kept.give_back(pool)
    now_s += 59
    kept.close_idle(60)
    assert kept.take(1, limits) is pool
    kept.give_back(pool)
    now_s += 60
    kept.close_idle(60)
    kept.start(1, limits)
    now_s += 1000
    kept.close_idle(60)
    fresh = kept.take(1, limits)
    assert fresh is not pool
    kept.give_back(fresh)
    kept.close_idle(0)
    later = kept.take(1, limits)
    assert later is not fresh
    kept.close()
    kept.give_back(later)
    kept.start(1, limits)
    assert kept.take(1, limits) is not later
