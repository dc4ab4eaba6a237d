"""`demo`: a demo organisation with real law, a first cited answer, and a comparison of presets on a gold set."""

from argparse import ArgumentParser
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.urls import reverse

from legalqa.accounts.models import Role
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.pages.answer import answer_document, answer_page
from legalqa.common.commands import LegalQACommand
from legalqa.common.database.embedded import embedded_home, server_pid
from legalqa.dashboard import demo
from legalqa.env import env_str
from legalqa.jobs.processes import memory_mb
from legalqa.jobs.run_lock import run_state


class Command(LegalQACommand):
    help = "Fill a demo organisation and print a first cited answer with sign-in links."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--up", action="store_true", help="start the services in the background first")
        parser.add_argument("--port", type=int, default=8000)

    def run(self, options: dict[str, Any]) -> None:
        started = monotonic()
        if options["up"]:
            call_command("up", detach=True, port=options["port"])
        else:
            call_command("migrate", verbosity=0)
        base_url = address_of_pages()
        organization, people = demo.demo_people()
        manager, lawyer = people[Role.CORPUS_MANAGER], people[Role.LAWYER]
        corpus = demo.demo_corpus(organization=organization, user=manager, demo=demo.LL144)
        demo.demo_wait(organization=organization, corpus=corpus, on_progress=self.progress)
        answer = demo.demo_answer(organization=organization, user=lawyer, corpus=corpus)
        seconds = monotonic() - started
        gold_set = demo.demo_gold_set(organization=organization, user=manager, corpus=corpus)
        experiment = demo.demo_experiment(organization=organization, user=manager, gold_set=gold_set)
        second = demo.demo_corpus(organization=organization, user=manager, demo=demo.AI_ACT)
        if not options["up"]:  # with the services up, their worker reads the long document meanwhile
            demo.demo_wait(organization=organization, corpus=second, on_progress=self.progress)
            demo.demo_experiment_finish(experiment=experiment, on_progress=self.progress)
        with organization_scope(organization, user=lawyer):
            answer_fields = answer_document(answer=answer)
            answer_text = answer_page(answer=answer, slug=organization.slug)["copy_text"]
        url = base_url + reverse("answer_detail", args=(organization.slug, answer.pk))
        links = demo.demo_links(people=people, base_url=base_url)
        document = {
            "organization": organization.slug,
            "answer": answer_fields,
            "url": url,
            "sign_in_links": links,
            "experiment_url": base_url + reverse("experiment_detail", args=(organization.slug, experiment.pk)),
            "seconds": round(seconds, 1),
            "memory_mb": round(memory_mb(str(settings.VAR), database=server_pid(embedded_home(settings.VAR)))),
        }
        self.note("")
        self.emit(document, options, _text(document, answer_text))


def address_of_pages() -> str:
    """Where a browser finds them: LEGALQA_BASE_URL if it is set, else where `up` serves them, on whatever port."""
    running = None if env_str("LEGALQA_BASE_URL") else run_state(settings.VAR)
    return running.url if running and running.url else settings.BASE_URL


def _text(document: dict[str, Any], answer_text: str) -> str:
    lines = [
        f"First cited answer after {document['seconds']} s; all processes together {document['memory_mb']} MB",
        "",
        *(f"  {line}".rstrip() for line in answer_text.splitlines()),
        "",
        f"Read it in the browser: {document['url']}",
        f"Comparison of presets, once it is done: {document['experiment_url']} (owner or manager)",
        "",
        "Sign in first, with a link that works once. Only the lawyer, who asked the question, sees this answer:",
    ]
    lines += [f"  {role:15} {link}" for role, link in document["sign_in_links"].items()]
    return "\n".join([*lines, "", "Stop the services with `manage.py down`."])
