"""A session for the OpenAI Agents SDK, over HTTP."""

from symbiosis_memory_openai_agents.session import SymbiosisSession

__all__ = ["SymbiosisSession"]
