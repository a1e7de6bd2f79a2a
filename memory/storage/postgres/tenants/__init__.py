"""The tenants of a PostgreSQL database: one schema each, owned by a role of its own if wanted."""

from memory.storage.postgres.tenants.catalogue import PostgresTenants, open_tenants_at

__all__ = ["PostgresTenants", "open_tenants_at"]
