"""Tools for Pydantic AI, over HTTP."""

from symbiosis_memory_pydantic_ai.tools import memory_tools

__all__ = ["memory_tools"]
