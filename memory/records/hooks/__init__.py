"""The hooks of facts, people, patterns, open loops and signals."""
