"""Pictures of records: a series of signals, and the decay of a fact."""
