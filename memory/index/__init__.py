"""The one index over every record: documents, chunks, neighbours and keyword entries.

`embedding/` has the embedding model, `spaces/` changes it while the database stays in use.
"""
