"""The page at /docs, and the description of the routes by OpenAPI."""
