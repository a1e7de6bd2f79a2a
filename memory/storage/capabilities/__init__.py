"""What a backend can do beside storing and searching, as the operations that need it see it."""
