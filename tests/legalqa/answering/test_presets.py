"""What a preset says about answering, and that it says nothing where nothing is searched."""

import pytest
from pytest_django import Settings

from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import AnswerState, Claim
from legalqa.answering.presets import AnswerPreset, policy_of
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.llm.types import Role
from retrieval.pipelines.presets import PRESETS, Preset, preset_get, preset_register
from retrieval.retrievers import Dense
from retrieval.stages import Pipeline
from tests.committed import committed_fixture
from tests.legalqa.answering.writing import LATE, QUESTION, Office, make_office, writes
from tests.legalqa.llm.setting_up import set_up
from tests.provider import ScriptedProvider

committed_office = committed_fixture(make_office)


@pytest.fixture
def office(committed_office: Office, db: None) -> Office:
    return committed_office


def test_every_preset_of_the_product_says_how_it_answers() -> None:
    assert PRESETS
    assert all(isinstance(preset, AnswerPreset) for preset in PRESETS.values())


def test_a_search_alone_has_no_policy() -> None:
    search = Preset(name="search", title="Search", description="Nothing is answered.", pipeline=Dense() % 5)

    with pytest.raises(TypeError, match="says nothing about answering"):
        policy_of(search)


def test_a_name_is_registered_once() -> None:
    with pytest.raises(ValueError, match="registered twice"):
        preset_register(PRESETS["naive"])


@pytest.mark.parametrize("mode", ["quoted", "written"])
def test_nothing_searched_is_nothing_said_and_no_model_is_asked(
    mode: str, office: Office, settings: Settings, scripted_provider: ScriptedProvider
) -> None:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(office.firm, scripted_provider.url, role=Role.ANSWER)
    scripted_provider.always = writes((LATE, [LATE]))
    preset = preset_get("fixed-3", {"answer.mode": mode})

    answer = question_ask(
        question=Question(
            organization=office.firm.organization,
            user=office.firm.lawyer,
            corpus_id=office.corpus.pk,
            text=QUESTION,
            preset=preset.model_copy(update={"pipeline": Pipeline(stages=())}),
        )
    )

    assert answer.state == AnswerState.INSUFFICIENT_EVIDENCE
    with organization_scope(office.firm.organization, user=office.firm.lawyer):
        assert not Claim.objects.filter(answer=answer).exists()
    assert answer.evidence == []
    assert not scripted_provider.asked
