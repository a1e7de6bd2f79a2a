"""`mem search` and `mem show`: hits, passages and records as lines of text."""
