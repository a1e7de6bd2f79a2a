"""From a text to the pieces that are searched."""

from ingest.chunking.chunker import chunk
from ingest.chunking.values import ChunkSettings, Piece, fingerprint

__all__ = ["ChunkSettings", "Piece", "chunk", "fingerprint"]
