"""Patterns that judge from its messages whether a conversation is worth remembering."""
