"""Start one command and record its duration and memory.

A separate program, `python -I -S child.py REPORT CORE COMMAND...`: a process inherits the peak
memory of its parent, so the parent must be smaller than anything it measures. REPORT gets `seconds
exit-code peak-memory cpu-seconds`, the memory in the unit of `getrusage`. CORE is the processor to
use, or `any`.
"""

import os
import sys
import time

report, core, *command = sys.argv[1:]
if core != "any" and hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {int(core)})
started = time.perf_counter()
child = os.posix_spawn(command[0], command, os.environ)
_, status, usage = os.wait4(child, 0)
seconds = time.perf_counter() - started
with open(report, "w", encoding="ascii") as file:  # noqa: PTH123  # pathlib is not loaded here
    code = os.waitstatus_to_exitcode(status)
    cpu_seconds = usage.ru_utime + usage.ru_stime
    file.write(f"{seconds!r} {code} {usage.ru_maxrss} {cpu_seconds!r}")
