"""The contract of every embedding provider, whatever its model."""

import math
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from contracts import UnavailableError
from providers import EmbeddingProvider, Kind, ModelCard, ProviderSettings, RefusedTexts, create
from providers.onnx.minilm import DATA
from tests.providers.wire import gemini, openai, voyage
from tests.providers.wire.server import SLOW, serving

REMOTE = {
    "openai": (openai.answer, openai.KEY, "/v1"),
    "gemini": (gemini.answer, gemini.KEY, ""),
    "voyage": (voyage.answer, voyage.KEY, "/v1"),
}
"""The providers that ask a server: how it answers, the key it wants, where its protocol begins."""

NAMES = [
    *("static", "minilm", "onnx", "fake"),
    pytest.param("sentence_transformers", marks=pytest.mark.torch),
    *REMOTE,
]
KINDS: list[Kind] = ["query", "document"]

TEXTS = (
    "The cat sleeps on the warm windowsill.",
    "Cats are sleeping on warm windowsills.",
    "Interest rates rose by half a percent in March.",
    "def read_config(path): return json.load(open(path))",
    "Über den Wolken 中文 ภาษาไทย עברית 🙂",
    "word " * 300,
    "café",
    "",
    "x",
    "   \n\t ",
)
BLANK = [position for position, text in enumerate(TEXTS) if not text.strip()]

# A question, the text that answers it, and one on something else.
TRIPLES = [
    pytest.param(
        "how do I change my password",
        "To change a password, open the settings and choose Security.",
        "The river floods the meadows every spring.",
        id="manual",
    ),
    pytest.param(
        "sleeping cats",
        "The cat sleeps on the warm windowsill.",
        "Interest rates rose by half a percent in March.",
        id="inflected",
    ),
    pytest.param(
        "parse a json file in python",
        "import json\ndata = json.load(file)  # parse the JSON file",
        "Beat the eggs with the sugar until they are white.",
        id="code",
    ),
]


