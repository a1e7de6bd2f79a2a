"""A published test set of identifiers from real code, and how well they are found."""
