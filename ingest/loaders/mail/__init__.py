"""E-mail: single messages and mailboxes, with their headers as people read them."""
