"""`mem reindex`: another model or other chunks, what is said of it, and what it leaves."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.progress import reindex_figures
from memory.values.space_reports import ReindexProgress
from tests.cli.shell import Mem, at_a_terminal

CHUNKS = {"chunking": {"chunk_size_chars": 50, "chunk_overlap_chars": 5}}


def configured(synced: Mem, folder: Path, settings: dict[str, object]) -> tuple[str, str]:
    """The option that names a configuration for the same database."""
    memory = {"storage_path": synced("status", "--json").json["database"], **settings}
    (folder / "other.json").write_text(json.dumps({"memory": memory}), "utf-8")
    return "--config", str(folder / "other.json")


def test_there_and_back(synced: Mem) -> None:
    done = synced("reindex", "--provider", "fake")
    assert done.code == 0
    assert "The index answers with fake fake, 64 dimensions" in done.out
    assert "mem reindex --prune" in done.out
    assert "warning" not in synced("search", "installer", "--mode", "vector").err
    assert "Nothing to do" in synced("reindex").out  # the database is what is configured
    back = synced("reindex", "--provider", "static", "--json").json
    assert (back["swapped"], back["embedded"], back["space"]["provider"]) == (True, 0, "static")
    assert back["kept"]
    again = synced("reindex")
    assert "kept" not in again.out
    assert again.out.startswith("Nothing to do: the index answers with static ")


def test_other_chunks(synced: Mem, folder: Path) -> None:
    other = configured(synced, folder, CHUNKS)
    before = synced("search", "installer", "--json", *other).json
    assert "mem reindex" in before["warnings"][0]
    done = synced("reindex", *other)
    assert "2 documents cut into chunks of 50 characters" in done.out
    found = synced("search", "installer", "--json", *other).json
    assert found["warnings"] == []
    assert len(found["results"][0]["text"]) <= 50 < len(before["results"][0]["text"])


def test_what_is_said_of_the_spaces(synced: Mem) -> None:
    assert "answers" in synced("reindex", "--status").out
    synced("reindex", "--provider", "fake")
    lines = synced("reindex", "--status").out.splitlines()
    assert lines[0].startswith("space")
    assert lines[0].endswith("answers")
    assert lines[1].endswith("kept for going back")
    assert lines[-1].split() == ["running", "nothing"]
    spaces = synced("reindex", "--status", "--json").json["spaces"]
    assert [(space["provider"], space["state"]) for space in spaces] == [
        ("fake", "active"),
        ("static", "retired"),
    ]
    status = synced("status")
    assert "beside" in status.out
    assert synced("status", "--json").json["spaces"] == spaces[1:]


def test_a_configuration_that_names_another_model(synced: Mem, folder: Path) -> None:
    other = configured(synced, folder, {"embeddings": {"provider": "fake"}})
    assert "fake, to change to it: mem reindex" in synced("reindex", "--status", *other).out


def test_what_does_not_answer_is_removed(synced: Mem) -> None:
    assert synced("reindex", "--prune").out == "Nothing to remove\n"
    synced("reindex", "--provider", "fake")
    assert synced("reindex", "--abort").out == "Nothing to remove\n"
    removed = synced("reindex", "--prune").out.splitlines()
    assert removed[0].startswith("Removed: static ")
    assert removed[1].endswith("given back")
    synced("reindex", "--provider", "static")
    (space,) = synced("reindex", "--prune", "--json").json["removed"]
    assert space["provider"] == "fake"


def test_chunks_without_a_vector_are_counted(mem: Mem, folder: Path) -> None:
    (folder / "marks.md").write_text("--- *** ---\n", "utf-8")
    mem("sync", str(folder))
    assert "1 chunk without a vector" in mem("reindex", "--provider", "fake").out


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--prune", "--abort"], id="two actions"),
        pytest.param(["--status", "--model", "x"], id="an action and a model"),
    ],
)
def test_options_that_cannot_stand_together(synced: Mem, arguments: list[str]) -> None:
    answer = synced("reindex", *arguments)
    assert answer.code != 0
    assert "cannot be used together" in answer.err


def test_an_unknown_provider(synced: Mem) -> None:
    answer = synced("reindex", "--provider", "statik")
    assert answer.code == 2
    assert "statik" in answer.err


PROGRESS = ReindexProgress(3, 3, 512, 2000, 512, 800.0, 1.9)


@pytest.mark.parametrize(
    "change, figures",
    [
        pytest.param(lambda p: p, "512/2,000 chunks (800/s)", id="embedding"),
        pytest.param(
            lambda p: ReindexProgress(1, 3, 0, 0, 0, 0.0, None), "1/3 documents", id="cutting"
        ),
        pytest.param(
            lambda p: ReindexProgress(3, 3, 0, 9, 0, 0.0, None), "0/9 chunks", id="nothing yet"
        ),
        pytest.param(
            lambda p: ReindexProgress(3, 3, 8, 9, 0, 0.0, None, catching_up=True),
            "8/9 chunks, catching up with what is being written",
            id="others write",
        ),
    ],
)
def test_figures(change: Callable[[ReindexProgress], ReindexProgress], figures: str) -> None:
    assert reindex_figures(change(PROGRESS)) == figures


def test_a_removal_shows_what_is_gone(
    synced: Mem, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = configured(synced, folder, CHUNKS)
    synced("reindex", *other)
    monkeypatch.setenv("TERM", "xterm")
    seen = at_a_terminal("reindex", "--prune", *other, monkeypatch=monkeypatch)
    assert re.search(r"Removing.* 2 chunks", seen)


def test_progress_at_a_terminal(synced: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    seen = at_a_terminal("reindex", "--provider", "fake", monkeypatch=monkeypatch)
    assert "Embedding" in seen
    assert "chunks" in seen
    monkeypatch.setenv("TERM", "dumb")
    assert at_a_terminal("reindex", monkeypatch=monkeypatch) == ""
