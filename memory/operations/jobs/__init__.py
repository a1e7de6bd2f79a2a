"""Work that a server does by itself, in the background."""
