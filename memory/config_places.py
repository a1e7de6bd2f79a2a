"""Where this user keeps what belongs to no project.

platformdirs takes 10 ms to import, so it is imported only where one of these folders is needed:
not for a command that finds a configuration file beside it.
"""

from pathlib import Path

_NAME = "symbiosis-memory"


def user_config_folder() -> Path:
    """The folder of the user's own configuration file and list of trusted files."""
    from platformdirs import user_config_path

    return user_config_path(_NAME, appauthor=False)


def user_data_folder() -> Path:
    """The folder of the database that is used without any configuration file."""
    from platformdirs import user_data_path

    return user_data_path(_NAME, appauthor=False)
