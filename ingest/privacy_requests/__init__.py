"""Requests of a person to the memory: to keep nothing of a turn, or to forget what was said."""
