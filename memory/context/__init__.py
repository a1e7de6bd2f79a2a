"""What an agent gets before it answers."""
