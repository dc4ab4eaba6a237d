"""One organisation floods the product in five ways while another one works: how much slower does its work get?

The other one searches, opens the page of its corpus and asks for quoted answers, in turn.

Each flood is measured beside a quiet time just before it. Nothing leaves loopback.
"""

import http.client
import json
import random
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from statistics import quantiles
from threading import Event, Lock
from time import monotonic, sleep
from typing import Any

from tests.environment import SOAK_FOLDER
from tests.faults.environment import DOCUMENT, Case, Installation, wait_until
from tests.provider import ScriptedProvider, Wire, never_answers, says
from tests.soak.product import Product, installed

MEASURE_S = 60.0  # of work in each state
NOTE_READY_S = 10.0  # until a note of 20 bytes can be searched, behind the other's large files
ASKERS, ASKING_S = 50, 60.0
QUIET_S = 20.0
READY_S = 600.0
QUESTION = "Which rent shall the tenant of house 12 pay on the first day of each month?"
SENTENCE = "The tenant of house {} shall pay the rent of {} euros on the first day of each month. "
RENTS = "".join(SENTENCE.format(n, 7 * n) for n in range(100))[:6500]
ERRORS = (http.client.HTTPException, OSError, ValueError)


@dataclass
class Tally:
    """Times of requests that were answered, in seconds, and how many were answered otherwise."""

    seconds: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def add(self, status: int, seconds: float) -> None:
        with self._lock:
            self.statuses[status] = self.statuses.get(status, 0) + 1
            if status < 300:
                self.seconds.append(seconds)

    @property
    def n_errors(self) -> int:
        return sum(n for status, n in self.statuses.items() if status >= 300 or status == 0)

    def percentile(self, share: int) -> float:
        """Of the answered ones, in seconds; no answer at all counts as endless."""
        if not self.seconds:
            return float("inf")
        return quantiles(self.seconds, n=100, method="inclusive")[share - 1] if self.seconds[1:] else self.seconds[0]

    def document(self) -> dict[str, Any]:
        found = {"p50_s": round(self.percentile(50), 3), "p95_s": round(self.percentile(95), 3)}
        return found | {"answered": len(self.seconds), "errors": self.n_errors, "statuses": self.statuses}


class House:
    """One organisation at the running product."""

    def __init__(self, product: Product, case: Case) -> None:
        self.product, self.case = product, case
        order = product.installation.driver.order
        self._session = order("session", organization=case.organization, corpus=case.corpus)
        self._numbers = count(1)

    def ask(self, method: str, path: str, body: Any = None, *, timeout: float = 60.0) -> tuple[int, Any]:
        """Status and document of a reply; 0 where none came."""
        line = http.client.HTTPConnection("127.0.0.1", self.product.port, timeout=timeout)
        headers = {"Authorization": f"Bearer {self.case.token}", "Content-Type": "application/json"}
        try:
            line.request(method, f"/api/v1/{path}", None if body is None else json.dumps(body), headers)
            reply = line.getresponse()
            return reply.status, json.loads(reply.read() or b"{}")
        except ERRORS:
            return 0, {}
        finally:
            line.close()

    def upload(self, name: str, text: str) -> int:
        folder = self.product.installation.var / "sent" / self.case.organization
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / name
        file.write_text(text)
        return self.product.upload(self.case, file)

    def documents(self) -> list[dict[str, Any]]:
        _, found = self.ask("GET", f"corpora/{self.case.corpus}/documents/")
        return list(found.get("results", []))

    def wait_until_read(self, *, n_documents: int) -> None:
        def are_ready() -> bool:
            found = self.documents()
            sleep(1)  # asking more often would be a load of its own
            return len(found) >= n_documents and all(row["state"] in ("ready", "failed", "refused") for row in found)

        wait_until(are_ready, "documents that are read", seconds=READY_S)

    def question(
        self, *, mode: str, text: str = QUESTION, is_waited_for: bool = True, timeout: float = 120.0
    ) -> tuple[int, Any]:
        wanted = {"answer.mode": mode} | ({"gate": "off"} if mode == "written" else {})
        body = {"corpus_id": self.case.corpus, "text": text, "set": wanted, "wait": is_waited_for}
        return self.ask("POST", "questions/", body, timeout=timeout)

    def page(self) -> int:
        """Status of the page of the corpus, as a person who has signed in opens it."""
        line = http.client.HTTPConnection("127.0.0.1", self.product.port, timeout=60)
        try:
            line.request("GET", self._session["page"], headers={"Cookie": self._session["cookie"]})
            reply = line.getresponse()
            reply.read()
            return reply.status  # 302 to the sign-in page counts as no answer
        except ERRORS:
            return 0
        finally:
            line.close()

    def work(self, seconds: float) -> dict[str, Tally]:
        """A search, a page and a question of its own, in turn, for so long."""
        tallies, until = {name: Tally() for name in ("search", "page", "question")}, monotonic() + seconds
        search = {"corpus_id": self.case.corpus, "query": "bias audit of an AEDT"}
        actions: dict[str, Callable[[], int]] = {
            "search": lambda: self.ask("POST", "search/", search)[0],
            "page": self.page,
            "question": lambda: self.question(mode="quoted", text=f"What is bias audit {next(self._numbers)}?")[0],
        }
        while monotonic() < until:
            for name, act in actions.items():
                began = monotonic()
                status = act()
                tallies[name].add(status, monotonic() - began)
                sleep(0.05)
        return tallies


