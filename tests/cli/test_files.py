"""`mem files` and `mem status`."""

from dataclasses import fields
from pathlib import Path

import pytest

from memory.values.reports import Record, WhyFile
from memory.values.status_reports import MemoryStatus
from tests.cli.shell import Mem


@pytest.fixture
def troubled(mem: Mem, folder: Path) -> Mem:
    """Two good files, a skipped and a failed one, and a text."""
    (folder / "docs" / "x.md").write_bytes(b"\0\1")
    (folder / "docs" / "bad\udcff.md").write_text("text")
    mem("sync", "docs")
    mem("ingest", "--text", "Rivers.", "--title", "On rivers")
    return mem


def test_the_list_for_people(troubled: Mem) -> None:
    answer = troubled("files")
    assert (answer.code, answer.err) == (0, "")
    head, *lines = answer.out.splitlines()
    assert head.split() == ["state", "chunks", "size", "modified", "path"]
    animals, bad, setup, binary, text = (line.split() for line in lines)
    assert (animals[:2], animals[-1]) == (["indexed", "1"], "docs/animals.md")
    assert bad[:4] == ["failed", "0", "0", "B"]
    assert bad[4] == "docs/bad\\udcff.md"
    assert setup[-1] == "docs/setup.md"
    assert binary[5:] == ["docs/x.md", "(binary:", "holds", "zero", "bytes)"]
    assert text[-4] == "text"
    assert text[-2:] == ["On", "rivers"]


def test_the_list_as_json(troubled: Mem, folder: Path) -> None:
    records = troubled("files", "--json").json
    assert len(records) == 5
    assert list(records[0]) == [item.name for item in fields(Record)]
    assert records[0]["path"] == str(folder / "docs" / "animals.md")


def test_only_problems(troubled: Mem) -> None:
    states = [record["state"] for record in troubled("files", "--failed", "--json").json]
    assert states == ["failed", "skipped"]
    assert len(troubled("files", "--failed", "--limit", "1", "--json").json) == 1


def test_below_a_path(troubled: Mem) -> None:
    assert len(troubled("files", "--path", "docs", "--json").json) == 4
    assert len(troubled("files", "--path", "docs/setup.md", "--json").json) == 1
    assert troubled("files", "--path", "elsewhere", "--json").out == "[]\n"
    assert troubled("files", "--path", "elsewhere").err == "nothing is indexed below elsewhere\n"


def test_an_empty_list(synced: Mem) -> None:
    answer = synced("files", "--failed")
    assert (answer.code, answer.out, answer.err) == (0, "", "nothing failed\n")
    assert synced("files", "--failed", "--json").out == "[]\n"


def test_a_cut_list_says_so(troubled: Mem) -> None:
    answer = troubled("files", "--limit", "2")
    assert len(answer.out.splitlines()) == 3
    assert answer.err == "more: mem files --limit 20, or 0 for all\n"
    assert troubled("files", "--limit", "5").err == ""
    assert len(troubled("files", "--limit", "0").out.splitlines()) == 6


@pytest.mark.slow
def test_a_list_longer_than_a_page(mem: Mem, folder: Path) -> None:
    for number in range(1001):
        (folder / "docs" / f"{number}.md").write_text(f"note {number}\n")
    mem("sync", "docs")
    records = mem("files", "--json").json
    assert len({record["path"] for record in records}) == len(records) == 1003
    assert len(mem("files").out.splitlines()) == 101


def test_roots(mem: Mem, folder: Path) -> None:
    assert mem("sync", "docs").code == 0
    assert mem("files", "--roots").out == f"{folder}/docs  (remembered)\n"
    assert mem("files", "--roots", "--json").json == [
        {
            **{"path": f"{folder}/docs", "origin": "remembered", "exists": True},
            **{"name": None, "about": ""},
        }
    ]
    (folder / "docs").rename(folder / "moved")
    assert "(remembered, cannot be reached)" in mem("files", "--roots").out


def test_a_dropped_root_keeps_its_files(synced: Mem, folder: Path) -> None:
    answer = synced("files", "--drop-root", "docs")
    assert answer.out == (
        f"Forgot {folder}/docs\n2 files of it stay searchable as they are; syncs now ignore them.\n"
    )
    assert synced("files", "--roots").err == "no folder yet: mem sync PATH\n"
    assert synced("files", "--roots", "--json").out == "[]\n"
    assert synced("search", "cats", "--json").json["total_results"] > 0
    assert synced("sync").code == 4


def test_a_dropped_root_can_take_its_files_along(synced: Mem, folder: Path) -> None:
    answer = synced("files", "--drop-root", "docs", "--with-files")
    assert answer.out.endswith("2 files left the index; the disk is unchanged.\n")
    assert synced("files", "--json").json == []
    assert (folder / "docs" / "setup.md").exists()


def test_a_dropped_root_as_json(synced: Mem, folder: Path) -> None:
    assert synced("files", "--drop-root", "docs", "--json").json == {
        "path": f"{folder}/docs",
        "files": 2,
        "files_removed": False,
    }


def test_an_empty_root_is_dropped(mem: Mem, folder: Path) -> None:
    (folder / "void").mkdir()
    mem("sync", "void")
    assert mem("files", "--drop-root", "void").out == f"Forgot {folder}/void\n"


def test_only_what_is_remembered_can_be_dropped(synced: Mem) -> None:
    answer = synced("files", "--drop-root", "elsewhere")
    assert (answer.code, answer.out) == (4, "")
    assert "is not a remembered folder" in answer.err
    assert synced("files", "--with-files").code == 2


