"""The memory: what composes files, conversations and search into one."""
