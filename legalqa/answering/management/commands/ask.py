"""`ask CORPUS "question"`: cited answers, or silence with the reason."""

from argparse import ArgumentParser
from typing import Any

from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import AnswerState, Verdict
from legalqa.answering.pages.answer import answer_document, model_note
from legalqa.answering.pages.conflicts import HEADINGS, OPEN, RESOLVED, UNRESOLVED
from legalqa.answering.pages.layout import UNANSWERED, layout_of, more_words
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question, question_notice
from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError
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
            texts.append(_text(answers[-1], note=model_note(answer)))
            if len(questions) > 1:
                self.progress(f"{place} of {len(questions)}")
        self.emit({"answers": answers}, options, "\n\n".join(texts))


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


def _text(answer: dict[str, Any], *, note: str) -> str:
    """The answer for people: a silence or a fault says so, and contradictions come before the answer."""
    lines = [f"Q  {answer['question']}"]
    if answer["state"] == AnswerState.INSUFFICIENT_EVIDENCE:
        lines.append(f"◌  Not enough evidence. {answer['why']}")
        if likeliest := answer["likeliest"]:
            lines += [f"?  {likeliest['text']}", f"   {_place(likeliest)}"]
        return "\n".join(lines)
    if answer["state"] not in (AnswerState.ANSWERED, AnswerState.PARTIAL):
        return "\n".join([*lines, f"⚠  {AnswerState(answer['state']).label}. {answer['why']}"])
    lines += [f"◐  {words}" for words in (note, question_notice(answer["composition"])) if words]
    claims = [claim for claim in answer["claims"] if claim["shown"]]
    for conflict in answer["contradictions"]:
        lines += _conflict(conflict) if "kind" in conflict else []
    for claim, following in zip(claims, [*claims[1:], None], strict=True):
        lines += _claim(claim, following)
    composition = answer["composition"]
    lines += [f"◌  {part.text} – {part.note}" for part in layout_of(claims, composition) if part.note in UNANSWERED]
    if n_withheld := len(answer["claims"]) - len(claims):
        lines.append(f"⊘  {n_withheld} statement{'s' if n_withheld > 1 else ''} withheld; --json gives the reasons.")
    if more := more_words(composition):
        lines.append(f"   {more}")
    return "\n".join([*lines, f"   {answer['notice']}"])


def _conflict(conflict: dict[str, Any]) -> list[str]:
    """Two provisions that contradict each other, each with its place, and which of them holds."""
    resolution = conflict["resolution"]
    lines = [f"✕  {RESOLVED if resolution else OPEN}: {HEADINGS[conflict['kind']].lower()}"]
    for quote, side in zip(conflict["quotes"], conflict["sides"], strict=True):
        lines.append(f"   “{' '.join(quote['text'].split())}” {_place(side)}")
    return [*lines, f"   {resolution['sentence'] if resolution else UNRESOLVED}"]


def _claim(claim: dict[str, Any], following: dict[str, Any] | None) -> list[str]:
    """A statement with its place, which is told once below several of the same."""
    is_partly = claim["verdict"] == Verdict.PARTLY
    place = _place(claim["citations"][0])
    is_told = is_partly or claim["also_in"] or not following or place != _place(following["citations"][0])
    lines = [f"{'◐' if is_partly else '✓'}  {claim['text']}", *([f"   {place}"] if is_told else [])]
    lines += [f"   Partly supported: {claim['reason']}"] if is_partly else []
    return lines + [f"   also in {_place(other)[1:-1]}" for other in claim["also_in"]]


def _place(citation: dict[str, Any]) -> str:
    heading = citation.get("heading", "").rpartition(" › ")[2]
    place = dict.fromkeys((citation["document"], heading, f"p. {citation['page_label']}"))
    return f"[{', '.join(filter(None, place))}]"
