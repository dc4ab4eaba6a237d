"""A conversation as one page: its turns beneath one another, and what its asker may do with it."""

from collections.abc import Sequence
from typing import Any

from legalqa.accounts.models import User
from legalqa.answering.models import Answer, AnswerState
from legalqa.answering.pages.answer import turn_page
from legalqa.answering.selectors import answer_list_of_conversation, conversation_title, reader_list, share_list

TURNS_SHOWN = 20  # ours: turns shown before and after the open one


def conversation_page(*, answer: Answer, user: User, slug: str) -> dict[str, Any]:
    """The turns before and after the answer that is open, the last one, and sharing.

    Args:
        answer: The one that is open.
        user: Who looks at it: its asker, or a colleague who may only read.
        slug: Of the organisation.
    """
    answers = list(answer_list_of_conversation(answer=answer, user=user))
    at = next(place for place, other in enumerate(answers) if other.pk == answer.pk)
    is_own = answer.question.asker_id == user.pk
    return {
        "is_own": is_own,
        "asker": answer.question.asker,
        "title": conversation_title(answer=answer),
        "n_turns": len(answers),
        "earlier": _turns(answers[max(0, at - TURNS_SHOWN) : at], slug),
        "n_earlier_hidden": max(0, at - TURNS_SHOWN),
        "later": _turns(answers[at + 1 : at + 1 + TURNS_SHOWN], slug),
        "n_later_hidden": max(0, len(answers) - at - 1 - TURNS_SHOWN),
        "last": next((a for a in reversed(answers) if a.state != AnswerState.WORKING), answer),
        "sharing": _sharing(answer, user) if is_own else None,
    }


def _turns(answers: Sequence[Answer], slug: str) -> list[dict[str, Any]]:
    return [turn_page(answer=answer, slug=slug) for answer in answers]


def _sharing(answer: Answer, user: User) -> dict[str, Any]:
    """With whom the conversation is shared, and with whom it could be."""
    shares = share_list(answer=answer)
    member_ids = {share.member_id for share in shares}
    readers = [row.user for row in reader_list(corpus=answer.question.corpus) if row.user_id != user.pk]
    return {
        "shares": [
            {"member": share.member, "since": share.created_at, "may_see": share.member in readers} for share in shares
        ],
        "colleagues": [reader for reader in readers if reader.pk not in member_ids],
    }
