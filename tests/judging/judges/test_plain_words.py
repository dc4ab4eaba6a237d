"""What people choose from is named in plain words: its source is in the documentation, not in the label."""

import pytest

from judging.campaigns.rubrics import FORMS
from judging.judges.registry import BUILT_IN, KINDS
from retrieval.pipelines.presets import PRESETS
from retrieval.rerankers.learned import Learned

LABELS = [
    *(form.summary for form in FORMS.values()),
    *(setup.title for setup in BUILT_IN.values()),
    *(KINDS.get(name).title for name in KINDS.names()),
    *(preset.description for preset in PRESETS.values()),
    Learned.label,
    Learned.action,
]


@pytest.mark.parametrize("jargon", ["HyPA", "Table ", "LTR", "ChatEval", "evidences", "log-probabilities"])
def test_no_label_asks_for_a_paper_to_be_understood(jargon: str) -> None:
    assert [label for label in LABELS if jargon in label] == []
