"""The embedding model at work: which one, its vectors, its refusals, its worth and its cost."""
