"""The settings in the dataclasses, the published file, the schema and the documentation."""

import copy
import json
import pickle
import re
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Literal

import pytest

from ingest import DEFAULT_MAX_SIZE_BYTES, ChunkSettings
from memory.config.editing import find_key
from memory.config.expansion import resolve_paths
from memory.config.field_types import describe
from memory.config.keys import all_keys, sections, value_of, with_values
from memory.config.loading import load_config
from memory.config.parsing import parse_config
from memory.config.schema import config_schema
from memory.config.settings import (
    Config,
    EmbeddingsConfig,
    MemoryConfig,
    OpenAIConfig,
    ServerConfig,
)
from memory.index.embedding.model_choice import AUTO
from memory.retrieval.searching import default_options
from providers.sentence_transformers.model_folder import DEFAULT_MODEL
from providers.settings import names_folder
from search.options import FOLDS, FUSIONS, MOST_RESULTS, SearchOptions
from tests.repository import ROOT
from tools.config_docs import PAGE, SCHEMA, page_with_settings

PUBLISHED = ROOT / "constitution_config.json"


def test_the_published_file_is_plain_json_with_a_schema_that_explains_it() -> None:
    """A host program reads the same file with an ordinary parser."""
    published = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    schema = json.loads((ROOT / published["$schema"]).read_text(encoding="utf-8"))
    told = {
        name
        for kind in schema["$defs"].values()
        for name, about in kind["properties"].items()
        if about.get("description") or "$ref" in about
    }
    assert {key.name.rpartition(".")[2] for key in all_keys()} - told == set()


def test_the_published_file_holds_every_key_with_its_default() -> None:
    parsed = parse_config(PUBLISHED)

    assert parsed.problems == ()
    assert parsed.config == Config()
    plain = parsed.root.plain()
    for key in all_keys():
        node = plain
        for part in key.name.split("."):
            assert part in node, f"{key.name} is not in the published file"
            node = node[part]


def test_a_user_inside_the_repository_gets_the_published_file(tmp_path: Path) -> None:
    beside = tmp_path / PUBLISHED.name
    beside.write_text(PUBLISHED.read_text())

    loaded = load_config(environ={}, cwd=tmp_path)

    assert loaded.written == Config()
    assert loaded.database_path == tmp_path / "data" / "memory.db"
    assert loaded.origin == "working directory"
    assert loaded.merely_found


def test_values_that_two_packages_hold_are_the_same() -> None:
    """A command that looks at settings alone loads neither search nor ingest for them."""
    memory = MemoryConfig()
    assert default_options(memory.search) == SearchOptions()
    kinds = {key.name: key.kind for key in all_keys()}
    assert describe(kinds["memory.search.fusion"]) == describe(Literal[FUSIONS])
    assert describe(kinds["memory.search.fold"]) == describe(Literal[FOLDS])
    assert describe(kinds["memory.search.max_results"]).endswith(f" 1 to {MOST_RESULTS}")
    chunking = memory.chunking
    sizes = (chunking.chunk_size_chars, chunking.chunk_overlap_chars, chunking.preserve_structure)
    assert ChunkSettings(*sizes) == ChunkSettings()
    assert memory.files.max_file_size_mb * 2**20 == DEFAULT_MAX_SIZE_BYTES
    assert memory.embeddings.sentence_transformers.model == DEFAULT_MODEL
    assert memory.embeddings.provider == AUTO


@pytest.mark.parametrize("name", ["./m", "../m", "~/m", "/m", "m", "owner/m", ".m", "m.d/n", "..m"])
def test_what_is_a_models_folder_is_one_to_its_provider(name: str, tmp_path: Path) -> None:
    config = with_values(Config(), [("memory.embeddings.model", name)])
    resolved = resolve_paths(config, tmp_path).memory.embeddings.model
    assert (resolved != name or name.startswith("/")) is names_folder(name)


def test_defaults_that_other_software_relies_on() -> None:
    memory = MemoryConfig()
    assert (memory.backend, memory.storage_path) == ("sqlite", "./data/memory.db")
    assert (memory.search.max_results, memory.search.min_score) == (10, 0.3)
    assert (memory.chunking.chunk_size_chars, memory.chunking.chunk_overlap_chars) == (1000, 200)
    assert (memory.server.host, memory.server.port) == ("127.0.0.1", 8787)
    assert (memory.search.time_decay.half_life_days, memory.search.time_decay.alpha) == (30, 0.3)
    assert memory.embeddings.provider == "auto"
    assert (memory.search.vector_weight, memory.search.keyword_weight) == ("auto", "auto")


