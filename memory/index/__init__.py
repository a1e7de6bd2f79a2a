"""The one index over every record: documents, chunks, neighbours and keyword entries.

`embedding/` puts the model to work, `spaces/` changes it while everything goes on.
"""
