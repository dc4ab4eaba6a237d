"""E-mail (RFC 5322 and MIME): its headers and its words; attachments are files of their own (`members.py`)."""

from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage, Message
from email.utils import parsedate_to_datetime

from corpora.parsers.assemble import document_assemble
from corpora.parsers.blocks import Block
from corpora.parsers.cleaning import clean_paragraph, unmapped
from corpora.parsers.formulas import formulas_warning
from corpora.parsers.html import fragment_blocks
from corpora.parsers.limits import Limits
from corpora.parsers.plain import plain_blocks, text_decode
from corpora.parsers.reasons import FileRefused
from corpora.types import ParsedDocument

HEADERS = ("From", "To", "Cc", "Date", "Subject")
_MAX_PARTS_DEPTH = 50
_TYPE_EXTENSIONS = {"text/plain": ".txt", "text/html": ".html", "application/pdf": ".pdf", "message/rfc822": ".eml"}


def mail_parse(data: bytes, *, name: str, limits: Limits) -> ParsedDocument:
    """Read an e-mail.

    Rule: From, To, Cc, Date and Subject are the first paragraphs; then the plain text of the message, or its HTML
    where there is none. Quoted earlier messages stay: they may be what is asked about.

    Args:
        data: The file.
        name: Its name.
        limits: Cap on characters.

    Returns:
        The document; its title is the subject.

    Raises:
        FileRefused: damaged, too_many_characters.
    """
    message = mail_open(data)
    headers = [(header, header_value(message, header)) for header in HEADERS]
    head = [Block(unmapped(f"{header}: {value}")) for header, value in headers if value]
    body, n_odd = _body_blocks(message)
    if sum(len(block.content.text) for block in body) > limits.characters:
        raise FileRefused("too_many_characters")
    return document_assemble(
        None, [*head, *body], title=dict(headers)["Subject"], name=name, warnings=formulas_warning(n_odd)
    )


def mail_open(data: bytes) -> EmailMessage:
    """Parse a message.

    Raises:
        FileRefused: damaged, if it is beyond what the parser bears.
    """
    try:
        message = message_from_bytes(data, policy=policy.default)
        next(message.walk())
    except (ValueError, LookupError, RecursionError, AttributeError, TypeError) as error:
        raise FileRefused("damaged") from error
    assert isinstance(message, EmailMessage)
    return message


def header_value(message: Message, header: str) -> str:
    """A header as one line of clean text, "" if it is not there; a date in the form 2024-05-31 14:05 +0200."""
    try:
        raw = str(message.get(header, ""))
    except (ValueError, LookupError, IndexError, AttributeError, TypeError):  # the parser meets odd headers with these
        raw = dict(message.raw_items()).get(header, "")
    value = clean_paragraph(raw).text
    if header != "Date":
        return value
    try:
        return parsedate_to_datetime(value).strftime("%Y-%m-%d %H:%M %z").strip()
    except (ValueError, TypeError, IndexError):
        return value


def _body_blocks(message: EmailMessage) -> tuple[list[Block], int]:
    for kind in ("plain", "html"):
        part = _body(message, kind)
        text = part_text(part) if part is not None else ""
        blocks, n_odd = (plain_blocks(text), 0) if kind == "plain" else fragment_blocks(text)
        if blocks:
            return blocks, n_odd
    return [], 0


def _body(message: EmailMessage, kind: str) -> Message | None:
    try:
        return message.get_body(preferencelist=(kind,))
    except (ValueError, LookupError, AttributeError, KeyError, TypeError, RecursionError):
        return None


def part_text(part: Message) -> str:
    """The words of a text part, whatever it says about its character set."""
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    charset = part.get_content_charset() or "utf-8"
    try:
        text = payload.decode(charset)
    except (UnicodeDecodeError, LookupError):
        text = text_decode(payload)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def attachments(message: EmailMessage) -> Iterator[tuple[str, bytes]]:
    """Names and bytes of all that an e-mail carries besides the words of its message, in order."""
    words = [part for kind in ("plain", "html") if (part := _body(message, kind)) is not None]
    for place, part in enumerate(_leaves(message, 0), 1):
        if not any(part is spoken for spoken in words):
            yield _name(part, place), _content(part)


def _leaves(part: Message, depth: int) -> Iterator[Message]:
    """Parts without parts; an attached message is one of them."""
    if depth > _MAX_PARTS_DEPTH:
        raise FileRefused("damaged")
    payload = part.get_payload()
    if part.get_content_maintype() == "multipart" and isinstance(payload, list):
        for child in payload:
            if isinstance(child, Message):
                yield from _leaves(child, depth + 1)
    else:
        yield part


def _name(part: Message, place: int) -> str:
    try:
        name = part.get_filename() or ""
    except (ValueError, LookupError, AttributeError, TypeError):
        name = ""
    kind = part.get_content_type()
    if kind == "message/rfc822" and not name:
        inner = _inner(part)
        name = header_value(inner, "Subject") if inner is not None else ""
        return f"{name or f'message {place}'}.eml"
    return name or f"part {place}{_TYPE_EXTENSIONS.get(kind, '.bin')}"


def _content(part: Message) -> bytes:
    inner = _inner(part)
    if inner is not None:
        return inner.as_bytes(policy=policy.compat32)
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _inner(part: Message) -> Message | None:
    payload = part.get_payload()
    if part.get_content_maintype() == "message" and isinstance(payload, list) and payload:
        return payload[0] if isinstance(payload[0], Message) else None
    return None


def rehearse() -> None:
    """Load what the e-mail library imports late, while files of the installation can still be opened."""
    words = b"From: =?utf-8?q?a?= <a@b.c>\nTo: d@e.f\nDate: Mon, 1 Jan 2024 10:00:00 +0000\nSubject: =?utf-8?b?YQ==?=\n"
    kind = b"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\na\n"
    inner = b"--x\nContent-Type: message/rfc822\n\n" + words + b"\na\n--x--\n"
    message = mail_open(words + kind + inner)
    for header in HEADERS:
        header_value(message, header)
    _body_blocks(message)
    fragment_blocks("<p>a")
    list(attachments(message))
