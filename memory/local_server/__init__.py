"""The meeting of a command with a running server of the same user and database.

The server leaves its address and a key in the user's runtime folder (`address`); both prove that
they know the key before any text is sent (`protocol`), and they work together only when they would
do the same (`agreement`). `client` asks, `listener` answers.
"""
