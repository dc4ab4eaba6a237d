"""Where paragraphs start in a long line whose line ends are lost, so that runs of blanks are left of them."""

import re
from dataclasses import dataclass

from corpora.parsers.numbering import item_opens, structure_match

LONG_LINE = 400  # characters from which a line may hold several paragraphs
_BLANK = r"[ \t\xa0]"
_RUN = re.compile(rf"(?<=\S){_BLANK}{{3,}}+(?=\S)")
_LOOKED_AT = 160  # characters before and after a run that are looked at
# "(a) The", "(ii)comply": letters follow, and not the next cell of a table, as behind "(12)" for a loss.
_ITEM = re.compile(
    rf"\((?:\d{{1,2}}|[a-z]{{1,2}}|[A-Z]{{1,2}}|[ivxlc]{{1,6}}|[IVXLC]{{1,6}})\){_BLANK}*+(?=[^\W\d_]|[(\[\"“$])"
)
_NUMBER = re.compile(rf"(?:\d{{1,3}}\.{{1,2}}|\d{{1,3}}(?:\.\d{{1,3}}){{1,4}}\.?){_BLANK}++(?=[A-Z\"“(\[])")
_TERM = re.compile(r"[\"“][^\W\d_][^\"“”]{0,80}[\"”]")
_WORDS_IN_CAPITALS = re.compile(r"(?:[A-Z]{4,}|NOW|IN WITNESS|[A-Z][A-Z'’&-]{1,30} [A-Z]{2,})\b")
_RECITAL = re.compile(r"WHEREAS\b|NOW,? THEREFORE\b|IN WITNESS\b|THIS [A-Z]+ ")
_TITLE = re.compile(r"[^.:\"“”()]{3,80}(?:[.:](?=\s+[A-Z\"“(]|$)|$)")
_NOT_IN_TITLE = re.compile(r"\b(?!(?:an?d?|as|at|by|for|from|in|into|nor|of|on|or|per|the|to|under|upon|with)\b)[a-z]")
_MAX_TITLE_WORDS = 12
_DIVISION_LOOKED_AT = 140  # a longer text opens no division without a stop behind its number
_SENTENCE_END = re.compile(r"(?:[.;:!?][”\"’')\]]{0,2}|[;,:.]\s?(?:and|or|but))$")
# What a number or letter belongs to that follows: "Section | (a)".
_REFERS = re.compile(
    r"\b(?:(?:sub)?(?:section|clause|paragraph)s?|(?:article|item|part|rule|exhibit|schedule)s?|annex|appendix"
    r"|in|to|of|by|under|with|from|the|on|at|for|than)$",
    re.IGNORECASE,
)
_ENDS_WITH_NUMBER = re.compile(r"\b(?:SECTION|Section|ARTICLE|Article) \d{1,3}(?:\.\d{1,3}){0,4}\.$")
_LABEL_ONLY = re.compile(r"(?:[A-Za-z]{3,10}\.? )?(?:\(\w{1,6}\)|[IVXLC]{1,6}\.?|\d{1,3}(?:\.\d{1,3}){0,4}\.{0,2})$")


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of blanks: whether a sentence ends before it, whether a paragraph may start behind it."""

    end: int
    ends_sentence: bool
    opens: bool


def lost_breaks(line: str) -> list[int]:
    """Find where paragraphs start in a line of a text file, besides its own start.

    Files of EDGAR and CUAD have a line for each page; where a line ended in print there are three blanks or more.
    Rule: in a line of more than 400 characters a run of three or more blanks is the end of a paragraph if a numbered
    heading, the label of an item, a heading in capitals or title case or a quoted term follows. Where most runs
    are neither there nor behind a sentence, the line is a table or justified text and keeps together.

    Args:
        line: Without its line end.

    Returns:
        Offsets in it, rising.
    """
    if len(line) <= LONG_LINE:
        return []
    runs = _runs(line)
    odd = sum(not run.opens and not run.ends_sentence for run in runs)
    ended = sum(run.ends_sentence for run in runs)
    return [run.end for run in runs if run.opens] if odd <= ended else []


def _runs(line: str) -> list[_Run]:
    """The runs of a line, without those between a label and its words ("(a)     Closing")."""
    matches = list(_RUN.finditer(line))
    ends = [*(match.start() for match in matches), len(line)][1:]
    runs: list[_Run] = []
    piece_start = 0
    for match, end in zip(matches, ends, strict=True):
        before = line[max(piece_start, match.start() - _LOOKED_AT) : match.start()]
        piece_start = match.end()
        if _LABEL_ONLY.match(before):
            continue
        after = line[match.end() : match.end() + _LOOKED_AT]
        piece = line[match.end() : min(end, match.end() + _LOOKED_AT)]
        ends_sentence = bool(_SENTENCE_END.search(before))
        runs.append(_Run(match.end(), ends_sentence, _opens(before, after, piece, ends_sentence=ends_sentence)))
    return runs


def _opens(before: str, after: str, piece: str, *, ends_sentence: bool) -> bool:
    """Whether a paragraph may start behind a run of blanks: with a number, a label, a heading or a term."""
    if _REFERS.search(before):
        return False
    if _ITEM.match(after):
        return ends_sentence or item_opens(after) or not after[after.index(")") + 1].isspace()
    if _NUMBER.match(after) or structure_match(after[:_DIVISION_LOOKED_AT]):
        return ends_sentence or not (before[-1].islower() or before[-1] == ",")
    if _RECITAL.match(after) and before.isupper():
        return True
    if not ends_sentence or _ENDS_WITH_NUMBER.search(before):
        return False
    in_capitals_or_quoted = _TERM.match(after) or _WORDS_IN_CAPITALS.match(after)
    return bool(in_capitals_or_quoted) or (before[-1] != ":" and _is_title(piece))


def _is_title(piece: str) -> bool:
    """Whether a heading in title case is all there is up to the next run of blanks, or ends with a stop."""
    match = _TITLE.match(piece)
    if match is None or not piece[0].isupper():
        return False
    return len(match.group().split()) <= _MAX_TITLE_WORDS and not _NOT_IN_TITLE.search(match.group())
