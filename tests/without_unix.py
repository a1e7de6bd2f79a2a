"""Runs a command as `mem` does, in a Python without the names that Windows lacks.

It finds what a command needs of Unix; it shows nothing of how Windows behaves.
"""

import importlib
import os
import signal
import socket
import sys

_LIBRARIES = (
    *("uvicorn", "fastapi", "filelock", "multiprocessing.connection", "subprocess", "asyncio"),
    *("logging.handlers", "click", "rich.console", "platformdirs", "tempfile", "uuid"),
)
_MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty", "inotify_simple")
_SIGNALS = ("SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN")
_OF_SIGNAL = ("alarm", "setitimer", "pthread_sigmask", "ITIMER_REAL", "ITIMER_PROF")
_OF_OS = ("fork", "geteuid", "getuid", "getgid", "mkfifo", "sched_getaffinity", "setsid", "killpg")


def take_away() -> None:
    """Remove them, after the libraries that have other ways on Windows were imported."""
    for name in _LIBRARIES:
        importlib.import_module(name)
    for name in _MODULES:
        sys.modules[name] = None  # type: ignore[assignment]  # the documented way to forbid one
    gone = [name for name in dir(signal) if name.startswith("SIG") and name not in _SIGNALS]
    for module, names in ((signal, [*gone, *_OF_SIGNAL]), (os, _OF_OS), (socket, ["AF_UNIX"])):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)


if __name__ == "__main__":
    take_away()
    from cli.main import main

    sys.argv[0] = "mem"
    main()
