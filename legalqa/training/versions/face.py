"""How a kind of trained version is reached: its addresses, its form, its report. Pages and endpoints come of it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic
from uuid import UUID

from django import forms
from django.http import QueryDict
from rest_framework import serializers

from corpora.models import Corpus, TrainedState
from legalqa.accounts.models import Organization
from legalqa.common.forms import Form
from legalqa.training.versions.trainer import C, Trainer, V


class TrainedVersionSerializer(serializers.Serializer[Any]):
    """What every kind of trained version is shown with."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=TrainedState.choices)
    job_id = serializers.UUIDField(allow_null=True)
    is_in_use = serializers.BooleanField()
    learned_from = serializers.CharField()
    fingerprint = serializers.CharField()
    report = serializers.DictField()
    created_at = serializers.DateTimeField()


Sent = type[serializers.Serializer[Any]]
InUse = Mapping[Any, UUID | None]  # the version in use by slot


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where a kind of trained version is found.

    Attributes:
        pages, endpoints: Paths below the corpus, ending in "/".
        prefix: Of the names of its pages; `names` has those that are not prefix and step.
        listed: Name of the page that lists the versions; kinds that share it are listed together.
        state: Last part of the address of the versions alone, which that page asks for while it waits; "" for none.
        can_use_packaged: Whether a page activates the packaged version.
    """

    pages: str
    endpoints: str
    prefix: str
    listed: str
    names: Mapping[str, str] = field(default_factory=dict)
    state: str = ""
    can_use_packaged: bool = True

    def name(self, step: str) -> str:
        return self.names.get(step, f"{self.prefix}_{step}")


@dataclass(frozen=True, slots=True)
class Words:
    """What the pages say about a kind.

    Attributes:
        title, lede, train: Of the page that lists it, where it is the first there: head, and help on training.
        help: Above the form that starts a training.
        packaged: Where the packaged version is in use; `untrained` where there is no other version.
        figure: Head of the column that says how good a version is.
        goes_with: What is removed with a version.
        said: After a step, by its name.
        endpoints: What the OpenAPI schema says of an endpoint, by its operation.
    """

    packaged: str
    help: str = ""
    untrained: str = ""
    title: str = ""
    lede: str = ""
    train: str = ""
    figure: str = "Found among the first 10"
    goes_with: str = "its report"
    said: Mapping[str, str] = field(default_factory=dict)
    endpoints: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VersionView:
    """What a kind adds to the row of a version: a note and a tag, how good it is, and steps that are not offered now.

    How good is a number, or a difference in words as `legalqa.training.comparisons.gain` makes it.
    """

    note: str = ""
    tag: str = ""
    questions: int | None = None
    figure: float | None = None
    gain: Mapping[str, Any] | None = None
    locked: frozenset[str] = frozenset()


class TrainingForm(Form):
    """A form that starts a training; `settings` names the fields that are folded away."""

    settings: tuple[str, ...] = ()

    @property
    def main_fields(self) -> list[forms.BoundField]:
        return [field for field in self.visible_fields() if field.name not in self.settings]

    @property
    def setting_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.settings]

    @property
    def has_setting_errors(self) -> bool:
        return any(name in self.errors for name in self.settings)


class Face(ABC, Generic[V, C]):
    """What people and programs see of a trainer; a subclass says what differs.

    Attributes:
        report_template, report_partial: The page of a report, and the part of it that htmx asks for.
        version, new: What a program sees of a version, and what it sends to start a training.
        used: What it is told about the version in use; None: nothing.
        to_use, to_roll_back: What it sends to activate a version, and to roll back.
        is_switched: Whether an activation is a job that takes time.
    """

    trainer: Trainer[V, C]
    addresses: Addresses
    words: Words
    report_template: str = "training/report.html"
    report_partial: str = ""
    version: Sent
    new: Sent
    used: Sent | None = None
    to_use: Sent
    to_roll_back: Sent | None = None
    is_switched: bool = False

    @abstractmethod
    def form(
        self, *, organization: Organization, corpus: Corpus, data: QueryDict | None = None, files: Any = None
    ) -> TrainingForm:
        """The form that starts a training."""

    @abstractmethod
    def choices(self, *, organization: Organization, corpus: Corpus, form: TrainingForm) -> C:
        """What somebody chose in a form that is valid; raises ApplicationError where it does not fit."""

    @abstractmethod
    def choices_sent(self, *, organization: Organization, corpus: Corpus, data: Mapping[str, Any]) -> C:
        """What a program chose; raises ApplicationError where it does not fit."""

    @abstractmethod
    def shown(self, version: V, *, corpus: Corpus, in_use: InUse, context: Mapping[str, Any]) -> VersionView:
        """What the list shows of a version besides what all kinds show."""

    def report_page(
        self, *, organization: Organization, corpus: Corpus, version: V, query: QueryDict, address: str
    ) -> dict[str, Any]:
        """What the page of a report shows besides the figures; raises NotFound for a part that there is not."""
        return {}

    @abstractmethod
    def document(self, *, organization: Organization, version: V) -> dict[str, Any]:
        """What programs see of a version besides what all kinds show, and of its report where they see a part."""

    def document_in_use(self, *, corpus: Corpus, version_id: UUID | None) -> dict[str, Any]:
        """The values of `used`."""
        return {}

    def context(self, *, organization: Organization, corpus: Corpus) -> dict[str, Any]:
        """What rows and cards need besides the versions; `is_working` where something is under way."""
        return {}

    def slots(self, *, corpus: Corpus, in_use: InUse) -> list[Any]:
        """The slots of which the list says what is in use."""
        return [self.trainer.slot_now(corpus)]

    def slot(self, data: Mapping[str, Any]) -> Any:
        """The slot that a page or a program names; None for the one that searches use."""
        return None

    def packaged_words(self, slot: Any) -> str:
        """What a page says of a slot of which the packaged version is in use."""
        return self.words.packaged

    def lacking(self, *, organization: Organization, corpus: Corpus) -> dict[str, Any] | None:
        """What the corpus lacks before anything can be trained, as an empty state of the page; None: nothing."""
        return None
