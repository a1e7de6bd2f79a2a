"""The routes, one module for each group of them; each exports its `router`."""

from memory.api.routes import files, ingest, manage, search, status

ROUTERS = (search.router, ingest.router, files.router, manage.router, status.router)

__all__ = ["ROUTERS"]
