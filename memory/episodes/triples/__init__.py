"""Facts as triples: the structured face of the memories that rest on important episodes."""
