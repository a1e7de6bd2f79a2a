"""Retries of the payments service."""

import time
from collections.abc import Callable

PAUSES_S = (2, 4, 8)


def send_with_retries(send: Callable[[str], bool], idempotency_key: str) -> bool:
    """Send a payment until it is accepted, at most four times."""
    for pause_s in (*PAUSES_S, None):
        if send(idempotency_key):
            return True
        if pause_s is not None:
            time.sleep(pause_s)
    return False
