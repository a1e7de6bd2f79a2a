"""The bodies of HTTP requests and responses, as pydantic models."""
