"""Facts, and their comparison with memories: equal, contradicting or over, by words and slots."""
