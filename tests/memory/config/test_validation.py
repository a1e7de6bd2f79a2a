"""Every problem of a file, with the key, the value, what is allowed and the place."""

import json
from typing import Any

import pytest

from contracts import ConfigError
from memory.config.commented_json import parse
from memory.config.keys import ConfigProblem, nearest
from memory.config.settings import Config
from memory.config.validation import networks_of, read_config, unknown_key


def problems_of(content: Any) -> list[ConfigProblem]:
    text = content if isinstance(content, str) else json.dumps(content)
    return read_config(parse(text, name="file"))[1]


def nested(key: str, value: Any) -> Any:
    for part in reversed(key.split(".")):
        value = {part: value}
    return value


def test_an_empty_file_is_the_defaults() -> None:
    assert read_config(parse("{}", name="file")) == (Config(), [])


def test_values_reach_their_settings() -> None:
    content = {
        "memory": {
            "search": {"vector_weight": 1, "time_decay": {"sources": ["file"]}},
            "embeddings": {"openai": {"base_url": "http://localhost"}},
        },
        "privacy": {"auto_pii_redaction": False},
    }
    config, problems = read_config(parse(json.dumps(content), name="file"))

    assert problems == []
    assert config.memory.search.vector_weight == 1.0
    assert config.memory.search.max_results == 10
    assert config.memory.search.time_decay.sources == ("file",)
    assert config.memory.search.time_decay.alpha == 0.3
    assert config.memory.embeddings.openai.base_url == "http://localhost"
    assert config.memory.embeddings.openai.model == "text-embedding-3-small"
    assert not config.privacy.auto_pii_redaction


def test_sections_of_the_host_application_are_left_alone() -> None:
    assert problems_of({"memoryx": {"backend": 3}, "chat": None, "$schema": "x"}) == []


@pytest.mark.parametrize(
    "key, value, fact, hint",
    [
        pytest.param(
            "memory.search.max_results",
            0,
            "memory.search.max_results is 0",
            "it must be a whole number from 1 to 1000",
            id="range",
        ),
        pytest.param(
            "memory.search.max_results",
            "10",
            'memory.search.max_results is "10"',
            "it must be a whole number from 1 to 1000",
            id="type",
        ),
        pytest.param(
            "memory.search.fusion",
            "rff",
            'memory.search.fusion is "rff"',
            'it must be "convex" or "rrf"',
            id="choice",
        ),
        pytest.param(
            "memory.search.keyword_weight",
            "automatic",
            'memory.search.keyword_weight is "automatic"',
            'it must be a number from 0 to 1, or "auto"',
            id="union",
        ),
        pytest.param(
            "memory.files.file_patterns",
            "*.md",
            'memory.files.file_patterns is "*.md"',
            "it must be a list, each item a text that is not empty",
            id="list",
        ),
        pytest.param(
            "memory.search",
            [1],
            "memory.search is a list",
            "it must be a section: { ... }",
            id="section",
        ),
        pytest.param(
            "memory.server",
            "s3cret",
            "memory.server is a text",
            "it must be a section: { ... }",
            id="secret",
        ),
        pytest.param("memory", None, "memory is null", "it must be a section: { ... }", id="null"),
        pytest.param(
            "memory.storage_path",
            ["x" * 100],
            'memory.storage_path is ["' + "x" * 57 + "…",
            "it must be a text that is not empty",
            id="long values are cut",
        ),
        pytest.param(
            "memory.chunking.chunk_overlap_chars",
            1000,
            "memory.chunking.chunk_overlap_chars is 1000",
            "it must be less than memory.chunking.chunk_size_chars, which is 1000",
            id="overlap",
        ),
        pytest.param(
            "memory.embeddings.provider",
            "open_ai",
            'memory.embeddings.provider is "open_ai", and no such provider is installed',
            "did you mean 'openai'? there are: auto, fake, gemini, minilm, "
            "onnx, openai, sentence_transformers, static, voyage",
            id="provider",
        ),
        pytest.param(
            "memory.server.proxies",
            ["192.0.2.7", "${PROXY}", "nonsense"],
            "an entry of memory.server.proxies is not an address: 'nonsense'",
            'write it like "192.0.2.7", "192.0.2.0/24" or "2001:db8::7"',
            id="proxy",
        ),
    ],
)
def test_a_value_that_is_not_allowed(key: str, value: Any, fact: str, hint: str) -> None:
    (problem,) = problems_of(nested(key, value))
    assert (problem.key, problem.fact, problem.hint) == (key, fact, hint)
    assert problem.offset is not None


