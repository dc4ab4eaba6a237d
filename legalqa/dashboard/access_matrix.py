"""Who can see what, in words: members down, corpora across."""

from collections import defaultdict
from dataclasses import dataclass
from uuid import UUID

from corpora.models import Corpus, CorpusMember
from corpora.selectors import corpus_list
from legalqa.accounts.models import Membership, Organization
from legalqa.accounts.selectors import member_list

KEEPS, READS, OUTSIDE = "Manages documents", "Reads and asks", "No access (wall)"


@dataclass(frozen=True, slots=True)
class Cell:
    """What one person may do in one corpus, with a sentence that says why."""

    corpus: str
    word: str
    why: str

    @property
    def tone(self) -> str:
        return {KEEPS: "accent", READS: "ok", OUTSIDE: "withheld"}[self.word]


@dataclass(frozen=True, slots=True)
class Row:
    membership: Membership
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    corpora: tuple[Corpus, ...]
    rows: tuple[Row, ...]

    def table(self) -> list[list[str]]:
        """The rows as text, for a file."""
        people = ((row.membership.user, row.membership.get_role_display(), row.cells) for row in self.rows)
        return [[user.name, user.email, role, *(cell.word for cell in cells)] for user, role, cells in people]


def access_matrix(*, organization: Organization) -> Matrix:
    """The matrix for the active person: walled corpora to which they have no access are not in it."""
    corpora = tuple(corpus_list(organization=organization))
    inside: dict[UUID, set[UUID]] = defaultdict(set)
    members = CorpusMember.objects.filter(organization=organization, corpus__in=[corpus.pk for corpus in corpora])
    for corpus_id, user_id in members.values_list("corpus_id", "user_id"):
        inside[corpus_id].add(user_id)
    rows = tuple(
        Row(membership, tuple(_cell(membership, corpus, inside[corpus.pk]) for corpus in corpora))
        for membership in member_list(organization=organization)
    )
    return Matrix(corpora, rows)


def _cell(membership: Membership, corpus: Corpus, inside: set[UUID]) -> Cell:
    person, role = membership.user, membership.get_role_display().lower()
    if corpus.is_walled and membership.user_id not in inside:
        why = f"{corpus} is restricted, and {person} is not one of its members. For them it does not exist."
        return Cell(corpus.name, OUTSIDE, why)
    where = f"{person} is a named member of {corpus}" if corpus.is_walled else f"{corpus} is open to everyone"
    if membership.can_manage:
        why = f"{where}; as {role} they upload and remove documents, decide who has access, read and ask."
        return Cell(corpus.name, KEEPS, why)
    return Cell(
        corpus.name, READS, f"{where}; as {role} they read its documents and ask questions, but cannot change anything."
    )
