"""Search: a query in, ranked hits with citations out.

`searching` runs a query; around it are query embedding, the query cache, reranking and the
in-memory indexes of a long-lived process.
"""
