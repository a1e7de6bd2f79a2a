"""Chat histories become turns and memories, once, with their own times."""

import json
import os
from pathlib import Path

import pytest

from ingest.histories.values import HistoryForm
from memory.conversations.memories.store import MemoryStore
from memory.conversations.turns.store import TurnStore
from memory.index.document_store import documents_of
from memory.operations.exchange.history_import import TURNS_AT_ONCE, HistoryOptions, import_history
from memory.retrieval.searching import search
from memory.workspace import Workspace

DRY = HistoryOptions(dry_run=True)
SAID = [
    {"role": "user", "content": "I live in Oslo.", "timestamp": "2023-02-01T10:00:00Z"},
    {"role": "assistant", "content": "I live in a data centre.", "timestamp": 1_675_245_601},
    {
        "role": "user",
        "content": "I'm flying to Rome tomorrow.",
        "timestamp": "2023-02-01T10:01:00Z",
    },
]


def saved(tmp_path: Path, messages: list, name: str = "log.jsonl") -> Path:
    path = tmp_path / name
    path.write_text("\n".join(map(json.dumps, messages)), "utf-8")
    return path


def contents(memory: Workspace) -> dict[str, str]:
    """The active memories and when they were said."""
    rows = memory.storage.database.read(
        "SELECT content, occurred_at FROM memories WHERE status = 'active'"
    )
    return dict(rows)


def test_turns_keep_their_times_and_are_mined(memory: Workspace, tmp_path: Path) -> None:
    path = saved(tmp_path, SAID)
    report = import_history(memory, path, "openai-jsonl")
    assert (report.sessions, report.turns, report.added, report.known) == (1, 3, 3, 0)
    assert (report.first, report.last) == (
        "2023-02-01T10:00:00+00:00",
        "2023-02-01T10:01:00+00:00",
    )
    turns = TurnStore(memory.storage.database).window("log", size=9)
    assert [(turn.role, turn.text, turn.ts) for turn in turns] == [
        ("user", "I live in Oslo.", "2023-02-01T10:00:00.000Z"),
        ("assistant", "I live in a data centre.", "2023-02-01T10:00:01.000Z"),
        ("user", "I'm flying to Rome tomorrow.", "2023-02-01T10:01:00.000Z"),
    ]
    known = contents(memory)
    assert known["User lives in Oslo"] == "2023-02-01T10:00:00.000Z"
    assert "User is flying to Rome on 2023-02-02" in known
    assert not any("data centre" in content for content in known)
    assert report.memories["create"] == len(known)
    hit = search(memory, "flying to Rome").results[0]
    assert hit.occurred_at.startswith("2023-02-01")
    assert hit.source in ("turn", "memory")


def test_the_same_import_again_adds_only_what_is_new(memory: Workspace, tmp_path: Path) -> None:
    first = import_history(memory, saved(tmp_path, SAID[:2]), "openai-jsonl")
    hits = memory.storage.database.read("SELECT id, hits FROM memories")
    again = import_history(memory, saved(tmp_path, SAID[:2]), "openai-jsonl")
    assert (first.added, again.added, again.known, again.memories) == (2, 0, 2, {})
    assert memory.storage.database.read("SELECT id, hits FROM memories") == hits
    more = import_history(memory, saved(tmp_path, SAID), "openai-jsonl")
    assert (more.added, more.known) == (1, 2)
    assert TurnStore(memory.storage.database).count() == 3


def test_ids_that_come_again_in_another_session(memory: Workspace, tmp_path: Path) -> None:
    """As in a chat that branched off into a new one, or where every session counts from 1."""
    first = [{"session_id": "a", "id": 1, "role": "user", "content": "I live in Oslo."}]
    other = {"session_id": "b", "id": 1, "role": "user", "content": "I live in Oslo."}
    import_history(memory, saved(tmp_path, first), "openai-jsonl")
    path = saved(tmp_path, [*first, other])
    tried = import_history(memory, path, "openai-jsonl", options=DRY)
    report = import_history(memory, path, "openai-jsonl")
    assert (tried.added, tried.known) == (report.added, report.known) == (1, 1)
    assert TurnStore(memory.storage.database).window("b", size=9)[0].text == "I live in Oslo."


def test_another_text_under_a_known_id_is_named(memory: Workspace, tmp_path: Path) -> None:
    said = {"id": 1, "role": "user", "content": "I live in Oslo."}
    import_history(memory, saved(tmp_path, [said]), "openai-jsonl")
    path = saved(tmp_path, [said, {**said, "content": "I live in Rome."}])
    report = import_history(memory, path, "openai-jsonl")
    assert (report.added, report.known, report.omitted) == (0, 1, {"broken": 1})
    assert "belongs to another turn" in report.errors[0].reason


def test_what_is_named_in_a_report_is_short(memory: Workspace, tmp_path: Path) -> None:
    odd = [{"role": "r" * 10_000, "content": "a"}, {"session_id": "s" * 9999, **SAID[0]}]
    report = import_history(memory, saved(tmp_path, odd), "openai-jsonl")
    assert report.omitted == {"broken": 2}
    assert all(len(error.place + error.reason) <= 400 for error in report.errors)


