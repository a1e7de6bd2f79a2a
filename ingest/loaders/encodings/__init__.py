"""From bytes to characters: declared encodings, Unicode, and older ones told by their letters."""
