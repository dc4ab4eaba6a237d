"""Answers in threads of the web process: fewer than it has connections, so that pages still get one."""

from uuid import UUID, uuid4

import pytest

from legalqa.accounts.models import Organization
from legalqa.answering.services import work
from legalqa.common.work import Places
from legalqa.jobs.supervisor import Address, Supervisor


@pytest.mark.parametrize("pool", [2, 3, 4, 8, 100])
def test_fewer_answers_are_written_at_once_than_there_are_connections(pool: int) -> None:
    assert 1 <= work.threads_max(pool=pool) < pool


def test_the_web_process_that_up_starts_leaves_two_connections_to_the_pages() -> None:
    [web, *_] = Supervisor(Address("127.0.0.1", 8000), workers=1, announce=print)._webs
    pool = int(web._environment["LEGALQA_DATABASE_POOL"])
    assert work.threads_max(pool=pool) == pool - 2


def test_an_answer_for_which_no_thread_is_left_goes_to_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    enqueued: list[UUID] = []
    # No thread is free; what follows is only noted, as there is neither database nor queue here.
    monkeypatch.setattr(work, "THREADS", Places(of_one=1, of_all=0, refusal=""))
    monkeypatch.setattr(work, "job_enqueue", lambda *, job_id: enqueued.append(job_id))
    monkeypatch.setattr(work, "answer_work", lambda **_: pytest.fail("no thread was left"))
    job_id = uuid4()
    work.work_begin(organization=Organization(), job_id=job_id)
    assert enqueued == [job_id]
