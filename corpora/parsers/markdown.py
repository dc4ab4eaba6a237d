"""Markdown: headings, lists, tables and code, by the tokens of CommonMark."""

import re
from html import escape

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from corpora.parsers.assemble import document_assemble
from corpora.parsers.blocks import Block
from corpora.parsers.cleaning import clean_block, clean_paragraph, unmapped
from corpora.parsers.formulas import formulas_warning
from corpora.parsers.html import fragment_blocks
from corpora.parsers.limits import Limits
from corpora.parsers.liquid import liquid_stripped
from corpora.parsers.plain import text_decode
from corpora.parsers.reasons import FileRefused
from corpora.parsers.rows import rows_heads, rows_text
from corpora.types import ParsedDocument

_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?)(?:\r?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_MAX_FRONT_MATTER = 20_000
_BULLETS = "•–·"  # by depth; `corpora.provisions.nesting` reads them so
_MATH_START = re.compile(r"<(?:\w+:)?math[\s>]", re.IGNORECASE)
_MATH_END = re.compile(r"</(?:\w+:)?math>", re.IGNORECASE)


def markdown_parse(data: bytes, *, name: str, limits: Limits) -> ParsedDocument:
    """Read a Markdown file.

    Rule: the words as shown, without the marks; links keep their words, pictures their description. Each list
    item's text is a paragraph with its number or a bullet that tells its depth, a table is a paragraph of rows, code
    keeps its lines. Front matter and the marks of a website's templates are left out; the title is used.

    Args:
        data: The file.
        name: Its name.
        limits: Cap on characters.

    Returns:
        The document.

    Raises:
        FileRefused: binary, no_text, too_many_characters.
    """
    text = text_decode(data)
    if len(text) > limits.characters:
        raise FileRefused("too_many_characters")
    matter = _FRONT_MATTER.match(text)
    title = _front_title(matter.group(1)) if matter else ""
    body = liquid_stripped(text[matter.end() :] if matter else text)
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(body)
    reader = _Reader()
    blocks = reader.read(tokens)
    return document_assemble(None, blocks, title=title, name=name, warnings=formulas_warning(reader.n_odd))


def _front_title(matter: str) -> str:
    if len(matter) > _MAX_FRONT_MATTER or "&" in matter:
        return ""  # no anchors: a few lines of them can grow without end
    try:
        fields = yaml.safe_load(matter)
    except (yaml.YAMLError, ValueError, RecursionError):
        return ""
    title = fields.get("title") if isinstance(fields, dict) else None
    return title if isinstance(title, str) else ""


class _Reader:
    """Walks the tokens once; what a line of words is depends on the list, the item and the table it is in."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        # Of ordered lists the number that all items so far are typed with, None if they differ, and the last shown.
        self._lists: list[tuple[int | None, int] | None] = []
        self._mark = ""
        self._rows: list[list[str]] = []
        self.n_odd = 0

    def read(self, tokens: list[Token]) -> list[Block]:
        opener = None
        for token in tokens:
            if token.type == "inline":
                self._inline(token, opener)
            elif token.type in {"fence", "code_block"}:
                self.blocks.append(Block(unmapped(clean_block(token.content).text)))
            elif token.type == "html_block":
                self.blocks += self._fragment(token.content)
            else:
                self._container(token)
            opener = token
        return [block for block in self.blocks if block.content.text]

    def _fragment(self, content: str) -> list[Block]:
        blocks, n_odd = fragment_blocks(content)
        self.n_odd += n_odd
        return blocks

    def _container(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open":
                self._lists.append(None)
            case "ordered_list_open":
                self._lists.append((-1, 0))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._mark = self._next_mark(token)
            case "list_item_close":
                self._mark = ""  # of an item without words
            case "table_open":
                self._rows = []
            case "tr_open":
                self._rows.append([])
            case "table_close":
                text, heads = rows_text(self._rows), rows_heads(self._rows, head=1)
                self.blocks.append(Block(unmapped(text), kind="table", heads=heads))

    def _next_mark(self, token: Token) -> str:
        """The mark of an item: its number as the file has it; the next one where all are typed alike ("1. 1. 1.").

        Bullets of lists inside each other differ, so that an item keeps what is below it.
        """
        last = self._lists[-1]
        if last is None:
            return f"{_BULLETS[min(self._lists.count(None), len(_BULLETS)) - 1]} "
        typed, (alike, shown) = int(token.info), last
        shown = shown + 1 if typed == alike else typed
        self._lists[-1] = (typed if alike in (-1, typed) else None, shown)
        return f"{shown}{token.markup or '.'} "

    def _inline(self, token: Token, opener: Token | None) -> None:
        words = self._words(token)
        kind = opener.type if opener else ""
        if kind in {"th_open", "td_open"}:
            self._rows[-1].append(words)
        elif opener is not None and kind == "heading_open":
            self.blocks.append(Block(unmapped(words), kind="heading", rank=float(opener.tag[1:])))
        elif words:
            self.blocks.append(Block(unmapped(self._mark + words), kind="list" if self._mark else "text"))
            self._mark = ""

    def _words(self, token: Token) -> str:
        parts: list[str] = []
        formula = ""
        for child in token.children or []:
            tag = child.content if child.type == "html_inline" else ""
            if formula or _MATH_START.match(tag):
                formula += tag or escape(child.content)
                if _MATH_END.match(tag):
                    parts += [block.content.text for block in self._fragment(formula)]
                    formula = ""
            elif child.type in {"text", "code_inline", "image"}:
                parts.append(child.content)
            elif child.type in {"softbreak", "hardbreak"} or tag.lower().startswith("<br"):
                parts.append("\n")
        if formula:
            parts += [block.content.text for block in self._fragment(formula)]
        return clean_paragraph("".join(parts)).text
