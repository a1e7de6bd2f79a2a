"""Definitions of source code by the grammar of its language, parsed in a separate process."""
