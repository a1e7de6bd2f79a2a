"""How well the rules find what people say about themselves, on turns labelled by hand."""

from benchmarks.extraction.figures import extraction

__all__ = ["extraction"]
