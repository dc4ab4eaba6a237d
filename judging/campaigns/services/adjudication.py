"""Where grades differ: a queue without names, and an outcome beside the grades, which stay as they were given."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils import timezone

from judging.campaigns.figures import Submitted, submitted_grades
from judging.campaigns.orders import letters_order
from judging.campaigns.rubrics import LETTERS, Criterion, form_get
from judging.campaigns.services.campaigns import campaign_get
from judging.models import Adjudication, Campaign, CampaignItem
from judging.models.campaigns import ItemKind
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError, existing

MAX_REASON = 4_000


@dataclass(frozen=True, slots=True)
class Dispute:
    """One grade of one item on which people differ.

    Attributes:
        grades: Letter, value (None for "cannot judge") and note of each grader; the letters change from item to item.
        outcome: The last word on it; None while it waits.
    """

    item: CampaignItem
    criterion: Criterion
    answer: int
    grades: tuple[tuple[str, int | None, str], ...]
    outcome: Adjudication | None

    @property
    def span(self) -> int:
        values = [value for _, value, _ in self.grades if value is not None]
        return max(values) - min(values)

    @property
    def answers(self) -> list[dict[str, Any]]:
        """What was graded: the answer, or all of them where the grade is a choice."""
        answers: list[dict[str, Any]] = self.item.content["answers"]
        return answers if self.criterion.is_choice else [answers[self.answer]]


def dispute_list(*, campaign: Campaign) -> list[Dispute]:
    """What people differ on (`Criterion.differs`), what waits first, the widest range first, then in item order."""
    form = form_get(campaign.form)
    by_thing: dict[tuple[int, str, int], list[Submitted]] = defaultdict(list)
    for graded in submitted_grades(campaign=campaign):
        if graded.assignment.item.kind == ItemKind.GRADED and not graded.assignment.is_repeat:
            by_thing[graded.assignment.item_id, graded.grade.criterion, graded.grade.answer].append(graded)
    outcomes = {
        (row.item_id, row.criterion, row.answer): row
        for row in Adjudication.objects.filter(campaign=campaign).select_related("decided_by").order_by("pk")
    }
    disputes = []
    for thing, grades in by_thing.items():
        criterion = form.criterion(thing[1])
        if criterion.differs([g.grade.value for g in grades if g.grade.value is not None]):
            item = grades[0].assignment.item
            disputes.append(Dispute(item, criterion, thing[2], _lettered(campaign, grades), outcomes.get(thing)))
    return sorted(disputes, key=lambda d: (d.outcome is not None, -d.span, d.item.ordinal, d.answer))


def grade_adjudicate(
    *, organization: Organization, user: User, campaign_id: UUID, item: int, decided: dict[str, Any]
) -> Adjudication:
    """Decide one grade of an item.

    Args:
        organization: Whose campaign it is.
        user: Who decides.
        campaign_id: The campaign.
        item: The ordinal of the item.
        decided: `criterion`, `answer` (its place in the item's list), `value` and `reason`.

    Raises:
        NotFound: no such campaign or item.
        ApplicationError: a value off the scale, or no reason.
    """
    campaign = campaign_get(organization=organization, campaign_id=campaign_id)
    row = existing(CampaignItem.objects.filter(campaign=campaign, ordinal=item).first(), "item")
    n_answers = len(row.content["answers"])
    criterion = form_get(campaign.form).asked(decided["criterion"], decided["answer"], n_answers=n_answers)
    if criterion is None or decided["value"] not in criterion.values:
        raise ApplicationError(
            "The outcome is not on the scale of this criterion. Choose one of its values.", code="off_the_scale"
        )
    reason = str(decided["reason"]).strip()
    if not reason or len(reason) > MAX_REASON:
        raise ApplicationError(f"Give the reason, in at most {MAX_REASON:,} characters.", code="reason_needed")
    outcome = Adjudication.objects.create(
        organization=organization,
        campaign=campaign,
        item=row,
        criterion=criterion.key,
        answer=decided["answer"],
        value=decided["value"],
        reason=reason,
        decided_by=user,
        created_at=timezone.now(),
    )
    audit(organization=organization, actor=user, action="campaign.adjudicated", subject_id=campaign.corpus_id)
    return outcome


def _lettered(campaign: Campaign, grades: list[Submitted]) -> tuple[tuple[str, int | None, str], ...]:
    by_name = {g.assignment.grader.name: g for g in grades}
    names = letters_order(list(by_name), seed=campaign.seed, ordinal=grades[0].assignment.item.ordinal)
    letters = [LETTERS[n] if n < len(LETTERS) else f"{n + 1}" for n in range(len(names))]
    return tuple(
        (letter, by_name[name].grade.value, by_name[name].assignment.note)
        for letter, name in zip(letters, names, strict=True)
    )
