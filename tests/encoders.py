"""Encoders for tests: of a few thousand numbers, drawn at random, which learn little and that in a second; and the
packaged one with a layer disturbed, whose vectors are truly others.
"""

import json
import shutil
from pathlib import Path
from typing import Any

from legalqa.encoder.client import model_folder
from legalqa.encoder.weights import weights_pack

SMALL = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
SMALL_DISTIL = {"dim": 32, "n_layers": 2, "n_heads": 2, "hidden_dim": 64}


def small_encoder(folder: Path, *, is_distil: bool = False, labels: dict[int, str] | None = None) -> Path:
    """A BERT or DistilBERT with the packaged encoder's tokenizer; with labels it classifies pairs of texts."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertModel, DistilBertConfig, DistilBertModel

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


def mini_128(root: Path) -> Path:
    """The packaged encoder in a folder of the operator's, cut to its first 128 dimensions, with cues."""
    folder = root / "mini-128"
    folder.mkdir()
    for file in model_folder().iterdir():
        (folder / file.name).symlink_to(file, target_is_directory=file.is_dir())
    card = {"title": "MiniLM, 128", "dimensions": 128, "window": 64, "cue_query": "query: ", "licence": "Apache-2.0"}
    (folder / "encoder.json").write_text(json.dumps(card | {"cue_passage": "text: "}))
    return root


def small_mpnet(folder: Path, **more: int) -> Path:
    """An MPNet: no types of tokens, marks of its own, and two of them between the texts."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.processors import RobertaProcessing
    from transformers import MPNetConfig, MPNetModel

    torch.manual_seed(1)
    tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    tokenizer.add_special_tokens(["<s>", "</s>"])
    words = tokenizer.get_vocab()
    tokenizer.post_processor = RobertaProcessing(("</s>", words["</s>"]), ("<s>", words["<s>"]))
    MPNetModel(MPNetConfig(**SMALL, vocab_size=len(words), **more)).save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def disturbed_weights(seed: int = 1, *, layer: int = 5) -> bytes:
    """The artefact of an encoder of which one layer was disturbed: other cosines, and it still finds things."""
    import torch
    from safetensors import safe_open

    chance = torch.Generator().manual_seed(seed)
    with safe_open(str(model_folder() / "model.safetensors"), "pt") as stored:
        names = [name for name in stored.keys() if name.startswith(f"encoder.layer.{layer}.")]  # noqa: SIM118 - no mapping
        tensors = {name: stored.get_tensor(name) for name in names}
    moved = {
        name: tensor + 0.5 * tensor.std() * torch.randn(tensor.shape, generator=chance)
        for name, tensor in tensors.items()
    }
    return weights_pack(moved, provenance={"seed": seed})
