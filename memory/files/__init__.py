"""Files: known roots, ingestion, sync, mounts, and in `watching/` the watcher.

`sync` compares a scan with the index and applies the difference.
"""
