"""Takes things out of the memory for good, and proves that nothing of them is left."""
