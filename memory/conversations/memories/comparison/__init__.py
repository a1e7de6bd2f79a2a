"""Whether two memories say the same, or contradict each other: by words, vectors and slots."""
