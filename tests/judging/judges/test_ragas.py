"""The four of RAGAS, by hand."""

import pytest

from judging.judges.types import JudgedAnswer, Status
from tests.judging.judges.items import PASSAGE, QUESTION, item, judged
from tests.people import Firm
from tests.provider import Reply, ScriptedProvider, says, says_json

pytestmark = pytest.mark.django_db
OTHER = "The fee is ten dollars."
ANSWER = item(JudgedAnswer("Within one year. By an auditor.", (OTHER, PASSAGE)))


def statements(*texts: str) -> Reply:
    return says_json({"statements": list(texts)})


def verdicts(**by_number: int) -> Reply:
    rows = [{"number": int(name[1:]), "verdict": verdict} for name, verdict in by_number.items()]
    return says_json({"verdicts": rows})


def makes(question: str, evasive: int = 0) -> Reply:
    return says_json({"question": question, "noncommittal": evasive})


def useful(*flags: int) -> list[Reply]:
    return [says_json({"verdict": flag}) for flag in flags]


def recalls(*flags: int) -> Reply:
    return says_json({"classifications": [{"statement": "s", "attributed": flag} for flag in flags]})


def test_each_measure_is_as_computed_by_hand(firm: Firm, bench: ScriptedProvider) -> None:
    """Faithfulness 2 of 4 (one has no verdict). The useful passage is second: ranking 1/2, share 1/2. Recall 2 of 3."""
    order = [*useful(0, 1), statements("a", "b", "c", "d"), verdicts(n1=1, n2=1, n4=0)]
    bench.will(*order, *[makes(QUESTION)] * 3, recalls(1, 1, 0))

    found = {each.measure: each for each in judged(firm, "ragas", ANSWER)}

    assert found["faithfulness"].value == 0.5
    assert found["faithfulness"].reason == "1 of 4 statements had no verdict and count as not supported."
    assert found["answer relevancy"].value == pytest.approx(1.0, abs=1e-3)
    assert "minilm-l6.v1" in found["answer relevancy"].reason
    assert (found["context precision (ranking)"].value, found["context precision (share)"].value) == (0.5, 0.5)
    assert found["context recall"].value == pytest.approx(2 / 3)
    assert sum(each.n_calls for each in found.values()) == 8


def test_an_answer_is_evasive_only_where_every_question_says_so(firm: Firm, bench: ScriptedProvider) -> None:
    bench.will(*[makes(QUESTION, 1)] * 3)
    evasive = judged(firm, "ragas", item("I do not know."))
    bench.will(makes(QUESTION, 1), makes(QUESTION, 0), says("?"), says("??"))
    conditional = judged(firm, "ragas", item("It depends on whether notice was given."))

    assert [each.value for each in evasive if each.measure == "answer relevancy"] == [0.0]
    [relevancy] = [each for each in conditional if each.measure == "answer relevancy"]
    assert relevancy.value == pytest.approx(1.0, abs=1e-3)
    assert relevancy.reason.startswith("2 of 3 questions could be made.")


def test_a_condition_is_named_as_committal_in_the_prompt(firm: Firm, bench: ScriptedProvider) -> None:
    bench.always = makes(QUESTION)
    judged(firm, "ragas", item("Yes."))

    assert "It depends on whether the tenant was given notice" in bench.asked[0].text


def test_without_passages_the_measures_of_passages_do_not_apply(firm: Firm, bench: ScriptedProvider) -> None:
    bench.will(*[makes(QUESTION)] * 3)

    found = {each.measure: each.status for each in judged(firm, "ragas", item("Yes."))}

    assert found.pop("answer relevancy") is Status.JUDGED
    assert set(found.values()) == {Status.NOT_APPLICABLE}


def test_an_answer_that_states_nothing_and_replies_that_cannot_be_read_have_no_value(
    firm: Firm, bench: ScriptedProvider
) -> None:
    bench.will(*useful(0, 0), statements(), *[makes("")] * 3, says("[]"), says_json({"classifications": "all"}))

    found = {each.measure: each for each in judged(firm, "ragas", ANSWER)}

    assert found["faithfulness"].status is Status.NOT_APPLICABLE
    assert found["context precision (ranking)"].value == 0.0
    assert found["answer relevancy"].status is Status.UNREADABLE
    assert found["context recall"].status is Status.UNREADABLE
