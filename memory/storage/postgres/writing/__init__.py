"""The change log and the words that a transaction writes beside the rows of its statements."""
