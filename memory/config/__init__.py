"""The configuration: its settings, its file (found, read, checked, changed) and its trust.

`settings` has the root of the dataclasses, and `sections/` the others; they are the only list of
settings. Start there.
"""
