"""Measure Symbiosis Memory beside other local engines; `python -m benchmarks.peers`."""