def test_sections_are_values() -> None:
    assert MemoryConfig() == MemoryConfig()
    assert hash(MemoryConfig()) == hash(MemoryConfig())
    changed = with_values(Config(), [("memory.server.port", 1)])
    assert changed != Config()
    assert value_of(changed, "memory.server.port") == 1
    assert replace(changed.memory, server=ServerConfig()) == MemoryConfig()
    assert MemoryConfig() != "memory"
    assert copy.deepcopy(changed) == pickle.loads(pickle.dumps(changed)) == changed
    with pytest.raises(FrozenInstanceError, match="port"):
        changed.memory.server.port = 2  # type: ignore[misc]


def test_no_repr_shows_a_secret() -> None:
    config = with_values(
        Config(),
        [
            ("memory.embeddings.openai.api_key", "sk-secret"),
            ("memory.server.tokens", ("t-secret",)),
        ],
    )
    assert "secret" not in repr(config)
    assert "openai=OpenAIConfig(model='text-embedding-3-small', api_key=***" in repr(config)
    assert "api_key=None, base_url=None" in repr(OpenAIConfig(api_key=None))


@pytest.mark.parametrize(
    "embeddings, provider, model",
    [
        pytest.param({}, "static", None, id="the provider's own choice"),
        pytest.param({"model": "./mine"}, "static", "./mine", id="short form, no section"),
        pytest.param({}, "openai", "text-embedding-3-small", id="the section's default"),
        pytest.param({"provider": "openai", "model": "large"}, "openai", "large", id="short form"),
        pytest.param(
            {"provider": "openai", "model": "large", "openai": OpenAIConfig(model="own")},
            "openai",
            "own",
            id="the section's own counts more",
        ),
        pytest.param(
            {"provider": "openai", "model": "all-MiniLM-L6-v2"},
            "openai",
            "text-embedding-3-small",
            id="another provider's default was left standing",
        ),
        pytest.param(
            {"provider": "static", "model": "all-MiniLM-L6-v2"},
            "static",
            None,
            id="left standing, no section",
        ),
        pytest.param(
            {"provider": "openai", "model": "large"},
            "voyage",
            "voyage-4-large",
            id="written for another provider",
        ),
        pytest.param({"provider": "plugin", "model": "x"}, "plugin", "x", id="a plugin's"),
    ],
)
def test_which_model_a_provider_loads(
    embeddings: dict[str, object], provider: str, model: str | None
) -> None:
    assert EmbeddingsConfig(**embeddings).model_of(provider) == model  # type: ignore[arg-type]


def test_the_schema_is_published() -> None:
    assert json.loads(SCHEMA.read_text("utf-8")) == config_schema()


def test_the_schema_describes_every_setting_and_refuses_others() -> None:
    schema = config_schema()
    for key in all_keys():
        node = schema
        for part in key.name.split("."):
            if "$ref" in node:
                node = schema["$defs"][node["$ref"].rpartition("/")[2]]
            node = node["properties"][part]
        assert node["description"] == key.setting.meaning
    assert "additionalProperties" not in schema
    assert all(part["additionalProperties"] is False for part in schema["$defs"].values())


def test_the_page_is_made_from_the_settings() -> None:
    page = PAGE.read_text("utf-8")
    assert page_with_settings(page) == page


def test_the_page_has_every_key_and_no_other() -> None:
    page = PAGE.read_text("utf-8")
    documented = []
    section = ""
    for line in page[page.index("## Every setting") :].splitlines():
        if heading := re.fullmatch(r"### `(.+)`", line):
            section = heading[1]
        if row := re.match(r"\| `(\w+)` \|", line):
            documented.append(f"{section}.{row[1]}")
    assert sorted(documented) == sorted(key.name for key in all_keys())


def test_what_the_page_says_in_passing_names_real_settings() -> None:
    words = set(re.findall(r"`((?:memory|privacy)(?:\.\w+)+)`", PAGE.read_text("utf-8")))
    known = {key.name for key in all_keys()} | set(sections()) | {"memory.db"}
    assert words
    assert words <= known


def test_a_key_has_a_name_for_debugging() -> None:
    assert repr(find_key("memory.backend")) == "Key(memory.backend)"


def test_loading_imports_no_validation_library(tmp_path: Path) -> None:
    (tmp_path / PUBLISHED.name).write_text(PUBLISHED.read_text())
    script = (
        "import sys; from memory.config.loading import load_config; load_config();"
        "print(*sorted({'pydantic', 'annotated_types', 'typing_extensions', 'platformdirs',"
        " 'difflib', 'numpy', 'click', 'importlib.metadata', 'providers'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""
