"""Provisions of stored versions: the paragraphs around what a search found, in one query."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Q

from corpora.models import Position
from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part, Provision

N_BEFORE = 60  # ours: the longest numbered paragraphs of the laws we looked at have under 40 items
N_AFTER = 80


def provisions_around(*, positions: Iterable[Position]) -> dict[tuple[UUID, int], Provision]:
    """The provision that each paragraph stands in, in the version it was found in.

    One query reads the paragraphs around all of them; the rest is `corpora.provisions`.

    Args:
        positions: Paragraphs of any versions that the active person may read.

    Returns:
        Provisions by (version id, ordinal of the paragraph found).
    """
    found = {(position.version_id, position.ordinal) for position in positions}
    around: dict[UUID, set[int]] = {}
    for version_id, ordinal in found:
        around.setdefault(version_id, set()).update(range(max(0, ordinal - N_BEFORE), ordinal + N_AFTER + 1))
    touched = Q(pk=None)
    for version_id, ordinals in around.items():
        touched |= Q(version_id=version_id, ordinal__in=ordinals)
    parts: dict[UUID, dict[int, Part]] = {}
    # The wall stands around the version: through it, what lies behind one is not read.
    inside = Position.objects.filter(touched, version__corpus__isnull=False)
    for position in inside.select_related("paragraph"):
        parts.setdefault(position.version_id, {})[position.ordinal] = part_of(position)
    provisions: dict[tuple[UUID, int], Provision] = {}
    for version_id, ordinal in found:
        known = parts.get(version_id, {})
        if ordinal in known:
            first = max(0, ordinal - N_BEFORE)
            window = [known[i] for i in range(first, ordinal + N_AFTER + 1) if i in known]
            provisions[version_id, ordinal] = provision_at(window, ordinal - first)
    return provisions


def part_of(position: Position) -> Part:
    """A stored paragraph as the rules on provisions take it; needs its text loaded."""
    return Part(
        position.ordinal,
        position.paragraph.text,
        position.kind,
        position.label,
        tuple(position.heading_path),
        position.level,
        position.role,
        position.page,
    )
