"""Distil the built-in embedding model from all-MiniLM-L6-v2; `__main__` has the steps."""
