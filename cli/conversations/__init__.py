"""Commands for conversations and memories, those of `sm` included."""
