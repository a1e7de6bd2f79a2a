"""Documents, questions and conversations that the benchmarks are run on."""
