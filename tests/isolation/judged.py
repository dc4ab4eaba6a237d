"""What the judging of a house has in it: tunings, gold questions, experiments, judges, reviewed grades."""

import json
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from corpora.models import Corpus, Paragraph
from judging.experiments.cases.pairs import PairQuestion
from judging.experiments.cases.services import case_evaluation_measure, case_evaluation_start
from judging.experiments.results import results_document, results_read
from judging.experiments.services import EXPERIMENTS
from judging.experiments.settings import experiment_settings
from judging.gold.feedback.services import feedback_review
from judging.gold.generation.services import generation_start
from judging.gold.services.kinds import kind_add
from judging.gold.services.reviewing import gold_question_edit, gold_question_review, reference_report
from judging.gold.services.sets import gold_questions, gold_set_import
from judging.judges.services import judge_save
from judging.models import (
    CaseEvaluation,
    Experiment,
    ExperimentAnswer,
    ExperimentScore,
    GoldGeneration,
    GoldReport,
    Judge,
    QuestionType,
    TunedSearch,
    TuningRun,
)
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.clauses.models import ClauseQuestion, ClauseReview, ClauseVerdict
from legalqa.answering.clauses.services import clause_add
from legalqa.answering.models import Answer, AnswerGrade, Contradiction
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_create, job_run
from legalqa.training.tuning.services import TUNINGS, TuningOptions
from retrieval.cases.files import CaseRow, CaseSpan
from retrieval.cases.indexing import TASK, cases_embed_slice
from retrieval.cases.services import case_review, cases_add
from retrieval.models import CaseEntry, CaseIndex
from retrieval.pipelines.adaptive import mapping_hand_set
from retrieval.services.mappings import mapping_save
from tests.ingestion import Ingested, positions
from tests.isolation.indexed import indexed_question
from tests.judging.gold.reading import gold_rows_read
from tests.people import Firm


@dataclass(frozen=True)
class Gold:
    """What people have done with a question of a gold set: everything that bears an id."""

    report: GoldReport
    generation: GoldGeneration
    type: QuestionType


def measured_rows(firm: Firm, corpus: Corpus, document: Ingested, marker: str, prefix: str = "") -> dict[str, Any]:
    """What a corpus is measured by and what was found: a tuning, an experiment, a contradiction, a question."""
    tuning = tuning_of(firm, corpus, document, marker)
    found = {
        "tuning": tuning,
        "gold": gold_of(firm, tuning, marker),
        "experiment": experiment_of(firm, tuning, marker),
        "contradiction": contradiction_of(firm, corpus, document),
        "verdict": clause_verdict_of(firm, corpus, document),
        "case": _case(firm, corpus, document, marker),
        "evaluation": evaluation_of(firm, corpus, ("garden", "pond"), marker),
        "indexed": indexed_question(firm, corpus, document, marker),
    }
    return {f"{prefix}{name}": row for name, row in found.items()}


def reviewed_grade(firm: Firm, answer: Answer, marker: str) -> AnswerGrade:
    """The grade of an answer, reviewed with a note that bears the marker."""
    acting: Any = {"organization": firm.organization, "user": firm.owner}
    with organization_scope(firm.organization, user=firm.owner):
        grade = AnswerGrade.objects.get(answer=answer)
        feedback_review(**acting, grade_id=grade.pk, outcome="no_change", note=f"So says the lease of {marker}.")
    return grade


def _case(firm: Firm, corpus: Corpus, document: Ingested, marker: str) -> CaseEntry:
    """A solved case that bears the marker and rests on a paragraph, in use."""
    acting: Any = {"organization": firm.organization, "user": firm.owner}
    paragraph = positions(firm, document.version)[1].paragraph.public_id
    spans = (CaseSpan(paragraph),)
    row = CaseRow(f"What is due for the {marker} garden?", "900 euros.", spans=spans, id="garden")
    other = CaseRow(f"What is due for the {marker} pond?", "Nothing.", spans=spans, id="pond")
    with organization_scope(firm.organization, user=firm.owner):
        case, beside = cases_add(**acting, corpus_id=corpus.pk, rows=[row, other]).cases
        case_review(**acting, case_id=beside.pk, decision="approve")
        job = Job.objects.get(task=TASK, subject_id=CaseIndex.objects.get(corpus=corpus).pk)
        case_review(**acting, case_id=case.pk, decision="approve", note=f"Right on {marker}.")
    job_run(job_id=job.pk, work=cases_embed_slice)
    return case


def evaluation_of(firm: Firm, corpus: Corpus, cases: tuple[str, str], marker: str) -> CaseEvaluation:
    """An evaluation of two solved cases that waits to be measured, with a test question that bears the marker."""
    acting: Any = {"organization": firm.organization, "user": firm.owner}
    question = PairQuestion(f"What is due for all of {marker}?", "900 euros.", cases, "")
    with organization_scope(firm.organization, user=firm.owner):
        made = case_evaluation_start(**acting, corpus_id=corpus.pk, questions=[question])
        return case_evaluation_measure(**acting, evaluation_id=made.pk, chosen=[0])


def contradiction_of(firm: Firm, corpus: Corpus, document: Ingested) -> Contradiction:
    """Two paragraphs that bear the marker, put beside each other."""
    with organization_scope(firm.organization, user=firm.owner):
        first, second = Paragraph.objects.filter(document=document.document).order_by("pk")[:2]
        spans = [
            {"start": 0, "end": len(paragraph.text), "words_start": 0, "words_end": len(paragraph.text)}
            for paragraph in (first, second)
        ]
        return Contradiction.objects.create(
            organization=firm.organization,
            corpus=corpus,
            paragraph_a=first,
            paragraph_b=second,
            kind="different number",
            score=0.9,
            spans=spans,
            seen_at=timezone.now(),
        )


