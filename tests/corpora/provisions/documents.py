"""Documents as the product reads them, with the role of every paragraph."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from corpora.provisions.grouping import provision_at
from corpora.provisions.roles import roles_of
from corpora.provisions.types import Part, Piece, Provision
from tests.corpora.parsers.builders import LAW, parse

DATA = Path(__file__).parents[2] / "data" / "provisions"
AI_ACT = "eu_ai_act_ep_corrigendum_2024-04-19.pdf"
CODE = "admin_code_20-870_and_rule.pdf"
RULE = "dcwp_final_rule.pdf"
BILL = "int_1894-a_local_law_text.pdf"


@cache
def parts_of(name: str) -> tuple[Part, ...]:
    """A law of the demo, or a contract of these tests."""
    folder = LAW if (LAW / name).exists() else DATA
    return read((folder / name).read_bytes(), name)


def read(data: bytes, name: str) -> tuple[Part, ...]:
    parsed = parse(data, name)
    parts = [
        Part(i, parsed.text[p.start : p.end], p.kind, p.label, p.heading_path, p.level, page=p.page)
        for i, p in enumerate(parsed.paragraphs)
    ]
    return tuple(replace(part, role=role) for part, role in zip(parts, roles_of(parts), strict=True))


def text_file(*paragraphs: str, name: str = "contract.md") -> tuple[Part, ...]:
    return read("\n\n".join(paragraphs).encode(), name)


def place_of(parts: Sequence[Part], words: str, *, under: str = "") -> int:
    """The paragraph that begins with these words, below a heading that begins so."""
    return next(
        i
        for i, part in enumerate(parts)
        if " ".join(part.text.split()).startswith(words)
        and (not under or any(heading.startswith(under) for heading in part.path))
    )


def provision(parts: Sequence[Part], words: str, *, under: str = "") -> Provision:
    return provision_at(parts, place_of(parts, words, under=under))


def piece(found: Provision, words: str) -> int:
    return next(i for i, one in enumerate(found.pieces) if words in " ".join(one.text.split()))


def shown(found: Provision, *chosen: int) -> list[str]:
    """First words of the pieces that are shown where these are."""
    return [" ".join(found.pieces[i].text.split()[:4]) for i in found.completed(chosen)]


def lettered(found: Provision) -> list[tuple[str, str]]:
    return [(one.part, one.label) for one in found.pieces]


def cites_itself(parts: Sequence[Part], one: Piece) -> bool:
    return next(p for p in parts if p.ordinal == one.ordinal).text[one.start : one.end] == one.text