def test_status_for_people(troubled: Mem, folder: Path) -> None:
    answer = troubled("status")
    assert (answer.code, answer.err) == (0, "")
    rows = [(line[:8].strip(), line[8:].strip()) for line in answer.out.splitlines()]
    told = dict(rows[:10])
    assert told["database"].endswith("B), your own, shared by all folders")
    assert "(sqlite, " in told["database"]
    assert told["settings"] == "defaults, no file"
    assert told["folders"] == f"{folder}/docs"
    assert told["files"] == "2 indexed, 1 failed, 1 skipped"
    assert told["chunks"] == "2 file, 1 text"
    assert told["vectors"].startswith("3 by static/")
    assert told["synced"].endswith("s ago)")
    assert told["running"] == "nothing"
    assert told["watcher"] == "no watcher: mem watch"
    assert [line.split()[:2] for line in answer.out.splitlines()[10:]] == [
        ["failed", "docs/bad\\udcff.md"],
        ["skipped", "docs/x.md"],
    ]


def test_status_as_json(troubled: Mem) -> None:
    status = troubled("status", "--json").json
    assert list(status) == [item.name for item in fields(MemoryStatus)]
    assert status["files"] == {"failed": 1, "indexed": 2, "skipped": 1}
    assert status["model"]["configured"] is True


def test_status_of_a_new_database(mem: Mem, folder: Path) -> None:
    mem("init", "--here")
    (folder / "void").mkdir()
    mem("sync", "void")
    mem("files", "--drop-root", "void")
    out = mem("status").out
    assert "none yet: mem sync PATH" in out
    assert f"settings  {folder}/constitution_config.json\n" in out
    assert "files     none\n" in out
    assert "vectors   0\n" in out
    mem("ingest", "--text", "x", "--db", "other.db")
    assert "synced    never\n" in mem("status", "--db", "other.db").out


def test_status_says_which_folder_is_gone(synced: Mem, folder: Path) -> None:
    (folder / "docs").rename(folder / "elsewhere")
    assert f"folders   {folder}/docs (cannot be reached)\n" in synced("status").out


def test_status_names_several_folders_and_another_model(mem: Mem, folder: Path) -> None:
    (folder / "more").mkdir()
    mem("sync", "docs", "more", "--db", "one.db")
    (folder / "own.json").write_text('{"memory": {"embeddings": {"provider": "fake"}}}')
    out = mem("status", "--db", "one.db", "--config", "own.json").out
    assert f"folders   {folder}/docs\n          {folder}/more\n" in out
    assert ", not the configured model)" in out


def test_two_questions_at_once_are_refused(synced: Mem) -> None:
    for others in (("--failed",), ("--ignored",), ("--why", "docs"), ("--roots",)):
        answer = synced("files", "--drop-root", "docs", *others)
        assert (answer.code, answer.out) == (2, "")
        assert "cannot be used together" in answer.err
    assert "docs" in synced("files", "--roots").out


def test_what_is_ignored(synced: Mem, folder: Path) -> None:
    assert synced("files", "--ignored").err == "nothing is ignored\n"
    assert synced("files", "--ignored", "--path", "docs").err == "nothing is ignored below docs\n"
    (folder / "docs" / ".gitignore").write_text("draft*\n")
    (folder / "docs" / "drafts\n").mkdir()
    (folder / "docs" / "link.md").symlink_to("setup.md")
    head, *lines = synced("files", "--ignored").out.splitlines()
    assert head.split() == ["path", "rule", "by"]
    assert [line.split() for line in lines] == [
        ["docs/.gitignore", "pattern"],
        ["docs/drafts\\n/", "gitignore", "docs/.gitignore:1:", "draft*"],
        ["docs/link.md", "link", "docs/setup.md"],
    ]
    answer = synced("files", "--ignored", "--limit", "2")
    assert len(answer.out.splitlines()) == 3
    assert "mem files --ignored --limit 20" in answer.err
    assert [entry["rule"] for entry in synced("files", "--ignored", "--json").json] == [
        "pattern",
        "gitignore",
        "link",
    ]


def test_an_ignore_file_brings_back_no_file_that_no_pattern_names(
    synced: Mem, folder: Path
) -> None:
    (folder / "docs" / ".memignore").write_text("!*.dat\n")
    (folder / "docs" / "x.dat").write_text("text")
    told = synced("files", "--why", "docs/x.dat", "--json").json
    assert (told["verdict"], told["rule"], told["rule_file"]) == ("ignored", "pattern", None)


def test_why_a_file_is_not_indexed(synced: Mem, folder: Path) -> None:
    (folder / "docs" / ".gitignore").write_text("draft/\n")
    answer = synced("files", "--why", "docs/draft/a.md")
    assert "there is no such file" in answer.out
    (folder / "docs" / "draft").mkdir()
    answer = synced("files", "--why", "docs/draft/a.md")
    assert answer.code == 0
    assert [line.split(None, 1) for line in answer.out.splitlines()] == [
        ["path", "docs/draft/a.md"],
        ["verdict", "ignored"],
        ["because", f"docs/draft: {folder}/docs/.gitignore:1 says draft/"],
        ["folder", f"{folder}/docs"],
        ["index", "nothing"],
    ]
    assert "indexed (1 chunk, " in synced("files", "--why", "docs/setup.md").out
    assert "2 files of it" in synced("files", "--why", "docs").out
    assert synced("files", "--why", "/elsewhere").err == "add its folder: mem sync PATH\n"
    found = synced("files", "--why", "docs/draft/a.md", "--json").json
    assert list(found) == [item.name for item in fields(WhyFile)]
    assert (found["verdict"], found["rule_line"]) == ("ignored", 1)