@dataclass
class Town:
    """The flooding organisation, the other one, and the language model that both are given."""

    loud: House
    quiet: House
    model: ScriptedProvider
    over: Event = field(default_factory=Event)
    notes: dict[str, Any] = field(default_factory=dict)

    @contextmanager
    def at_once(self, n: int, work: Callable[[int], None]) -> Iterator[None]:
        """So many threads do the work again and again until the block ends."""

        def go_on(number: int) -> None:
            while not self.over.is_set():
                work(number)

        self.over.clear()
        people = ThreadPoolExecutor(n)
        running = [people.submit(go_on, number) for number in range(n)]
        try:
            sleep(1)
            yield
        finally:
            self.over.set()
            wait(running, timeout=180)
            people.shutdown(wait=False, cancel_futures=True)

    def note(self, status: int) -> None:
        statuses = self.notes.setdefault("statuses", {})
        statuses[status] = statuses.get(status, 0) + 1


@contextmanager
def changes(town: Town) -> Iterator[None]:
    """Eight people open the changes between two versions that differ everywhere."""
    n_before = len(town.loud.documents())
    for seed in (1, 2):
        draw = random.Random(seed)
        clauses = (f"Clause {n} says {' '.join(draw.choices(['the', 'of', 'and'], k=1500))}." for n in range(40))
        assert town.loud.upload("clauses.txt", "\n\n".join(clauses)) == 202
        town.loud.wait_until_read(n_documents=n_before + 1)
    [document] = [row for row in town.loud.documents() if row["name"] == "clauses.txt"]
    with town.at_once(8, lambda _: town.note(town.loud.ask("GET", f"documents/{document['id']}/changes/")[0])):
        yield


@contextmanager
def quotes(town: Town) -> Iterator[None]:
    """Eight questions at once to a model that misquotes long passages, again and again."""
    n_before = len(town.loud.documents())
    assert town.loud.upload("rents.txt", "\n\n".join(f"{n} {RENTS}" for n in range(3))) == 202
    town.loud.wait_until_read(n_documents=n_before + 1)
    town.model.always = misquotes
    with town.at_once(8, lambda _: town.note(town.loud.question(mode="written")[0])):
        yield
    town.notes["asked of the model"] = len(town.model.asked)


