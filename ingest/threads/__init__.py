"""Threads of messages: patterns that judge them worth remembering, and extractive summaries."""
