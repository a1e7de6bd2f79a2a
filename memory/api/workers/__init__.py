"""Several processes that answer for one server: `mem serve --workers N`.

Each is a whole server over the same database, and takes connections from the same socket.
"""
