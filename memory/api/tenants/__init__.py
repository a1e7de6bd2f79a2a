"""Tenants of a server: whose memory a token is for, and the memories that are open."""
