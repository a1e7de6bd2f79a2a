"""The chat of docs/examples answers from its memory, against a stub of a model's server."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memory.episodes.forming import form_episodes
from memory.episodes.triples.extraction import extract_facts
from tests.memory.databases import opened
from tests.memory.episodes.facts import HOME, WORK, tell, triples
from tests.providers.wire import chat
from tests.providers.wire.server import Answer, Request, serving
from tests.repository import ROOT

pytest.importorskip("openai")

CHAT = ROOT / "docs/examples/chat/chat.py"
QUESTION = "In which city do I live?"


def answer(request: Request) -> Answer:
    """A model that cites the first turn that the context shows it, if there is one."""
    told = "".join(str(one["content"]) for one in request.body["messages"])
    return chat.said("In Berlin [1]." if "[1] user: I live in Berlin" in told else "Noted.")


def test_it_answers_from_what_was_said_and_reports_it(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        tell(memory, HOME, WORK)
        form_episodes(memory)
        extract_facts(memory)
    config = {"memory": {"storage_path": "memory.db", "embeddings": {"provider": "fake"}}}
    (tmp_path / "own.json").write_text(json.dumps(config))
    with serving(answer) as server:
        known = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH")
        env = {name: os.environ[name] for name in known if name in os.environ}
        env |= {"BASE_URL": f"{server.url}/v1", "MODEL": "m", "MEM_CONFIG": "own.json"}
        env |= {"SYMBIOSIS_MEMORY_TESTS": "1", "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, str(CHAT), "new"],
            cwd=tmp_path,
            env=env,
            input=f"{QUESTION}\nThank you!\n",
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
    assert done.stdout.splitlines()[0] == "In Berlin [1]."
    assert "(used: session s1 turn 1, 2026-03-04)" in done.stderr
    first, second = (request.body["messages"] for request in server.requests)
    assert first[0]["role"] == "system"
    assert first[-1] == {"role": "user", "content": QUESTION}
    assert {"role": "assistant", "content": "In Berlin [1]."} in second
    with opened(tmp_path) as memory:
        rows = memory.storage.database.read(
            "SELECT role, text FROM turns WHERE session_id = 'new' ORDER BY id LIMIT 2"
        )
        assert rows == [("user", QUESTION), ("assistant", "In Berlin [1].")]
        used = memory.storage.database.read("SELECT retrieval_count FROM episodic_memory")
        assert used == [(1,)]
        assert {one.text for one in triples(memory)} == {
            "User lives in Berlin",
            "User works at Bosch",
        }
