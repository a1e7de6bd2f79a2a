"""All of configuration: its settings, how a file is found, read, checked and changed, and trust.

`settings` has the root of the dataclasses, which are the only list of settings; start there.
"""
