"""The entities of cases read again by a language model (CBR-RAG, table 3), as a background job."""

from uuid import UUID

from corpora.models import Corpus
from corpora.selectors import corpus_get
from corpora.services.asking import ModelAway
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError
from legalqa.jobs.models import Job
from legalqa.jobs.services import JobRefused, Lease, job_ensure
from legalqa.llm.types import Role
from retrieval.cases.asking import CaseModel
from retrieval.cases.entities import MAX_CHARS, MAX_OF_KIND, Entities, entities_of
from retrieval.cases.indexing import case_indexes_refresh
from retrieval.models import CaseEntry, CaseState, EntitiesBy

TASK = "retrieval.tasks.cases_entities"
NO_MODEL = "No language model is set up for “Read entities and statements”. An owner can set one up in the settings."


def case_entities_begin(*, organization: Organization, user: User | None, corpus_id: UUID) -> Job:
    """Let the model of the role "extract" read the acts and entities of the cases that rules have read so far.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        ApplicationError: no model is set up for it.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    if not CaseModel(organization).is_there(Role.EXTRACT):
        raise ApplicationError(NO_MODEL, code="no_model")
    audit(organization=organization, actor=user, action="cases.entities_read", subject_id=corpus.pk)
    job_ensure(organization=organization.pk, task=TASK, subject_id=corpus.pk, corpus_id=corpus.pk)
    return Job.objects.filter(task=TASK, subject_id=corpus.pk).latest("created_at")


def case_entities_slice(*, lease: Lease) -> bool:
    """Read some more cases; True once none is left that rules have read.

    If a reply cannot be used, the case keeps what the rules found and counts as read: no case is asked for twice.

    Raises:
        JobRefused: the corpus was removed, or no model answers.
    """
    while True:
        with organization_scope(lease.organization_id, user=None):
            corpus = Corpus.objects.filter(pk=lease.subject_id).select_related("organization").first()
            if corpus is None:
                raise JobRefused("corpus_gone")
            cases = CaseEntry.objects.filter(corpus=corpus, entities_by=EntitiesBy.RULES)
            case = cases.exclude(state=CaseState.REJECTED).order_by("pk").first()
            if case is None:
                case_indexes_refresh(organization=corpus.organization, corpus=corpus, user=None)
                return True
        connection_give_back()
        try:
            entities = _read(CaseModel(corpus.organization), case)
        except ModelAway:
            raise JobRefused("model_silent") from None
        with organization_scope(lease.organization_id, user=None):
            CaseEntry.objects.filter(pk=case.pk).update(entities=entities, entities_by=EntitiesBy.MODEL)
            n_done = CaseEntry.objects.filter(corpus=corpus, entities_by=EntitiesBy.MODEL).count()
            lease.advance(stage="reading", cursor=n_done, total=n_done + cases.count())
        if lease.is_over:
            return False


def _read(model: CaseModel, case: CaseEntry) -> Entities:
    """The rules' entities, with the acts replaced by the model's and its other entities as concepts.

    If either reply cannot be used, everything stays as the rules found it.
    """
    acts, named = model.acts(case.support), model.entities(case.support)
    entities: Entities = case.entities
    if acts is None or named is None:
        return entities
    entities = dict(entities_of(case.support)) | {"act": acts}
    names = {phrase.casefold() for kind, phrases in entities.items() if kind != "concept" for phrase in phrases}
    concepts = [*(one for one in named if one.casefold() not in names), *entities.get("concept", ())]
    once = {phrase.casefold(): phrase for phrase in reversed(concepts)}
    entities["concept"] = tuple(reversed(once.values()))
    return {
        kind: tuple(one[:MAX_CHARS] for one in phrases[:MAX_OF_KIND]) for kind, phrases in entities.items() if phrases
    }
