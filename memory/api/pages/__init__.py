"""Pages for the person whose memory it is: HTML over the same functions as the other routes."""
