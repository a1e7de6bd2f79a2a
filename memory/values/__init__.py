"""Values that operations return, and pure parsers of values that callers write.

Results, reports, citations, scopes and paths; nothing here opens a database.
"""
