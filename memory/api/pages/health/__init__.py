"""The state of the database as a page that stays up to date, with remedies for failures."""
