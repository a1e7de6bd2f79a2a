"""Follows known roots while they change: a queue of hints, the watcher, its state in status."""
