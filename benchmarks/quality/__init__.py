"""Measure the quality of answers on judged collections; `python -m benchmarks.quality`."""
