"""Measures Symbiosis Memory beside its goals; `python -m benchmarks`, explained in docs/."""
