"""How documents are split, in plain words: the chunkers with their settings, presets, and a form for each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from django import forms

from corpora.configs import CHUNKER_KINDS, ChunkerConfig
from legalqa.common.errors import ApplicationError
from legalqa.common.forms import Form

KINDS: dict[str, tuple[str, str]] = {
    "sentence.v1": ("Whole sentences", "Sentences are joined up to a size, and neighbouring chunks overlap a little."),
    "semantic.v1": ("By meaning", "A chunk ends where the next sentence is about something else."),
    "pattern.v1": ("By a delimiter of your documents", "A chunk is the text between two articles, sections, …"),
    "hierarchical.v1": (
        "Small chunks in larger ones",
        "Small chunks are searched; the larger ones around them are kept.",
    ),
    "recursive.v1": ("A number of characters", "Short chunks, split at the coarsest separator that fits."),
    "margin.v1": ("Sentence by sentence, by a language model", "The model says which sentences begin a chunk."),
    "lumber.v1": ("Paragraph by paragraph, by a language model", "The model says where the content changes."),
    "perplexity.v1": (
        "By what a language model expects next",
        "A chunk ends after the sentence the model expected most. Its server must return prompt_logprobs (vLLM does).",
    ),
}

_TOKENS = "A token is a word or part of one; 100 tokens are about 75 words."
FIELDS: dict[str, tuple[str, str]] = {
    "size_tokens": ("Maximum chunk size, in tokens", _TOKENS),
    "overlap_tokens": ("Overlap, in tokens", "Whole sentences; 0 for no overlap."),
    "threshold": (
        "Distance at which two sentences are split",
        "From 0 (every sentence alone) to 2 (never). Unrelated sentences are about 0.8 to 1 apart.",
    ),
    "margin.v1.threshold": (
        "How sure the model must be",
        (
            "The probability of a split less that of none, from -1 (always split) to 1 (never). "
            "0 splits where a split is more likely than not."
        ),
    ),
    "perplexity.v1.threshold": (
        "Difference in perplexity",
        "A chunk ends after a sentence of a perplexity lower by more than this, from 0 (most splits) to 100 (fewest).",
    ),
    "buffer_sentences": ("Minimum sentences per chunk", "A change of meaning ends a chunk only once it has this many."),
    "pattern": ("Delimiter", "A regular expression; ^ is the beginning of a line. See below what your documents use."),
    "cut": ("Where to split", ""),
    "min_tokens": ("Minimum chunk size, in tokens", "Smaller chunks are merged with their neighbour."),
    "child_tokens": ("Maximum searched chunk, in tokens", _TOKENS),
    "parent_tokens": ("Larger chunk around it, in tokens", "Its section and the enclosing sections are above it."),
    "size_chars": ("Maximum chunk size, in characters", ""),
    "overlap_chars": ("Overlap, in characters", ""),
}
IN_SHORT = {
    "size_tokens": "up to {} tokens",
    "overlap_tokens": "overlap {}",
    "threshold": "split above {}",
    "perplexity.v1.threshold": "split at a perplexity lower by {}",
    "buffer_sentences": "at least {} sentences",
    "pattern": "{}",
    "min_tokens": "at least {} tokens",
    "child_tokens": "up to {} tokens",
    "parent_tokens": "in chunks of up to {}",
    "size_chars": "up to {} characters",
    "overlap_chars": "overlap {}",
}
CONTEXT_CHOICES = (
    ("heading", "The nearest heading"),
    ("path", "The document's title and all headings above"),
    ("summary", "The same, and a line by a language model"),
)
CHOICES = {"before": "Before the delimiter: it begins a chunk", "after": "After the delimiter: it ends a chunk"}
HIDDEN = {"kind", "separators"}  # the order of separators is for the API and the command


@dataclass(frozen=True, slots=True)
class ChunkingPreset:
    name: str
    words: str
    settings: Mapping[str, Any]


PRESETS = (
    ChunkingPreset("Standard", "Whole sentences up to 512 tokens: right for most documents.", {"kind": "sentence.v1"}),
    ChunkingPreset(
        "Short and exact",
        "Up to 128 tokens: finds single provisions.",
        {"kind": "sentence.v1", "size_tokens": 128, "overlap_tokens": 32},
    ),
    ChunkingPreset("By meaning", "For running prose without numbers.", {"kind": "semantic.v1"}),
    ChunkingPreset("By provision", "For statutes, rules and contracts.", {"kind": "pattern.v1"}),
    ChunkingPreset("Small in large", "Searches 128 tokens, keeps the context.", {"kind": "hierarchical.v1"}),
)


class ChunkingForm(Form):
    """A chunker with its settings; the service decides whether they are right."""

    kind = forms.ChoiceField(choices=[(kind, name) for kind, (name, _) in KINDS.items()], label="How to split")

    def __init__(self, settings: Mapping[str, Any], *args: Any, **kwargs: Any) -> None:
        """A form for the chunker that `settings` name, filled with them and with its defaults."""
        super().__init__(*args, **kwargs)
        kind = settings.get("kind")
        self.chosen = kind if kind in CHUNKER_KINDS else "sentence.v1"
        self.fields["kind"].initial = self.chosen
        self.fields["kind"].help_text = KINDS[self.chosen][1]
        for name, field in CHUNKER_KINDS[self.chosen].model_fields.items():
            if name not in HIDDEN:
                self.fields[name] = _field(
                    FIELDS[_key(FIELDS, self.chosen, name)], field.annotation, settings.get(name, field.default)
                )
        self.fields["context"] = forms.ChoiceField(
            choices=CONTEXT_CHOICES,
            label="Embedded before the text",
            help_text="It tells meaning search where a chunk belongs. What is shown and cited stays the same.",
            initial=settings.get("context", "heading"),
        )

    def settings(self) -> dict[str, Any]:
        """The typed settings, as the service takes them; empty fields keep their defaults."""
        typed = {
            name: (self.data.get(name) or "").strip(" ")
            for name in self.fields
            if name not in ("kind", "pattern", "context")
        }
        pattern = {"pattern": self.data["pattern"]} if self.data.get("pattern") and "pattern" in self.fields else {}
        return {"kind": self.chosen} | {name: value for name, value in typed.items() if value} | pattern

    def context(self) -> str:
        """The chosen text before a chunk's own; "" for none."""
        return str(self.data.get("context") or "")

    def refuse(self, error: ApplicationError) -> None:
        """Show what the service says beside the field it is about."""
        name = error.extra.get("setting", "")
        self.add_error(name if name in self.fields else None, error.message)


def _key(words: Mapping[str, object], kind: str, name: str) -> str:
    """The key of the words on a setting: settings of the same name mean different things in some chunkers."""
    return own if (own := f"{kind}.{name}") in words else name


def _field(texts: tuple[str, str], annotation: Any, initial: Any) -> forms.Field:
    label, words = texts
    options: dict[str, Any] = {"label": label, "help_text": words, "initial": initial}
    if get_origin(annotation) is Literal:
        return forms.ChoiceField(choices=[(value, CHOICES[value]) for value in get_args(annotation)], **options)
    widget = forms.TextInput(attrs={"inputmode": "text" if annotation is str else "decimal", "spellcheck": "false"})
    return forms.CharField(widget=widget, strip=False, **options)


def chunker_words(config: ChunkerConfig | Mapping[str, Any]) -> str:
    """A chunker in one line: its name and its settings."""
    settings = dict(config) if isinstance(config, Mapping) else config.model_dump(mode="json")
    kind = settings.get("kind", "sentence.v1")
    words = [IN_SHORT[_key(IN_SHORT, kind, name)].format(value) for name, value in settings.items() if name in IN_SHORT]
    return f"{KINDS[kind][0]}: {', '.join(words)}"
