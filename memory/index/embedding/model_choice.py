"""The choice of a database's embedding model: the one that filled it, else the configured one.

Vectors of two models never meet, so a database stays with its model until it has been filled with
another's.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from contracts import ConfigError, IncompatibleError, UnavailableError
from memory.config.expansion import reads_environment, unset_variable
from memory.config.field_types import Section, fields_of, setting_of
from memory.config.sections.embeddings import DEFAULT_BATCH_SIZE
from memory.config.settings import EmbeddingsConfig
from memory.storage import Space
from memory.storage.values import read_object
from providers import EmbeddingProvider, Kind, ModelCard, Rows
from providers.registry import create
from providers.settings import ProviderSettings

AUTO = "auto"
DEFAULT_PROVIDER = "static"
UNUSABLE = (ConfigError, UnavailableError, IncompatibleError)
"""Errors of a model that cannot be used now, or on this machine."""


class RefusedProvider(EmbeddingProvider):
    """The provider of a model that may not be used: no code of it is loaded, nothing is sent."""

    def __init__(self, refusal: UnavailableError) -> None:
        self._refusal = refusal

    def _error(self) -> UnavailableError:
        return UnavailableError(self._refusal.message, hint=self._refusal.hint)

    @property
    def card(self) -> ModelCard:
        raise self._error()

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Rows:
        raise self._error()


class ChosenModel:
    """A provider by name with its settings. Equal ones are the same model.

    `request` is the part that a space stores, so that its model can be created again whatever the
    configuration says later: JSON with the `model` and those `options` that vectors depend on.
    `refusal` is why the model may not be used, though a database names it.
    """

    def __init__(
        self,
        name: str,
        settings: ProviderSettings,
        request: str = "{}",
        refusal: UnavailableError | None = None,
    ) -> None:
        self.name = name
        self.settings = settings
        self.request = request
        self.refusal = refusal

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ChosenModel):
            return NotImplemented
        return (self.name, self.settings) == (other.name, other.settings)

    __hash__ = None  # type: ignore[assignment]  # its settings may hold options that have none

    @cached_property
    def provider(self) -> EmbeddingProvider:
        """The provider itself, created when first needed: keyword search does not load its library.

        Raises ConfigError for an unknown provider, UnavailableError when its library is missing. A
        refused model has a provider that raises its refusal when it is used.
        """
        if self.refusal is not None:
            return RefusedProvider(self.refusal)
        return create(self.name, self.settings)


def choose_model(active: Space | None, embeddings: EmbeddingsConfig) -> ChosenModel:
    """Return the model that answers for a database: the one that filled its active space."""
    if active is None:
        return configured_model(None, embeddings)
    name = active.provider
    if active.request is None:  # from an older version, which stored the name alone
        model = active.model if disagreement(active, embeddings) else None
        return _chosen(embeddings, name, model=model)
    asked = read_object(active.request)
    section = _section(embeddings, name)
    if section is not None:
        # The database may not say more than the configuration lets it: no address, no key.
        vector_settings = _vector_settings(section)
        known = {key: value for key, value in asked["options"].items() if key in vector_settings}
        changed: dict[str, Any] = {name: replace(section, **known)}
        embeddings = replace(embeddings, **changed)
    model = asked["model"]
    if model is None and embeddings.model_of(name) is not None:
        model = active.model  # the provider chose it, and might choose another now
    return _chosen(embeddings, name, model=model)


def configured_model(
    active: Space | None,
    embeddings: EmbeddingsConfig,
    *,
    provider: str | None = None,
    model: str | None = None,
) -> ChosenModel:
    """Return the model that the configuration names, or the given one with its settings.

    `auto` is the model that filled the database, for a new one the built-in one.
    """
    name = provider or embeddings.provider
    if name == AUTO and active is not None:
        if model is None:
            return choose_model(active, embeddings)
        name = active.provider
    elif name == AUTO:
        name = DEFAULT_PROVIDER
    return _chosen(embeddings, name, model=model)


def _chosen(embeddings: EmbeddingsConfig, name: str, *, model: str | None) -> ChosenModel:
    settings = provider_settings(embeddings, name, model=model)
    section = _section(embeddings, name)
    names = _vector_settings(section) if section is not None else ()
    options = {key: getattr(section, key) for key in names}
    return ChosenModel(name, settings, json.dumps({"model": settings.model, "options": options}))


def _section(embeddings: EmbeddingsConfig, name: str) -> Section | None:
    """Return the section of a provider, None for a plugin, whatever its name."""
    section = getattr(embeddings, name, None)
    return section if isinstance(section, Section) else None


def _vector_settings(section: Section) -> list[str]:
    """Return the settings of a provider's section that vectors depend on, except its model."""
    needs = {name: setting_of(item.type) for name, item in fields_of(section).items()}
    return [
        name for name, item in needs.items() if item and item.needs == "reindex" and name != "model"
    ]


def disagreement(active: Space | None, embeddings: EmbeddingsConfig) -> str | None:
    """Describe the model that the configuration names if it is not the one that answers."""
    if active is None or embeddings.provider == AUTO:
        return None
    name = embeddings.provider
    wanted = embeddings.model_of(name)
    if name != active.provider or not _is_wanted(active, wanted):
        return f"{name} with {wanted}" if wanted else name
    section = _section(embeddings, name)
    options = read_object(active.request)["options"] if active.request else {}
    changed = [key for key, value in options.items() if getattr(section, key, value) != value]
    return f"{name} with another {' and '.join(changed)}" if changed else None


def _is_wanted(active: Space, wanted: str | None) -> bool:
    """Return whether the model of a space is the wanted one; None: the provider's own choice."""
    if active.request is None:
        return wanted in (None, active.model)
    return wanted in (read_object(active.request)["model"], active.model)


def provider_settings(
    embeddings: EmbeddingsConfig, name: str, *, model: str | None = None
) -> ProviderSettings:
    """Return the configured settings of the provider `name`; `model` overrides its model."""
    section = _section(embeddings, name)
    values: dict[str, Any] = (
        {key: getattr(section, key) for key in fields_of(section)} if section is not None else {}
    )
    values["model"] = model or embeddings.model_of(name)
    common = {key: values.pop(key, None) for key in ("model", "api_key", "base_url", "device")}
    variable = None
    if common["api_key"] and reads_environment(common["api_key"]):
        variable = unset_variable(common["api_key"], {})
        common["api_key"] = None  # the variable is not set, and its name is not a key
    options = {key: value for key, value in values.items() if value is not None}
    size = embeddings.batch_size
    batch_size = None if size == DEFAULT_BATCH_SIZE else size
    return ProviderSettings(**common, key_variable=variable, batch_size=batch_size, options=options)
