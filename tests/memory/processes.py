"""What other processes do to a database while a test watches; run by name in a new interpreter."""

import itertools
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random

from memory.config.sections.conversations import DistillationConfig, MidConfig
from memory.config.settings import ChunkingConfig, EmbeddingsConfig
from memory.conversations.lifecycle import collect_garbage
from memory.episodes.forming import form_episodes
from memory.episodes.store import EpisodeStore
from memory.episodes.triples.extraction import extract_facts
from memory.episodes.triples.store import TripleStore
from memory.files.ingestion import ingest_text, sync_files
from memory.index.spaces.reindex import reindex
from memory.operations.jobs.manual_runs import maintain_one
from memory.records.distillation.running import distil
from memory.retrieval.searching import search
from memory.storage.process_locks import sync_lock, work_lock
from memory.storage.sqlite import SqliteStorage
from memory.values.reports import SyncProgress
from memory.values.space_reports import ReindexProgress
from tests.memory.databases import document, opened, say
from tests.memory.random_texts import change_something
from tests.memory.storage.oracle import DIMENSIONS, World


def sync_telling(base: Path, _: str) -> None:
    """Sync the known roots and tell of every file."""

    def tell(progress: SyncProgress) -> None:
        say(str(progress.files_done))

    with opened(base) as memory:
        sync_files(memory, progress=tell)
    say("done")


def reindex_telling(base: Path, model: str) -> None:
    """Reindex to a model of the fake provider and half as large chunks, and tell of every batch."""

    def tell(progress: ReindexProgress) -> None:
        say(f"{progress.documents_done} {progress.chunks_done}")

    chunking = ChunkingConfig(chunk_size_chars=150, chunk_overlap_chars=20)
    embeddings = EmbeddingsConfig(provider="fake", model=model, cache_embeddings=False)
    with opened(base, embeddings=embeddings, chunking=chunking) as memory:
        reindex(memory, progress=tell)
    say("done")


def upgrade_telling(base: Path, _: str) -> None:
    """Change to the better model in steps, as a server does."""
    say("ready")
    with opened(base, embeddings=EmbeddingsConfig()) as memory:
        maintain_one(memory, "upgrade")
    say("done")


def rewrite_and_sync(base: Path, folder: str) -> None:
    """Change a file, add one, remove one, and sync, telling of each time, until killed."""
    for number in itertools.count():
        (Path(folder) / f"{number % 7}.md").write_text(document(number, number + 1), "utf-8")
        (Path(folder) / f"new{number % 3}.md").write_text(document(number), "utf-8")
        (Path(folder) / f"new{(number + 1) % 3}.md").unlink(missing_ok=True)
        with opened(base, embeddings=EmbeddingsConfig(provider="auto")) as memory:
            sync_files(memory, [folder])
        say(str(number))


def hold_lock(base: Path, _: str) -> None:
    """Take the sync lock and wait to be killed."""
    with opened(base) as memory, sync_lock(memory.storage.database, memory.path):
        say("ready")
        time.sleep(600)


def hold_work_lock(base: Path, work: str) -> None:
    """Take the lock of that work and wait to be killed."""
    with opened(base) as memory, work_lock(work, memory.storage.database, memory.path):
        say("ready")
        time.sleep(600)


def ingest_many(base: Path, name: str) -> None:
    """Ingest forty texts, each found at once."""
    with opened(base) as memory:
        say("ready")
        sys.stdin.readline()
        for number in range(40):
            ingest_text(memory, f"note {name}x{number} about rivers", tags=[name])
            hits = search(memory, f"{name}x{number}").results
            assert f"{name}x{number}" in hits[0].text
    say("done")


def begin_database(base: Path, provider: str) -> None:
    """Put the first text into a new database, with a model of this process's choice."""
    with opened(base, embeddings=EmbeddingsConfig(provider=provider)) as memory:
        say("ready")
        sys.stdin.readline()
        ingest_text(memory, f"the first text of {provider}")
    say("done")


def sync_often(base: Path, _: str) -> None:
    """Sync five times, waiting for others that do."""
    with opened(base) as memory:
        say("ready")
        sys.stdin.readline()
        memory.wait_s = 60.0
        for _round in range(5):
            sync_files(memory, force=True)
    say("done")


def collect_telling(base: Path, capacity: str) -> None:
    """Clean up among memories, and wait after each transaction to be told to go on."""

    def tell(done: int, _: int) -> None:
        say(str(done))
        sys.stdin.readline()

    with opened(base, mid=MidConfig(capacity=int(capacity))) as memory:
        collect_garbage(memory, progress=tell)
    say("done")


def form_telling(base: Path, _: str) -> None:
    """Form episodes, and wait before each one to be told to go on."""

    def tell() -> bool:
        say(str(len(EpisodeStore(memory.storage.database).many(range(1000)))))
        sys.stdin.readline()
        return False

    with opened(base) as memory:
        form_episodes(memory, is_ended=tell)
    say("done")


def extract_telling(base: Path, _: str) -> None:
    """Make facts of episodes, and wait before each one to be told to go on."""

    def tell() -> bool:
        say(str(len(TripleStore(memory.storage.database).unread(limit=1000))))
        sys.stdin.readline()
        return False

    with opened(base) as memory:
        extract_facts(memory, is_ended=tell)
    say("done")


def distil_everything(base: Path, batch: str) -> None:
    """Distil all turns, to be killed on the way."""
    with opened(base, distillation=DistillationConfig(batch_turns=int(batch))) as memory:
        say("ready")
        distil(memory)
    say("done")


def random_vector(chance: Random) -> list[float]:
    return [chance.gauss() for _ in range(DIMENSIONS)]


def change_chunks(base: Path, name: str) -> None:
    """Add, change, rewrite and remove chunks and vectors, telling of each time, until killed."""
    chance = Random(name)
    owners = [f"{name} {number}" for number in range(5)]
    with closing(SqliteStorage.open(base / "memory.db", create=False)) as storage:
        world = World(storage, space=storage.active_space())
        for number in itertools.count() if name == "forever" else range(120):
            change_something(world, chance, owners)
            new = {key for key, row in world.rows.items() if row.vector is None}
            changed = {key for key in world.rows if chance.random() < 0.1}
            world.put_vectors({key: random_vector(chance) for key in sorted(new | changed)})
            say(str(number))
    say("done")


if __name__ == "__main__":
    _, task, folder, given = sys.argv
    globals()[task](Path(folder), given)
