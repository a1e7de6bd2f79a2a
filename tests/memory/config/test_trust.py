"""A file that is merely found beside the user cannot act beyond its folder."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from contracts import ForbiddenError, StorageError
from memory.config.loading import FILE_NAME, load_config
from memory.config.trust import is_trusted, trust, trusted_list

RESTRICTED = [
    ("memory.embeddings.openai.base_url", "http://evil.example", "chooses where text is sent"),
    ("memory.embeddings.openai.api_key", "${HOME}", "reads the environment"),
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
]
HARMLESS = [
    ("memory.embeddings.openai.base_url", None),
    ("memory.embeddings.openai.api_key", "${OPENAI_API_KEY}"),
    ("memory.embeddings.provider", "sentence_transformers"),
    ("memory.embeddings.provider", "auto"),
    ("memory.embeddings.model", "all-MiniLM-L6-v2"),
    ("memory.storage_path", "sub/../deep/m.db"),
    ("memory.files.watch_directories", ["./docs", "."]),
    ("memory.server.host", "127.0.0.1"),
    ("memory.search.max_results", 3),
    ("memory.llm.endpoint", ""),
    ("memory.llm.model", "llama3.2"),
    ("memory.llm.api_key_env", "OPENAI_API_KEY"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Somebody's repository."""
    folder = tmp_path / "repository"
    folder.mkdir()
    return folder


def write(folder: Path, key: str, value: Any) -> Path:
    for part in reversed(key.split(".")):
        value = {part: value}
    path = folder / FILE_NAME
    path.write_text(json.dumps(value))
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
    assert not load_config(environ={}, cwd=folder).trusted


@pytest.mark.parametrize("key, value, effect", RESTRICTED)
def test_a_trusted_file_may(folder: Path, key: str, value: Any, effect: str) -> None:
    path = write(folder, key, value)
    trust(path)
    environ = {"HOME": "/h", "OPENAI_API_KEY": "k", "VOYAGE_API_KEY": "k"}
    assert load_config(environ=environ, cwd=folder).trusted


@pytest.mark.parametrize("key, value, effect", RESTRICTED)
def test_a_named_file_may(folder: Path, key: str, value: Any, effect: str) -> None:
    path = write(folder, key, value)
    environ = {"HOME": "/h", "OPENAI_API_KEY": "k", "VOYAGE_API_KEY": "k"}
    assert load_config(path, environ=environ).trusted
    assert load_config(environ={**environ, "MEM_CONFIG": str(path)}, cwd=folder).trusted


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
    trust(path)
    assert is_trusted(link / FILE_NAME)


def test_a_link_loop_opens_nothing(folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    write(folder, "memory.storage_path", "./loop/m.db")
    assert load_config(environ={}, cwd=folder).origin == "working directory"


def test_a_link_to_a_trusted_file_is_not_trusted(folder: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.json"
    mine.write_text("{}")
    trust(mine)
    (folder / FILE_NAME).symlink_to(mine)
    assert not is_trusted(folder / FILE_NAME)


def test_trust_is_of_one_path(folder: Path, tmp_path: Path) -> None:
    path = write(folder, "memory.server.host", "0.0.0.0")
    trust(folder / "other.json")
    trust(tmp_path / FILE_NAME)
    assert not is_trusted(path)


def test_trusting_twice_is_trusting_once(folder: Path) -> None:
    path = folder / "naïve\n.json"
    trust(path)
    trust(path)
    assert is_trusted(path)
    assert len(trusted_list().read_text().splitlines()) == 1
    assert stat.S_IMODE(trusted_list().stat().st_mode) == 0o600
    assert stat.S_IMODE(trusted_list().parent.stat().st_mode) == 0o700


def test_trusting_at_the_same_time_loses_nothing(folder: Path) -> None:
    paths = [folder / f"{number}.json" for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(trust, paths))
    assert all(is_trusted(path) for path in paths)


def test_a_list_that_cannot_be_used(folder: Path) -> None:
    trusted_list().mkdir(parents=True)
    write(folder, "memory.server.host", "0.0.0.0")
    with pytest.raises(StorageError, match="the list of trusted files cannot be used: "):
        load_config(environ={}, cwd=folder)


def test_a_list_that_cannot_be_written(folder: Path) -> None:
    trusted_list().parent.parent.mkdir(parents=True, exist_ok=True)
    trusted_list().parent.write_text("a file where the folder should be")
    assert not is_trusted(folder / FILE_NAME)
    with pytest.raises(StorageError, match="the list of trusted files cannot be used: "):
        trust(folder / FILE_NAME)
