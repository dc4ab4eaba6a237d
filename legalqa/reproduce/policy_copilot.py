"""Policy Copilot's golden set: the search by a ranker that has not seen it, the answers through the product."""

from dataclasses import replace
from pathlib import Path

from legalqa.reproduce.asking import SAID, SLUG, TITLE, answer_asked
from legalqa.reproduce.intake import Note, corpus_own, file_take_in
from legalqa.reproduce.quoting import policy_copilot_passages
from legalqa.training.ranker.evaluation import outcomes, question_sets
from legalqa.training.ranker.types import QuestionOutcome

SET = "policy_copilot"


def policy_copilot_outcomes(*, data: Path, seed: int, note: Note) -> tuple[QuestionOutcome, ...]:
    """Each question with its passages in the order of a ranker trained without the set, and the product's answer."""
    organization, corpus = corpus_own(slug=SLUG, title=TITLE, name=SET)
    for name, parts in policy_copilot_passages(data / SET):
        file_take_in(organization=organization, corpus=corpus, name=name, parts=parts).ready()
    texts = {question.id: question.text for question in question_sets(data)[SET].questions}
    answers = []
    for one in outcomes(SET, data=data, seed=seed):
        answer, document = answer_asked(organization=organization, corpus=corpus, text=texts[one.id])
        claims = [claim for claim in document["claims"] if claim["shown"]]
        cited = {place["paragraph_id"] for claim in claims for place in (*claim["citations"], *claim["also_in"])}
        is_answered = answer.state in SAID
        answers.append(replace(one, answerable=answer.confidence, is_answered=is_answered, cited=tuple(sorted(cited))))
        note(f"{SET}: {len(answers)} asked")
    return tuple(answers)
