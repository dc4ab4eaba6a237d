"""Validation of a question, and of the grade of its answer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django import forms

from corpora.models import Corpus
from corpora.selectors import corpus_list
from legalqa.accounts.models import Organization, User
from legalqa.answering.presets import choices_check, policy_of
from legalqa.answering.scope import IN_THE_SCOPE, ScopeForm
from legalqa.answering.services import question_like
from legalqa.answering.strategies.registry import strategy_choices
from legalqa.answering.types import Question
from legalqa.common.forms import Form
from retrieval.forms import preset_choices
from retrieval.graph.selectors import graph_of
from retrieval.graph.stage import GraphPaths
from retrieval.pipelines.presets import DEFAULT_PRESET, PRESETS, preset_get
from retrieval.rerankers import RERANKERS
from retrieval.retrievers import Cases
from retrieval.rewriters.base import rewriter_methods, rewriter_named
from retrieval.services.presets import preset_resolve, saved_preset_list
from retrieval.services.search import MAX_QUERY_CHARS

AS_METHOD = ""
IN_THE_BAR = ("text", "corpus", "like")
NOT_OFFERED = {
    "invalid_choice": "The method “%(value)s” is not offered for this corpus: there is no such method, or it follows a "
    "knowledge graph, which the corpus does not have. Choose another method."
}
UNLESS = "data-unless"  # the page switches a field off while another has this value
WHERE_WRITTEN = {UNLESS: "mode=quoted"}
OVERRIDING = ("classifier", "reranker", "rewriter", "rewrites", "k")
SETTING_OF = {"mode": "answer.mode", "cases_context": "cases.context"}  # settings whose fields have other names


class QuestionField(forms.CharField):
    """A browser sends a line break as two characters; it counts, and is kept, as one."""

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class QuestionForm(ScopeForm):
    """A question with the settings chosen for it; `like` names an answer whose settings are kept instead."""

    text = QuestionField(
        max_length=MAX_QUERY_CHARS,
        label="Question",
        error_messages={
            "required": "The question is empty. Type a question and ask again.",
            "max_length": (
                f"The question has %(show_value)s characters; at most {MAX_QUERY_CHARS:,} are read. Shorten it and ask "
                "again: nothing of it has been cut."
            ),
        },
    )
    corpus = forms.TypedChoiceField(label="Corpus")
    preset = forms.ChoiceField(label="Method", required=False, error_messages=NOT_OFFERED)
    classifier = forms.ChoiceField(
        label="Detect complexity",
        required=False,
        choices=[(AS_METHOD, "as the method does"), ("off", "off"), ("2", "in 2 classes"), ("3", "in 3 classes")],
        help_text="How many provisions the question is likely to need; what is read and rewritten follows from that.",
    )
    complexity = forms.TypedChoiceField(
        label="Complexity",
        required=False,
        coerce=int,
        empty_value=None,
        choices=[
            ("", "as detected"),
            ("0", "one provision"),
            ("1", "two provisions"),
            ("2", "an overview of three or more"),
        ],
        widget=forms.Select(attrs={UNLESS: "classifier=off"}),
    )
    reranker = forms.ChoiceField(label="Reranker", required=False)
    rewriter = forms.ChoiceField(label="Rewriter", required=False)
    k = forms.IntegerField(
        label="Passages read (k)",
        required=False,
        min_value=1,
        max_value=50,
        widget=forms.NumberInput(attrs={"placeholder": "as the method says"}),
    )
    rewrites = forms.IntegerField(
        label="Rewrites (Q)",
        required=False,
        min_value=1,
        max_value=10,
        widget=forms.NumberInput(attrs={"placeholder": "as the method says"}),
    )
    mode = forms.ChoiceField(
        label="Answer",
        required=False,
        help_text="A written answer is checked sentence by sentence against the passages that it cites.",
    )
    cases_context = forms.ChoiceField(
        label="Solved cases",
        required=False,
        choices=[
            (AS_METHOD, "as the method does"),
            ("support", "the texts that supported the answers"),
            ("case", "questions, these texts and the answers"),
            ("full", "all of them, with their entities"),
            ("none", "nothing: they are shown beside the answer only"),
        ],
        widget=forms.Select(attrs=WHERE_WRITTEN),
        help_text="What a model that writes reads of them, where the method compares solved cases; they are not cited.",
    )
    temperature = forms.FloatField(
        label="Temperature",
        required=False,
        min_value=0,
        max_value=2,
        widget=forms.NumberInput(attrs=WHERE_WRITTEN),
        help_text="Of the model that writes: 0 for the same answer each time.",
    )
    follows = forms.UUIDField(required=False, widget=forms.HiddenInput)
    like = forms.UUIDField(required=False)

    def __init__(self, *args: Any, organization: Organization, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        corpora = [c for c in corpus_list(organization=organization) if c.n_ready]  # type: ignore[attr-defined]  # annotated
        self.offer("corpus", [(str(c.pk), c.name) for c in corpora])
        shown = self._shown_of([str(c.pk) for c in corpora])
        self._offer_methods(organization, next((c for c in corpora if str(c.pk) == shown), None))
        self.offer("reranker", _rerankers(organization))
        self.offer("rewriter", _rewriters(organization))
        modes = strategy_choices(organization=organization)
        self.offer("mode", modes)
        self.fields["mode"].initial = "written"
        if len(modes) == 1:  # nothing to choose
            del self.fields["mode"]
        self.fill_scope(organization=organization, corpus_id=shown)
        if "written" not in dict(modes):
            del self.fields["temperature"], self.fields["cases_context"]

    def _offer_methods(self, organization: Organization, corpus: Corpus | None) -> None:
        """Offer the methods of the corpus that is shown, by name and title; one chosen for another may be missing."""
        self.methods = _methods(organization, has_graph=corpus is not None and graph_of(corpus=corpus) is not None)
        self.offer("preset", self.methods)
        self.fields["preset"].initial = DEFAULT_PRESET
        if self.initial.get("preset", DEFAULT_PRESET) not in dict(self.methods):
            self.initial = {**self.initial, "preset": DEFAULT_PRESET}

    def _shown_of(self, corpus_ids: Sequence[str]) -> str:
        """The corpus that the form shows as chosen: the one named, else the first; "" for none."""
        corpus_id = str(self["corpus"].value() or "")
        return corpus_id if corpus_id in corpus_ids else next(iter(corpus_ids), "")

    def clean_cases_context(self) -> str:
        context, name = str(self.cleaned_data["cases_context"]), self.cleaned_data.get("preset")
        method = PRESETS.get(name or DEFAULT_PRESET)
        if context and method and not any(isinstance(stage, Cases) for stage in method.pipeline.walk()):
            remedy = "Choose another method, or leave this as the method does."
            raise forms.ValidationError(f"“{method.title}” compares no solved cases. {remedy}")
        return context

    @property
    def drawer(self) -> list[forms.BoundField]:
        """The fields of the settings drawer; those of the bar above it are left out."""
        return [field for field in self.visible_fields() if field.name not in (*IN_THE_BAR, *IN_THE_SCOPE)]

    def question(self, *, organization: Organization, user: User) -> Question:
        """The question as it was asked here, or with the settings of the answer that the form names.

        Raises:
            NotFound: there is no such answer of theirs.
            PresetError: no such method for this corpus, or a setting that does not fit or changes nothing.
        """
        data = self.cleaned_data
        name, overrides = data["preset"] or DEFAULT_PRESET, self.overrides()
        corpus_id, like = UUID(data["corpus"]), data["like"]
        question = Question(
            organization=organization,
            user=user,
            corpus_id=corpus_id,
            text=data["text"],
            preset=preset_get(DEFAULT_PRESET)
            if like
            else preset_resolve(
                organization=organization, user=user, corpus_id=corpus_id, name=name, overrides=overrides
            ),
            filters=self.filters(),
            follows=data["follows"],
            temperature=data.get("temperature"),
            complexity=self.chosen_class,
        )
        if not like:
            beside = {"temperature": question.temperature, "complexity": question.complexity}
            choices_check(question.preset, {**overrides, **beside})
            return question
        former = question_like(question=question, answer_id=like)
        return replace(former, filters=self.filters(former.filters)) if data["scoped"] else former

    def overrides(self) -> dict[str, str]:
        """What was chosen, as settings on top of the method."""
        data = self.cleaned_data
        overrides = {name: str(data[name]) for name in OVERRIDING if data.get(name)}
        overrides |= {key: data[name] for name, key in SETTING_OF.items() if data.get(name)}
        method = PRESETS.get(data["preset"] or DEFAULT_PRESET)
        is_adaptive = method is not None and method.adaptive is not None
        if data["complexity"] is not None and not is_adaptive and not data["classifier"]:
            overrides["classifier"] = "3"  # a class that a person sets must count
        is_rewritten = is_adaptive or "classifier" in overrides or (method is not None and method.rewriter is not None)
        if data["rewrites"] and not data["rewriter"] and not is_rewritten:
            overrides["rewriter"] = "auto"
        return overrides

    @property
    def chosen_class(self) -> int | None:
        """The class that was chosen, in as many classes as are told apart."""
        complexity: int | None = self.cleaned_data["complexity"]
        method = PRESETS.get(self.cleaned_data["preset"] or DEFAULT_PRESET)
        n_classes = method.adaptive.n_classes if method is not None and method.adaptive is not None else 3
        if self.cleaned_data["classifier"] in ("2", "3"):
            n_classes = int(self.cleaned_data["classifier"])
        return None if complexity is None else min(complexity, n_classes - 1)


def _methods(organization: Organization, *, has_graph: bool) -> list[tuple[str, str]]:
    """The methods that may decline; those that always answer are for the search lab and programs.

    Methods that follow a graph are left out if there is none: they would search like others.
    """
    bases = {saved.name: saved for saved in saved_preset_list(organization=organization)}
    checked = []
    for name, title in preset_choices(organization=organization):
        saved = bases.get(name)
        preset = preset_get(saved.base, saved.overrides) if saved else preset_get(name)
        follows_graph = any(isinstance(stage, GraphPaths) for stage in preset.pipeline.walk())
        if policy_of(preset).gate and (has_graph or not follows_graph):
            checked.append((name, title))
    return checked


def _rerankers(organization: Organization) -> list[tuple[str, str]]:
    """The rerankers that this installation and the organisation have."""
    stages = (RERANKERS.get(kind) for kind in RERANKERS.names())
    available = [stage.choice for stage in stages if stage.is_available(organization=organization)]
    return [(AS_METHOD, "as the method does"), ("off", "none"), *available]


def _rewriters(organization: Organization) -> list[tuple[str, str]]:
    available = [
        (method, rewriter_named(method).label)
        for method in rewriter_methods()
        if rewriter_named(method).is_available(organization=organization)
    ]
    return [(AS_METHOD, "as the method does"), ("off", "none"), *available]


class GradeForm(Form):
    """A grade, and where the second part was sent, a note, a corrected answer and words on passages (`passage_<rank>`).

    What fits the answer is for the service to say.
    """

    grade = forms.CharField(required=False, max_length=40)
    note = forms.CharField(required=False, strip=False)
    correction = forms.CharField(required=False, strip=False)
    has_details = forms.BooleanField(required=False)

    def __init__(self, *args: Any, passages: Sequence[Mapping[str, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._passages = {f"passage_{passage['rank']}": str(passage["paragraph_id"]) for passage in passages}
        for name in self._passages:
            self.fields[name] = forms.ChoiceField(required=False, choices=[("yes", "yes"), ("no", "no")])

    def details(self) -> dict[str, Any]:
        """Texts and passages as the service takes them; nothing where only the grade was sent."""
        if not self.cleaned_data["has_details"]:
            return {}
        words = {paragraph_id: self.cleaned_data[name] for name, paragraph_id in self._passages.items()}
        judgments = {paragraph_id: word == "yes" for paragraph_id, word in words.items() if word}
        texts = {name: self.cleaned_data[name] for name in ("note", "correction")}
        return texts | {"passages": judgments}
