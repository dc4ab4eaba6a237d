"""What every kind of trained version keeps: one life cycle, on pages, over the API and at the command line.

A toy that is registered from one file goes through all of it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from uuid import UUID

import pytest
from django.core.management import CommandError
from django.test import Client
from django.urls import include, path, reverse

from legalqa.accounts.models import AuditEvent
from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services.tokens import token_create
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.services import job_run
from legalqa.training import registry, tasks
from legalqa.training.files import work_folder
from legalqa.training.versions.api import api_routes
from legalqa.training.versions.trainer import ALLOWED, Standing
from legalqa.training.versions.views import page_routes
from legalqa.urls import urlpatterns as site
from retrieval.models import TrainedRanker
from tests.commands import told
from tests.committed import committed_fixture
from tests.contracts.toy_version import STEPS, TOY
from tests.ingestion import Place, make_corpus
from tests.people import make_firm, signed_in

urlpatterns = [  # as legalqa.training.urls makes them of a line in the registry
    path("o/<slug:slug>/", include(page_routes(TOY, [TOY]))),
    path("api/v1/", include(api_routes(TOY))),
    *site,
]
pytestmark = pytest.mark.urls(__name__)


@dataclass(frozen=True)
class Box(Place):
    token: str

    def api(self, method: str, address: str = "", data: dict[str, Any] | None = None) -> Any:
        call, headers = getattr(Client(), method), {"Authorization": f"Bearer {self.token}"}
        address = f"/api/v1/corpora/{self.corpus.pk}/toys/{address}"
        return call(address, data, content_type="application/json", headers=headers)


def make_box() -> Box:
    firm = make_firm("harding", "Harding & Stone")
    corpus = make_corpus(firm, "Toys")
    with organization_scope(firm.organization, user=firm.manager):
        _, token = token_create(**firm.by_manager, name="x", valid_days=1, scopes=ALL_SCOPES)
    return Box(firm, corpus, token)


committed_box = committed_fixture(make_box)


@pytest.fixture
def box(committed_box: Box, db: None, settings: Any, tmp_path: Path) -> Iterator[Box]:
    settings.VAR = tmp_path
    registry.FACES.append(TOY)
    yield committed_box
    registry.FACES.remove(TOY)


@pytest.fixture
def manager(box: Box) -> Client:
    return signed_in(box.firm.manager)


def trained(box: Box) -> UUID:
    """A toy that has gone through its training, started by a program."""
    begun = box.api("post", data={"goal": 7}).json()
    tasks.version_train(begun["job_id"])
    return UUID(begun["id"])


def shown(manager: Client, box: Box, name: str = "toy_list", *more: object) -> str:
    answer = manager.get(box.address(name, *more))
    assert answer.status_code in (200, 286)
    return " ".join(answer.content.decode().split())


def test_a_toy_lives_its_whole_life_on_its_pages(box: Box, manager: Client) -> None:
    assert "The packaged toy" in shown(manager, box)
    assert manager.post(box.address("toy_list"), {"goal": "0"}).status_code == 422
    assert manager.post(box.address("toy_list"), {"goal": "7"}).status_code == 302
    assert "hx-get" in shown(manager, box, "toy_state")
    with box.inside():
        version = TrainedRanker.objects.get()
    job = Job.objects.get(subject_id=version.pk)

    assert manager.get(box.address("toy_detail", version.pk)).status_code == 404, "there is no report yet"
    assert manager.post(box.address("toy_use", version.pk)).status_code == 409
    for act, then in (("job_cancel", "Resume"), ("job_retry", "Cancel")):
        address = reverse(act, args=[box.firm.organization.slug, job.pk])
        assert address in shown(manager, box, "toy_state")
        manager.post(address)
        assert then in shown(manager, box)
    tasks.version_train(str(job.pk))
    assert '<dd class="num">7</dd>' in shown(manager, box, "toy_detail", version.pk)
    manager.post(box.address("toy_use", version.pk))
    assert "trained on a toy box" in shown(manager, box)
    assert manager.post(box.address("toy_remove", version.pk)).status_code == 409, "it is in use"
    manager.post(box.address("toy_roll_back"))
    assert "The previous toy is back in use." in shown(manager, box)
    manager.post(box.address("toy_remove", version.pk))
    assert "Version 1" not in shown(manager, box)
    with box.inside():
        actions = [action for action in AuditEvent.objects.values_list("action", flat=True) if "toy." in action]
    assert set(actions) == {"toy.trained", "toy.activated", "toy.rolled_back", "toy.removed"}


def test_a_program_sees_the_same_life(box: Box) -> None:
    version = trained(box)

    assert box.api("get", f"{version}/").json()["report"] == {"steps": STEPS, "goal": 7}
    assert box.api("get", "in-use/").json() == {"toy_id": None}
    assert box.api("post", "in-use/", {"toy_id": str(version)}).json() == {"toy_id": str(version)}
    assert box.api("get").json()[0]["is_in_use"]
    for step in ("cancel", "resume"):
        assert box.api("post", f"{version}/{step}/").status_code == 409
    assert box.api("delete", f"{version}/").json()["code"] == "toy_in_use"
    assert box.api("post", "roll-back/").json() == {"toy_id": None}
    assert box.api("post", "roll-back/").json()["code"] == "nothing_before"
    assert box.api("delete", f"{version}/").status_code == 204
    assert box.api("get").json() == []


def test_a_training_that_dies_between_steps_resumes_from_its_files(box: Box, settings: Any) -> None:
    settings.JOB_SLICE_S = 0
    begun = box.api("post", data={"goal": 7}).json()
    tasks.version_train(begun["job_id"])

    assert json.loads((work_folder(UUID(begun["id"])) / "steps.json").read_text()) == 1
    assert box.api("post", data={"goal": 7}).json()["code"] == "training_open"
    for _ in range(STEPS):
        tasks.version_train(begun["job_id"])
    assert box.api("get", f"{begun['id']}/").json()["state"] == "ready"
    assert not work_folder(UUID(begun["id"])).exists()


def test_a_training_that_is_killed_once_its_version_is_ready_has_nothing_to_resume(
    box: Box, manager: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = box.api("post", data={"goal": 7}).json()
    # a kill between the stored version and the end of its job
    monkeypatch.setattr("legalqa.training.versions.trainer.work_remove", Mock(side_effect=SystemExit))
    with pytest.raises(SystemExit):
        tasks.version_train(begun["job_id"])

    assert box.api("get", f"{begun['id']}/").json()["state"] == "ready"
    assert box.api("post", f"{begun['id']}/cancel/").status_code == 409
    page = shown(manager, box)
    assert ("Resume" in page, "Cancel" in page) == (False, False)


def test_a_stopped_training_is_not_resumed_beside_another_one_nor_from_the_list_of_work(
    box: Box, manager: Client
) -> None:
    first, second = _cancelled(box), box.api("post", data={"goal": 7}).json()
    listed = reverse("job_retry", args=[box.firm.organization.slug, first["job_id"]])
    bearer = {"Authorization": f"Bearer {box.token}"}

    assert box.api("post", f"{first['id']}/resume/").json()["code"] == "training_open"
    retry = reverse("api_job_retry", args=[first["job_id"]])
    by_job = Client().post(retry, content_type="application/json", headers=bearer)
    assert by_job.json()["code"] == "training_open"
    assert manager.post(listed).status_code == 409
    assert Job.objects.get(pk=first["job_id"]).state == JobState.CANCELLED

    box.api("post", f"{second['id']}/cancel/")
    assert manager.post(listed).status_code == 302
    assert Job.objects.get(pk=first["job_id"]).state == JobState.QUEUED


def _cancelled(box: Box) -> dict[str, str]:
    begun: dict[str, str] = box.api("post", data={"goal": 7}).json()
    box.api("post", f"{begun['id']}/cancel/")
    return begun


def test_a_version_that_was_removed_ends_its_job(box: Box) -> None:
    begun = box.api("post", data={"goal": 7}).json()
    with box.inside():
        TrainedRanker.objects.all().delete()
    job_run(job_id=UUID(begun["job_id"]), work=TOY.trainer.slice)

    assert Job.objects.get(pk=begun["job_id"]).reason == "toy_removed"


told_of_toy = partial(told, "trained", "toy")


def test_the_command_lists_reports_activates_and_removes(box: Box) -> None:
    trained(box)
    slug = box.corpus.slug

    assert told_of_toy("list", slug)["versions"] == [{"number": 1, "learned_from": "a toy box", "standing": "ready"}]
    assert told_of_toy("report", slug)["report"]["steps"] == STEPS
    told_of_toy("use", slug, "--number", "1")
    assert told_of_toy("list", slug)["versions"][0]["standing"] == "in use"
    with pytest.raises(CommandError, match="This toy is in use"):
        told_of_toy("remove", slug, "--number", "1")
    told_of_toy("roll-back", slug)
    with pytest.raises(CommandError, match="The corpus has: 1"):
        told_of_toy("use", slug, "--number", "7")
    told_of_toy("remove", slug, "--number", "1")
    assert told_of_toy("list", slug)["versions"] == []


def test_every_standing_says_which_steps_it_allows() -> None:
    assert {step: sorted(standings) for step, standings in ALLOWED.items()} == {
        "use": [Standing.READY],
        "remove": [Standing.READY, Standing.STOPPED],
    }


@pytest.mark.parametrize("face", registry.FACES, ids=lambda face: face.trainer.name)
def test_a_registered_kind_says_something_for_every_step_and_endpoint(face: Any) -> None:
    endpoints = {"create", "use", "roll_back", "delete"} | ({"in_use"} if face.used else set())

    assert set(face.words.endpoints) == endpoints
    assert {"use", "roll_back", "remove"} <= set(face.words.said)
    assert face.words.packaged
