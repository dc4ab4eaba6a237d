"""Blocks -> numbered paragraphs under their headings: run-in headings split off, levels, paths, labels, length."""

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from corpora.parsers.blocks import Block
from corpora.parsers.numbering import (
    SECTION_OF_ARTICLES_RANK,
    Structure,
    enumerator_match,
    follows_directly,
    label_of,
    structure_match,
)

SOFT_LIMIT_CHARS = 4_000  # ours: characters from which a paragraph is split where a sentence ends
HARD_LIMIT_CHARS = 8_000  # ours: characters from which a paragraph is split where no sentence ends
_MAX_LEVEL = 9
_SECTION_RANK = 4.5  # rank outside which a division always has a heading
_BELOW = 1.5  # a rank deeper than a division's, above the numbered items in it
_MAX_PATH_CHARACTERS = 200
_SENTENCE_END = re.compile(r"(?<=[.!?;:])[”\"’')\]]{0,2}\s+(?=[\w(“\"‘§\[])")

_ROW_END = re.compile(r"\n+")


@dataclass(frozen=True, slots=True, eq=False)
class Entry(Block):
    """A paragraph in its final form but for its place; `joined` means that it continues the previous one."""

    level: int = 0
    joined: bool = False


def outline_build(blocks: Iterable[Block], *, marks_headings: bool = False) -> tuple[Entry, ...]:
    """Give each paragraph its level, its headings, its legal number and a length that can be handled.

    Rule: "§ 20-871 Requirements. a. In the city …" is split after its heading, so that the paragraphs below have it
    in their path; a division without a heading ("§ 2. This local law …") stays whole and lends its number to the
    path of what follows. Ranks in use become levels from 1. Over 4,000 characters a paragraph is cut between
    sentences, over 8,000 anywhere; the further parts of a table have the heads of its columns in their path.

    Args:
        blocks: In reading order.
        marks_headings: Whether the format marks headings as such; if there is one, a paragraph that is nothing but
            "Rule 3: the tenant pays." is no heading.

    Returns:
        Entries in the same order.
    """
    blocks = list(blocks)
    if marks_headings and any(block.kind == "heading" for block in blocks):
        blocks = [replace(block, is_words=_is_sentence(block)) for block in blocks]
    split = _inside_series(_sections_outside([part for block in blocks for part in _without_run_in(block)]))
    ranks = {part.rank for part in split if part.rank} | {
        structure.rank for part in split if not part.rank and (structure := _division(part))
    }
    levels = {rank: min(level, _MAX_LEVEL) for level, rank in enumerate(sorted(ranks), 1)}
    entries: list[Entry] = []
    above: list[tuple[int, str]] = []
    for part in split:
        structure = _division(part)
        rank = part.rank or (structure.rank if structure else 0.0)
        if rank:
            above = [heading for heading in above if heading[0] < levels[rank]]
        path = part.path or tuple(title for _, title in above)
        entries += _cut(part, levels.get(part.rank, 0), path)
        if rank:
            title = part.content.text if part.rank or structure is None else structure.label
            above.append((levels[rank], title.rstrip(" .:")[:_MAX_PATH_CHARACTERS]))
    return tuple(entries)


def _is_sentence(block: Block) -> bool:
    """Whether a paragraph that the file does not mark as a heading is one line of text and nothing behind it."""
    structure = structure_match(block.content.text) if block.kind in {"text", "list"} else None
    return structure is not None and not structure.bare and structure.head_end >= len(block.content.text.rstrip())


def _sections_outside(blocks: list[Block]) -> list[Block]:
    """Put "Section 1" above articles where articles are the more numerous (Union law), elsewhere below (contracts)."""
    words = [structure.word if (structure := _any_division(block)) else "" for block in blocks]
    if words.count("ARTICLE") <= words.count("SECTION"):
        return blocks
    return [
        replace(block, rank=SECTION_OF_ARTICLES_RANK) if word == "SECTION" and block.kind == "heading" else block
        for block, word in zip(blocks, words, strict=True)
    ]


def _inside_series(blocks: list[Block]) -> list[Block]:
    """Move an unnumbered heading that is between "§ 5-301" and "§ 5-302" below these, however large it is."""
    series = [(place, structure) for place, block in enumerate(blocks) if (structure := _any_division(block))]
    for (first, before), (last, after) in itertools.pairwise(series):
        if before.rank != after.rank or not follows_directly(before.label, after.label):
            continue
        for place in range(first + 1, last):
            block = blocks[place]
            if block.kind == "heading" and block.rank <= before.rank:
                blocks[place] = replace(block, rank=before.rank + _BELOW)
    return blocks


def _any_division(block: Block) -> Structure | None:
    return structure_match(block.content.text) if block.kind in {"heading", "text"} else None


def _without_run_in(block: Block) -> Iterator[Block]:
    """Split a division's heading from the text that follows it in the same paragraph."""
    structure = structure_match(block.content.text) if block.kind in {"text", "list", "heading"} else None
    if structure is None or block.kind == "heading" or block.is_words:
        yield block
        return
    text = block.content.text
    wrapped = structure.bare and text.endswith(".") and not structure.label.isupper()
    if not structure.head_end or wrapped:
        yield replace(block, kind="text")
        return
    yield Block(block.content.slice(0, structure.head_end), kind="heading", rank=structure.rank, page=block.page)
    rest = len(text) - len(text[structure.head_end :].lstrip())
    if rest < len(text):
        kind = "list" if enumerator_match(text[rest:]) else "text"
        yield from _without_run_in(replace(block, kind=kind, content=block.content.slice(rest, len(text))))


def _division(block: Block) -> Structure | None:
    structure = structure_match(block.content.text) if block.kind == "text" and not block.is_words else None
    if structure is None or structure.bare or structure.rank < _SECTION_RANK:
        return None
    return structure


def _cut(block: Block, level: int, path: tuple[str, ...]) -> Iterator[Entry]:
    label = block.label or (label_of(block.content.text) if block.kind in {"heading", "text", "list"} else "")
    heads = (block.heads[:_MAX_PATH_CHARACTERS],) if block.heads else ()
    start = 0
    for end in _cuts(block.content.text, _ROW_END if block.kind == "table" else _SENTENCE_END):
        yield Entry(
            content=block.content.slice(start, end),
            kind=block.kind,
            level=level,
            path=(*path, *heads) if start else path,
            label="" if start else label,
            page=block.page,
            external_id=block.external_id,
            joined=start > 0,
        )
        start = end


def _cuts(text: str, boundary: re.Pattern[str]) -> list[int]:
    """Return the ends of the parts of a paragraph; white space at a cut belongs to the part before it."""
    cuts: list[int] = []
    start = 0
    while len(text) - start > SOFT_LIMIT_CHARS:
        ends = [match.end() for match in boundary.finditer(text, start, start + HARD_LIMIT_CHARS)]
        within = [end for end in ends if end - start <= SOFT_LIMIT_CHARS]
        after = [end for end in ends if end - start > SOFT_LIMIT_CHARS]
        if within:
            start = within[-1]
        elif after:
            start = after[0]
        elif len(text) - start > HARD_LIMIT_CHARS:
            blank = text.rfind(" ", start + SOFT_LIMIT_CHARS, start + HARD_LIMIT_CHARS)
            start = blank + 1 if blank > 0 else start + HARD_LIMIT_CHARS
        else:
            break
        cuts.append(start)
    return [*cuts, len(text)] if not cuts or cuts[-1] < len(text) else cuts
