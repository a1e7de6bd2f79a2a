"""Records: facts, people, patterns, open loops and signals, the typed knowledge of the user."""
