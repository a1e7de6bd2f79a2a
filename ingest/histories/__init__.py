"""Chat histories of other programs as turns: one module per format, independent of the database."""
