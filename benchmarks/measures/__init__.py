"""The benchmarks themselves, one module per subject."""
