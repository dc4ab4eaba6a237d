"""The settings: keys, address, mail."""

import smtplib
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import validate_host

from legalqa.operations.checks.types import Check, fail, ok, warn

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


def secret_keys() -> Check:
    if settings.SECRET_KEY in settings.FIELD_KEYS:
        return fail("one key for two purposes", "Use different values for LEGALQA_FIELD_KEYS and LEGALQA_SECRET_KEY.")
    return ok(f"set; {len(settings.FIELD_KEYS)} for encrypted fields")


def debug_off() -> Check:
    if settings.DEBUG:
        return fail("on", "Unset LEGALQA_DEBUG: it shows settings and data in the browser.")
    return ok("off")


def address() -> Check:
    """The address in links: whether LegalQA accepts it, and whether it is encrypted."""
    parts = urlsplit(settings.BASE_URL)
    host = parts.hostname or ""
    if not validate_host(host, settings.ALLOWED_HOSTS):
        return fail(f"{host} is refused", f"Add {host} to LEGALQA_ALLOWED_HOSTS, or links will be refused.")
    if parts.scheme == "https" and not settings.HTTPS:
        return fail("https address without secure cookies", "Unset LEGALQA_HTTPS, or set it to true.")
    if parts.scheme != "https" and host not in LOCAL:
        return warn(f"{settings.BASE_URL} is not encrypted", "Put a proxy with TLS in front and set LEGALQA_BASE_URL.")
    return ok(settings.BASE_URL)


def mail() -> Check:
    if not settings.EMAIL_HOST:
        return ok("no mail server: owners pass links on")
    try:
        with smtplib.SMTP(settings.EMAIL_HOST, settings.EMAIL_PORT, timeout=5) as server:
            code, _ = server.noop()
    except (OSError, smtplib.SMTPException) as error:
        return fail(f"the server does not answer ({type(error).__name__})", "Check LEGALQA_SMTP_HOST and its port.")
    return ok(f"the server answers ({code})")
