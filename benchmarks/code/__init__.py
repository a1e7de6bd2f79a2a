"""Definitions and answers in source code: the standard library and three packages, judged."""
