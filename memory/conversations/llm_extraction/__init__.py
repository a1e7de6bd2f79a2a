"""What a language model adds to memories later: nobody who writes a turn waits for it."""
