"""Provisions of stored versions: of the paragraphs that a search found, those around them, in one query.

Cutting a page of law into provisions takes longer than the search that found it, and questions of one corpus open the
same pages. A version never changes once it is read, so what was cut is kept by version.
"""

from collections.abc import Collection, Iterable
from threading import Lock
from uuid import UUID

from cachetools import LRUCache
from django.db.models import Q

from corpora.models import DocumentVersion, Position
from corpora.parsers.numbering import enumerator_match
from corpora.provisions.around import without_marks
from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part, Provision

N_BEFORE = 60  # ours: the longest numbered paragraphs of the laws we looked at have under 40 items
N_AFTER = 80
MAX_CHARS = 16_000_000  # ours: characters of the provisions that memory keeps, some 10,000 provisions
_Place = tuple[UUID, int]

_provisions: LRUCache[tuple[UUID, int], Provision] = LRUCache(
    MAX_CHARS, getsizeof=lambda provision: 200 + sum(200 + len(piece.text) for piece in provision.pieces)
)
_lock = Lock()


def provisions_around(*, positions: Iterable[Position]) -> dict[_Place, Provision]:
    """The provision that each paragraph is in, in the version it was found in.

    One query reads the paragraphs around those that no question has opened before; the rest is `corpora.provisions`.

    Args:
        positions: Paragraphs of any versions; of those that the active person may not read, nothing is returned.

    Returns:
        Provisions by (version id, ordinal of the paragraph found).
    """
    by_key = {(position.version_id, position.pk): position for position in positions}
    # The wall is around the version: what is behind it is not read, and neither is what is kept of it.
    versions = DocumentVersion.objects.filter(pk__in={version for version, _ in by_key}, corpus__isnull=False)
    readable = set(versions.values_list("pk", flat=True))
    by_key = {key: position for key, position in by_key.items() if key[0] in readable}
    with _lock:
        provisions = {key: _provisions[key] for key in by_key if key in _provisions}
    cut = _cut([position for key, position in by_key.items() if key not in provisions])
    with _lock:
        for key, position in by_key.items():
            if provision := cut.get((position.version_id, position.ordinal)):
                provisions[key] = provision
                if _provisions.getsizeof(provision) <= _provisions.maxsize:
                    _provisions[key] = provision
    return {(by_key[key].version_id, by_key[key].ordinal): provision for key, provision in provisions.items()}


def _cut(positions: Collection[Position]) -> dict[_Place, Provision]:
    """The provisions of paragraphs that may be read."""
    around: dict[UUID, set[int]] = {}
    for position in positions:
        window = range(max(0, position.ordinal - N_BEFORE), position.ordinal + N_AFTER + 1)
        around.setdefault(position.version_id, set()).update(window)
    condition = Q(pk=None)
    for version_id, ordinals in around.items():
        condition |= Q(version_id=version_id, ordinal__in=ordinals)
    parts: dict[UUID, dict[int, Part]] = {}
    inside = Position.objects.filter(condition, version__corpus__isnull=False) if around else Position.objects.none()
    for position in inside.select_related("paragraph"):
        parts.setdefault(position.version_id, {})[position.ordinal] = part_of(position=position)
    provisions: dict[_Place, Provision] = {}
    for version_id, ordinal in ((position.version_id, position.ordinal) for position in positions):
        by_ordinal = parts.get(version_id, {})
        if ordinal in by_ordinal:
            first = max(0, ordinal - N_BEFORE)
            near = [by_ordinal[i] for i in range(first, ordinal + N_AFTER + 1) if i in by_ordinal]
            provisions[version_id, ordinal] = provision_at(near, ordinal - first)
    return provisions


def part_of(*, position: Position) -> Part:
    """A stored paragraph as the rules on provisions take it; needs its text loaded."""
    kind, label = position.kind, position.label
    if not label and kind == "text":  # "▌ (c) …" is an item of its list, too
        label = enumerator_match(without_marks(position.paragraph.text).lstrip())
        kind = "list" if label else kind
    return Part(
        position.ordinal,
        position.paragraph.text,
        kind,
        label,
        tuple(position.heading_path),
        position.level,
        position.role,
        position.page,
    )
