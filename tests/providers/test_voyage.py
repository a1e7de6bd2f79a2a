"""Voyage AI's provider through Voyage AI's library, against a server that speaks its protocol."""

import pytest
import requests
import voyageai

from contracts import ConfigError, UnavailableError
from providers import ProviderSettings, RefusedTexts
from providers.batching import embed_in_calls
from providers.remote.voyage import VoyageProvider
from tests.providers.vendors.vendor import Making, Vendor
from tests.providers.vendors.voyage import VOYAGE, rows
from tests.providers.wire import voyage as wire
from tests.providers.wire.server import Answer, WireServer


@pytest.fixture
def vendor() -> Vendor:
    return VOYAGE


def test_the_defaults_are_voyages_own() -> None:
    card = VoyageProvider().card
    assert (card.provider, card.model, card.dimensions) == ("voyage", "voyage-4-large", 1024)
    assert (card.max_tokens, card.normalised, card.costly) == (32_000, True, True)
    assert card.batch_tokens is not None
    assert card.batch_tokens < wire.BATCH_TOKENS
    assert card.batch_size <= wire.MOST_TEXTS
    assert VoyageProvider().host == "api.voyageai.com"


def test_a_key_of_atlas_is_sent_to_atlas() -> None:
    assert VoyageProvider(ProviderSettings(api_key="al-0123")).host == "ai.mongodb.com"


def test_a_request_is_as_the_reference_has_it(make: Making, server: WireServer) -> None:
    provider = make(dimensions=256)
    answered = provider.embed(["a cat", "b"], kind="document")
    provider.embed(["a cat"], kind="query")
    documents, query = server.requests
    assert documents.path == "/v1/embeddings"
    assert documents.headers["authorization"] == f"Bearer {wire.KEY}"
    assert documents.body == {
        "model": "voyage-4-large",
        "input": ["a cat", "b"],
        "input_type": "document",
        "truncation": False,
        "output_dimension": 256,
        "encoding_format": "base64",
    }
    assert (query.body["input_type"], query.body["truncation"]) == ("query", True)
    for row, expected in zip(answered, rows("a cat", "b", dimensions=256), strict=True):
        assert row == pytest.approx(expected, abs=1e-6)


def test_an_address_may_end_in_a_slash(make: Making, server: WireServer) -> None:
    make(path="/v1/").embed(["a"], kind="query")
    assert server.requests[0].path == "/v1/embeddings"


def test_dimensions_are_sent_only_when_they_are_asked_for(make: Making, server: WireServer) -> None:
    make().embed(["a"], kind="query")
    assert "output_dimension" not in server.requests[0].body


@pytest.mark.parametrize("encoding", ["base64", None])
def test_both_forms_of_numbers_are_read(
    make: Making, server: WireServer, encoding: str | None
) -> None:
    body = wire.embeddings(rows("one", "two", "three"), encoding=encoding)
    body["data"].reverse()
    server.script.append(Answer(body=body))
    answered = make().embed(["one", "two", "three"], kind="document")
    assert answered == [pytest.approx(row, abs=1e-6) for row in rows("one", "two", "three")]


def test_a_model_that_is_not_known_here_is_asked_for_its_dimensions_once(
    make: Making, server: WireServer
) -> None:
    provider = make(model="voyage-next")
    assert server.requests == []
    assert (provider.dimensions, provider.dimensions) == (1024, 1024)
    assert [request.body["input"] for request in server.requests] == [["dimensions"]]
    assert provider.card.max_tokens is None
    assert make(model="voyage-next", dimensions=96).dimensions == 96
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "model, dimensions, allowed",
    [(None, 100, "256, 512, 1024, 2048"), ("voyage-law-2", 512, "1024")],
)
def test_dimensions_that_a_model_cannot_have_are_refused(
    model: str | None, dimensions: int, allowed: str
) -> None:
    with pytest.raises(ConfigError, match=f"cannot have {dimensions} dimensions") as caught:
        VoyageProvider(ProviderSettings(model=model, options={"dimensions": dimensions}))
    assert f"voyage.dimensions to one of {allowed}, or to null" in caught.value.hint


def test_nobody_is_asked_without_a_key(make: Making, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOYAGE_API_KEY", "pa-of-somebody-else")
    with pytest.raises(UnavailableError, match=r"Voyage AI at .* needs an API key") as caught:
        make(api_key=None).embed(["a"], kind="query")
    assert "export VOYAGE_API_KEY=" in caught.value.hint


def test_connections_that_the_program_around_us_chose_stay(
    make: Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    def chosen() -> requests.Session:
        return requests.Session()

    monkeypatch.setattr(voyageai, "requestssession", chosen)
    make().embed(["a"], kind="query")
    assert voyageai.requestssession is chosen
    monkeypatch.setattr(voyageai, "requestssession", None)
    make().embed(["a"], kind="query")
    adapter = voyageai.requestssession.get_adapter("https://api.voyageai.com")
    assert adapter.max_retries.total == 0, "only providers.retry asks again"


def test_a_document_that_is_too_long_is_refused_and_a_question_cut(make: Making) -> None:
    text = "long " * (wire.CONTEXT_TOKENS + 1)
    with pytest.raises(RefusedTexts, match="does not fit into the model's context window"):
        make().embed([text], kind="document")
    assert make().embed([text], kind="query")


def test_texts_that_are_too_many_for_one_request_go_in_several(
    make: Making, server: WireServer
) -> None:
    texts = ["word " * 20_000] * 20  # 400,000 tokens as the server counts them
    done = list(embed_in_calls(make(), texts, kind="document"))
    assert sum(len(part.positions) for part in done) == 20
    assert not any(part.refused for part in done)
    assert server.most_at_once <= 4
