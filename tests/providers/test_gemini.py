"""The Gemini provider through Google's library, against a server that speaks the API's protocol."""

import math

import pytest

from contracts import ConfigError, UnavailableError
from providers import ProviderSettings
from providers.batching import embed_in_calls
from providers.remote.gemini import GeminiProvider
from tests.providers.vendors.gemini import GEMINI, rows
from tests.providers.vendors.vendor import Making, Vendor
from tests.providers.wire import gemini as wire
from tests.providers.wire.server import WireServer


@pytest.fixture
def vendor() -> Vendor:
    return GEMINI


def test_the_defaults_are_googles_own() -> None:
    card = GeminiProvider().card
    assert (card.provider, card.model, card.dimensions) == ("gemini", "gemini-embedding-001", 3072)
    assert (card.max_tokens, card.normalised, card.costly) == (2048, True, True)
    assert (card.query_prompt, card.document_prompt) == ("", "")
    assert card.batch_size <= wire.MOST_TEXTS
    assert GeminiProvider().host == "generativelanguage.googleapis.com"


def test_a_request_is_as_the_reference_has_it(make: Making, server: WireServer) -> None:
    provider = make()
    provider.embed(["a cat", "b"], kind="document")
    provider.embed(["a cat"], kind="query")
    documents, query = server.requests
    assert documents.path == "/v1beta/models/gemini-embedding-001:batchEmbedContents"
    assert documents.headers["x-goog-api-key"] == wire.KEY
    assert documents.body == {
        "requests": [
            {
                "model": "models/gemini-embedding-001",
                "content": {"parts": [{"text": text}]},
                "taskType": "RETRIEVAL_DOCUMENT",
            }
            for text in ("a cat", "b")
        ]
    }
    assert [one["taskType"] for one in query.body["requests"]] == ["RETRIEVAL_QUERY"]


def test_shortened_rows_are_asked_for_and_made_unit_vectors(
    make: Making, server: WireServer
) -> None:
    provider = make(dimensions=768)
    assert provider.dimensions == 768
    (row,) = provider.embed(["a cat sleeps on the windowsill"], kind="document")
    assert server.requests[0].body["requests"][0]["outputDimensionality"] == 768
    sent = rows("a cat sleeps on the windowsill")[0][:768]
    assert math.hypot(*sent) < 0.9, "the server only cuts"
    assert row == pytest.approx([value / math.hypot(*sent) for value in sent])


@pytest.mark.parametrize("name", ["models/gemini-embedding-001", "gemini-embedding-001"])
def test_both_names_of_a_model_are_one(make: Making, name: str) -> None:
    assert make(model=name).card == make().card
    assert make(model=name).embed(["a"], kind="query")


def test_a_newer_model_is_told_the_task_in_the_text(make: Making, server: WireServer) -> None:
    provider = make(model="gemini-embedding-2")
    answered = provider.embed(["a cat", "b"], kind="document")
    provider.embed(["a cat"], kind="query")
    documents, query = (
        [one["content"]["parts"] for one in request.body["requests"]] for request in server.requests
    )
    assert len(answered) == 2, "each text is a content of its own"
    assert documents == [
        [{"text": "title: none | text: a cat"}],
        [{"text": "title: none | text: b"}],
    ]
    assert query == [[{"text": "task: search result | query: a cat"}]]
    assert provider.card.query_prompt == "task: search result | query: "
    assert provider.card.document_prompt == "title: none | text: "


def test_a_model_that_is_not_known_here_is_asked_for_its_dimensions_once(
    make: Making, server: WireServer
) -> None:
    provider = make(model="gemini-embedding-next")
    assert server.requests == []
    assert (provider.dimensions, provider.dimensions) == (3072, 3072)
    assert len(server.requests) == 1
    assert provider.card.max_tokens is None
    assert make(model="gemini-embedding-next", dimensions=96).dimensions == 96
    assert len(server.requests) == 1


@pytest.mark.parametrize("dimensions", [64, 4096])
def test_dimensions_that_a_model_cannot_have_are_refused(dimensions: int) -> None:
    with pytest.raises(ConfigError, match=f"cannot have {dimensions} dimensions") as caught:
        GeminiProvider(ProviderSettings(options={"dimensions": dimensions}))
    assert "gemini.dimensions to a number from 128 to 3072" in caught.value.hint


@pytest.mark.parametrize("model", ["a?b", "../a", "a b", "a#b"])
def test_what_is_no_name_is_refused(model: str) -> None:
    with pytest.raises(ConfigError, match="cannot be the name of a Gemini model"):
        GeminiProvider(ProviderSettings(model=model))


@pytest.mark.parametrize("variable", ["GOOGLE_API_KEY", "GEMINI_API_KEY"])
def test_nobody_is_asked_without_a_key(
    make: Making, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "AIza-of-somebody-else")
    with pytest.raises(UnavailableError, match=r"Google at .* needs an API key") as caught:
        make(api_key=None).embed(["a"], kind="query")
    assert "export GOOGLE_API_KEY=" in caught.value.hint


def test_the_environment_sends_no_text_elsewhere(
    make: Making, server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    monkeypatch.setenv("GOOGLE_API_KEY", "AIza-of-somebody-else")
    make().embed(["a"], kind="query")
    assert server.requests[0].headers["x-goog-api-key"] == wire.KEY
    assert GeminiProvider().host == "generativelanguage.googleapis.com"


def test_a_request_that_is_too_large_is_split(make: Making, server: WireServer) -> None:
    texts = [f"{number} " * 400_000 for number in range(3)]  # four megabytes in all
    done = list(embed_in_calls(make(concurrency=1), texts, kind="document"))
    assert sum(len(part.positions) for part in done) == 3
    assert not any(part.refused for part in done)


def test_a_batch_holds_what_the_api_takes(make: Making, server: WireServer) -> None:
    texts = [f"text {number}" for number in range(250)]
    done = list(embed_in_calls(make(batch_size=1000), texts, kind="document"))
    assert sum(len(part.positions) for part in done) == 250
    sizes = sorted(len(request.body["requests"]) for request in server.requests)
    assert sizes == [50, 100, 100]
    assert server.most_at_once <= 4
