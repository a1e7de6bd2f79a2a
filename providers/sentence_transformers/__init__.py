"""Any model of the library sentence-transformers, by default all-MiniLM-L6-v2."""
