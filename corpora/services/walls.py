"""A wall always has somebody inside who can open the corpus."""

from collections import defaultdict
from uuid import UUID

from corpora.models import Corpus, CorpusMember
from legalqa.accounts.models import Organization, User
from legalqa.common.errors import Conflict


def alone_inside(*, organization: Organization, user_id: UUID) -> set[UUID]:
    """The corpora that name a person and nobody else with an open account, whether they have a wall now or not.

    The names stay locked to the end of the transaction: of two people who are removed at once, one stays.
    """
    theirs = CorpusMember.objects.filter(organization=organization, user_id=user_id).values("corpus_id")
    rows = CorpusMember.objects.filter(organization=organization, corpus_id__in=theirs).select_related("user")
    is_shared: dict[UUID, bool] = defaultdict(bool)
    for row in rows.select_for_update(of=("self",)).order_by("pk"):
        is_shared[row.corpus_id] |= row.user_id != user_id and row.user.is_active
    return {corpus_id for corpus_id, shared in is_shared.items() if not shared}


def wall_keep(*, organization: Organization, user: User) -> None:
    """Keep the last person inside a wall in the organisation: access ends with the membership, for good.

    Follows `membership_ending` (settings.FOLLOWERS). The person who removes a member may be outside the wall and not
    see the corpus: they learn how many such corpora there are, not which.

    Raises:
        Conflict: nobody could open one or more corpora afterwards.
    """
    alone = alone_inside(organization=organization, user_id=user.pk)
    alone -= set(Corpus.objects.filter(pk__in=alone, is_walled=False).values_list("pk", flat=True))
    if not alone:
        return
    n = f"{len(alone)} restricted corpora" if len(alone) > 1 else "1 restricted corpus"
    raise Conflict(
        f"{user} is the last person with access to {n} and cannot be removed: {user} must first give someone else "
        "access there, under Settings, which takes the role of an owner or a corpus manager.",
        code="last_member",
    )
