"""The question index of a corpus: built by templates, matched question to question, kept up to date by version."""

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.db.models import F
from django.test import override_settings
from pytest_django import Settings
from pytest_django.plugin import DjangoDbBlocker

from corpora.models import AddedEncoder, DocumentVersion
from corpora.services import document_remove, encoder_add, encoder_fill_work, encoder_use
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from legalqa.encoder.client import NAME
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.services import Lease, job_cancel, job_run
from legalqa.llm.types import Role
from retrieval.indexes.cache import CorpusCache
from retrieval.models import AskedParagraph, IndexedQuestion, QuestionIndex, QuestionState
from retrieval.pages.search import search_document
from retrieval.questions import building, matching, services
from retrieval.questions.building import questions_slice
from retrieval.questions.files import file_lines
from tests.committed import committed
from tests.corpora.switching import work
from tests.encoders import mini_128
from tests.indexes import added_encoder
from tests.ingestion import ingest, make_corpus
from tests.legalqa.llm.setting_up import set_up
from tests.people import make_firm
from tests.provider import ScriptedProvider, says, says_json
from tests.retrieval.questions.library import (
    CHANGED,
    KEEPING,
    PERIOD,
    RULES,
    Library,
    acting,
    build,
    build_again,
    finish,
    make_library,
    one,
    questions,
    search,
    words,
)


@pytest.fixture(scope="module")
def committed_library(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Library]:
    yield from committed(django_db_blocker, make_library)


@pytest.fixture
def library(committed_library: Library, db: None, monkeypatch: pytest.MonkeyPatch) -> Library:
    """What a test does is rolled back, and its numbers given again: nothing of it may stay in memory."""
    monkeypatch.setattr(matching, "_matrices", CorpusCache(matching.MAX_BYTES))  # the process keeps its own
    return committed_library


def test_a_question_in_other_words_is_matched_and_its_passage_says_by_which_question(library: Library) -> None:
    result = search(library, "How long do I have to keep the results summary online?")

    first = result.passages[0]
    assert first.text.startswith("An employer must keep the summary of results posted")
    assert first.question in {KEEPING, PERIOD}
    hit = search_document(result=result, k=1)["hits"][0]
    assert hit["matched_question"] == first.question
    assert set(hit["stages"]) == {"question-index.rank", "question-index.score"}


def test_the_question_itself_has_cosine_one_and_each_passage_comes_once(library: Library) -> None:
    result = search(library, KEEPING)

    assert result.passages[0].stages["question-index.score"] == pytest.approx(1.0, abs=1e-4)
    ids = [passage.paragraph_id for passage in result.passages]
    assert len(ids) == len(set(ids))


def test_a_new_version_asks_again_only_about_what_changed_and_equals_a_fresh_build(library: Library) -> None:
    before = {q.text: q.pk for q in questions(library)}
    ingest(library.firm, library.corpus, "rules.md", CHANGED)

    build_again(library)

    after = {q.text: q.pk for q in questions(library)}
    notice = "Within what period of a written request must an employer provide the retention policy?"
    assert after[notice] == before[notice]  # its paragraph is the same: the row was not touched
    assert after[KEEPING] != before[KEEPING]
    fresh = make_corpus(library.firm, "Rules afresh")
    ingest(library.firm, fresh, "rules.md", CHANGED)
    build(library, fresh)
    assert words(library) == words(library, fresh)


def test_below_a_heading_that_reads_otherwise_questions_that_stay_the_same_are_not_made_again(library: Library) -> None:
    before = {q.text: q.pk for q in questions(library)}
    renamed = RULES.replace("# Records", "# Keeping records")
    ingest(library.firm, library.corpus, "rules.md", renamed)

    build_again(library)

    assert {q.text: q.pk for q in questions(library)} == before
    fresh = make_corpus(library.firm, "Rules afresh")
    ingest(library.firm, fresh, "rules.md", renamed)
    build(library, fresh)
    assert words(library) == words(library, fresh)


def test_a_build_over_an_unchanged_corpus_changes_nothing(library: Library) -> None:
    before = [q.pk for q in questions(library)]

    job = build(library)

    assert (job.cursor, job.total) == (4, 4)  # paragraphs that were asked about
    assert [q.pk for q in questions(library)] == before
    assert services.indexes_refresh() == 0


