"""The names and links of notes, and their share in what finds a note."""
