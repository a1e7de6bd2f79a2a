"""Cut a text into the pieces that are searched."""
