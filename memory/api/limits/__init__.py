"""Limits on what requests and connections may ask of the server."""

from memory.api.limits.bodies import MAX_BODY_BYTES, SYNC_WAIT_S, THREADS, BodyLimit

__all__ = ["MAX_BODY_BYTES", "SYNC_WAIT_S", "THREADS", "BodyLimit"]
