"""The bodies of HTTP requests and answers, as pydantic models."""
