"""The common tools of all benchmarks: processes, servers, figures and reports."""
