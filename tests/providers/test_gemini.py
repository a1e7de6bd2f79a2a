"""The Gemini provider through Google's library, against a server that speaks the API's protocol."""

import logging
import math
import socket
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from contracts import ConfigError, MemError, UnavailableError
from providers import ProviderSettings, RefusedTexts, create
from providers.batching import embed_in_calls
from providers.fake import FakeProvider
from providers.remote.gemini import GeminiProvider
from tests.providers.wire import gemini as wire
from tests.providers.wire.server import CUT, HTML, SILENT, Answer, WireServer, serving
from tests.providers.wire.sleeper import Sleeper

Making = Callable[..., GeminiProvider]


@pytest.fixture
def server() -> Iterator[WireServer]:
    with serving(wire.answer) as server:
        yield server


@pytest.fixture
def sleeper() -> Sleeper:
    return Sleeper()


@pytest.fixture
def make(server: WireServer, sleeper: Sleeper) -> Making:
    def made(
        *, model: str | None = None, api_key: str | None = wire.KEY, path: str = "", **rest: Any
    ) -> GeminiProvider:
        batch_size = rest.pop("batch_size", None)
        settings = ProviderSettings(
            model=model,
            api_key=api_key,
            base_url=server.url + path,
            batch_size=batch_size,
            options=rest,
        )
        return GeminiProvider(settings, clock=sleeper.clock)

    return made


def rows(*texts: str) -> list[list[float]]:
    fake = FakeProvider("gemini-embedding-001", dimensions=wire.FULL_DIMENSIONS)
    return fake.embed(texts, kind="document")


def test_the_defaults_are_googles_own() -> None:
    card = GeminiProvider().card
    assert (card.provider, card.model, card.dimensions) == ("gemini", "gemini-embedding-001", 3072)
    assert (card.max_tokens, card.normalised, card.costly) == (2048, True, True)
    assert (card.query_prompt, card.document_prompt) == ("", "")
    assert card.batch_size <= wire.MOST_TEXTS
    assert GeminiProvider().host == "generativelanguage.googleapis.com"


def test_the_registry_makes_it(server: WireServer) -> None:
    provider = create("gemini", ProviderSettings(api_key=wire.KEY, base_url=server.url))
    assert isinstance(provider, GeminiProvider)
    assert provider.host == server.host
    assert provider.dimensions == 3072
    assert server.requests == [], "a documented model is not asked about itself"


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


FOR_GOOD = [
    pytest.param(wire.wrong_key(), "does not accept the API key", "api_key", id="wrong key"),
    pytest.param(
        wire.status(401, "UNAUTHENTICATED", "Request had invalid credentials."),
        "does not accept the API key",
        "api_key",
        id="no credentials",
    ),
    pytest.param(
        wire.status(403, "PERMISSION_DENIED", "Your API key was reported as leaked."),
        "does not allow this with the API key: Your API key was",
        "allow it",
        id="leaked key",
    ),
    pytest.param(
        wire.status(400, "FAILED_PRECONDITION", "User location is not supported."),
        "does not allow this with the API key: User location",
        "allow it",
        id="country",
    ),
    pytest.param(
        wire.status(404, "NOT_FOUND", "models/m is not found for API version v1beta."),
        "has no embedding model 'gemini-embedding-001'",
        "gemini.model",
        id="unknown model",
    ),
    pytest.param(
        wire.invalid("requests[0].output_dimensionality: must be at most 3072"),
        r"rejects the request: \* Batch",
        "dimensions",
        id="dimensions",
    ),
    pytest.param(
        wire.exhausted("EmbedContentRequestsPerDayPerProjectPerModel-FreeTier", retry_after="9s"),
        "quota at .* is used up: You exceeded",
        "credit",
        id="quota of the day",
    ),
    pytest.param(Answer(404, b"<html>"), "answered with 404 <html>", "", id="another page"),
    pytest.param(Answer(404, []), "answered with 404", "", id="404 with a list"),
    pytest.param(Answer(403, b"\xff"), "something other than", "", id="403 with no UTF-8"),
    pytest.param(HTML, "something other than embeddings", "embedding model", id="page"),
    pytest.param(Answer(body=b"\xff\xfe"), "something other than embeddings", "", id="no UTF-8"),
    pytest.param(Answer(body=b"[" * 200_000), "something other than", "", id="abyss"),
    pytest.param(Answer(body=b""), "0 embeddings for 1 texts", "", id="nothing"),
    pytest.param(Answer(body=7), "something other than", "", id="no object"),
    pytest.param(Answer(body={"embeddings": 7}), "something other than", "", id="no list"),
    pytest.param(Answer(body={"embeddings": [7]}), "something other than", "", id="no rows"),
    pytest.param(
        Answer(body={"embeddings": [{"values": ["x"]}]}), "something other than", "", id="no number"
    ),
    pytest.param(Answer(body={"embeddings": [{}]}), "0 dimensions in place", "", id="no values"),
    pytest.param(Answer(body={"embeddings": []}), "0 embeddings for 1 texts", "", id="fewer rows"),
    pytest.param(
        Answer(body={"embeddings": [{"values": [1.0]}] * 2}),
        "2 embeddings for 1 texts",
        "",
        id="more rows",
    ),
    pytest.param(
        Answer(body={"embeddings": [{"values": [1.0]}]}),
        "1 dimensions in place of 3072",
        "",
        id="wrong dimensions",
    ),
    pytest.param(
        Answer(body={"embeddings": [{"values": [math.nan] * 3072}]}),
        "that are not finite",
        "",
        id="NaN",
    ),
]


