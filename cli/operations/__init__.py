"""Commands for the database as a whole: settings, status, backup, repair, export, forgetting."""
