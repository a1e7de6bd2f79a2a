"""Forty questions of different kinds to one memory, as a user types them."""
