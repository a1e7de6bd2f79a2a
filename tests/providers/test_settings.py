"""Settings refuse what cannot be meant, and keep secrets to themselves."""

import pytest

from contracts import ConfigError
from providers import ProviderSettings


def test_no_secret_is_shown() -> None:
    settings = ProviderSettings(
        model="m",
        api_key="sk-secret",
        base_url="https://user:secret@host",
        options={"token": "secret"},
    )
    assert "secret" not in repr(settings)
    assert "'m'" in repr(settings)


@pytest.mark.parametrize("batch_size", [0, -1])
def test_a_batch_has_a_text(batch_size: int) -> None:
    with pytest.raises(ConfigError, match=f"batch cannot have {batch_size} texts") as caught:
        ProviderSettings(batch_size=batch_size)
    assert "memory.embeddings.batch_size" in caught.value.hint


def test_a_known_option_passes() -> None:
    ProviderSettings(options={"dtype": "float32"}).refuse_unknown_options("p", ("dtype", "other"))


def test_a_misspelt_option_is_offered_the_right_one() -> None:
    settings = ProviderSettings(options={"dtpye": "float32"})
    with pytest.raises(
        ConfigError, match="no option of the embedding provider p named 'dtpye'"
    ) as e:
        settings.refuse_unknown_options("p", ("dtype", "other"))
    assert e.value.hint == "did you mean 'dtype'? there are: dtype, other"


def test_a_provider_without_options_says_so() -> None:
    with pytest.raises(ConfigError, match="named 'x'") as caught:
        ProviderSettings(options={"x": 1}).refuse_unknown_options("p", ())
    assert caught.value.hint == "there are none"
