"""Values that operations answer with, and pure readings of what callers write.

Results, reports, citations, scopes and paths; nothing here opens a database.
"""
