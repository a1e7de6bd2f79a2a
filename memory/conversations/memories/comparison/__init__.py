"""Comparison of memories: equal or contradicting, by words, vectors and slots."""
