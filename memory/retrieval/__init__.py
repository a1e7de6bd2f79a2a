"""Searching: a question in, ranked hits with citations out.

`searching` is the way of a query; around it are query embedding, the query cache, reranking and
the in-memory indexes of a long-lived process.
"""
