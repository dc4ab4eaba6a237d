"""The process that writes an answer is killed with -9 at each step: the answer ends once, whole, and is never stuck."""

import json
from collections.abc import Iterator

import pytest

from tests.crash_points import ANSWER_CRASH_POINTS
from tests.faults.environment import WORK_S, Driver, Installation
from tests.provider import ScriptedProvider, fails, says

KILLED = -9
RULE = "The tenant pays a rent of 900 euros each month."
REPLY = {"verdict": "answered", "claims": [{"text": RULE, "sources": [{"id": "S1", "quote": RULE}]}]}

pytestmark = pytest.mark.usefixtures("encoder")


@pytest.fixture(scope="module")
def provider() -> Iterator[ScriptedProvider]:
    made = ScriptedProvider(always=says(json.dumps(REPLY)))
    yield made
    made.close()


@pytest.fixture(scope="module")
def writing(installation: Installation, provider: ScriptedProvider) -> Iterator[Driver]:
    """A driver whose processes have the operator's model."""
    model = {"LEGALQA_LLM_URL": provider.url, "LEGALQA_LLM_MODEL": "m", "LEGALQA_LLM_FOR": "*"}
    made = Driver(installation.environment | model, "openai")
    yield made
    made.close()


def asked(driver: Driver, installation: Installation, slug: str, *, crash: str = "") -> list[dict[str, object]]:
    """The answers of an organisation that asked once, where the asking process was killed and the queue came after."""
    case, path = driver.case(slug), installation.var / "lease.md"
    path.write_text(f"# Lease\n\n{RULE}\n")
    driver.order("upload", organization=case.organization, corpus=case.corpus, path=str(path))
    driver.order("work", organization=case.organization, seconds=WORK_S)
    question = {"organization": case.organization, "corpus": case.corpus, "text": "What rent does the tenant pay?"}
    driver.order("ask", **question, crash=crash, expect=KILLED if crash else 0)
    driver.order("work", organization=case.organization, seconds=WORK_S)
    found: list[dict[str, object]] = driver.order("answers", organization=case.organization)
    return found


@pytest.mark.parametrize("step", ANSWER_CRASH_POINTS)
def test_an_answer_outlives_the_process_that_wrote_it(step: str, writing: Driver, installation: Installation) -> None:
    marker = installation.var / f"killed-{step}"
    [answer] = asked(writing, installation, step.replace(".", "-").replace("_", "-"), crash=f"{step}:{marker}")

    assert marker.exists()
    assert (answer["state"], answer["mode"], answer["text"]) == ("answered", "written", RULE)


def test_without_a_model_that_answers_the_documents_are_quoted(
    writing: Driver, installation: Installation, provider: ScriptedProvider
) -> None:
    provider.will(fails(401), fails(401))
    [answer] = asked(writing, installation, "answer-unkilled")
    provider.replies.clear()

    assert (answer["state"], answer["mode"], answer["text"]) == ("answered", "extractive", RULE)
