"""Plain-text mails, each a folder of templates: `templates/email/<name>/{subject,body}.txt`."""

import logging
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string

logger = logging.getLogger(__name__)

# A thread of its own: a page that mails only known addresses must not take longer for them than for unknown ones.
_sender = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


NAME_CHARACTERS = 60


def name_in_mail(name: object) -> str:
    """A name that somebody chose, made safe for our mails: no addresses, nothing but a name, at most 60 letters.

    Letters, digits and the signs of names stay; a dot inside a word gets a space after it, so that no mail program
    turns it into a link.
    """
    plain = re.sub(r"[^\w\s.,&'’()+-]|_", " ", str(name))
    plain = " ".join(re.sub(r"\.(?=\w)", ". ", plain).split())
    return plain if len(plain) <= NAME_CHARACTERS else plain[: NAME_CHARACTERS - 1].rstrip() + "…"


def mail_is_configured() -> bool:
    """Whether there is a mail server; without one the pages show the links instead."""
    return not settings.EMAIL_BACKEND.endswith("dummy.EmailBackend")


def mail_make(*, name: str, to: str, context: dict[str, Any]) -> EmailMessage:
    context = {"base_url": settings.BASE_URL, **context}
    subject = " ".join(render_to_string(f"email/{name}/subject.txt", context).split())
    return EmailMessage(subject, render_to_string(f"email/{name}/body.txt", context), to=[to])


def mail_send(*, name: str, to: str, context: dict[str, Any]) -> bool:
    """Send now and return whether the mail server accepted it."""
    return mail_is_configured() and _send(mail_make(name=name, to=to, context=context), name)


def mail_send_later(*, name: str, to: str, context: dict[str, Any], is_wanted: bool = True) -> None:
    """Hand the mail to the sending thread and return at once.

    Args:
        is_wanted: False makes the mail and discards it, which takes as long as handing it over.
    """
    if mail_is_configured():
        message = mail_make(name=name, to=to, context=context)
        _sender.submit(_send if is_wanted else _discard, message, name)


def _discard(message: EmailMessage, name: str) -> bool:  # noqa: ARG001 - in the place of `_send`
    return False


def _send(message: EmailMessage, name: str) -> bool:
    try:
        message.send()
    except OSError as error:  # smtplib's errors are OSErrors; the person must get an answer anyway
        logger.warning("mail %s was not sent: %s", name, type(error).__name__)
        return False
    return True
