"""An older configuration becomes the present form, and nothing else of it changes."""

import json
from typing import Any

import pytest

from contracts import ConfigError
from memory.config.commented_json import parse
from memory.config.keys import all_keys, value_of
from memory.config.migration import MOVED, RENAMED_VALUES, Step, migrate_config
from memory.config.validation import read_config

OLDER = """\
{
  // what the toolbox was told
  "name": "Leader-Toolbox",
  "embedding_model": "all-MiniLM-L6-v2", // small
  "memory": {
    "type": "in_memory",
    "db_path": "./store.db",
    /* searching */
    "search": {"top_k": 7, "threshold": 0.25, "vector_weight": 0.6},
    "embedding": {
      "provider": "google-generativeai"
    },
    "chunk_size": 900,
    "retention_hours": 48
  },
  "privacy": {"retention_days": 10}
}
"""

PRESENT = """\
{
  // what the toolbox was told
  "name": "Leader-Toolbox",
  // small
  "memory": {
    /* searching */
    "search": {"vector_weight": 0.6, "max_results": 7, "min_score": 0.25},
    "storage_path": "./store.db",
    "backend": "memory",
    "embeddings": {
      "model": "all-MiniLM-L6-v2",
      "provider": "gemini"
    },
    "chunking": {
      "chunk_size_chars": 900
    },
    "session_retention_hours": 48
  },
  "privacy": {"log_retention_days": 10}
}
"""


def migrated(value: Any) -> dict[str, Any]:
    done = migrate_config(json.dumps(value, indent=2), name="test")
    plain: dict[str, Any] = json.loads(done.text)
    return plain


def test_an_older_file_becomes_the_present_form() -> None:
    done = migrate_config(OLDER, name="test")
    assert done.text == PRESENT
    assert done.problems == []
    assert Step("memory.db_path", "memory.storage_path", "./store.db", "./store.db") in done.steps
    assert Step("memory.type", "memory.backend", "in_memory", "memory") in done.steps
    config, problems = read_config(parse(done.text, name="test"))
    assert problems == []
    assert (config.memory.backend, config.memory.search.max_results) == ("memory", 7)


def test_the_present_form_stays_as_it_is() -> None:
    for text in (PRESENT, "{}", '{"memory": {}}', '{"memory": {"search": {}}}'):
        assert migrate_config(text, name="test") == (text, [], [])


@pytest.mark.parametrize("before", MOVED)
def test_every_older_name_leads_to_a_setting(before: str) -> None:
    after = MOVED[before]
    assert after in {key.name for key in all_keys()}
    assert before not in {key.name for key in all_keys()}
    *sections, name = before.split(".")
    value: Any = {name: value_of(read_config(parse("{}", name="t"))[0], after)}
    for section in reversed(sections):
        value = {section: value}
    done = migrate_config(json.dumps(value, indent=2, default=list), name="test")
    assert [(step.before, step.after) for step in done.steps] == [(before, after)]
    assert done.problems == []


@pytest.mark.parametrize("key", RENAMED_VALUES)
def test_every_older_value_is_allowed_under_its_present_name(key: str) -> None:
    section, _, name = key.rpartition(".")
    for old, new in RENAMED_VALUES[key].items():
        value: Any = {name: old.upper()}
        for part in reversed(section.split(".")):
            value = {part: value}
        done = migrate_config(json.dumps(value), name="test")
        assert (done.steps, done.problems) == ([Step(key, key, old.upper(), new)], [])


def test_the_present_name_wins_over_the_older() -> None:
    done = migrated({"memory": {"search": {"top_k": 3, "max_results": 9}}})
    assert done == {"memory": {"search": {"max_results": 9}}}


def test_what_neither_form_knows_is_left_and_said() -> None:
    done = migrate_config('{"memory": {"dreams": 1, "chunk_size": 700}}', name="test")
    assert json.loads(done.text)["memory"]["dreams"] == 1
    assert [problem.fact for problem in done.problems] == ["memory.dreams is an unknown setting"]


def test_a_value_of_the_wrong_kind_is_said() -> None:
    done = migrate_config('{"memory": {"chunk_size": "big"}}', name="test")
    assert [problem.key for problem in done.problems] == ["memory.chunking.chunk_size_chars"]


@pytest.mark.parametrize(
    "before, after",
    [
        pytest.param('{"memory": {"type": "ram"}}', '{"memory": {"backend": "memory"}}', id="only"),
        pytest.param(
            '{"memory":{"type":"ram","backend":"memory"}}',
            '{"memory":{"backend":"memory"}}',
            id="first",
        ),
        pytest.param(
            '{"memory": {"backend": "memory", "type": "ram"}}',
            '{"memory": {"backend": "memory"}}',
            id="last",
        ),
        pytest.param(
            '{"memory": {"backend": "memory", /* old */ "type": "ram"}}',
            '{"memory": {"backend": "memory" /* old */ }}',
            id="comment",
        ),
        pytest.param(
            '{\r\n  "memory": {\r\n    "type": "ram",\r\n    "backend": "memory"\r\n  }\r\n}',
            '{\r\n  "memory": {\r\n    "backend": "memory"\r\n  }\r\n}',
            id="windows",
        ),
        pytest.param(
            '{"memory": {"backend": "memory", "storage": {"backend": "x"},},}',
            '{"memory": {"backend": "memory", },}',
            id="empty-section",
        ),
    ],
)
def test_members_go_without_a_trace(before: str, after: str) -> None:
    assert migrate_config(before, name="test").text == after


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(ConfigError, match="test:1:2"):
        migrate_config("{nothing}", name="test")


SYMBIOSIS = """\
{
  "short_term": { "size": 50 },
  "mid": { "capacity": 400, "promote_hits": 3, "demote_age_days": 30 },
  "scoring": { "w_freq": 1.0, "w_recency": 1.0, "w_importance": 2.0, "lambda": 0.1 },
  "extractor": { "mode": "hybrid" },
  "llm": { "provider": "openai", "endpoint": "", "model": "", "api_key_env": "OPENAI_API_KEY",
           "timeout_s": 8 },
  "fts": { "enabled": true }
}
"""


def test_a_file_of_symbiosis_memory_becomes_the_section_memory() -> None:
    done = migrate_config(SYMBIOSIS, name="test")
    assert json.loads(done.text) == {"memory": json.loads(SYMBIOSIS)}
    assert len(done.steps) == 15
    assert done.problems == []


def test_sections_of_the_host_application_stay() -> None:
    host = {"llm": {"model": "m", "endpoint": "http://127.0.0.1:1/v1"}, "scoring": {"w_freq": 1}}
    for more in ({}, {"memory": {}, "short_term": {"size": 3}}):
        text = json.dumps({**host, **more})
        assert migrate_config(text, name="test").text == text
