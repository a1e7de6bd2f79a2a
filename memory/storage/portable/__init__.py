"""Parts of a backend that every engine shares: rows of chunks, the cache, words, noted changes."""
