"""The settings of each section of `memory`, which `memory.config.settings` puts together."""
