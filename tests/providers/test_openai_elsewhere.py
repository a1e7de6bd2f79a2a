"""Optional: the provider against a real server that somebody else wrote.

    export MEM_TEST_OPENAI_URL=http://127.0.0.1:11434/v1 MEM_TEST_OPENAI_MODEL=all-minilm
    pytest -m elsewhere

The server is to serve a model that knows English; a key is read from MEM_TEST_OPENAI_KEY.
"""

import math
import os
from operator import mul

import pytest

from providers import ProviderSettings
from providers.remote.openai import OpenAIProvider

URL = os.environ.get("MEM_TEST_OPENAI_URL")
MODEL = os.environ.get("MEM_TEST_OPENAI_MODEL")

pytestmark = [
    pytest.mark.elsewhere,
    pytest.mark.skipif(not (URL and MODEL), reason="MEM_TEST_OPENAI_URL and _MODEL name no server"),
]


def provider() -> OpenAIProvider:
    key = os.environ.get("MEM_TEST_OPENAI_KEY")
    return OpenAIProvider(ProviderSettings(model=MODEL, base_url=URL, api_key=key))


def cosine(one: list[float], other: list[float]) -> float:
    return sum(map(mul, one, other))


def test_rows_are_unit_vectors_that_know_what_is_alike() -> None:
    texts = ["The cat sleeps on the warm sofa.", "A kitten naps.", "Interest rates rose.", ""]
    rows = provider().embed(texts, kind="document")
    assert {len(row) for row in rows} == {provider().dimensions}
    assert [math.hypot(*row) for row in rows] == pytest.approx([1, 1, 1, 0], abs=1e-5)
    cat, kitten, rates, _ = rows
    assert cosine(cat, kitten) > cosine(cat, rates) + 0.1
