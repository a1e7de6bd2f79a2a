"""Providers that call a server: OpenAI, Gemini and Voyage, and their common parts."""
