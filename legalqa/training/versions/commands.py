"""What the commands about trained versions share."""

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from pydantic import BaseModel

from corpora.models import Corpus
from corpora.selectors import corpus_by_name
from judging.gold.services.sets import gold_set_by_name
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.common.errors import ApplicationError
from legalqa.jobs.models import Job
from legalqa.jobs.waiting import JobCommand
from legalqa.training.versions.trainer import Trainer, V


def corpus_named(options: dict[str, Any]) -> tuple[Organization, Corpus]:
    """The corpus that was named, and its organisation."""
    if not options["corpus"]:
        raise ApplicationError("Name the corpus with --corpus.", code="bad_arguments")
    organization = organization_get(slug=options["organization"])
    with organization_scope(organization, user=None):
        return organization, corpus_by_name(organization=organization, name=options["corpus"])


def settings_add(parser: ArgumentParser, training: type[BaseModel], names: Sequence[str], **more: Any) -> None:
    """An option for each of these settings of a training, of the type of its default."""
    for name in names:
        kind = type(training.model_fields[name].default)
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind, **more)


def settings_given(options: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The settings that were named; the others stay at their defaults."""
    return {name: options[name] for name in names if options[name] is not None}


def gold_sets_named(organization: Organization, corpus: Corpus, names: Sequence[str]) -> list[UUID]:
    """The ids of the corpus's gold sets of these names."""
    with organization_scope(organization, user=None):
        return [gold_set_by_name(organization=organization, corpus=corpus, name=name).pk for name in names]


class TrainingCommand(JobCommand):
    """A command that trains, or that works with what was trained."""

    def version_numbered(self, trainer: Trainer[V, Any], corpus: Corpus, number: int | None) -> V:
        """The version of this number, or the newest one that is ready; call it inside a scope."""
        versions = list(trainer.of_corpus(corpus))
        fits = (version for version in versions if version.number == number or (number is None and version.is_ready))
        version = next(fits, None)
        if version is None:
            numbers = ", ".join(str(version.number) for version in reversed(versions)) or "none yet"
            raise ApplicationError(
                f"There is no such {trainer.name}. The corpus has: {numbers}.", code=f"no_{trainer.name}"
            )
        return version

    def started(
        self, trainer: Trainer[V, Any], organization: Organization, corpus: Corpus, choices: Any, *, is_awaited: bool
    ) -> tuple[V, Job, str]:
        """Start a training, and work on it here until it has ended where that is asked for."""
        with organization_scope(organization, user=None):
            version, job = trainer.start(organization=organization, user=None, corpus_id=corpus.pk, choices=choices)
        if is_awaited:
            self.wait(job)
            with organization_scope(organization, user=None):
                version, _ = trainer.get(organization=organization, run_id=version.pk)
        words = f"{trainer.name.title()} {version.number} is trained in the background, by the workers of `up`."
        return version, job, words
