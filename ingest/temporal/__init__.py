"""Dates and relative dates in a text, resolved against the time it was said."""

from ingest.temporal.resolving import resolve
from ingest.temporal.values import Moment

__all__ = ["Moment", "resolve"]
