"""One module for each engine, loaded by `runner` in that engine's own environment."""
