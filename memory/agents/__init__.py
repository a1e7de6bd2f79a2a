"""Other programs' agents: their configuration files, and the hooks by which they call us."""
