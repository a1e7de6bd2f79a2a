"""Tenants: the commands on them, whose memory a token is for, and the job that visits each."""
