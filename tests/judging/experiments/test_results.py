"""The document of a result, from answers and scores to its rows, worked out by hand."""

from dataclasses import replace
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid5

from judging.experiments.report import head_table, table_text
from judging.experiments.results import Answered, Scored, StoredResults, results_document
from judging.experiments.settings import experiment_settings

SPACE = UUID(int=7)
SETTINGS = experiment_settings(presets=["naive", "fixed-3"], measures=["answer_rate", "recall@5"])


def question(number: int) -> UUID:
    return uuid5(SPACE, str(number))


def answered(cell: str, number: int, *, is_failed: bool = False, is_reused: bool = False) -> Answered:
    return Answered(cell, question(number), "", is_failed, is_reused, 0.5, 10, Decimal("0.25"))


def scored(cell: str, number: int, measure: str, value: float | None, reason: str = "", kind: str = "") -> Scored:
    status = "judged" if value is not None else "not applicable"
    return Scored(cell, question(number), kind, ("", measure), value, status, reason, "", Decimal(0))


def row(report: dict[str, Any], cell: str, measure: str) -> dict[str, Any]:
    (found,) = (one for one in report["rows"] if (one["preset"], one["metric"]) == (cell, measure))
    return dict(found)


def stored(*scores: Scored, answers: tuple[Answered, ...] = ()) -> StoredResults:
    return StoredResults(answers, scores)


def test_a_share_is_over_the_questions_that_have_a_value_and_the_others_are_counted_with_their_reason() -> None:
    scores = [scored("naive", n, "answer_rate", float(n < 3)) for n in range(4)]
    scores.append(scored("naive", 4, "answer_rate", None, "the corpus does not answer it"))

    found = row(results_document(settings=SETTINGS, stored=stored(*scores)), "naive", "answer_rate")

    assert (found["value"], found["n"], found["undefined"]) == (0.75, 4, 1)
    assert (round(found["low"], 4), round(found["high"], 4)) == (0.3006, 0.9544)  # Wilson for 3 of 4
    assert found["reasons"] == {"the corpus does not answer it": 1}
    assert found["statuses"] == {"not applicable": 1}


def test_a_repeat_without_a_value_is_not_undefined_where_another_has_one() -> None:
    scores = [scored("naive", 1, "recall@5", 1.0), scored("naive", 1, "recall@5", None, "the model refused")]

    found = row(results_document(settings=SETTINGS, stored=stored(*scores)), "naive", "recall@5")

    assert (found["undefined"], found["statuses"], found["reasons"]) == (0, {}, {})


def test_judgments_by_the_model_that_wrote_the_answer_are_counted_beside_those_of_others() -> None:
    warning = "m-1 judges an answer that it wrote itself."
    own = [replace(scored("naive", n, "correct", 1.0), measure=("sure", "correct"), warning=warning) for n in range(2)]
    other = replace(scored("fixed-3", 0, "correct", 0.5), measure=("sure", "correct"))

    report = results_document(settings=SETTINGS, stored=stored(*own, other))

    assert report["warnings"] == [{"judge": "sure", "words": warning, "n": 2, "of": 3}]
    assert f"2 of 3 values of sure: {warning}" in table_text(report)


def test_a_difference_is_over_the_questions_of_both_and_marked_by_the_corrected_test_only() -> None:
    ours = [scored("fixed-3", n, "answer_rate", 1.0) for n in range(8)]
    theirs = [scored("naive", n, "answer_rate", 0.0) for n in range(8)]
    lone = scored("fixed-3", 9, "answer_rate", 0.0)  # the baseline has no value for it
    same = [scored(cell, n, "recall@5", 0.5) for cell in ("naive", "fixed-3") for n in range(8)]

    report = results_document(settings=SETTINGS, stored=stored(*ours, *theirs, lone, *same))
    delta = row(report, "fixed-3", "answer_rate")["delta"]

    assert (delta["value"], delta["n"], delta["wins"], delta["ties"], delta["losses"]) == (1.0, 8, 8, 0, 0)
    assert delta["p"] == 2 / 2**8
    assert delta["p_holm"] == 2 * delta["p"]  # two tests in the table
    assert delta["is_marked"] and not delta["is_worse"]
    assert not row(report, "fixed-3", "recall@5")["delta"]["is_marked"]
    assert row(report, "naive", "answer_rate")["delta"] is None


