"""Consent to a model that a database names.

A database may have come with a cloned repository, or from anywhere. What the configuration may not
say without consent, it may not say either: a model that sends text away, loads code, or is not a
provider's usual one. A refused model has no vectors, so words alone are searched and stored. Naming
the model (`mem reindex --provider NAME`, or in the configuration) is consent to it, and so is
`mem config trust`.
"""

from collections.abc import Iterable
from contextlib import suppress

from contracts import StorageError, UnavailableError
from memory.config.sections.embeddings import DEFAULT_MODELS
from memory.config.trust import Restricted, give_consent, without_consent
from memory.index.embedding.model_choice import (
    AUTO,
    DEFAULT_PROVIDER,
    ChosenModel,
    choose_model,
    configured_model,
)
from memory.storage import Space
from memory.workspace import Workspace
from providers.settings import names_folder

_KEY = "embedding model"
_VENDORS = frozenset({"openai", "gemini", "voyage"})


def checked_model(workspace: Workspace, chosen: ChosenModel) -> ChosenModel:
    """Return a model that the database names, with a refusal if it needs consent."""
    if not waiting(workspace, model_claims(workspace, [chosen])):
        return chosen
    other = "use the configured one: mem reindex"
    if workspace.config.embeddings.provider == AUTO:
        other = f"use the built-in one: mem reindex --provider {DEFAULT_PROVIDER}"
    refusal = UnavailableError(
        f"{workspace.path} is not trusted, and names the embedding model {_described(chosen)}",
        hint=f"to use that: {trust_command(workspace)}; to {other}",
    )
    return ChosenModel(chosen.name, chosen.settings, chosen.request, refusal)


def is_accepted(workspace: Workspace, space: Space) -> bool:
    """Return whether a space from elsewhere is of a model that the user has here anyway."""
    chosen = choose_model(space, workspace.config.embeddings)
    return _is_usual(chosen) or _is_configured(workspace, chosen)


def require_consent(workspace: Workspace, *, provider: str | None, model: str | None) -> None:
    """Raise UnavailableError when a reindex to this would use a model that needs consent."""
    refusal = checked_model(workspace, _asked(workspace, provider, model)).refusal
    if refusal is not None:
        raise refusal


def consent_to_model(workspace: Workspace, *, provider: str | None, model: str | None) -> None:
    """Remember that the user named this model.

    Without a place to remember it, it is used this time, and the next command asks.
    """
    claims = model_claims(workspace, [_asked(workspace, provider, model)])
    if workspace.path is not None:
        with suppress(StorageError):
            give_consent(workspace.path, claims)


def model_claims(workspace: Workspace, chosen: Iterable[ChosenModel]) -> list[Restricted]:
    """Return those of the models that need consent in this database, given already or not."""
    if workspace.loaded.trusts_database:
        return []
    return [
        Restricted(_KEY, f"is {_described(item)}", _identity(item))
        for item in chosen
        if not (_is_usual(item) or _is_configured(workspace, item))
    ]


def waiting(workspace: Workspace, claims: list[Restricted]) -> list[Restricted]:
    """Return those of the claims of a database that nobody consented to."""
    return without_consent(workspace.path, claims) if workspace.path is not None else []


def trust_command(workspace: Workspace) -> str:
    """Return the command that consents to what this database says."""
    import shlex  # most models need no consent

    return f"mem --db {shlex.quote(str(workspace.path))} config trust"


def _asked(workspace: Workspace, provider: str | None, model: str | None) -> ChosenModel:
    active = workspace.storage.active_space()
    embeddings = workspace.config.embeddings
    return configured_model(active, embeddings, provider=provider, model=model)


def _is_usual(chosen: ChosenModel) -> bool:
    """Return whether a model is local, and the one that its provider uses unless told otherwise."""
    model = chosen.settings.model
    if chosen.name in ("static", "minilm", "fake"):
        return model is None or not names_folder(model)
    if chosen.name != "sentence_transformers":
        return False
    usual = model in (None, DEFAULT_MODELS[chosen.name])
    return usual and not chosen.settings.options.get("revision")


def _is_configured(workspace: Workspace, chosen: ChosenModel) -> bool:
    """Return whether the configuration in force names the model, or for a vendor the vendor."""
    embeddings = workspace.config.embeddings
    if chosen.name not in (embeddings.provider, embeddings.fallback_provider):
        return False
    if chosen.name in _VENDORS:
        return True
    configured = configured_model(None, embeddings, provider=chosen.name)
    return _identity(configured) == _identity(chosen)


def _identity(chosen: ChosenModel) -> list[str | None]:
    return [chosen.name, chosen.settings.model, chosen.settings.options.get("revision")]


def _described(chosen: ChosenModel) -> str:
    return " ".join(filter(None, [chosen.name, chosen.settings.model]))
