"""The examples of the API guide, sent as they are there to a running server."""

import json
import re
import shlex
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import requests
from pytest_django.plugin import DjangoDbBlocker

from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import token_create
from legalqa.jobs.models import Job
from legalqa.webhooks.signing import secret_make, signed_headers
from tests.committed import committed
from tests.ingestion import run_job
from tests.live import LiveServer
from tests.people import make_firm

ROOT = Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "docs" / "api-guide.md").read_text(encoding="utf-8")
RULE = ROOT / "corpora" / "demo_data" / "dcwp_final_rule.pdf"
PUBLIC = "93.184.215.14"
TOKEN = "TOKEN"


@dataclass
class Shell:
    """Runs the guide's `curl` lines; what a reply brings is there for the lines after it."""

    variables: dict[str, str]
    replies: list[tuple[str, requests.Response]] = field(default_factory=list)

    def run(self, line: str) -> None:
        words = shlex.split(re.sub(r"\$([A-Z]+)", lambda found: self.variables[found.group(1)], line))
        assert words[0] == "curl", line
        headers, files, body, address = {}, {}, None, ""
        rest = iter(words[1:])
        for word in rest:
            if word in ("-s", "-sN"):
                continue
            if word == "-H":
                name, _, value = next(rest).partition(": ")
                headers[name] = value
            elif word == "-d":
                body = next(rest)
            elif word == "-F":
                name, _, file = next(rest).partition("=@")
                files[name] = (file, RULE.read_bytes())
            else:
                address = word
        method = "POST" if body is not None or files else "GET"
        reply = requests.request(method, address, headers=headers, data=body, files=files or None, timeout=60)
        self.replies.append((line, reply))
        if reply.headers["Content-Type"] == "application/json":
            self._remember(address, reply.json())

    def _remember(self, address: str, said: Any) -> None:
        if address.endswith("/corpora/"):
            self.variables["CORPUS"] = said["id"]
        if address.endswith("/documents/") and "job" in said:
            self.variables["JOB"] = said["job"]["id"]
            run_job(Job.objects.get(pk=said["job"]["id"]))
        if address.endswith("/questions/"):
            self.variables["ANSWER"] = said["id"]


def curl_lines() -> list[str]:
    blocks = re.findall(r"```console\n(.*?)```", GUIDE, re.DOTALL)
    lines = re.findall(r"^\$ (.*)$", "".join(blocks).replace("\\\n", " "), re.MULTILINE)
    return [line for line in lines if not line.startswith("export ")]


@pytest.fixture
def program(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Shell]:
    """A manager's shell beside a running server, over rows that are really there."""

    def make() -> str:
        firm = make_firm("harding", "Harding & Stone")
        with organization_scope(firm.organization, user=firm.manager):
            _, secret = token_create(**firm.by_manager, name="guide", valid_days=1, scopes=ALL_SCOPES)
        return secret

    for secret in committed(django_db_blocker, make):
        with django_db_blocker.unblock():
            server = LiveServer()
            yield Shell({"LEGALQA": f"{server.url}/api/v1", TOKEN: secret})
            server.close()


def test_every_example_works_in_the_order_of_the_guide(program: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.getaddrinfo

    def looked_up(host: Any, port: Any, *args: Any, **more: Any) -> Any:
        return real(PUBLIC if host == "example.com" else host, port, *args, **more)

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)  # the guide's host exists nowhere
    for line in curl_lines():
        program.run(line)

    wrong = [(line, reply.status_code, reply.text[:200]) for line, reply in program.replies if not reply.ok]
    again = wrong.pop()  # the same file once more, under a key: safe to repeat, as the guide says
    assert (again[1], json.loads(again[2])["code"]) == (409, "duplicate_file")
    assert wrong == []
    answer = next(reply.json() for line, reply in program.replies if line.endswith("/questions/"))
    pack = next(reply.json() for line, reply in program.replies if line.endswith("/pack/"))
    assert answer["state"] == "answered"
    named = re.findall(
        r"`(\w+)(?:\[\])?`", "".join(re.findall(r"^\| (`[^|]*) \|", section("The answer"), re.MULTILINE))
    )
    assert {name for name in named if name != "citations"} <= set(answer)
    assert {"evidence", "trace", "prompts", "files"} <= set(pack)


def section(title: str) -> str:
    """The guide's words under a heading, up to the next."""
    return GUIDE.partition(f"# {title}\n")[2].partition("\n#")[0]


def test_the_check_of_a_signature_that_the_guide_shows_tells_ours_from_others() -> None:
    [code] = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    secret, body = secret_make(), b'{"type": "document.ready"}'
    headers = signed_headers(secrets_=[secret], event_id="msg_1", timestamp=int(time.time()), body=body)

    assert names["is_from_legalqa"](secret, headers, body)
    assert not names["is_from_legalqa"](secret_make(), headers, body)
    assert not names["is_from_legalqa"](secret, headers, body + b" ")
    assert not names["is_from_legalqa"](secret, headers | {"webhook-timestamp": "1700000000"}, body)
