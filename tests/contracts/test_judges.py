"""What every judge keeps: a value of each of its measures for each answer or the reason why not, and its scales."""

from itertools import product
from typing import Any

import pytest
from pytest_django import Settings

from judging.judges.forms import JudgeForm
from judging.judges.registry import BUILT_IN, KINDS
from judging.judges.services import judge_make, judge_save, name_with, settings_read
from judging.judges.types import JudgedAnswer, Judgment, Status
from legalqa.common.errors import ApplicationError
from legalqa.llm.gateway import NOT_CONFIGURED
from legalqa.llm.types import Role
from tests.judging.judges.items import PASSAGE, QUESTION, REFERENCE, item, judged
from tests.legalqa.llm.setting_up import set_up
from tests.people import Firm
from tests.provider import ScriptedProvider, says_json

pytestmark = pytest.mark.django_db
NAME = "own"
ITEM = item(
    JudgedAnswer("Within one year before the tool is used.", (PASSAGE,)),
    JudgedAnswer("Within ten years.", (PASSAGE,)),
    gold_passages=(PASSAGE,),
)
SILENT = item(JudgedAnswer("", is_silent=True), JudgedAnswer("", is_silent=True), gold_passages=(PASSAGE,))
# One reply in which every kind finds what it asked for.
REPLY = {
    "score": 1,
    "scores": [8, 5],
    "statements": ["The audit is done within one year."],
    "verdicts": [{"number": 1, "verdict": 1}],
    "question": QUESTION,
    "noncommittal": 0,
    "classifications": [{"statement": REFERENCE, "attributed": 1}],
}
WRONG: dict[str, dict[str, Any]] = {
    "words.v1": {"samples": 2},
    "citations.v1": {"samples": 2},
    "length.v1": {"samples": 2},
    "reader.v1": {"samples": 2},
    "correctness.v1": {"samples": 0},
    "binary.v1": {"criteria": ["luck"]},
    "ragas.v1": {"questions": 0},
    "faireval.v1": {"evidences": 0},
    "chateval.v1": {"roles": ["Jester"]},
    "memory.v1": {"temperature": 3},
}
OF_THE_QUESTION = {"memory.v1"}  # what it says does not depend on the answer
each = pytest.mark.parametrize("kind", KINDS.names())


@pytest.fixture
def provider(firm: Firm, scripted_provider: ScriptedProvider, settings: Settings) -> ScriptedProvider:
    """The firm's judge `m-1`, which always says REPLY."""
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(firm, scripted_provider.url, role=Role.JUDGE)
    scripted_provider.always = says_json(REPLY)
    return scripted_provider


def saved(firm: Firm, kind: str, **settings: Any) -> str:
    """A judge of that kind, as an organisation sets one up; its version."""
    return judge_save(organization=firm.organization, user=None, name=NAME, kind=kind, settings=settings).version


def places(found: list[Judgment]) -> list[tuple[str, int]]:
    return sorted((one.measure, one.answer) for one in found)


@each
def test_a_kind_has_a_title_and_settings_that_survive_being_stored(kind: str) -> None:
    described = KINDS.get(kind)
    usual = described.settings.model_validate({})

    assert described.title
    assert described.settings.model_validate(usual.model_dump(mode="json")) == usual
    assert any(setup.kind == kind for setup in BUILT_IN.values())
    assert set(described.settings.model_json_schema().get("properties", {})) == described.settings.model_fields.keys()


@each
def test_the_form_offers_the_kinds_that_ask_a_model_and_takes_their_usual_settings(kind: str) -> None:
    described = KINDS.get(kind)
    form = JudgeForm({"name": NAME, "kind": kind, "settings": described.settings().model_dump_json()})

    assert ((kind, described.title) in form.fields["kind"].choices) == described.needs_model  # type: ignore[attr-defined]  # a ChoiceField
    assert form.is_valid() == described.needs_model


@each
def test_a_kind_refuses_wrong_settings_and_says_which(kind: str) -> None:
    for wrong in (WRONG[kind], {"luck": 1}):
        with pytest.raises(ApplicationError, match=f"The setting '{next(iter(wrong))}") as refused:
            settings_read(kind=kind, values=wrong)
        assert refused.value.code == "bad_setting"


@each
def test_a_judge_says_what_it_measures_and_what_it_needs(kind: str, firm: Firm) -> None:
    version = saved(firm, kind)
    judge = judge_make(organization=firm.organization, name=NAME)

    assert judge.name == NAME
    assert judge.needs_model == KINDS.get(kind).needs_model
    assert judge.measures
    assert all(low < high for low, high in judge.measures.values())
    assert judge.version == version  # no model is set up: the same as when it was saved


@each
def test_what_may_change_a_value_makes_another_version(kind: str, firm: Firm) -> None:
    before = saved(firm, kind)

    if KINDS.get(kind).needs_model:
        assert saved(firm, kind, seed=2) != before
    else:
        with pytest.raises(ApplicationError, match="already has these settings"):
            saved(firm, kind)


@each
def test_law_is_read_by_models_alone_and_from_a_corpus_that_is_named(kind: str, firm: Firm) -> None:
    saved(firm, kind)
    with pytest.raises(ApplicationError) as refused:
        judge_make(organization=firm.organization, name=name_with(name=NAME, law="law"))

    assert refused.value.code == ("no_corpus" if KINDS.get(kind).needs_model else "reads_no_law")


@each
def test_each_measure_of_each_answer_has_one_value_on_its_scale(
    kind: str, firm: Firm, provider: ScriptedProvider
) -> None:
    saved(firm, kind)
    measures = judge_make(organization=firm.organization, name=NAME).measures

    found = judged(firm, NAME, ITEM)

    assert places(found) == sorted(product(measures, range(len(ITEM.answers))))
    for one in found:
        low, high = measures[one.measure]
        assert one.status is Status.JUDGED, one.reason
        assert one.value is not None and low <= one.value <= high
    assert judged(firm, NAME, ITEM)[0].value == found[0].value


@each
def test_the_calls_of_an_item_are_on_its_first_judgment(kind: str, firm: Firm, provider: ScriptedProvider) -> None:
    saved(firm, kind)
    first, *others = judged(firm, NAME, ITEM)

    assert first.n_calls == len(provider.asked)
    assert (first.n_calls > 0, first.n_tokens > 0, first.cost > 0) == (KINDS.get(kind).needs_model,) * 3
    assert not any(one.n_calls or one.n_tokens or one.cost for one in others)
    assert {one.model for one in (first, *others)} == {"m-1" if KINDS.get(kind).needs_model else ""}


@each
def test_without_a_model_the_kinds_that_need_one_say_so(kind: str, firm: Firm) -> None:
    saved(firm, kind)
    found = judged(firm, NAME, ITEM)

    if KINDS.get(kind).needs_model:
        assert {(one.value, one.status, one.reason) for one in found} == {(None, Status.FAILED, NOT_CONFIGURED)}
    else:
        assert {one.status for one in found} == {Status.JUDGED}


@pytest.mark.parametrize("kind", sorted(set(KINDS.names()) - OF_THE_QUESTION))
def test_a_silence_is_not_judged_and_nobody_is_asked(kind: str, firm: Firm, provider: ScriptedProvider) -> None:
    saved(firm, kind)
    found = judged(firm, NAME, SILENT)

    assert {(one.value, one.status) for one in found} == {(None, Status.NOT_APPLICABLE)}
    assert all(one.reason for one in found)
    assert not provider.asked
