"""`mem service`: the server as a service of the user's system."""
