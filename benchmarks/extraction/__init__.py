"""Precision and recall of the extraction rules, on turns labelled by hand."""

from benchmarks.extraction.figures import extraction

__all__ = ["extraction"]
