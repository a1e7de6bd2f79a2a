"""What other processes do to a database while a test watches; run by name in a new interpreter."""

import resource
import signal
import sys
import time
from pathlib import Path

from contracts import MemError
from memory.storage.sqlite import SqliteStorage
from tests.memory.storage.oracle import GENERATION, new_chunk


def write_owner(storage: SqliteStorage, owner_id: str, chunks: int, *, text: str = "") -> None:
    """Replace an owner's chunks by so many new ones, in one transaction."""
    texts = (f"alpha {text} number{number}" for number in range(chunks))
    with storage.database.transaction() as tx:
        storage.replace_chunks(
            tx,
            "file",
            owner_id,
            generation=GENERATION,
            chunks=[new_chunk(text, owner_id) for text in texts],
        )


def say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def wait_for_others() -> None:
    """Until the test has seen every process."""
    say("ready")
    sys.stdin.readline()


def create_and_write(path: Path, name: str) -> None:
    """Open a database that is not there yet, and write into it."""
    wait_for_others()
    storage = SqliteStorage.open(path, create=True)
    write_owner(storage, name, 3)
    storage.close()


def write_often(path: Path, name: str) -> None:
    """Write in many short transactions."""
    storage = SqliteStorage.open(path, create=False)
    wait_for_others()
    for number in range(40):
        write_owner(storage, f"{name} {number % 4}", 10, text=f"{number}")
    storage.close()


def die_writing(path: Path, name: str) -> None:
    """Write more than the page cache holds, then wait to be killed before the commit."""
    storage = SqliteStorage.open(path, create=False)
    with storage.database.transaction() as tx:
        storage.remove_owner(tx, "file", "old")
        for number in range(40):
            owner_id = f"{name} {number}"
            chunks = [new_chunk("alpha " * 80_000, owner_id)]
            storage.replace_chunks(tx, "file", owner_id, generation=GENERATION, chunks=chunks)
        say("ready")
        time.sleep(600)


def fill_disk(path: Path, name: str) -> None:
    """Write on a disk that takes no byte more than the database has; say what comes of it."""
    storage = SqliteStorage.open(path, create=False)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    size = path.stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    try:
        write_owner(storage, name, 3000)
    except MemError as error:
        say(f"{error.code}: {error.message}")
    else:
        say("written")
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    write_owner(storage, "later", 1)
    storage.close()


if __name__ == "__main__":
    _, task, database, given = sys.argv
    globals()[task](Path(database), given)
