"""Which file applies, and what its values become: variables replaced, paths absolute."""

import json
import os
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from contracts import ConfigError, MemError, NotFoundError, UnavailableError
from memory.config.loading import FILE_NAME, LoadedConfig, find_config, load_config, users_file
from memory.config.parsing import parse_config
from memory.config.settings import Config, EmbeddingsConfig
from memory.index.embedding.model_choice import provider_settings
from memory.values.user_folders import user_config_folder, user_data_folder
from providers.registry import create

# The first design of this software gave this example (here with its one stray quote removed).
FIRST_EXAMPLE = """
{
  "memory": {
    "backend": "sqlite",  // "memory" | "sqlite"
    "storage_path": "./data/memory.db",

    "embeddings": {
      "provider": "sentence_transformers",  // "sentence_transformers" | "openai" | "auto"
      "model": "all-MiniLM-L6-v2",
      "fallback_provider": "sentence_transformers",
      "cache_embeddings": true,
      "batch_size": 32,
      "openai": {
        "model": "text-embedding-3-small",
        "api_key": "${OPENAI_API_KEY}",
        "base_url": null
      },
      "gemini": {
        "model": "gemini-embedding-001",
        "api_key": "${GOOGLE_API_KEY}"
      }
    },
    "search": {
      "max_results": 10,
      "min_score": 0.3,
      "hybrid_enabled": true,
      "vector_weight": 0.7,
      "keyword_weight": 0.3
    },
    "chunking": {
      "chunk_size_chars": 1000,
      "chunk_overlap_chars": 200,
      "preserve_structure": true
    },
    "files": {
      "watch_directories": ["./memory", "./docs"],
      "file_patterns": ["*.md", "*.txt", "*.py"],
      "auto_sync": true,
      "sync_interval_seconds": 300
    },
    "session_retention_hours": 24,
    "long_term_opt_in": true
  },
  "privacy": {
    "log_retention_days": 30,
    "auto_pii_redaction": true
  }
}
"""