def test_what_was_said_later_wins_in_whatever_order_it_comes(
    memory: Workspace, tmp_path: Path
) -> None:
    later = [{"role": "user", "content": "I live in Bergen.", "timestamp": "2024-02-01"}]
    import_history(memory, saved(tmp_path, later, "later.jsonl"), "openai-jsonl")
    import_history(memory, saved(tmp_path, SAID[:1], "earlier.jsonl"), "openai-jsonl")
    assert list(contents(memory)) == ["User lives in Bergen"]


def test_a_dry_run_and_one_without_memories(memory: Workspace, tmp_path: Path) -> None:
    path = saved(tmp_path, SAID)
    for workspace in (memory, None):
        report = import_history(workspace, path, "openai-jsonl", options=DRY)
        assert (report.dry_run, report.added, report.known) == (True, 3, 0)
    assert TurnStore(memory.storage.database).count() == 0
    assert (
        import_history(memory, path, "openai-jsonl", options=HistoryOptions(extract=False)).memories
        == {}
    )
    assert contents(memory) == {}
    report = import_history(memory, path, "openai-jsonl", options=DRY)
    assert (report.added, report.known) == (0, 3)


def test_turns_without_a_time_have_that_of_the_file(memory: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "chat.md"
    path.write_text("User: hello there\n\nAssistant: good day", "utf-8")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    report = import_history(memory, path, "transcript")
    assert (report.undated, report.first, report.last) == (2, None, None)
    turns = TurnStore(memory.storage.database).window("chat", size=9)
    assert {turn.ts for turn in turns} == {"2023-11-14T22:13:20.000Z"}
    path.touch()
    assert import_history(memory, path, "transcript").known == 2


def test_one_that_cannot_be_stored_does_not_keep_out_the_others(
    memory: Workspace, tmp_path: Path
) -> None:
    same = {"role": "user", "id": "m1", "session_id": "s"}
    messages = [
        {**same, "content": "first"},
        {**same, "content": "another text under its id"},
        {"role": "user", "content": "x", "session_id": "n" * 501},
        {"role": "user", "content": "last", "session_id": "s"},
    ]
    report = import_history(memory, saved(tmp_path, messages), "openai-jsonl")
    assert (report.turns, report.added, report.omitted) == (4, 2, {"broken": 2})
    assert "m1" in report.errors[0].place
    assert "another turn" in report.errors[0].reason
    assert [turn.text for turn in TurnStore(memory.storage.database).window("s", size=9)] == [
        "first",
        "last",
    ]


@pytest.mark.parametrize("form", ["chatgpt", "claude", "openai-jsonl", "transcript", "sem-mem"])
def test_nothing_in_a_file_is_no_failure(
    memory: Workspace, tmp_path: Path, form: HistoryForm
) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"nothing": "here"}', "utf-8")
    report = import_history(memory, path, form)
    assert (report.turns, report.added) == (0, 0)
    assert report.errors


def test_batches(memory: Workspace, tmp_path: Path) -> None:
    number = TURNS_AT_ONCE + 3
    messages = [{"role": "assistant", "content": f"remark {at}"} for at in range(number)]
    seen: list[int] = []
    report = import_history(memory, saved(tmp_path, messages), "openai-jsonl", progress=seen.append)
    assert (report.added, seen) == (number, [TURNS_AT_ONCE, number])


SUMMARY = (
    "They spoke about the pump in the cellar, which hums when the water rises, and agreed to call "
    "the plumber because the noise keeps everybody awake during the long nights of autumn, and "
    "that until then the window stays open while somebody looks after the water in the morning "
)


def threads(tmp_path: Path, *summaries: str) -> Path:
    path = tmp_path / "threads.json"
    store = {
        f"Thread {number}": {
            "messages": [{"role": "user", "content": f"message {number}"}],
            "summary_windows": [{"summary": text, "timestamp": "2024-05-01T10:00:00"}],
        }
        for number, text in enumerate(summaries)
    }
    path.write_text(json.dumps({"version": "1.0", "threads": store}), "utf-8")
    return path


def test_near_identical_summaries_are_one_text(memory: Workspace, tmp_path: Path) -> None:
    path = threads(tmp_path, SUMMARY, f"{SUMMARY} again", SUMMARY.replace("pump", "Boiler 3"))
    report = import_history(memory, path, "sem-mem")
    assert (report.turns, report.texts, report.folded) == (3, 2, 1)
    page = documents_of(memory).page(source="text", path=None, after="", limit=9)
    told = sorted(document.metadata["summary_of"] for document in page)
    assert told == [["Thread 0 1", "Thread 1 1"], ["Thread 2 1"]]
    assert {document.tags for document in page} == {("summary",)}
    assert {document.modified_at for document in page} == {"2024-05-01T10:00:00.000Z"}

    again = import_history(memory, path, "sem-mem")
    assert (again.added, again.texts, again.folded) == (0, 2, 1)
    assert documents_of(memory).page(source="text", path=None, after="", limit=9) == page
    assert MemoryStore(memory.storage).get(1) is None


def test_a_summary_is_folded_into_one_of_an_earlier_import(
    memory: Workspace, tmp_path: Path
) -> None:
    import_history(memory, threads(tmp_path, SUMMARY), "sem-mem")
    other = threads(tmp_path, f"{SUMMARY} again", f"{SUMMARY} indeed")
    report = import_history(memory, other, "sem-mem")
    assert (report.texts, report.folded) == (1, 1)
    (document,) = documents_of(memory).page(source="text", path=None, after="", limit=9)
    assert document.metadata["summary_of"] == ["Thread 0 1", "Thread 1 1"]
