"""Embedding spaces: listed, built beside the active one, and swapped."""