@pytest.mark.parametrize("provider", ["auto", "voyage", "fake"])
def test_known_providers_are_accepted(provider: str) -> None:
    assert problems_of(nested("memory.embeddings.fallback_provider", provider)) == []


def test_proxies_of_the_environment_are_accepted() -> None:
    assert problems_of(nested("memory.server.proxies", ["${PROXY}", "192.0.2.0/24"])) == []


@pytest.mark.parametrize("written", ["proxy.example.org", "*", "192.0.2.7:80", "192.0.2.0/33"])
def test_a_proxy_is_named_by_its_address(written: str) -> None:
    assert networks_of(["192.0.2.7", "2001:db8::7"]) == [
        "192.0.2.7/32",
        "::ffff:192.0.2.7/128",
        "2001:db8::7/128",
    ]
    assert networks_of(["192.0.2.9/24"]) == ["192.0.2.0/24", "::ffff:192.0.2.0/120"]
    with pytest.raises(ConfigError, match=r"memory\.server\.proxies is not an address"):
        networks_of(["192.0.2.7", written])


def test_an_unlike_provider_gets_the_list() -> None:
    (problem,) = problems_of(nested("memory.embeddings.fallback_provider", "zzz"))
    assert problem.hint.startswith("there are: auto, ")
    assert "sentence_transformers" in problem.hint


def test_two_weights_of_nothing() -> None:
    (problem,) = problems_of(nested("memory.search", {"vector_weight": 0, "keyword_weight": 0.0}))
    assert problem.fact.endswith("are both 0")
    assert problems_of(nested("memory.search", {"vector_weight": 0})) == []


@pytest.mark.parametrize(
    "key, hint",
    [
        ("memory.search.max_result", "did you mean memory.search.max_results?"),
        ("memory.search.maxResults", "did you mean memory.search.max_results?"),
        ("memory.max_results", "did you mean memory.search.max_results?"),
        ("memory.embedings", "did you mean memory.embeddings?"),
        ("memory.embeddings.api_key", "did you mean memory.embeddings.openai.api_key?"),
        ("privacy.log_retention", "did you mean privacy.log_retention_days?"),
        ("memory.chunking.chunk_size", "did you mean memory.chunking.chunk_size_chars?"),
        (
            "memory.server.zzz",
            "there are: memory.server.host, memory.server.port, memory.server.tokens, "
            "memory.server.proxies, memory.server.tenants",
        ),
        ("memory.embeddings.static.zzz", "mem config get lists all"),
        ("memory.max_reslts", "did you mean memory.search.max_results?"),
        (
            "memory.server.nope",
            "there are: memory.server.host, memory.server.port, memory.server.tokens, "
            "memory.server.proxies, memory.server.tenants",
        ),
        ("memory.embeddings.static.nope", "mem config get lists all"),
    ],
)
def test_an_unknown_key_and_the_nearest_one(key: str, hint: str) -> None:
    (problem,) = problems_of(nested(key, 1))
    assert (problem.fact, problem.hint) == (f"{key} is an unknown setting", hint)


def test_every_problem_is_reported_at_its_place() -> None:
    text = '{"memory": {"backend": 1, "x": 2, "search": {"min_score": 3}}, "privacy": []}'
    found = [(problem.key, text[problem.offset or 0]) for problem in problems_of(text)]
    assert found == [
        ("memory.backend", "1"),
        ("memory.x", "2"),
        ("memory.search.min_score", "3"),
        ("privacy", "["),
    ]


def test_a_file_that_is_no_section() -> None:
    (problem,) = problems_of("[]")
    assert problem.fact == "the configuration is a list"


def test_a_secret_of_the_wrong_kind_is_not_shown() -> None:
    facts = [
        problem.fact
        for key in ("memory.server.tokens", "memory.embeddings.openai.api_key")
        for problem in problems_of(nested(key, {"secret": "secret"}))
    ]
    assert len(facts) == 2
    assert "secret" not in " ".join(facts)


def test_nothing_is_near() -> None:
    assert nearest("zzz", ["memory.backend"]) is None
    assert unknown_key("elsewhere").offset is None