def test_repeats_of_a_question_count_as_one_question() -> None:
    scores = [scored("naive", 1, "recall@5", value) for value in (0.0, 1.0)] + [scored("naive", 2, "recall@5", 1.0)]

    found = row(results_document(settings=SETTINGS, stored=stored(*scores)), "naive", "recall@5")

    assert (found["value"], found["n"]) == (0.75, 2)


def test_a_measure_without_values_is_a_dash_and_no_zero() -> None:
    report = results_document(settings=SETTINGS, stored=stored())

    assert row(report, "naive", "recall@5")["value"] is None
    assert {figure["value"] for line in head_table(report) for figure in line["figures"]} == {"–"}


def test_failed_answers_are_counted_and_reused_ones_cost_nothing_again() -> None:
    answers = (
        answered("naive", 1),
        answered("naive", 2, is_failed=True),
        answered("naive", 3, is_reused=True),
    )

    report = results_document(settings=SETTINGS, stored=stored(answers=answers))

    cell = report["cells"][0]
    assert (cell["n"], cell["failed"], cell["reused"], cell["tokens"]) == (3, 1, 1, 30)
    assert report["cost"] == "0.50"
    assert "1 answers failed and are in no figure." in table_text(report)


def test_types_have_rows_of_their_own_where_questions_have_types() -> None:
    scores = [scored("naive", n, "answer_rate", float(n == 1), kind="simple" if n < 3 else "") for n in range(1, 5)]

    report = results_document(settings=SETTINGS, stored=stored(*scores))

    mine = [one for one in report["types"] if one["n"]]
    assert [(one["type"], one["preset"], one["metric"], one["value"], one["n"]) for one in mine] == [
        ("simple", "naive", "answer_rate", 0.5, 2)
    ]


def test_what_became_worse_since_the_previous_experiment_beyond_chance_is_a_regression() -> None:
    before = stored(*(scored("naive", n, "answer_rate", 1.0) for n in range(10)))
    now = stored(*(scored("naive", n, "answer_rate", 0.0) for n in range(10)))

    worse = results_document(settings=SETTINGS, stored=now, previous=(question(0), before))["compared"]
    better = results_document(settings=SETTINGS, stored=before, previous=(question(0), now))["compared"]

    assert worse["is_regression"] and not better["is_regression"]
    assert worse["rows"][0]["value"] == -1.0


def test_fewer_seconds_are_a_gain_and_are_not_tested() -> None:
    settings = experiment_settings(presets=["naive", "fixed-3"], measures=["seconds"])
    scores = [scored("naive", n, "seconds", 2.0) for n in range(9)]
    scores += [scored("fixed-3", n, "seconds", 1.0) for n in range(9)]

    delta = row(results_document(settings=settings, stored=stored(*scores)), "fixed-3", "seconds")["delta"]

    assert (delta["value"], delta["wins"], delta["p"], delta["is_marked"]) == (-1.0, 9, None, False)


def test_a_judges_measure_that_is_good_where_it_is_low_gains_when_it_falls() -> None:
    scores = [replace(scored("naive", n, "", 0.8), measure=("reader", "ungrounded")) for n in range(9)]
    scores += [replace(scored("fixed-3", n, "", 0.2), measure=("reader", "ungrounded")) for n in range(9)]

    report = results_document(settings=SETTINGS, stored=stored(*scores))

    delta = row(report, "fixed-3", "ungrounded")["delta"]
    assert (delta["wins"], delta["losses"], delta["is_worse"]) == (9, 0, False)
    assert {m["name"]: m["less_is_better"] for m in report["measures"]}["ungrounded"] is True
