"""`mem sync`, at a terminal and away from one."""

import os
import re
import threading
from dataclasses import fields
from pathlib import Path

import pytest

from cli.files.sync import MOST_PROBLEMS, problem_lines
from cli.invocation import CliContext
from cli.progress import figures
from memory.storage.meta import KEYWORDS, read_meta, write_meta
from memory.storage.process_locks import sync_lock
from memory.values.reports import FileProblem, SyncProgress, SyncStats
from memory.workspace import Workspace
from search import KEYWORD_FORM
from tests.cli.shell import Mem, at_a_terminal, shell, start
from tests.waiting import output_of


def test_the_report_as_json(mem: Mem, folder: Path) -> None:
    (folder / "docs" / "x.md").write_bytes(b"\0\1")
    answer = mem("sync", "docs", "--json")
    assert (answer.code, answer.err) == (0, "")
    report = answer.json
    assert list(report) == [item.name for item in fields(SyncStats)]
    assert list(report) == [
        *("added", "updated", "unchanged", "renamed", "deleted", "failed", "skipped"),
        *("chunks", "embedded", "cached", "refused", "seconds", "dry_run", "cost"),
        *("errors", "reasons", "pruned", "warnings", "offer"),
    ]
    assert report["reasons"] == {"binary": 1}
    assert (report["added"], report["skipped"], report["chunks"]) == (2, 1, 2)
    assert report["errors"] == [
        {
            "path": str(folder / "docs" / "x.md"),
            "state": "skipped",
            "reason": "binary: holds zero bytes",
        }
    ]


def test_the_report_for_people(mem: Mem, folder: Path) -> None:
    first = mem("sync", "docs")
    assert re.fullmatch(
        r"Done in \d+\.\d s\. Files: 2 added\n2 new chunks \(2 embedded, 0 already known\)\n",
        first.out,
    )
    assert first.err == ""
    docs = folder / "docs"
    (docs / "setup.md").rename(docs / "renamed.md")
    (docs / "animals.md").unlink()
    (docs / "new.md").write_text("Something new.\n")
    assert "Files: 1 added, 1 renamed, 1 deleted\n1 new chunk (" in mem("sync").out
    assert "Files: 2 unchanged\n" in mem("sync").out
    assert "Files: 2 updated\n" in mem("sync", "--force").out


@pytest.mark.parametrize(
    "typed",
    [
        ["sync", ""],
        ["sync", "docs", " "],
        ["ingest", ""],
        ["search", "cats", "--path", ""],
        ["search", "cats", "--source", ""],
        ["files", "--path", ""],
        ["files", "--drop-root", ""],
        ["config", "validate", ""],
    ],
    ids=" ".join,
)
def test_an_empty_path_is_not_the_working_directory(
    synced: Mem, folder: Path, typed: list[str]
) -> None:
    answer = synced(*typed)
    assert (answer.code, answer.out) == (2, "")
    assert re.search(r"the path '\s*' is empty|a source is ''", answer.err)
    assert synced("files", "--roots").out == f"{folder / 'docs'}  (remembered)\n"


@pytest.mark.parametrize("typed", [["sync", "docs"], ["search", "x"], ["status"]], ids=" ".join)
def test_memory_is_no_name_of_a_file(mem: Mem, folder: Path, typed: list[str]) -> None:
    answer = mem(*typed, "--db", ":memory:")
    assert answer.code != 0
    assert f"the database would be {folder / ':memory:'}, a file" in answer.err
    assert 'memory.backend "memory"' in answer.err
    assert not (folder / ":memory:").exists()


def test_an_empty_folder(mem: Mem, folder: Path) -> None:
    (folder / "void").mkdir()
    assert "Files: none found\n" in mem("sync", "void").out


def test_broken_files_are_listed_and_stop_nothing(mem: Mem, folder: Path) -> None:
    (folder / "docs" / "x.md").write_bytes(b"\0\1")
    (folder / "docs" / "bad\udcff.md").write_text("text")
    answer = mem("sync", "docs")
    assert answer.code == 0
    assert "Files: 2 added, 1 skipped, 1 failed\n" in answer.out
    failed, skipped, reason = answer.err.splitlines()
    assert failed.split()[:3] == ["failed", "docs/bad\\udcff.md", "undecodable:"]
    assert skipped.split() == ["skipped", "docs/x.md", "binary:", "holds", "zero", "bytes"]
    assert reason == "1 failed: undecodable; save them, or their names, as UTF-8"


