"""The watcher of known roots: a queue of hints, the loop, and its state for `mem status`."""
