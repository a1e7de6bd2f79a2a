"""Measure the value of each part of the search; `python -m benchmarks.ablation`."""
