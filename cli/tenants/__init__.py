"""`mem tenant`: the memories beside each other in one PostgreSQL database."""
