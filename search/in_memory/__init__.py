"""Indexes held in memory by a long-lived process: vectors by FAISS, words by BM25."""
