"""The one scheduler of background work, and the jobs that it runs."""
