"""Embedding spaces: listed, built beside the one that answers, and swapped."""