@pytest.fixture(scope="module", params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def provider_settings(name: str) -> Iterator[ProviderSettings]:
    """The provider's service: none for a local one, a server on this machine for the others."""
    if name not in REMOTE:
        yield ProviderSettings(model=str(DATA) if name == "onnx" else None)
        return
    answer, key, path = REMOTE[name]
    with serving(answer) as server:
        yield ProviderSettings(api_key=key, base_url=server.url + path)


@pytest.fixture(scope="module")
def provider(
    name: str, provider_settings: ProviderSettings, request: pytest.FixtureRequest
) -> EmbeddingProvider:
    if name == "sentence_transformers":
        shared: EmbeddingProvider = request.getfixturevalue("torch_minilm")
        return shared
    return create(name, provider_settings)


@pytest.mark.parametrize("name", REMOTE)
def test_a_server_that_answers_byte_by_byte_is_not_waited_for(name: str) -> None:
    """The time that a call may take is for all of it, not for each byte."""
    answer, key, path = REMOTE[name]
    with serving(answer) as server:
        options = {"timeout_seconds": 0.5}
        settings = ProviderSettings(api_key=key, base_url=server.url + path, options=options)
        server.script.extend([SLOW] * 2)
        with pytest.raises(UnavailableError, match=r"did not answer within 0\.5 seconds"):
            create(name, settings).embed(["a"], kind="query")
        assert server.script == deque()


@pytest.mark.parametrize("name", REMOTE)
def test_one_connection_serves_one_call_after_the_other(name: str) -> None:
    answer, key, path = REMOTE[name]
    with serving(answer) as server:
        provider = create(name, ProviderSettings(api_key=key, base_url=server.url + path))
        for text in "abc":
            provider.embed([text], kind="query")
        assert (len(server.requests), server.connections) == (3, 1)


def embed(provider: EmbeddingProvider, *texts: str, kind: Kind = "document") -> NDArray[np.float64]:
    rows = provider.embed(texts, kind=kind)
    assert len(rows) == len(texts)
    return np.array(rows, dtype=np.float64).reshape(len(texts), provider.dimensions)


def test_the_card_says_which_space_it_is(name: str, provider: EmbeddingProvider) -> None:
    card = provider.card
    assert isinstance(card, ModelCard)
    assert card.provider == name
    assert card.model == provider.model_name != ""
    assert card.revision
    assert card.dimensions == provider.dimensions > 0
    assert min(card.batch_size, card.concurrency) >= 1
    assert card.fusion_weight is None or 0 <= card.fusion_weight <= 1
    assert provider.card == card


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_finite_and_as_long_as_the_card_says(
    provider: EmbeddingProvider, kind: Kind
) -> None:
    rows = embed(provider, *TEXTS, kind=kind)
    assert np.isfinite(rows).all()
    norms = np.sqrt((rows**2).sum(axis=1))
    expected = [0 if position in BLANK else 1 for position in range(len(TEXTS))]
    assert provider.card.normalised
    np.testing.assert_allclose(norms, expected, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_alone_a_batch_and_a_shuffled_batch_agree(
    provider: EmbeddingProvider, kind: Kind
) -> None:
    together = embed(provider, *TEXTS, kind=kind)
    alone = np.vstack([embed(provider, text, kind=kind) for text in TEXTS])
    backwards = embed(provider, *reversed(TEXTS), kind=kind)[::-1]
    many = embed(provider, *(TEXTS * 4), kind=kind)[len(TEXTS) * 3 :]
    np.testing.assert_allclose(alone, together, atol=1e-5)
    np.testing.assert_allclose(backwards, together, atol=1e-5)
    np.testing.assert_allclose(many, together, atol=1e-5)


def test_different_texts_have_different_rows(provider: EmbeddingProvider) -> None:
    rows = embed(provider, *(text for text in TEXTS if text.strip()))
    cosines = rows @ rows.T - np.eye(len(rows))
    assert cosines.max() < 0.999


def test_no_texts_give_no_rows(provider: EmbeddingProvider) -> None:
    assert len(provider.embed([], kind="query")) == 0
    assert len(provider.embed([], kind="document")) == 0


def test_any_sequence_of_texts_is_taken(provider: EmbeddingProvider) -> None:
    as_list = provider.embed(list(TEXTS[:3]), kind="document")
    as_tuple = provider.embed(TEXTS[:3], kind="document")
    np.testing.assert_array_equal(np.array(as_list), np.array(as_tuple))


def test_another_instance_has_the_same_card_and_rows(
    name: str, provider_settings: ProviderSettings, provider: EmbeddingProvider
) -> None:
    again = create(name, provider_settings)
    assert again.card == provider.card
    np.testing.assert_allclose(embed(again, *TEXTS), embed(provider, *TEXTS), atol=1e-6)


@pytest.mark.parametrize("question, answer, other", TRIPLES)
def test_a_question_is_nearer_to_its_answer(
    provider: EmbeddingProvider, question: str, answer: str, other: str
) -> None:
    (asked,) = embed(provider, question, kind="query")
    near, far = embed(provider, answer, other) @ asked
    assert near > far + 0.1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("word " * 20_000, id="words"),
        pytest.param("x" * 100_000, id="one word"),
        pytest.param("数" * 100_000, id="ideographs"),
        pytest.param("\n" * 99_990 + "the end", id="mostly blank"),
    ],
)
def test_a_text_of_100_000_characters_has_a_row(provider: EmbeddingProvider, text: str) -> None:
    try:
        (row,) = embed(provider, text)
    except RefusedTexts:
        assert provider.host, "a model on this machine cuts what is too long by itself"
        return
    assert math.isclose(row @ row, 1, abs_tol=1e-5) or not row.any()
    assert row.any() or len(text.split()[0]) > 100, "known words are not lost in a long text"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\0", id="NUL"),
        pytest.param("\ud800", id="lone surrogate"),
        pytest.param("\u200b\ufeff\u00ad", id="invisible"),
    ],
)
def test_what_is_no_text_changes_nothing(provider: EmbeddingProvider, text: str) -> None:
    rows = embed(provider, text, f"the cat {text} sleeps", "the cat sleeps")
    assert not rows[0].any()
    np.testing.assert_allclose(rows[1], rows[2], atol=1e-5)


@settings(max_examples=30)
@given(texts=st.lists(st.text(max_size=60), max_size=6), kind=st.sampled_from(KINDS))
def test_any_text_gives_a_unit_or_a_zero_row(
    provider: EmbeddingProvider, texts: list[str], kind: Kind
) -> None:
    rows = embed(provider, *texts, kind=kind)
    norms = np.sqrt((rows**2).sum(axis=1))
    assert np.all((np.abs(norms - 1) < 1e-5) | (norms == 0))


def test_it_says_where_texts_go(name: str, provider: EmbeddingProvider) -> None:
    assert (provider.host is not None) == (name in REMOTE)


def test_threads_get_the_rows_they_asked_for(provider: EmbeddingProvider) -> None:
    batches = [TEXTS[i : i + 3] for i in range(len(TEXTS) - 2)]
    expected = [embed(provider, *batch) for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda batch: embed(provider, *batch), batches))
    for answer, rows in zip(answers, expected, strict=True):
        np.testing.assert_allclose(answer, rows, atol=1e-5)