@pytest.mark.parametrize("answer, message, hint", FOR_GOOD)
def test_a_failure_that_stays_is_said_at_once(
    make: Making, server: WireServer, sleeper: Sleeper, answer: Answer, message: str, hint: str
) -> None:
    server.script.append(answer)
    with pytest.raises(UnavailableError, match=message) as caught:
        make().embed(["a"], kind="document")
    assert hint in caught.value.hint
    assert server.host in caught.value.message
    assert not isinstance(caught.value, RefusedTexts)
    assert (len(server.requests), sleeper.slept) == (1, [])


REFUSED = [
    pytest.param(wire.invalid("requests[0].content: contains an empty Part."), "empty", id="empty"),
    pytest.param(
        wire.status(400, "INVALID_ARGUMENT", "Request payload size exceeds the limit"),
        "payload size",
        id="too large",
    ),
    pytest.param(Answer(413, b"<html>large"), "<html>large", id="too large for a gateway"),
]


@pytest.mark.parametrize("answer, reason", REFUSED)
def test_a_refused_text_is_told_from_a_failure(
    make: Making, server: WireServer, answer: Answer, reason: str
) -> None:
    server.script.append(answer)
    with pytest.raises(RefusedTexts, match=f"refuses the text: .*{reason}"):
        make().embed(["a"], kind="document")
    assert len(server.requests) == 1


