"""Measure Symbiosis Memory against its goals; `python -m benchmarks`, explained in docs/."""
