"""The memory as lines of JSON: written by `exporting`, read by `importing`; see docs/import.md."""
