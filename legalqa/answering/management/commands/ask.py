"""`ask CORPUS "question"`: cited answers, or silence with the reason."""

from argparse import ArgumentParser
from typing import Any

from legalqa.accounts.scoping import organization_scope
from legalqa.answering.pages.answer import answer_document, answer_page
from legalqa.answering.presets import choices_check
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError
from legalqa.common.queries import settings_read
from retrieval.commands import add_search_options, search_inputs, texts_of


class Command(LegalQACommand):
    help = "Answer one question or a file of questions from a corpus."

    def add_options(self, parser: ArgumentParser) -> None:
        add_search_options(parser)
        parser.add_argument(
            "--questions",
            metavar="FILE.jsonl",
            help="objects with id, text and, if wanted, history: the questions before",
        )

    def run(self, options: dict[str, Any]) -> None:
        questions = texts_of(options, "questions")
        organization, corpus, preset, filters = search_inputs(options)
        choices_check(preset, settings_read(options["set"]))
        answers, texts = [], []
        for place, question in enumerate(questions, start=1):
            answer = question_ask(
                question=Question(
                    organization=organization,
                    user=None,
                    corpus_id=corpus.pk,
                    text=question["text"],
                    preset=preset,
                    filters=filters,
                    former=tuple(reversed(_history(question))),
                )
            )
            with organization_scope(organization, user=None):
                answers.append(answer_document(answer=answer) | {"question_id": question["id"]})
                texts.append(answer_page(answer=answer, slug=organization.slug)["copy_text"])
            if len(questions) > 1:
                self.progress(f"{place} of {len(questions)}")
        self.emit({"answers": answers}, options, "\n\n\n".join(texts))


def _history(question: dict[str, Any]) -> list[str]:
    """The questions before this one, oldest first.

    Raises:
        ApplicationError: it is not a list of texts.
    """
    history = question.get("history") or []
    if not isinstance(history, list) or not all(isinstance(text, str) and text.strip() for text in history):
        raise ApplicationError(
            f'The history of question {question["id"]} is not a list of texts. Write it as ["…", "…"].', code="bad_line"
        )
    return history
