"""The benchmarks themselves, a module for each thing that is measured."""
