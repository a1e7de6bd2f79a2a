"""The command line; each group of commands is a module that is imported when it is used."""
