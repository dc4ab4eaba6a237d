"""A document and its versions; a version's text is stored once and never changes."""

from django.db import models

from corpora.describing.types import DOCUMENT_KINDS
from corpora.models.corpus import Corpus
from legalqa.accounts.scoping import OrganizationModel, UuidModel
from legalqa.common.transitions import Transitions


class VersionState(models.TextChoices):
    """The state of a version. Each step is stored in one transaction that moves the state."""

    RECEIVED = "received", "Waiting"
    PARSED = "parsed", "Reading"
    CHUNKED = "chunked", "Indexing"
    READY = "ready", "Ready"
    REFUSED = "refused", "Refused"
    SUPERSEDED = "superseded", "Earlier version"


VERSION_TRANSITIONS: Transitions[VersionState] = {
    VersionState.RECEIVED: frozenset({VersionState.PARSED, VersionState.REFUSED, VersionState.SUPERSEDED}),
    VersionState.PARSED: frozenset({VersionState.CHUNKED, VersionState.SUPERSEDED}),
    VersionState.CHUNKED: frozenset({VersionState.PARSED, VersionState.READY, VersionState.SUPERSEDED}),
    VersionState.READY: frozenset({VersionState.SUPERSEDED}),
    VersionState.REFUSED: frozenset({VersionState.RECEIVED}),  # another try, or the password
    VersionState.SUPERSEDED: frozenset(),
}


class Document(UuidModel):
    """One source in a corpus, known by its name; `current` is the version that searches find.

    `container` is the archive or the e-mail that it came in. A title that a person gave stays when the file is read
    again or gets a new version.

    `kind`, `jurisdiction` and `authority` (who issued it, or its parties) are guessed when the file is read;
    `field_reasons` says why, by field. Fields that a person filled in are in `given_fields`, and no guess overwrites
    them.

    A removed document is found by no search and no list; its text stays, because old answers cite it.
    """

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    name = models.CharField(max_length=200)
    title = models.CharField(max_length=300)
    is_title_given = models.BooleanField(default=False)
    kind = models.CharField(max_length=16, choices=list(DOCUMENT_KINDS.items()), blank=True, default="")
    jurisdiction = models.CharField(max_length=120, blank=True, default="")
    authority = models.CharField(max_length=300, blank=True, default="")
    field_reasons = models.JSONField(default=dict)
    given_fields = models.JSONField(default=list)
    container = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+", db_constraint=False)
    current = models.ForeignKey(
        "DocumentVersion", on_delete=models.SET_NULL, null=True, related_name="+", db_constraint=False
    )
    removed_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "name"], name="document_name_once"),
            models.CheckConstraint(condition=models.Q(kind__in=["", *DOCUMENT_KINDS]), name="document_kind_known"),
        ]

    def __str__(self) -> str:
        return self.name  # not its title, which is read from the text: operators' pages name a row by this


class DocumentVersion(UuidModel):
    """One file of a document. `reason` is a code of `corpora.parsers.reasons` where the file was refused.

    `effective_date` is the day on which it took effect: given by a person, or guessed when the file was read, with the
    reason.
    """

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=12, choices=VersionState, default=VersionState.RECEIVED)
    reason = models.CharField(max_length=40, blank=True, default="")
    detail = models.CharField(max_length=400, blank=True, default="")
    warnings = models.JSONField(default=list)
    kind = models.CharField(max_length=12)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    file_id = models.UUIDField()
    text = models.TextField(default="")
    n_pages = models.PositiveIntegerField(default=0)
    n_paragraphs = models.PositiveIntegerField(default=0)
    n_chunks = models.PositiveIntegerField(default=0)
    effective_date = models.DateField(null=True)
    effective_date_reason = models.CharField(max_length=300, blank=True, default="")
    is_effective_date_given = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    ready_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "document", "number"], name="version_number_once"),
            # The same file twice at once in a corpus: one of the two uploads meets this and says so.
            models.UniqueConstraint(
                fields=["organization", "corpus", "sha256"],
                condition=~models.Q(state__in=["refused", "superseded"]),
                name="version_file_once",
            ),
            models.CheckConstraint(condition=models.Q(state__in=VersionState.values), name="version_state_known"),
        ]

    def __str__(self) -> str:
        return f"version {self.number}"


class Page(OrganizationModel):
    """A page of a version: its part of the text, its size, and the place of each character (`PageSpan`)."""

    id = models.BigAutoField(primary_key=True)
    version = models.ForeignKey(DocumentVersion, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    number = models.PositiveIntegerField()
    label = models.CharField(max_length=40)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    width = models.FloatField()
    height = models.FloatField()
    boxes = models.BinaryField(default=b"")
    confidence = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "version", "number"], name="page_once"),
            models.CheckConstraint(condition=models.Q(start__lte=models.F("end")), name="page_span_ordered"),
        ]

    def __str__(self) -> str:
        return f"p. {self.label}"


class Recognition(OrganizationModel):
    """What text recognition read on one scanned page of a version; gone once the version's pages are stored.

    A page without a confidence waits to be read: so the work goes on where it was stopped, page by page.
    """

    id = models.BigAutoField(primary_key=True)
    version = models.ForeignKey(DocumentVersion, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    number = models.PositiveIntegerField()
    text = models.TextField(default="")
    boxes = models.BinaryField(default=b"")
    confidence = models.FloatField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "version", "number"], name="recognition_once")]

    def __str__(self) -> str:
        return f"p. {self.number}"


class Member(OrganizationModel):
    """A file in an archive or an e-mail, and the document that it became, or the reason why it became none."""

    id = models.BigAutoField(primary_key=True)
    version = models.ForeignKey(DocumentVersion, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    ordinal = models.PositiveIntegerField()
    name = models.CharField(max_length=300)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, null=True, related_name="+", db_constraint=False)
    reason = models.CharField(max_length=40, blank=True, default="")
    detail = models.CharField(max_length=400, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "version", "ordinal"], name="member_once")]

    def __str__(self) -> str:
        return self.name