def test_a_long_list_of_problems_is_cut() -> None:
    problems = [FileProblem(f"/d/{number:02}", "skipped", "binary") for number in range(30)]
    lines = problem_lines([*problems, FileProblem("/d/z", "failed", "gone")], cwd=Path("/d"))
    assert len(lines) == MOST_PROBLEMS + 1
    assert lines[0].split() == ["failed", "z", "gone"]
    assert lines[1].split() == ["skipped", "00", "binary"]
    assert lines[-1] == "  and 21 more: mem files --failed"
    assert problem_lines([], cwd=Path("/")) == []


def test_paths_are_remembered(mem: Mem, folder: Path) -> None:
    mem("sync", "docs")
    (folder / "docs" / "new.md").write_text("new\n")
    assert mem("sync", "--json").json["added"] == 1


def test_a_path_that_does_not_exist_leaves_no_database(mem: Mem, folder: Path) -> None:
    answer = mem("sync", "docs", "typo", "--db", "new.db")
    assert (answer.code, answer.out) == (4, "")
    assert answer.err.startswith(f"mem: {folder}/typo does not exist\nhint: ")
    assert not (folder / "new.db").exists()


def test_a_dry_run_writes_nothing(mem: Mem, folder: Path) -> None:
    answer = mem("sync", "docs", "--dry-run", "--db", "new.db")
    *files, first, chunks, cost = answer.out.splitlines()
    assert files == ["would add docs/animals.md", "would add docs/setup.md"]
    assert re.fullmatch(r"Dry run in \d+\.\d s\. Files: 2 added", first)
    assert [chunks, cost] == [
        "2 new chunks (2 to embed, 0 already known)",
        "No text would leave this machine: static embeds it here",
    ]
    assert not (folder / "new.db").exists()
    mem("sync", "docs", "--db", "new.db")
    (folder / "docs" / "setup.md").unlink()
    assert "Files: 1 deleted, 1 unchanged\n" in mem("sync", "--dry-run", "--db", "new.db").out
    assert mem("sync", "--dry-run", "--db", "new.db", "--json").json["deleted"] == 1


def test_a_list_of_paths(mem: Mem, folder: Path) -> None:
    docs = folder / "docs"
    mem("sync", "docs")
    (docs / "setup.md").unlink()
    (docs / "new\nname.md").write_text("Something new.\n")
    (docs / "other.md").write_text("Something else.\n")
    listed = folder / "listed"
    listed.write_bytes(b"docs/setup.md\0docs/new\nname.md\0")
    assert "Files: 1 added, 1 deleted\n" in mem("sync", "--paths-from", "listed", "--dry-run").out
    assert "Files: 1 added, 1 deleted\n" in mem("sync", "--paths-from", "listed").out
    given = "docs/other.md\r\n\ndocs/animals.md\n"
    stdin = ("sync", "--paths-from", "-", "--db", "one.db", "--json")
    mem("sync", "docs", "--db", "one.db")
    answer = shell(*stdin, "--force", cwd=folder, stdin=given)
    assert (answer.json["unchanged"], answer.json["updated"]) == (0, 2)
    assert shell(*stdin, cwd=folder, stdin="\n").json["unchanged"] == 0
    assert mem("sync", "docs", "--paths-from", "listed").code == 2
    assert mem("sync", "--prune", "--paths-from", "listed").code == 2


def test_pruning_says_what_it_removes(mem: Mem, folder: Path) -> None:
    mem("sync", "docs")
    mem("ingest", "beside.md")
    (folder / "docs").rename(folder / "away")
    assert mem("sync").code == 4
    foretold = mem("sync", "--prune", "--dry-run").out
    assert "Files: 2 deleted\nWould remove 2 files below docs\n" in foretold
    assert "Files: 2 deleted\nRemoved 2 files below docs\n" in mem("sync", "--prune").out


def test_many_problems_are_summed_up_by_reason(mem: Mem, folder: Path) -> None:
    for number in range(MOST_PROBLEMS):
        (folder / f"docs/{number}.md").write_bytes(b"\0\1")
    (folder / "docs/other").symlink_to("/")
    answer = mem("sync", "docs")
    assert answer.err.splitlines()[-2:] == [
        "10 skipped: binary",
        "1 skipped: outside; sync the folders that these links lead to",
    ]


def test_configured_folders(mem: Mem, folder: Path) -> None:
    settings = folder / "own.json"
    settings.write_text('{"memory": {"files": {"watch_directories": ["./docs", "./gone"]}}}')
    answer = mem("--config", "own.json", "sync")
    assert "Files: 2 added, 1 failed\n" in answer.out
    assert "gone" in answer.err
    settings.write_text('{"memory": {"files": {"watch_directories": ["./gone"]}}}')
    lost = mem("--config", "own.json", "sync", "--db", "new.db")
    assert lost.code == 4
    assert not (folder / "new.db").exists()


