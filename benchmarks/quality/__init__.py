"""Measures how good the answers are on judged collections; `python -m benchmarks.quality`."""
