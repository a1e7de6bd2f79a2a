"""The duration of `mem gc` beside a server, and the waiting time of clients that add turns."""

import json
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.harness.bench import Bench, remove_database
from benchmarks.harness.meanwhile import Loop, alongside
from benchmarks.harness.processes import run
from benchmarks.harness.serving import Server, running_server
from benchmarks.harness.values import Figure, spread
from benchmarks.inputs.talking import Talk
from memory.config.loading import LoadedConfig
from memory.config.settings import Config, MemoryConfig
from memory.conversations.memories.values import Memory
from memory.conversations.memories.writing import MemoryWriter, vectors_of
from memory.storage import utc_text
from memory.workspace import Workspace

_WRITTEN_AT_ONCE = 1000
_FADED_EVERY = 3
_FADED_DAYS = 20
_PAUSE_S = 0.02


def collecting(bench: Bench) -> Iterator[Figure]:
    """A collection of memories of which every third has faded, and one with nothing to do."""
    number, talk = bench.effort.collected_memories, Talk()
    database, settings = bench.work / "collected.db", bench.work / "collected.json"
    remove_database(database)
    mid = {"capacity": 2 * number}
    settings.write_text(json.dumps({"memory": {"mid": mid}}), encoding="utf-8")
    _remember(database, talk, number)
    command = [*bench.mem, "--config", str(settings), "--db", str(database), "--json", "gc"]
    with running_server(bench, database) as server:
        with server.client() as client:
            client.wait_until_built()
        for what in ("a third of them faded", "nothing to do"):
            waited: list[float] = []
            with alongside(_speaking(server, talk, waited)):
                report = json.loads(run(command, home=bench.work).output.splitlines()[-1])
            beside = f"{report['counts']['deleted']:,} deleted; POST /turns meanwhile"
            yield Figure(
                "collecting",
                f"mem gc, {number:,} memories, {what}",
                report["seconds"],
                "s",
                None,
                f"{beside} {spread(tuple(waited), unit='ms')}, longest {max(waited):.0f} ms",
            )


def _speaking(server: Server, talk: Talk, waited: list[float]) -> Loop:
    """Adds a turn now and then; `waited` gets the milliseconds of each."""

    def speak(ended: threading.Event) -> None:
        with server.client() as client:
            while True:  # at least one, however short the collection is
                started = time.perf_counter()
                client.post("/turns", {"session_id": "meanwhile", "text": talk.fact()})
                waited.append((time.perf_counter() - started) * 1000)
                if ended.wait(_PAUSE_S):
                    return

    return speak


def _remember(database: Path, talk: Talk, number: int) -> None:
    """Store memories as an extractor does, every third of them last seen a while ago."""
    now = datetime.now(UTC)
    fresh, faded = utc_text(now), utc_text(now - timedelta(days=_FADED_DAYS))
    config = Config(memory=MemoryConfig(storage_path=str(database)))
    with Workspace(LoadedConfig(config, config, None, database.parent, "argument")) as workspace:
        for start in range(0, number, _WRITTEN_AT_ONCE):
            ages = [
                fresh if at % _FADED_EVERY else faded
                for at in range(start, min(number, start + _WRITTEN_AT_ONCE))
            ]
            memories = [_memory(talk.fact(), seen) for seen in ages]
            known = vectors_of(workspace, memories)
            with workspace.storage.database.transaction() as tx:
                writer = MemoryWriter(workspace, tx, known)
                for memory in memories:
                    writer.insert(memory)
                writer.finish()


def _memory(content: str, seen: str) -> Memory:
    return Memory(
        id=0,
        layer="mid",
        content=content,
        created_at=seen,
        last_seen_at=seen,
        hits=0,
        score=0.0,
        importance=0,
        status="active",
        tags=(),
        occurred_at=seen,
        updated_at=seen,
        origin="rules",
    )
