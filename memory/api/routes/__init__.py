"""The routes, one module per group; `memory.api.routers` lists them."""
