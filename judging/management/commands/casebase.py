"""`casebase pairs | measure`: test questions for the case base of a corpus, and how well it serves them."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from corpora.models import Corpus
from corpora.selectors import corpus_by_name
from judging.experiments.cases.answers import answers_compared, replies_to_all
from judging.experiments.cases.from_gold import questions_of_gold_set
from judging.experiments.cases.measure import f1_document, found_by, heat_map_of
from judging.experiments.cases.pairs import (
    N_PAIRS,
    SEED,
    PairQuestion,
    pair_lines,
    pair_questions,
    pair_questions_read,
    pairs_by_act,
)
from judging.experiments.cases.services import CaseBase, case_base_compared, case_model
from judging.experiments.plots.png import chart_png
from judging.gold.services.sets import gold_set_by_name
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError
from legalqa.common.text_files import file_read
from legalqa.llm.types import Role
from retrieval.cases.selectors import cases_usable


class Command(LegalQACommand):
    help = "Write test questions on pairs of solved cases, or measure a case base with them."
    acts = {"pairs": ("gold_set", "number", "seed"), "measure": ("answers", "chart")}

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=list(self.acts))
        parser.add_argument("corpus", help="slug, name or id of the corpus")
        parser.add_argument("--file", type=Path, required=True, help="pairs: the JSONL to write; measure: to read")
        parser.add_argument(
            "--gold-set", metavar="NAME", help="pairs: take questions of this gold set, without a model"
        )
        parser.add_argument("--number", type=int, default=N_PAIRS, help="pairs: number of pairs")
        parser.add_argument("--seed", type=int, default=SEED, help="pairs: seed for the choice of cases")
        parser.add_argument(
            "--answers", action="store_true", help="measure: also compare a model's answers with the references"
        )
        parser.add_argument("--chart", type=Path, help="measure: write the heat map of F1 at each k to this PNG")
        parser.add_argument("--organization", metavar="SLUG")

    def run(self, options: dict[str, Any]) -> None:
        organization = organization_get(slug=options["organization"])
        with organization_scope(organization, user=None):
            corpus = corpus_by_name(organization=organization, name=options["corpus"])
        act = self._pairs if options["action"] == "pairs" else self._measure
        act(organization, corpus, options)

    def _pairs(self, organization: Organization, corpus: Corpus, options: dict[str, Any]) -> None:
        with organization_scope(organization, user=None):
            cases = list(cases_usable(corpus=corpus).order_by("pk"))
            gold_set = options["gold_set"] and gold_set_by_name(
                organization=organization, corpus=corpus, name=options["gold_set"]
            )
            of: dict[str, Any] = {"number": options["number"], "seed": options["seed"]}
            questions = questions_of_gold_set(gold_set=gold_set, cases=cases, **of) if gold_set else None
        pairs = [] if questions else pairs_by_act(cases, **of)
        if questions is None:
            model = case_model(organization=organization, role=Role.REWRITE)
            questions = list(pair_questions(pairs, model=model, note=self.progress))
        options["file"].write_text(pair_lines(questions), encoding="utf-8")
        source = f"of the gold set {gold_set.name}" if gold_set else f"on {len(pairs)} pairs"
        message = f"{len(questions)} questions {source} written to {options['file']}. Read them before use."
        self.emit({"questions": len(questions), "pairs": len(pairs), "file": str(options["file"])}, options, message)

    def _measure(self, organization: Organization, corpus: Corpus, options: dict[str, Any]) -> None:
        questions = pair_questions_read(file_read(options["file"]))
        base = case_base_compared(corpus=corpus, questions=questions)
        by_setting = found_by(base.by_encoder)
        document: dict[str, Any] = {
            "questions": len(questions),
            "cases": len(base.cases),
            "f1": f1_document(by_setting),
        }
        if options["chart"]:
            options["chart"].write_bytes(chart_png(heat_map_of(by_setting)))
        if options["answers"]:
            document["answers"] = self._answers(organization, questions, base)
        self.emit(document, options, _words(document))

    def _answers(self, organization: Organization, questions: list[PairQuestion], base: CaseBase) -> dict[str, Any]:
        model = case_model(organization=organization, role=Role.ANSWER)
        texts = [one.question for one in questions]
        rows = replies_to_all(texts, base.cases, base.by_encoder, model=model, note=self.progress)
        table = answers_compared([one.answer for one in questions], rows)
        if table is None:
            raise ApplicationError(
                "The language model answered no question in every setting. Try again, or with another model.",
                code="no_replies",
            )
        return table.document()


def _words(document: dict[str, Any]) -> str:
    lines = [f"{document['questions']} questions on {document['cases']} cases. F1 at 1, 2, 3 and 5:"]
    for name, weightings in document["f1"].items():
        for weighting, at in weightings.items():
            lines.append(f"  {name}, {weighting}: " + ", ".join(f"{at[str(k)]:.3f}" for k in (1, 2, 3, 5)))
    if answers := document.get("answers"):
        lines.append(f"Likeness of answers to the references ({answers['questions']} questions):")
        lines += [f"  {name}: {value:.4f}" for name, value in answers["cosine"].items()]
    return "\n".join(lines)