PER_MINUTE = "EmbedContentRequestsPerMinutePerProjectPerModel"
PASSING = [
    pytest.param(wire.exhausted(PER_MINUTE, retry_after="11.665902715s"), [11.665902715], id="429"),
    pytest.param(wire.exhausted(PER_MINUTE), [0], id="429 without a delay"),
    pytest.param(
        wire.status(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted."), [0], id="bare 429"
    ),
    pytest.param(Answer(429, {}, {"Retry-After": "20"}), [20], id="Retry-After"),
    pytest.param(Answer(429, {"error": {"details": [7]}}), [0], id="odd details"),
    pytest.param(
        Answer(429, {"error": {"details": [{"violations": 7}, {"violations": ["x"]}]}}),
        [0],
        id="odd violations",
    ),
    pytest.param(wire.status(500, "INTERNAL", "An internal error has occurred."), [0], id="500"),
    pytest.param(wire.overloaded(), [0], id="503"),
    pytest.param(Answer(502, b"<html>"), [0], id="page of a gateway"),
    pytest.param(CUT, [0], id="cut in mid-answer"),
]


@pytest.mark.parametrize("answer, slept", PASSING)
def test_what_may_pass_is_asked_again(
    make: Making, server: WireServer, sleeper: Sleeper, answer: Answer, slept: list[float]
) -> None:
    server.script.append(answer)
    assert make().embed(["a"], kind="document") == [pytest.approx(rows("a")[0])]
    assert (len(server.requests), sleeper.slept) == (2, slept)


@pytest.mark.parametrize(
    "answer, message",
    [
        pytest.param(wire.exhausted(PER_MINUTE), r"\(429 You exceeded", id="rate limit"),
        pytest.param(
            wire.exhausted(PER_MINUTE, retry_after="3600s"),
            "asks to wait 3600 seconds",
            id="for long",
        ),
        pytest.param(wire.overloaded(), r"\(503 The model is overloaded", id="overload"),
        pytest.param(CUT, "the connection to .* failed: ", id="cut"),
    ],
)
def test_a_question_is_answered_otherwise_soon(
    make: Making, server: WireServer, sleeper: Sleeper, answer: Answer, message: str
) -> None:
    server.script.extend([answer] * 5)
    with pytest.raises(UnavailableError, match=message):
        make().embed(["a"], kind="query")
    assert len(server.requests) <= 2
    assert sum(sleeper.slept) <= 2


def test_silence_ends_with_the_timeout(make: Making, server: WireServer) -> None:
    server.script.extend([SILENT] * 2)
    with pytest.raises(UnavailableError, match=r"did not answer within 0\.2 seconds") as caught:
        make(timeout_seconds=0.2).embed(["a"], kind="query")
    assert "gemini.timeout_seconds" in caught.value.hint


def test_a_server_that_is_not_there_is_named(sleeper: Sleeper) -> None:
    with socket.socket() as reserved:  # bound, and nobody listens
        reserved.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{reserved.getsockname()[1]}"
        settings = ProviderSettings(api_key=wire.KEY, base_url=f"http://{address}")
        with pytest.raises(
            UnavailableError, match=f"connection to {address} failed: Connection refused"
        ):
            GeminiProvider(settings, clock=sleeper.clock).embed(["a"], kind="query")


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


def test_the_key_is_nowhere_to_be_seen(
    make: Making,
    server: WireServer,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    provider = make()
    seen = [repr(provider), repr(vars(provider)), repr(provider.card)]
    quoting = [
        wire.status(status, "PERMISSION_DENIED", f"{wire.KEY} may not")
        for status in (400, 403, 418, 429, 500)
    ]
    pages = [Answer(status, f"<p>{wire.KEY}".encode()) for status in (200, 403, 502)]
    answers = [param.values[0] for param in (*FOR_GOOD, *REFUSED, *PASSING)]
    for answer in (*answers, *quoting, *pages):
        server.script.extend([answer] * 2)  # type: ignore[list-item]  # params hold anything
        try:
            provider.embed(["a"], kind="query")
        except MemError as error:
            logging.getLogger("test").exception("failed")
            seen += [repr(error), str(error), *traceback.format_exception(error)]
            seen += map(repr, (error.__cause__, error.__context__))
        server.script.clear()
    seen.append(repr(vars(provider)))
    logged = [f"{record.getMessage()} {record.args} {record.exc_text}" for record in caplog.records]
    seen += [*logged, caplog.text, *capfd.readouterr()]
    assert any("*** may not" in line for line in seen)
    assert not [line for line in seen if wire.KEY in line]


def test_an_option_it_does_not_know_is_refused() -> None:
    with pytest.raises(ConfigError, match="gemini named 'dimension'") as caught:
        GeminiProvider(ProviderSettings(options={"dimension": 256}))
    assert caught.value.hint.startswith("did you mean 'dimensions'?")


@pytest.mark.parametrize("address", ["localhost:1", "ftp://host", "http://me:secret@host"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ConfigError, match=r"memory\.embeddings\.gemini\.base_url") as caught:
        GeminiProvider(ProviderSettings(base_url=address))
    assert "secret" not in str(caught.value)
