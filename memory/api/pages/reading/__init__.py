"""What a citation names, as a page: a file, one of its pages as a picture, a conversation."""
