"""Programs that make files shipped by the project; they are not installed."""
