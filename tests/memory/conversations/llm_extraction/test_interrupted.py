"""A process that is killed while a model reads: the next one goes on, and nothing counts twice."""

import asyncio
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from memory import MemoryManager
from memory.config.settings import LLMConfig
from tests.memory.conversations.llm_extraction.model import (
    knowing,
    opened_with,
    remembered,
    say,
    state,
    text_of,
)
from tests.memory.databases import loaded
from tests.providers.wire.server import Answer, Request, serving
from tests.repository import ROOT
from tests.waiting import DEADLINE_S

ODD = "My grandma's bakery in Graz passed to me in spring."
FACT = "User's bakery is in Graz"

_READ = """
import sys
from pathlib import Path
from memory.config.settings import LLMConfig
from memory.conversations.llm_extraction.passes import extract_with_model
from tests.memory.databases import opened
with opened(Path(sys.argv[1]), llm=LLMConfig(endpoint=sys.argv[2], model="m")) as memory:
    extract_with_model(memory)
"""


@pytest.mark.slow
def test_what_a_killed_process_was_at_is_read_by_the_next(tmp_path: Path) -> None:
    answer, hanging = knowing(bakery=[FACT], jrpgs=["User likes JRPGs"]), threading.Event()

    def hang_at_the_second(request: Request) -> Answer:
        if "bakery" in text_of(request) and not hanging.is_set():
            hanging.set()
            return Answer(silent=True)
        return answer(request)

    with serving(hang_at_the_second) as server, opened_with(tmp_path, server, "llm") as memory:
        like, odd = say(memory, "I like JRPGs", ODD)
        command = [sys.executable, "-c", _READ, str(tmp_path), f"{server.url}/v1"]
        with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
            assert hanging.wait(DEADLINE_S)
            process.kill()
        assert (state(memory, like), state(memory, odd)) == ("done", "llm")
        settings = loaded(tmp_path, llm=LLMConfig(endpoint=f"{server.url}/v1", model="m"))
        manager = MemoryManager(settings)
        done = asyncio.run(manager.enrich())
        manager.close()
        assert (done.turns, done.waiting, done.error) == (1, 0, None)
        assert set(remembered(memory)) == {"User likes JRPGs", FACT}
        assert memory.storage.database.read("SELECT sum(hits) FROM memories") == [(0,)]
