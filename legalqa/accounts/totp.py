"""The calculations of the second factor: time-based codes, recovery codes, and the picture that a telephone scans."""

import hashlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

import pyotp
import segno

ISSUER = "LegalQA"
STEP_S = 30
SKEW_STEPS = 1  # a telephone's clock may be up to half a minute off
N_RECOVERY_CODES = 10
BORDER = 4  # modules around a QR code that must stay white
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # without characters that look alike on paper: i l o 0 1
_GROUPS, _GROUP_LENGTH = 4, 4


def secret_new() -> str:
    """160 random bits in base 32, as RFC 4226 (section 4, R6) recommends."""
    return pyotp.random_base32(32)


def step_matching(*, secret: str, code: str, at: datetime) -> int | None:
    """The time step whose code this is, counted from 1970 in steps of 30 s; None for none.

    Rule: RFC 6238 with SHA-1, six digits, and one step of clock skew to either side. The caller refuses a step that
    is not later than the last one used, so that a code works once (section 5.2).
    """
    digits = "".join(code.split())
    if len(digits) != 6 or not (digits.isascii() and digits.isdigit()):
        return None
    totp = pyotp.TOTP(secret)
    now = int(at.timestamp()) // STEP_S
    for step in range(now - SKEW_STEPS, now + SKEW_STEPS + 1):
        if secrets.compare_digest(totp.generate_otp(step), digits):
            return step
    return None


def provisioning_uri(*, secret: str, account: str) -> str:
    """The address that the authenticator app reads: `otpauth://totp/…`."""
    return pyotp.TOTP(secret).provisioning_uri(name=account, issuer_name=ISSUER)


@dataclass(frozen=True, slots=True)
class QrPicture:
    """A QR code as the path of an SVG picture that is `size` units wide and high, including its white border."""

    size: int
    path: str


def qr_picture(text: str) -> QrPicture:
    """The text as a QR code; the page writes the SVG element, so that no markup comes from here."""
    rows = list(segno.make(text, error="m", micro=False).matrix)
    runs = (f"M{x + BORDER} {y + BORDER}h{n}v1h-{n}z" for y, row in enumerate(rows) for x, n in _runs(row))
    return QrPicture(len(rows) + 2 * BORDER, "".join(runs))


def _runs(row: bytes | bytearray) -> Iterator[tuple[int, int]]:
    """(first column, length) of each run of dark modules."""
    first = 0
    for is_dark, modules in groupby(row, key=bool):
        length = len(list(modules))
        if is_dark:
            yield first, length
        first += length


def recovery_codes_new() -> list[str]:
    """Ten codes of 79 random bits each, in groups that can be typed from paper."""
    return [
        "-".join("".join(secrets.choice(_ALPHABET) for _ in range(_GROUP_LENGTH)) for _ in range(_GROUPS))
        for _ in range(N_RECOVERY_CODES)
    ]


def recovery_code_digest(*, user_id: object, code: str) -> str:
    """SHA-256 of person and code as 64 hex digits: with 79 random bits, no slow hash is needed."""
    plain = "".join(character for character in code.lower() if character.isalnum())
    return hashlib.sha256(f"{user_id}:{plain}".encode(errors="replace")).hexdigest()
