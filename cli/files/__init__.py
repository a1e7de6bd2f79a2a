"""Commands for files: sync, watch, ingest, list and reindex."""