def test_questions_are_matched_by_the_encoder_they_have_until_a_build_has_encoded_them_by_the_corpus_s(
    library: Library, tmp_path: Path
) -> None:
    firm, by_now = library.firm, library.corpus
    with override_settings(ENCODERS=str(mini_128(tmp_path))):
        with acting(library):
            added, _ = encoder_add(**firm.by_manager, corpus_id=by_now.pk, folder="mini-128")
        for job in Job.objects.filter(subject_id=added.pk):
            encoder_fill_work(job_id=job.pk)
        compared = search(library, KEEPING, changes={"encoder": added.name})
        with acting(library):
            switch = encoder_use(**firm.by_manager, corpus_id=by_now.pk, encoder_id=added.pk)
        assert work(switch).state == "done"
        switched = search(library, KEEPING, "cited-or-silent+questions")
        with acting(library), pytest.raises(Conflict, match="The question index is still compared by this encoder"):
            services.encoder_keep(corpus=by_now, name=NAME)
        build_again(library)
        rebuilt = search(library, KEEPING)

    assert {q.encoder for q in questions(library)} == {added.name}
    with acting(library):
        ids = np.array([q.pk for q in IndexedQuestion.objects.all()])
        assert matching._vectors(by_now, NAME, ids).vectors.shape == (0, 0)  # ids that were read before the build
    for result in (compared, switched, rebuilt):
        assert result.passages[0].question == KEEPING
        assert result.passages[0].stages["question-index.score"] == pytest.approx(1.0, abs=1e-4)


def test_a_former_encoder_that_is_away_stops_no_search_and_the_step_says_so(library: Library) -> None:
    with acting(library):
        former = IndexedQuestion.objects.filter(corpus=library.corpus)
        former.update(encoder="endpoint:gone+0123456789abcdef")  # it was removed with its model
        QuestionIndex.objects.update(revision=F("revision") + 1)

    result = search(library, KEEPING, "cited-or-silent+questions")

    assert result.passages[0].text.startswith("An employer must keep")
    notes = [step.note for step in result.times if step.stage == "question-index.v1"]
    assert notes == ["The question index was not searched: its encoder is away."]


def test_the_upgrade_has_questions_encoded_again_by_the_encoders_with_a_cue_alone(library: Library) -> None:
    migration = import_module("retrieval.migrations.0012_questions_with_cue")
    cued, plain = (added_encoder(library.firm, library.corpus, marker).name for marker in ("cued", "plain"))
    by_text = {KEEPING: cued, PERIOD: plain}
    with acting(library):
        AddedEncoder.objects.filter(name=cued).update(cue_query="query: ")
        for text, name in by_text.items():
            IndexedQuestion.objects.filter(text=text).update(encoder=name)

    migration.vectors_forget(None, SimpleNamespace(connection=connection))

    assert (one(library, KEEPING).encoder, one(library, KEEPING).vector) == ("", None)
    assert one(library, PERIOD).encoder == plain
    assert {q.encoder for q in questions(library)} == {"", plain, NAME}


