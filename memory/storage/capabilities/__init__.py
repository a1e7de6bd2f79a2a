"""Optional capabilities of a backend beside storing and searching: files, health, other
programs.
"""
