"""Signatures by Standard Webhooks 1.0: HMAC-SHA256 over id, time and body, so that a receiver knows the sender.

No Django in here. A receiver recomputes the signature with its secret, compares it in constant time, and refuses
anything older than five minutes; by the id it recognises what it has already seen.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence

PREFIX = "whsec_"
SECRET_BYTES = 32


def secret_make() -> str:
    """A new secret in the form that Standard Webhooks libraries take."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def sign(*, secret: str, event_id: str, timestamp: int, body: bytes) -> str:
    """`v1,` and the signature in base64."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    content = f"{event_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()


def signed_headers(*, secrets_: Sequence[str], event_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The three headers; one signature per secret, because two are valid while one replaces the other."""
    signatures = [sign(secret=one, event_id=event_id, timestamp=timestamp, body=body) for one in secrets_]
    return {"webhook-id": event_id, "webhook-timestamp": str(timestamp), "webhook-signature": " ".join(signatures)}
