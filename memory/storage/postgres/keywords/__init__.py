"""Words of texts in PostgreSQL: postings, BM25 over them, and their statistics."""
