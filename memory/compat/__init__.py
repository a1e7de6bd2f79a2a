"""Names of Symbiosis-Memory and sem-mem that programs written for them expect.

The classes of Symbiosis-Memory and the small lexical index of sem-mem.
"""
