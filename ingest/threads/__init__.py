"""What a conversation is worth remembering for, told from its messages alone."""
