"""A changed configuration file, taken over while the server runs."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli.commands import mem
from contracts import ConfigError, ForbiddenError
from memory.api.reload import FileChanges, reload_config
from memory.config.loading import FILE_NAME, load_config, users_file
from memory.config.parsing import parse_config
from memory.config.trust import give_consent, restricted_settings
from memory.workspace import Workspace


def write(path: Path, **memory: Any) -> None:
    path.write_text(json.dumps({"memory": memory}), "utf-8")


def test_what_changed_holds_and_what_must_wait_waits(home: Path) -> None:
    path = home / "config.json"
    write(path, search={"max_results": 5}, server={"port": 1}, embeddings={"batch_size": 8})
    with Workspace(load_config(path, database=home / "m.db")) as workspace:
        write(
            path,
            search={"max_results": 7},
            server={"port": 2, "tokens": ["t"]},
            embeddings={"batch_size": 9, "upgrade": "off"},
            storage_path="other.db",
        )
        done = reload_config(workspace)
        assert sorted(done.changed) == ["memory.embeddings.upgrade", "memory.search.max_results"]
        assert sorted(done.waiting) == [
            "memory.embeddings.batch_size",
            "memory.server.port",
            "memory.server.tokens",
        ]
        assert workspace.config.search.max_results == 7
        assert (workspace.config.server.port, workspace.config.server.tokens) == (1, ())
        assert workspace.config.embeddings.batch_size == 8
        assert workspace.loaded.database_path == home / "m.db"
        assert str(reload_config(workspace)).startswith(
            "configuration read again, changed: nothing"
        )


def test_a_broken_file_changes_nothing(home: Path) -> None:
    path = home / "config.json"
    write(path, search={"max_results": 5})
    with Workspace(load_config(path, database=home / "m.db")) as workspace:
        write(path, search={"max_results": 0})
        with pytest.raises(ConfigError, match="max_results"):
            reload_config(workspace)
        assert workspace.config.search.max_results == 5


def test_a_found_file_needs_trust_as_before(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = home / FILE_NAME
    write(path, search={"max_results": 5})
    with Workspace(load_config(database=home / "m.db")) as workspace:
        write(path, search={"max_results": 6}, files={"watch_directories": ["/etc"]})
        monkeypatch.setenv("MEM_CONFIG", str(home / "other.json"))
        with pytest.raises(ForbiddenError, match="is not trusted"):
            reload_config(workspace)
        assert workspace.config.search.max_results == 5
        config = parse_config(path).config
        give_consent(path, restricted_settings(config, home))
        reload_config(workspace)
        assert workspace.config.search.max_results == 6


def test_a_file_counts_as_changed_once_it_rests(home: Path) -> None:
    path = home / "config.json"
    write(path, search={"max_results": 5})
    with Workspace(load_config(path, database=home / "m.db")) as workspace:
        changes = FileChanges(workspace)
        assert not changes.is_waiting()
        write(path, search={"max_results": 50})
        assert [changes.is_waiting() for _ in range(3)] == [False, True, True]
        changes.note_read()
        assert not changes.is_waiting()
        path.unlink()
        assert [changes.is_waiting() for _ in range(2)] == [False, False]


def test_the_first_file_of_the_user_is_followed(home: Path) -> None:
    with Workspace(load_config(database=home / "m.db")) as workspace:
        changes = FileChanges(workspace)
        users_file().parent.mkdir(parents=True)
        write(users_file(), search={"max_results": 6})
        assert [changes.is_waiting() for _ in range(2)] == [False, True]
        assert reload_config(workspace).changed == ["memory.search.max_results"]
        assert workspace.loaded.path == users_file()
        assert workspace.loaded.database_path == home / "m.db"


@pytest.mark.slow
def test_a_server_follows_config_set(serve_live: Any, home: Path) -> None:
    server = serve_live()
    path = home / "config.json"
    command = ["--config", str(path), "config", "set", "memory.search.max_results", "1"]
    assert CliRunner().invoke(mem, command).exit_code == 0
    assert server.hear("changed:").endswith("changed: memory.search.max_results")
    path.write_text("{")
    assert "the configuration stays as it was" in server.hear("stays")


def test_without_a_file_there_is_nothing_to_read(home: Path) -> None:
    with Workspace(load_config(database=home / "m.db")) as workspace:
        write(home / FILE_NAME, search={"max_results": 6})
        assert reload_config(workspace).changed == []
