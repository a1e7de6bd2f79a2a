"""Embedding providers: text in, vectors of one declared space out."""

from providers.base import EmbeddingProvider, Kind, ModelCard, Rows

__all__ = ["EmbeddingProvider", "Kind", "ModelCard", "Rows"]
