"""Measures what each part of the search is worth; `python -m benchmarks.ablation`."""
