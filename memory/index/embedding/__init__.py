"""The embedding model of a database: its choice, vectors, refusals, weight, cost and fallback."""
