"""Indexes that a long-lived process holds in memory: vectors by FAISS, words by BM25."""
