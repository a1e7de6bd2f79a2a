"""Memories extracted from conversations: they strengthen, fade and can be explained."""
