"""Chooses the embedding model of a database: the one that filled it, else the configured one.

Vectors of two models never meet, so a database stays with its model until it has been filled with
another's.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from memory.config import EmbeddingsConfig
from memory.config_embeddings import DEFAULT_BATCH_SIZE
from memory.config_expand import reads_environment
from memory.config_types import fields_of
from memory.storage import Space
from providers import EmbeddingProvider
from providers.registry import create
from providers.settings import ProviderSettings

AUTO = "auto"
DEFAULT_PROVIDER = "static"


@dataclass(frozen=True)
class ChosenModel:
    """A provider by name with its settings. Equal ones are the same model."""

    name: str
    settings: ProviderSettings

    @cached_property
    def provider(self) -> EmbeddingProvider:
        """The provider itself, made when first needed: words are searched without its library.

        Raises ConfigError for an unknown provider, UnavailableError when its library is missing.
        """
        return create(self.name, self.settings)


def choose_model(active: Space | None, embeddings: EmbeddingsConfig) -> ChosenModel:
    """The model that answers for a database: the one that filled its active space."""
    if active is None:
        return configured_model(None, embeddings)
    model = active.model if disagreement(active, embeddings) else None
    return ChosenModel(active.provider, provider_settings(embeddings, active.provider, model=model))


def configured_model(
    active: Space | None,
    embeddings: EmbeddingsConfig,
    *,
    provider: str | None = None,
    model: str | None = None,
) -> ChosenModel:
    """The model that the configuration names, or the given one with its settings.

    `auto` is the provider that filled the database, for a new one the built-in one.
    """
    name = provider or embeddings.provider
    if name == AUTO:
        name = active.provider if active else DEFAULT_PROVIDER
    return ChosenModel(name, provider_settings(embeddings, name, model=model))


def disagreement(active: Space | None, embeddings: EmbeddingsConfig) -> str | None:
    """Which other model the configuration names than the one that answers, if it does."""
    if active is None:
        return None
    name = active.provider if embeddings.provider == AUTO else embeddings.provider
    wanted = embeddings.model_of(name)
    if name == active.provider and wanted in (None, active.model):
        return None
    return f"{name} with {wanted}" if wanted else name


def provider_settings(
    embeddings: EmbeddingsConfig, name: str, *, model: str | None = None
) -> ProviderSettings:
    """What the configuration says to the provider `name`; `model` overrides its model."""
    section = getattr(embeddings, name, None)
    values: dict[str, Any] = (
        {key: getattr(section, key) for key in fields_of(section)} if section is not None else {}
    )
    values["model"] = model or embeddings.model_of(name)
    common = {key: values.pop(key, None) for key in ("model", "api_key", "base_url", "device")}
    if common["api_key"] and reads_environment(common["api_key"]):
        common["api_key"] = None  # the variable is not set, and its name is no key
    options = {key: value for key, value in values.items() if value is not None}
    size = embeddings.batch_size
    batch_size = None if size == DEFAULT_BATCH_SIZE else size
    return ProviderSettings(**common, batch_size=batch_size, options=options)
