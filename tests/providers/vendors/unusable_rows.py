"""Answers with other rows than those of one text, in the format that OpenAI and Voyage share."""

import pytest

from tests.providers.wire.openai import embeddings
from tests.providers.wire.server import Answer

UNUSABLE_ROWS = [
    pytest.param(Answer(body=[]), "no embeddings", "", id="no object"),
    *(
        pytest.param(
            Answer(body={"data": [{"index": 0, "embedding": embedding}]}),
            "no embeddings",
            "",
            id=name,
        )
        for name, embedding in (("no base64", "?"), ("three bytes", "AAAA"))
    ),
    pytest.param(Answer(body=embeddings([])), "0 embeddings for 1 texts", "", id="fewer rows"),
    pytest.param(
        Answer(body=embeddings([[1.0]] * 2)), "2 embeddings for 1 texts", "", id="more rows"
    ),
    *(
        pytest.param(
            Answer(body={"data": [{"index": 1, "embedding": embedding}]}),
            "indexes that are not those of 1 texts",
            "",
            id=f"wrong index, {name}",
        )
        for name, embedding in (("numbers", [1.0]), ("base64", "AAAAAA=="))
    ),
]
"""As in `Vendor.for_good`: an answer, and what the message and the hint then say."""
