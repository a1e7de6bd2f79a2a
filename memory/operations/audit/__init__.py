"""A review of memories: problems in what is remembered, and the commands that fix them."""

from memory.operations.audit.examination import audit
from memory.operations.audit.values import KINDS, MOST_FINDINGS, AuditFinding, AuditReport

__all__ = ["KINDS", "MOST_FINDINGS", "AuditFinding", "AuditReport", "audit"]
