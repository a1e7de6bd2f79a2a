"""The routes, one module for each group of them; `memory.api.routers` gathers them."""
