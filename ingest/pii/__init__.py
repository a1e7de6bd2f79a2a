"""Personal data and secrets in conversations: detection, and masking where they must not appear."""

from ingest.pii.finding import find_pii, privacy_tags, redacted, secrets_in, without_secrets
from ingest.pii.permissions import grants_rights
from ingest.pii.values import PII, SECRET, SECRET_KINDS

__all__ = [
    "PII",
    "SECRET",
    "SECRET_KINDS",
    "find_pii",
    "grants_rights",
    "privacy_tags",
    "redacted",
    "secrets_in",
    "without_secrets",
]
