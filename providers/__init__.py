"""Embedding providers: text in, vectors of one declared space out."""

from providers.base import EmbeddingProvider, Kind, ModelCard, RefusedTexts, Rows
from providers.registry import create, known_providers
from providers.settings import ProviderSettings

__all__ = [
    "EmbeddingProvider",
    "Kind",
    "ModelCard",
    "ProviderSettings",
    "RefusedTexts",
    "Rows",
    "create",
    "known_providers",
]
