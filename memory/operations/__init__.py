"""What is done to a memory as a whole: status, doctor, audit, forgetting, export, backup, jobs.

`manage` looks at and manages single records of any kind.
"""
