"""The proof reads the database's files while they are in use, and loses nothing."""

import sys
from pathlib import Path
from subprocess import run

import pytest

from memory.files.ingestion import ingest_text
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from tests.memory.databases import opened
from tests.repository import ROOT

STATUS = [sys.executable, "-m", "cli.main", "--db"]


@pytest.mark.sqlite_only(reason="is about the write-ahead log of SQLite")
def test_another_process_does_not_delete_the_log_after_a_proof(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        gone = ingest_text(memory, "The boiler hums at night.").id
        report = forget(memory, ForgetRequest(text_ids=(gone,)), proven=True)
        assert report.ok
        ingest_text(memory, "The spare key hangs in the shed.")
        path = memory.storage.database.path
        assert run([*STATUS, path, "status"], cwd=ROOT, capture_output=True).returncode == 0
        assert Path(f"{path}-wal").exists()
        ingest_text(memory, "The cellar is dry.")
    with opened(tmp_path) as memory:
        texts = memory.storage.database.read("SELECT text FROM chunks ORDER BY id")
    assert texts == [("The spare key hangs in the shed.",), ("The cellar is dry.",)]