def test_a_document_that_changes_while_a_build_ends_is_asked_about_by_the_same_job(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, changes = building._versions_left, [CHANGED]

    def left(lease: Lease) -> list[DocumentVersion]:
        versions = read(lease)
        if not versions and changes:
            ingest(library.firm, library.corpus, "rules.md", changes.pop())
        return versions

    monkeypatch.setattr(building, "_versions_left", left)  # between the last look and the end

    assert build(library).state == JobState.DONE
    assert changes == []
    assert services.indexes_refresh() == 0
    assert any("12 months" in q.paragraph.text for q in questions(library))


def test_questions_of_a_removed_document_are_not_matched_and_go_with_the_next_build(library: Library) -> None:
    document = questions(library)[0].paragraph.document_id
    with acting(library):
        document_remove(organization=library.firm.organization, user=library.firm.manager, document_id=document)

    assert services.indexes_refresh() == 0  # the removal has begun the build
    assert search(library, KEEPING).passages == ()
    with acting(library):
        of: Any = {"organization": library.firm.organization, "corpus_id": library.corpus.pk}
        assert list(services.question_list(**of, state=services.GONE)) == list(services.question_list(**of))
    build_again(library)
    assert questions(library) == []
    with acting(library):
        assert not AskedParagraph.objects.exists()


def test_a_build_that_somebody_cancelled_is_not_started_again_by_itself(library: Library) -> None:
    who: Any = {"organization": library.firm.organization, "corpus_id": library.corpus.pk}
    ingest(library.firm, library.corpus, "rules.md", CHANGED)
    with acting(library):
        job = services.questions_build_cancel(**who)
    job_run(job_id=job.pk, work=questions_slice)

    assert Job.objects.get(pk=job.pk).state == JobState.CANCELLED
    ingest(library.firm, library.corpus, "rules.md", RULES)
    assert services.indexes_refresh() == 0


def test_what_was_rejected_or_edited_is_kept_by_a_build_with_another_recipe(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited = "How many months must a summary stay online?"
    who: Any = {"organization": library.firm.organization, "user": library.firm.manager}
    rejected, reworded = one(library, PERIOD), one(library, KEEPING)
    with acting(library):
        services.question_state_set(**who, question_id=rejected.pk, state="rejected")
        services.question_edit(**who, question_id=reworded.pk, text=edited)
    build_again(library)
    monkeypatch.setattr(building, "RECIPE", "templates 3")  # a later version of ours: everything is asked about again

    build(library)

    states = {q.text: (q.state, q.is_edited) for q in questions(library)}
    assert states[PERIOD] == ("rejected", False)
    assert states[edited] == ("indexed", True)
    assert KEEPING not in states
    assert search(library, edited).passages[0].question == edited
    assert PERIOD not in {passage.question for passage in search(library, PERIOD).passages}


def test_a_question_that_is_rejected_twice_changes_the_index_once(library: Library) -> None:
    who: Any = {"organization": library.firm.organization, "user": library.firm.manager}
    question = one(library, PERIOD)
    revisions = []
    with acting(library):
        for _ in range(2):
            assert services.question_state_set(**who, question_id=question.pk, state="rejected").state == "rejected"
            revisions.append(QuestionIndex.objects.get(corpus=library.corpus).revision)

    assert revisions[0] == revisions[1]


def test_a_real_question_takes_the_place_of_a_generated_one_that_asks_the_same(library: Library) -> None:
    paragraph = one(library, KEEPING).paragraph
    other = one(library, PERIOD)
    data = "\n".join(
        json.dumps({"question": text, "paragraph_id": paragraph.public_id})
        for text in (f"{KEEPING[:-1]}\x00 ?", PERIOD.upper())
    ).encode()
    who: Any = {"organization": library.firm.organization, "user": library.firm.manager}
    with acting(library):
        made = services.pairs_import(**who, corpus_id=library.corpus.pk, lines=file_lines(data), author="asked.jsonl")
    assert (made.n_added, made.left_out) == (2, ())
    build_again(library)
    assert [q.source for q in questions(library, key=other.key)] == ["pair"]  # the same words

    assert [q.source for q in questions(library, text__startswith=KEEPING[:-1])] == ["pair"]
    pair = one(library, f"{KEEPING[:-1]} ?")
    with acting(library):
        services.pair_remove(**who, question_id=pair.pk)
    build_again(library)
    assert [q.source for q in questions(library, text__startswith=KEEPING[:-1])] == ["provision"]


def test_the_passage_of_a_real_question_is_the_law_that_its_answer_names(library: Library) -> None:
    code = make_corpus(library.firm, "Code")
    ingest(
        library.firm, code, "code.md", "# Code\n\nArticle 841. A spouse may not file for divorce after six months.\n"
    )
    table = (
        "question,answer\n"
        "Does divorce evidence have an expiration date?,Yes: Article 841 of the Code sets six months.\n"
        "How long does an engagement last?,As long as both want.\n"
        "What does a thief have to fear?,Article 841 of the Penal Act threatens prison.\n"
    )
    who: Any = {"organization": library.firm.organization, "user": library.firm.manager}
    with acting(library):
        made = services.pairs_import(**who, corpus_id=code.pk, lines=file_lines(table.encode()), author="asked.csv")

    (pair,) = questions(library, code)
    assert pair.paragraph.text.startswith("Article 841")
    assert made.left_out == (
        "Line 3 names no provision of this corpus; add the paragraph_id of the passage that answers it.",
        "Line 4 names a law that is not in this corpus; add the paragraph_id of the passage that answers it.",
    )


@pytest.mark.parametrize("shape", ["jsonl", "csv"])
def test_an_exported_index_that_is_imported_again_keeps_sources_states_and_edits(library: Library, shape: str) -> None:
    who: Any = {"organization": library.firm.organization, "user": library.firm.manager}
    pair = {"question": "Who sees the summary?", "paragraph_id": one(library, KEEPING).paragraph.public_id}
    with acting(library):
        services.pairs_import(
            **who, corpus_id=library.corpus.pk, lines=file_lines(json.dumps(pair).encode()), author="asked.jsonl"
        )
    rejected, edited = one(library, PERIOD).pk, one(library, KEEPING).pk
    with acting(library):
        services.question_state_set(**who, question_id=rejected, state=QuestionState.REJECTED)
        services.question_edit(**who, question_id=edited, text="How long is the summary kept?")
    build_again(library)

    def kept() -> set[tuple[object, ...]]:
        columns = ("text", "made_text", "paragraph_id", "start", "end", "source", "kind", "state", "author")
        return {tuple(getattr(q, column) for column in columns) for q in questions(library)}

    before = kept()
    with acting(library):
        file, _ = services.questions_export(**who, corpus_id=library.corpus.pk, shape=shape)
        for rows in (IndexedQuestion, AskedParagraph, QuestionIndex):
            rows.objects.filter(corpus=library.corpus).delete()
        services.pairs_import(**who, corpus_id=library.corpus.pk, lines=file_lines(file.encode()), author="exported")
    assert kept() == before
    build_again(library)
    assert kept() == before


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"question": "Short"}', "Line 1: the question has 5 characters"),
        (b"name,place\nA,B\n", "This is not a table with the columns question, answer, paragraph_id"),
        (b"question;answer\nWho may sit here?;Article 1\n", "Line 1: the columns are divided by semicolons or tabs"),
        (b"question,answer\nWho may sit, and when?,Article 1\n", "Line 2: has more cells than the heading"),
        ("question,answer\nWho may sit here?,§ 1\n".encode("cp1252"), "is not UTF-8 text. Save it as UTF-8."),
        (b'{"question": "Who may sit here?"\n', "Line 1: this is not valid JSON"),
        (b'{"question": ["Who may", "sit here?"]}', "Line 1: the question has 0 characters"),
        (
            b'{"question": "Who sits here?", "paragraph_id": "%s", "state": "gone"}',
            "Line 1: the state is 'gone'; use",
        ),
        (b'{"question": "Who sits here?", "paragraph_id": "%s", "source": "x"}', "Line 1: the source is 'x'; use"),
        (b'{"question": "Who sits here?", "paragraph_id": "%s", "end": 99}', "give a start from 0 and an end up to"),
        (b'{"question": "Who sits here?", "paragraph_id": "%s", "start": [1]}', "give a start from 0 and an end up to"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_the_line(library: Library, data: bytes, said: str) -> None:
    who: Any = {"organization": library.firm.organization, "user": library.firm.manager}
    data = data.replace(b"%s", one(library, KEEPING).paragraph.public_id.encode())
    with acting(library), pytest.raises(ApplicationError, match=said):
        services.pairs_import(**who, corpus_id=library.corpus.pk, lines=file_lines(data), author="asked")


def test_a_build_that_is_stopped_resumes_with_what_is_left(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "BATCH", 1)  # no setting: a hundred paragraphs between two commits
    corpus = make_corpus(library.firm, "Slices")
    ingest(library.firm, corpus, "rules.md", RULES)
    monkeypatch.setattr(Lease, "is_over", property(lambda _: True))  # a slice lasts minutes
    with acting(library):
        job = services.questions_build(
            organization=library.firm.organization, user=library.firm.manager, corpus_id=corpus.pk
        )
    job_run(job_id=job.pk, work=questions_slice)
    first = [q.pk for q in questions(library, corpus)]
    job_run(job_id=job.pk, work=questions_slice)

    assert len(first) >= 2
    assert [q.pk for q in questions(library, corpus)][: len(first)] == first
    assert len(questions(library, corpus)) > len(first)
    with acting(library):
        job_cancel(organization=library.firm.organization, job_id=job.pk)
    job_run(job_id=job.pk, work=questions_slice)
    assert Job.objects.get(pk=job.pk).state == JobState.CANCELLED
    with acting(library):
        services.questions_build_resume(organization=library.firm.organization, corpus_id=corpus.pk)
    assert finish(job).state == JobState.DONE
    assert words(library, corpus) == words(library)


def test_a_second_build_waits_and_a_generated_question_is_rejected_and_not_removed(library: Library) -> None:
    who: Any = {"organization": library.firm.organization, "user": library.firm.manager}
    generated = one(library, KEEPING)
    with acting(library):
        services.questions_build(**who, corpus_id=library.corpus.pk)
        with pytest.raises(Conflict, match="being built already"):
            services.questions_build(**who, corpus_id=library.corpus.pk)
        with pytest.raises(Conflict, match="Reject it instead"):
            services.pair_remove(**who, question_id=generated.pk)


def test_the_default_search_takes_the_index_as_one_more_list(library: Library) -> None:
    result = search(library, "How long do I have to keep the results summary online?", "cited-or-silent+questions")

    assert result.passages[0].text.startswith("An employer must keep")
    assert result.passages[0].question
    assert {"bm25.rank", "dense.rank", "question-index.rank"} <= set(result.passages[0].stages)


def test_another_organisation_finds_no_question(library: Library) -> None:
    other, mine = make_firm("rivals", "Rival Chambers"), one(library, KEEPING)
    with organization_scope(other.organization, user=other.manager):
        assert not QuestionIndex.objects.exists()
        with pytest.raises(NotFound):
            services.question_get(organization=other.organization, question_id=mine.pk)
    assert one(library, KEEPING).state == QuestionState.INDEXED


def test_a_model_writes_the_questions_and_templates_where_its_reply_is_no_use(
    library: Library, settings: Settings, scripted_provider: ScriptedProvider
) -> None:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(library.firm, scripted_provider.url, role=Role.REWRITE)
    corpus = make_corpus(library.firm, "By a model")
    ingest(library.firm, corpus, "rule.md", "# Records\n\nAn employer must keep the summary posted for 6 months.\n")
    scripted_provider.always = says_json({"questions": ["When may I take the summary down?"]})

    build(library, corpus)

    assert [(q.text, q.author) for q in questions(library, corpus)] == [
        ("When may I take the summary down?", "First/m-1")
    ]
    assert "An employer must keep the summary posted" in scripted_provider.asked[0].text
    build(library, corpus, uses_model=False)
    assert "For how long must an employer keep the summary posted?" in {q.text for q in questions(library, corpus)}
    scripted_provider.always = says("I would rather not.")
    build(library, corpus, uses_model=True)
    assert {q.author for q in questions(library, corpus)} == {"templates"}
    with acting(library):
        assert services.paragraphs_replaced(corpus=corpus).count() == 1
    scripted_provider.always = says_json({"questions": ["When may I take the summary down?"]})
    build(library, corpus, uses_model=True)
    assert {q.author for q in questions(library, corpus)} == {"First/m-1"}
    with acting(library):
        assert not services.paragraphs_replaced(corpus=corpus).exists()


def test_an_index_that_would_grow_too_large_for_memory_is_refused(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "MAX_QUESTIONS", 2)  # no setting: 200,000 questions take an hour
    corpus = make_corpus(library.firm, "Too much")
    ingest(library.firm, corpus, "rules.md", RULES)

    job = build(library, corpus)

    assert (job.state, job.reason) == (JobState.FAILED, "too_many_questions")
    assert questions(library, corpus) == []


def test_of_the_paragraphs_of_one_chunk_the_one_that_the_matched_question_is_on_comes_first(library: Library) -> None:
    result = search(library, "How many months must an employer keep it, and may the tool be used without a bias audit?")

    first, *others = result.passages
    assert first.question
    assert first.score > max(passage.score for passage in others)
    assert all(passage.score <= 0.5 * first.score for passage in others if not passage.question)
