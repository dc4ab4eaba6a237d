"""Forms of the pages of judges."""

from collections.abc import Iterable
from typing import Any

from django import forms

from corpora.models import Corpus
from judging.judges.asking import Law
from judging.judges.registry import KINDS, Setup
from judging.judges.services import MAX_NAME, name_with
from judging.judges.types import JudgedAnswer, JudgedItem
from legalqa.common.forms import Form

LAWS = [
    (Law.NONE.value, "No law"),
    (Law.RETRIEVED.value, "The law on the question"),
    (Law.UNRELATED.value, "Unrelated law, as a control"),
    (Law.QUESTIONS.value, "The law that the question index leads to"),
]
_AREA = {"rows": 3}


class JudgeForm(Form):
    name = forms.CharField(label="Name", max_length=MAX_NAME, help_text="Lower-case letters, digits, dots and hyphens.")
    kind = forms.ChoiceField(
        label="Kind",
        choices=[(name, KINDS.get(name).title) for name in KINDS.names() if KINDS.get(name).needs_model],
    )
    settings = forms.JSONField(
        label="Settings",
        required=False,
        initial=dict,
        widget=forms.Textarea({"rows": 5, "spellcheck": "false"}),
        help_text="JSON; settings left out have their usual values, as the table of kinds shows.",
    )

    def clean_settings(self) -> dict[str, Any]:
        settings = self.cleaned_data["settings"]
        if settings is not None and not isinstance(settings, dict):
            raise forms.ValidationError('Write the settings as one JSON object, such as {"samples": 3}.')
        return settings or {}


class TryForm(Form):
    """One item for one judge."""

    judge = forms.ChoiceField(label="Judge")
    law = forms.ChoiceField(label="Law beside the item", choices=LAWS, required=False)
    corpus = forms.ChoiceField(label="Corpus of the law", required=False)
    question = forms.CharField(label="Question", max_length=4000, widget=forms.Textarea({"rows": 2}))
    answer = forms.CharField(label="Answer", max_length=20_000, widget=forms.Textarea(_AREA))
    other = forms.CharField(
        label="Another answer",
        max_length=20_000,
        required=False,
        widget=forms.Textarea(_AREA),
        help_text="For judges that compare two.",
    )
    reference = forms.CharField(
        label="Reference answer", max_length=20_000, required=False, widget=forms.Textarea(_AREA)
    )
    passages = forms.CharField(
        label="Passages that the answer was made from",
        max_length=100_000,
        required=False,
        widget=forms.Textarea(_AREA),
        help_text="An empty line between two.",
    )

    def __init__(self, *args: Any, setups: Iterable[Setup], corpora: Iterable[Corpus], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("judge", [(setup.name, f"{setup.name}: {setup.title}") for setup in setups])
        self.offer("corpus", [("", "None"), *((str(corpus.pk), corpus.name) for corpus in corpora)])

    @property
    def name(self) -> str:
        """The judge's name with the law that was chosen."""
        return name_with(name=self.cleaned_data["judge"], law=self.cleaned_data["law"])

    @property
    def item(self) -> JudgedItem:
        fields = self.cleaned_data
        passages = tuple(text.strip() for text in fields["passages"].split("\n\n") if text.strip())
        answers = [JudgedAnswer(text, passages) for text in (fields["answer"], fields["other"]) if text]
        return JudgedItem("try", fields["question"], tuple(answers), reference_answer=fields["reference"])
