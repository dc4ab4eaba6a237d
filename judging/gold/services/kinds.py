"""The taxonomy of an organisation: the shipped types, and the rows that it added."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from judging.gold.taxonomy import BY_NAME, OTHER, OWN, SHIPPED, Kind, Target, kind_of
from judging.models import QuestionType
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit, reply_note
from legalqa.common.errors import ApplicationError, Conflict, existing

MAX_OWN = 50
MAX_TESTS = 200


def kinds_own(*, organization: Organization) -> QuerySet[QuestionType]:
    """The types that the organisation added, by name."""
    return QuestionType.objects.filter(organization=organization).order_by("name")


def kinds_all(*, organization: Organization) -> list[Kind]:
    """Every type that a question of the organisation may name, the shipped ones first."""
    own = [
        Kind(row.name, row.name.capitalize(), OWN, tuple(map(Target, row.targets)), row.tests)
        for row in kinds_own(organization=organization)
    ]
    return [*SHIPPED, *own]


def kind_add(
    *, organization: Organization, user: User | None, name: str, targets: Sequence[str], tests: str
) -> QuestionType:
    """Add a type.

    Raises:
        ApplicationError: the name is empty, too long or shipped, no target is named, or nothing is said to be tested.
        Conflict: there is one of that name, or MAX_OWN already.
    """
    name, tests = " ".join(name.lower().split()), " ".join(tests.split())
    if not 1 <= len(name) <= 60 or not 1 <= len(tests) <= MAX_TESTS or "\x00" in name + tests:
        raise ApplicationError(
            f"A type has a name of up to 60 characters and a sentence of up to {MAX_TESTS} on what it tests.",
            code="bad_type",
        )
    if not targets or not set(targets) <= set(Target):
        raise ApplicationError(f"Name one or more of {', '.join(Target)} as targets.", code="bad_type")
    if name in BY_NAME or name == OTHER:
        raise Conflict(f"A type already has the name {name!r}. Choose another name.", code="name_taken")
    if kinds_own(organization=organization).count() >= MAX_OWN:
        raise Conflict(
            f"There are {MAX_OWN} types of your own, which is the limit. Remove one first.", code="too_many_types"
        )
    try:
        with transaction.atomic():
            row = QuestionType.objects.create(
                organization=organization,
                name=name,
                targets=[target for target in Target if target in targets],
                tests=tests,
                created_by=user,
            )
    except IntegrityError:
        raise Conflict(f"A type already has the name {name!r}. Choose another name.", code="name_taken") from None
    reply_note(subject_id=row.pk)
    audit(organization=organization, actor=user, action="question_type.added", subject_id=row.pk)
    return row


def kind_remove(*, organization: Organization, user: User | None, type_id: UUID) -> None:
    """Remove a type of the organisation's own; questions that name it count as "other" then.

    Raises:
        NotFound: no such type.
    """
    row = existing(kinds_own(organization=organization).filter(pk=type_id).first(), "question type")
    row.delete()
    audit(organization=organization, actor=user, action="question_type.removed", subject_id=type_id)


def kinds_unknown(*, organization: Organization, names: Iterable[str]) -> list[str]:
    """Those of the names that the taxonomy does not have, each once."""
    kinds = kinds_all(organization=organization)
    return [name for name in dict.fromkeys(names) if name and kind_of(name, kinds) is None]
