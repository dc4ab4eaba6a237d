"""Encoders of a few thousand numbers, drawn at random: they learn little, and that in a second."""

import shutil
from pathlib import Path
from typing import Any

from legalqa.llm.encoder import model_folder

SMALL = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
SMALL_DISTIL = {"dim": 32, "n_layers": 2, "n_heads": 2, "hidden_dim": 64}


def small_encoder(folder: Path, *, is_distil: bool = False, labels: dict[int, str] | None = None) -> Path:
    """A BERT or DistilBERT with the packaged encoder's tokenizer; with labels it classifies pairs of texts."""
    import torch
    from transformers import (
        BertConfig,
        BertForSequenceClassification,
        BertModel,
        DistilBertConfig,
        DistilBertModel,
    )

    torch.manual_seed(1)
    model: Any
    if labels is not None:
        names: dict[str, Any] = {"id2label": labels, "label2id": {name: place for place, name in labels.items()}}
        model = BertForSequenceClassification(BertConfig(**SMALL, **names, num_labels=len(labels)))
    elif is_distil:
        model = DistilBertModel(DistilBertConfig(**SMALL_DISTIL))
    else:
        model = BertModel(BertConfig(**SMALL))
    model.save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(model_folder() / name, folder / name)
    return folder
