"""Turns of conversations, word for word: stored and indexed with the turns before them."""
