"""`agreement FILE.jsonl` in both forms, and its refusals in one sentence."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from judging.measures.agreement.files import MAX_RATERS, ratings_agreement
from legalqa.common.work import Work
from tests.commands import told


def written(folder: Path, rows: list[Any]) -> str:
    file = folder / "ratings.jsonl"
    file.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return str(file)


agreement = partial(told, "agreement")


def test_two_columns_give_every_statistic_with_its_interval(tmp_path: Path) -> None:
    rows = [{"human": h, "judge": j} for h, j in [(1, 1), (5, 4), (4, 5), (2, 3), (None, 4), (5, None)]]
    found = agreement(written(tmp_path, rows), "--threshold", "4", "--categories", "1,2,3,4,5")

    assert (found["n"], found["undefined"]) == (4, 2)
    assert found["undefined_by_reason"] == {"no human value": 1, "no value of the judge": 1}
    assert (found["percent"], found["macro_f1"], found["mean_difference"]) == (0.25, 1.0, 0.25)
    names = "pearson spearman kendall percent kappa weighted_kappa alpha ac1 ac2 macro_precision macro_recall macro_f1"
    assert {"percent", "kappa"} <= found["intervals"].keys() <= {*found}
    assert all(isinstance(found[name], float) for name in names.split())
    assert found["labels"] == [1, 2, 3, 4, 5]


def test_the_long_form_holds_any_number_of_raters_and_parts(tmp_path: Path) -> None:
    rows = [
        {"item": item, "rater": rater, "value": value, "question_type": kind}
        for item, kind, values in (("a", "simple", (1, 1, 0)), ("b", "vague", (0, 0, 0)), ("c", "vague", (1, None, 1)))
        for rater, value in zip(("anna", "ben", "judge"), values, strict=True)
    ]
    found = agreement(written(tmp_path, rows), "--scale", "nominal")

    assert found["judge"] == "judge"
    assert found["percent"] == pytest.approx(2 / 3)
    assert found["people"]["percent"] == 1.0
    assert {name: one["n"] for name, one in found["by_type"].items()} == {"simple": 1, "vague": 2}


def test_answers_with_references_bring_silly_baselines(tmp_path: Path) -> None:
    rows = [
        {"human": 1, "judge": 1, "answer": "two weeks", "reference_answer": "two weeks"},
        {"human": 0, "judge": 1, "answer": "never at all", "reference_answer": "two weeks"},
    ]
    found = agreement(written(tmp_path, rows))["baselines"]

    assert found["length"]["spearman"] == pytest.approx(-1)
    assert found["bleu"]["spearman"] == found["rouge_l"]["spearman"] == pytest.approx(1)
    assert found["most_frequent"]["percent"] == 0.5


def test_people_read_a_table_with_reasons(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("agreement", written(tmp_path, [{"human": "yes", "judge": "yes"}, {"human": "no", "judge": "yes"}]))
    out = capsys.readouterr().out

    assert "2 items of 2 questions, nominal scale" in out
    assert "percent          0.500" in out
    assert "undefined, because the values are names, without order or distance: pearson, spearman" in out
    assert "baseline most_frequent, n = 2: percent 0.500" in out


@pytest.mark.parametrize(
    ("rows", "arguments", "message"),
    [
        (['{"human": 1'], [], "Line 1: this is not valid JSON"),
        (["[1]"], [], "Line 1: this is not a JSON object"),
        (["human,judge", "1,1", '1,"2" 3'], [], "Line 3: this is not a line of a CSV table"),
        (["item;rater;score", "1;anna;2"], [], "Line 1: the columns are divided by semicolons or tabs"),
        (["human,judge", "1,2,3"], [], "Line 2: has more cells than the heading"),
        (["human,judge,human", "1,2,3"], [], "Line 1: the column 'human' is there twice"),
        ([{"human": 1, "judge": 1}, {"human": 1}], [], "Line 2 has no `judge`"),
        ([{"item": 1, "rater": "a", "value": [1]}], [], "The value on line 1 is a list or an object"),
        (['{"human": 1, "judge": ' + "9" * 5000 + "}"], [], "Line 1: this is not valid JSON: a number has"),
        (['{"human": ' + "[" * 100_000], [], "Line 1: this is not valid JSON: it is nested too deeply"),
        (['{"human": 1, "judge": ' + "9" * 400 + "}"], [], "99 is not a number from"),
        ([{"human": 1e308, "judge": -1e308}], [], "1e.308 is not a number from -1e.15 to 1e.15"),
        ([], [], "The file contains no rating"),
        ([{"human": 7, "judge": 1}], ["--categories", "1,2,3"], "7 is not one of the categories 1, 2, 3"),
        ([{"human": 1, "judge": 1}], ["--draws", "-1"], "The number of draws is below 0"),
        ([{"item": 1, "rater": "anna", "value": 1}], ["--judge", "ana"], "No rater of the file is called 'ana'"),
    ],
)
def test_bad_input_ends_with_two_and_one_sentence(
    tmp_path: Path, rows: list[Any], arguments: list[str], message: str
) -> None:
    with pytest.raises(CommandError, match=message) as refused:
        call_command("agreement", written(tmp_path, rows), *arguments)
    assert refused.value.returncode == 2


def test_so_many_raters_that_every_pair_takes_minutes_are_refused_unless_one_is_the_judge(tmp_path: Path) -> None:
    rows = [{"item": "1", "rater": f"r{n}", "value": n % 5} for n in range(MAX_RATERS + 1)]
    file = written(tmp_path, rows)

    with pytest.raises(CommandError, match="The file has 21 raters, and at most 20 are compared") as refused:
        call_command("agreement", file)
    assert refused.value.returncode == 2
    assert agreement(file, "--judge", "r0")["judge"] == "r0"


@pytest.mark.parametrize(
    ("rows", "steps"),
    [
        ([{"human": n % 5, "judge": n % 3} for n in range(1000)], 100_000),  # read, and not compared
        ([{"human": n % 5, "judge": n % 3} for n in range(1000)], 50_000),  # not even read
        ([{"human": n % 5, "judge": n % 3, "question_type": f"t{n}"} for n in range(60)], 600_000),
        ([{"human": n / 7, "judge": n / 9} for n in range(900)], 300_000),  # distinct pairs
        ([{"human": 1, "judge": 1, "answer": "a " * 20_000, "reference_answer": "b " * 20_000}], 300_000),
    ],
    ids=["items", "lines", "types", "distinct pairs", "long answers"],
)
def test_what_takes_more_steps_than_a_request_may_is_refused_in_a_sentence(rows: list[Any], steps: int) -> None:
    text = "\n".join(map(json.dumps, rows))

    assert ratings_agreement(text, draws=200).overall.n == len(rows)
    with pytest.raises(ValueError, match="more computing than one request may"):
        ratings_agreement(text, draws=200, work=Work(steps))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no file") as refused:
        call_command("agreement", str(tmp_path / "none.jsonl"))
    assert refused.value.returncode == 2


def test_a_table_is_read_as_the_same_lines_would_be(tmp_path: Path) -> None:
    lines = [{"item": n, "rater": rater, "value": n % 3} for n in range(9) for rater in ("anna", "judge")]
    table = tmp_path / "ratings.csv"
    rows = [f"{one['item']},{one['rater']},{one['value']}" for one in lines]
    table.write_text("\ufeffitem, rater ,score\n" + "\n".join([*rows, "9,anna,"]), encoding="utf-8")

    from_table, from_lines = agreement(str(table)), agreement(written(tmp_path, lines))
    scores = [{"score" if name == "value" else name: value for name, value in line.items()} for line in lines]
    assert agreement(written(tmp_path, scores)) == from_lines

    assert from_table["undefined_by_reason"] == {"no human value": 1}
    assert (from_table["n"], from_table["weighted_kappa"]) == (9, 1.0)
    assert from_table["labels"] == from_lines["labels"] == [0, 1, 2]


def test_a_table_without_a_needed_column_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "ratings.csv"
    table.write_text("item,score\n1,2\n", encoding="utf-8")

    with pytest.raises(CommandError, match="Line 2 has no `human`"):
        call_command("agreement", str(table))
