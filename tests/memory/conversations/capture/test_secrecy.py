"""What must not be stored is in no byte of a database, and what must stay here is not sent."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.config.sections.conversations import CaptureConfig, LLMConfig
from memory.conversations.llm_extraction.passes import extract_with_model
from memory.conversations.thread_summary import summarize_session
from memory.episodes.forming import form_episodes
from memory.files.ingestion import ingest_text
from memory.index.embedding.remote_texts import HELD_BACK, is_this_machine
from memory.index.indexing import embed_missing
from memory.operations.status import read_status
from memory.retrieval.searching import search
from memory.workspace import Workspace
from tests.ingest.histories.agents.transcripts import (
    claude_line,
    cursor_store,
    put_composer,
    written,
)
from tests.ingest.planted import PLANTED
from tests.memory.conversations.capture.captured import take, turns_of
from tests.memory.databases import opened, use
from tests.memory.remote import RemoteFake

SECRETS = {secret for one in PLANTED for secret in one.secrets}
SAID = "The retry logic belongs into the client."
"""What a person told an agent."""
ELSEWHERE = LLMConfig(endpoint="https://models.invalid/v1", model="m", timeout_s=0.5)


def lines_with_secrets() -> Iterator[dict[str, object]]:
    """Each secret as a person, a model, a tool and its input would have it."""
    for number, planted in enumerate(PLANTED):
        text = planted.text
        edit = {"file_path": "/src/.env", "old_string": text, "new_string": f"A=1\n{text}"}
        run = {"command": text, "env": {"value": text}}
        yield claude_line(number * 10, "user", text, cwd=f"/src/{text[:80]}")
        yield claude_line(number * 10 + 1, "assistant", [{"type": "text", "text": f"So {text}"}])
        for place, block in enumerate(
            (
                {"type": "tool_use", "id": "t", "name": "Edit", "input": edit},
                {"type": "tool_use", "id": "t", "name": "Bash", "input": run},
            )
        ):
            yield claude_line(number * 10 + 2 + place, "assistant", [block])
        result = [{"type": "tool_result", "content": [{"type": "text", "text": text}]}]
        yield claude_line(number * 10 + 5, "user", result, sessionId=f"s {text[:60]}")


@pytest.mark.sqlite_only(reason="reads the bytes of the files")
def test_no_planted_secret_is_in_any_byte_of_the_database(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    chat = written(tmp_path / "a.jsonl", lines_with_secrets())
    store = cursor_store(tmp_path / "state.vscdb")
    with sqlite3.connect(store) as owner:
        bubbles = {
            f"p{number}": {"type": 1 + number % 2, "text": planted.text}
            for number, planted in enumerate(PLANTED)
        }
        put_composer(owner, "secrets", bubbles)
    with opened(folder) as memory:
        assert take(memory, "claude-code", chat, tool_output=True) == 5 * len(PLANTED)
        take(memory, "cursor", store, tool_output=True)
        form_episodes(memory)
        embed_missing(memory)
        assert search(memory, "please use it").results
        files = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        assert any(path.name.endswith("-wal") and data for path, data in files.items())
        for path, data in files.items():
            assert [secret for secret in SECRETS if secret.encode() in data] == [], path
        marks = {
            mark for turn in turns_of(memory) for mark in turn.text.split() if "secret:" in mark
        }
        assert len(marks) > 20
    for path in folder.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        assert [secret for secret in SECRETS if secret.encode() in data] == [], path


@pytest.mark.parametrize(
    "address, is_here",
    [
        ("localhost:11434", True),
        ("http://127.0.0.1:1234/v1", True),
        ("[::1]:80", True),
        ("https://api.example.com/v1", False),
        ("192.168.1.7:11434", False),
        ("localhost.example.com", False),
        ("", False),
    ],
)
def test_what_counts_as_this_machine(address: str, is_here: bool) -> None:
    assert is_this_machine(address) is is_here


def captured(memory: Workspace, tmp_path: Path) -> None:
    lines = [claude_line(1, "user", SAID), claude_line(2, "user", "I like JRPGs a lot.")]
    take(memory, "claude-code", written(tmp_path / "a.jsonl", lines))


class Elsewhere(RemoteFake):
    """The fake model on another machine; `got` are the texts that were sent there."""

    def __init__(self) -> None:
        super().__init__()
        self.got: list[str] = []

    def embed(self, texts, *, kind):  # type: ignore[no-untyped-def]
        self.got += texts if kind == "document" else []
        return super().embed(texts, kind=kind)


def test_a_remote_model_gets_no_captured_turn(tmp_path: Path) -> None:
    with opened(tmp_path / "db") as memory:
        ingest_text(memory, "The first text of a database.")
        use(memory, provider := Elsewhere())
        captured(memory, tmp_path)
        form_episodes(memory)
        ingest_text(memory, "Marmalade needs bitter oranges.")
        embed_missing(memory)
        assert provider.got == ["Marmalade needs bitter oranges."]
        status = read_status(memory)
        made = {name: status.chunks[name] for name in ("turn", "memory", "episode")}
        assert made == {"turn": 2, "memory": 1, "episode": 1}
        assert status.refused_chunks == sum(made.values())
        assert {chunk.reason for chunk in status.refused} == {HELD_BACK}
        assert search(memory, "retry logic client").results[0].text == SAID
    with opened(tmp_path / "db", capture=CaptureConfig(remote_models=True)) as memory:
        use(memory, provider := Elsewhere())
        embed_missing(memory)
        assert {"I like JRPGs a lot.", SAID} <= set(provider.got)
        assert read_status(memory).refused_chunks == 0
        assert memory.storage.count_vectors() == memory.storage.count_chunks()


def test_a_remote_language_model_reads_no_captured_turn(tmp_path: Path) -> None:
    with opened(tmp_path / "db", llm=ELSEWHERE) as memory:
        captured(memory, tmp_path)
        report = extract_with_model(memory)
        assert (report.skipped, report.failed, report.error, report.waiting) == (2, 0, None, 0)
        (turn, _) = turns_of(memory)
        summary = summarize_session(memory, turn.session_id)
        assert summary.written_by == "extract"
        assert "memory.capture.remote_models" in summary.warnings[0]


def test_one_that_may_is_asked(tmp_path: Path) -> None:
    allowed = CaptureConfig(remote_models=True)
    with opened(tmp_path / "db", llm=ELSEWHERE, capture=allowed) as memory:
        captured(memory, tmp_path)
        report = extract_with_model(memory)
        assert (report.skipped, report.failed) == (0, 1), "the machine does not exist"
