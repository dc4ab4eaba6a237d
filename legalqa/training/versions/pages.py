"""The page that lists trained versions: what is in use, every version with the steps that it allows, and the forms."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.urls import reverse

from corpora.models import Corpus, TrainedVersion
from legalqa.accounts.models import Organization
from legalqa.jobs.models import Job
from legalqa.jobs.pages import reason_words, work_state
from legalqa.jobs.selectors import with_jobs
from legalqa.training.versions.face import Face, TrainingForm, VersionView
from legalqa.training.versions.trainer import ALLOWED

AnyFace = Face[Any, Any]

STAGES = {
    "searching": "Searching for every question",
    "fitting": "Comparing mappings",
    "fitted": "Learning",
    "mining": "Searching for passages that look right and are not",
    "training": "Learning",
    "testing": "Testing on held-out questions",
    "indexing": "Embedding the passages, beside those that are searched",
    "comparing": "Comparing before and after",
}


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version in the list: what it is, how far it is, whether searches use it, and the addresses of its steps."""

    version: TrainedVersion
    job: Job | None
    is_in_use: bool
    shown: VersionView
    steps: Mapping[str, str]
    url: str

    @property
    def is_working(self) -> bool:
        return self.job is not None and self.job.is_open

    @property
    def state(self) -> str:
        return "ready" if self.version.is_ready else work_state(self.job, without="failed")

    @property
    def stage(self) -> str:
        return STAGES.get(self.job.stage, "") if self.job is not None and self.is_working else ""

    @property
    def reason(self) -> str:
        return reason_words(self.job) if self.job is not None and not self.version.is_ready else ""


def versions_page(
    group: Sequence[AnyFace], *, organization: Organization, corpus: Corpus, forms: Mapping[AnyFace, TrainingForm]
) -> dict[str, Any]:
    """The kinds that are listed together, with a form for each; `forms` has the one that was filled in wrongly."""
    of: dict[str, Any] = {"organization": organization, "corpus": corpus}
    lacking = {face: face.lacking(**of) for face in group}
    return state_page(group, **of) | {
        "words": group[0].words,
        "lacking": lacking[group[0]],
        "trainings": [
            {
                "kind": face.trainer.name,
                "help": face.words.help,
                "form": forms.get(face) or face.form(**of),
                "address": reverse(face.addresses.name("list"), args=(organization.slug, corpus.pk)),
            }
            for face in group
            if lacking[face] is None
        ],
    }


def state_page(group: Sequence[AnyFace], *, organization: Organization, corpus: Corpus) -> dict[str, Any]:
    """What is in use and the versions: the part that is asked for again while something is under way."""
    at, where = group[0].addresses, (organization.slug, corpus.pk)
    addresses = {"page_address": reverse(at.listed, args=where), "state_address": reverse(at.name("state"), args=where)}
    page: dict[str, Any] = {"corpus": corpus, "cards": [], "tables": [], "is_working": False, **addresses}
    for face in group:
        context = face.context(organization=organization, corpus=corpus)
        rows = _rows(face, organization, corpus, face.trainer.of_corpus(corpus))
        slots = face.slots(corpus=corpus, in_use=face.trainer.in_use(corpus=corpus))
        page["cards"] += [_card(face, organization, corpus, slot, rows, context) for slot in slots]
        page["tables"].append({"kind": face.trainer.name, "words": face.words, "rows": rows})
        page["is_working"] |= context.get("is_working", False) or any(row.is_working for row in rows)
    return page


def report_page(
    group: Sequence[AnyFace],
    face: AnyFace,
    *,
    organization: Organization,
    corpus: Corpus,
    version: TrainedVersion,
    query: QueryDict,
    address: str,
) -> dict[str, Any]:
    """The report of a version that is ready; raises NotFound where the query asks for a part that it lacks."""
    (row,) = _rows(face, organization, corpus, [version])
    return {
        "corpus": corpus,
        "version": version,
        "report": version.report,
        "row": row,
        "kind": face.trainer.name,
        "parent": group[0].words.title,
        "parent_url": reverse(face.addresses.listed, args=(organization.slug, corpus.pk)),
        **face.report_page(organization=organization, corpus=corpus, version=version, query=query, address=address),
    }


def _rows(
    face: AnyFace, organization: Organization, corpus: Corpus, versions: Iterable[TrainedVersion]
) -> list[VersionRow]:
    trainer, name = face.trainer, face.addresses.name
    in_use, context = trainer.in_use(corpus=corpus), face.context(organization=organization, corpus=corpus)
    rows = []
    for version, job in with_jobs(organization=organization, rows=versions):
        args = (organization.slug, corpus.pk, version.pk)
        view = face.shown(version, corpus=corpus, in_use=in_use, context=context)
        standing = trainer.standing(version, job=job, in_use=in_use)
        steps = {
            step: reverse(name(step), args=args)
            for step, standings in ALLOWED.items()
            if standing in standings and step not in view.locked
        }
        is_in_use = trainer.is_in_use(version, corpus=corpus, in_use=in_use)
        rows.append(VersionRow(version, job, is_in_use, view, steps, reverse(name("detail"), args=args)))
    return rows


def _card(
    face: AnyFace,
    organization: Organization,
    corpus: Corpus,
    slot: Any,
    rows: Sequence[VersionRow],
    context: Mapping[str, Any],
) -> dict[str, Any]:
    """What a corpus uses of a kind, and the addresses that change it."""
    at, args = face.addresses, (organization.slug, corpus.pk)
    current = next((row for row in rows if row.is_in_use and face.trainer.slot_of(row.version) == slot), None)
    is_free = not context.get("is_switching")
    can_roll_back = is_free and face.trainer.can_roll_back(corpus=corpus, slot=slot)
    shown_slot = slot if face.trainer.slot and not face.trainer.slot_now(corpus) else ""  # one card each
    has_packaged = is_free and current is not None and at.can_use_packaged
    return {
        "kind": face.trainer.name,
        "slot": shown_slot,
        "label": f"{face.trainer.name.capitalize()}, {shown_slot} classes"
        if shown_slot
        else face.trainer.name.capitalize(),
        "used": current,
        "packaged": context.get("packaged") or face.packaged_words(slot),
        "words": face.words,
        "is_untrained": not rows,
        "roll_back": reverse(at.name("roll_back"), args=args) if can_roll_back else "",
        "use_packaged": reverse(at.name("use_packaged"), args=args) if has_packaged else "",
        "switch": context.get("switch"),
    }
