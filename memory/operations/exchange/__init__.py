"""Export and import as lines of JSON, by `exporting` and `importing`; see docs/import.md."""
