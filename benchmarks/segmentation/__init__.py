"""Agreement of the ends of episodes with the known boundaries of joined conversations."""
