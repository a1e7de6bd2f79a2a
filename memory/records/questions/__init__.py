"""Questions that one kind of record answers as a whole, whatever a search of their words finds."""
