"""Pages of what a citation names: a file, a page of it as a picture, a conversation."""
