"""Embedding providers: text in, vectors of one declared space out."""

from typing import TYPE_CHECKING, Any

from providers.base import EmbeddingProvider, Kind, ModelCard, RefusedTexts, Rows
from providers.registry import create, known_providers
from providers.settings import ProviderSettings

if TYPE_CHECKING:
    from providers.onnx.minilm import MinilmProvider
    from providers.onnx.provider import OnnxProvider
    from providers.remote.gemini import GeminiProvider
    from providers.remote.openai import OpenAIProvider
    from providers.remote.voyage import VoyageProvider
    from providers.sentence_transformers.provider import SentenceTransformersProvider

__all__ = [
    "EmbeddingProvider",
    "GeminiProvider",
    "Kind",
    "MinilmProvider",
    "ModelCard",
    "OnnxProvider",
    "OpenAIProvider",
    "ProviderSettings",
    "RefusedTexts",
    "Rows",
    "SentenceTransformersProvider",
    "VoyageProvider",
    "create",
    "known_providers",
]

_HOMES = {
    "GeminiProvider": "providers.remote.gemini",
    "MinilmProvider": "providers.onnx.minilm",
    "OnnxProvider": "providers.onnx.provider",
    "OpenAIProvider": "providers.remote.openai",
    "SentenceTransformersProvider": "providers.sentence_transformers.provider",
    "VoyageProvider": "providers.remote.voyage",
}


def __getattr__(name: str) -> Any:
    """Import a provider's class when it is first used: a search needs only the configured one."""
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
