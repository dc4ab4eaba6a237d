"""Requests made up from the API's own schema, right and wrong ones, as every role: never a fault, only what is written.

`LEGALQA_SOAK_CASES` says how many, over all roles; the same number and seed bring the same requests.
"""

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from legalqa.accounts.models import Role
from tests.environment import SOAK_CASES, SOAK_COUNTS, SOAK_SEED
from tests.isolation.world import House, World
from tests.live import LiveServer

TOKENS = {Role.OWNER: "owner", Role.CORPUS_MANAGER: "manager", Role.LAWYER: "lawyer", Role.ANNOTATOR: "annotator"}
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


class Program:
    """One role's program, sending what the schema allows and what it does not, and checking every reply."""

    def __init__(self, world: World, server: LiveServer, role: Role) -> None:
        self.house, self.server, self.n_sent, self.n_server_errors = world.ours, server, 0, 0
        self.tried: set[str] = set()
        self.wrong: dict[str, str] = {}
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {self.house.tokens[TOKENS[role]][1]}"
        found = self.session.get(f"{server.url}/api/v1/schema/?format=json", timeout=60)
        schema: Any = schemathesis.openapi.from_dict(found.json())
        self.operations = [one.ok() for one in schema.get_all_operations()]

    def run(self, wanted: int, *, share: Fraction) -> None:
        """Every operation in turn, round after round, until this many requests have been sent.

        Args:
            wanted: How many requests.
            share: Of the operations, those that other roles begin with: few requests reach all of them even so.
        """
        first = int(share * len(self.operations))
        turns = self.operations[first:] + self.operations[:first]
        for round_ in count():
            for operation in turns:
                if self.n_sent >= wanted:
                    return
                self._try(operation, n=1 if round_ == 0 else 12, number=SOAK_SEED + round_)
                self.tried.add(operation.label)

    def _try(self, operation: Any, *, n: int, number: int) -> None:
        positive = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
        modes = [positive]
        if operation.body or operation.query or operation.path_parameters:
            modes.append(operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))

        @seed(number)
        @settings(
            max_examples=n,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(data=st.data())
        def send(data: st.DataObject) -> None:
            case = data.draw(st.one_of(modes))
            if data.draw(st.booleans()):
                put_real_ids(case, self.house)
            self.n_sent += 1
            response = case.call(base_url=self.server.url, session=self.session, timeout=120)
            self.n_server_errors += response.status_code >= 500
            try:
                case.validate_response(response, checks=CHECKS)
            except FailureGroup as failures:
                for failure in failures.exceptions:
                    self.wrong.setdefault(f"{operation.label}: {failure}"[:300], case.as_curl_command())

        send()


def put_real_ids(case: "Case[Any]", house: House) -> None:
    """Ids of objects that are there: made-up ones lead no further than to a 404."""
    real = {
        "corpus_id": house.corpus.pk,
        "document_id": house.document.document.pk,
        "job_id": house.cancelled.job.pk,
        "answer_id": house.answers["owner"].pk,
        "webhook_id": house.webhook.pk,
        "delivery_id": house.delivery.pk,
    }
    for values in (case.path_parameters, case.body):
        if isinstance(values, dict):
            for name in values.keys() & real.keys():
                values[name] = str(real[name])


@pytest.fixture
def programs(world: World, server: LiveServer) -> Iterator[list[Program]]:
    made = [Program(world, server, role) for role in Role]
    yield made
    for program in made:
        program.session.close()


def test_no_request_that_follows_or_breaks_the_schema_gets_an_undocumented_answer(programs: list[Program]) -> None:
    for place, program in enumerate(programs):
        program.run(-(-SOAK_CASES // len(programs)), share=Fraction(place, len(programs)))

    n_sent = sum(program.n_sent for program in programs)
    if SOAK_COUNTS:
        faults = sum(program.n_server_errors for program in programs)
        Path(SOAK_COUNTS).write_text(json.dumps({"runs": n_sent, "server_errors": faults}))
    wrong = {what: how for program in programs for what, how in program.wrong.items()}
    assert not wrong, "\n".join(f"{what}\n    {how}" for what, how in wrong.items())
    assert n_sent >= SOAK_CASES
    assert set.union(*(program.tried for program in programs)) == {one.label for one in programs[0].operations}
