"""A database of many tenants: its catalogue, its migrations, the memory of its connections."""
