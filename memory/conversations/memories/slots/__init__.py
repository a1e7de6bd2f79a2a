"""The current value of a slot that records facts and memories both may fill."""
