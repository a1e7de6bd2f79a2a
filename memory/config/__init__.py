"""The configuration: its settings, its file (found, read, checked, changed) and its trust.

`settings` has the root of the dataclasses, which are the only list of settings; start there.
"""
