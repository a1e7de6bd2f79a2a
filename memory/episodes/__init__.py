"""Episodes: stretches of a conversation with a summary, and how well each is remembered."""
