"""A file that is merely found beside the user cannot act beyond its folder."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from contracts import ForbiddenError, StorageError
from memory.config.loading import FILE_NAME, load_config
from memory.config.parsing import parse_config
from memory.config.trust import (
    Restricted,
    consent_list,
    give_consent,
    restricted_settings,
    without_consent,
)
from memory.values.user_folders import user_data_folder

HOST = Restricted("memory.server.host", "listens", "0.0.0.0")

RESTRICTED = [
    ("memory.embeddings.openai.base_url", "http://evil.example", "chooses where text is sent"),
    ("memory.embeddings.openai.api_key", "${HOME}", "reads the environment"),
    ("memory.embeddings.openai.api_key", "theirs", "chooses the account"),
    ("memory.embeddings.provider", "openai", "may send text to another service"),
    ("memory.embeddings.fallback_provider", "voyage", "may send text to another service"),
    ("memory.embeddings.model", "./model", "loads a model that it chooses"),
    ("memory.embeddings.sentence_transformers.model", "org/evil", "loads a model that it chooses"),
    ("memory.embeddings.sentence_transformers.revision", "refs/pr/1", "loads a model"),
    (
        "memory.storage_path",
        "/elsewhere/m.db",
        "opens /elsewhere/m.db, which is outside its folder",
    ),
    ("memory.storage_path", "../m.db", "opens .*, which is outside its folder"),
    ("memory.storage_path", "~/m.db", "opens .*, which is outside its folder"),
    ("memory.storage_path", "./${HOME}/m.db", "reads the environment"),
    ("memory.files.watch_directories", ["./docs", "/etc"], "opens /etc, which is outside"),
    ("memory.files.file_patterns", ["${HOME}"], "reads the environment"),
    ("memory.server.host", "0.0.0.0", "chooses the address that the server listens on"),
    ("memory.server.tokens", ["known"], "decides who has access"),
    ("memory.llm.endpoint", "http://evil.example/v1", "chooses the machine that"),
    ("memory.llm.api_key_env", "AWS_SECRET_ACCESS_KEY", "chooses which environment"),
    ("privacy.auto_pii_redaction", False, "shows personal data"),
]
HARMLESS = [
    ("memory.embeddings.openai.base_url", None),
    ("memory.embeddings.openai.api_key", "${OPENAI_API_KEY}"),
    ("memory.embeddings.provider", "sentence_transformers"),
    ("memory.embeddings.openai.api_key", None),
    ("memory.embeddings.provider", "auto"),
    ("memory.embeddings.model", "all-MiniLM-L6-v2"),
    ("memory.storage_path", "sub/../deep/m.db"),
    ("memory.files.watch_directories", ["./docs", "."]),
    ("memory.server.host", "127.0.0.1"),
    ("memory.search.max_results", 3),
    ("memory.llm.endpoint", ""),
    ("memory.llm.model", "llama3.2"),
    ("memory.llm.api_key_env", "OPENAI_API_KEY"),
    ("memory.mid.capacity", 1),
    ("privacy.log_retention_days", 1),
]
DELETING = [
    ("memory.mid.capacity", 1),
    ("memory.mid.delete_below", 1000),
    ("memory.mid.on_expire", "archive"),
    ("memory.scoring.lambda", 9),
    ("memory.session_retention_hours", 1),
    ("memory.long_term_opt_in", False),
    ("memory.extractor.merge_jaccard", 0.0),
    ("memory.files.file_patterns", ["*.none"]),
    ("memory.files.max_file_size_mb", 1),
    ("memory.embeddings.cache_max_mb", 1),
    ("privacy.log_retention_days", 1),
]


def trust(path: Path) -> None:
    config = parse_config(path).config
    give_consent(path, restricted_settings(config, path.parent, own_database=False))


def has_consent(path: Path) -> bool:
    return not without_consent(path, [HOST])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Somebody's repository."""
    folder = tmp_path / "repository"
    folder.mkdir()
    return folder


def write(folder: Path, key: str, value: Any) -> Path:
    """Write a file with this setting that names a database of the folder's own."""
    content: dict[str, Any] = {"memory": {"storage_path": "./data/memory.db"}, "privacy": {}}
    *sections, last = key.split(".")
    inner = content
    for part in sections:
        inner = inner.setdefault(part, {})
    inner[last] = value
    path = folder / FILE_NAME
    path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize("key, value, effect", RESTRICTED)
def test_what_needs_trust(folder: Path, key: str, value: Any, effect: str) -> None:
    path = write(folder, key, value)
    message = f"{path} is not trusted, and {key} {effect}.*mem config trust {path}"
    with pytest.raises(ForbiddenError, match=message):
        load_config(environ={"HOME": "/h"}, cwd=folder)


@pytest.mark.parametrize("key, value", HARMLESS)
def test_what_needs_none(folder: Path, key: str, value: Any) -> None:
    write(folder, key, value)
    assert load_config(environ={}, cwd=folder).merely_found


@pytest.mark.parametrize("key, value, effect", RESTRICTED)
def test_a_trusted_file_may(folder: Path, key: str, value: Any, effect: str) -> None:
    path = write(folder, key, value)
    trust(path)
    environ = {"HOME": "/h", "OPENAI_API_KEY": "k", "VOYAGE_API_KEY": "k"}
    assert load_config(environ=environ, cwd=folder).merely_found


@pytest.mark.parametrize("key, value, effect", RESTRICTED)
def test_a_named_file_may(folder: Path, key: str, value: Any, effect: str) -> None:
    path = write(folder, key, value)
    environ = {"HOME": "/h", "OPENAI_API_KEY": "k", "VOYAGE_API_KEY": "k"}
    assert load_config(path, environ=environ).trusts_database
    assert load_config(environ={**environ, "MEM_CONFIG": str(path)}, cwd=folder).trusts_database


