"""What is distilled from conversations: memories that strengthen, fade and can be explained."""
