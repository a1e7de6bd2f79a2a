"""Chat histories of other programs as turns: one module a format, none of them knows a database."""
