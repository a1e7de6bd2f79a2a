"""The command line; each group of commands is a module that is imported when it is used."""

from cli.safe_path import safe_path

__all__ = ["safe_path"]
