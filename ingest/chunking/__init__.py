"""From a text to the pieces that are searched."""
