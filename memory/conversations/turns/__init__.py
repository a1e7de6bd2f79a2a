"""What was said, word for word: stored, indexed with what was said before it, found again."""
