"""Our own network for the packaged encoder gives what a general library gives for the same weights."""

import numpy as np
import torch
from sentence_transformers import SentenceTransformer

from legalqa.encoder.bert import Bert
from legalqa.encoder.client import encoder_here, model_folder

TEXTS = ["Rent", "The tenant pays 900 euros each month.\n\n § 12(3) – “quoted”", "word " * 600, " "] * 9


def test_vectors_are_those_of_a_general_library() -> None:
    library = SentenceTransformer(str(model_folder()), device="cpu", model_kwargs={"dtype": torch.float32})
    expected = library.encode(TEXTS, show_progress_bar=False)

    assert np.allclose(encoder_here().encode(TEXTS[:2]), expected[:2], atol=1e-6)
    assert (np.einsum("ij,ij->i", encoder_here().encode(TEXTS), expected) > 0.999).all()


def test_pairs_of_texts_are_read_as_by_a_general_library() -> None:
    library = SentenceTransformer(str(model_folder()), device="cpu", model_kwargs={"dtype": torch.float32})
    ids = torch.tensor([[101, 9278, 102, 2054, 102], [101, 9278, 102, 0, 0]])
    mask, sides = (ids != 0).long(), torch.tensor([[0, 0, 0, 1, 1]] * 2)
    with torch.inference_mode():
        expected = library[0].auto_model(ids, attention_mask=mask, token_type_ids=sides).last_hidden_state
        found = Bert.load(model_folder(), torch.float32)(ids, mask, sides)

    assert torch.allclose(found[mask.bool()], expected[mask.bool()], atol=1e-5)
