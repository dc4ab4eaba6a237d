"""Lines with their geometry -> paragraphs and headings."""

import itertools
import re
from collections import Counter

import numpy as np

from corpora.parsers.blocks import Block
from corpora.parsers.breaks import starts_paragraph
from corpora.parsers.cleaning import Cleaned, clean_paragraph, clean_slice, join_cleaned
from corpora.parsers.footnotes import notes_split, notes_weave
from corpora.parsers.headings import bare_first_line, heading_rank
from corpora.parsers.layout import Layout, layout_measure, leading_measure
from corpora.parsers.lines import Line, SourceText
from corpora.parsers.numbering import bullet_match, enumerator_match, structure_match
from corpora.parsers.rows import CELL_SEPARATOR, rows_heads
from corpora.parsers.tables import table_runs
from corpora.parsers.vocabulary import Vocabulary, vocabulary_collect

_WORD = re.compile(r"[^\W\d_]{4,}")
_STRAY = re.compile(r"[~|\\@_^{}<>=!]")  # signs that recognition sees in drawings and that no heading holds


def paragraphs_build(source: SourceText) -> tuple[Block, ...]:
    """Group the lines of a document into paragraphs, across pages and columns where the text goes on.

    Rule: a line starts a paragraph if the page says so (more space above, a new indent, another height, room left
    at the end of the line before) or the text does (a section sign, an article, "(a)", "1.", a bullet where one can
    are). A paragraph goes on over a page if its sentence does. Footnotes are before the paragraph that runs
    over their page's end.

    Args:
        source: Raw text with its lines.

    Returns:
        Blocks in reading order with clean text and origins in the raw text.
    """
    layout = layout_measure(source)
    vocabulary = vocabulary_collect(source.text)
    body, notes = notes_split(layout)
    layout = leading_measure(layout, notes)
    tables = dict(table_runs(layout))
    groups = notes_weave(_group(layout, body, tables), _group(layout, notes, {}), layout)
    words = Counter(_WORD.findall(source.text.lower()))
    blocks = (
        _table(source, layout, group) if group[0] in tables else _paragraph(source, layout, group, vocabulary, words)
        for group in groups
    )
    return tuple(block for block in blocks if block.content.text)


def _group(layout: Layout, indices: list[int], tables: dict[int, int]) -> list[list[int]]:
    groups: list[list[int]] = []
    table_end = -1
    for index in indices:
        if index in tables:
            table_end = tables[index]
            groups.append([index])
        elif index < table_end or (groups and index != table_end and not starts_paragraph(layout, groups[-1], index)):
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def _paragraph(
    source: SourceText, layout: Layout, group: list[int], vocabulary: Vocabulary, words: Counter[str]
) -> Block:
    content = _gathered(source, [layout.lines[index] for index in group], vocabulary)
    rank = heading_rank(layout, group, content.text)
    recognised = source.pages[layout.lines[group[0]].page - 1].confidence is not None
    if rank and not (recognised and _is_noise(content.text, words)):
        bare = bare_first_line(layout, group)
        return Block(content, kind="heading", rank=rank, label=bare.label if bare else "")
    marker = bullet_match(content.text) or enumerator_match(content.text)
    return Block(content, kind="list" if marker else "text")


def _is_noise(text: str, words: Counter[str]) -> bool:
    """Whether text recognition may have made a heading up, of a map or a seal: it has stray signs, or no word
    found elsewhere in the document."""
    if structure_match(text) or enumerator_match(text):
        return False
    own = Counter(_WORD.findall(text.lower()))
    return bool(_STRAY.search(text)) or all(words[word] <= count for word, count in own.items())


def _table(source: SourceText, layout: Layout, group: list[int]) -> Block:
    """Set a table as rows, one a line, its cells with tabs between them."""
    rows: list[list[Cleaned]] = []
    for index in group:
        line = layout.lines[index]
        cuts = [line.start, *(gap.offset for gap in line.gaps), line.end]
        cells = [clean_slice(source.text, start, end) for start, end in itertools.pairwise(cuts)]
        rows.append([cell for cell in cells if cell.text])
    rows = [row for row in rows if row]
    parts = [join_cleaned(row, CELL_SEPARATOR) for row in rows]
    heads = rows_heads([[cell.text for cell in row] for row in rows])
    return Block(join_cleaned(parts, "\n"), kind="table", heads=heads)


def _gathered(source: SourceText, lines: list[Line], vocabulary: Vocabulary) -> Cleaned:
    """Clean the lines as one paragraph; they need not be neighbours in the raw text."""
    raw = "\n".join(source.text[line.start : line.end] for line in lines)
    places = np.concatenate([np.arange(line.start, line.end + 1, dtype=np.int32) for line in lines])
    cleaned = clean_paragraph(raw, vocabulary)
    return Cleaned(cleaned.text, places[cleaned.origins])