def misquotes(wire: Wire) -> None:
    """Eight statements with six long quotes each, nearly word for word."""
    blocks = wire.asked.body["messages"][1]["content"].split('id="S')[1:]
    quote = max((block.split("\n", 2)[-1] for block in blocks), key=len)[:3990].replace(". ", "! ")
    sources = [{"id": f"S{n % max(1, len(blocks)) + 1}", "quote": quote} for n in range(6)]
    claims = [{"text": f"The tenant of house {n} shall pay the rent.", "sources": sources} for n in range(8)]
    text = json.dumps({"verdict": "answered", "claims": claims})
    if not wire.wants_stream:
        says(text)(wire)
        return
    wire.head(kind="text/event-stream")
    for at in range(0, len(text), 8000):  # in few pieces: it is the checks that are measured
        wire.piece(text[at : at + 8000])
    wire.piece(None, "stop")
    wire.event("[DONE]")


@contextmanager
def uploads(town: Town) -> Iterator[None]:
    """Twelve texts of 16 MB are in the queue; how long until the other's note of 20 bytes is ready?"""
    text = SENTENCE.format(1, 7) * 12
    paragraphs = 16 * 1024 * 1024 // (len(text) + 12)
    with ThreadPoolExecutor(3) as people:
        queued = [people.submit(town.loud.upload, f"large-{n}.txt", _large(text, paragraphs, n)) for n in range(12)]
        town.notes["taken"] = sum(future.result() == 202 for future in queued)
    n_before, began = len(town.quiet.documents()), monotonic()
    assert town.quiet.upload("note.txt", "The rent is 9 euros.") == 202

    def ready() -> None:
        town.quiet.wait_until_read(n_documents=n_before + 1)
        town.notes["ready_s"] = round(monotonic() - began, 1)

    with ThreadPoolExecutor(1) as people:
        waiting = people.submit(ready)
        yield
        with suppress(AssertionError):
            waiting.result()


def _large(text: str, paragraphs: int, number: int) -> str:
    return "\n\n".join(f"{number}.{n} {text}" for n in range(paragraphs))


@contextmanager
def bodies(town: Town) -> Iterator[None]:
    """Six bodies of 90 MB come slowly from nobody, opened again whenever they are refused (M4)."""

    def send(_: int) -> None:
        head = b"POST /nowhere/upload/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 94371840\r\n\r\n"
        with suppress(OSError), socket.create_connection(("127.0.0.1", town.loud.product.port), timeout=10) as line:
            line.sendall(head)
            for _megabyte in range(90):
                line.sendall(b"x" * 1024 * 1024)
                if town.over.wait(0.2):
                    return
        town.note(0)
        town.over.wait(0.2)

    with town.at_once(6, send):
        yield
        folder = town.loud.product.installation.var / "tmp"
        town.notes["MB on disk"] = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) // 2**20


@contextmanager
def streams(town: Town) -> Iterator[None]:
    """A hundred and fifty listeners of one token to one answer under way, who come back when a refusal says so (M7)."""
    town.model.always = never_answers
    _, answer = town.loud.question(mode="written", is_waited_for=False)
    path = f"/api/v1/answers/{answer['id']}/events/"
    headers = {"Authorization": f"Bearer {town.loud.case.token}"}

    def listen(_: int) -> None:
        line = http.client.HTTPConnection("127.0.0.1", town.loud.product.port, timeout=15)
        with suppress(*ERRORS):
            line.request("GET", path, headers=headers)
            reply = line.getresponse()
            town.note(reply.status)
            while reply.status == 200 and not town.over.is_set() and reply.readline():
                pass
            town.over.wait(float(reply.headers.get("Retry-After") or 1))
        line.close()

    with town.at_once(150, listen):
        yield
    town.loud.ask("POST", f"answers/{answer['id']}/cancel/")


