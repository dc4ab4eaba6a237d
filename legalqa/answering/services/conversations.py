"""What its asker may do with a conversation: name it, delete it, share it with a colleague and take that back."""

from uuid import UUID

from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit
from legalqa.answering.models import Answer, AnswerState, ConversationShare, Question
from legalqa.answering.selectors import answer_get_own, first_questions, reader_list
from legalqa.common.errors import ApplicationError, Conflict, existing

MAX_TITLE = 200


def conversation_rename(*, organization: Organization, user: User, answer_id: UUID, title: str) -> Answer:
    """Give the conversation of an answer a name of one's own; "" goes back to the words of its first question.

    Raises:
        NotFound: no such answer of yours.
        ApplicationError: the name is longer than MAX_TITLE characters.
    """
    answer = answer_get_own(organization=organization, user=user, answer_id=answer_id)
    name = " ".join(title.split())
    if len(name) > MAX_TITLE:
        raise ApplicationError(
            f"The name has {len(name)} characters; at most {MAX_TITLE} are kept. Shorten it.", code="title"
        )
    first = first_questions(answers=[answer])[answer.question.conversation]
    first.title = name
    first.save(update_fields=["title"])
    return answer


def conversation_delete(*, organization: Organization, user: User, answer_id: UUID) -> None:
    """Delete a conversation for good: its questions, answers, citations, grades and shares.

    The audit log records that questions were asked and deleted, by id, without their words.

    Raises:
        NotFound: no such answer of yours.
        Conflict: an answer of it is under way.
    """
    answer = answer_get_own(organization=organization, user=user, answer_id=answer_id)
    conversation = answer.question.conversation
    questions = Question.objects.filter(organization=organization, conversation=conversation)
    list(questions.select_for_update().values_list("pk"))  # a follow-up that is being stored is deleted with them
    if Answer.objects.filter(question__in=questions, state=AnswerState.WORKING).exists():
        raise Conflict("An answer is still under way. Cancel it, then delete the conversation.", code="answer_open")
    questions.delete()
    audit(organization=organization, actor=user, action="conversation.deleted", subject_id=conversation)


def conversation_share(
    *, organization: Organization, user: User, answer_id: UUID, member_id: UUID
) -> ConversationShare:
    """Let a colleague read the conversation of an answer, with what will be asked in it later; once is enough.

    Raises:
        NotFound: no such answer of yours.
        ApplicationError: the person is not a member who may see the corpus, or it is you.
    """
    answer = answer_get_own(organization=organization, user=user, answer_id=answer_id)
    corpus = answer.question.corpus
    member = reader_list(corpus=corpus).exclude(user=user).filter(user=member_id).first()
    if member is None:
        raise ApplicationError(
            "You can share this with colleagues who may see its corpus. Choose one of them.", code="member"
        )
    share, is_new = ConversationShare.objects.get_or_create(
        organization=organization,
        question_id=answer.question.conversation,
        member=member.user,
        defaults={"corpus": corpus, "shared_by": user},
    )
    if is_new:
        _audit(answer, user, member.user, "conversation.shared")
    return share


def conversation_unshare(*, organization: Organization, user: User, answer_id: UUID, member_id: UUID) -> None:
    """Take back what `conversation_share` gave.

    Raises:
        NotFound: no such answer of yours, or it is not shared with this person.
    """
    answer = answer_get_own(organization=organization, user=user, answer_id=answer_id)
    shares = ConversationShare.objects.filter(
        organization=organization, question=answer.question.conversation, member=member_id
    )
    share = existing(shares.select_related("member").first(), "share")
    share.delete()
    _audit(answer, user, share.member, "conversation.unshared")


def _audit(answer: Answer, user: User, member: User, action: str) -> None:
    audit(
        organization=answer.organization,
        actor=user,
        action=action,
        subject_id=answer.question.conversation,
        member=str(member.pk),
    )
