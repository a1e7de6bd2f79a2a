"""The fake reranker: predictable scores, and failures on demand; and who makes a reranker."""

import pytest

from contracts import ConfigError, UnavailableError
from providers.rerankers.base import create_reranker
from providers.rerankers.fake import FakeReranker
from providers.settings import ProviderSettings


def test_a_score_is_the_share_of_the_words() -> None:
    reranker = FakeReranker()
    texts = ["Cats sleep.", "a cat and a dog", "cats AND dogs", ""]
    assert reranker.score("cats dogs", texts) == [0.5, 0, 1, 0]
    assert reranker.score("?", texts) == [0, 0, 0, 0]
    assert reranker.pairs_scored == 8


def test_it_gives_what_it_was_given() -> None:
    reranker = FakeReranker()
    reranker.scores = [0.25, float("nan"), 0.75]
    assert reranker.score("x", ["a"]) == [0.25]
    assert len(reranker.score("x", ["a", "b", "c"])) == 2


def test_it_fails_when_told_to() -> None:
    reranker = create_reranker("fake", ProviderSettings(model="m", options={"fail_times": 2}))
    assert reranker.model_name == "m"
    with pytest.raises(UnavailableError, match="told to fail"):
        reranker.load()
    with pytest.raises(UnavailableError, match="told to fail"):
        reranker.score("x", ["x"])
    reranker.load()
    assert reranker.score("x", ["x"]) == [1]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ConfigError, match="no reranker named 'fakes'") as caught:
        create_reranker("fakes", ProviderSettings())
    assert "did you mean 'fake'" in caught.value.hint
    with pytest.raises(ConfigError, match="named 'slow'"):
        create_reranker("fake", ProviderSettings(options={"slow": 1}))
