"""Collections: folders that have a name and a description."""
