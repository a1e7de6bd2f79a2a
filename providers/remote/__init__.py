"""Providers that ask a server: OpenAI, Gemini and Voyage, with what they have in common."""
