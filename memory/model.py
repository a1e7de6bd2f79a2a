"""Chooses the embedding model of a database: the one that filled it, else the configured one."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from memory.config import EmbeddingsConfig
from memory.config_types import fields_of
from memory.storage import Space
from providers import EmbeddingProvider
from providers.registry import create
from providers.settings import ProviderSettings

AUTO = "auto"
DEFAULT_PROVIDER = "static"


@dataclass(frozen=True)
class ChosenModel:
    """A provider by name, and whether it is the one that the configuration names."""

    name: str
    settings: ProviderSettings
    configured: bool
    warning: str | None = None

    @cached_property
    def provider(self) -> EmbeddingProvider:
        """The provider itself, made when first needed: words are searched without its library.

        Raises ConfigError for an unknown provider, UnavailableError when its library is missing.
        """
        return create(self.name, self.settings)


def choose_model(active: Space | None, embeddings: EmbeddingsConfig) -> ChosenModel:
    """The model that answers for a database.

    A database stays with the model that filled it: vectors of two models never meet.
    """
    name = embeddings.provider
    if active is None:
        name = DEFAULT_PROVIDER if name == AUTO else name
        return ChosenModel(name, provider_settings(embeddings, name), configured=True)
    settings = provider_settings(embeddings, active.provider)
    wanted = embeddings.model_of(active.provider)
    if name in (AUTO, active.provider) and wanted in (None, active.model):
        return ChosenModel(active.provider, settings, configured=True)
    settings = provider_settings(embeddings, active.provider, model=active.model)
    return ChosenModel(
        active.provider,
        settings,
        configured=False,
        warning=(
            f"the configuration names the embedding provider {name}"
            f"{f' with {wanted}' if wanted and name == active.provider else ''}, and this database "
            f"answers with {active.provider} {active.model}, which filled it; to use the other, "
            "sync into a new database (--db)"
        ),
    )


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
    options = {key: value for key, value in values.items() if value is not None}
    return ProviderSettings(**common, batch_size=embeddings.batch_size, options=options)
