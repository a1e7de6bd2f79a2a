"""Extraction of memories by a language model, in the background after a turn is stored."""
