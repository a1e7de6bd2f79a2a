"""Make the graph of all-MiniLM-L6-v2 that comes with the program; `__main__` has the steps."""
