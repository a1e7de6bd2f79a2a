"""The synchronous face: the methods of the asynchronous one, with and without an event loop."""

import asyncio
import inspect
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from contracts import InputError, NotFoundError, StorageError
from memory import MemoryConfig, MemoryManager, NewTurn, SyncMemoryManager
from tests.memory.databases import FAKE
from tests.repository import ROOT

AS_PROGRAM = """
from memory import MemoryConfig, MemoryManager, SyncMemoryManager

def names(memory: SyncMemoryManager) -> list[str]:
    return [hit.citation for hit in memory.search("x", max_results=3, sources=["turn"])]

def wrong(memory: SyncMemoryManager) -> None:
    memory.search("x", max_result=3)
    memory.recall(5)
    memory.no_method()
    number: int = memory.ingest_text("x")

with MemoryManager.open_sync(MemoryConfig(backend="memory")) as memory:
    names(memory)
"""


def config(base: Path) -> MemoryConfig:
    return MemoryConfig(storage_path=str(base / "memory.db"), embeddings=FAKE)


def public(kind: type) -> dict[str, Any]:
    return {name: value for name, value in vars(kind).items() if not name.startswith("_")}


def test_it_has_every_method_with_its_signature() -> None:
    asynchronous = {
        name: value
        for name, value in public(MemoryManager).items()
        if inspect.iscoroutinefunction(value)
    }
    synchronous = public(SyncMemoryManager)
    assert synchronous.keys() == asynchronous.keys() | {"close", "config", "storage", "embedder"}
    for name, method in asynchronous.items():
        assert not inspect.iscoroutinefunction(synchronous[name])
        assert inspect.signature(synchronous[name]) == inspect.signature(method)
        assert synchronous[name].__doc__ == method.__doc__


def test_what_is_of_another_type_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    anything: Any = {"session_id": "s1", "text": "I like tea"}
    with pytest.raises(InputError, match=r"the manager is MemoryConfig.*give a MemoryManager"):
        SyncMemoryManager(config(tmp_path))  # type: ignore[arg-type]  # as a user may
    with MemoryManager.open_sync(config(tmp_path)) as memory:
        for call, said in (
            (lambda: memory.add_turns([NewTurn("s1", "I like tea"), anything]), "give a NewTurn"),
            (lambda: memory.add_turns(None), "give a Sequence"),  # type: ignore[arg-type]  # as a user may
            (lambda: memory.forget(anything), "give a ForgetRequest"),
            (lambda: memory.memories(anything), "give a MemoryFilter"),
            (lambda: memory.edit_memory(1, anything), "give a MemoryChange"),
        ):
            with pytest.raises(InputError, match=said):
                call()
        assert memory.memories().memories == []


def day(memory: SyncMemoryManager) -> None:
    text_id = memory.ingest_text("The pump hums at night.")
    assert memory.get_file(text_id) == "The pump hums at night."
    assert memory.search("pump", max_results=1, mode="keyword")[0].file_id == text_id
    memory.add_turns([NewTurn("s1", "I like marmalade.")])
    assert memory.recall("marmalade", 1)[0].source in ("memory", "turn")
    assert memory.summarize_session("s1").text == "User: I like marmalade."
    assert memory.get_status().chunks["text"] == 1
    with pytest.raises(NotFoundError, match="no memory 99"):
        memory.get_memory(99)
    with pytest.raises(InputError, match="max_results is 0"):
        memory.search("pump", max_results=0)
    assert memory.config.storage_path.endswith("memory.db")
    assert memory.storage.count_chunks() > 0
    assert memory.embedder.card.provider == "fake"


def test_without_an_event_loop(tmp_path: Path) -> None:
    before = threading.active_count()
    with MemoryManager.open_sync(config(tmp_path)) as memory:
        day(memory)
    assert threading.active_count() == before
    with pytest.raises(StorageError, match="has been closed"):
        memory.search("pump")
    memory.close()
    assert threading.active_count() == before


def test_inside_a_running_event_loop(tmp_path: Path) -> None:
    async def cell() -> None:
        memory = MemoryManager.open_sync(config(tmp_path))
        day(memory)
        memory.close()

    asyncio.run(cell())


def test_from_many_threads(tmp_path: Path) -> None:
    with MemoryManager.open_sync(config(tmp_path)) as memory:
        found: list[str] = []
        texts = [f"note {number}" for number in range(8)]
        threads = [
            threading.Thread(target=lambda text=text: found.append(memory.ingest_text(text)))
            for text in texts
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(map(memory.get_file, found)) == texts


@pytest.mark.slow
def test_type_checkers_know_the_methods(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(AS_PROGRAM)
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--strict", str(program)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    faults = [line.partition("error: ")[2] for line in done.stdout.splitlines() if "error" in line]
    assert [fault.rpartition("[")[2] for fault in faults] == [
        "call-arg]",
        "arg-type]",
        "attr-defined]",
        "assignment]",
    ], done.stdout


FORKED = """
import os
import signal
import sys
from memory import MemoryConfig, MemoryManager
from memory.config.settings import EmbeddingsConfig
config = MemoryConfig(storage_path="memory.db", embeddings=EmbeddingsConfig(provider="fake"))
with MemoryManager.open_sync(config) as memory:
    memory.ingest_text("The heron waits.")
    child = os.fork()
    signal.alarm(60)
    if child == 0:
        try:
            memory.search("heron")
        except Exception as error:
            print(type(error).__name__, error, flush=True)
        memory.close()
        with MemoryManager.open_sync(config) as own:
            print([hit.text for hit in own.search("heron")], flush=True)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    print([hit.text for hit in memory.search("heron")])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")
def test_a_forked_process_opens_its_own(tmp_path: Path) -> None:
    """There the one of its parent says so; a call waited for ever."""
    done = subprocess.run(
        [sys.executable, "-c", FORKED],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    told, *found = done.stdout.splitlines()
    assert told.startswith("InputError this memory was opened by the process from which")
    assert found == ["['The heron waits.']"] * 2