@pytest.mark.parametrize("key, value", DELETING)
def test_settings_that_delete_need_consent_for_another_database(
    folder: Path, tmp_path: Path, key: str, value: Any
) -> None:
    path = write(folder, key, value)
    load_config(environ={}, cwd=folder)
    load_config(environ={}, cwd=folder, database=Path("sub/m.db"))
    (folder / "link.db").symlink_to(tmp_path / "my.db")
    for database in ("../my.db", "link.db", user_data_folder() / "memory.db"):
        with pytest.raises(ForbiddenError, match=f"{key} decides what is deleted"):
            load_config(environ={}, cwd=folder, database=Path(database))
    content = json.loads(path.read_text())
    del content["memory"]["storage_path"]  # then it is the user's own
    path.write_text(json.dumps(content))
    with pytest.raises(ForbiddenError, match=f"{key} decides what is deleted"):
        load_config(environ={}, cwd=folder)
    trust(path)
    load_config(environ={}, cwd=folder)
    load_config(environ={}, cwd=folder, database=Path("../my.db"))


def test_the_users_own_folder_is_nobodys_project(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "share"))
    write(folder, "memory.storage_path", "./share/symbiosis-memory/memory.db")
    with pytest.raises(ForbiddenError, match=r"memory\.storage_path opens"):
        load_config(environ={}, cwd=folder)


def test_a_changed_file_asks_again_for_what_is_new(folder: Path) -> None:
    path = write(folder, "memory.server.host", "0.0.0.0")
    trust(path)
    write(folder, "memory.search.max_results", 3)
    load_config(environ={}, cwd=folder)
    write(folder, "memory.server.host", "0.0.0.0")
    load_config(environ={}, cwd=folder)
    write(folder, "memory.server.host", "10.0.0.1")
    with pytest.raises(ForbiddenError, match=r"memory\.server\.host chooses"):
        load_config(environ={}, cwd=folder)


def test_a_link_that_leads_elsewhere_later_asks_again(folder: Path, tmp_path: Path) -> None:
    link = folder / "docs"
    link.symlink_to(tmp_path / "one")
    path = write(folder, "memory.files.watch_directories", ["./docs"])
    trust(path)
    load_config(environ={}, cwd=folder)
    link.unlink()
    link.symlink_to(tmp_path / "two")
    with pytest.raises(ForbiddenError, match="watch_directories opens"):
        load_config(environ={}, cwd=folder)


def test_every_value_that_needs_consent_is_asked_for(folder: Path) -> None:
    path = write(folder, "memory.files.watch_directories", ["/etc", "/usr"])
    config = parse_config(path).config
    first, second = restricted_settings(config, folder)
    give_consent(path, [first])
    assert without_consent(path, [first, second]) == [second]


@pytest.mark.parametrize("name", ["data", "data/memory.db"])
def test_a_link_cannot_lead_even_the_default_outside(
    folder: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / "private").mkdir()
    link = folder / name
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(tmp_path / "private")
    write(folder, "memory.storage_path", "./data/memory.db")
    with pytest.raises(ForbiddenError, match=r"memory\.storage_path opens .*outside its folder"):
        load_config(environ={}, cwd=folder)


def test_a_folder_that_is_reached_by_a_link_is_the_folder(folder: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder)
    path = write(folder, "memory.storage_path", "./m.db")

    assert load_config(environ={}, cwd=link).database_path == link / "m.db"
    give_consent(path, [HOST])
    assert has_consent(link / FILE_NAME)


def test_a_link_loop_opens_nothing(folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    write(folder, "memory.storage_path", "./loop/m.db")
    assert load_config(environ={}, cwd=folder).origin == "working directory"


def test_a_link_to_a_trusted_file_is_not_trusted(folder: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.json"
    mine.write_text("{}")
    give_consent(mine, [HOST])
    (folder / FILE_NAME).symlink_to(mine)
    assert not has_consent(folder / FILE_NAME)


def test_trust_is_of_one_path(folder: Path, tmp_path: Path) -> None:
    path = write(folder, "memory.server.host", "0.0.0.0")
    give_consent(folder / "other.json", [HOST])
    give_consent(tmp_path / FILE_NAME, [HOST])
    assert not has_consent(path)


def test_trusting_twice_is_trusting_once(folder: Path) -> None:
    path = folder / "naïve\n.json"
    give_consent(path, [HOST, HOST])
    give_consent(path, [HOST])
    assert has_consent(path)
    assert len(consent_list().read_text().splitlines()) == 1
    assert stat.S_IMODE(consent_list().stat().st_mode) == 0o600
    assert stat.S_IMODE(consent_list().parent.stat().st_mode) == 0o700


def test_trusting_at_the_same_time_loses_nothing(folder: Path) -> None:
    paths = [folder / f"{number}.json" for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda path: give_consent(path, [HOST]), paths))
    assert all(has_consent(path) for path in paths)


def test_a_list_that_cannot_be_used(folder: Path) -> None:
    consent_list().mkdir(parents=True)
    write(folder, "memory.server.host", "0.0.0.0")
    with pytest.raises(StorageError, match="the list of consents cannot be used: "):
        load_config(environ={}, cwd=folder)


def test_a_list_that_cannot_be_written(folder: Path) -> None:
    consent_list().parent.parent.mkdir(parents=True, exist_ok=True)
    consent_list().parent.write_text("a file where the folder should be")
    assert not has_consent(folder / FILE_NAME)
    with pytest.raises(StorageError, match="the list of consents cannot be used: "):
        give_consent(folder / FILE_NAME, [HOST])
