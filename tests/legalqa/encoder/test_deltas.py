"""What was trained further is kept as whole numbers, and given back to about what it was."""

import pytest
import torch

from legalqa.encoder.deltas import SCALE, deltas_packed, deltas_unpacked
from legalqa.encoder.weights import WeightsWrong

BASE = {"layer.weight": torch.tensor([[1.0, -2.0, 0.5], [0.0, 0.25, 4.0]]), "layer.bias": torch.tensor([1.0, 2.0])}


def test_a_matrix_is_kept_as_whole_numbers_with_a_scale_for_each_row() -> None:
    moved = BASE["layer.weight"] + torch.tensor([[0.127, 0.0, -0.0635], [12.7, 0.0, 0.0]])
    packed = deltas_packed({"layer.weight": moved}, base=BASE)

    assert packed["layer.weight"].dtype == torch.int8
    assert packed["layer.weight"].abs().amax(dim=1).tolist() == [127, 127]
    assert packed["layer.weight" + SCALE].flatten().tolist() == pytest.approx([0.001, 0.1], rel=1e-4)


def test_what_is_lost_is_at_most_half_a_step_of_the_row() -> None:
    chance = torch.Generator().manual_seed(5)
    moved = BASE["layer.weight"] + torch.randn(2, 3, generator=chance) * torch.tensor([[0.01], [3.0]])
    back = deltas_unpacked(deltas_packed({"layer.weight": moved}, base=BASE), base=BASE)["layer.weight"]

    steps = (moved - BASE["layer.weight"]).abs().amax(dim=1) / 127
    lost = (back - moved).abs().amax(dim=1)
    assert [float(one) <= float(step) / 2 + 1e-6 for one, step in zip(lost, steps, strict=True)] == [True, True]


def test_a_row_that_did_not_move_comes_back_as_it_was() -> None:
    back = deltas_unpacked(deltas_packed({"layer.weight": BASE["layer.weight"]}, base=BASE), base=BASE)

    assert torch.equal(back["layer.weight"], BASE["layer.weight"])


def test_vectors_and_heads_that_the_base_has_not_are_kept_whole_in_half_precision() -> None:
    head = torch.tensor([[0.5, -1.25]])
    packed = deltas_packed({"layer.bias": torch.tensor([1.5, 2.0]), "heads.answers.weight": head}, base=BASE)
    back = deltas_unpacked(packed, base=BASE)

    assert {name: tensor.dtype for name, tensor in packed.items()} == {
        "layer.bias": torch.float16,
        "heads.answers.weight": torch.float16,
    }
    assert back["layer.bias"].tolist() == [1.5, 2.0]
    assert torch.equal(back["heads.answers.weight"], head)


@pytest.mark.parametrize("name", ["another.weight", "layer.weight"])
def test_a_difference_that_fits_no_tensor_of_the_base_is_refused_by_its_name(name: str) -> None:
    packed = {name: torch.ones(3, 2, dtype=torch.int8), name + SCALE: torch.ones(3, 1)}

    with pytest.raises(WeightsWrong, match=f"{name}.*does not fit the packaged encoder"):
        deltas_unpacked(packed, base=BASE)


def test_a_scale_without_its_matrix_is_refused() -> None:
    with pytest.raises(WeightsWrong, match=r"layer\.weight"):
        deltas_unpacked({"layer.weight" + SCALE: torch.ones(2, 1)}, base=BASE)
