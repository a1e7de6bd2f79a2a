"""Looks over what is remembered for what should not be, and names the command that mends it."""

from memory.operations.audit.examination import audit
from memory.operations.audit.values import KINDS, MOST_FINDINGS, AuditFinding, AuditReport, Kind

__all__ = ["KINDS", "MOST_FINDINGS", "AuditFinding", "AuditReport", "Kind", "audit"]
