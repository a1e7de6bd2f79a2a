"""Checks of a database that name each problem with its repair, and the repairs."""

from memory.operations.doctor.checkup import CHECKS, checkup
from memory.operations.doctor.database_file import RESTORE
from memory.operations.doctor.reports import DoctorReport, Finding

__all__ = ["CHECKS", "RESTORE", "DoctorReport", "Finding", "checkup"]
