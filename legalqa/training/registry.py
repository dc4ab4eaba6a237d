"""Every kind of trained version. A new one is a file of its own and a line here."""

from uuid import UUID

from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job
from legalqa.jobs.services import Lease
from legalqa.training.classifier.face import CLASSIFIER_FACE
from legalqa.training.encoder.face import ENCODER_FACE
from legalqa.training.ranker.face import RANKER_FACE
from legalqa.training.reader.face import READER_FACE
from legalqa.training.versions.pages import AnyFace

FACES: list[AnyFace] = [CLASSIFIER_FACE, ENCODER_FACE, RANKER_FACE, READER_FACE]


def version_slice(*, lease: Lease) -> bool:
    """Work on the version of a job, of whichever kind it is; as `Trainer.slice`."""
    task = Job.objects.values_list("task", flat=True).get(pk=lease.job_id)
    trainers = [face.trainer for face in FACES if face.trainer.task == task]
    with organization_scope(lease.organization_id, user=None):
        models = ((trainer, trainer.rows().filter(pk=lease.subject_id)) for trainer in trainers)
        trainer = next((trainer for trainer, rows in models if rows.exists()), trainers[0])
    return trainer.slice(lease=lease)


def version_retry_check(*, organization: Organization, subject_id: UUID) -> None:
    """Before a training is resumed, of whichever kind it is; as `Runs.alone_check`."""
    for trainer in (face.trainer for face in FACES):
        for version in trainer.rows().filter(organization=organization, pk=subject_id):
            trainer.alone_check(version)
