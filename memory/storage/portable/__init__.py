"""Parts of a backend whose statements every engine understands: chunks, the cache, noted changes."""
