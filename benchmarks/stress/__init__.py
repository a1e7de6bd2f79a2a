"""Many processes on one database, killed at random: `python -m benchmarks.stress --minutes 3`."""