def test_a_backend_that_forgets_says_so(mem: Mem, folder: Path) -> None:
    (folder / "own.json").write_text('{"memory": {"backend": "memory"}}')
    forgetting = "warning: memory.backend is memory: nothing of this is kept\n"
    assert mem("sync", "docs", "--config", "own.json").err == forgetting
    assert mem("sync", "docs", "--config", "own.json", "--dry-run").err == ""
    assert mem("ingest", "--text", "x", "--config", "own.json").err.endswith(forgetting)


def test_warnings_are_shown(mem: Mem, folder: Path) -> None:
    mem("sync", "docs", "--db", "one.db")
    (folder / "own.json").write_text('{"memory": {"chunking": {"chunk_size_chars": 500}}}')
    answer = mem("sync", "--db", "one.db", "--config", "own.json")
    assert answer.code == 0
    told, *_ = answer.err.splitlines()[1:]
    assert told.startswith("warning: the configuration asks for chunks of 500 characters")
    for command in (["status"], ["ingest", "docs"]):
        again = mem(*command, "--db", "one.db", "--config", "own.json")
        assert "\nwarning: the configuration asks for chunks" in again.err


def test_one_sync_at_a_time(mem: Mem, folder: Path) -> None:
    mem("sync", "docs", "--db", "one.db")
    loaded = CliContext(db=folder / "one.db").load_config()
    with Workspace(loaded) as workspace, sync_lock(workspace.storage.database, workspace.path):
        answer = shell("sync", "--wait", "0", "--db", "one.db", cwd=folder)
        assert (answer.code, answer.out) == (6, "")
        assert f"process {os.getpid()} (" in answer.err
        assert f"a sync, process {os.getpid()} (" in mem("status", "--db", "one.db").out
        assert mem("search", "cats", "--db", "one.db").code == 0
    assert shell("sync", "--db", "one.db", cwd=folder).code == 0


def test_a_sync_waits_for_another_and_says_for_whom(mem: Mem, folder: Path) -> None:
    mem("sync", "docs", "--db", "one.db")
    with Workspace(CliContext(db=folder / "one.db").load_config()) as workspace:
        ended = threading.Event()

        def hold() -> None:
            with workspace.sync_lock():
                began.set()
                assert ended.wait(60)

        began = threading.Event()
        holder = threading.Thread(target=hold)
        holder.start()
        assert began.wait(60)
        with start("sync", "--wait", "60", "--db", "one.db", cwd=folder) as process:
            assert process.stderr is not None
            assert process.stderr.readline().startswith(f"database {folder}/one.db (--db)")
            told = process.stderr.readline()
            ended.set()
            out, _ = output_of(process)
        holder.join()
    assert told.startswith(f"waiting for a sync to end: process {os.getpid()} (")
    assert process.returncode == 0
    assert out.startswith("Done in")


@pytest.mark.parametrize(
    "done, elapsed_s, text",
    [
        (SyncProgress(0, 1, 0, 10, 0), 2.0, "0/1 file, 0 chunks"),
        (SyncProgress(12, 3000, 5, 10, 512), 2.0, "12/3,000 files, 512 chunks (256/s)"),
        (SyncProgress(1, 2, 5, 10, 1), 0.0, "1/2 files, 1 chunk"),
        (
            SyncProgress(50, 480, 5, 10, 60, files_found=1500, all_found=False),
            2.0,
            "50/480 files, 60 chunks (30/s), 1,500 looked at",
        ),
        (SyncProgress(1200, 0, 0, 0, 7, step="removing"), 2.0, "1,200 files"),
    ],
)
def test_the_figures_beside_the_bar(done: SyncProgress, elapsed_s: float, text: str) -> None:
    assert figures(done, elapsed_s=elapsed_s) == text


def test_progress_at_a_terminal(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    seen = at_a_terminal("sync", "docs", monkeypatch=monkeypatch)
    assert "Looking at files" in seen
    assert "Indexing" in seen
    assert "2/2 files" in seen


def test_renewed_entries_are_named_at_a_terminal(
    synced: Mem, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Workspace(CliContext().load_config()) as workspace:
        database = workspace.storage.database
        with database.transaction() as tx:
            write_meta(tx, KEYWORDS, KEYWORD_FORM - 1)
        monkeypatch.setenv("TERM", "xterm")
        seen = at_a_terminal("sync", monkeypatch=monkeypatch)
        assert "Renewing keyword entries" in seen
        assert "0/2 files" in seen
        assert read_meta(database, KEYWORDS) == KEYWORD_FORM


def test_no_progress_on_a_dumb_terminal(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert at_a_terminal("sync", "docs", monkeypatch=monkeypatch).startswith("better answers, ")
    assert at_a_terminal("sync", "docs", monkeypatch=monkeypatch) == ""
