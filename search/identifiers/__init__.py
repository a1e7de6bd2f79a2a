"""Names in texts and queries that mean exactly what they spell: found, varied, matched, ranked."""
