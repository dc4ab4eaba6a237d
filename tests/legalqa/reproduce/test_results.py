"""`results`: which rows are measured, what is kept, what the page says, and how the command ends."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from judging.measures.values import Undefined
from legalqa.common.errors import ApplicationError
from legalqa.reproduce.expected import expected_load
from legalqa.reproduce.registry import ROWS
from legalqa.reproduce.report import page_table, page_write
from legalqa.reproduce.running import REPOSITORY, data_version, is_current, names_chosen, row_measure, store, stored
from legalqa.reproduce.types import Context, Expected, Figure, Measured, NotRun

PAGE = "# Results\n\nBefore.\n\n<!-- results:start -->\nold\n<!-- results:end -->\n\nAfter.\n"


def expected() -> Expected:
    figure = {"what": "share answered", "figure": "≥ 0.9", "at_least": 0.9}
    return Expected.model_validate(
        {
            "seed": 7,
            "rows": {
                "first": {"title": "First", "reads": ["set/a.jsonl"], "figures": {"rate": figure}},
                "second": {"title": "Second", "figures": {"rate": figure}},
            },
        }
    )


def measured(row: str, value: float = 0.95, **changes: object) -> Measured:
    held: dict[str, object] = {
        "row": row,
        "date": "2026-11-21",
        "seed": 7,
        "data": {},
        "weights": {},
        "seconds": 12.3,
        "figures": {"rate": Figure(value, 20, 0.8, 0.99)},
    }
    return Measured(**(held | changes))  # type: ignore[arg-type]  # of several types


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "a.jsonl").write_text("{}\n")
    return tmp_path


def test_every_row_of_the_file_has_a_function_and_every_function_a_row() -> None:
    assert list(ROWS) == list(expected_load().rows)


def test_a_row_comes_back_from_its_file_as_it_was(tmp_path: Path) -> None:
    store(tmp_path, measured("first"))

    assert stored(tmp_path, ["first", "second"]) == {"first": measured("first")}


def test_rows_are_chosen_in_the_order_of_the_file() -> None:
    assert names_chosen(expected(), ["second", "first"]) == ["first", "second"]
    assert names_chosen(expected(), []) == ["first", "second"]
    with pytest.raises(ApplicationError, match="no row 'third'; choose from: first, second"):
        names_chosen(expected(), ["third"])


def test_a_kept_row_is_measured_again_once_a_file_or_the_seed_changes(data: Path) -> None:
    spec = expected().rows["first"]
    context = Context("first", spec, data, data, data, 7, lambda _: None)
    kept = row_of(context, lambda _: {"rate": Figure(0.95)})

    assert is_current(kept, seed=7, spec=spec, data=data)
    assert not is_current(kept, seed=8, spec=spec, data=data)
    (data / "set" / "a.jsonl").write_text("{}\n{}\n")
    assert not is_current(kept, seed=7, spec=spec, data=data)
    assert not is_current(None, seed=7, spec=spec, data=data)


def row_of(context: Context, function: Callable[[Context], Mapping[str, Figure]]) -> Measured:
    ROWS[context.name] = function
    try:
        return row_measure(context)
    finally:
        del ROWS[context.name]


def test_a_row_that_cannot_be_run_says_why_and_is_tried_again(data: Path) -> None:
    spec = expected().rows["second"]

    def missing(_: Context) -> Mapping[str, Figure]:
        raise NotRun("run `make soak` first")

    row = row_of(Context("second", spec, data, data, data, 7, lambda _: None), missing)

    assert row.reason == "run `make soak` first"
    assert not is_current(row, seed=7, spec=spec, data=data)
    assert "not run: run `make soak` first | NOT RUN, `second`" in page_table(expected(), {"second": row})


def test_a_missing_file_is_named_with_what_to_do(tmp_path: Path) -> None:
    context = Context("first", expected().rows["first"], tmp_path, tmp_path, tmp_path, 7, lambda _: None)

    with pytest.raises(ApplicationError, match="LEGALQA_DATA"):
        row_measure(context)


def test_the_version_of_the_data_is_that_of_every_file() -> None:
    one = measured("first", data={"a": "1"}, weights={"w": "1"})

    assert data_version(one) == data_version(measured("first", data={"a": "1"}, weights={"w": "1"}))
    assert data_version(one) != data_version(measured("first", data={"a": "2"}, weights={"w": "1"}))
    assert data_version(one) != data_version(measured("first", data={"a": "1"}, weights={"w": "2"}))
    assert data_version(measured("first")) == "–"


def test_the_page_keeps_what_is_around_the_table(tmp_path: Path) -> None:
    page = tmp_path / "results.md"
    page.write_text(PAGE)

    page_write(page, expected(), {"first": measured("first"), "second": measured("second", 0.5)})

    text = page.read_text()
    assert text.startswith("# Results\n\nBefore.\n\n<!-- results:start -->\n")
    assert text.endswith("<!-- results:end -->\n\nAfter.\n")
    assert "| share answered | ≥ 0.9 | 0.950 (0.800 to 0.990; n = 20) | OK, `first` |" in text
    assert "| 0.500 (0.800 to 0.990; n = 20) | FAIL, `second` |" in text
    assert "| `first` | 2026-11-21, 7 | – | `manage.py results --only first`, 12 s |" in text
    assert "old" not in text


def test_the_stages_have_a_table_of_their_own(tmp_path: Path) -> None:
    page, marks = tmp_path / "results.md", "\n<!-- ablation:start -->\nold\n<!-- ablation:end -->\n"
    page.write_text(PAGE + marks)
    keys = ("value", "gain", "milliseconds", "tokens", "memory")
    stages = measured("ablation_ll144", figures={f"base.{key}": Figure(0.5, 18, 0.4, 0.6) for key in keys})

    page_write(page, expected(), {"first": measured("first")})
    untouched = page.read_text()
    page_write(page, expected(), {"first": measured("first"), "ablation_ll144": stages})

    assert untouched.endswith(marks)
    assert "| ll144: words and meaning fused (`fixed-10`) | 0.500 (n = 18) |" in page.read_text()
    page.write_text(PAGE)
    with pytest.raises(ApplicationError, match="ablation:start"):
        page_write(page, expected(), {"ablation_ll144": stages})


def test_undefined_figures_give_their_reason() -> None:
    row = measured("first", figures={"rate": Figure(Undefined("no gold"))})

    assert "| undefined: no gold | UNDEFINED, `first` |" in page_table(expected(), {"first": row})


def test_a_page_without_marks_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "results.md"
    page.write_text("# Results\n")

    with pytest.raises(ApplicationError, match="has no lines"):
        page_write(page, expected(), {})
    assert page.read_text() == "# Results\n"


@pytest.fixture
def kept(tmp_path: Path, settings: Any) -> Path:
    settings.VAR = tmp_path
    (tmp_path / "results.md").write_text(PAGE)
    return tmp_path


def soak(folder: Path, **counts: int) -> None:
    (folder / "soak").mkdir(exist_ok=True)
    document = {"name": "kills", "date": "2026-11-21", "seed": 144, "runs": 240} | counts
    (folder / "soak" / "kills.json").write_text(json.dumps(document))


def run(kept: Path, *options: str) -> None:
    call_command("results", *options, page=str(kept / "results.md"))


def test_the_command_ends_well_where_every_figure_is_reached(
    db: None, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    soak(kept, lost=0, doubled=0, half_published=0)

    call_command(
        "results", "--json", only=["kills"], data=str(kept), soak=str(kept / "soak"), page=str(kept / "results.md")
    )

    document = json.loads(capsys.readouterr().out)
    assert {line["status"] for line in document["figures"] if line["row"] == "kills"} == {"OK"}
    assert json.loads((kept / "results" / "results.json").read_text()) == document
    assert "OK, `kills`" in (kept / "results.md").read_text()


def test_the_command_ends_with_one_where_a_figure_fails(db: None, kept: Path) -> None:
    soak(kept, lost=1, doubled=0, half_published=0)

    with pytest.raises(SystemExit) as ended:
        call_command("results", only=["kills"], data=str(kept), soak=str(kept / "soak"), page=str(kept / "results.md"))

    assert ended.value.code == 1
    assert "FAIL, `kills`" in (kept / "results.md").read_text()


def test_a_row_that_was_not_run_fails_nothing(db: None, kept: Path) -> None:
    call_command("results", only=["kills"], data=str(kept), soak=str(kept / "soak"), page=str(kept / "results.md"))

    assert "not run: run `make soak` first" in (kept / "results.md").read_text()


def test_showing_measures_nothing(db: None, kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(kept, "--show")

    assert "NOT RUN    scale" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"), [({"data": ""}, "LEGALQA_DATA"), ({"only": ["none"]}, "no row 'none'")]
)
def test_bad_input_ends_with_two_and_one_sentence(
    db: None, kept: Path, options: dict[str, object], message: str
) -> None:
    with pytest.raises(CommandError, match=message) as refused:
        call_command("results", **({"data": str(kept), "page": str(kept / "results.md")} | options))

    assert refused.value.returncode == 2


def test_the_weights_that_a_row_depends_on_are_files_of_the_product() -> None:
    named = {name for row in expected_load().rows.values() for name in row.weights}
    assert named
    assert [name for name in named if not (REPOSITORY / name).is_file()] == []
