"""The part of the question's form that says which documents are asked, and as of which day."""

from typing import Any, Literal

from django import forms

from corpora.choices import document_choices, field_values
from corpora.describing.types import DOCUMENT_KINDS
from legalqa.accounts.models import Organization
from legalqa.common.forms import DayField, Form
from retrieval.types import Filters

DOCUMENTS_SHOWN = 200
IN_THE_SCOPE = ("kind", "jurisdiction", "authority", "effective_from", "effective_to", "as_of", "find", "documents")
ONE_OF: tuple[Literal["jurisdiction", "authority"], ...] = ("jurisdiction", "authority")
NOT_HERE = {"invalid_choice": "No document of this corpus has “%(value)s”. Choose again."}


class ScopeForm(Form):
    """Filters of a question; all empty asks the whole corpus as it is now."""

    kind = forms.MultipleChoiceField(
        label="Kind of document",
        required=False,
        choices=list(DOCUMENT_KINDS.items()),
        widget=forms.CheckboxSelectMultiple,
    )
    jurisdiction = forms.ChoiceField(label="Jurisdiction", required=False, error_messages=NOT_HERE)
    authority = forms.ChoiceField(label="Authority or parties", required=False, error_messages=NOT_HERE)
    effective_from = DayField(label="In effect from")
    effective_to = DayField(label="In effect until")
    as_of = DayField(
        label="As of", help_text="The versions in force on that day are searched instead of the current ones."
    )
    find = forms.CharField(
        label="Find a document",
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs={"data-enter": "#ask-look"}),  # Enter finds, and does not ask
    )
    documents = forms.MultipleChoiceField(
        label="Ask only these documents",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "invalid_choice": "A ticked document is not in this corpus any more. Choose the documents again."
        },
    )

    # Sent by the form that shows the fields above: a follow-up without them keeps the filters of its conversation.
    scoped = forms.BooleanField(required=False, initial=True, widget=forms.HiddenInput)

    def fill_scope(self, *, organization: Organization, corpus_id: str) -> None:
        """Offer jurisdictions, authorities and documents of a corpus: the ticked ones, and those that words find."""
        for field in ONE_OF:
            values = field_values(organization=organization, corpus_id=corpus_id, field=field)
            self.offer(field, [("", "any"), *((value, value) for value in values)])
        ticked = list(self["documents"].value() or ())
        offered = document_choices(
            organization=organization,
            corpus_id=corpus_id,
            words=str(self["find"].value() or ""),
            ticked=ticked,
            limit=DOCUMENTS_SHOWN,
        )
        self.offer("documents", offered)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        self.check_order("effective_from", "effective_to")
        return data

    @property
    def is_scoped(self) -> bool:
        """Whether anything is chosen, so that the drawer is open."""
        return any(self[name].value() for name in IN_THE_SCOPE)

    def filters(self, others: Filters | None = None) -> Filters:
        """What was chosen, with the filters that no field shows; FilterError where dates are in the wrong order."""
        data = self.cleaned_data
        return Filters.parse(
            {
                **(others or Filters()).as_mapping(),
                "kind": data["kind"],
                "jurisdiction": data["jurisdiction"],
                "authority": data["authority"],
                "date_from": data["effective_from"],
                "date_to": data["effective_to"],
                "as_of": data["as_of"],
                "document_ids": data["documents"],
            }
        )


def scope_of(filters: Filters) -> dict[str, Any]:
    """The fields of the form as an answer was asked with them."""
    return {
        "kind": list(filters.kind),
        "jurisdiction": next(iter(filters.jurisdiction), ""),
        "authority": next(iter(filters.authority), ""),
        "effective_from": filters.date_from,
        "effective_to": filters.date_to,
        "as_of": filters.as_of,
        "documents": list(filters.document_ids),
    }
