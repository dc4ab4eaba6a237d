"""Validation of what managers say about an encoder that they add."""

from typing import Any

from django import forms

from corpora.services.added_encoders import WINDOW_MAX, WINDOW_MIN, EndpointSettings
from legalqa.common.forms import Form


class FolderForm(Form):
    """An encoder in a folder on this server."""

    folder = forms.ChoiceField(label="Encoder")

    def __init__(self, *args: Any, folders: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "folder_%s"} | kwargs)  # two forms on one page
        self.offer("folder", folders)

    def given(self) -> dict[str, Any]:
        """What `encoder_add` takes."""
        return self.cleaned_data


class EndpointForm(Form):
    """An embedding model over the network; its texts leave this server."""

    model = forms.ChoiceField(label="Model")
    window_tokens = forms.IntegerField(
        label="Window, in tokens",
        initial=254,
        min_value=WINDOW_MIN,
        max_value=WINDOW_MAX,
        help_text="Longer chunks are embedded in parts. Give fewer tokens than the model reads.",
    )
    cue_query = forms.CharField(label="Text before a question", required=False, max_length=300, strip=False)
    cue_passage = forms.CharField(label="Text before a passage", required=False, max_length=300, strip=False)
    licence = forms.CharField(label="Licence", required=False, max_length=60)

    def __init__(self, *args: Any, models: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "endpoint_%s"} | kwargs)
        self.offer("model", [(name, name) for name in models])

    def given(self) -> dict[str, Any]:
        """What `encoder_add` takes."""
        return {"endpoint": EndpointSettings(**self.cleaned_data)}
