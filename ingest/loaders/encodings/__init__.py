"""Decode bytes: declared encodings, Unicode, and legacy encodings detected by their letters."""
