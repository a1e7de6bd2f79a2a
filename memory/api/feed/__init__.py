"""The changes of records over HTTP: page by page, or as a stream of events."""
