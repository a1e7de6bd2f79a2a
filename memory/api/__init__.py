"""HTTP over one database: the FastAPI application and the server that `mem serve` runs.

FastAPI and pydantic are imported here, so import this package only to serve.
"""

from memory.api.app import create_app
from memory.api.server import serve

__all__ = ["create_app", "serve"]