def own_clause_of(firm: Firm, marker: str) -> ClauseQuestion:
    """A clause of the organisation's own that bears the marker."""
    with organization_scope(firm.organization, user=firm.owner):
        return clause_add(**firm.by_owner, name=f"On {marker}", question=f"Is {marker} grown?")


def clause_verdict_of(firm: Firm, corpus: Corpus, document: Ingested) -> ClauseVerdict:
    """A clause that was read in a paragraph that bears the marker, and the reading of contracts that found it."""
    with organization_scope(firm.organization, user=firm.owner):
        paragraph = Paragraph.objects.filter(document=document.document).order_by("pk")[0]
        of: Any = {"organization": firm.organization, "corpus": corpus, "created_by": firm.owner}
        ClauseReview.objects.create(**of, documents=[document.document.pk], clauses=["insurance"])
        return ClauseVerdict.objects.create(
            **of,
            document=document.document,
            version=document.version,
            clause="insurance",
            state="present",
            probability=0.9,
            paragraph=paragraph,
            end=len(paragraph.text),
        )


def gold_of(firm: Firm, run: TuningRun, marker: str) -> Gold:
    """A question that was edited, reviewed and reported, a generation that waits, and a type of question."""
    acting: Any = {"organization": firm.organization, "user": firm.owner}
    with organization_scope(firm.organization, user=firm.owner):
        question = gold_questions(gold_set=run.gold_set)[0]
        on: Any = {**acting, "question_id": question.pk}
        gold_question_edit(**on, changes={"topic": marker})
        gold_question_review(**on, state="approved", grades={"clarity": 5}, note=f"Right on {marker}.")
        report = reference_report(**on, note=f"{marker} is elsewhere.")
        rows = gold_rows_read(json.dumps({"question": f"{marker}?"}))
        gold = gold_set_import(**acting, corpus_id=run.corpus_id, name=f"Made on {marker}", rows=rows)
        generation = generation_start(
            **acting, corpus_id=run.corpus_id, gold_set_id=gold.pk, types=["out of scope"], number=2
        )
        kind = kind_add(**acting, name=f"type {run.pk}", targets=["prompt"], tests="Whether it is seen.")
    return Gold(report, generation, kind)


def tuning_of(firm: Firm, corpus: Corpus, document: Ingested, marker: str) -> TuningRun:
    """A gold set whose questions bear the marker, a tuning on it that waits, and a mapping of the corpus's own."""
    acting: Any = {"organization": firm.organization, "user": firm.owner}
    paragraph = positions(firm, document.version)[1].paragraph.public_id
    line = json.dumps({"question": f"What of the {marker} garden?", "reference_paragraph_ids": [paragraph]})
    with organization_scope(firm.organization, user=firm.owner):
        rows = gold_rows_read(line)
        gold_set = gold_set_import(**acting, corpus_id=corpus.pk, name=f"On {marker}", rows=rows)
        mapping_save(**acting, corpus_id=corpus.pk, mapping=mapping_hand_set(3))
        options = TuningOptions().model_dump(mode="json")
        of = {"organization": firm.organization, "corpus": corpus, "gold_set": gold_set, "created_by": firm.owner}
        run = TuningRun.objects.create(**of, options=options)  # one question: `tuning_start` would refuse it
        job_create(**firm.by_owner, task=TUNINGS.task, subject_id=run.pk, corpus_id=run.corpus_id, total=1)
        TunedSearch.objects.create(
            organization=firm.organization, run=run, question=gold_questions(gold_set=gold_set)[0], found={}
        )
    return run


def experiment_of(firm: Firm, tuning: TuningRun, marker: str) -> Experiment:
    """An experiment with a report under a name with the marker, which waits again; its one answer failed."""
    gold_set, settings = tuning.gold_set, experiment_settings(presets=["naive", "hybrid"], measures=["right"])
    of: dict[str, Any] = {"organization": firm.organization}
    with organization_scope(firm.organization, user=firm.owner):
        experiment = Experiment.objects.create(
            **of,
            corpus_id=tuning.corpus_id,
            gold_set=gold_set,
            name=f"About {marker}",
            settings=settings.model_dump(mode="json"),
            provenance={"questions": 1},
            created_by=firm.owner,
        )
        job_create(
            **of, task=EXPERIMENTS.task, subject_id=experiment.pk, user=firm.owner, corpus_id=tuning.corpus_id, total=1
        )
        asked = {"question": gold_questions(gold_set=gold_set)[0], "fingerprint": "0" * 64, "reason": marker}
        answer = ExperimentAnswer.objects.create(**of, **asked, experiment=experiment, cell="naive")
        ExperimentScore.objects.create(
            **of, experiment=answer.experiment, answer=answer, measure="right", status="judged", value=1.0
        )
        experiment.report = results_document(settings=settings, stored=results_read(experiment=experiment))
        experiment.save(update_fields=["report"])
    return experiment


def saved_judge(firm: Firm, marker: str) -> Judge:
    return judge_save(**firm.by_owner, name=f"for-{marker}", kind="correctness.v1", settings={"prompt": "custom1"})
