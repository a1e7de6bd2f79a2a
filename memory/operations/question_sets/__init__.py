"""A person's own questions with the places of their answers, and how well they are found."""
