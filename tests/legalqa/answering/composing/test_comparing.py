"""A question that compares documents is put to each of them as one that a passage of it can answer."""

import pytest

from legalqa.answering.composing.comparing import asked_of_one


@pytest.mark.parametrize(
    ("question", "single"),
    [
        ("How does the law of the lease differ from that of the licence?", "What is the law of the lease?"),
        ("Which of the lease and the licence can be assigned?", "Can the lease be assigned?"),
        ("Which of the lease and the licence has the longer term?", "What is the term of the lease?"),
        ("Which of the lease and the licence requires notice?", "Does the lease require notice?"),
        ("Do the lease and the licence both end in May?", "Does the lease end in May?"),
        ("Do both the lease and the licence end in May?", "Does the lease end in May?"),
        ("Compare how the lease and the licence treat notices.", "What does the lease say about notices?"),
        ("Compare how the lease and the licence end.", "How does the lease end?"),
        ("Compare the notice periods of the lease and the licence.", "What are the notice periods of the lease?"),
        ("Compare the lease and the licence on notices.", "What does the lease say about notices?"),
        ("What is the difference between the lease and the licence as to fees?", "What does the lease say about fees?"),
        ("How do the lease and the licence differ on fees?", "What does the lease say about fees?"),
        ("Is the term of the lease longer than that of the licence?", "What is the term of the lease?"),
        ("Do the duties outlive the lease as they do the licence?", "Do the duties outlive the lease?"),
        ("Does the lease allow sublets, as the licence does?", "Does the lease allow sublets?"),
        ("How long do the lease and the licence last?", "How long does the lease last?"),
        ("How long does the lease last compared with the licence?", "How long does the lease last?"),
        ("Compare the fees of the lease with those of the licence.", "What are the fees of the lease?"),
        ("How does the lease differ from the licence on fees?", "What does the lease say about fees?"),
        ("Compare the lease with the licence in how they treat notices.", "What does the lease say about notices?"),
        ("Does the lease run as long as the licence does?", "How long does the lease run?"),
        ("Which of the lease and the licence ends earlier?", "When does the lease end?"),
        ("Does the lease or the licence run longer?", "How long does the lease run?"),
        ("Who asks for more deposit, the lease or the licence?", "Does the lease ask for deposit?"),
        ("Which of the lease and the licence requires longer notice?", "What notice does the lease require?"),
        ("Which is stricter on pets, the lease or the licence?", "What does the lease say about pets?"),
        ("Do the lease and the licence set the same deadline?", "What deadline does the lease set?"),
    ],
)
def test_what_is_compared_is_asked_of_one(question: str, single: str) -> None:
    spans = [(at := question.index(name), at + len(name)) for name in ("lease", "licence")]
    found = asked_of_one(question, [(start, end) for start, end in spans])

    assert found is not None
    text, (start, end) = found
    assert (text, text[start:end]) == (single, "lease")


@pytest.mark.parametrize(
    "question",
    [
        "Does the lease end where the licence is terminated?",
        "Can rent of the lease be set off against fees of the licence?",
        "Does the lease supersede the licence?",
        "How do the lease and the licence relate?",
        "Compare the lease and the licence.",
    ],
)
def test_a_question_about_one_document_or_about_their_relation_is_not_put_to_each(question: str) -> None:
    starts = [question.index(name) for name in ("lease", "licence")]

    assert asked_of_one(question, [(starts[0], starts[0] + 5), (starts[1], starts[1] + 7)]) is None
