"""The knowledge graph of a corpus: what its paragraphs state, the entities that they share, what people decided."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models

from corpora.models import Corpus, CorpusRow, Document, Paragraph
from legalqa.accounts.scoping import OrganizationModel, SameOrganizationKey, UuidModel
from retrieval.kinds import KIND_CHOICES, KIND_WORDS, By


class Graph(CorpusRow):
    """That a corpus has a graph, and how it is built.

    Attributes:
        uses_parser: Whether a dependency parser reads each paragraph too, where one is installed.
        uses_model: Whether the language model of the role "extract" does.
        built_version: The corpus's version that the graph was last finished for; None: not finished yet.
        n_refused: Triplets of a model that were not in their paragraph, since the graph was first built.
        pairs_left: How many pairs of names the model may still be asked about: set by a build that a person starts.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    uses_parser = models.BooleanField(default=False)
    uses_model = models.BooleanField(default=False)
    built_version = models.PositiveBigIntegerField(null=True)
    built_at = models.DateTimeField(null=True)
    n_refused = models.PositiveIntegerField(default=0)
    pairs_left = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "corpus"], name="graph_once")]

    def __str__(self) -> str:
        return "graph"


class GraphDocument(OrganizationModel):
    """What of a document has been read: a digest for each of its paragraphs, so that only changed ones are read again.

    `version_id` is the version that was read to its end; None while one is being read. `n_unread` counts paragraphs for
    which the model gave no answer; the next build that a person starts asks it again.
    """

    id = models.BigAutoField(primary_key=True)
    corpus = SameOrganizationKey(Corpus)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    version_id = models.UUIDField(null=True)
    reader = models.CharField(max_length=40, default="")
    digests = models.JSONField(default=dict)
    n_unread = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "document"], name="graph_document_once")
        ]

    def __str__(self) -> str:
        return str(self.document_id)


class GraphTriplet(UuidModel):
    """One statement of a paragraph.

    Attributes:
        unit_id: The paragraph that begins the sentence or list item it was read in; its triplets come and go together.
        start: Offset of the sentence in the paragraph's text.
        end: Offset, exclusive.
        section: The section it is in, as printed; "" if none.
        stem: The words above a list item that it completes.
        fingerprint: The same for the same statement of the same paragraph, however often the graph is built.
    """

    corpus = SameOrganizationKey(Corpus)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    paragraph = models.ForeignKey(Paragraph, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    unit_id = models.BigIntegerField()
    kind = models.CharField(max_length=12, choices=KIND_CHOICES)
    subject = models.TextField()
    predicate = models.TextField()
    object = models.TextField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    section = models.CharField(max_length=120, default="")
    stem = models.TextField(default="")
    by = models.CharField(max_length=8, default=By.RULES.value)
    fingerprint = models.CharField(max_length=64)
    is_rejected = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "fingerprint"], name="graph_triplet_once"),
            models.CheckConstraint(condition=models.Q(kind__in=list(KIND_WORDS)), name="graph_kind_known"),
            models.CheckConstraint(condition=models.Q(start__lt=models.F("end")), name="graph_span_ordered"),
        ]
        indexes = [
            models.Index(fields=["organization", "corpus", "unit_id"], name="graph_by_unit"),
            models.Index(fields=["organization", "corpus", "kind"], name="graph_by_kind"),
        ]

    def __str__(self) -> str:
        return self.fingerprint[:12]


class EntityKind(models.TextChoices):
    ACTOR = "actor", "Person or body"
    TERM = "term", "Defined term"
    SECTION = "section", "Section"
    VALUE = "value", "Period, date or sum"
    THING = "thing", "Other subject"


class GraphEntity(UuidModel):
    """Somebody or something that triplets speak of. `key` is its normal form; `aliases` are the others found for it."""

    corpus = SameOrganizationKey(Corpus)
    kind = models.CharField(max_length=8, choices=EntityKind)
    key = models.CharField(max_length=300)
    name = models.CharField(max_length=300)
    aliases = ArrayField(models.CharField(max_length=300), default=list)
    n_triplets = models.PositiveIntegerField(default=0)
    is_rejected = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "key"], name="graph_entity_once"),
            models.CheckConstraint(condition=models.Q(kind__in=EntityKind.values), name="graph_entity_kind_known"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class LinkRole(models.TextChoices):
    SUBJECT = "subject", "is the subject"
    OBJECT = "object", "is the object"
    SECTION = "section", "is the section that contains it"
    MENTION = "mention", "is named in it"


class GraphLink(OrganizationModel):
    """That a triplet speaks of an entity, and as what: the edges that paths run along."""

    id = models.BigAutoField(primary_key=True)
    corpus = SameOrganizationKey(Corpus)
    triplet = models.ForeignKey(GraphTriplet, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    entity = models.ForeignKey(GraphEntity, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    role = models.CharField(max_length=8, choices=LinkRole)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "triplet", "entity", "role"], name="graph_link_once"),
            models.CheckConstraint(condition=models.Q(role__in=LinkRole.values), name="graph_link_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.role}"


class DecisionKind(models.TextChoices):
    MERGE = "merge", "Merged"
    SPLIT = "split", "Split off"
    REJECT_ENTITY = "entity", "Entity rejected"
    REJECT_TRIPLET = "triplet", "Statement rejected"
    PROPOSED = "proposed", "Proposed"
    DECLINED = "declined", "Declined"
    DIFFERS = "differs", "Told apart by the model"


PAIR_KINDS = (DecisionKind.PROPOSED.value, DecisionKind.DECLINED.value, DecisionKind.DIFFERS.value)
SHOWN_KINDS = [(value, label) for value, label in DecisionKind.choices if value != DecisionKind.DIFFERS]


class GraphDecision(CorpusRow):
    """What a reviewer decided, by normal forms and fingerprints, so that it outlives every rebuild.

    And what a model said of two entities: it proposes to merge them, which a reviewer accepts or declines, or it tells
    them apart. A model's word is removed with the entities, a reviewer's decision is not.

    Attributes:
        key: Of the entity or surface form that it is about, or the fingerprint of the triplet.
        into: Of the entity that it was or would be merged into; "" otherwise.
        words: What it was about, for people.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=8, choices=DecisionKind)
    key = models.CharField(max_length=300)
    into = models.CharField(max_length=300, default="")
    words = models.CharField(max_length=600, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "corpus", "kind", "key"],
                condition=~models.Q(kind__in=PAIR_KINDS),
                name="graph_decision_once",
            ),
            models.UniqueConstraint(
                fields=["organization", "corpus", "key", "into"],
                condition=models.Q(kind__in=PAIR_KINDS),
                name="graph_pair_once",
            ),
            models.CheckConstraint(condition=models.Q(kind__in=DecisionKind.values), name="graph_decision_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}"
