"""`mem setup` and `mem hook`: the memory in other programs' agents."""