def write(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def load(tmp_path: Path, content: Any, **environ: str) -> LoadedConfig:
    return load_config(write(tmp_path / "c.json", content), environ=environ)


def results(number: int) -> dict[str, Any]:
    return {"memory": {"search": {"max_results": number}}}


def test_the_first_example_loads_as_it_is(tmp_path: Path) -> None:
    write(tmp_path / FILE_NAME, FIRST_EXAMPLE)

    loaded = load_config(environ={}, cwd=tmp_path)

    memory = loaded.config.memory
    assert loaded.database_path == tmp_path / "data" / "memory.db"
    assert memory.embeddings.provider == "sentence_transformers"
    assert memory.embeddings.model_of("sentence_transformers") == "all-MiniLM-L6-v2"
    assert (memory.search.vector_weight, memory.search.keyword_weight) == (0.7, 0.3)
    assert memory.files.watch_directories == (f"{tmp_path}/memory", f"{tmp_path}/docs")
    assert memory.files.file_patterns == ("*.md", "*.txt", "*.py")


def test_its_stray_quote_is_named_by_its_place(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", FIRST_EXAMPLE.replace("\n\n", '\n    "\n', 1))
    with pytest.raises(ConfigError, match=r"c\.json:6:5: a text in double quotes does not end"):
        load_config(path)


def test_the_order_of_the_search(tmp_path: Path) -> None:
    user_file = write(user_config_folder() / FILE_NAME, results(4))
    beside = write(tmp_path / "here" / FILE_NAME, results(3))
    by_variable = write(tmp_path / "variable.json", results(2))
    by_argument = write(tmp_path / "argument.json", results(1))
    here, elsewhere = beside.parent, tmp_path
    named = {"MEM_CONFIG": str(by_variable)}

    found = [
        load_config(by_argument, environ=named, cwd=here),
        load_config(environ=named, cwd=here),
        load_config(environ={"MEM_CONFIG": ""}, cwd=here),
        load_config(environ={}, cwd=elsewhere),
    ]
    user_file.unlink()
    found.append(load_config(environ={}, cwd=elsewhere))

    assert [(item.config.memory.search.max_results, item.origin, item.path) for item in found] == [
        (1, "argument", by_argument),
        (2, "environment", by_variable),
        (3, "working directory", beside),
        (4, "user", user_file),
        (10, "defaults", None),
    ]
    assert [item.merely_found for item in found] == [False, False, True, False, False]
    assert found[3].base_dir == user_file.parent


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"XDG_CONFIG_HOME": "/elsewhere/config", "XDG_DATA_HOME": "/elsewhere/data"},
        {"XDG_CONFIG_HOME": "not/absolute", "XDG_DATA_HOME": ""},
        {"HOME": "not/absolute"},
        {"HOME": None},
    ],
    ids=["home", "XDG", "relative XDG", "relative home", "no home"],
)
def test_the_users_folders_are_where_platformdirs_has_them(
    changes: dict[str, str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in changes.items():
        if value is None:
            monkeypatch.delenv(name)
        else:
            monkeypatch.setenv(name, value)
    name = "symbiosis-memory"
    assert user_config_folder() == platformdirs.user_config_path(name, appauthor=False)
    assert user_data_folder() == platformdirs.user_data_path(name, appauthor=False)


def test_what_this_process_has_is_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "c.json", {"memory": {"storage_path": "${PLACE}/m.db"}})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEM_CONFIG", "c.json")
    monkeypatch.setenv("PLACE", "there")

    assert find_config().path == path
    assert parse_config(path).unset_variables() == []
    assert load_config().database_path == tmp_path / "there" / "m.db"


def test_without_a_file_the_database_is_in_the_users_data_folder(tmp_path: Path) -> None:
    loaded = load_config(environ={}, cwd=tmp_path)

    assert loaded.database_path == user_data_folder() / "memory.db"
    assert loaded.database_path.is_absolute()
    assert loaded.base_dir == tmp_path
    assert loaded.config.memory.search == Config().memory.search


def test_a_file_is_found_upwards_and_the_nearest_wins(tmp_path: Path) -> None:
    write(tmp_path / FILE_NAME, results(1))
    (tmp_path / "a/b/c").mkdir(parents=True)
    near = write(tmp_path / "a/b" / FILE_NAME, {"memory": {"storage_path": "./m.db"}})

    found = load_config(environ={}, cwd=tmp_path / "a/b/c")

    assert (found.path, found.database_path) == (near, tmp_path / "a/b/m.db")
    assert found.other_database == f"{tmp_path}/a/b/m.db"
    assert load_config(environ={}, cwd=tmp_path / "a").path == tmp_path / FILE_NAME


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")
def test_a_file_of_somebody_else_is_not_found_upwards(tmp_path: Path) -> None:
    path = write(tmp_path / FILE_NAME, {"memory": {"storage_path": "./m.db"}})
    (tmp_path / "below").mkdir()
    os.chown(path, 4321, 4321)
    assert find_config(environ={}, cwd=tmp_path / "below").path is None
    assert find_config(environ={}, cwd=tmp_path).path == path
    os.chown(path, os.geteuid(), -1)
    elsewhere = path.rename(tmp_path / "elsewhere.json")
    path.symlink_to(elsewhere)
    os.chown(path, 4321, 4321, follow_symlinks=False)
    assert find_config(environ={}, cwd=tmp_path / "below").path is None


@pytest.mark.parametrize("users", [None, {}, {"memory": {"storage_path": "./mine.db"}}])
@pytest.mark.parametrize("named", [True, False], ids=["named", "found"])
def test_a_file_that_names_no_database_has_the_users_own(
    tmp_path: Path, users: Any, named: bool
) -> None:
    own = user_data_folder() / "memory.db"
    if users is not None:
        write(users_file(), users)
        own = own if not users else user_config_folder() / "mine.db"
    path = write(tmp_path / FILE_NAME, results(3))

    loaded = load_config(path if named else None, environ={}, cwd=tmp_path)

    assert loaded.config.memory.search.max_results == 3
    assert loaded.database_path == own
    assert loaded.other_database is None
    assert load_config(environ={}, cwd=tmp_path.parent).database_path == own
    assert load_config(environ={}, cwd=tmp_path.parent).other_database is None
    typed = load_config(environ={}, cwd=tmp_path, database=Path("x.db"))
    assert typed.other_database == f"{tmp_path}/x.db"


def test_a_broken_file_of_the_user_matters_only_where_it_is_needed(tmp_path: Path) -> None:
    write(users_file(), "{")
    path = write(tmp_path / FILE_NAME, {"memory": {"storage_path": "./m.db"}})
    assert load_config(environ={}, cwd=tmp_path).other_database == f"{tmp_path}/m.db"
    write(path, {})
    with pytest.raises(ConfigError, match="symbiosis-memory/constitution_config"):
        load_config(environ={}, cwd=tmp_path)


def test_the_users_own_file_is_their_own_in_its_folder_too(tmp_path: Path) -> None:
    own = write(users_file(), {"memory": {"server": {"host": "0.0.0.0"}}})
    assert find_config(environ={}, cwd=own.parent).origin == "user"
    assert load_config(environ={}, cwd=own.parent).config.memory.server.host == "0.0.0.0"


def test_a_backend_in_memory_is_another_database(tmp_path: Path) -> None:
    loaded = load(tmp_path, {"memory": {"backend": "memory"}})
    assert loaded.other_database == "in memory"


@pytest.mark.parametrize("has_file", [True, False])
def test_a_database_that_was_typed_may_lie_anywhere(tmp_path: Path, has_file: bool) -> None:
    if has_file:
        write(tmp_path / FILE_NAME, {"memory": {"storage_path": "/elsewhere/m.db"}})

    loaded = load_config(environ={}, cwd=tmp_path, database=Path("../typed.db"))

    assert loaded.database_path == tmp_path.parent / "typed.db"


def test_a_database_that_was_typed_is_a_file(tmp_path: Path) -> None:
    write(tmp_path / FILE_NAME, {"memory": {"backend": "memory"}})
    assert load_config(environ={}, cwd=tmp_path).config.memory.backend == "memory"
    loaded = load_config(environ={}, cwd=tmp_path, database=Path("typed.db"))
    assert loaded.config.memory.backend == "sqlite"


@pytest.mark.parametrize("named_by", ["--config", "MEM_CONFIG"])
@pytest.mark.parametrize("name", ["missing.json", ".", "x" * 300], ids=["none", "folder", "long"])
def test_a_named_file_has_to_exist(tmp_path: Path, named_by: str, name: str) -> None:
    by_argument = named_by == "--config"
    environ = {} if by_argument else {"MEM_CONFIG": name}
    with pytest.raises(NotFoundError, match=f"{named_by} names .*, which is not a file") as raised:
        load_config(Path(name) if by_argument else None, environ=environ, cwd=tmp_path)
    assert ("make one" in raised.value.hint) == (name != ".")


def test_a_folder_of_that_name_is_no_configuration(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    assert load_config(environ={}, cwd=tmp_path).origin == "defaults"


def test_paths_start_at_the_folder_of_the_file(tmp_path: Path) -> None:
    content = {
        "memory": {
            "storage_path": "../m.db",
            "files": {"watch_directories": ["docs", "./a/../b", "/abs", "~/notes", "~nobody-x/n"]},
        }
    }
    path = write(tmp_path / "sub" / "c.json", content)

    loaded = load_config(path, environ={}, cwd=Path("/"))

    assert loaded.database_path == tmp_path / "m.db"
    assert loaded.config.memory.files.watch_directories == (
        f"{tmp_path}/sub/docs",
        f"{tmp_path}/sub/b",
        "/abs",
        str(Path.home() / "notes"),
        f"{tmp_path}/sub/~nobody-x/n",
    )
    assert loaded.written.memory.storage_path == "../m.db"


@pytest.mark.parametrize(
    "model, resolved",
    [
        ("./models/mine", "{folder}/models/mine"),
        ("../mine", "{parent}/mine"),
        ("/models/mine", "/models/mine"),
        ("~/mine", "{home}/mine"),
        ("org/name", "org/name"),
        ("name", "name"),
    ],
)
def test_a_models_name_is_a_folder_when_it_looks_like_one(
    tmp_path: Path, model: str, resolved: str
) -> None:
    loaded = load(
        tmp_path,
        {"memory": {"embeddings": {"model": model, "sentence_transformers": {"model": model}}}},
    )
    expected = resolved.format(folder=tmp_path, parent=tmp_path.parent, home=Path.home())
    assert loaded.config.memory.embeddings.model == expected
    assert loaded.config.memory.embeddings.sentence_transformers.model == expected


def test_variables_are_replaced_in_every_text(tmp_path: Path) -> None:
    content = {
        "memory": {
            "storage_path": "${PLACE}/${NAME}.db",
            "server": {"tokens": ["${TOKEN}", "plain"]},
        },
        "host": {"left": "${ALONE}"},
    }
    loaded = load(tmp_path, content, PLACE="/data", NAME="m", TOKEN="t-1")

    assert loaded.database_path == Path("/data/m.db")
    assert loaded.config.memory.server.tokens == ("t-1", "plain")
    assert loaded.written.memory.server.tokens == ("${TOKEN}", "plain")


def test_a_value_is_replaced_once(tmp_path: Path) -> None:
    content = {"memory": {"storage_path": "/${A}"}}
    loaded = load(tmp_path, content, A="${B}", B="b")
    assert loaded.database_path == Path("/${B}")


def test_keys_of_idle_providers_are_replaced_where_they_are_set(tmp_path: Path) -> None:
    embeddings = load(tmp_path, {}, OPENAI_API_KEY="sk-1").config.memory.embeddings
    assert embeddings.openai.api_key == "sk-1"
    assert embeddings.gemini.api_key == "${GOOGLE_API_KEY}"


@pytest.mark.parametrize("environ", [{}, {"OWN_KEY": ""}], ids=["unset", "empty"])
@pytest.mark.parametrize("name", ["openai", "gemini", "voyage"])
def test_a_provider_is_told_which_variable_has_no_key(
    tmp_path: Path, name: str, environ: dict[str, str]
) -> None:
    chosen = {"provider": name, name: {"api_key": "${OWN_KEY}"}}
    embeddings = load(tmp_path, {"memory": {"embeddings": chosen}}, **environ)
    settings = provider_settings(embeddings.config.memory.embeddings, name)
    assert (settings.api_key, settings.key_variable) == (None, "OWN_KEY")
    with pytest.raises(UnavailableError, match=r"an API key, and none is set \(export OWN_KEY="):
        create(name, settings).embed(["a"], kind="query")


def test_a_server_of_ones_own_may_need_no_key(tmp_path: Path) -> None:
    content = {
        "memory": {
            "embeddings": {"provider": "openai", "openai": {"base_url": "http://localhost:1/v1"}}
        }
    }
    embeddings = load(tmp_path, content).config.memory.embeddings
    assert provider_settings(embeddings, "openai").api_key is None
    with_key = load(tmp_path, content, OPENAI_API_KEY="sk-1").config.memory.embeddings
    assert provider_settings(with_key, "openai").api_key == "sk-1"


@pytest.mark.parametrize(
    "size, passed_on", [pytest.param(32, None, id="default"), pytest.param(7, 7, id="chosen")]
)
def test_the_providers_batches_count_unless_others_are_chosen(
    size: int, passed_on: int | None
) -> None:
    assert provider_settings(EmbeddingsConfig(batch_size=size), "openai").batch_size == passed_on


@pytest.mark.parametrize(
    "memory, environ, message",
    [
        pytest.param(
            {"embeddings": {"provider": "openai", "openai": {"base_url": "${HERE}"}}},
            {"OPENAI_API_KEY": "sk-1"},
            r"memory\.embeddings\.openai\.base_url reads \$\{HERE\}, and HERE is not set in the"
            r" environment \(set it: export HERE=",
            id="the chosen provider's",
        ),
        pytest.param(
            {"embeddings": {"fallback_provider": "voyage", "voyage": {"base_url": "${HERE}"}}},
            {},
            r"memory\.embeddings\.voyage\.base_url reads \$\{HERE\}",
            id="the fallback's",
        ),
        pytest.param(
            {"embeddings": {"provider": "openai", "openai": {"api_key": "${A"}}},
            {},
            r"memory\.embeddings\.openai\.api_key has a \$\{ that does not begin a variable",
            id="a key that is not closed",
        ),
        pytest.param(
            {"storage_path": "${HERE}/m.db"},
            {},
            r"c\.json:1:29: memory\.storage_path reads \$\{HERE\}, and HERE is not set",
            id="with its place",
        ),
        pytest.param(
            {"server": {"tokens": ["x", "${T}"]}},
            {"T": ""},
            r"memory\.server\.tokens is empty or not a text after replacing T \(set T to",
            id="an empty token would let everybody in",
        ),
        pytest.param(
            {"storage_path": "${A:-b}"},
            {"A": "a"},
            r"memory\.storage_path has a \$\{ that does not begin a variable \(write \$\{NAME\}",
            id="no other syntax",
        ),
        pytest.param(
            {"storage_path": "${A"}, {"A": "a"}, r"has a \$\{ that does not begin", id="not closed"
        ),
    ],
)
def test_a_variable_that_cannot_be_replaced(
    tmp_path: Path, memory: dict[str, Any], environ: dict[str, str], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        load(tmp_path, {"memory": memory}, **environ)


def test_the_first_problem_is_raised_and_the_others_counted(tmp_path: Path) -> None:
    content = '{\n  "memory": {\n    "backend": "sqlit",\n    "x": 1,\n    "y": 2\n  }\n}'
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, content)
    assert caught.value.message == f'{tmp_path}/c.json:3:16: memory.backend is "sqlit"'
    assert (
        caught.value.hint
        == 'it must be "sqlite" or "memory" or "postgres" (2 more: mem config validate)'
    )


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_bytes(b'{"a": "\xff"}')
    with pytest.raises(ConfigError, match="is not UTF-8: byte 7 is not part of any character"):
        load_config(tmp_path / "c.json")


def test_a_byte_order_mark_and_windows_lines(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_bytes(
        b'\xef\xbb\xbf{\r\n// a\r\n"memory": {"backend": "memory"}}\r\n'
    )
    assert load_config(tmp_path / "c.json").config.memory.backend == "memory"


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.symlink_to("/proc/self/mem")  # a regular file that no process can read at its beginning
    if not path.is_file():
        pytest.skip("this system has no /proc")
    with pytest.raises(ConfigError, match="cannot be read: "):
        load_config(path)


def test_a_link_keeps_the_folder_it_stands_in(tmp_path: Path) -> None:
    named = {"memory": {"storage_path": "./data/memory.db"}}
    real = write(tmp_path / "dotfiles" / "c.json", named)
    (tmp_path / "here").mkdir()
    link = tmp_path / "here" / "c.json"
    link.symlink_to(real)
    assert load_config(link).database_path == tmp_path / "here" / "data" / "memory.db"


def test_what_is_not_looked_at_is_listed(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", {"$schema": "s", "memory": {}, "memoryx": {}, "chat": 1})
    assert parse_config(path).foreign_sections == ["memoryx", "chat"]
    assert parse_config(write(path, "[]")).foreign_sections == []


def test_no_repr_of_a_parsed_file_shows_a_secret(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", {"memory": {"server": {"tokens": ["t-secret"]}}})
    assert "t-secret" not in repr(parse_config(path)) + repr(load_config(path))


def test_no_error_shows_what_a_variable_holds(tmp_path: Path) -> None:
    hostile = {"memory": {"embeddings": {"provider": "openai", "model": "${OPENAI_API_KEY}\0"}}}
    for content in (hostile, {"memory": {"server": {"tokens": ["${T}"]}}}):
        with pytest.raises(MemError) as caught:
            load(tmp_path, content, OPENAI_API_KEY="sk-1", T="\0sk-1")
        assert "sk-1" not in str(caught.value)


def test_loading_writes_nothing(tmp_path: Path) -> None:
    load(tmp_path, {})
    load_config(environ={}, cwd=tmp_path)
    assert [item.name for item in tmp_path.iterdir()] == ["c.json"]
    assert not user_config_folder().exists()
    assert not user_data_folder().exists()
