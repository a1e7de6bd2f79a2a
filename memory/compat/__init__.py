"""What exists only because a seed of the project names it.

The classes of Symbiosis-Memory and the small lexical index of sem-mem.
"""
