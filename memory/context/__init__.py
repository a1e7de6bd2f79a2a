"""The context that an agent receives before it answers."""