FLOODS = {"bodies": bodies, "streams": streams, "quotes": quotes, "changes": changes, "uploads": uploads}
CPU = ("changes", "quotes", "uploads")  # where the flood is work for the processor itself, twice the time is the target
TARGETS = {name: 2.0 if name in CPU else 1.25 for name in FLOODS}


def floods_run(*, only: str, is_over: Callable[[], bool], say: Callable[[str], None]) -> None:
    """Measure every flood, and fifty askers; prints each, and keeps them in `floods.json`."""
    SOAK_FOLDER.mkdir(parents=True, exist_ok=True)
    file, found = SOAK_FOLDER / "floods.json", {}
    with installed() as installation, _modelled(installation) as model:
        product = Product(installation)
        loud, quiet = (House(product, installation.driver.case(name)) for name in ("loud", "quiet"))
        for house in (loud, quiet):
            assert product.upload(house.case, DOCUMENT) == 202
            house.wait_until_read(n_documents=1)
        quiet.work(3)  # what is loaded at the first search is loaded
        for name in (*FLOODS, "askers"):
            if is_over() or not any(part in name for part in only.split(",")):
                continue
            town = Town(loud, quiet, model)
            found[name] = _askers(quiet) if name == "askers" else _measured(town, name)
            say(f"floods {name}: {json.dumps(found[name])}")
            file.write_text(json.dumps(found, indent=1) + "\n")


@contextmanager
def _modelled(installation: Installation) -> Iterator[ScriptedProvider]:
    """The installation has a language model for everybody, which says what the flood wants."""
    model = ScriptedProvider()
    installation.environment |= {
        "LEGALQA_WORKERS": "1",
        "LEGALQA_LLM_URL": model.url,
        "LEGALQA_LLM_MODEL": "scripted-1",
        "LEGALQA_LLM_FOR": "*",
        "LEGALQA_LLM_CONTEXT": "100000",
        "LEGALQA_API_RATE_ASK": "100000/minute",
        "LEGALQA_API_RATE_SEARCH": "100000/minute",
    }
    try:
        yield model
    finally:
        model.close()


def _measured(town: Town, name: str) -> dict[str, Any]:
    before = town.quiet.work(MEASURE_S)
    began = monotonic()
    with FLOODS[name](town):
        during = town.quiet.work(MEASURE_S)
    ratios = {kind: tally.percentile(95) / before[kind].percentile(95) for kind, tally in during.items()}
    is_ready = name != "uploads" or town.notes.get("ready_s", float("inf")) <= NOTE_READY_S
    held = max(ratios.values()) <= TARGETS[name] and not any(tally.n_errors for tally in during.values())
    return {
        "ratio": {kind: round(ratio, 2) for kind, ratio in ratios.items()},
        "target": TARGETS[name],
        "held": held and is_ready,
        "quiet": {kind: tally.document() for kind, tally in before.items()},
        "flooded": {kind: tally.document() for kind, tally in during.items()},
        "seconds": round(monotonic() - began),
        "notes": town.notes,
    }


def _askers(house: House) -> dict[str, Any]:
    """One asker, then fifty at once, of quoted answers: of one question, and each time of another one."""
    houses = count(1)

    def asked(n: int, seconds: float, text: Callable[[], str]) -> Tally:
        tally, until = Tally(), monotonic() + seconds

        def ask(_: int) -> None:
            while monotonic() < until:
                began = monotonic()
                status, _answer = house.question(mode="quoted", text=text())
                tally.add(status, monotonic() - began)

        with ThreadPoolExecutor(n) as people:
            list(people.map(ask, range(n)))
        return tally

    def other() -> str:
        return f"How much is the rent of house {next(houses)}?"

    found = {
        "one": asked(1, QUIET_S, other),
        "fifty": asked(ASKERS, ASKING_S, other),
        "fifty_of_one_question": asked(ASKERS, ASKING_S, lambda: QUESTION),
    }
    held = not any(tally.n_errors for tally in found.values())
    return {name: tally.document() for name, tally in found.items()} | {"held": held}
