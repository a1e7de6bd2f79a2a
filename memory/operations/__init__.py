"""Operations on a whole memory: status, doctor, audit, forget, exchange, backup, jobs.

`manage` reads and manages single records of any kind.
"""
