"""The command line; each group of commands is a module that is imported when it is used."""

from cli.safe_path import without_working_directory

__all__ = ["without_working_directory"]
