"""The same file sent many times at once, to two organisations: each keeps it once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import requests

from corpora.models import DocumentVersion
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job
from tests.isolation.world import House, World
from tests.live import LiveServer
from tests.uploads import file_path

AT_ONCE = 20


def send_all(
    server: LiveServer, houses: tuple[House, ...], name: str, headers: dict[str, str]
) -> dict[str, list[requests.Response]]:
    """Every house's manager sends the file this many times, all of them at the same moment."""
    start = Barrier(AT_ONCE * len(houses))
    content = f"The tenant of the race course pays the rent of {name} each month.\n".encode()

    def send(house: House) -> tuple[str, requests.Response]:
        start.wait(60)
        return house.slug, requests.post(
            f"{server.url}/api/v1/corpora/{house.corpus.pk}/documents/",
            files={"file": (name, content)},
            headers={"Authorization": f"Bearer {house.tokens['manager'][1]}", **headers},
            timeout=120,
        )

    with ThreadPoolExecutor(AT_ONCE * len(houses)) as pool:
        answers = list(pool.map(send, [house for house in houses for _ in range(AT_ONCE)]))
    return {house.slug: [answer for slug, answer in answers if slug == house.slug] for house in houses}


def kept(house: House, name: str) -> tuple[int, int, int]:
    """Versions of the file, their jobs, their stored files."""
    organization_id = house.firm.organization.pk
    with organization_scope(organization_id, user=None):
        versions = list(DocumentVersion.objects.filter(document__name=name, corpus=house.corpus))
    files = [file_path(organization_id=organization_id, file_id=version.file_id) for version in versions]
    n_jobs = Job.objects.filter(subject_id__in=[version.pk for version in versions]).count()
    return len(versions), n_jobs, sum(file.is_file() for file in files)


def n_files(house: House) -> int:
    organization_id = house.firm.organization.pk
    return len(list(file_path(organization_id=organization_id, file_id=organization_id).parent.iterdir()))


def test_the_same_file_at_once_in_two_organisations_is_one_document_in_each(world: World, server: LiveServer) -> None:
    houses = (world.ours, world.theirs)
    before = [n_files(house) for house in houses]
    answers = send_all(server, houses, "race.txt", {})

    for house in houses:
        statuses = sorted(answer.status_code for answer in answers[house.slug])
        assert statuses == [202] + [409] * (AT_ONCE - 1)
        codes = {answer.json()["code"] for answer in answers[house.slug] if answer.status_code == 409}
        assert codes == {"duplicate_file"}
        assert kept(house, "race.txt") == (1, 1, 1)
    assert [n_files(house) for house in houses] == [n + 1 for n in before], "the others left no file behind"


def test_with_one_idempotency_key_the_same_upload_at_once_is_done_once(world: World, server: LiveServer) -> None:
    """A second request while the first is at work is told to come again, and then gets the first one's reply."""
    houses, headers = (world.ours, world.theirs), {"Idempotency-Key": "race"}
    answers = send_all(server, houses, "key.txt", headers)
    again = send_all(server, houses, "key.txt", headers)

    for house in houses:
        statuses = {answer.status_code for answer in answers[house.slug]}
        assert statuses <= {202, 409}
        assert sum("Idempotent-Replayed" not in a.headers for a in answers[house.slug] if a.status_code == 202) == 1
        refused = [answer for answer in answers[house.slug] if answer.status_code == 409]
        assert {answer.json()["code"] for answer in refused} <= {"idempotency_in_progress"}
        assert all(int(answer.headers["Retry-After"]) >= 1 for answer in refused)
        assert {answer.status_code for answer in again[house.slug]} == {202}
        assert len({answer.content for answer in again[house.slug]}) == 1
        assert all(answer.headers["Idempotent-Replayed"] == "true" for answer in again[house.slug])
        assert kept(house, "key.txt") == (1, 1, 1)
