"""Random secrets that are shown once; only their digests are stored."""

import hashlib
import secrets

TOKEN_PREFIX = "lqa_"  # noqa: S105 - the public prefix that secret scanners look for
SHOWN_CHARACTERS = 12


def secret_make(prefix: str = "") -> tuple[str, str]:
    """A new secret of 32 random bytes and its digest."""
    secret = prefix + secrets.token_urlsafe(32)
    return secret, digest_of(secret)


def digest_of(secret: str) -> str:
    """SHA-256 as 64 hex digits: 256 random bits need no slow hash, and the digest can be looked up."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()
