"""Mails that a thread sends, as tests wait for them."""

from legalqa.accounts import mail


def mail_wait() -> None:
    """Return when every mail handed over so far has been tried: one thread sends them, one after the other."""
    mail._sender.submit(int).result()
